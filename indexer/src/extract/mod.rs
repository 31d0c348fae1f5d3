//! What becomes a document: from triples to entities, values, classes, properties and the dataset card.
//!
//! `graph` holds the triples compactly; `schema` counts how classes and properties are used; `entities` and
//! `values` choose what is searched. Knows nothing of the indexes that are written from it.

mod entities;
mod graph;
mod roles;
mod schema;
mod values;

pub use entities::{EntityRecord, Label, entities};
pub use graph::{Graph, GraphBuilder};
pub use roles::Roles;
pub use schema::schema;
pub use values::{ValueRecord, values};

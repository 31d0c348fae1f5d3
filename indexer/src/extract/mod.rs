//! Extraction: from triples to entities, values, classes, properties and the dataset card.
//!
//! `graph` stores the triples compactly, with `dictionary` (texts as numbers), `texts` (by number), `kinds` (of literals),
//! `sorted_keys` and `mapped` (files of the build); `schema` counts how classes and properties are used; `collections` knows
//! lists; `counted` is what was counted, also from several shares of a graph (`share`); `entities` and `values` select what is searchable. Knows nothing about the indexes that are written from it.

mod bits;
mod collections;
mod connections;
mod counted;
mod dictionary;
mod entities;
mod graph;
mod kinds;
mod mapped;
mod prefixes;
mod roles;
mod schema;
mod share;
mod sorted_keys;
mod symmetry;
mod texts;
mod unnamed;
mod usage;
mod values;

pub use counted::CountedSchema;
pub use entities::{Entities, Entity, ExtractedEntity, Label};
pub use graph::{Graph, GraphBuilder, Space};
pub use roles::Roles;
pub use schema::count;
pub use share::Share;
pub(crate) use share::knows_classes;
pub use unnamed::Unnamed;
pub use values::{PropertyValue, values};

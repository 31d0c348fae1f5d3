//! Bounds on JSON-LD before its parser reads it: that calls itself for each object in another one, for each term of a
//! context that is made of another one, and for each context in another one, and copies the terms that are in use for each
//! object that has a context.
//!
//! ```text
//! bounded (depth; finds contexts) ──► measure (of one context) ──► contexts (those named by IRI)
//! ```

mod bounded;
mod contexts;
mod measure;

pub(super) use bounded::BoundedJson;
pub(super) use contexts::Contexts;

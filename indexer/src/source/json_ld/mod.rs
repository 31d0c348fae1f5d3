//! Limits on JSON-LD before its parser sees it: the parser recurses for each nested object, for each term of a
//! context defined by another one, and for each nested context, and copies the terms in use for each
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

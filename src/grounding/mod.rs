//! Step zero: what the words of a question may mean in the graph, found without a model.
//!
//! Spans of the question are linked to entities and values (longest spans first), single words and pairs to
//! classes and properties. The agent puts the result into its first prompt; the planner builds on it. Knows
//! the dataset only.

mod links;
mod text;

pub use links::{Grounding, GroundingError, Mention, SchemaLink, ground};

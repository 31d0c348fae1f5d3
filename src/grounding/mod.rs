//! Step zero: what the words of a question may mean in the graph, found without a model.
//!
//! Spans of the question are linked to entities and values (by the planner's package, longest spans first), single words and
//! pairs to classes and properties; where names are looked up at a server, `spans` chooses what is worth it; `written` tells what is no name. The agent puts
//! the result into its first prompt; the planner builds on it. Knows the dataset only.

mod links;
mod live;
mod spans;
mod text;
mod written;

pub use links::{GroundedTerm, Grounding, GroundingError, ground, ground_named};

#[cfg(test)]
mod tests;

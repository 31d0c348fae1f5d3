//! What can be left out to measure what it is worth: the agent's switches, and its tools.

use crate::agent_features::AgentFeatures;
use crate::tools;

/// The names of all tools that can be left out.
pub fn optional_tools() -> impl Iterator<Item = &'static str> {
    tools::optional_names()
}

/// The features without a switch or a tool of this name; `None` if there is none.
pub fn leave_out(features: AgentFeatures, name: &str) -> Option<AgentFeatures> {
    features.without(name).or_else(|| tools::without(features, name))
}

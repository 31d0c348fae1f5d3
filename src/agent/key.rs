//! By what a run knows equal calls.

use super::planned_call::RunRules;
use crate::tools::{Arguments, Tool};

/// A call in one spelling: queries are compared by their algebra, everything else by its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CallKey {
    /// A query is run.
    Query(String),
    /// The answer is stated.
    Answer(String),
    /// Another tool is called, with these arguments.
    Other(&'static str, String),
}

impl CallKey {
    /// The key of a call.
    pub(super) fn of(tool: &dyn Tool, arguments: &Arguments, rules: &dyn RunRules) -> Self {
        let query = arguments.text("query").ok().filter(|_| tool.runs_query());
        let text = query
            .map_or_else(|| arguments.canonical(), |text| rules.key(text).unwrap_or_else(|| text.to_owned()));
        match (tool.ends_run(), tool.runs_query()) {
            (true, _) => Self::Answer(text),
            (false, true) => Self::Query(text),
            (false, false) => Self::Other(tool.name(), text),
        }
    }
}

//! Keys by which a run recognises equal calls.

use super::planned_call::RunRules;
use crate::tools::{Arguments, Tool};
use eruca_dataset::RunQuery;

/// A normalised call: queries are compared by their algebra, everything else by its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CallKey {
    /// Running a query.
    Query(String),
    /// Stating the answer.
    Answer(String),
    /// Calling another tool with these arguments.
    Other(&'static str, String),
}

impl CallKey {
    /// The key of a call.
    pub(super) fn of(tool: &dyn Tool, arguments: &Arguments, rules: &dyn RunRules) -> Self {
        let query = arguments.text("query").ok().filter(|_| tool.runs_query());
        let text = match query {
            None => arguments.canonical(),
            Some(text) => {
                let key = rules.key(text).unwrap_or_else(|| text.to_owned());
                RunQuery::key_at(rules.at(arguments).as_deref(), key)
            }
        };
        match (tool.ends_run(), tool.runs_query()) {
            (true, _) => Self::Answer(text),
            (false, true) => Self::Query(text),
            (false, false) => Self::Other(tool.name(), text),
        }
    }
}

//! `answer`: states the final query and ends the run, once the query has been run.

use super::{Arguments, Observation, Tool, ToolContext, run_query, state_form};
use async_trait::async_trait;
use serde_json::json;

/// The tool's name, by which the controller knows the end of a run.
pub const ANSWER: &str = "answer";

pub(super) struct AnswerTool;

#[async_trait]
impl Tool for AnswerTool {
    fn name(&self) -> &'static str {
        ANSWER
    }

    fn description(&self) -> &'static str {
        "Ends the work with the final SPARQL query. It must return exactly what was asked: IRIs of the things, no \
         label or helper columns, no LIMIT that the question does not ask for, ASK for yes/no questions."
    }

    fn parameters(&self) -> serde_json::Value {
        json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "the final SPARQL query"},
                "form": state_form::form(),
                "columns": state_form::columns(),
            },
            "required": ["query", "form"],
            "additionalProperties": false,
        })
    }

    async fn call(&self, arguments: &Arguments, context: &ToolContext<'_>) -> Observation {
        match arguments.text("query") {
            Ok(query) => run_query(query, context).await,
            Err(reason) => Observation::bad_call(reason),
        }
    }
}

//! `answer`: states the final query, or that the graph does not contain the answer, and ends the run.

use super::{Arguments, Observation, QueryNotes, Tool, ToolContext, run_query, state_form, try_query};
use async_trait::async_trait;
use eruca_dataset::Dataset;
use eruca_language::fallback;
use eruca_sparql::{CheckedQuery, one_line, quoted};
use eruca_verbalize::why::explained;
use serde_json::json;

/// The tool's name, also used for a query that a model writes without a call.
pub const ANSWER: &str = "answer";

/// Returned if the graph does not contain the answer and no query shows that: it runs on any graph and returns nothing.
const NOTHING: &str = "SELECT ?answer WHERE { ?answer ?property ?value } LIMIT 0";
/// Maximum length of a reason in characters.
const MAX_REASON_CHARS: usize = 200;
/// Maximum length of a query's verbalization in characters.
const MAX_READING_CHARS: usize = 600;
/// Placeholders that models write for arguments that they mean to leave out.
const LEFT_OUT: &[&str] = &["none", "no", "false", "null", "n/a", "-"];

pub(super) struct AnswerTool;

#[async_trait]
impl Tool for AnswerTool {
    fn name(&self) -> &'static str {
        ANSWER
    }

    fn description(&self) -> &'static str {
        "Ends the work with the final SPARQL query. It must return exactly what was asked: IRIs of the things, no \
         label or helper columns, no LIMIT that the question does not ask for, ASK for yes/no questions. Say in `unsure` what \
         is not certain."
    }

    fn parameters(&self) -> serde_json::Value {
        json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "the final SPARQL query"},
                "form": state_form::form(),
                "columns": state_form::columns(),
                "computed": {"type": "string", "description":
                    "only if the answer is what `compute` returned, not the rows of the query: its name, such as c1; \
                     `query` is then the query of the rows that it rests on"},
                "unsure": {"type": "string", "description":
                    "only if something in the answer is not certain: what, in a few words"},
                "not_in_graph": {"type": "string", "description":
                    "only if the graph does not contain the answer: what it lacks, in a sentence in the question's language; \
                     `query` is then the query that would find it, or empty"},
            },
            "required": ["query", "form"],
            "additionalProperties": false,
        })
    }

    fn states_form(&self) -> bool {
        true
    }

    fn runs_query(&self) -> bool {
        true
    }

    fn ends_run(&self) -> bool {
        true
    }

    async fn call(&self, arguments: &Arguments, context: &ToolContext<'_>) -> Observation {
        if let Some(name) = computed(arguments)
            && context.workspace.computation(&name).is_none()
        {
            return Observation::bad_call(not_computed(&name, context));
        }
        match (absence(arguments), arguments.text("query")) {
            (Some(reason), _) => absent(arguments.named("query").unwrap_or(NOTHING), &reason, context).await,
            (None, Ok(query)) => {
                let seen = run_query(query, context).await;
                let read = seen.run.as_ref().and_then(|run| reading(&run.query, context.dataset));
                seen.noting(read)
            }
            (None, Err(reason)) => Observation::bad_call(format!(
                "{reason}; if the graph does not contain the answer, say in 'not_in_graph' what it lacks"
            )),
        }
    }
}

/// What the graph lacks according to a call, on one line.
pub fn absence(arguments: &Arguments) -> Option<String> {
    stated(arguments, "not_in_graph")
}

/// What is uncertain in the answer according to a call, on one line.
pub fn unsure(arguments: &Arguments) -> Option<String> {
    stated(arguments, "unsure")
}

/// The name of the computation that is the answer, according to a call.
pub fn computed(arguments: &Arguments) -> Option<String> {
    stated(arguments, "computed")
}

fn not_computed(name: &str, context: &ToolContext<'_>) -> String {
    let names = context.workspace.computation_names();
    let known = match names.as_slice() {
        [] => "nothing was computed".to_owned(),
        names => format!("what was computed is {}", names.join(", ")),
    };
    format!(
        "There is no {} for 'computed': {known}. Leave it out, or call `compute` first.",
        quoted(name, MAX_REASON_CHARS)
    )
}

fn stated(arguments: &Arguments, key: &str) -> Option<String> {
    let reason = arguments.optional(key)?;
    let left_out = LEFT_OUT.iter().any(|word| reason.eq_ignore_ascii_case(word));
    (!left_out).then(|| one_line(reason, MAX_REASON_CHARS))
}

/// All conditions of a query in words, so that the model sees what it has stated.
pub fn reading(query: &CheckedQuery, dataset: &Dataset) -> Option<String> {
    let parts = explained(dataset, query, fallback());
    let words: Vec<String> = parts.into_iter().map(|part| part.words).collect();
    (!words.is_empty()).then(|| format!("Reading: {}", quoted(&words.join("; "), MAX_READING_CHARS)))
}

/// Runs the query that shows the absence of an answer. That it returns nothing needs no explanation here.
async fn absent(query: &str, reason: &str, context: &ToolContext<'_>) -> Observation {
    let seen = try_query(query, context).await.observation(QueryNotes::default());
    Observation {
        text: format!("Not in the graph: {}\n{}", quoted(reason, MAX_REASON_CHARS), seen.text),
        ..seen
    }
}

//! `answer`: states the final query, or that the graph does not contain the answer, and ends the run.

use super::{Arguments, Observation, QueryNotes, Tool, ToolContext, run_query, state_form, try_query};
use crate::agent_features::AgentFeatures;
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
                "cited": {"type": "array", "items": {"type": "string"}, "description":
                    "only if texts say what the graph does not: the names of these passages, such as t3f0a1; they are quoted \
                     beside the answer"},
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

    fn hidden_parameters(&self, features: AgentFeatures) -> Vec<&'static str> {
        let offered = [("computed", features.compute), ("cited", features.texts)];
        offered.into_iter().filter(|(_, is_offered)| !is_offered).map(|(name, _)| name).collect()
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
        let remarks = AnswerRemarks::of(arguments);
        if let Some(wrong) = remarks.unknown_name(context) {
            return Observation::bad_call(wrong);
        }
        match (remarks.absence, arguments.text("query")) {
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

/// What a call says of the answer beside its query and form. Texts are on one line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerRemarks {
    /// What the graph lacks.
    pub absence: Option<String>,
    /// What is uncertain.
    pub unsure: Option<String>,
    /// The name of the computation that is the answer.
    pub computed: Option<String>,
    /// The names of the passages that say something of the answer.
    pub cited: Vec<String>,
}

impl AnswerRemarks {
    /// The remarks in a call.
    pub fn of(arguments: &Arguments) -> Self {
        let (absence, unsure) = (stated(arguments, "not_in_graph"), stated(arguments, "unsure"));
        let mut cited = arguments.list("cited");
        cited.retain(|name| !is_left_out(name));
        Self { absence, unsure, computed: stated(arguments, "computed"), cited }
    }

    /// What is wrong if a name stands for nothing.
    fn unknown_name(&self, context: &ToolContext<'_>) -> Option<String> {
        let workspace = context.workspace;
        let computed = self.computed.as_ref().filter(|name| workspace.computation(name).is_none());
        if let Some(name) = computed {
            return Some(not_kept(name, "computed", "compute", &workspace.computation_names()));
        }
        let cited = self.cited.iter().find(|name| workspace.passage(name).is_none())?;
        Some(not_kept(cited, "cited", "search_text", &workspace.passage_names()))
    }
}

fn not_kept(name: &str, key: &str, tool: &str, names: &[String]) -> String {
    let known = match names {
        [] => "there is none".to_owned(),
        names => format!("there are {}", names.join(", ")),
    };
    let name = quoted(name, MAX_REASON_CHARS);
    format!("There is no {name} for '{key}': {known}. Leave it out, or call `{tool}` first.")
}

fn stated(arguments: &Arguments, key: &str) -> Option<String> {
    let reason = arguments.optional(key)?;
    (!is_left_out(reason)).then(|| one_line(reason, MAX_REASON_CHARS))
}

fn is_left_out(text: &str) -> bool {
    LEFT_OUT.iter().any(|word| text.eq_ignore_ascii_case(word))
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

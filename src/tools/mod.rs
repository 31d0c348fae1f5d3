//! The exploration tools: what a model can do with a dataset besides talking.
//!
//! One file per tool with its name, JSON schema, call and observation text. [`TOOLS`] is the only list:
//! prompts, request bodies and documentation are made from it. Tools know the dataset (index and endpoint)
//! and nothing of the agent that calls them.
//!
//! A tool never fails: failures are observations, with a kind for the controller and a text for the model. So a look-up
//! at a server that fails costs what it would have found, not the question. Tests of names and schemas: `tests`; of
//! servers that fail: `tests/wikibase_api.rs`. How another tool is added: docs/extending.md.

mod answer;
mod arguments;
mod diagnosis;
mod execute_sparql;
mod get_entry;
mod get_property_examples;
mod observation;
mod partial;
mod preflight;
mod search_class;
mod search_entity;
mod search_property;
mod state_form;
mod statements;
mod ties;

pub use answer::{ANSWER, absence, reading, unsure};
pub use arguments::{Arguments, SearchWords};
pub use diagnosis::explain_empty;
pub use execute_sparql::{QueryNotes, TriedQuery, run_query, try_query};
pub(crate) use get_entry::short_entry;
pub use observation::{Observation, ObservationKind, OpenPoint};
pub(crate) use preflight::doubts;

use crate::dataset::Dataset;
use crate::helps::Helps;
use crate::llm::ToolSpec;
use async_trait::async_trait;
use std::time::Duration;

/// What a tool may use.
pub struct ToolContext<'a> {
    /// The dataset that is asked.
    pub dataset: &'a Dataset,
    /// Time left for this call.
    pub timeout: Duration,
    /// Which helps are on.
    pub helps: Helps,
    /// Characters of the observation; a longer one is cut.
    pub max_chars: usize,
}

/// Something that a model can call.
#[async_trait]
pub trait Tool: Send + Sync {
    /// The name by which models call it.
    fn name(&self) -> &'static str;

    /// When and how to use it, for models.
    fn description(&self) -> &'static str;

    /// JSON Schema of the arguments object.
    fn parameters(&self) -> serde_json::Value;

    /// Whether models see it with these helps.
    fn is_shown(&self, _helps: Helps) -> bool {
        true
    }

    /// Whether a call states the form of the answer.
    fn states_form(&self) -> bool {
        false
    }

    /// Whether a call runs its argument `query`: equal queries are then the same call.
    fn runs_query(&self) -> bool {
        false
    }

    /// Whether a call states the answer, and so ends the run.
    fn ends_run(&self) -> bool {
        false
    }

    /// Does it. Failures are observations too: the model must be able to act on them.
    async fn call(&self, arguments: &Arguments, context: &ToolContext<'_>) -> Observation;
}

/// Every tool, in the order in which models see them.
pub const TOOLS: &[&dyn Tool] = &[
    &state_form::StateForm,
    &search_entity::SearchEntity,
    &search_class::SearchClass,
    &search_property::SearchProperty,
    &get_entry::GetEntry,
    &get_property_examples::GetPropertyExamples,
    &execute_sparql::ExecuteSparql,
    &answer::AnswerTool,
];

/// The tool with this name.
pub fn find(name: &str) -> Option<&'static dyn Tool> {
    TOOLS.iter().copied().find(|tool| tool.name() == name)
}

/// What models are told of a tool.
pub fn spec(tool: &dyn Tool) -> ToolSpec {
    ToolSpec { name: tool.name(), description: tool.description(), parameters: tool.parameters() }
}

/// What models are told of the tools that these helps leave.
pub fn specs(helps: Helps) -> Vec<ToolSpec> {
    TOOLS.iter().copied().filter(|tool| tool.is_shown(helps)).map(spec).collect()
}

/// The names of all tools, for messages.
pub fn names() -> String {
    TOOLS.iter().map(|tool| tool.name()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;

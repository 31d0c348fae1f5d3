//! The exploration tools: what a model can do with a dataset.
//!
//! One file per tool with its name, JSON schema, call and observation text. [`TOOLS`] is the only list:
//! prompts, request bodies and documentation are generated from it. Tools know the dataset (index and endpoint)
//! and nothing about the agent that calls them.
//!
//! A tool never fails: failures are observations, with a kind for the controller and a text for the model. A failed look-up
//! at a server thus costs only its results, not the question. Tests of names and schemas: `tests`; of
//! failing servers: `tests/wikibase_api.rs`. How to add a tool: docs/extending.md.

mod answer;
mod arguments;
mod compute;
mod definitions;
mod diagnosis;
mod entry_text;
mod execute_sparql;
mod get_entry;
mod get_property_examples;
mod names;
mod observation;
mod partial;
mod preflight;
mod query_memory;
mod remember;
mod search_class;
mod search_entity;
mod search_in;
mod search_property;
mod search_text;
mod state_form;
mod statements;
mod strict;
mod ties;
mod topic;
mod workspace;

pub use answer::{ANSWER, AnswerRemarks, reading};
pub use arguments::{Arguments, SearchWords};
pub use diagnosis::explain_empty;
pub use execute_sparql::{QueryNotes, TriedQuery, run_query, try_query};
pub(crate) use get_entry::short_entry;
pub use observation::{Observation, ObservationKind, OpenPoint};
pub(crate) use preflight::doubts;
pub use workspace::{Brought, Computation, KeptResult, RememberedTriples, Workspace};

use crate::agent_features::AgentFeatures;
use crate::llm::ToolSpec;
use async_trait::async_trait;
use eruca_dataset::Dataset;
use serde_json::json;
use std::time::Duration;

/// The context of a tool call.
pub struct ToolContext<'a> {
    /// The dataset to query.
    pub dataset: &'a Dataset,
    /// Time limit for this call.
    pub timeout: Duration,
    /// The features that are switched on.
    pub features: AgentFeatures,
    /// Maximum length of the observation in characters; a longer one is cut.
    pub max_chars: usize,
    /// Results of earlier calls of the same run.
    pub workspace: &'a Workspace,
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

    /// Whether models are offered the tool with these features.
    fn is_shown(&self, _helps: AgentFeatures) -> bool {
        true
    }

    /// Arguments that models are not told of with these features.
    fn hidden_parameters(&self, _features: AgentFeatures) -> Vec<&'static str> {
        Vec::new()
    }

    /// Whether a small model is offered the tool.
    fn is_basic(&self) -> bool {
        true
    }

    /// Whether a call states the form of the answer.
    fn states_form(&self) -> bool {
        false
    }

    /// Whether a call runs its argument `query`: calls with equal queries are then equal.
    fn runs_query(&self) -> bool {
        false
    }

    /// Whether a call runs triple patterns that the caller wrote, so that it needs the right to send queries.
    fn runs_patterns(&self) -> bool {
        false
    }

    /// Whether a call states the answer and thereby ends the run.
    fn ends_run(&self) -> bool {
        false
    }

    /// Whether a call asks a dataset, so that it can name one of several.
    fn asks_dataset(&self) -> bool {
        true
    }

    /// Whether it needs results of earlier calls, so that it is of use within a run alone.
    fn needs_workspace(&self) -> bool {
        false
    }

    /// Whether the same call may have another outcome later in the run, as it depends on calls between.
    fn varies(&self) -> bool {
        false
    }

    /// Executes a call. Failures are observations too: the model must be able to react to them.
    async fn call(&self, arguments: &Arguments, context: &ToolContext<'_>) -> Observation;
}

/// Every tool, in the order shown to models.
pub const TOOLS: &[&dyn Tool] = &[
    &state_form::StateForm,
    &search_entity::SearchEntity,
    &search_class::SearchClass,
    &search_property::SearchProperty,
    &get_entry::GetEntry,
    &get_property_examples::GetPropertyExamples,
    &search_in::SearchIn,
    &search_text::SearchText,
    &execute_sparql::ExecuteSparql,
    &compute::Compute,
    &remember::Remember,
    &query_memory::QueryMemory,
    &answer::AnswerTool,
];

/// The tool with this name, or the one that a model means with a name that is nearly one.
pub fn find(name: &str) -> Option<&'static dyn Tool> {
    TOOLS.iter().copied().find(|tool| tool.name() == name).or_else(|| names::nearest(name))
}

/// The same, if the tool is not left out.
pub fn find_kept(name: &str, features: AgentFeatures) -> Option<&'static dyn Tool> {
    find(name).filter(|tool| !is_left_out(*tool, features))
}

/// The names of the tools that can be left out: all but those that end a run.
pub fn optional_names() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().filter(|tool| !tool.ends_run()).map(|tool| tool.name())
}

/// The same features without a tool; `None` if no tool that can be left out has this name.
pub fn without(features: AgentFeatures, name: &str) -> Option<AgentFeatures> {
    let at = TOOLS.iter().position(|tool| tool.name() == name && !tool.ends_run())?;
    Some(AgentFeatures { left_out_tools: features.left_out_tools | bit(at), ..features })
}

/// Whether a tool was left out.
fn is_left_out(tool: &dyn Tool, features: AgentFeatures) -> bool {
    let at = TOOLS.iter().position(|other| other.name() == tool.name());
    at.is_some_and(|at| features.left_out_tools & bit(at) != 0)
}

/// The bit of the tool at a place of [`TOOLS`].
fn bit(at: usize) -> u32 {
    u32::try_from(at).map_or(0, |at| 1_u32.checked_shl(at).unwrap_or_default())
}

/// The description of a tool that is sent to models.
pub fn spec(tool: &dyn Tool) -> ToolSpec {
    let (name, description, parameters) = (tool.name(), tool.description(), tool.parameters());
    ToolSpec { name, description, parameters, strict: false }
}

/// The descriptions of the tools available with these features. `datasets` are the ids of the datasets that a call can ask, if
/// there are several, the first of them without being named.
pub fn specs(features: AgentFeatures, datasets: &[String]) -> Vec<ToolSpec> {
    let shown = offered(features).map(|tool| {
        let mut spec = spec(tool);
        if let Some(known) = spec.parameters.get_mut("properties").and_then(serde_json::Value::as_object_mut)
        {
            for name in tool.hidden_parameters(features) {
                known.shift_remove(name);
            }
            if let Some(home) = datasets.first().filter(|_| tool.asks_dataset()) {
                let told = format!("the dataset to ask; without it {home}");
                known.insert(
                    "dataset".to_owned(),
                    json!({"type": "string", "enum": datasets, "description": told}),
                );
            }
        }
        spec
    });
    shown.map(|spec| if features.is_for_small_model() { strict::strict(spec) } else { spec }).collect()
}

/// The tools that a model is offered.
fn offered(features: AgentFeatures) -> impl Iterator<Item = &'static dyn Tool> {
    let fits = move |tool: &&dyn Tool| !features.is_for_small_model() || tool.is_basic();
    let shown = move |tool: &&dyn Tool| tool.is_shown(features) && !is_left_out(*tool, features);
    TOOLS.iter().copied().filter(shown).filter(fits)
}

/// The names of the tools available with these features, for messages.
pub fn names(features: AgentFeatures) -> String {
    offered(features).map(Tool::name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;

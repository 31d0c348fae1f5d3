//! What differs between the runs of one command: a help or a tool that is left out, or the way of asking.

use crate::agent_features::AgentFeatures;
use crate::cli::CliError;
use crate::cli::text::one_line;
use crate::service::{Baseline, leave_out, optional_tools};
use clap::ValueEnum;

/// The words for all switches, and for all tools.
const HELPS: &str = "helps";
const TOOLS: &str = "tools";
/// The name of the run in which nothing is left out.
const WHOLE: &str = "whole";
/// Longest wrong name in a message, in characters.
const NAME_CHARS: usize = 60;

/// Ways of asking a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BaselineName {
    /// The question alone; answers in words are linked to the graph
    Model,
    /// The description of the graph and the question, once; the reply is a query
    Card,
    /// What a search finds for the question, once; answers in words
    Passages,
    /// The agent, as for any question
    Agent,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Variant {
    /// Its name, and that of its folder.
    pub(super) name: String,
    /// What the agent does for the model.
    pub(super) features: AgentFeatures,
    /// The way of asking, unless it is the agent.
    pub(super) baseline: Option<Baseline>,
}

/// The runs of a command, the whole one first where it is compared with others.
pub(super) fn variants(
    without: &[String],
    baselines: &[BaselineName],
    features: AgentFeatures,
) -> Result<Vec<Variant>, CliError> {
    let agent = |name: &str, features| Variant { name: name.to_owned(), features, baseline: None };
    let mut variants = Vec::new();
    if baselines.is_empty() || baselines.contains(&BaselineName::Agent) || !without.is_empty() {
        variants.push(agent(WHOLE, features));
    }
    for name in without.iter().flat_map(|name| spelled_out(name)) {
        let left = leave_out(features, name).ok_or_else(|| unknown(name))?;
        variants.push(agent(&format!("without-{name}"), left));
    }
    variants.extend(baselines.iter().filter_map(|name| {
        let (name, baseline) = match name {
            BaselineName::Model => ("model", Baseline::Model),
            BaselineName::Card => ("card", Baseline::Card),
            BaselineName::Passages => ("passages", Baseline::Passages),
            BaselineName::Agent => return None,
        };
        Some(Variant { baseline: Some(baseline), ..agent(name, features) })
    }));
    variants.dedup_by(|a, b| a.name == b.name);
    Ok(variants)
}

/// A name, or all names that a word stands for.
fn spelled_out(name: &str) -> Vec<&str> {
    match name {
        HELPS => AgentFeatures::switches().collect(),
        TOOLS => optional_tools().collect(),
        name => vec![name],
    }
}

fn unknown(name: &str) -> CliError {
    let all: Vec<&str> = AgentFeatures::switches().chain(optional_tools()).collect();
    CliError::Selection(format!(
        "nothing that can be left out is called '{}'; there are {HELPS}, {TOOLS}, {}",
        one_line(name, NAME_CHARS),
        all.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(without: &[&str], baselines: &[BaselineName]) -> Result<Vec<Variant>, String> {
        let without: Vec<String> = without.iter().map(|name| (*name).to_owned()).collect();
        variants(&without, baselines, AgentFeatures::default()).map_err(|error| error.to_string())
    }

    fn names(without: &[&str], baselines: &[BaselineName]) -> Vec<String> {
        named(without, baselines).unwrap().into_iter().map(|variant| variant.name).collect()
    }

    #[test]
    fn the_whole_is_compared_with_what_is_left_out() {
        assert_eq!(names(&[], &[]), ["whole"]);
        assert_eq!(
            names(&["drafts", "search_entity"], &[]),
            ["whole", "without-drafts", "without-search_entity"]
        );
        assert_eq!(names(&[], &[BaselineName::Card]), ["card"]);
        assert_eq!(names(&[], &[BaselineName::Model, BaselineName::Agent]), ["whole", "model"]);
        let all = named(&["helps", "tools"], &[]).unwrap();
        let switches = AgentFeatures::switches().count();
        assert_eq!(all.len(), 1 + switches + optional_tools().count());
        assert!(all.iter().skip(1).all(|variant| variant.features != AgentFeatures::default()));
    }

    #[test]
    fn a_wrong_name_is_refused_with_the_right_ones() {
        let error = named(&["answer"], &[]).unwrap_err();
        assert!(
            error.contains("'answer'") && error.contains("drafts") && error.contains("search_entity"),
            "{error}"
        );
    }
}

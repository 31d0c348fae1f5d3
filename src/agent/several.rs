//! Several graphs at once: which of them a call asks, and what the model is told of them. Uses the card and the grounding.

use super::card_text::{focused, head, summary, whole};
use super::driver::AgentTask;
use crate::grounding::Grounding;
use crate::tools::Arguments;
use eruca_dataset::{Dataset, quoted_name};
use std::sync::Arc;

const SEVERAL: &str = include_str!("prompts/several.md");
/// Name of the argument by which a call names its dataset.
pub(super) const DATASET: &str = "dataset";
/// Prefixes listed that mean something else at home.
const MAX_PREFIXES: usize = 20;

/// A dataset beside the home that a question may be about.
pub struct OtherGraph {
    /// All datasets as one, with this one as the home.
    pub dataset: Arc<Dataset>,
    /// What the words of the question may refer to in it.
    pub grounding: Grounding,
}

impl OtherGraph {
    /// The id of the dataset.
    pub fn id(&self) -> &str {
        &home(&self.dataset).id
    }
}

/// The dataset that a call names; `None` for the home.
///
/// # Errors
/// A sentence for the model if it names none of them.
pub(super) fn named<'a>(
    task: &AgentTask<'a>,
    arguments: &Arguments,
) -> Result<Option<&'a OtherGraph>, String> {
    let Some(name) = arguments.optional(DATASET).filter(|_| !task.others.is_empty()) else { return Ok(None) };
    let is_home = |name: &str| home(task.dataset).answers_to(name);
    match task.others.iter().find(|other| home(&other.dataset).answers_to(name)) {
        Some(other) => Ok(Some(other)),
        None if is_home(name) || name == task.dataset.id => Ok(None),
        None => Err(format!(
            "there is no dataset {} here; `{DATASET}` is one of {}",
            quoted_name(name),
            ids(task).iter().map(|id| quoted_name(id)).collect::<Vec<_>>().join(", ")
        )),
    }
}

/// The ids of the datasets, the home first; none for a single one.
pub(super) fn ids(task: &AgentTask<'_>) -> Vec<String> {
    task.dataset.members().iter().map(|(_, member)| member.id.clone()).collect()
}

/// The first of several datasets, or the only one.
fn home(dataset: &Dataset) -> &Dataset {
    dataset.members().first().map_or(dataset, |(_, home)| home)
}

/// What the graphs are, each with what the words of the question may mean in it.
pub(super) fn graphs(task: &AgentTask<'_>) -> String {
    let others = task.others.iter().map(|other| &other.grounding);
    let groundings = std::iter::once(task.grounding).chain(others);
    let budget = task.budget.card_tokens / (task.others.len() + 1);
    let graphs = task.dataset.members().iter().zip(groundings).map(|((service, member), grounding)| {
        let card = whole(member, budget).filter(|_| task.features.dataset_card);
        let details = card.is_none();
        let mut text = format!("Graph {}, SERVICE <{service}>: ", quoted_name(&member.id));
        text.push_str(&match card {
            Some(card) => card,
            None if task.features.dataset_card => {
                format!("{}{}", summary(member), focused(member, grounding, budget / 2))
            }
            None => head(member),
        });
        text.push_str(&other_prefixes(task.dataset, member));
        if task.features.grounding {
            let found = grounding.text(member, details);
            text.push_str(&format!("What the words of the question may mean in it:\n{found}\n"));
        }
        text.trim_end().to_owned()
    });
    let graphs: Vec<String> = graphs.collect();
    let home = quoted_name(&home(task.dataset).id);
    let told = SEVERAL.trim().replace("{count}", &graphs.len().to_string()).replace("{home}", &home);
    format!("{told}\n\n{}", graphs.join("\n\n"))
}

/// The prefixes that mean something else in a query to the home.
fn other_prefixes(home: &Dataset, member: &Dataset) -> String {
    let others = member.index.card.prefixes.shown_pairs();
    let others = others.filter(|(name, iri)| home.prefixes().get(name) != Some(*iri)).take(MAX_PREFIXES);
    let names: Vec<String> = others.map(|(name, iri)| format!("{name}: (here <{iri}>)")).collect();
    match names.as_slice() {
        [] => String::new(),
        names => format!(
            "In queries with SERVICE these prefixes mean something else; declare them under another name: {}\n",
            names.join(", ")
        ),
    }
}

//! Grounding: what the words of a question may mean in the graph, found without a model and shown in the first prompt.
//!
//! The linker of the planner package searches the index. This module adds what needs more than that: names looked up at a
//! server (`live`, for the `spans` that are worth it), names that many things have (`crowded`), classes and properties by their meaning (`terms`), and the text for a
//! model (`text`). Depends on the dataset only.

mod crowded;
mod live;
mod spans;
mod terms;
mod text;

pub use terms::GroundedTerm;

use eruca_dataset::Dataset;
use eruca_indexer::SchemaKind;
use eruca_planner::question::{ParsedQuestion, Span};
use eruca_planner::{Mention, Named, unknown_names};
use std::time::{Duration, Instant};

/// What the words of a question may mean.
#[derive(Debug, Clone, Default)]
pub struct Grounding {
    /// What the words name, in all readings, including what was found outside the index.
    pub named: Named,
    /// Classes, best first.
    pub classes: Vec<GroundedTerm>,
    /// Properties, best first.
    pub properties: Vec<GroundedTerm>,
    /// What could not be looked up, in sentences.
    pub notes: Vec<String>,
    /// Names that match nothing in the graph.
    unknown: Vec<UnknownName>,
}

/// A name in the question that matches nothing in the graph.
#[derive(Debug, Clone)]
struct UnknownName {
    span: Span,
    text: String,
}

/// Extends what the linker found in the index.
pub async fn ground(dataset: &Dataset, question: &ParsedQuestion, named: Named) -> Grounding {
    let mut grounding = Grounding { named, ..Grounding::default() };
    let asked = live::look_up(dataset, question, &mut grounding).await;
    crowded::search_within(dataset, question, &mut grounding.named).await;
    let mut unknown = unknown_names(&dataset.index, question, &grounding.named);
    // A name that was not looked up at the server may exist there.
    unknown.retain(|name| dataset.live().is_none() || asked.contains(name));
    let told = |span: Span| UnknownName { span, text: question.text_of(span).to_owned() };
    grounding.unknown = unknown.into_iter().map(told).collect();
    let meaning = terms::meaning(dataset, question).await;
    let told =
        async |kind| terms::told(dataset, question, &grounding.named, (kind, meaning.as_deref())).await;
    (grounding.classes, grounding.properties) =
        (told(SchemaKind::Class).await, told(SchemaKind::Property).await);
    grounding
}

impl Grounding {
    /// Spans that name entities or values rather than classes and properties.
    pub fn names(&self) -> impl Iterator<Item = &Mention> {
        self.named.names()
    }

    /// The IRIs of the entities that have a name of the question, and no other thing has it.
    pub fn named_entities(&self) -> Vec<String> {
        let exact = self.names().filter(|mention| mention.is_same_name());
        let only = exact.filter_map(|mention| match mention.entities.as_slice() {
            [hit] => Some(hit.record.iri.clone()),
            _ => None,
        });
        only.collect()
    }

    /// The entity that the question names unambiguously: by a unique name, or by a value that only this entity has. Parts of
    /// names that match nothing do not count.
    pub async fn thing(
        &self,
        dataset: &Dataset,
        question: &ParsedQuestion,
        time: Duration,
    ) -> Option<String> {
        let until = Instant::now() + time;
        for mention in self.named.sure_names(question) {
            let left = until.saturating_duration_since(Instant::now());
            let thing = match (mention.only_thing(), mention.only_value()) {
                _ if self.is_look_alike(mention) => None,
                (Some(iri), _) => Some(iri.to_owned()),
                (None, Some(value)) => dataset.owner_of(value, left).await,
                (None, None) => None,
            };
            if thing.is_some() {
                return thing;
            }
        }
        None
    }

    /// Whether a span is only a part of a name that matches nothing.
    fn is_look_alike(&self, mention: &Mention) -> bool {
        self.unknown.iter().any(|name| name.span.contains(mention.span))
    }
}

#[cfg(test)]
mod tests;

//! Completion within a query that is being written: what can really stand at the cursor, given the triple patterns around it.
//!
//! Somebody is typing, so that an answer is worth nothing after a moment: what takes longer, or fails outside, completes nothing.

use super::BrowseError;
use crate::service::Service;
use crate::service::index::confirm_index;
use eruca_api::{Completion, Completions, HitKind};
use eruca_dataset::{Dataset, MAX_NAME_CHARS, PatternHit, PatternPlace, TermCompletions};
use eruca_language::text::humanize;
use eruca_sparql::{NamedNode, Term, local_name, one_line};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Time for all queries of a completion.
const TIME: Duration = Duration::from_millis(1_200);
/// Time for the whole of it, with what is looked up beside the queries.
const WHOLE_TIME: Duration = Duration::from_millis(1_500);
/// Maximum number of completions.
const MAX_LIMIT: usize = 50;
/// Nobody picks a longer literal from a list.
const MAX_LITERAL_CHARS: usize = 200;

/// A query that is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfinishedQuery {
    /// The dataset's id or one of its aliases.
    pub dataset: String,
    /// The query.
    pub query: String,
    /// The number of characters before the cursor.
    pub at: usize,
    /// Maximum number of completions.
    pub limit: usize,
    /// The language of the reader.
    pub lang: Option<String>,
}

impl Service {
    /// What can stand at the cursor of a query.
    ///
    /// # Errors
    /// If there is no such dataset, its index is damaged, or browsing is overloaded.
    pub async fn complete(self: &Arc<Self>, unfinished: UnfinishedQuery) -> Result<Completions, BrowseError> {
        let UnfinishedQuery { dataset, query, at, limit, lang } = unfinished;
        let dataset = self.looked_at(&dataset, lang.as_deref())?;
        let (asked, limit) = (dataset.clone(), limit.clamp(1, MAX_LIMIT));
        let work = async move { completions(&asked, &query, at, limit).await };
        let found = match timeout(WHOLE_TIME, self.look(work)).await {
            Ok(found) => found?,
            Err(_) => Completions { completions: Vec::new(), counted_among: None },
        };
        confirm_index(&dataset).await?;
        Ok(found)
    }
}

async fn completions(dataset: &Dataset, query: &str, at: usize, limit: usize) -> Completions {
    let found = dataset.complete_term(query, at, limit, TIME).await;
    let found = found.unwrap_or_else(|error| {
        tracing::debug!(%error, "nothing was completed");
        None
    });
    let Some(all) = found else { return Completions { completions: Vec::new(), counted_among: None } };
    let shown = |hit: &PatternHit| completion(dataset, &all, hit);
    let completions = all.found.hits.iter().filter_map(shown).collect();
    Completions { completions, counted_among: all.found.sampled }
}

fn completion(dataset: &Dataset, all: &TermCompletions, hit: &PatternHit) -> Option<Completion> {
    let solutions = hit.solutions;
    match &hit.term {
        Term::NamedNode(node) => {
            // Some endpoints return what is no IRI, and would end the brackets around it.
            let iri = NamedNode::new(node.as_str()).ok()?.into_string();
            let (kind, label) = match all.found.place {
                PatternPlace::Predicate => (HitKind::Property, dataset.schema_name(&iri)),
                PatternPlace::Class => (HitKind::Class, dataset.schema_name(&iri)),
                PatternPlace::Node => (HitKind::Entity, name(dataset, &iri)),
            };
            Some(Completion { term: all.written(&iri), iri: Some(iri), label, kind: Some(kind), solutions })
        }
        Term::Literal(literal) if literal.value().chars().count() <= MAX_LITERAL_CHARS => {
            let label = one_line(literal.value(), MAX_NAME_CHARS);
            Some(Completion { term: literal.to_string(), iri: None, label, kind: None, solutions })
        }
        Term::Literal(_) | Term::BlankNode(_) => None,
    }
}

fn name(dataset: &Dataset, iri: &str) -> String {
    dataset.label(iri).unwrap_or_else(|| one_line(&humanize(local_name(iri)), MAX_NAME_CHARS))
}

//! Questions that follow others: made to stand alone by words and names, and given to a model together with the questions before.

use super::types::ServiceError;
use crate::agent::Earlier;
use crate::dataset::Dataset;
use eruca_planner::follow::{self, Followed, PastThing};
use eruca_planner::question::Question;
use eruca_planner::{LinkError, Mention, is_too_long, mentions};
use eruca_sparql::{Answer, Results, Term};
use std::sync::Arc;

/// Earlier questions that a part of a question may be meant to replace something in.
const MAX_BACK: usize = 3;

/// An earlier question with its result.
#[derive(Debug, Clone, PartialEq)]
pub struct PastQuestion {
    /// The question; of one that followed another, as it was made to stand alone.
    pub question: String,
    /// The query that answered it.
    pub query: Option<String>,
    /// Its first rows.
    pub answer: Option<Arc<Answer>>,
    /// Whether these are all rows.
    pub whole: bool,
}

/// A question that stands alone, where it needs an earlier one for that: the last one, or, where a part of a question
/// replaces nothing in that, one before.
pub(super) fn stand_alone(
    dataset: &Dataset,
    history: &[PastQuestion],
    question: &Question,
) -> Result<Option<Followed>, ServiceError> {
    if is_too_long(question) {
        return Ok(None);
    }
    let back = if follow::is_part(question) { MAX_BACK } else { 1 };
    for last in history.iter().rev().take(back) {
        if let Some(followed) = after(dataset, last, question)? {
            return Ok(Some(followed));
        }
    }
    Ok(None)
}

/// The question behind another one.
fn after(
    dataset: &Dataset,
    last: &PastQuestion,
    question: &Question,
) -> Result<Option<Followed>, ServiceError> {
    let failed = |error: LinkError| ServiceError::Internal(error.to_string());
    let named = |question: &Question| -> Result<Vec<Mention>, ServiceError> {
        mentions(&dataset.index, question).map_err(failed)
    };
    let past = dataset.read(&last.question);
    if is_too_long(&past) {
        return Ok(None);
    }
    let things = last.answer.as_ref().map(|answer| things(dataset, answer)).unwrap_or_default();
    let known = named(&past)?;
    let past = follow::Past { question: &past, mentions: &known, things: &things, whole: last.whole };
    Ok(follow::stand_alone(&dataset.index, &past, question, &named(question)?))
}

/// What a model sees of the earlier questions.
pub(super) fn earlier(history: &[PastQuestion]) -> Vec<Earlier> {
    let told = |past: &PastQuestion| {
        let PastQuestion { question, query, answer, whole: _ } = past.clone();
        Earlier { question, query, answer }
    };
    history.iter().map(told).collect()
}

/// The things in the first column.
fn things(dataset: &Dataset, answer: &Answer) -> Vec<PastThing> {
    let Results::Solutions(solutions) = &answer.results else { return Vec::new() };
    let first = solutions.rows.iter().filter_map(|row| match row.first()? {
        Some(Term::NamedNode(node)) => Some(node.as_str().to_owned()),
        Some(Term::BlankNode(_) | Term::Literal(_)) | None => None,
    });
    first.map(|iri| PastThing { name: dataset.schema_name(&iri), iri }).collect()
}

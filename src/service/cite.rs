//! Passages of the texts beside a graph, as they are quoted with an answer: those that a model cites, or, where the graph
//! has no answer that is to be believed, those with the words of the question.

use super::attempt::Attempt;
use crate::grounding::Grounding;
use crate::trace::{AnsweredBy, StopReason};
use eruca_api::{Citation, Confidence, NamedIri};
use eruca_dataset::Dataset;
use eruca_indexer::texts::{Passage, PassageSource, TextQuery};
use eruca_sparql::local_name;

/// Passages quoted where no model has chosen them.
const MAX_FOUND: usize = 2;
/// Passages from which they are taken where passages are found by meaning, too.
const MAX_LOOKED_AT: usize = 10;
/// Share of the words of a question that a passage has which nobody has chosen.
const MIN_COVERAGE: f32 = 0.7;
/// Things named of a passage.
const MAX_THINGS: usize = 8;

/// The citations of an answer.
pub(super) async fn citations(
    attempt: &Attempt,
    question: &str,
    grounding: &Grounding,
    dataset: &Dataset,
) -> Vec<Citation> {
    let cited = |passage: &Passage| citation(passage, question, dataset);
    match attempt.by {
        AnsweredBy::Agent => attempt.cited.iter().map(|passage| cited(passage)).collect(),
        AnsweredBy::Planner if lacks_answer(attempt) => {
            found(question, grounding, dataset).await.iter().map(cited).collect()
        }
        AnsweredBy::Planner | AnsweredBy::Verified => Vec::new(),
    }
}

/// Whether the planner was asked and has found nothing that is more than a guess.
fn lacks_answer(attempt: &Attempt) -> bool {
    let is_found_otherwise =
        matches!(attempt.stop, StopReason::OnlyNamed | StopReason::AskedForHelp | StopReason::AskedAgain);
    // Words that were left over may be those that a text knows.
    let is_believed = attempt.insight.as_ref().is_some_and(|insight| match insight.confidence {
        Confidence::Sure => true,
        Confidence::Likely => insight.unused.is_empty(),
        Confidence::Guess => false,
    });
    let has_rows = attempt
        .best
        .as_ref()
        .and_then(|best| best.result.as_ref().ok())
        .is_some_and(|answer| !answer.is_empty() && !answer.is_zero_aggregate());
    !(is_found_otherwise || is_believed && has_rows)
}

/// Passages with most words of a question, those about things that it names first. One that is found by meaning alone is not
/// among them, as nobody has read it.
async fn found(question: &str, grounding: &Grounding, dataset: &Dataset) -> Vec<Passage> {
    let about = grounding.named_entities();
    let limit = if dataset.finds_texts_by_meaning() { MAX_LOOKED_AT } else { MAX_FOUND };
    let query = TextQuery { text: question, about: &about, limit, ..TextQuery::default() };
    let found = dataset.find_texts(&query).await;
    let found = found.inspect_err(|error| tracing::warn!(%error, "texts could not be searched"));
    let hits = found.unwrap_or_default().into_iter();
    hits.filter(|hit| hit.coverage >= MIN_COVERAGE).map(|hit| hit.passage).take(MAX_FOUND).collect()
}

/// Passages about a thing; none where there are no texts.
pub(super) async fn passages_about(
    thing: &str,
    limit: usize,
    question: &str,
    dataset: &Dataset,
) -> Vec<Citation> {
    let about = [thing.to_owned()];
    let query = TextQuery { text: question, about: &about, only_about: true, limit, ..TextQuery::default() };
    let found = dataset.find_texts(&query).await;
    let found = found.inspect_err(|error| tracing::warn!(%error, "texts could not be searched"));
    found.unwrap_or_default().iter().map(|hit| citation(&hit.passage, question, dataset)).collect()
}

fn citation(passage: &Passage, question: &str, dataset: &Dataset) -> Citation {
    let named = |iri: &str| NamedIri {
        iri: iri.to_owned(),
        label: dataset.label(iri).unwrap_or_else(|| local_name(iri).to_owned()),
    };
    let (mut title, mut file, mut page, mut subject, mut property) = (None, None, None, None, None);
    match &passage.source {
        PassageSource::Document { file: name, title: given, page: number } => {
            (title, file, page) = (Some(given.clone()), Some(name.clone()), *number);
        }
        PassageSource::Literal { subject: thing, property: link, .. } => {
            (subject, property) = (Some(named(thing)), Some(named(link)));
        }
    }
    Citation {
        name: passage.name(),
        quote: passage.quote(question).to_owned(),
        passage: passage.text.clone(),
        title,
        file,
        page,
        heading: Some(passage.heading.clone()).filter(|heading| !heading.is_empty()),
        subject,
        property,
        things: passage.things.iter().take(MAX_THINGS).map(|iri| named(iri)).collect(),
    }
}

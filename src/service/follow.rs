//! Questions that follow others: made to stand alone by words and names, and given to a model together with the questions before.

use super::types::ServiceError;
use crate::agent::Earlier;
use crate::dataset::Dataset;
use eruca_planner::follow::{self, Again, Followed, PastGroup, PastThing};
use eruca_planner::question::Question;
use eruca_planner::{LinkError, Mention, is_too_long, mentions};
use eruca_sparql::{Answer, Group, GroupScope, Results, Term};
use std::sync::Arc;

/// The columns of what is said of one thing.
const CARD_COLUMNS: [&str; 2] = ["property", "value"];
/// Classes above others that are looked at.
const MAX_ABOVE: usize = 50;
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

/// A question that stands alone.
pub(super) struct StandAlone {
    /// The question.
    pub text: String,
    /// What was taken over from earlier ones, in words.
    pub taken_over: Vec<String>,
    /// The things of an earlier answer that alone it is asked of.
    pub group: Option<Arc<Group>>,
    /// The query of an earlier answer that is wanted again, and how.
    pub again: Option<(String, Again)>,
}

/// A question that stands alone, where it needs an earlier one for that: the last one, or, where a part of a question
/// replaces nothing in that, one before.
pub(super) fn stand_alone(
    dataset: &Dataset,
    history: &[PastQuestion],
    question: &Question,
) -> Result<Option<StandAlone>, ServiceError> {
    if is_too_long(question) {
        return Ok(None);
    }
    if let Some((query, last, how)) = wanted_again(history, question) {
        return Ok(Some(StandAlone {
            text: last.question.clone(),
            taken_over: Vec::new(),
            group: None,
            again: Some((query, how)),
        }));
    }
    let back = if follow::is_part(question) { MAX_BACK } else { 1 };
    for last in history.iter().rev().take(back) {
        if let Some(Followed { text, taken_over, within }) = after(dataset, last, question)? {
            let group = within.and_then(|scope| group(dataset, last, scope)).map(Arc::new);
            return Ok(Some(StandAlone { text, taken_over, group, again: None }));
        }
    }
    Ok(None)
}

/// The last answer, where it is asked for again.
fn wanted_again<'h>(
    history: &'h [PastQuestion],
    question: &Question,
) -> Option<(String, &'h PastQuestion, Again)> {
    let last = history.last()?;
    Some((last.query.clone()?, last, follow::again(question)?))
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
    let things =
        told_of(dataset, last).or_else(|| Some(things(dataset, last.answer.as_deref()?))).unwrap_or_default();
    let known = named(&past)?;
    let group =
        group(dataset, last, GroupScope::Found).and_then(|group| told(dataset, last, &group, question));
    let (mentions, things) = (known.as_slice(), things.as_slice());
    let past = follow::Past { question: &past, mentions, things, whole: last.whole, group: group.as_ref() };
    Ok(follow::stand_alone(&dataset.index, &past, question, &named(question)?))
}

/// The things that an earlier question found, with at least one class.
pub(super) fn group(dataset: &Dataset, last: &PastQuestion, scope: GroupScope) -> Option<Group> {
    let query = dataset.check(last.query.as_deref()?).ok()?;
    let mut group = query.group(scope, &dataset.vocabulary().type_property)?;
    if group.classes.is_empty() {
        let answer = last.answer.as_deref()?;
        group.classes.extend(common_class(dataset, &things(dataset, answer)));
    }
    (!group.classes.is_empty()).then_some(group)
}

/// The class of most of the things, if all have one.
fn common_class(dataset: &Dataset, things: &[PastThing]) -> Option<String> {
    let types = |thing: &PastThing| {
        let entity = dataset.index.entities.get(&thing.iri).ok().flatten();
        with_above(dataset, entity.map(|entity| entity.types).unwrap_or_default())
    };
    let mut things = things.iter();
    let mut common = types(things.next()?);
    for thing in things {
        let own = types(thing);
        common.retain(|class| own.contains(class));
    }
    let size = |class: &String| {
        dataset.index.card.class(class).map_or(u64::MAX, |card| card.instances_with_subclasses)
    };
    common.into_iter().min_by_key(size)
}

/// Classes with those above them.
fn with_above(dataset: &Dataset, direct: Vec<String>) -> Vec<String> {
    let mut found = direct;
    for at in 0..MAX_ABOVE {
        let Some(class) = found.get(at).and_then(|class| dataset.index.card.class(class)) else { break };
        let new: Vec<String> =
            class.superclasses.iter().filter(|above| !found.contains(above)).cloned().collect();
        found.extend(new);
    }
    found
}

/// How the things of an earlier question are called in the language of the next.
fn told(dataset: &Dataset, last: &PastQuestion, group: &Group, question: &Question) -> Option<PastGroup> {
    let past = || dataset.read(&last.question).language;
    let language = if question.language.is_unknown() { past() } else { question.language };
    let one = dataset.spoken_to(language.tag()).schema_name(group.classes.first()?);
    let rows = last.answer.as_ref().filter(|_| last.whole).map(|answer| answer.row_count());
    // A number is one row, whatever it counts.
    let things = last.answer.as_ref().map_or(0, |answer| things(dataset, answer).len());
    let count = rows.filter(|rows| *rows == things && things > 0);
    let many = language.plural(&one).unwrap_or_else(|| one.clone());
    Some(PastGroup { one, many, count })
}

/// The thing that a question only named: its properties and values were the answer.
fn told_of(dataset: &Dataset, last: &PastQuestion) -> Option<Vec<PastThing>> {
    let Results::Solutions(solutions) = &last.answer.as_ref()?.results else { return None };
    let card = solutions.variables.iter().map(String::as_str).eq(CARD_COLUMNS);
    let query = dataset.check(last.query.as_deref().filter(|_| card)?).ok()?;
    let subject = query.patterns().into_iter().next()?.subject;
    let iri = subject.strip_prefix('<')?.strip_suffix('>')?.to_owned();
    Some(vec![PastThing { name: dataset.schema_name(&iri), iri }])
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

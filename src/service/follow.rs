//! Follow-up questions: rewritten to stand alone using words and names, and passed to a model together with the
//! earlier questions.

use super::types::ServiceError;
use crate::agent::Earlier;
use eruca_dataset::Dataset;
use eruca_planner::follow::{self, Again, Followed, PastGroup, PastThing, RestsOn};
use eruca_planner::question::ParsedQuestion;
use eruca_planner::{LinkError, Mention, is_too_long, mentions};
use eruca_sparql::{Answer, Group, GroupScope, NamedNode, Results, Term};
use std::sync::Arc;

/// The columns of an entity card.
const CARD_COLUMNS: [&str; 2] = ["property", "value"];
/// Maximum number of superclasses examined.
const MAX_ABOVE: usize = 50;
/// Answers with at most this probability show nothing that the next question could refer to.
const NOT_UNDERSTOOD: f32 = 0.05;
/// Maximum number of consecutive questions that were not understood and are skipped when looking back.
const MAX_SKIPPED: usize = 3;
/// Maximum number of entities of an earlier question that "other" excludes.
const MAX_KNOWN: usize = 20;
/// Number of earlier questions examined for a part that an elliptical question may replace.
const MAX_BACK: usize = 3;

/// Maximum number of earlier questions kept with a follow-up.
const MAX_FOLLOWED: usize = 5;

/// An earlier question with its result.
#[derive(Debug, Clone, PartialEq)]
pub struct PastQuestion {
    /// The question; for a follow-up, its standalone form.
    pub question: String,
    /// The questions that it follows, oldest first.
    pub follows: Vec<String>,
    /// The query that answered it.
    pub query: Option<String>,
    /// Its first rows.
    pub answer: Option<Arc<Answer>>,
    /// Whether the answer has all rows.
    pub whole: bool,
    /// The probability that the answer is right, if known.
    pub probability: Option<f32>,
}

/// A question rewritten to stand alone.
pub(super) struct StandAlone {
    /// The question.
    pub text: String,
    /// Descriptions of what was taken over from earlier questions.
    pub taken_over: Vec<String>,
    /// The earlier questions it depends on, preceded by those that they follow.
    pub follows: Vec<String>,
    /// The entities that the question is restricted to.
    pub among: Among,
    /// The query of an earlier answer that is requested again, and in which form.
    pub again: Option<(String, Again)>,
    /// The probability of the earlier answer that it relies on.
    pub at_most: Option<f32>,
}

/// The entities that a question is restricted to by earlier ones.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Among {
    /// Only the entities of an earlier answer.
    pub group: Option<Arc<Group>>,
    /// All entities except these, which were named or found before.
    pub but: Vec<NamedNode>,
}

impl Among {
    /// Whether there is no restriction.
    pub fn is_all(&self) -> bool {
        self.group.is_none() && self.but.is_empty()
    }
}

/// Rewrites a question to stand alone if it depends on an earlier one: the last one or, for an elliptical question
/// that replaces nothing in it, one before that.
pub(super) fn stand_alone(
    dataset: &Dataset,
    history: &[PastQuestion],
    question: &ParsedQuestion,
) -> Result<Option<StandAlone>, ServiceError> {
    if is_too_long(question) {
        return Ok(None);
    }
    if let Some((query, last, how)) = wanted_again(history, question) {
        return Ok(Some(StandAlone {
            text: last.question.clone(),
            taken_over: Vec::new(),
            follows: followed([last]),
            among: Among::default(),
            again: Some((query, how)),
            at_most: None,
        }));
    }
    let mut back = if follow::is_part(question) { MAX_BACK } else { 1 };
    let (mut understood, mut skipped) = (true, 0);
    for last in history.iter().rev() {
        if back == 0 || skipped == MAX_SKIPPED {
            break;
        }
        let read = last.probability.is_none_or(|probability| probability > NOT_UNDERSTOOD);
        if let Some(found) =
            after(dataset, last, question)?.filter(|found| stands(found.rests_on, read, understood))
        {
            let Followed { text, taken_over, within, rests_on } = found;
            let group = within.and_then(|scope| group(dataset, last, scope)).map(Arc::new);
            let at_most = last.probability.filter(|_| rests_on == RestsOn::Answer);
            let among = Among { group, but: not_asked_for(dataset, history, question) };
            let left_out = if among.but.is_empty() { &[] } else { recent(history) };
            let follows = followed([last].into_iter().chain(left_out));
            return Ok(Some(StandAlone { text, taken_over, follows, among, again: None, at_most }));
        }
        match read {
            true => back -= 1,
            false => (understood, skipped) = (false, skipped + 1),
        }
    }
    Ok(others(dataset, history, question))
}

/// A standalone question that excludes entities mentioned earlier: "which other lamps are in the hall?".
fn others(dataset: &Dataset, history: &[PastQuestion], question: &ParsedQuestion) -> Option<StandAlone> {
    let among = Among { group: None, but: not_asked_for(dataset, history, question) };
    (!among.is_all()).then(|| StandAlone {
        text: question.text.clone(),
        taken_over: Vec::new(),
        follows: followed(recent(history)),
        among,
        again: None,
        at_most: None,
    })
}

/// Earlier questions for a model if the words alone do not show what the question refers to; most likely the last
/// one.
pub(super) fn left_open(history: &[PastQuestion], question: &ParsedQuestion) -> Vec<String> {
    let open = follow::is_part(question) || follow::dangling(question).is_some();
    followed(history.last().filter(|_| open))
}

/// The given questions preceded by those they follow, without duplicates: the context needed to read a follow-up.
fn followed<'p>(pasts: impl IntoIterator<Item = &'p PastQuestion>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for question in pasts.into_iter().flat_map(|past| past.follows.iter().chain([&past.question])) {
        if !question.is_empty() && !all.contains(question) {
            all.push(question.clone());
        }
    }
    all.split_off(all.len().saturating_sub(MAX_FOLLOWED))
}

/// The latest questions, whose entities may be excluded.
fn recent(history: &[PastQuestion]) -> &[PastQuestion] {
    history.split_at(history.len().saturating_sub(MAX_BACK)).1
}

/// Whether a reference to an earlier question is plausible. For a question that was not understood, only its names
/// and its form can be reused; after such a question, an earlier answer can be referred to, but not the form of its
/// question.
fn stands(rests_on: RestsOn, read: bool, understood: bool) -> bool {
    match rests_on {
        RestsOn::Answer => read,
        RestsOn::Name => true,
        RestsOn::ParsedQuestion => read && understood,
        RestsOn::Part => understood,
    }
}

/// If the question asks for others: the entities named in the latest questions and those found by the last one, up to
/// a limit.
fn not_asked_for(dataset: &Dataset, history: &[PastQuestion], question: &ParsedQuestion) -> Vec<NamedNode> {
    if !follow::wants_others(question) {
        return Vec::new();
    }
    let last = history.last().filter(|last| last.whole).and_then(|last| last.answer.as_deref());
    let found = last.map(|answer| things(dataset, answer)).unwrap_or_default();
    let found = found.into_iter().map(|thing| thing.iri).take(MAX_KNOWN);
    let named = recent(history).iter().flat_map(|past| {
        let named = mentions(&dataset.index, &dataset.read(&past.question)).unwrap_or_default();
        let same = named.into_iter().filter(Mention::is_same_name);
        same.flat_map(|mention| mention.entities).map(|hit| hit.record.iri).take(MAX_KNOWN)
    });
    let mut all: Vec<String> = found.chain(named).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter().filter_map(|iri| NamedNode::new(iri).ok()).collect()
}

/// The last answer, if it is requested again.
fn wanted_again<'h>(
    history: &'h [PastQuestion],
    question: &ParsedQuestion,
) -> Option<(String, &'h PastQuestion, Again)> {
    let last = history.last()?;
    Some((last.query.clone()?, last, follow::again(question)?))
}

/// The question as a follow-up of another one.
fn after(
    dataset: &Dataset,
    last: &PastQuestion,
    question: &ParsedQuestion,
) -> Result<Option<Followed>, ServiceError> {
    let failed = |LinkError(error)| ServiceError::of_names(&error);
    let named = |question: &ParsedQuestion| -> Result<Vec<Mention>, ServiceError> {
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

/// The entities found by an earlier question, with at least one class.
pub(super) fn group(dataset: &Dataset, last: &PastQuestion, scope: GroupScope) -> Option<Group> {
    let query = dataset.check(last.query.as_deref()?).ok()?;
    let mut group = query.group(scope, &dataset.vocabulary().type_property)?;
    if group.classes.is_empty() {
        let answer = last.answer.as_deref()?;
        group.classes.extend(common_class(dataset, &things(dataset, answer)));
    }
    (!group.classes.is_empty()).then_some(group)
}

/// The most frequent class of the entities, if all of them have one.
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

/// Classes together with their superclasses.
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

/// What the entities of an earlier question are called in the language of the next one.
fn told(
    dataset: &Dataset,
    last: &PastQuestion,
    group: &Group,
    question: &ParsedQuestion,
) -> Option<PastGroup> {
    let past = || dataset.read(&last.question).language;
    let language = if question.language.is_unknown() { past() } else { question.language };
    let one = dataset.for_language(language.tag()).schema_name(group.classes.first()?);
    let rows = last.answer.as_ref().filter(|_| last.whole).map(|answer| answer.row_count());
    // A number is a single row, whatever it counts.
    let things = last.answer.as_ref().map_or(0, |answer| things(dataset, answer).len());
    let count = rows.filter(|rows| *rows == things && things > 0);
    let many = language.plural(&one).unwrap_or_else(|| one.clone());
    Some(PastGroup { one, many, count })
}

/// The entity of a question that only named it, where the answer was its properties and values.
fn told_of(dataset: &Dataset, last: &PastQuestion) -> Option<Vec<PastThing>> {
    let Results::Solutions(solutions) = &last.answer.as_ref()?.results else { return None };
    let card = solutions.variables.iter().map(String::as_str).eq(CARD_COLUMNS);
    let query = dataset.check(last.query.as_deref().filter(|_| card)?).ok()?;
    let iri = query.model().atoms.first()?.subject_iri()?.to_owned();
    Some(vec![PastThing { name: dataset.schema_name(&iri), iri }])
}

/// The earlier questions as shown to a model.
pub(super) fn earlier(history: &[PastQuestion]) -> Vec<Earlier> {
    let told = |past: &PastQuestion| {
        let PastQuestion { question, follows: _, query, answer, whole: _, probability: _ } = past.clone();
        Earlier { question, query, answer }
    };
    history.iter().map(told).collect()
}

/// The entities in the first column.
fn things(dataset: &Dataset, answer: &Answer) -> Vec<PastThing> {
    let Results::Solutions(solutions) = &answer.results else { return Vec::new() };
    let first = solutions.rows.iter().filter_map(|row| match row.first()? {
        Some(Term::NamedNode(node)) => Some(node.as_str().to_owned()),
        Some(Term::BlankNode(_) | Term::Literal(_)) | None => None,
    });
    first.map(|iri| PastThing { name: dataset.schema_name(&iri), iri }).collect()
}

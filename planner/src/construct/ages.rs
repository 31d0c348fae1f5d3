//! Ages: years from a date until today ("how old is …", "older than 30").

use crate::chart::Construct;
use crate::compose::ages::{LIFE, holds_years, life_of};
use crate::compose::{measures, times};
use crate::context::Context;
use crate::meaning::{
    Answer, Column, ColumnFunction, Condition, Measure, Op, Operand, Path, Set, Step, turned,
};
use crate::phrase::{Connective, Derived, Pair, Phrase};
use crate::question::Span;
use crate::score::{Feature, Features};
use eruca_language::text::normalize_word;
use eruca_language::{AnswerKind, Cue, fallback};
use std::rc::Rc;

pub(crate) struct Ages;

impl Construct for Ages {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        derived.extend(context.cues(Cue::Old).map(|span| (span, Derived::new(Phrase::Cue(Cue::Old)))));
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        if let (Phrase::Answer(answer), Some(then)) = (&left.phrase, then_of(&right.phrase, connective)) {
            derived.extend(aged(answer).and_then(|(set, birth)| at(context, set, birth, then)));
        }
        let ((Phrase::Cue(Cue::Old), Phrase::Set(set)) | (Phrase::Set(set), Phrase::Cue(Cue::Old))) =
            (&left.phrase, &right.phrase)
        else {
            return;
        };
        if let Some((owner, time)) = owner_of_time(set) {
            for (birth, _) in births(context, owner) {
                derived.extend(at(context, owner, &vec![birth], Then::Own(&time)));
            }
            return;
        }
        derived.extend(lived(context, set));
        for (rank, (step, features)) in births(context, set).into_iter().enumerate() {
            let column = Column {
                path: Vec::new(),
                of: None,
                then: vec![step],
                what: ColumnFunction::Age,
                optional: false,
            };
            let answer =
                Answer::List { of: set.clone(), columns: vec![column], order: Vec::new(), limit: None };
            let mut found = Derived::answer(answer).with(Feature::Cued, 1.0);
            found.features.add_all(&features);
            derived.push(found.with(Feature::UnnamedTimeRank, rank as f32));
        }
    }
}

/// The times from which the age of members may be counted, births first: a person is as old as their birth says, not their
/// contract.
fn births<'k>(context: &Context<'k>, set: &Set<'k>) -> Vec<(Step<'k>, Features)> {
    let mut found = times::time_properties(context, set);
    let life = context.question.language.measure(LIFE).and_then(|life| life.factors.last());
    let old = context.question.grades.iter().flat_map(|grade| grade.grade.reversed.iter());
    // The words "date" and "year" apply to anything.
    let languages = [context.question.language, fallback()];
    let tells = |noun: &String| {
        !languages.iter().any(|language| language.kind_of_noun(noun) == Some(AnswerKind::Time))
    };
    let nouns = life.into_iter().flatten().chain(old).map(|noun| normalize_word(noun));
    let nouns: Vec<String> = nouns.filter(tells).collect();
    let is_birth = |step: &Step<'k>| measures::noun_fit(context, step.property, &nouns) > 0.0;
    let numbers = context.schema.attributes(&set.kind);
    let numbers =
        numbers.iter().filter(|(property, kind)| kind.is_number() && holds_years(context, property));
    let years = numbers.map(|(property, _)| Step { property, forward: true });
    found.extend(years.filter(|step| is_birth(step) || context.names_time(step.property)));
    found.sort_by_key(|step| !is_birth(step));
    let person = context.is_kind(&set.kind, AnswerKind::Person) == Some(true);
    let other = |step: &Step<'k>| f32::from(u8::from(person && !is_birth(step)));
    found.into_iter().map(|step| (step, Features::default().and(Feature::Unnamed, other(&step)))).collect()
}

/// The age reached by somebody known to have died.
fn lived<'k>(context: &Context<'k>, set: &Rc<Set<'k>>) -> Option<Derived<'k>> {
    let (birth, death) = life_of(context, set)?;
    let dead = death.first().is_some_and(|step| context.has(set, *step) == Some(true));
    let answer = Answer::Measured(set.clone(), Measure::Years(birth, death));
    (dead && set.is_one_thing() && set.is_named())
        .then(|| Derived::answer(answer).with(Feature::Cued, 1.0).with(Feature::Cued, 1.0))
}

/// The time at which an age is asked for.
enum Then<'p, 'k> {
    /// A time of the thing itself: "when he died".
    Own(&'p Path<'k>),
    /// The time of something else: "at the time of the fair".
    Of(&'p Rc<Set<'k>>),
    /// The last day of a period: "in 1966".
    Day(&'p Rc<str>),
}

fn then_of<'p, 'k>(phrase: &'p Phrase<'k>, connective: &Connective) -> Option<Then<'p, 'k>> {
    match phrase {
        Phrase::Relation(relation) => Some(Then::Own(&relation.path)),
        Phrase::Bound(bound) => match &bound.against {
            Operand::Period { to, .. } if bound.op == Op::Equal => Some(Then::Day(to)),
            _ => None,
        },
        Phrase::Set(set)
            if connective.role.is_some() || connective.has(Cue::When) || connective.has(Cue::InTime) =>
        {
            Some(Then::Of(set))
        }
        _ => None,
    }
}

/// "At what age did she die?": whose time it is, and the path to it.
fn owner_of_time<'a, 'k>(set: &'a Set<'k>) -> Option<(&'a Rc<Set<'k>>, Path<'k>)> {
    let [Condition::Joined(path, owner)] = set.conditions.as_slice() else { return None };
    (set.is_open() && set.kind.is_time()).then(|| (owner, turned(path)))
}

/// Whose age an answer gives, and the path to the date that it is counted from.
fn aged<'a, 'k>(answer: &'a Answer<'k>) -> Option<(&'a Rc<Set<'k>>, &'a Path<'k>)> {
    let Answer::List { of, columns, .. } = answer else { return None };
    let [Column { path, then, what: ColumnFunction::Age, .. }] = columns.as_slice() else { return None };
    path.is_empty().then_some((of, then))
}

fn at<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    birth: &Path<'k>,
    then: Then<'_, 'k>,
) -> Option<Derived<'k>> {
    let answer = match then {
        Then::Own(path) => {
            let year =
                |last: &Step<'k>| context.names_time(last.property) && holds_years(context, last.property);
            let end = context.schema.follow_path(path, &set.kind);
            let time = end.is_some_and(|kind| kind.is_time() || path.last().is_some_and(year));
            (time && path != birth)
                .then(|| Answer::Measured(set.clone(), Measure::Years(birth.clone(), path.clone())))?
        }
        Then::Day(day) => Answer::Measured(set.clone(), Measure::YearsUntil(birth.clone(), day.clone())),
        Then::Of(other) => {
            let step = times::time_properties(context, other).into_iter().next()?;
            let (from, to) = (Measure::Value(birth.clone()), Measure::Value(vec![step]));
            Answer::Difference { from: (set.clone(), from), to: (other.clone(), to), years: true }
        }
    };
    let found = Derived::answer(answer).with(Feature::Cued, 1.0);
    Some(found.by_all([Cue::When, Cue::InTime, Cue::Relative, Cue::Be, Cue::Do]))
}

#[cfg(test)]
mod tests;

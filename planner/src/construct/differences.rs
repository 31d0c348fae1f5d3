//! Differences and sums of a measure over named things: "how much older is Anna than Bob", "the populations of A and B together".

use crate::chart::Construct;
use crate::compose::bounds;
use crate::compose::measures::measures;
use crate::context::Context;
use crate::meaning::{Answer, Base, Condition, Measure, Operand, Set, turned};
use crate::phrase::{By, Derived, Pair, Phrase};
use crate::question::Span;
use crate::score::Feature;
use eruca_language::{Cue, Degree};
use std::rc::Rc;

pub(super) struct Differences;

const NAME: &str = "told apart";

impl Construct for Differences {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        for span in context.cues(Cue::Difference) {
            derived.push((span, Derived::new(Phrase::Cue(Cue::Difference))));
            // "How much older" is one cue; its adjective gives the measure.
            let grades = context.question.grades.iter().filter(|grade| span.contains(grade.span));
            derived.extend(grades.map(|grade| (span, apart(By::Grade(bounds::graded(grade))))));
        }
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Cue(cue), Phrase::Set(values)) | (Phrase::Set(values), Phrase::Cue(cue @ Cue::Sum)) => {
                derived.extend(of_values(*cue, values));
                derived.extend(how_much(context, *cue, values));
            }
            // "Does Ada earn than Bob", after "how much more".
            (Phrase::Set(values), Phrase::Set(other)) if connective.has(Cue::Than) => {
                derived.extend(told_apart(context, left.span, values, other));
            }
            (Phrase::Cue(Cue::Difference), Phrase::Own(NAME, sets)) => {
                derived.extend(lies_between(context, sets));
            }
            // "The price difference between A and B".
            (Phrase::Relation(relation), Phrase::Cue(Cue::Difference)) if connective.is_empty() => {
                derived.push(apart(By::Relation(relation.path.clone())));
            }
            (Phrase::Cue(Cue::Difference), Phrase::Relation(relation)) => {
                derived.push(apart(By::Relation(relation.path.clone())));
            }
            (Phrase::Cue(Cue::HowMany | Cue::HowMuch | Cue::How), Phrase::Comparative(one)) => {
                derived.push(apart(one.by.clone()));
            }
            (Phrase::Cue(Cue::HowMany | Cue::HowMuch | Cue::How), Phrase::Grade(grade))
                if grade.0.degree == Degree::Comparative =>
            {
                derived.push(apart(By::Grade(grade.clone())));
            }
            (Phrase::Apart(by, None), Phrase::Set(set)) => of_set(context, by, set, derived),
            (Phrase::Apart(by, Some(one)), Phrase::Set(other))
                if connective.has(Cue::Than) || connective.lists() =>
            {
                between(context, by, one, other, derived);
            }
            _ => {}
        }
    }
}

/// A numeric attribute of one thing, and the thing to compare it with.
fn told_apart<'k>(
    context: &Context<'k>,
    at: Span,
    values: &Rc<Set<'k>>,
    other: &Rc<Set<'k>>,
) -> Option<Derived<'k>> {
    let asked = context.cues(Cue::Difference).any(|cue| cue.to <= at.from);
    let things = other.is_one_thing() && other.is_named() && measured(values)?.1.len() == 1;
    let both = Phrase::Own(NAME, Rc::from([values.clone(), other.clone()]));
    (asked && things).then(|| Derived::new(both).by(Cue::Than))
}

/// The difference between a number of one thing and of another.
fn lies_between<'k>(context: &Context<'k>, sets: &[Rc<Set<'k>>]) -> Option<Derived<'k>> {
    let [values, other] = sets else { return None };
    let (measure, things) = measured(values)?;
    let one = things.into_iter().next()?;
    if let Measure::Value(path) = &measure {
        context.schema.follow_path(path, &other.kind)?;
    }
    let years = values.kind.is_time();
    let answer = Answer::Difference { from: (one, measure.clone()), to: (other.clone(), measure), years };
    Some(Derived::answer(answer).with(Feature::Cued, 1.0))
}

fn apart(by: By<'_>) -> Derived<'_> {
    Derived::new(Phrase::Apart(Rc::new(by), None))
}

/// "How much older is Anna …", "the difference in height between A and B".
fn of_set<'k>(context: &Context<'k>, by: &Rc<By<'k>>, set: &Rc<Set<'k>>, derived: &mut Vec<Derived<'k>>) {
    if !set.is_anchored() || set.kind.is_values() {
        return;
    }
    let first = Derived::new(Phrase::Apart(by.clone(), Some(set.clone())));
    derived.push(first.by_all([Cue::Be, Cue::Do, Cue::Have]));
    if let (Base::Things(things), true) = (&set.base, set.is_named())
        && let [one, other] = things.as_slice()
    {
        let single =
            |iri: &Rc<str>| Rc::new(Set { base: Base::Things(vec![iri.clone()]), ..(**set).clone() });
        between(context, by, &single(one), &single(other), derived);
    }
}

/// "… than Bob": the difference between both.
fn between<'k>(
    context: &Context<'k>,
    by: &By<'k>,
    one: &Rc<Set<'k>>,
    other: &Rc<Set<'k>>,
    derived: &mut Vec<Derived<'k>>,
) {
    if !other.is_anchored() {
        return;
    }
    for (measure, _, features) in measures(context, one, by) {
        let its = measures(context, other, by).into_iter().map(|(measure, ..)| measure);
        let Some(its) = its.into_iter().find(|its| *its == measure) else { continue };
        let years = is_time(context, &measure, one);
        let answer = Answer::Difference { from: (one.clone(), measure), to: (other.clone(), its), years };
        let mut found = Derived::answer(answer).with(Feature::Cued, 1.0);
        found.features.add_all(&features);
        derived.push(found.by_all([Cue::Than, Cue::And, Cue::Be, Cue::Do]));
    }
}

fn is_time<'k>(context: &Context<'k>, measure: &Measure<'k>, of: &Set<'k>) -> bool {
    match measure {
        Measure::Value(path) => context.schema.follow_path(path, &of.kind).is_some_and(|kind| kind.is_time()),
        _ => false,
    }
}

/// "By how much is A higher than B": the difference, from a comparison of two named things.
fn how_much<'k>(context: &Context<'k>, cue: Cue, set: &Set<'k>) -> Option<Derived<'k>> {
    let asks = matches!(cue, Cue::HowMany | Cue::HowMuch | Cue::How | Cue::Difference);
    let (Base::Things(_), [Condition::Compare(measure, _, Operand::Thing(other, its))]) =
        (&set.base, set.conditions.as_slice())
    else {
        return None;
    };
    let one = Rc::new(Set { conditions: Vec::new(), ..set.clone() });
    let years = is_time(context, measure, &one);
    let answer =
        Answer::Difference { from: (one, measure.clone()), to: (other.clone(), (**its).clone()), years };
    asks.then(|| Derived::answer(answer).with(Feature::Cued, 1.0))
}

/// "The difference between the heights of A and B", "the populations of A and B together".
fn of_values<'k>(cue: Cue, values: &Set<'k>) -> Option<Derived<'k>> {
    let (measure, things) = measured(values)?;
    let answer = match (cue, things.as_slice()) {
        (Cue::Difference, [one, other]) => Answer::Difference {
            from: (one.clone(), measure.clone()),
            to: (other.clone(), measure),
            years: values.kind.is_time(),
        },
        (Cue::Sum, [_, _, ..]) if values.kind.is_number() => Answer::Sum(things, measure),
        _ => return None,
    };
    Some(Derived::answer(answer).with(Feature::Cued, 1.0))
}

/// "The populations of A and B": the measure, and each of the things.
fn measured<'k>(values: &Set<'k>) -> Option<(Measure<'k>, Vec<Rc<Set<'k>>>)> {
    let [Condition::Joined(path, owners)] = values.conditions.as_slice() else { return None };
    let Base::Things(things) = &owners.base else { return None };
    let one = |iri: &Rc<str>| Rc::new(Set { base: Base::Things(vec![iri.clone()]), ..(**owners).clone() });
    values.kind.is_measurable().then(|| (Measure::Value(turned(path)), things.iter().map(one).collect()))
}

#[cfg(test)]
mod tests;

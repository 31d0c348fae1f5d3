//! Negation: members without something ("stadiums without concerts", "employees that are not managers").

use crate::chart::Construct;
use crate::compose::measures::ways_from;
use crate::context::Context;
use crate::meaning::{Base, Condition, Path, Set};
use crate::phrase::{Made, Pair, Phrase};
use crate::question::Span;
use crate::schema::Kind;
use crate::score::Feature;
use eruca_indexer::language::Cue;
use std::rc::Rc;

pub(super) struct Negation;

impl Construct for Negation {
    fn leaves<'k>(&self, context: &Context<'k>, made: &mut Vec<(Span, Made<'k>)>) {
        made.extend(context.cues(Cue::Not).map(|span| (span, Made::new(Phrase::Cue(Cue::Not)))));
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, made: &mut Vec<Made<'k>>) {
        let Pair { left, gap, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Cue(Cue::Not), Phrase::Set(other)) => made.extend(none_such(other)),
            (Phrase::Cue(Cue::Not), Phrase::Relation(relation))
                if context.has_cue(Cue::Who) && (gap.has(Cue::Have) || has_it(context, left.span)) =>
            {
                made.extend(has_none(context, &relation.path));
            }
            // "Who knows nobody?"
            (Phrase::Relation(relation), Phrase::Cue(Cue::Not)) if relation.verb && gap.is_empty() => {
                made.extend(has_none(context, &relation.path));
            }
            _ => {}
        }
        let Phrase::Set(set) = &left.phrase else { return };
        if !gap.has(Cue::Not) || set.is_named() {
            return;
        }
        match &right.phrase {
            Phrase::Set(other) => {
                not_joined(context, set, other, made);
                not_such(context, set, other, made);
            }
            Phrase::Relation(relation) => without(context, set, &relation.path, made),
            _ => {}
        }
    }
}

/// "Who is not married?": of all that may be.
fn none_such<'k>(other: &Set<'k>) -> Option<Made<'k>> {
    let [condition] = other.conditions.as_slice() else { return None };
    let class = other.kind.classes().first().filter(|_| other.is_open() && other.rank.is_none())?;
    let all = Set::of_class(class).and(Condition::Not(Box::new(condition.clone())));
    Some(Made::set(all).with(Feature::Cued, 1.0))
}

/// Whether "has" stands before "no".
fn has_it(context: &Context<'_>, not: Span) -> bool {
    context.cues(Cue::Have).any(|have| context.question.follows(have, not))
}

/// "Who has no manager?": all that may have one, and have none.
fn has_none<'k>(context: &Context<'k>, path: &Path<'k>) -> Option<Made<'k>> {
    let first = path.first()?;
    let class = *context.schema.start(*first).classes().first()?;
    let kind = context.schema.follow_path(path, &Kind::class(class))?;
    let anything = Set { base: Base::Any, kind, conditions: Vec::new(), rank: None };
    let none = Condition::Not(Box::new(Condition::Joined(path.clone(), Rc::new(anything))));
    Some(Made::set(Set::of_class(class).and(none)).with(Feature::Cued, 1.0).by(Cue::Have))
}

fn negated<'k>(set: &Set<'k>, condition: Condition<'k>) -> Made<'k> {
    let made = Made::set(set.and(Condition::Not(Box::new(condition)))).with(Feature::Cued, 1.0);
    made.by_all([Cue::Not, Cue::Relative, Cue::Have, Cue::Be, Cue::Do, Cue::And])
}

fn not_joined<'k>(context: &Context<'k>, set: &Set<'k>, other: &Rc<Set<'k>>, made: &mut Vec<Made<'k>>) {
    for (path, cost) in ways_from(context, set, &other.kind).into_iter().take(3) {
        let made_set = negated(set, Condition::Joined(path, other.clone()));
        made.push(made_set.with(Feature::Bridge, 1.0).with(Feature::BridgeCost, cost));
    }
}

/// Members that are none of the others, or do not meet their conditions.
fn not_such<'k>(context: &Context<'k>, set: &Set<'k>, other: &Set<'k>, made: &mut Vec<Made<'k>>) {
    if !context.schema.compatible(&set.kind, &other.kind) || other.rank.is_some() {
        return;
    }
    match (&other.base, other.conditions.as_slice()) {
        (Base::Any, [condition]) => made.push(negated(set, condition.clone())),
        (Base::Class(_), []) if set.base != other.base => {
            let none: Path<'k> = Vec::new();
            made.push(negated(set, Condition::Joined(none, Rc::new(other.clone()))));
        }
        (Base::Things(things), []) => {
            let made_set = Made::set(set.and(Condition::Other(things.clone())));
            made.push(made_set.with(Feature::Cued, 1.0).by(Cue::Not).by(Cue::Be).by(Cue::Relative));
        }
        _ => {}
    }
}

/// "Without an email", "that manage nobody": in either direction.
fn without<'k>(context: &Context<'k>, set: &Set<'k>, path: &Path<'k>, made: &mut Vec<Made<'k>>) {
    let turned = crate::meaning::turned(path);
    for (path, feature) in [(path, Feature::Cued), (&turned, Feature::NegatedBackward)] {
        if let Some(kind) = context.schema.follow_path(path, &set.kind)
            && kind != Kind::Unknown
        {
            let anything = Set { base: Base::Any, kind, conditions: Vec::new(), rank: None };
            made.push(negated(set, Condition::Joined(path.clone(), Rc::new(anything))).with(feature, 0.5));
        }
    }
}

#[cfg(test)]
mod tests;

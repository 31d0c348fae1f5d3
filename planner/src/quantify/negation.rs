//! Negation: members without something ("stadiums without concerts", "employees that are not managers").

use super::{contrast, having};
use crate::chart::Construct;
use crate::compose::measures::ways_from;
use crate::compose::truths;
use crate::construct::Relations;
use crate::context::Context;
use crate::meaning::{Base, Condition, Path, Set, turned};
use crate::phrase::{Connective, Derived, Item, Pair, Phrase, Relation};
use crate::question::Span;
use crate::schema::Kind;
use crate::score::Feature;
use eruca_language::{Cue, Role};
use std::rc::Rc;

pub(super) struct Negation;

/// A verb with "nothing" as its object.
const NOTHING: &str = "nothing of";
/// A verb with "no" and a set as its object.
const NOT_DONE: &str = "not done";

impl Construct for Negation {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        derived.extend(context.cues(Cue::Not).map(|span| (span, Derived::new(Phrase::Cue(Cue::Not)))));
    }

    /// "Who plays in no film?": all possible subjects except those.
    fn raise<'k>(&self, _: &Context<'k>, item: &Item<'k>, derived: &mut Vec<Derived<'k>>) {
        if let Phrase::Own(NOT_DONE, sets) = &item.phrase {
            derived.extend(sets.iter().filter_map(|set| none_such(set)));
        }
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Cue(Cue::Not), Phrase::Set(other)) => derived.extend(none_such(other)),
            (Phrase::Cue(Cue::Not), Phrase::Relation(relation)) if !relation.verb => {
                derived.extend(have_none(context, &relation.path, right.span));
                derived.extend(nobodys(context, &relation.path, left.span, connective));
            }
            // "Wer wird von niemandem bewundert?"
            (Phrase::Cue(Cue::Not), Phrase::Relation(relation))
                if connective.is_empty() && ends(context, right.span) && is_doer(context, left.span) =>
            {
                derived.extend(all_without(context, &done(context, relation, true)));
            }
            (_, Phrase::Cue(Cue::Not)) if ends(context, right.span) && connective.cues.is_empty() => {
                derived.extend(nothing(context, left, connective));
            }
            (Phrase::Set(set), Phrase::Set(none)) if set.is_bare_class() && is_helped(connective) => {
                derived.extend(of_these(context, set, none));
            }
            (Phrase::Relation(_), Phrase::Set(_)) if connective.has(Cue::Not) => {
                derived.extend(not_done(context, left, connective, right));
            }
            (Phrase::Set(set), Phrase::Own(NOT_DONE, others))
                if !connective.has(Cue::Not) && !set.is_named() =>
            {
                others.iter().for_each(|other| not_such(context, set, other, derived));
            }
            (Phrase::Set(set), Phrase::Own(NOTHING, others)) => {
                for other in others.iter() {
                    not_joined(context, set, other, derived);
                }
            }
            _ => {}
        }
        let Phrase::Set(set) = &left.phrase else { return };
        if !connective.has(Cue::Not) || set.is_named() {
            return;
        }
        match &right.phrase {
            Phrase::Set(other) if !contrast::is_deed(context, left, connective, other) => {
                let had = having::had_of(context, set, other).filter(|_| connective.has(Cue::Have));
                derived.extend(had.map(|condition| negated(set, condition).with(Feature::Had, 1.0)));
                not_joined(context, set, other, derived);
                not_such(context, set, other, derived);
            }
            Phrase::Relation(relation) => without(context, set, relation, connective, derived),
            _ => {}
        }
    }
}

/// "Who is not married?": all possible subjects except those.
fn none_such<'k>(other: &Set<'k>) -> Option<Derived<'k>> {
    let [condition] = other.conditions.as_slice() else { return None };
    let class = other.kind.classes().first().filter(|_| other.is_open() && other.rank.is_none())?;
    let all = Set::of_class(class).and(Condition::Not(Box::new(condition.clone())));
    Some(Derived::set(all).with(Feature::Cued, 1.0))
}

fn negated<'k>(set: &Set<'k>, condition: Condition<'k>) -> Derived<'k> {
    let derived = Derived::set(set.and(Condition::Not(Box::new(condition)))).with(Feature::Cued, 1.0);
    derived.by_all([Cue::Not, Cue::Relative, Cue::Have, Cue::Be, Cue::Do, Cue::And])
}

fn not_joined<'k>(context: &Context<'k>, set: &Set<'k>, other: &Rc<Set<'k>>, derived: &mut Vec<Derived<'k>>) {
    for (path, cost) in ways_from(context, set, &other.kind).into_iter().take(3) {
        let derived_set = negated(set, Condition::Joined(path, other.clone()));
        derived.push(derived_set.with(Feature::Bridge, 1.0).with(Feature::BridgeCost, cost));
    }
}

/// Members that are not in the other set, or do not meet its conditions.
fn not_such<'k>(context: &Context<'k>, set: &Set<'k>, other: &Set<'k>, derived: &mut Vec<Derived<'k>>) {
    if !context.schema.compatible(&set.kind, &other.kind) || other.rank.is_some() {
        return;
    }
    match (&other.base, other.conditions.as_slice()) {
        (Base::Any, [condition]) => derived.push(negated(set, condition.clone())),
        (Base::Class(_), []) if set.base != other.base => {
            let none: Path<'k> = Vec::new();
            derived.push(negated(set, Condition::Joined(none, Rc::new(other.clone()))));
        }
        (Base::Things(things), []) => {
            let derived_set = Derived::set(set.and(Condition::Other(things.clone())));
            derived.push(derived_set.with(Feature::Cued, 1.0).by(Cue::Not).by(Cue::Be).by(Cue::Relative));
        }
        _ => {}
    }
}

/// "Without an email", "that manage nobody": tries both directions and prefers that of the words. Who "has no manager" is without
/// one; who "is not a manager" is nobody's manager.
fn without<'k>(
    context: &Context<'k>,
    set: &Set<'k>,
    relation: &Relation<'k>,
    connective: &Connective,
    derived: &mut Vec<Derived<'k>>,
) {
    let path = &relation.path;
    let back = turned(path);
    let called_by_doer = path.last().is_some_and(|last| context.names_agent(last.property));
    let is = connective.has(Cue::Be) && !connective.has(Cue::Have);
    // The connective gives the direction.
    let told = if connective.has(Cue::Be) || connective.has(Cue::Have) { 1.0 } else { 0.5 };
    let turns = if relation.verb { called_by_doer && !is } else { is };
    for (path, straight) in [(path, !turns), (&back, turns)] {
        let feature = if straight { Feature::Cued } else { Feature::NegatedBackward };
        if let Some(kind) = context.schema.follow_path(path, &set.kind)
            && kind != Kind::Unknown
        {
            derived.push(negated(set, truths::had(context, path, kind)).with(feature, told));
        }
    }
}

/// All possible subjects of a path that have no value for it.
fn all_without<'k>(context: &Context<'k>, path: &Path<'k>) -> Option<Derived<'k>> {
    let (first, last) = path.first().zip(path.last())?;
    let start = context.schema.start(*first);
    let class = *start.classes().first()?;
    let none = truths::had(context, path, context.schema.end(*last));
    let all = Set::of_class(class).and(Condition::Not(Box::new(none)));
    Some(Derived::set(all).with(Feature::Cued, 1.0))
}

/// "Who has no manager?": all without one.
fn have_none<'k>(context: &Context<'k>, path: &Path<'k>, span: Span) -> Option<Derived<'k>> {
    // Somebody who has a "supplier of" is the one supplied.
    let owned = path.last().is_some_and(|last| context.names_owner_behind(last.property));
    let path = if owned { &turned(path) } else { path };
    let derived = all_without(context, path).filter(|_| truths::is_had(context, span))?;
    Some(derived.with(Feature::Had, 1.0).by_all([Cue::Have, Cue::Do, Cue::Not]))
}

/// "Played in no film", "played in neither A nor B": combined as if without the negation.
fn not_done<'k>(
    context: &Context<'k>,
    left: &Item<'k>,
    connective: &Connective,
    right: &Item<'k>,
) -> Vec<Derived<'k>> {
    let mut derived = Vec::new();
    Relations.combine(context, Pair { left, connective: &connective.without(Cue::Not), right }, &mut derived);
    let wrapped = |one: Derived<'k>| {
        let Phrase::Set(done) = &one.phrase else { return None };
        let done = Phrase::Own(NOT_DONE, Rc::from([done.clone()]));
        Some(Derived { phrase: done, ..one }.by(Cue::Not))
    };
    derived.into_iter().filter_map(wrapped).collect()
}

/// "Who is nobody's boss?", "wer ist kein Chef?": all possible objects that are not the object for anyone.
fn nobodys<'k>(
    context: &Context<'k>,
    path: &Path<'k>,
    not: Span,
    connective: &Connective,
) -> Option<Derived<'k>> {
    let is = context.has_cue(Cue::Who) && context.cues(Cue::Be).any(|is| context.question.follows(is, not));
    let derived = all_without(context, &turned(path))
        .filter(|_| is && (connective.possessive || connective.is_empty()))?;
    Some(derived.by_all([Cue::Be, Cue::Not]))
}

/// The path from agent to patient, or its reverse for a passive: backward along a property named after its agent ("manager") or
/// by a passive ("trained by").
fn done<'k>(context: &Context<'k>, relation: &Relation<'k>, passive: bool) -> Path<'k> {
    let last = relation.path.last();
    let by_doer = last.is_some_and(|last| context.names_agent(last.property));
    let passively = last.is_some_and(|last| context.names_passively(last.property));
    match by_doer ^ passively ^ passive {
        true => turned(&relation.path),
        false => relation.path.clone(),
    }
}

/// Whether a word is the agent: it follows "by".
fn is_doer(context: &Context<'_>, span: Span) -> bool {
    span.from.checked_sub(1).is_some_and(|at| context.question.role_at(at) == Some(Role::By))
}

/// Whether there are only auxiliary verbs between two phrases.
fn is_helped(connective: &Connective) -> bool {
    connective.cues.iter().all(|(cue, _)| matches!(cue, Cue::Have | Cue::Do | Cue::Be | Cue::Relative))
        && connective.role.is_none()
}

/// "Customers that bought nothing": the members among those that did not.
fn of_these<'k>(context: &Context<'k>, set: &Set<'k>, none: &Set<'k>) -> Option<Derived<'k>> {
    let ([condition @ Condition::Not(_)], Base::Class(_)) = (none.conditions.as_slice(), &none.base) else {
        return None;
    };
    context.schema.meet(&set.kind, &none.kind)?;
    let derived = Derived::set(set.and(condition.clone()));
    Some(derived.by_all([Cue::Have, Cue::Do, Cue::Be, Cue::Relative]))
}

/// Whether a span ends its sentence: "who knows nobody".
fn ends(context: &Context<'_>, span: Span) -> bool {
    usize::from(span.to) == context.question.len() || context.question.begins_sentence(span.to)
}

/// "Who knows nobody?", "customers that bought nothing".
fn nothing<'k>(context: &Context<'k>, left: &Item<'k>, connective: &Connective) -> Option<Derived<'k>> {
    match &left.phrase {
        Phrase::Relation(relation) => {
            // The preposition may be part of the name: "trained by".
            let within = left.span.len() > 1 && is_doer(context, Span { from: left.span.to, ..left.span });
            all_without(context, &done(context, relation, within || connective.role == Some(Role::By)))
        }
        Phrase::Set(set) if set.is_bare_class() && context.has_verb(left.span) => {
            Some(Derived::new(Phrase::Own(NOTHING, Rc::from([set.clone()]))))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;

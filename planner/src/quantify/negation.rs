//! Negation: members without something ("stadiums without concerts", "employees that are not managers").

use super::{contrast, having};
use crate::chart::Construct;
use crate::compose::measures::ways_from;
use crate::compose::truths;
use crate::construct::Relations;
use crate::context::Context;
use crate::meaning::{Base, Condition, Path, Set, turned};
use crate::phrase::{Gap, Item, Made, Pair, Phrase, Relation};
use crate::question::Span;
use crate::schema::Kind;
use crate::score::Feature;
use eruca_language::{Cue, Role};
use std::rc::Rc;

pub(super) struct Negation;

/// What somebody does to nothing.
const NOTHING: &str = "nothing of";
/// What somebody does to none of a set.
const NOT_DONE: &str = "not done";

impl Construct for Negation {
    fn leaves<'k>(&self, context: &Context<'k>, made: &mut Vec<(Span, Made<'k>)>) {
        made.extend(context.cues(Cue::Not).map(|span| (span, Made::new(Phrase::Cue(Cue::Not)))));
    }

    /// "Who plays in no film?": of all that may.
    fn raise<'k>(&self, _: &Context<'k>, item: &Item<'k>, made: &mut Vec<Made<'k>>) {
        if let Phrase::Own(NOT_DONE, sets) = &item.phrase {
            made.extend(sets.iter().filter_map(|set| none_such(set)));
        }
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, made: &mut Vec<Made<'k>>) {
        let Pair { left, gap, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Cue(Cue::Not), Phrase::Set(other)) => made.extend(none_such(other)),
            (Phrase::Cue(Cue::Not), Phrase::Relation(relation)) if !relation.verb => {
                made.extend(have_none(context, &relation.path, right.span));
                made.extend(nobodys(context, &relation.path, left.span, gap));
            }
            // "Wer wird von niemandem bewundert?"
            (Phrase::Cue(Cue::Not), Phrase::Relation(relation))
                if gap.is_empty() && ends(context, right.span) && is_doer(context, left.span) =>
            {
                made.extend(all_without(context, &done(context, relation, true)));
            }
            (_, Phrase::Cue(Cue::Not)) if ends(context, right.span) && gap.cues.is_empty() => {
                made.extend(nothing(context, left, gap));
            }
            (Phrase::Set(set), Phrase::Set(none)) if set.is_bare_class() && is_helped(gap) => {
                made.extend(of_these(context, set, none));
            }
            (Phrase::Relation(_), Phrase::Set(_)) if gap.has(Cue::Not) => {
                made.extend(not_done(context, left, gap, right));
            }
            (Phrase::Set(set), Phrase::Own(NOT_DONE, others)) if !gap.has(Cue::Not) && !set.is_named() => {
                others.iter().for_each(|other| not_such(context, set, other, made));
            }
            (Phrase::Set(set), Phrase::Own(NOTHING, others)) => {
                for other in others.iter() {
                    not_joined(context, set, other, made);
                }
            }
            _ => {}
        }
        let Phrase::Set(set) = &left.phrase else { return };
        if !gap.has(Cue::Not) || set.is_named() {
            return;
        }
        match &right.phrase {
            Phrase::Set(other) if !contrast::is_deed(context, left, gap, other) => {
                let had = having::had_of(context, set, other).filter(|_| gap.has(Cue::Have));
                made.extend(had.map(|condition| negated(set, condition).with(Feature::Had, 1.0)));
                not_joined(context, set, other, made);
                not_such(context, set, other, made);
            }
            Phrase::Relation(relation) => without(context, set, relation, gap, made),
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

/// "Without an email", "that manage nobody": in either direction, rather in the one that the words have. Who "has no manager" is
/// without one; who "is not a manager" is nobody's.
fn without<'k>(
    context: &Context<'k>,
    set: &Set<'k>,
    relation: &Relation<'k>,
    gap: &Gap,
    made: &mut Vec<Made<'k>>,
) {
    let path = &relation.path;
    let back = turned(path);
    let called_by_doer = path.last().is_some_and(|last| context.names_agent(last.property));
    let is = gap.has(Cue::Be) && !gap.has(Cue::Have);
    // What stands between them tells the direction.
    let told = if gap.has(Cue::Be) || gap.has(Cue::Have) { 1.0 } else { 0.5 };
    let turns = if relation.verb { called_by_doer && !is } else { is };
    for (path, straight) in [(path, !turns), (&back, turns)] {
        let feature = if straight { Feature::Cued } else { Feature::NegatedBackward };
        if let Some(kind) = context.schema.follow_path(path, &set.kind)
            && kind != Kind::Unknown
        {
            made.push(negated(set, truths::had(context, path, kind)).with(feature, told));
        }
    }
}

/// All that a way may start from and that it leads nowhere from.
fn all_without<'k>(context: &Context<'k>, path: &Path<'k>) -> Option<Made<'k>> {
    let (first, last) = path.first().zip(path.last())?;
    let start = context.schema.start(*first);
    let class = *start.classes().first()?;
    let none = truths::had(context, path, context.schema.end(*last));
    let all = Set::of_class(class).and(Condition::Not(Box::new(none)));
    Some(Made::set(all).with(Feature::Cued, 1.0))
}

/// "Who has no manager?": all without one.
fn have_none<'k>(context: &Context<'k>, path: &Path<'k>, span: Span) -> Option<Made<'k>> {
    // Who has a "supplier of" is supplied.
    let owned = path.last().is_some_and(|last| context.names_owner_behind(last.property));
    let path = if owned { &turned(path) } else { path };
    let made = all_without(context, path).filter(|_| truths::is_had(context, span))?;
    Some(made.with(Feature::Had, 1.0).by_all([Cue::Have, Cue::Do, Cue::Not]))
}

/// "Played in no film", "played in neither A nor B": with what would be done without the negation.
fn not_done<'k>(context: &Context<'k>, left: &Item<'k>, gap: &Gap, right: &Item<'k>) -> Vec<Made<'k>> {
    let mut made = Vec::new();
    Relations.combine(context, Pair { left, gap: &gap.without(Cue::Not), right }, &mut made);
    let wrapped = |one: Made<'k>| {
        let Phrase::Set(done) = &one.phrase else { return None };
        let done = Phrase::Own(NOT_DONE, Rc::from([done.clone()]));
        Some(Made { phrase: done, ..one }.by(Cue::Not))
    };
    made.into_iter().filter_map(wrapped).collect()
}

/// "Who is nobody's boss?", "wer ist kein Chef?": all that may be one, and are nobody's.
fn nobodys<'k>(context: &Context<'k>, path: &Path<'k>, not: Span, gap: &Gap) -> Option<Made<'k>> {
    let is = context.has_cue(Cue::Who) && context.cues(Cue::Be).any(|is| context.question.follows(is, not));
    let made = all_without(context, &turned(path)).filter(|_| is && (gap.possessive || gap.is_empty()))?;
    Some(made.by_all([Cue::Be, Cue::Not]))
}

/// The way from who does something to what it is done to, or back where it is done to who is meant: against a property that is
/// called by who does it ("manager") or by what was done by whom ("trained by").
fn done<'k>(context: &Context<'k>, relation: &Relation<'k>, passive: bool) -> Path<'k> {
    let last = relation.path.last();
    let by_doer = last.is_some_and(|last| context.names_agent(last.property));
    let passively = last.is_some_and(|last| context.names_passively(last.property));
    match by_doer ^ passively ^ passive {
        true => turned(&relation.path),
        false => relation.path.clone(),
    }
}

/// Whether a word stands for who does it: behind "by".
fn is_doer(context: &Context<'_>, span: Span) -> bool {
    span.from.checked_sub(1).is_some_and(|at| context.question.role_at(at) == Some(Role::By))
}

/// Whether nothing but helping verbs stands between two phrases.
fn is_helped(gap: &Gap) -> bool {
    gap.cues.iter().all(|(cue, _)| matches!(cue, Cue::Have | Cue::Do | Cue::Be | Cue::Relative))
        && gap.role.is_none()
}

/// "Customers that bought nothing": all that did not, of these.
fn of_these<'k>(context: &Context<'k>, set: &Set<'k>, none: &Set<'k>) -> Option<Made<'k>> {
    let ([condition @ Condition::Not(_)], Base::Class(_)) = (none.conditions.as_slice(), &none.base) else {
        return None;
    };
    context.schema.meet(&set.kind, &none.kind)?;
    let made = Made::set(set.and(condition.clone()));
    Some(made.by_all([Cue::Have, Cue::Do, Cue::Be, Cue::Relative]))
}

/// Whether nothing that says something stands behind a word in its sentence: "who knows nobody".
fn ends(context: &Context<'_>, span: Span) -> bool {
    usize::from(span.to) == context.question.len() || context.question.begins_sentence(span.to)
}

/// "Who knows nobody?", "customers that bought nothing".
fn nothing<'k>(context: &Context<'k>, left: &Item<'k>, gap: &Gap) -> Option<Made<'k>> {
    match &left.phrase {
        Phrase::Relation(relation) => {
            // The preposition may be a part of the name: "trained by".
            let within = left.span.len() > 1 && is_doer(context, Span { from: left.span.to, ..left.span });
            all_without(context, &done(context, relation, within || gap.role == Some(Role::By)))
        }
        Phrase::Set(set) if set.is_bare_class() && context.has_verb(left.span) => {
            Some(Made::new(Phrase::Own(NOTHING, Rc::from([set.clone()]))))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;

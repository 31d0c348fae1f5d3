//! Quantifiers: "are all lakes deep", "is no lake deep", "do most lakes have an island"; members joined to only one thing ("who
//! bought only tea"), and to every member of a set ("students who take all courses"). The constructs that would combine the
//! phrases without a quantifier do so here, too.

use super::having::{self, Having};
use super::negation::Negation;
use crate::chart::Construct;
use crate::compose::truths;
use crate::construct::{
    Ages, BoundedNouns, Bounds, Comparisons, Counts, Flags, Joins, Relations, Texts, ThanComparisons, Times,
};
use crate::context::Context;
use crate::meaning::{Answer, Base, Condition, Path, Quantifier, Set};
use crate::phrase::{Connective, Derived, Item, Pair, Phrase};
use crate::question::Span;
use crate::score::{Feature, Features};
use eruca_language::{Cue, Role};
use std::rc::Rc;

pub(super) struct Quantifiers;

/// Names of phrases passed on: a quantified set, and the part of it that meets the statement, once known.
const NAMES: [(&str, Quantifier); 4] = [
    ("all of", Quantifier::All),
    ("not all of", Quantifier::NotAll),
    ("most of", Quantifier::Most),
    ("none of", Quantifier::None),
];

/// Constructs that add a statement about a set.
const SAYING: [&dyn Construct; 13] = [
    &Relations,
    &Joins,
    &Having,
    &Bounds,
    &BoundedNouns,
    &Times,
    &Ages,
    &Comparisons,
    &ThanComparisons,
    &Counts,
    &Flags,
    &Texts,
    &Negation,
];

/// Constructs that join one set to another.
const JOINING: [&dyn Construct; 3] = [&Relations, &Joins, &Having];

impl Construct for Quantifiers {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        derived.extend(context.cues(Cue::All).map(|span| (span, Derived::new(Phrase::Cue(Cue::All)))));
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Cue(cue), Phrase::Set(set)) => {
                derived.extend(quantified(context, *cue, left.span, connective, set));
            }
            (Phrase::Cue(Cue::All), Phrase::Relation(relation)) if connective.cues.is_empty() => {
                derived.extend(having::having_all(context, left.span, relation));
            }
            (Phrase::Cue(Cue::Not), Phrase::Own(name, sets)) if connective.is_empty() => {
                derived.extend(not_all(name, sets).filter(|_| context.question.asks_yes_or_no()));
            }
            (Phrase::Own(name, sets), _) if quantifier(name).is_some() => {
                said(context, (name, sets), left, connective, right, derived);
            }
            (_, Phrase::Own(name, sets)) if quantifier(name) == Some(Quantifier::All) => {
                every(context, sets, left, connective, right, derived);
            }
            (Phrase::Set(_) | Phrase::Relation(_), Phrase::Set(_) | Phrase::Relation(_)) => {
                only(context, left, connective, right, derived);
                lifted(context, left, connective, right, derived);
            }
            _ => {}
        }
    }
}

/// The answer for a quantified set and a statement about it.
pub(crate) fn answered<'k>(
    context: &Context<'k>,
    name: &str,
    sets: &[Rc<Set<'k>>],
) -> Option<(Answer<'k>, Features)> {
    let quantifier = quantifier(name)?;
    let (whole, part) = match sets {
        [whole, part] => (whole, part),
        // "Are there no westerns?"
        [none] if quantifier == Quantifier::None && context.has_cue(Cue::Exists) => (none, none),
        _ => return None,
    };
    let features = Features::default().and(Feature::AskedFits, 1.0).and(Feature::Cued, 1.0);
    Some((Answer::Quantified(quantifier, whole.clone(), part.clone()), features))
}

fn quantifier(name: &str) -> Option<Quantifier> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, quantifier)| *quantifier)
}

fn name_of(quantifier: Quantifier) -> &'static str {
    NAMES.iter().find(|(_, known)| *known == quantifier).map_or("", |(name, _)| name)
}

/// "All rivers", "most of the rivers", "no river".
fn quantified<'k>(
    context: &Context<'k>,
    cue: Cue,
    span: Span,
    connective: &Connective,
    set: &Rc<Set<'k>>,
) -> Option<Derived<'k>> {
    let asks = context.question.asks_yes_or_no();
    let quantifier = match cue {
        Cue::All => Quantifier::All,
        Cue::Each if asks => Quantifier::All,
        Cue::Most if asks => Quantifier::Most,
        Cue::Not if asks && nothing_before(context, span) => Quantifier::None,
        _ => return None,
    };
    let apart = connective.comma
        || connective.role.is_some_and(|role| role != Role::Of)
        || !connective.cues.is_empty();
    let kind = match set.base {
        Base::Class(_) => set.rank.is_none(),
        // "All dramas", where things are classified by a property.
        Base::Any => set.rank.is_none() && is_concept(set),
        _ => false,
    };
    let derived = Derived::new(Phrase::Own(name_of(quantifier), Rc::from([set.clone()])));
    (kind && !apart).then_some(derived)
}

/// Whether a set consists of the things that have one named thing.
fn is_concept(set: &Set<'_>) -> bool {
    matches!(set.conditions.as_slice(), [Condition::Joined(_, end)] if end.is_one_thing() && end.is_named())
}

/// Whether only function words precede a span, so that it is what the question is about.
fn nothing_before(context: &Context<'_>, span: Span) -> bool {
    (0..span.from).all(|at| context.question.is_function_word(at))
}

fn not_all<'k>(name: &str, sets: &Rc<[Rc<Set<'k>>]>) -> Option<Derived<'k>> {
    let all = quantifier(name) == Some(Quantifier::All);
    all.then(|| Derived::new(Phrase::Own(name_of(Quantifier::NotAll), sets.clone())))
}

/// Applies a phrase to a quantified set, as it would apply to the plain set.
fn said<'k>(
    context: &Context<'k>,
    (name, sets): (&'static str, &Rc<[Rc<Set<'k>>]>),
    left: &Item<'k>,
    connective: &Connective,
    right: &Item<'k>,
    derived: &mut Vec<Derived<'k>>,
) {
    if !context.question.asks_yes_or_no() {
        return divided_before(context, sets, left, connective, right, derived);
    }
    let Some((whole, known)) = sets.first().zip(sets.last()) else { return };
    let stand = standing(left, known);
    // "Aucun film n'a de …": the second negation repeats the first one.
    let again = quantifier(name) == Some(Quantifier::None) && connective.has(Cue::Not);
    let connective = &if again { connective.without(Cue::Not) } else { connective.clone() };
    for one in put_together(&SAYING, context, &stand, connective, right) {
        let Phrase::Set(part) = &one.phrase else { continue };
        if says_more(whole, known, part) {
            let phrase = Phrase::Own(name, Rc::from([whole.clone(), part.clone()]));
            let one = Derived { phrase, ..one };
            derived.push(if again { one.by(Cue::Not) } else { one });
        }
    }
}

/// Whether one set is another with additional conditions.
fn says_more<'k>(whole: &Set<'k>, known: &Set<'k>, part: &Set<'k>) -> bool {
    let base = match (&whole.base, &part.base) {
        (Base::Class(a), Base::Class(b)) => a == b,
        (Base::Any, Base::Any) => true,
        _ => false,
    };
    base && part.rank.is_none()
        && part.conditions.len() > known.conditions.len()
        && known.conditions.iter().all(|condition| part.conditions.contains(condition))
}

fn standing<'k>(item: &Item<'k>, set: &Rc<Set<'k>>) -> Item<'k> {
    Item { phrase: Phrase::Set(set.clone()), ..item.clone() }
}

fn put_together<'k>(
    constructs: &[&dyn Construct],
    context: &Context<'k>,
    left: &Item<'k>,
    connective: &Connective,
    right: &Item<'k>,
) -> Vec<Derived<'k>> {
    let mut derived = Vec::new();
    for construct in constructs {
        construct.combine(context, Pair { left, connective, right }, &mut derived);
    }
    derived
}

/// "Take all courses": members joined to every member of a set.
fn every<'k>(
    context: &Context<'k>,
    sets: &Rc<[Rc<Set<'k>>]>,
    left: &Item<'k>,
    connective: &Connective,
    right: &Item<'k>,
    derived: &mut Vec<Derived<'k>>,
) {
    let [set] = &**sets else { return };
    // "The names of all rivers" are the names of each.
    let joined = connective.has(Cue::Have) || connective.has(Cue::Relative) || connective.has(Cue::Do);
    let linked = match &left.phrase {
        Phrase::Relation(relation) => relation.verb || connective.role.is_none(),
        Phrase::Set(one) => {
            one.is_one_thing() || context.has_verb(left.span) || joined || connective.role.is_some()
        }
        _ => false,
    };
    let of = connective.possessive
        || matches!(connective.role, Some(Role::Of | Role::For))
        || connective.has(Cue::Each);
    if linked && !of && is_asked_of(context) && !connective.lists() {
        divided(context, set, (left, &standing(right, set)), connective, derived);
    }
}

/// "Have all courses taken": the verb follows.
fn divided_before<'k>(
    context: &Context<'k>,
    sets: &Rc<[Rc<Set<'k>>]>,
    left: &Item<'k>,
    connective: &Connective,
    right: &Item<'k>,
    derived: &mut Vec<Derived<'k>>,
) {
    let ([set], true) = (&**sets, connective.is_empty() && context.has_verb(right.span)) else { return };
    if is_asked_of(context) {
        divided(context, set, (&standing(left, set), right), connective, derived);
    }
}

/// Whether the question asks for things that meet a condition; a command or "what is" asks for something of each.
fn is_asked_of(context: &Context<'_>) -> bool {
    let begins = |cue: Cue| context.cues(cue).any(|span| span.from <= 1);
    (begins(Cue::Which) || begins(Cue::Who) || begins(Cue::HowMany) || context.question.asks_yes_or_no())
        && !begins(Cue::WhatIs)
}

fn divided<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    (left, right): (&Item<'k>, &Item<'k>),
    connective: &Connective,
    derived: &mut Vec<Derived<'k>>,
) {
    for one in put_together(&JOINING, context, left, connective, right) {
        let changed = match &one.phrase {
            Phrase::Set(found) => changed_last(found, |condition| match condition {
                Condition::Joined(path, to) if to == set && !path.is_empty() => {
                    Some(Condition::Every(path.clone(), to.clone()))
                }
                _ => None,
            }),
            _ => None,
        };
        derived.extend(changed.map(|found| said_as(one, found)));
    }
}

/// A combined phrase, replaced by its quantified set.
fn said_as<'k>(one: Derived<'k>, found: Set<'k>) -> Derived<'k> {
    Derived { phrase: Phrase::Set(Rc::new(found)), ..one }
}

/// A set with its last condition changed.
fn changed_last<'k>(
    set: &Set<'k>,
    change: impl Fn(&Condition<'k>) -> Option<Condition<'k>>,
) -> Option<Set<'k>> {
    let (last, rest) = set.conditions.split_last()?;
    let mut conditions = rest.to_vec();
    conditions.push(change(last)?);
    Some(Set { conditions, ..set.clone() })
}

/// "Bought only tea": joined to this and to nothing else.
fn only<'k>(
    context: &Context<'k>,
    left: &Item<'k>,
    connective: &Connective,
    right: &Item<'k>,
    derived: &mut Vec<Derived<'k>>,
) {
    if !connective.has(Cue::Only) || connective.has(Cue::Not) {
        return;
    }
    let (known, subject): (&[Condition<'k>], _) = match &left.phrase {
        Phrase::Set(set) => (&set.conditions, Some(set)),
        _ => (&[], None),
    };
    for one in put_together(&JOINING, context, left, connective, right) {
        let changed = match &one.phrase {
            Phrase::Set(found) if found.conditions.len() == known.len() + 1 => {
                changed_last(found, |condition| match condition {
                    // What follows "only" is the sole object.
                    Condition::Joined(path, to)
                        if !path.is_empty()
                            && !is_anything(to)
                            && Some(to) != subject
                            && truths::that_holds(context, path).is_none() =>
                    {
                        let (path, to) = named_end(path, to);
                        Some(Condition::Only(path, to))
                    }
                    _ => None,
                })
            }
            _ => None,
        };
        derived.extend(changed.map(|found| said_as(one, found).by(Cue::Only)));
    }
}

/// The path extended to a named thing behind an unnamed node: nothing else may be at its end.
fn named_end<'k>(path: &Path<'k>, to: &Rc<Set<'k>>) -> (Path<'k>, Rc<Set<'k>>) {
    match to.conditions.as_slice() {
        [Condition::Joined(then, end)] if to.is_open() && end.is_named() => {
            (path.iter().chain(then).copied().collect(), end.clone())
        }
        _ => (path.clone(), to.clone()),
    }
}

fn is_anything(set: &Set<'_>) -> bool {
    set.is_open() && set.conditions.is_empty()
}

/// "Customers who bought only tea", where a purchase is a node of its own: nothing else in any of their purchases, not just in
/// one of them.
fn lifted<'k>(
    context: &Context<'k>,
    left: &Item<'k>,
    connective: &Connective,
    right: &Item<'k>,
    derived: &mut Vec<Derived<'k>>,
) {
    let Phrase::Set(other) = &right.phrase else { return };
    let [Condition::Only(..) | Condition::Every(..)] = other.conditions.as_slice() else { return };
    if !matches!(other.base, Base::Class(_)) || !context.has_verb(right.span) || connective.has(Cue::Not) {
        return;
    }
    for one in put_together(&JOINING, context, left, connective, right) {
        let Phrase::Set(found) = &one.phrase else { continue };
        let changed = changed_last(found, |condition| match condition {
            Condition::Joined(path, to) if to == other && !path.is_empty() => {
                let on = |then: &[_]| path.iter().chain(then).copied().collect();
                match to.conditions.as_slice() {
                    [Condition::Only(then, end)] => Some(Condition::Only(on(then), end.clone())),
                    [Condition::Every(then, end)] => Some(Condition::Every(on(then), end.clone())),
                    _ => None,
                }
            }
            _ => None,
        });
        derived.extend(changed.map(|found| said_as(one, found)));
    }
}

#[cfg(test)]
mod tests;

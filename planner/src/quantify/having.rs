//! Possession: "who has children", "students who have an adviser". In "A has B" with a relation called B, A is its subject, and
//! the answer is the subjects rather than the objects.

use crate::chart::Construct;
use crate::compose::truths::{self, is_had, limits};
use crate::context::Context;
use crate::meaning::{Base, Condition, Path, Set, turned};
use crate::phrase::{Connective, Derived, Item, Pair, Phrase, Relation};
use crate::question::Span;
use crate::score::Feature;
use eruca_language::{Cue, Role};
use std::rc::Rc;

pub(super) struct Having;

impl Construct for Having {
    fn raise<'k>(&self, context: &Context<'k>, item: &Item<'k>, derived: &mut Vec<Derived<'k>>) {
        let Phrase::Relation(relation) = &item.phrase else { return };
        if relation.verb || !is_had(context, item.span) || is_denied(context, item.span) {
            return;
        }
        let Some(first) = relation.path.first() else { return };
        if let Some(condition) = having(context, &relation.path) {
            let holders = Set::any(context.schema.start(*first), condition);
            derived.push(Derived::set(holders).with(Feature::Had, 1.0));
        }
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        let Phrase::Set(set) = &left.phrase else { return };
        if let Phrase::Relation(relation) = &right.phrase {
            derived.extend(as_well(context, set, connective, relation));
        }
        if !(connective.has(Cue::Have) || begins_with_having(context, left.span))
            || connective.has(Cue::Not)
            || connective.lists()
            || set.rank.is_some()
        {
            return;
        }
        // "Does Ann have a tutor?", but not "which tutor does Ann have".
        if set.is_named() && !context.question.asks_yes_or_no() {
            return;
        }
        if limits(context, connective.span) || lists_with(context, connective) {
            return;
        }
        let condition = match &right.phrase {
            Phrase::Relation(relation) if !relation.verb => had(context, set, relation),
            Phrase::Set(other) => had_of(context, set, other),
            _ => None,
        };
        derived.extend(condition.map(|condition| {
            let derived = Derived::set(set.and(condition)).with(Feature::Had, 1.0);
            derived.by_all([Cue::Have, Cue::Relative, Cue::Do])
        }));
    }
}

/// "All villages with their population" asks for a list with a column, unless it is a "which" question.
fn lists_with(context: &Context<'_>, connective: &Connective) -> bool {
    let asks = |cue: Cue| context.cues(cue).any(|span| span.from <= 1);
    let asked = [Cue::Which, Cue::Who, Cue::HowMany].into_iter().any(asks);
    connective.role == Some(Role::With) && !asked && !context.question.asks_yes_or_no()
}

/// "Who has a tutor and an adviser?": a second object of "has".
fn as_well<'k>(
    context: &Context<'k>,
    set: &Set<'k>,
    connective: &Connective,
    relation: &Relation<'k>,
) -> Option<Derived<'k>> {
    let anything = |to: &Set<'k>| to.is_open() && to.conditions.is_empty();
    let had_one = matches!(set.conditions.last(), Some(Condition::Joined(path, to)) if !path.is_empty() && anything(to));
    let asks = [Cue::Which, Cue::Who, Cue::HowMany]
        .into_iter()
        .any(|cue| context.cues(cue).any(|span| span.from <= 1));
    let listed = connective.has(Cue::And) && !connective.has(Cue::Not) && !connective.comma;
    if !(listed && had_one && asks && context.has_cue(Cue::Have)) || relation.verb {
        return None;
    }
    let condition = had(context, set, relation)?;
    Some(Derived::set(set.and(condition)).with(Feature::Had, 1.0).by(Cue::And).by(Cue::Both))
}

/// Whether the question begins with "have" before its subject: "Hat Ada …?".
fn begins_with_having(context: &Context<'_>, span: Span) -> bool {
    let question = &context.question;
    let before = |have: Span| have.from == 0 && (have.to..span.from).all(|at| question.is_function_word(at));
    question.asks_yes_or_no() && context.cues(Cue::Have).any(before)
}

/// The condition of having a value for a relation.
fn having<'k>(context: &Context<'k>, path: &Path<'k>) -> Option<Condition<'k>> {
    let kind = context.schema.end(*path.last()?);
    Some(truths::had(context, path, kind))
}

/// "Who has all skills?": those who have every skill that anybody has.
pub(super) fn having_all<'k>(
    context: &Context<'k>,
    all: Span,
    relation: &Relation<'k>,
) -> Option<Derived<'k>> {
    let (first, last) = relation.path.first().zip(relation.path.last())?;
    if relation.verb || !is_had(context, all) || is_denied(context, all) {
        return None;
    }
    let (start, end) = (context.schema.start(*first), context.schema.end(*last));
    let each = match end.classes().first() {
        Some(class) => Set::of_class(class),
        None => {
            let anyone = Set { base: Base::Any, kind: start.clone(), conditions: Vec::new(), rank: None };
            Set::any(end, Condition::Joined(turned(&relation.path), Rc::new(anyone)))
        }
    };
    let holders = Set::any(start, Condition::Every(relation.path.clone(), Rc::new(each)));
    Some(Derived::set(holders).with(Feature::Had, 1.0))
}

fn had<'k>(context: &Context<'k>, set: &Set<'k>, relation: &Relation<'k>) -> Option<Condition<'k>> {
    context.schema.follow_path(&relation.path, &set.kind)?;
    having(context, &relation.path)
}

/// "Have a broader concept": the objects of a relation, in a question about its subjects.
pub(super) fn had_of<'k>(context: &Context<'k>, set: &Set<'k>, other: &Set<'k>) -> Option<Condition<'k>> {
    let [Condition::Joined(path, of)] = other.conditions.as_slice() else { return None };
    let back = !path.is_empty() && path.iter().all(|step| !step.forward);
    let bare = of.is_bare_class() || (of.is_open() && of.conditions.is_empty());
    if !back || !bare || !other.is_open() || other.rank.is_some() {
        return None;
    }
    let path = turned(path);
    context.schema.follow_path(&path, &set.kind)?;
    having(context, &path)
}

/// Whether a negation precedes a span.
fn is_denied(context: &Context<'_>, span: Span) -> bool {
    context.cues(Cue::Not).any(|not| not.to <= span.from)
}

#[cfg(test)]
mod tests;

//! The intersection of two sets.

use crate::context::Context;
use crate::meaning::{Base, Condition, Iri, Measure, Set};

/// The intersection of both sets, if it says more than either.
pub(crate) fn meet<'k>(context: &Context<'k>, one: &Set<'k>, other: &Set<'k>) -> Option<Set<'k>> {
    let kind = context.schema.meet(&one.kind, &other.kind)?;
    if kind.is_values() && values_of(one) != values_of(other) {
        return None;
    }
    let base = match (&one.base, &other.base) {
        (Base::Any, base) | (base, Base::Any) => base.clone(),
        (Base::Things(things), Base::Class(_)) | (Base::Class(_), Base::Things(things)) => {
            Base::Things(things.clone())
        }
        (Base::Class(a), Base::Class(b)) if a != b => {
            Base::Class(if context.schema.index.graph.is_a(a, b) { a } else { b })
        }
        _ => return None,
    };
    let rank = match (&one.rank, &other.rank) {
        (Some(_), Some(_)) => return None,
        (rank, None) | (None, rank) => rank.clone(),
    };
    let mut both = Set { base, kind, conditions: one.conditions.clone(), rank };
    for condition in &other.conditions {
        both = both.and(condition.clone());
    }
    if lacks_a_step(context, &both) {
        return None;
    }
    let says_more = both.conditions.len() > one.conditions.len().max(other.conditions.len());
    (says_more || both.base != one.base || both.base != other.base || both.kind != one.kind).then_some(both)
}

/// Whether the set is of named things none of which has a property that the conditions need, except in a yes/no question.
fn lacks_a_step<'k>(context: &Context<'k>, set: &Set<'k>) -> bool {
    let lacks = |condition: &Condition<'k>| match condition {
        Condition::Joined(path, _) | Condition::Compare(Measure::Value(path), ..) => {
            path.first().is_some_and(|step| context.has(set, *step) == Some(false))
        }
        _ => false,
    };
    !context.question.asks_yes_or_no() && set.conditions.iter().any(lacks)
}

/// The attribute whose values the set contains: equal values of different attributes mean nothing.
fn values_of<'k>(set: &Set<'k>) -> Option<Iri<'k>> {
    set.conditions.iter().find_map(|condition| match condition {
        Condition::Joined(path, _) => path.first().map(|step| step.property),
        _ => None,
    })
}

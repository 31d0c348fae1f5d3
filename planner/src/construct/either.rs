//! Alternatives: members of one set or another, and lists of things that mean any of them.

use crate::chart::Construct;
use crate::context::Context;
use crate::meaning::{Base, Condition, Operand, Set};
use crate::phrase::{Bound, Connective, Derived, Pair, Phrase};
use crate::score::Feature;
use eruca_language::Cue;

pub(super) struct Either;

impl Construct for Either {
    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        if let (Phrase::Set(set), Phrase::Bound(bound)) = (&left.phrase, &right.phrase) {
            derived.extend(two_bounds(set, bound).filter(|_| connective.has(Cue::Or)));
        }
        let (Phrase::Set(one), Phrase::Set(other)) = (&left.phrase, &right.phrase) else { return };
        let or = connective.has(Cue::Or);
        let listed = connective.lists() && is_one_thing(one) && is_one_thing(other);
        if !or && !listed {
            return;
        }
        // "Neither … nor": neither of them.
        if let Some(set) = or.then(|| neither(context, connective, one, other)).flatten() {
            derived.push(Derived::set(set).with(Feature::Cued, 1.0).by(Cue::Or).by(Cue::Not));
            return;
        }
        if let Some(set) = union(context, one, other) {
            let feature = if or { Feature::Cued } else { Feature::Unsaid };
            let both = f32::from(u8::from(!or && context.has_cue(Cue::Both)));
            derived.push(
                Derived::set(set).with(feature, 1.0).with(Feature::Unsaid, both).by(Cue::Or).by(Cue::And),
            );
        }
    }
}

/// "Neither A nor B", after "not A" has been combined: also not B.
fn neither<'k>(
    context: &Context<'k>,
    connective: &Connective,
    one: &Set<'k>,
    other: &Set<'k>,
) -> Option<Set<'k>> {
    let Some(Condition::Not(_)) = one.conditions.last() else { return None };
    let ([condition], true) = (other.conditions.as_slice(), connective.has(Cue::Not) && other.is_open())
    else {
        return None;
    };
    context.schema.meet(&one.kind, &other.kind)?;
    Some(one.and(Condition::Not(Box::new(condition.clone()))))
}

/// "Before 1960 or after 1975": both bounds apply to the same measure.
fn two_bounds<'k>(set: &Set<'k>, bound: &Bound<'k>) -> Option<Derived<'k>> {
    let (last, rest) = set.conditions.split_last().filter(|_| bound.grade.is_none() && set.rank.is_none())?;
    let Condition::Compare(measure, _, against) = last else { return None };
    let alike = matches!(
        (against, &bound.against),
        (Operand::Number(_) | Operand::Range(..), Operand::Number(_) | Operand::Range(..))
            | (Operand::Period { .. }, Operand::Period { .. })
    );
    let other = Condition::Compare(measure.clone(), bound.op, bound.against.clone());
    let mut conditions = rest.to_vec();
    conditions.push(Condition::Either(vec![last.clone(), other]));
    let derived = Derived::set(Set { conditions, ..set.clone() }).with(Feature::Cued, 1.0).by(Cue::Or);
    alike.then_some(derived)
}

/// A named thing, or the owners of a named value.
fn is_one_thing(set: &Set<'_>) -> bool {
    match (&set.base, set.conditions.as_slice()) {
        (Base::Things(_) | Base::Values(_), []) => true,
        (Base::Any, [Condition::Joined(_, of)]) => of.is_named(),
        (Base::Any, [Condition::Either(_)]) => true,
        _ => false,
    }
}

fn union<'k>(context: &Context<'k>, one: &Set<'k>, other: &Set<'k>) -> Option<Set<'k>> {
    if one.rank.is_some() || other.rank.is_some() {
        return None;
    }
    match (&one.base, &other.base, one.conditions.as_slice(), other.conditions.as_slice()) {
        (Base::Things(a), Base::Things(b), [], []) => {
            let both = a.iter().chain(b).cloned().collect();
            let same = context.schema.compatible(&one.kind, &other.kind);
            same.then(|| Set { base: Base::Things(both), ..one.clone() })
        }
        (Base::Any, Base::Any, [a], [b]) => {
            let kind = context.schema.meet(&one.kind, &other.kind)?;
            Some(Set::any(kind, Condition::Either(alternatives(a).chain(alternatives(b)).cloned().collect())))
        }
        (base @ (Base::Class(_) | Base::Any), Base::Any, [rest @ .., a], [b]) => {
            let mut conditions = rest.to_vec();
            conditions.push(Condition::Either(alternatives(a).chain(alternatives(b)).cloned().collect()));
            context.schema.meet(&one.kind, &other.kind)?;
            Some(Set { base: base.clone(), conditions, ..one.clone() })
        }
        _ => None,
    }
}

fn alternatives<'a, 'k>(condition: &'a Condition<'k>) -> std::slice::Iter<'a, Condition<'k>> {
    match condition {
        Condition::Either(all) => all.iter(),
        other => std::slice::from_ref(other).iter(),
    }
}

#[cfg(test)]
mod tests;

//! Alternatives: members of one set or another, and lists of things that stand for any of them.

use super::{Construct, Context};
use crate::chart::{Gap, Item, Made, Phrase};
use crate::meaning::{Base, Condition, Set};
use crate::score::Feature;
use eruca_indexer::language::Cue;

pub(super) struct Either;

impl Construct for Either {
    fn combine<'k>(
        &self,
        context: &Context<'k>,
        left: &Item<'k>,
        gap: &Gap,
        right: &Item<'k>,
        made: &mut Vec<Made<'k>>,
    ) {
        let (Phrase::Set(one), Phrase::Set(other)) = (&left.phrase, &right.phrase) else { return };
        let or = gap.has(Cue::Or);
        let listed = gap.lists() && is_one_thing(one) && is_one_thing(other);
        if !or && !listed {
            return;
        }
        if let Some(set) = union(context, one, other) {
            let feature = if or { Feature::Either } else { Feature::ListAsEither };
            let both = f32::from(u8::from(!or && context.has_cue(Cue::Both)));
            made.push(
                Made::set(set).with(feature, 1.0).with(Feature::EitherForBoth, both).by(Cue::Or).by(Cue::And),
            );
        }
    }
}

/// A named thing, or what has a named value.
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

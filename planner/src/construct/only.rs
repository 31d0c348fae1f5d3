//! What has one thing and no other ("members that sing only Bach").

use super::measures::ways_from;
use super::{Construct, Context};
use crate::chart::{Gap, Item, Made, Phrase};
use crate::meaning::{Base, Condition, Set};
use crate::score::Feature;
use eruca_indexer::language::Cue;
use std::rc::Rc;

/// Ways that are tried.
const MAX_WAYS: usize = 3;

pub(super) struct Only;

impl Construct for Only {
    fn combine<'k>(
        &self,
        context: &Context<'k>,
        left: &Item<'k>,
        gap: &Gap,
        right: &Item<'k>,
        made: &mut Vec<Made<'k>>,
    ) {
        let (Phrase::Set(set), Phrase::Set(only)) = (&left.phrase, &right.phrase) else { return };
        let Base::Things(things) = &only.base else { return };
        if !gap.has(Cue::Only) || !only.conditions.is_empty() || set.is_named() {
            return;
        }
        let other =
            Set { conditions: vec![Condition::Other(things.clone())], base: Base::Any, ..(**only).clone() };
        let other = Rc::new(other);
        for (path, cost) in ways_from(context, set, &only.kind).into_iter().take(MAX_WAYS) {
            let has = Condition::Joined(path.clone(), only.clone());
            let no_other = Condition::Not(Box::new(Condition::Joined(path, other.clone())));
            let made_set = Made::set(set.and(has).and(no_other)).with(Feature::Quantified, 1.0);
            let made_set = made_set.with(Feature::Bridge, 1.0).with(Feature::BridgeCost, cost);
            made.push([Cue::Only, Cue::Relative, Cue::Have, Cue::Do].into_iter().fold(made_set, Made::by));
        }
    }
}

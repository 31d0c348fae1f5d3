//! What has one thing and no other ("members that sing only Bach").

use crate::chart::Construct;
use crate::compose::measures::{either_way, ways_from};
use crate::context::Context;
use crate::meaning::{Base, Condition, Path, Set};
use crate::phrase::{Made, Pair, Phrase};
use crate::score::Feature;
use eruca_indexer::language::Cue;
use std::rc::Rc;

/// Ways that are tried.
const MAX_WAYS: usize = 3;

pub(super) struct Only;

impl Construct for Only {
    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, made: &mut Vec<Made<'k>>) {
        let Pair { left, gap, right } = pair;
        let Phrase::Set(only) = &right.phrase else { return };
        let Base::Things(things) = &only.base else { return };
        if !gap.has(Cue::Only) || !only.conditions.is_empty() {
            return;
        }
        let other =
            Set { conditions: vec![Condition::Other(things.clone())], base: Base::Any, ..(**only).clone() };
        let such = Such { only, other: Rc::new(other) };
        match &left.phrase {
            Phrase::Set(set) if !set.is_named() => {
                for (path, cost) in ways_from(context, set, &only.kind).into_iter().take(MAX_WAYS) {
                    let made_set = such.made(set, path).with(Feature::Bridge, 1.0);
                    made.push(made_set.with(Feature::BridgeCost, cost));
                }
            }
            // "That sing only Bach"
            Phrase::Relation(relation) => {
                for path in either_way(context, &relation.path, only) {
                    let Some(first) = path.first() else { continue };
                    let kind = context.schema.start(*first);
                    let all = Set { base: Base::Any, kind, conditions: Vec::new(), rank: None };
                    made.push(such.made(&all, path));
                }
            }
            _ => {}
        }
    }
}

/// What is the only one, and what is not it.
struct Such<'a, 'k> {
    only: &'a Rc<Set<'k>>,
    other: Rc<Set<'k>>,
}

impl<'k> Such<'_, 'k> {
    /// Members from whom a way leads to the only one, and to no other.
    fn made(&self, of: &Set<'k>, path: Path<'k>) -> Made<'k> {
        let has = Condition::Joined(path.clone(), self.only.clone());
        let no_other = Condition::Not(Box::new(Condition::Joined(path, self.other.clone())));
        let made = Made::set(of.and(has).and(no_other)).with(Feature::Cued, 1.0);
        made.by_all([Cue::Only, Cue::Relative, Cue::Have, Cue::Do])
    }
}

#[cfg(test)]
mod tests;

//! "Both … and …": members joined to two things, through a separate match each.

use crate::chart::Construct;
use crate::compose::measures::ways_from;
use crate::compose::meet::meet;
use crate::context::Context;
use crate::meaning::{Condition, Set, turned};
use crate::phrase::{Connective, Derived, Pair, Phrase};
use crate::score::Feature;
use eruca_language::Cue;
use std::rc::Rc;

pub(super) struct Both;

const NAME: &str = "both";

impl Construct for Both {
    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Set(one), Phrase::Set(other))
                if connective.lists() && one.is_anchored() && other.is_anchored() =>
            {
                derived.push(paired(context, one, other, connective));
            }
            (Phrase::Relation(relation), Phrase::Own(NAME, sets))
            | (Phrase::Own(NAME, sets), Phrase::Relation(relation)) => {
                for path in [relation.path.clone(), turned(&relation.path)] {
                    derived.extend(related(context, &path, sets));
                }
            }
            // "Bought tea and bread", where a purchase is a node of its own: not necessarily in one purchase.
            (Phrase::Set(set), Phrase::Own(NAME, sets))
                if set.is_bare_class() && context.has_verb(left.span) =>
            {
                derived.extend(each(context, set, sets));
            }
            (Phrase::Set(set), Phrase::Own(NAME, sets)) if !connective.has(Cue::Not) => {
                derived.extend(joined(context, set, sets));
            }
            _ => {}
        }
    }
}

fn paired<'k>(
    context: &Context<'k>,
    one: &Rc<Set<'k>>,
    other: &Rc<Set<'k>>,
    connective: &Connective,
) -> Derived<'k> {
    let said = connective.has(Cue::Both) || context.has_cue(Cue::Both);
    let feature = if said { Feature::Cued } else { Feature::Unsaid };
    Derived::new(Phrase::Own(NAME, Rc::from([one.clone(), other.clone()]))).with(feature, 1.0).by(Cue::And)
}

fn related<'k>(
    context: &Context<'k>,
    path: &[crate::meaning::Step<'k>],
    sets: &[Rc<Set<'k>>],
) -> Option<Derived<'k>> {
    let first = sets.first()?;
    let kind = context.schema.follow_path(&turned(path), &first.kind)?;
    let mut found = Set { base: crate::meaning::Base::Any, kind, conditions: Vec::new(), rank: None };
    for set in sets {
        context.schema.follow_path(&turned(path), &set.kind)?;
        found = found.and(Condition::Joined(path.to_vec(), set.clone()));
    }
    let derived = Derived::set(found).with(Feature::Relation, 1.0).with(of_many(context, path), 1.0);
    Some([Cue::Both, Cue::Relative, Cue::Have, Cue::Do, Cue::Be].into_iter().fold(derived, Derived::by))
}

/// Whether a path may lead from one member to several things: a single-valued one cannot have both.
fn of_many<'k>(context: &Context<'k>, path: &[crate::meaning::Step<'k>]) -> Feature {
    if context.may_lead_to_many(path) { Feature::BothOfMany } else { Feature::BothOfOne }
}

/// What is done to several things, through a separate match each.
fn each<'k>(context: &Context<'k>, set: &Set<'k>, sets: &[Rc<Set<'k>>]) -> Option<Derived<'k>> {
    let mut cost = 0.0;
    let mut parts = Vec::new();
    for other in sets {
        let (path, own) = ways_from(context, set, &other.kind).into_iter().next()?;
        cost += own;
        parts.push(Rc::new(set.and(Condition::Joined(path, other.clone()))));
    }
    let derived = Derived::new(Phrase::Own(NAME, parts.into())).with(Feature::Bridge, 1.0);
    let derived = derived.with(Feature::BridgeCost, cost / sets.len().max(1) as f32);
    Some([Cue::Both, Cue::Relative].into_iter().fold(derived, Derived::by))
}

fn joined<'k>(context: &Context<'k>, set: &Set<'k>, sets: &[Rc<Set<'k>>]) -> Option<Derived<'k>> {
    let mut found = set.clone();
    let mut cost = 0.0;
    let mut kind = None;
    for other in sets {
        if let Some(both) = meet(context, &found, other).filter(|_| other.is_open()) {
            found = both;
            continue;
        }
        let (path, own) = ways_from(context, set, &other.kind).into_iter().next()?;
        cost += own;
        kind = kind.or(Some(of_many(context, &path)));
        found = found.and(Condition::Joined(path, other.clone()));
    }
    let derived = Derived::set(found)
        .with(kind.unwrap_or(Feature::BothOfMany), 1.0)
        .with(Feature::Bridge, 1.0)
        .with(Feature::BridgeCost, cost / sets.len().max(1) as f32);
    Some(derived.by_all([Cue::Both, Cue::Relative, Cue::Have, Cue::Do, Cue::Be]))
}

#[cfg(test)]
mod tests;

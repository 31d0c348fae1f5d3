//! Contrast: "customers that ordered tea but not bread", where an order is a node of its own. It means customers who never
//! ordered bread, not an order without bread.

use crate::chart::Construct;
use crate::compose::measures::ways_from;
use crate::context::Context;
use crate::meaning::{Base, Condition, Set};
use crate::phrase::{Connective, Derived, Item, Pair, Phrase};
use crate::score::Feature;
use eruca_language::Cue;
use std::rc::Rc;

pub(super) struct Contrast;

/// What was done, and what was not done.
const NAME: &str = "but not";

impl Construct for Contrast {
    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Set(done), Phrase::Set(other)) if is_deed(context, left, connective, other) => {
                derived.extend(undone(context, done, other));
            }
            (Phrase::Set(set), Phrase::Own(NAME, sets))
                if set.is_bare_class() && !connective.has(Cue::Not) =>
            {
                derived.extend(doers(context, set, sets));
            }
            _ => {}
        }
    }
}

/// Whether a verb stands for nodes of their own and applies to one object but not to the other.
pub(super) fn is_deed<'k>(
    context: &Context<'k>,
    left: &Item<'k>,
    connective: &Connective,
    other: &Set<'k>,
) -> bool {
    let Phrase::Set(done) = &left.phrase else { return false };
    connective.has(Cue::Not)
        && matches!(done.base, Base::Class(_))
        && !done.conditions.is_empty()
        && other.is_named()
        && context.has_verb(left.span)
}

fn undone<'k>(context: &Context<'k>, done: &Rc<Set<'k>>, other: &Rc<Set<'k>>) -> Option<Derived<'k>> {
    let Base::Class(class) = done.base else { return None };
    let (path, cost) = ways_from(context, &Set::of_class(class), &other.kind).into_iter().next()?;
    let undone = Set::of_class(class).and(Condition::Joined(path, other.clone()));
    let derived = Derived::new(Phrase::Own(NAME, Rc::from([done.clone(), Rc::new(undone)])));
    let derived = derived.with(Feature::Cued, 1.0).with(Feature::Bridge, 1.0).with(Feature::BridgeCost, cost);
    Some(derived.by_all([Cue::Not, Cue::Do, Cue::And]))
}

fn doers<'k>(context: &Context<'k>, set: &Set<'k>, sets: &[Rc<Set<'k>>]) -> Option<Derived<'k>> {
    let [done, undone] = sets else { return None };
    let (path, cost) = ways_from(context, set, &done.kind).into_iter().next()?;
    let joined = |other: &Rc<Set<'k>>| Condition::Joined(path.clone(), other.clone());
    let found = set.and(joined(done)).and(Condition::Not(Box::new(joined(undone))));
    let derived = Derived::set(found).with(Feature::Bridge, 1.0).with(Feature::BridgeCost, cost);
    Some(derived.by_all([Cue::Relative, Cue::Have, Cue::Do]))
}

#[cfg(test)]
mod tests;

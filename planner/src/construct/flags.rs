//! Boolean properties: "contagious diseases", "rooms that have a projector", "members that are not active".

use crate::chart::Construct;
use crate::compose::meet;
use crate::compose::truths::truth;
use crate::context::Context;
use crate::meaning::{Base, Condition, Set};
use crate::phrase::{Derived, Item, Pair, Phrase, Relation};
use crate::score::Feature;
use eruca_language::Cue;
use std::rc::Rc;

pub(crate) struct Flags;

impl Construct for Flags {
    fn raise<'k>(&self, context: &Context<'k>, item: &Item<'k>, derived: &mut Vec<Derived<'k>>) {
        let Phrase::Relation(relation) = &item.phrase else { return };
        derived.extend(
            flagged(context, relation, true)
                .map(Derived::set)
                .map(|derived| derived.with(Feature::Cued, 1.0)),
        );
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        let (Phrase::Set(set), Phrase::Relation(relation)) = (&left.phrase, &right.phrase) else { return };
        if !connective.has(Cue::Not) || set.is_named() {
            return;
        }
        let Some(flagged) = flagged(context, relation, false) else { return };
        if let Some(both) = meet::meet(context, set, &flagged) {
            let found = Derived::set(both).with(Feature::Cued, 1.0).with(Feature::Cued, 1.0);
            derived.push(found.by_all([Cue::Not, Cue::Relative, Cue::Have, Cue::Be, Cue::Do]));
        }
    }
}

/// The things for which a property is true or false, given as a boolean or as a text meaning yes or no.
fn flagged<'k>(context: &Context<'k>, relation: &Relation<'k>, holds: bool) -> Option<Set<'k>> {
    let (first, last) = relation.path.first().zip(relation.path.last())?;
    let card = context.schema.property(last.property).filter(|_| last.forward)?;
    let truth = Rc::from(truth(card, holds)?);
    let kind = context.schema.end(*last);
    let values = Set { base: Base::Values(vec![truth]), kind, conditions: Vec::new(), rank: None };
    Some(Set::any(context.schema.start(*first), Condition::Joined(relation.path.clone(), Rc::new(values))))
}

#[cfg(test)]
mod tests;

//! Properties that hold or do not: "contagious diseases", "rooms that have a projector", "members that are not active".

use super::{Construct, Context};
use crate::chart::{Gap, Item, Made, Phrase, Relation};
use crate::meaning::{Base, Condition, Set};
use crate::score::Feature;
use eruca_indexer::Target;
use eruca_indexer::language::Cue;
use std::rc::Rc;

pub(super) struct Flags;

/// The datatype of what holds or does not.
const BOOLEAN: &str = "http://www.w3.org/2001/XMLSchema#boolean";

impl Construct for Flags {
    fn raise<'k>(&self, context: &Context<'k>, item: &Item<'k>, made: &mut Vec<Made<'k>>) {
        let Phrase::Relation(relation) = &item.phrase else { return };
        made.extend(
            flagged(context, relation, true).map(Made::set).map(|made| made.with(Feature::Flag, 1.0)),
        );
    }

    fn combine<'k>(
        &self,
        context: &Context<'k>,
        left: &Item<'k>,
        gap: &Gap,
        right: &Item<'k>,
        made: &mut Vec<Made<'k>>,
    ) {
        let (Phrase::Set(set), Phrase::Relation(relation)) = (&left.phrase, &right.phrase) else { return };
        if !gap.has(Cue::Not) || set.is_named() {
            return;
        }
        let Some(flagged) = flagged(context, relation, false) else { return };
        if let Some(both) = super::joins::meet(context, set, &flagged) {
            let found = Made::set(both).with(Feature::Flag, 1.0).with(Feature::Negated, 1.0);
            made.push(
                [Cue::Not, Cue::Relative, Cue::Have, Cue::Be, Cue::Do].into_iter().fold(found, Made::by),
            );
        }
    }
}

/// What a boolean property is true or false of.
fn flagged<'k>(context: &Context<'k>, relation: &Relation<'k>, holds: bool) -> Option<Set<'k>> {
    let (first, last) = relation.path.first().zip(relation.path.last())?;
    let card = context.schema.property(last.property).filter(|_| last.forward)?;
    let boolean = |target: &Target| matches!(target, Target::Literal(datatype) if datatype == BOOLEAN);
    if card.edges.is_empty() || !card.edges.iter().all(|edge| boolean(&edge.target)) {
        return None;
    }
    let truth = Rc::from(format!("\"{holds}\"^^<{BOOLEAN}>"));
    let kind = context.schema.end(*last);
    let values = Set { base: Base::Values(vec![truth]), kind, conditions: Vec::new(), rank: None };
    Some(Set::any(context.schema.start(*first), Condition::Joined(relation.path.clone(), Rc::new(values))))
}

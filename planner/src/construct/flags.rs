//! Properties that hold or do not: "contagious diseases", "rooms that have a projector", "members that are not active".

use crate::chart::Construct;
use crate::compose::meet;
use crate::context::Context;
use crate::meaning::{Base, Condition, Set};
use crate::phrase::{Item, Made, Pair, Phrase, Relation};
use crate::score::Feature;
use eruca_indexer::language::{Cue, languages};
use eruca_indexer::vocabulary::XSD_STRING;
use eruca_indexer::{Edge, PropertyCard, Target};
use std::rc::Rc;

pub(super) struct Flags;

/// The datatype of what holds or does not.
const BOOLEAN: &str = "http://www.w3.org/2001/XMLSchema#boolean";

impl Construct for Flags {
    fn raise<'k>(&self, context: &Context<'k>, item: &Item<'k>, made: &mut Vec<Made<'k>>) {
        let Phrase::Relation(relation) = &item.phrase else { return };
        made.extend(
            flagged(context, relation, true).map(Made::set).map(|made| made.with(Feature::Cued, 1.0)),
        );
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, made: &mut Vec<Made<'k>>) {
        let Pair { left, gap, right } = pair;
        let (Phrase::Set(set), Phrase::Relation(relation)) = (&left.phrase, &right.phrase) else { return };
        if !gap.has(Cue::Not) || set.is_named() {
            return;
        }
        let Some(flagged) = flagged(context, relation, false) else { return };
        if let Some(both) = meet::meet(context, set, &flagged) {
            let found = Made::set(both).with(Feature::Cued, 1.0).with(Feature::Cued, 1.0);
            made.push(found.by_all([Cue::Not, Cue::Relative, Cue::Have, Cue::Be, Cue::Do]));
        }
    }
}

/// What a property is true or false of: a boolean, or a text that says yes or no.
fn flagged<'k>(context: &Context<'k>, relation: &Relation<'k>, holds: bool) -> Option<Set<'k>> {
    let (first, last) = relation.path.first().zip(relation.path.last())?;
    let card = context.schema.property(last.property).filter(|_| last.forward)?;
    let truth = Rc::from(truth(card, holds)?);
    let kind = context.schema.end(*last);
    let values = Set { base: Base::Values(vec![truth]), kind, conditions: Vec::new(), rank: None };
    Some(Set::any(context.schema.start(*first), Condition::Joined(relation.path.clone(), Rc::new(values))))
}

/// The literal by which a property says that it holds or does not, if it can say nothing else.
fn truth(card: &PropertyCard, holds: bool) -> Option<String> {
    let datatype = |edge: &Edge| match &edge.target {
        Target::Literal(datatype) => Some(datatype.clone()),
        Target::Class(_) | Target::Resource => None,
    };
    let types: Vec<String> = card.edges.iter().map(datatype).collect::<Option<_>>()?;
    if !types.is_empty() && types.iter().all(|known| known == BOOLEAN) {
        return Some(format!("\"{holds}\"^^<{BOOLEAN}>"));
    }
    let texts = || card.edges.iter().flat_map(|edge| &edge.samples);
    let says = |text: &str| languages().find_map(|language| language.truth(text));
    let only = types.iter().all(|known| known == XSD_STRING) && texts().all(|text| says(text).is_some());
    let text = texts().find(|text| says(text) == Some(holds)).filter(|_| only)?;
    Some(crate::render::quoted(text))
}

#[cfg(test)]
mod tests;

//! Counts: "how many", "number of".

use crate::chart::Construct;
use crate::context::Context;
use crate::meaning::{Answer, Base, ColumnFunction, Set};
use crate::phrase::{Derived, Pair, Phrase, Wanted};
use crate::question::Span;
use crate::score::Feature;
use eruca_indexer::SchemaKind;
use eruca_language::Cue;
use std::rc::Rc;

pub(crate) struct Counts;

const CUES: [Cue; 3] = [Cue::HowMany, Cue::HowMuch, Cue::Count];

impl Construct for Counts {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        for cue in CUES {
            let spans = context.cues(cue).filter(|span| !is_in_noun(context, *span));
            derived.extend(spans.map(|span| (span, Derived::new(Phrase::Cue(cue)))));
        }
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, right, .. } = pair;
        let Phrase::Cue(cue) = &left.phrase else { return };
        if !CUES.contains(cue) {
            return;
        }
        match &right.phrase {
            Phrase::Set(set) => counted(context, set, derived),
            // "How much did each customer spend?"
            Phrase::Answer(answer) if *cue != Cue::Count && gives_amounts(context, answer) => {
                derived.push(Derived::new(right.phrase.clone()).with(Feature::NumberOfRelation, 1.0));
            }
            Phrase::Relation(relation) => {
                let numbers = relation.path.last().is_some_and(|last| {
                    context.schema.end(*last).is_number() && !context.is_identifier(last.property)
                });
                if numbers {
                    derived.push(Derived::new(right.phrase.clone()).with(Feature::NumberOfRelation, 1.0));
                }
            }
            _ => {}
        }
    }
}

/// Whether an answer has rows that each pair something with an amount of it.
fn gives_amounts<'k>(context: &Context<'k>, answer: &Answer<'k>) -> bool {
    let Answer::List { columns, .. } = answer else { return false };
    let [_, amount] = columns.as_slice() else { return false };
    let number = amount
        .then
        .last()
        .is_some_and(|last| context.schema.end(*last).is_number() && !context.is_identifier(last.property));
    number && amount.what != ColumnFunction::Count && context.has_cue(Cue::Each)
}

/// "The phone number of …": a word inside an attribute's name does not ask for a count.
fn is_in_noun(context: &Context<'_>, cue: Span) -> bool {
    let property = context.links.schema.iter().filter(|link| link.kind == SchemaKind::Property);
    let mut names = property.map(|link| link.span);
    names.any(|name| name.from < cue.from && name.to == cue.from + 1)
}

fn counted<'k>(context: &Context<'k>, set: &Rc<Set<'k>>, derived: &mut Vec<Derived<'k>>) {
    if set.kind.is_number() && !set.is_bare_class() && !context.holds_keys(set) {
        // "How many people live in X": the number itself.
        derived.push(Derived::new(Phrase::Set(set.clone())).with(Feature::NumberOfRelation, 1.0));
    }
    if matches!(set.base, Base::Things(_) | Base::Values(_)) {
        return;
    }
    derived.push(Derived::answer(Answer::Count(set.clone())).with(Feature::Cued, 1.0));
    let wanted =
        Wanted { of: Some(set.clone()), then: Vec::new(), what: ColumnFunction::Count, optional: false };
    derived.push(Derived::new(Phrase::Columns(Rc::from([wanted]))));
}

#[cfg(test)]
mod tests;

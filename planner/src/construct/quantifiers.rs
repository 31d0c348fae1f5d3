//! Questions of yes or no about all, most or none of something ("Do all ferries run on Sundays?").

use crate::chart::Construct;
use crate::context::Context;
use crate::meaning::{Answer, Base, Quantity, Set};
use crate::phrase::{Made, Pair, Phrase};
use crate::question::Span;
use crate::score::Feature;
use eruca_indexer::language::Cue;
use std::rc::Rc;

pub(super) struct Quantifiers;

impl Construct for Quantifiers {
    fn leaves<'k>(&self, context: &Context<'k>, made: &mut Vec<(Span, Made<'k>)>) {
        if !context.question.asks_yes_or_no() {
            return;
        }
        for cue in [Cue::All, Cue::Each, Cue::Most] {
            made.extend(context.cues(cue).map(|span| (span, Made::new(Phrase::Cue(cue)))));
        }
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, made: &mut Vec<Made<'k>>) {
        let Pair { left, gap, right } = pair;
        let (Phrase::Cue(cue), Phrase::Set(part)) = (&left.phrase, &right.phrase) else { return };
        let Some(quantity) = quantity(*cue).filter(|_| context.question.asks_yes_or_no()) else { return };
        // The quantifier stands before what it is of.
        if !gap.cues.is_empty() {
            return;
        }
        if let Some(whole) = whole(part) {
            let answer = Answer::Quantified(quantity, part.clone(), Rc::new(whole));
            made.push(Made::answer(answer).with(Feature::Cued, 1.0));
        }
    }
}

fn quantity(cue: Cue) -> Option<Quantity> {
    match cue {
        Cue::All | Cue::Each => Some(Quantity::Every),
        Cue::Most => Some(Quantity::Most),
        Cue::Not => Some(Quantity::None),
        _ => None,
    }
}

/// A set without its last condition, which is the one that is asked about.
fn whole<'k>(part: &Set<'k>) -> Option<Set<'k>> {
    let (_, rest) = part.conditions.split_last()?;
    let of_class = part.rank.is_none() && matches!(part.base, Base::Class(_));
    of_class.then(|| Set { conditions: rest.to_vec(), ..part.clone() })
}

#[cfg(test)]
mod tests;

//! Shares: what percentage of a set meets a condition.

use crate::chart::Construct;
use crate::context::Context;
use crate::meaning::{Answer, Base, Set};
use crate::phrase::{Derived, Pair, Phrase};
use crate::question::Span;
use crate::score::Feature;
use eruca_language::Cue;
use std::rc::Rc;

pub(super) struct Shares;

impl Construct for Shares {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        derived.extend(
            context.cues(Cue::Percentage).map(|span| (span, Derived::new(Phrase::Cue(Cue::Percentage)))),
        );
    }

    fn combine<'k>(&self, _context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, right, .. } = pair;
        let (Phrase::Cue(Cue::Percentage), Phrase::Set(part)) = (&left.phrase, &right.phrase) else { return };
        // The last condition is the one that the share is about.
        if let Some((_, rest)) = part.conditions.split_last()
            && part.rank.is_none()
            && matches!(part.base, Base::Class(_))
        {
            let whole = Set { conditions: rest.to_vec(), ..(**part).clone() };
            derived
                .push(Derived::answer(Answer::Share(part.clone(), Rc::new(whole))).with(Feature::Cued, 1.0));
        }
    }
}

#[cfg(test)]
mod tests;

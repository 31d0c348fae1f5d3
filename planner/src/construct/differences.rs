//! Differences and sums of a measure of named things.

use super::{Construct, Context};
use crate::chart::{Gap, Item, Made, Phrase};
use crate::meaning::{Answer, Base, Condition, Measure, Set, turned};
use crate::question::Span;
use crate::score::Feature;
use eruca_indexer::language::Cue;
use std::rc::Rc;

pub(super) struct Differences;

impl Construct for Differences {
    fn leaves<'k>(&self, context: &Context<'k>, made: &mut Vec<(Span, Made<'k>)>) {
        made.extend(context.cues(Cue::Difference).map(|span| (span, Made::new(Phrase::Cue(Cue::Difference)))));
    }

    fn combine<'k>(
        &self,
        _context: &Context<'k>,
        left: &Item<'k>,
        _gap: &Gap,
        right: &Item<'k>,
        made: &mut Vec<Made<'k>>,
    ) {
        let (Phrase::Cue(cue), Phrase::Set(values)) = (&left.phrase, &right.phrase) else { return };
        let Some((measure, things)) = measured(values) else { return };
        match (cue, things.as_slice()) {
            (Cue::Difference, [one, other]) => {
                let answer = Answer::Difference(one.clone(), other.clone(), measure);
                made.push(Made::answer(answer).with(Feature::Difference, 1.0));
            }
            (Cue::Sum, [_, _, ..]) => {
                made.push(Made::answer(Answer::Sum(things, measure)).with(Feature::Difference, 1.0));
            }
            _ => {}
        }
    }
}

/// "The populations of A and B": the measure, and each of the things.
fn measured<'k>(values: &Set<'k>) -> Option<(Measure<'k>, Vec<Rc<Set<'k>>>)> {
    let [Condition::Joined(path, owners)] = values.conditions.as_slice() else { return None };
    let Base::Things(things) = &owners.base else { return None };
    let one = |iri: &Rc<str>| Rc::new(Set { base: Base::Things(vec![iri.clone()]), ..(**owners).clone() });
    values.kind.is_measurable().then(|| (Measure::Value(turned(path)), things.iter().map(one).collect()))
}

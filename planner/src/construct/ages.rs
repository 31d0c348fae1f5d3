//! Ages: years from a date until today ("how old is …", "older than 30").

use super::{Construct, Context};
use crate::chart::{Bound, Gap, Item, Made, Phrase};
use crate::meaning::{Against, Answer, Column, Measure, Op, Set, What};
use crate::question::Span;
use crate::score::Feature;
use eruca_indexer::language::Cue;
use std::rc::Rc;

pub(super) struct Ages;

impl Construct for Ages {
    fn leaves<'k>(&self, context: &Context<'k>, made: &mut Vec<(Span, Made<'k>)>) {
        made.extend(context.cues(Cue::Old).map(|span| (span, Made::new(Phrase::Cue(Cue::Old)))));
    }

    fn combine<'k>(
        &self,
        context: &Context<'k>,
        left: &Item<'k>,
        _gap: &Gap,
        right: &Item<'k>,
        made: &mut Vec<Made<'k>>,
    ) {
        let ((Phrase::Cue(Cue::Old), Phrase::Set(set)) | (Phrase::Set(set), Phrase::Cue(Cue::Old))) =
            (&left.phrase, &right.phrase)
        else {
            return;
        };
        for (rank, step) in super::times::time_properties(context, set).into_iter().enumerate() {
            let column =
                Column { path: Vec::new(), of: None, then: vec![step], what: What::Age, optional: false };
            let answer = Answer::List { of: set.clone(), columns: vec![column], order: Vec::new(), limit: None };
            let found = Made::answer(answer).with(Feature::Age, 1.0);
            made.push(found.with(Feature::UnnamedTimeRank, rank as f32));
        }
    }
}

/// A date compared with a number of years is an age, for which more is earlier; all else stays as it is.
pub(super) fn in_years<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    measure: Measure<'k>,
    turned: bool,
    bound: &Bound<'k>,
) -> (Measure<'k>, Op) {
    let Measure::Value(path) = &measure else { return (measure, bound.op) };
    let is_time = context.schema.follow_path(path, &set.kind).is_some_and(|kind| kind.is_time());
    match (&bound.against, is_time) {
        (Against::Number(_) | Against::Range(..), true) => (Measure::Age(path.clone()), bound.op),
        _ if turned => (measure, opposite(bound.op)),
        _ => (measure, bound.op),
    }
}

/// The same comparison seen from the other side.
pub(super) fn opposite(op: Op) -> Op {
    match op {
        Op::Less => Op::Greater,
        Op::AtMost => Op::AtLeast,
        Op::Greater => Op::Less,
        Op::AtLeast => Op::AtMost,
        Op::Equal => Op::Equal,
    }
}

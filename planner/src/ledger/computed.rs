//! Several things that are to be worked out: "the highest and the average price" asks for two numbers.

use super::{Audit, Doubt};
use crate::question::CueAt;
use eruca_indexer::language::Cue;

impl Audit<'_, '_> {
    /// Doubts queries with fewer numbers than the words join by "and".
    pub(super) fn computed(&mut self) {
        let all = &self.context.question.cues;
        let computing = all.iter().filter(|cue| computes(cue.cue));
        let asked: Vec<&CueAt> = computing.filter(|cue| !self.is_named(cue.span)).collect();
        let joined = |first: &CueAt, second: &CueAt| {
            self.context.cues(Cue::And).any(|and| first.span.to <= and.from && and.to <= second.span.from)
                && first.cue != second.cue
        };
        let Some(last) = asked
            .windows(2)
            .filter_map(|pair| joined(pair.first()?, pair.last()?).then_some(pair.last()?))
            .last()
        else {
            return;
        };
        if self.parts.columns.len() < 2 {
            self.doubt(Doubt::Form(last.span, self.said(last.span)));
        }
    }
}

fn computes(cue: Cue) -> bool {
    matches!(cue, Cue::Average | Cue::Sum | Cue::Maximum | Cue::Minimum)
}

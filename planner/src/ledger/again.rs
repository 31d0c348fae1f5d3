//! Words that refer to something named earlier in the question: in "the village where they live", the queried people live there,
//! so two paths of the query must meet.

use super::parts::Node;
use super::quantities::COMPARING;
use super::{Audit, Doubt};
use crate::question::Span;
use eruca_language::Anaphor;
use std::collections::HashSet;

impl Audit<'_, '_> {
    /// Doubts chain queries without a cycle. The word may mean something else if the query names a thing, has columns or order.
    pub(super) fn again(&mut self) {
        let parts = self.parts;
        let plain =
            !parts.asks && parts.columns.len() == 1 && parts.orders.is_empty() && parts.groups.is_empty();
        let chained = parts.statements.len() > 1 && parts.aggregates.is_empty();
        let named = !parts.things().is_empty() || !parts.constants().is_empty();
        if !plain || !chained || named || self.ways_meet() || parts.calls(COMPARING) {
            return;
        }
        let question = self.question();
        let first = (2..question.len() as u16).take_while(|at| !question.begins_sentence(*at)).find(|at| {
            let span = Span { from: *at, to: at + 1 };
            let word = question.word(*at).map_or("", |word| word.folded.as_str());
            question.language.refers_back(Anaphor::Again, &[word]).is_some() && !self.is_named(span)
        });
        if let Some(at) = first {
            let span = Span { from: at, to: at + 1 };
            self.doubt(Doubt::Form(span, self.said(span)));
        }
    }

    /// Whether two paths join the same variables: a graph with at least as many edges as nodes has a cycle.
    fn ways_meet(&self) -> bool {
        let all = self.parts.statements.iter();
        let ends: HashSet<&Node> = all.flat_map(|one| [&one.subject, &one.object]).collect();
        self.parts.statements.len() >= ends.len()
    }
}

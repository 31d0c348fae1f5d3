//! States expressed by a number, such as "sold out": they stand for a property whose number is zero or more, if the name fits.

use super::{Audit, Grounds, Part};
use crate::compose::measures::noun_fit;
use crate::question::Span;
use eruca_language::{MAX_STATE_WORDS, State};

impl Audit<'_, '_> {
    /// Enters words saying that there is some or none of something.
    pub(super) fn states(&mut self) {
        let question = &self.context.question;
        let starts = 0..question.len();
        let spans =
            starts.flat_map(|from| (1..=MAX_STATE_WORDS).map(move |length| Span::new(from, from + length)));
        let known = spans.filter(|span| question.words_of(*span).len() == span.len());
        let states: Vec<(Span, &State)> = known
            .filter_map(|span| Some((span, question.language.state(&question.folded_of(span))?)))
            .collect();
        for (span, state) in states {
            for property in self.counted_by(state) {
                self.enter(span, Part::Term(property), Grounds::Dimension);
                self.enter(span, Part::Comparison, Grounds::Form);
            }
        }
    }

    /// The properties of the query that a state is about, if the query compares them with zero as the state requires.
    fn counted_by(&self, state: &State) -> Vec<String> {
        let calls: &[&str] = if state.some { &["greater"] } else { &["equal"] };
        let compared = self.parts.calls(calls) && self.parts.constants().iter().any(|text| text == "0");
        let properties = self.parts.statements.iter().map(|statement| &statement.property);
        let called = properties.filter(|property| noun_fit(self.context, property, &state.nouns) > 0.0);
        called.filter(|_| compared).cloned().collect()
    }
}

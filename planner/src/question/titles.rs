//! Names made of words with other meanings: once identified as names, their words lose those meanings.

use super::{ParsedQuestion, Span, WordKind};

impl ParsedQuestion {
    /// Whether a span contains anything but plain nouns and names: cues, numbers, times, function words, or sentence punctuation.
    pub fn means_more(&self, span: Span) -> bool {
        let inside = |other: Span| other.overlaps(span);
        (span.from..span.to).any(|at| self.is_function_word(at))
            || self.words_of(span).iter().any(|word| word.kind == WordKind::Verb)
            || self.cues.iter().any(|cue| inside(cue.span))
            || self.grades.iter().any(|grade| inside(grade.span))
            || self.numerals.iter().any(|numeral| inside(numeral.span))
            || self.ordinals.iter().any(|ordinal| inside(ordinal.span))
            || self.is_broken(span)
            || self.word(span.to).is_some_and(|next| next.broken.is_some())
            || self.word(span.from).is_some_and(|first| first.broken.is_some())
    }

    /// Whether function words outside a span are capitalized too, so that its capitals mean nothing.
    pub fn is_shouted(&self, span: Span) -> bool {
        let capital = |at: u16| {
            self.word(at).is_some_and(|word| {
                word.raw.starts_with(char::is_uppercase)
                    && self.language.is_function_word(&word.folded)
                    && word.raw.chars().count() > 1
            })
        };
        let small = |at: u16| {
            self.word(at).is_some_and(|word| {
                word.raw.starts_with(char::is_lowercase) && self.language.is_function_word(&word.folded)
            })
        };
        let outside = || (0..self.len() as u16).filter(|at| !span.has(*at) && !self.begins_sentence(*at));
        outside().any(capital) && !outside().any(small)
    }

    /// Marks the words of a span as a name, and whether punctuation before and after it belongs to the name.
    pub fn take_for_name(&mut self, span: Span, (before, behind): (bool, bool)) {
        let apart = |other: Span| !other.overlaps(span);
        self.cues.retain(|cue| apart(cue.span));
        self.grades.retain(|grade| apart(grade.span));
        self.numerals.retain(|numeral| apart(numeral.span));
        self.ordinals.retain(|ordinal| apart(ordinal.span));
        self.periods.retain(|period| apart(period.span));
        let words = self.words.iter_mut().enumerate();
        for (at, word) in words {
            let at = u16::try_from(at).unwrap_or(u16::MAX);
            if span.has(at) {
                word.kind = WordKind::Name;
                word.capital = true;
            }
            let inner = span.has(at) && at > span.from;
            if inner || (at == span.from && before) || (at == span.to && behind) {
                word.broken = None;
            }
        }
    }
}

//! The runs of words of a question that are searched for.

use eruca_planner::question::{ParsedQuestion, Span};

/// Maximum number of words of a run, and in languages where characters are words.
const MAX_WORDS: u16 = 5;
const MAX_CHARACTERS: u16 = 8;
/// Maximum number of runs of a question.
const MAX_SPANS: usize = 150;

/// The texts of all runs that neither begin nor end with a function word and go over no punctuation, long ones first, each once.
pub(super) fn spans(question: &ParsedQuestion) -> Vec<String> {
    let longest = if question.language.is_unspaced() { MAX_CHARACTERS } else { MAX_WORDS };
    let end = question.all().to;
    let mut found: Vec<String> = Vec::new();
    for length in (1..=longest.min(end)).rev() {
        for from in 0..=end - length {
            let span = Span { from, to: from + length };
            let text = question.text_of(span);
            let is_small = question.is_function_word(from) || question.is_function_word(span.to - 1);
            if !is_small && !question.is_broken(span) && found.iter().all(|known| known != text) {
                found.push(text.to_owned());
            }
        }
    }
    found.truncate(MAX_SPANS);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_words_begin_and_end_with_words_that_tell_something() {
        let question = ParsedQuestion::read("Which rivers flow through Cologne, and where is Bonn?", &[]);
        let found = spans(&question);
        for wanted in ["rivers flow through Cologne", "rivers", "Cologne", "Bonn"] {
            assert!(found.iter().any(|text| text == wanted), "{wanted}: {found:?}");
        }
        assert!(!found.iter().any(|text| text.contains(',') || text.starts_with("Which")), "{found:?}");
        assert!(spans(&ParsedQuestion::read("", &[])).is_empty());
    }
}

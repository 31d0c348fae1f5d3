//! The reading of whole questions.

use super::*;
use proptest::prelude::*;

proptest! {
    #[test]
    fn never_panics_and_spans_are_valid(text in "\\PC{0,200}") {
        let question = Question::read(&text, &[]);
        prop_assert!(question.len() <= 80);
        let all = question.all();
        for found in &question.cues {
            prop_assert!(all.contains(found.span));
        }
        for word in &question.words {
            prop_assert!(question.text.get(word.bytes.0..word.bytes.1).is_some());
        }
    }
}

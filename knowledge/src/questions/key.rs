//! When two questions have the same words: folded words in their order, and the signs that change a meaning. Case, accents,
//! spaces and punctuation do not matter; the ending of a word does.

use eruca_language::text::{fold, word_spans};

/// Signs that belong to what is asked: `C#` is not `C`, and `> 5` is not `< 5`.
const TELLING: &str = "+#<>=%&@*/$€£¥°^~|≤≥≠±×÷−";

/// A word or sign of a question, with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyToken {
    pub text: String,
    pub span: (usize, usize),
}

/// The words and signs of a question.
pub(super) fn tokens(text: &str) -> Vec<KeyToken> {
    let (mut found, mut behind) = (Vec::new(), 0);
    for (from, to) in word_spans(text) {
        signs(text, (behind, from), &mut found);
        found.push(KeyToken { text: fold(text.get(from..to).unwrap_or_default()), span: (from, to) });
        behind = to;
    }
    signs(text, (behind, text.len()), &mut found);
    found
}

fn signs(text: &str, (from, to): (usize, usize), found: &mut Vec<KeyToken>) {
    let between = text.get(from..to).unwrap_or_default();
    for (at, sign) in between.char_indices() {
        let span = (from + at, from + at + sign.len_utf8());
        if TELLING.contains(sign) || is_minus(text, sign, span) {
            found.push(KeyToken { text: sign.to_string(), span });
        }
    }
}

/// Whether a hyphen makes a number negative: in `-5`, and not in `1990-95`.
fn is_minus(text: &str, sign: char, (from, to): (usize, usize)) -> bool {
    let before = text.get(..from).and_then(|text| text.chars().next_back());
    let after = text.get(to..).and_then(|text| text.chars().next());
    sign == '-' && after.is_some_and(|c| c.is_ascii_digit()) && before.is_none_or(|c| !c.is_alphanumeric())
}

/// The key of a question: equal for questions with the same words.
#[must_use]
pub fn question_key(text: &str) -> String {
    tokens(text).into_iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
}

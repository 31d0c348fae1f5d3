//! Metadata about an answer as headers, as clients of the challenge expect a fixed body. Values are
//! structured fields ([RFC 8941](https://www.rfc-editor.org/rfc/rfc8941)).

use crate::trace::{Insight, Trace};
use actix_web::HttpResponseBuilder;
use std::fmt::Write as _;

/// A token with the probability: `likely;p=0.63`.
pub(super) const CONFIDENCE: &str = "eruca-confidence";
/// A list of strings, the words not used in the query, percent-encoded where they are not ASCII: `"gr%C3%BCn", "old"`.
pub(super) const UNUSED: &str = "eruca-unused";
/// Maximum number of words in the header, and of bytes in its value.
const MAX_WORDS: usize = 20;
const MAX_BYTES: usize = 1_000;

/// The confidence header if a model found that the graph does not contain the answer. The query returned then
/// does not answer the question, which clients that read only the headers must be able to see.
const ABSENT: &str = "guess;p=0.00";

/// Adds the headers of an answer.
pub(super) fn add(response: &mut HttpResponseBuilder, trace: &Trace) {
    if trace.not_in_graph.is_some() {
        response.insert_header((CONFIDENCE, ABSENT));
        return;
    }
    let Some(insight) = &trace.insight else { return };
    response.insert_header((CONFIDENCE, confidence(insight)));
    let unused = unused(&insight.unused);
    if !unused.is_empty() {
        response.insert_header((UNUSED, unused));
    }
}

fn confidence(insight: &Insight) -> String {
    format!("{};p={:.2}", insight.confidence.name(), insight.probability)
}

/// As many words as fit.
fn unused(words: &[String]) -> String {
    let mut list = String::new();
    for word in words.iter().take(MAX_WORDS).map(|word| encoded(word)) {
        if list.len() + word.len() + 4 > MAX_BYTES {
            break;
        }
        let between = if list.is_empty() { "" } else { ", " };
        // Writing to a String cannot fail.
        let _written = write!(list, "{between}\"{word}\"");
    }
    list
}

/// Characters that a string of a structured field may contain unescaped.
fn encoded(word: &str) -> String {
    let mut text = String::new();
    for byte in word.bytes() {
        match byte {
            b' '..=b'~' if !matches!(byte, b'%' | b'"' | b'\\') => text.push(char::from(byte)),
            _ => {
                let _written = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_strings_of_a_list() {
        let words = ["grün", "a \"b\" 100%", "\r\nX: y"].map(str::to_owned);
        assert_eq!(unused(&words), "\"gr%C3%BCn\", \"a %22b%22 100%25\", \"%0D%0AX: y\"");
        assert_eq!(unused(&[]), "");
    }

    proptest! {
        #[test]
        fn any_words_fit_into_a_header(words in proptest::collection::vec("\\PC{0,300}", 0..60)) {
            let list = unused(&words);
            prop_assert!(list.len() <= MAX_BYTES && list.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
        }
    }
}

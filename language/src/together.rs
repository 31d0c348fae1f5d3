//! The words of all languages combined: for names and searches in an unknown language.

use super::{Language, languages};
use crate::text::normalize_word;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{OnceLock, RwLock};

/// Weight of a related noun, relative to 1 for the word itself.
const RELATED_WEIGHT: f32 = 0.8;
/// Maximum number of words cached.
const MAX_REMEMBERED: usize = 10_000;

/// Cache of words with their related nouns.
type Remembered = RwLock<FxHashMap<String, Vec<(String, f32)>>>;

/// Whether a normalized word is a function word in any language.
pub fn is_function_word(norm: &str) -> bool {
    static WORDS: OnceLock<FxHashSet<String>> = OnceLock::new();
    let all = || languages().flat_map(|language| language.words.function_words.iter());
    WORDS.get_or_init(|| all().map(|word| normalize_word(word)).collect()).contains(norm)
}

/// Splits a folded column name before a word of any language that it ends with: "custid" into "cust" and "id".
pub fn ends_columns(folded: &str) -> Option<(&str, &'static str)> {
    let all = languages().flat_map(|language| &language.column_ends);
    let mut cuts: Vec<(&str, &'static str)> = all
        .filter_map(|tail| Some((folded.strip_suffix(tail.as_str())?, tail.as_str())))
        .filter(|(head, _)| !head.is_empty())
        .collect();
    cuts.sort_by_key(|(head, _)| head.len());
    cuts.into_iter().next()
}

/// Nouns related to a normalized word in any language, with weights: "heavy" is related to weight.
pub fn related_words(norm: &str) -> Vec<(String, f32)> {
    static KNOWN: OnceLock<Remembered> = OnceLock::new();
    let known = KNOWN.get_or_init(RwLock::default);
    if let Some(nouns) = known.read().ok().and_then(|known| known.get(norm).cloned()) {
        return nouns;
    }
    let found = related_anew(norm);
    if let Ok(mut known) = known.write()
        && known.len() < MAX_REMEMBERED
    {
        known.insert(norm.to_owned(), found.clone());
    }
    found
}

fn related_anew(norm: &str) -> Vec<(String, f32)> {
    let mut found: Vec<(String, f32)> = Vec::new();
    for noun in languages().flat_map(|language| nouns(language, norm)) {
        if noun != norm && !found.iter().any(|(known, _)| *known == noun) {
            found.push((noun, RELATED_WEIGHT));
        }
    }
    found
}

fn nouns(language: &Language, norm: &str) -> Vec<String> {
    let related = language.related(norm).iter().map(|related| related.noun.clone());
    let graded = language.grade(norm).into_iter().flat_map(|grade| grade.nouns.iter().cloned());
    related.chain(graded.map(|noun| normalize_word(&noun))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lead_to_nouns_in_all_languages() {
        for (word, noun) in
            [("heavy", "weight"), ("teuer", "price"), ("höchste", "height"), ("habitantes", "population")]
        {
            let related = related_words(&normalize_word(word));
            assert!(related.iter().any(|(text, _)| *text == normalize_word(noun)), "{word}: {related:?}");
        }
    }

    #[test]
    fn function_words_are_known_in_their_normalized_form() {
        for word in ["The", "ms", "Für", "dónde", "how"] {
            assert!(is_function_word(&normalize_word(word)), "{word}");
        }
        assert!(!is_function_word("department"));
    }
}

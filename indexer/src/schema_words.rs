//! Words of schema names by text and by stem: the stems of a language are computed once per graph, not per question.

use eruca_language::Language;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Finds the words of names, by their number in the list of words.
#[derive(Debug, Default)]
pub struct WordIndex {
    by_text: FxHashMap<String, usize>,
    by_stem: FxHashMap<String, Vec<usize>>,
}

impl WordIndex {
    fn of(words: &[String], language: &Language) -> Self {
        let mut found = Self::default();
        for (number, word) in words.iter().enumerate() {
            found.by_text.insert(word.clone(), number);
            found.by_stem.entry(language.stem(word)).or_default().push(number);
        }
        found
    }

    /// The word with this spelling.
    pub fn text(&self, word: &str) -> Option<usize> {
        self.by_text.get(word).copied()
    }

    /// The words with a stem.
    pub fn stem(&self, stem: &str) -> &[usize] {
        self.by_stem.get(stem).map_or(&[], Vec::as_slice)
    }
}

/// The word indexes created so far, by language tag.
#[derive(Debug, Default)]
pub(crate) struct WordIndexes(Mutex<FxHashMap<&'static str, Arc<WordIndex>>>);

impl Clone for WordIndexes {
    /// A clone starts empty and creates them again on demand.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl WordIndexes {
    pub(crate) fn of(&self, words: &[String], language: &Language) -> Arc<WordIndex> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        made.entry(language.tag()).or_insert_with(|| Arc::new(WordIndex::of(words, language))).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_language::{language, neutral};

    #[test]
    fn words_are_found_by_text_and_by_stem() {
        let words = ["director".to_owned(), "length".to_owned()];
        let english = language("en").unwrap_or_else(|| neutral("en"));
        let index = WordIndexes::default().of(&words, english);
        assert_eq!((index.text("length"), index.text("long")), (Some(1), None));
        assert_eq!(index.stem(&english.stem("directed")), [0]);
        assert!(index.stem("nothing").is_empty());
    }
}

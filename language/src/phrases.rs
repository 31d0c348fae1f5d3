//! Words and phrases, from the notation of the packs to that of the tables.

use crate::text::{fold, normalize_word};
use rustc_hash::FxHashSet;
use serde::Deserialize;
use std::ops::Deref;

/// The possessive ending as a token.
pub const POSSESSIVE: &str = "'s";

/// A set of folded words, given as lines with spaces between the words.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Vec<String>")]
pub(super) struct WordSet(FxHashSet<String>);

impl From<Vec<String>> for WordSet {
    fn from(lines: Vec<String>) -> Self {
        Self(lines.iter().flat_map(|line| folded_words(line)).collect())
    }
}

impl Deref for WordSet {
    type Target = FxHashSet<String>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// Splits phrases separated by commas.
pub(super) fn phrases(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|phrase| !phrase.is_empty())
}

/// The folded words of a phrase. The possessive ending is a word of its own, other apostrophes separate words.
pub(super) fn folded_words(phrase: &str) -> Vec<String> {
    let folded = fold(phrase).replace('’', "'");
    let mut words = Vec::new();
    for piece in folded.split(|c: char| !c.is_alphanumeric() && c != '\'') {
        let (piece, possessive) = match piece.strip_suffix("'s") {
            Some(owner) => (owner, true),
            None => (piece, false),
        };
        words.extend(piece.split('\'').filter(|part| !part.is_empty()).map(str::to_owned));
        if possessive {
            words.push(POSSESSIVE.to_owned());
        }
    }
    words
}

/// Whether words start with those of a phrase.
pub(super) fn begins(words: &[&str], phrase: &[String]) -> bool {
    phrase.len() <= words.len() && phrase.iter().zip(words).all(|(a, b)| a == b)
}

/// A phrase as a table key: folded, with single spaces between words.
pub(super) fn key(phrase: &str) -> String {
    folded_words(phrase).join(" ")
}

/// Phrases as table keys.
pub(super) fn keys(list: &str) -> impl Iterator<Item = String> {
    phrases(list).map(key)
}

/// A word normalized as in the indexes; `_` stands for a space in a phrase.
pub(super) fn normal(word: &str) -> String {
    let parts: Vec<String> = word.split('_').map(normalize_word).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

/// Words separated by spaces, normalized as in the indexes.
pub(super) fn normals<C: FromIterator<String>>(words: &str) -> C {
    words.split_whitespace().map(normal).collect()
}

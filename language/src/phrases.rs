//! Words and phrases as the packs write them, and as tables hold them.

use crate::text::{fold, normalize_word};
use rustc_hash::FxHashSet;
use serde::Deserialize;
use std::ops::Deref;

/// The possessive ending as a word.
pub const POSSESSIVE: &str = "'s";

/// Folded words, written in lines with spaces between them.
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

/// Phrases with commas between them.
pub(super) fn phrases(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|phrase| !phrase.is_empty())
}

/// The words of a phrase, folded. The possessive ending is a word of its own, other apostrophes part words.
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

/// Whether words begin with those of a phrase.
pub(super) fn begins(words: &[&str], phrase: &[String]) -> bool {
    phrase.len() <= words.len() && phrase.iter().zip(words).all(|(a, b)| a == b)
}

/// A phrase as the key of a table: folded, one space between its words.
pub(super) fn key(phrase: &str) -> String {
    folded_words(phrase).join(" ")
}

/// Phrases as keys of a table.
pub(super) fn keys(list: &str) -> impl Iterator<Item = String> {
    phrases(list).map(key)
}

/// A word of a table as the indexes have it; `_` stands for the space of a phrase.
pub(super) fn normal(word: &str) -> String {
    let parts: Vec<String> = word.split('_').map(normalize_word).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

/// Words with spaces between them as the indexes have them.
pub(super) fn normals<C: FromIterator<String>>(words: &str) -> C {
    words.split_whitespace().map(normal).collect()
}

//! Which words of the index a word may stand for: words one or two edits away, words that start with it.

use super::words::Words;
use rustc_hash::FxHashMap;

/// Maximum number of expansions of a word in a query.
const MAX_EXPANSIONS: usize = 32;
/// Maximum number of completions compared.
const MAX_COMPLETIONS: usize = 500;
/// Maximum number of documents of all expansions; with more, scoring takes too long.
const MAX_DOCUMENTS: u64 = 10_000;

/// A word of the index that a word may stand for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expansion {
    pub(super) term: String,
    /// Weight of a match; 1 for the word itself.
    pub(super) weight: f32,
    pub(super) documents: u64,
}

/// How far to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Words one edit away.
    Near,
    /// Words two edits away if there are none at one and the word is unknown; completions.
    Far,
}

/// Edits allowed for a word: none for short ones, where any word is similar to many others.
pub(super) fn allowed_edits(word: &str) -> u8 {
    let letters = word.chars().count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    match letters {
        _ if digits * 2 > letters => 0,
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// Misspelt forms and completions of `word`, best first.
pub(super) fn similar_terms(words: &dyn Words, word: &str, reach: Reach) -> Vec<Expansion> {
    let mut found: FxHashMap<String, (f32, u64)> = FxHashMap::default();
    let farthest = if reach == Reach::Near || words.documents(word) > 0 { 1 } else { 2 };
    for edits in 1..=allowed_edits(word).min(farthest) {
        // Two edits reach a large part of a large dictionary; the first letter is rarely one of them.
        let (weight, fixed) = if edits == 1 { (0.7, 0) } else { (0.45, 1) };
        words.near(word, edits, fixed, &mut |term| {
            if term != word && !found.contains_key(term) {
                found.insert(term.to_owned(), (weight, words.documents(term)));
            }
        });
        if !found.is_empty() {
            break;
        }
    }
    if reach == Reach::Far && word.chars().count() >= 3 {
        words.beginning(word, MAX_COMPLETIONS, &mut |term, documents| {
            if term != word {
                found.entry(term.to_owned()).or_insert((0.5, documents));
            }
        });
    }
    best(found)
}

fn best(found: FxHashMap<String, (f32, u64)>) -> Vec<Expansion> {
    let expansion = |(term, (weight, documents))| Expansion { term, weight, documents };
    let mut found: Vec<Expansion> = found.into_iter().map(expansion).collect();
    found.sort_by(|a, b| {
        b.weight.total_cmp(&a.weight).then(b.documents.cmp(&a.documents)).then_with(|| a.term.cmp(&b.term))
    });
    let mut documents = 0;
    found.retain(|expansion| {
        let fits = documents == 0 || documents + expansion.documents <= MAX_DOCUMENTS;
        documents += if fits { expansion.documents } else { 0 };
        fits
    });
    found.truncate(MAX_EXPANSIONS);
    found
}

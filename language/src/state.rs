//! Phrases for having none or some of a quantity: "out of stock", "free of charge".

use super::phrases::{keys, normals};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::sync::Arc;

/// A state expressed by a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Whether it means some rather than none.
    pub some: bool,
    /// Nouns for the number, most likely first.
    pub nouns: Arc<[String]>,
}

/// States by their folded phrases.
pub(super) type States = FxHashMap<String, State>;

/// Maximum number of words in a phrase.
pub const MAX_STATE_WORDS: usize = 4;

/// Phrases for a state, as given in a pack.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StateOf {
    said: String,
    some: bool,
    nouns: String,
}

pub(super) fn states_of(listed: &[StateOf]) -> States {
    let mut found = States::default();
    for StateOf { said, some, nouns } in listed {
        let nouns: Arc<[String]> = normals(nouns);
        found.extend(keys(said).map(|phrase| (phrase, State { some: *some, nouns: Arc::clone(&nouns) })));
    }
    found
}

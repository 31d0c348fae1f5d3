//! What is said of things that have none or some of a number: "out of stock", "free of charge".

use super::phrases::{keys, normals};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::sync::Arc;

/// A state by a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Whether there is some of it, rather than none.
    pub some: bool,
    /// What the number is called, the likeliest first.
    pub nouns: Arc<[String]>,
}

/// States by their phrases in folded words.
pub(super) type States = FxHashMap<String, State>;

/// Words of the longest phrase.
pub const MAX_STATE_WORDS: usize = 4;

/// Phrases of a state, as a pack has them.
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

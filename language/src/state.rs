//! What is said of things that have none or some of a number: "out of stock", "free of charge".

use super::files::{Files, folded_words, normal, phrases};
use rustc_hash::FxHashMap;
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

/// Lines of `phrases : = 0 : nouns`, or with `> 0`.
pub(super) fn read(files: &mut Files) -> States {
    let mut found = States::default();
    files.each_pair("states", |list, rest| {
        let (number, nouns) = rest.split_once(':')?;
        let some = match number.trim() {
            "= 0" => false,
            "> 0" => true,
            _ => return None,
        };
        let nouns: Arc<[String]> = nouns.split_whitespace().map(normal).collect();
        for phrase in phrases(list) {
            let words = folded_words(phrase);
            (1..=MAX_STATE_WORDS).contains(&words.len()).then_some(())?;
            found.insert(words.join(" "), State { some, nouns: Arc::clone(&nouns) });
        }
        (!nouns.is_empty()).then_some(())
    });
    found
}

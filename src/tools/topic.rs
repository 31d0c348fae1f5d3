//! What a question or the words for what is sought speak of, and how well properties fit it: the order in which an entry
//! shows them.

use eruca_dataset::Dataset;
use eruca_language::text::{TokenKind, tokens};
use std::collections::HashSet;

/// Properties looked up for a topic.
const LOOKED_UP: usize = 40;
/// Share of a property's words that must occur in the topic.
const MIN_SHARE: f32 = 0.5;

/// A topic.
pub(super) struct Topic {
    words: HashSet<String>,
    /// Properties with a name like it, best first.
    looked_up: Vec<String>,
}

impl Topic {
    /// The topic of a text; for a long entry, properties with other words for it are looked up.
    pub(super) async fn of(dataset: &Dataset, text: &str, is_long: bool) -> Self {
        let looked_up = if is_long && !text.is_empty() { looked_up(dataset, text).await } else { Vec::new() };
        Self { words: words(text).collect(), looked_up }
    }

    /// Types, names, what fits the topic (the better, the earlier), the rest.
    pub(super) fn rank(&self, dataset: &Dataset, property: &str) -> (u8, usize) {
        if dataset.vocabulary().is_type(property) {
            return (0, 0);
        }
        if dataset.index.card.naming_properties.iter().any(|naming| naming == property) {
            return (1, 0);
        }
        let name: HashSet<String> = words(&dataset.schema_name(property)).collect();
        let shared = name.iter().filter(|word| self.words.contains(*word)).count();
        if shared > 0 && shared as f32 >= MIN_SHARE * name.len() as f32 {
            return (2, name.len() - shared);
        }
        match self.looked_up.iter().position(|iri| iri == property) {
            Some(at) => (3, at),
            None => (4, 0),
        }
    }
}

async fn looked_up(dataset: &Dataset, text: &str) -> Vec<String> {
    let found = dataset.find_properties(text, LOOKED_UP).await;
    found.map(|found| found.hits).unwrap_or_default().into_iter().map(|hit| hit.iri).collect()
}

fn words(text: &str) -> impl Iterator<Item = String> {
    tokens(text).into_iter().filter(|token| token.kind == TokenKind::Word).map(|token| token.text)
}

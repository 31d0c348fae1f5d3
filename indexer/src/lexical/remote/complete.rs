//! Names on a server that begin with a text: suggestions while a user types.

use super::asked::WordQuery;
use super::{RemoteNames, keys};
use crate::lexical::complete::{POOL, rank};
use crate::lexical::names::decode;
use crate::lexical::{LexicalError, Named};
use eruca_language::text::{TokenKind, fold, searched_part, tokens};
use rustc_hash::FxHashSet;
use serde::de::DeserializeOwned;
use std::cmp::Reverse;
use std::collections::BTreeMap;

impl RemoteNames {
    /// The documents with a name that begins with the text, ordered as in a folder.
    ///
    /// # Errors
    /// When the server fails or is late.
    pub(crate) fn complete<P: DeserializeOwned + Named>(
        &self,
        text: &str,
        limit: usize,
    ) -> Result<Vec<P>, LexicalError> {
        let text = searched_part(text);
        let tokens = tokens(text);
        let mut before: Vec<_> = tokens.iter().filter(|token| token.kind == TokenKind::Word).collect();
        let Some(last) = before.pop() else { return Ok(Vec::new()) };
        let typed = fold(text.get(last.span.0..last.span.1).unwrap_or(&last.text));
        let endings = self.endings(&typed, &last.text)?;
        let mut weights: BTreeMap<u32, f32> =
            before.iter().map(|word| (keys::word(&word.text), 1.0)).collect();
        weights.extend(endings.iter().map(|word| (keys::word(word), 1.0)));
        let query = WordQuery::new(&weights, Vec::new(), limit.saturating_mul(POOL));
        let found = self.server.search::<P>(self.part, &[query])?;
        let mut hits: Vec<P> = Vec::new();
        for found in found.iter().flat_map(|found| found.iter()) {
            let words: FxHashSet<&str> =
                found.names.iter().flat_map(|name| decode(name)).map(|token| token.text).collect();
            let has = |word: &str| words.contains(word);
            if before.iter().all(|word| has(&word.text)) && endings.iter().any(|word| has(word)) {
                hits.push(serde_json::from_str(&found.record)?);
            }
        }
        let start = fold(text.trim());
        hits.sort_by_cached_key(|payload| Reverse((rank(payload, &start), payload.uses())));
        hits.truncate(limit);
        Ok(hits)
    }

    /// The words that a last word may become, and itself.
    fn endings(&self, typed: &str, word: &str) -> Result<Vec<String>, LexicalError> {
        let mut words = self.words.fetch(&self.server, std::iter::empty())?;
        words.add_similar(&self.words, &self.server, &[typed])?;
        let mut endings: Vec<String> = words.begun(typed).map(|(word, _)| word.clone()).collect();
        // The typed word may be a plural; the index contains only singulars.
        if !endings.iter().any(|known| known == word) {
            endings.push(word.to_owned());
        }
        Ok(endings)
    }
}

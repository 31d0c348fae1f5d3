//! The candidates of a search among names on a server.

use super::points::FoundRecord;
use crate::lexical::names::decode;
use crate::lexical::plan::{AskedTerm, SearchPlan};
use crate::lexical::rank::{FoundDocument, PROSE_SCORE};
use crate::lexical::similarity::SearchedText;
use eruca_language::text::tokens;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Records, each once.
#[derive(Default)]
pub(super) struct Pool {
    pub(super) asked: SearchedText,
    pub(super) records: Vec<Arc<FoundRecord>>,
    /// The place of each record.
    places: FxHashMap<Arc<str>, usize>,
    /// Records that another reading of the question has led to, with its weight.
    respelt: Vec<(usize, SearchedText, f32)>,
}

impl Pool {
    pub(super) fn new(asked: SearchedText) -> Self {
        Self { asked, ..Self::default() }
    }

    /// Adds records.
    pub(super) fn add(&mut self, found: &[Arc<FoundRecord>]) {
        for found in found {
            self.place(found);
        }
    }

    /// Adds those that have all words of a search; returns how many.
    pub(super) fn add_whole(&mut self, plan: &SearchPlan<'_>, found: &[Arc<FoundRecord>]) -> usize {
        let whole = found.iter().filter(|found| found.has_all(plan));
        whole.map(|found| self.place(found)).count()
    }

    /// Adds a record that fits another reading of the question.
    pub(super) fn add_as(&mut self, found: &Arc<FoundRecord>, asked: SearchedText, weight: f32) {
        let place = self.place(found);
        self.respelt.push((place, asked, weight));
    }

    fn place(&mut self, found: &Arc<FoundRecord>) -> usize {
        let next = self.records.len();
        let place = *self.places.entry(Arc::clone(&found.record)).or_insert(next);
        if place == next {
            self.records.push(Arc::clone(found));
        }
        place
    }

    /// The candidates with their fit.
    pub(super) fn scored(&self) -> Vec<FoundDocument<'_>> {
        let numbered = self.records.iter().enumerate();
        let mut scored: Vec<FoundDocument<'_>> =
            numbered.map(|(row, found)| found.scored(row, &self.asked)).collect();
        for (row, asked, weight) in &self.respelt {
            let (Some(found), Some(known)) = (self.records.get(*row), scored.get_mut(*row)) else { continue };
            let mut respelt = found.scored(*row, asked);
            respelt.score *= weight;
            if respelt.score > known.score {
                *known = respelt;
            }
        }
        // Two words may have the same number, and a part of a word is not the word: these fit nothing.
        scored.retain(|hit| {
            let found = self.records.get(hit.row as usize);
            hit.score > PROSE_SCORE || found.is_some_and(|found| found.has_prose(&self.asked))
        });
        scored
    }

    /// How many fit at least so well.
    pub(super) fn at_least(&self, score: f32) -> usize {
        self.records.iter().filter(|found| found.scored(0, &self.asked).score >= score).count()
    }
}

impl FoundRecord {
    fn scored(&self, row: usize, asked: &SearchedText) -> FoundDocument<'_> {
        FoundDocument::new(row as u64, self.uses, self.names.iter().map(String::as_str), asked)
    }

    /// Whether the prose about it has a content word of the question.
    fn has_prose(&self, asked: &SearchedText) -> bool {
        let is_asked = |word: &str| {
            asked.tokens.iter().any(|token| {
                token.text == word || token.alternatives.iter().any(|(alternative, _)| alternative == word)
            })
        };
        self.prose.as_deref().is_some_and(|prose| tokens(prose).iter().any(|token| is_asked(&token.text)))
    }

    /// Whether its names have all content words of a search, or what may stand for them.
    pub(super) fn has_all(&self, plan: &SearchPlan<'_>) -> bool {
        let words: FxHashSet<&str> =
            self.names.iter().flat_map(|name| decode(name)).map(|token| token.text).collect();
        plan.terms.iter().all(|term| has_term(&words, term))
    }
}

fn has_term(words: &FxHashSet<&str>, term: &AskedTerm) -> bool {
    let has = |word: &str| words.contains(word);
    has(&term.token.text)
        || term.token.alternatives.iter().any(|(word, _)| has(word))
        || (!term.parts.is_empty() && term.parts.iter().all(|part| has(part)))
        || term.similar.iter().any(|form| has(&form.term))
}

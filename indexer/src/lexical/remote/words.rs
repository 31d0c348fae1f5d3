//! The words of the names on a server, as far as a search asks about them: fetched before they are needed, many at once.

use super::asked::{NameServer, WordQuery, weight};
use super::keys;
use super::part::Part;
use super::points;
use crate::lexical::similarity::edit_distance;
use crate::lexical::words::Words;
use crate::qdrant::QdrantFailure;
use moka::sync::Cache;
use qdrant_client::qdrant::ScoredPoint;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Words of which the number of documents is kept.
const KNOWN_WORDS: u64 = 20_000;
/// Memory for the words that resemble others, in bytes: some have hundreds.
const SIMILAR_BYTES: u64 = 2 << 20;
/// Words fetched that may resemble one; those further than its edits away are left out here.
const RESEMBLING: usize = 300;
/// Words fetched that begin with one, those of most documents first.
const BEGINNING: usize = 64;

/// Words with their numbers of documents.
type Counted = Arc<Vec<(String, u64)>>;

/// Asks a server for words of a part.
pub(super) struct WordServer {
    part: Part,
    documents: Cache<String, u64>,
    similar: Cache<WordQuery, Counted>,
}

impl WordServer {
    pub(super) fn new(part: Part) -> Self {
        let weigh = |query: &WordQuery, words: &Counted| {
            let each = words.iter().map(|(word, _)| size_of::<(String, u64)>() + word.len());
            weight(query.bytes() + each.sum::<usize>())
        };
        let similar = Cache::builder().max_capacity(SIMILAR_BYTES).weigher(weigh).build();
        Self { part, documents: Cache::new(KNOWN_WORDS), similar }
    }

    /// The numbers of documents of some words.
    pub(super) fn fetch<'a>(
        &self,
        server: &NameServer,
        words: impl Iterator<Item = &'a str>,
    ) -> Result<FetchedWords, QdrantFailure> {
        let mut fetched = FetchedWords::default();
        fetched.add(self, server, words)?;
        Ok(fetched)
    }

    /// The words found by each query.
    fn similar(&self, server: &NameServer, queries: &[WordQuery]) -> Result<Vec<Counted>, QdrantFailure> {
        let missing: Vec<&WordQuery> =
            queries.iter().filter(|query| !self.similar.contains_key(*query)).collect();
        let asked = server.ask_words(&missing, self.part.words())?;
        let mut new: FxHashMap<&WordQuery, Counted> = FxHashMap::default();
        for (query, points) in missing.into_iter().zip(asked) {
            let words = Arc::new(read(&points));
            self.similar.insert(query.clone(), Arc::clone(&words));
            new.insert(query, words);
        }
        let known = |query: &WordQuery| new.get(query).cloned().or_else(|| self.similar.get(query));
        Ok(queries.iter().map(|query| known(query).unwrap_or_default()).collect())
    }
}

fn read(points: &[ScoredPoint]) -> Vec<(String, u64)> {
    let counted = points.iter().filter_map(|point| points::counted(&point.payload));
    counted.map(|(word, documents)| (word.to_owned(), documents)).collect()
}

/// What a server has said of words.
#[derive(Debug, Default)]
pub(super) struct FetchedWords {
    documents: FxHashMap<String, u64>,
    resembling: FxHashMap<String, Counted>,
    beginning: FxHashMap<String, Counted>,
}

impl FetchedWords {
    /// Adds the numbers of documents of some words.
    pub(super) fn add<'a>(
        &mut self,
        words: &WordServer,
        server: &NameServer,
        wanted: impl Iterator<Item = &'a str>,
    ) -> Result<(), QdrantFailure> {
        let mut missing: Vec<&str> = Vec::new();
        for word in wanted {
            match words.documents.get(word) {
                Some(documents) => {
                    self.documents.insert(word.to_owned(), documents);
                }
                None if missing.contains(&word) => {}
                None => missing.push(word),
            }
        }
        let points = server.get(words.part.words(), &missing)?;
        let mut found: FxHashMap<&str, u64> = FxHashMap::default();
        found.extend(points.iter().filter_map(|point| points::counted(&point.payload)));
        for word in missing {
            let documents = found.get(word).copied().unwrap_or_default();
            words.documents.insert(word.to_owned(), documents);
            self.documents.insert(word.to_owned(), documents);
        }
        Ok(())
    }

    /// Adds the words that resemble or begin with each of some words.
    pub(super) fn add_similar(
        &mut self,
        words: &WordServer,
        server: &NameServer,
        wanted: &[&str],
    ) -> Result<(), QdrantFailure> {
        let same = |keys: Vec<u32>| keys.into_iter().map(|key| (key, 1.0)).collect::<BTreeMap<_, _>>();
        let resembling = |word: &&str| same(keys::asked_resembling(word));
        let beginning = |word: &&str| same(vec![keys::start(word)]);
        let queries: Vec<WordQuery> = wanted
            .iter()
            .map(|word| WordQuery::new(&resembling(word), Vec::new(), RESEMBLING))
            .chain(wanted.iter().map(|word| WordQuery::new(&beginning(word), Vec::new(), BEGINNING)))
            .collect();
        let found = words.similar(server, &queries)?;
        let (resembling, beginning) = found.split_at(wanted.len().min(found.len()));
        for (word, (near, begun)) in wanted.iter().zip(resembling.iter().zip(beginning)) {
            self.resembling.insert((*word).to_owned(), Arc::clone(near));
            self.beginning.insert((*word).to_owned(), Arc::clone(begun));
        }
        Ok(())
    }

    /// The words that begin with a text, which was asked for, with their numbers of documents.
    pub(super) fn begun<'a>(&'a self, start: &'a str) -> impl Iterator<Item = &'a (String, u64)> {
        let known = self.beginning.get(start).map_or(&[][..], |words| words.as_slice());
        known.iter().filter(move |(word, _)| word.starts_with(start))
    }
}

impl Words for FetchedWords {
    fn documents(&self, word: &str) -> u64 {
        let similar = || {
            let lists = self.resembling.values().chain(self.beginning.values());
            lists
                .flat_map(|list| list.iter())
                .find(|(known, _)| known == word)
                .map(|(_, documents)| *documents)
        };
        self.documents.get(word).copied().or_else(similar).unwrap_or_default()
    }

    fn near(&self, word: &str, edits: u8, fixed: usize, take: &mut dyn FnMut(&str)) {
        let known = self.resembling.get(word).map_or(&[][..], |words| words.as_slice());
        for (near, _) in known {
            let alike = word.chars().take(fixed).eq(near.chars().take(fixed));
            if alike && edit_distance(word, near) <= usize::from(edits) {
                take(near);
            }
        }
    }

    fn beginning(&self, start: &str, limit: usize, take: &mut dyn FnMut(&str, u64)) {
        self.begun(start).take(limit).for_each(|(word, documents)| take(word, *documents));
    }
}

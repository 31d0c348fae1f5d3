//! Names looked up at a Wikibase while a question is answered, and their caches.
//!
//! Uses the client in the index package and the caches.

use crate::cache::{Cache, CacheFigures, Weight};
use eruca_indexer::{
    Label, WikibaseApi, WikibaseApiError, WikibaseEntity, WikibaseFound, WikibaseKind, display_label,
};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Minimum size of the name cache: it holds the names just fetched for showing a result.
const MIN_NAMES: u64 = 1_000;
/// Pause after a failure in which no names are fetched.
const AFTER_FAILURE: Duration = Duration::from_secs(10);
/// Maximum number of names fetched per result or list.
const MAX_FETCHED: usize = 100;

impl Weight for WikibaseEntity {
    fn bytes(&self) -> usize {
        let labels: usize =
            self.labels.iter().map(|Label { text, language }| text.len() + language.len() + 64).sum();
        labels + self.id.len() + self.description.as_ref().map_or(0, String::len) + size_of::<Self>()
    }
}

impl Weight for WikibaseFound {
    fn bytes(&self) -> usize {
        self.hits.iter().map(|hit| hit.entity.bytes()).sum::<usize>() + size_of::<Self>()
    }
}

/// Caches of look-ups, shared by all datasets.
pub struct LiveCaches {
    searches: Option<Arc<Cache<WikibaseFound>>>,
    names: Option<Arc<Cache<WikibaseEntity>>>,
}

impl LiveCaches {
    /// Caches `entries` searches and at least as many names, each for `time_to_live`.
    pub fn new(entries: u64, time_to_live: Duration) -> Self {
        Self {
            searches: Cache::new("lookups", entries, time_to_live),
            names: Cache::new("names", entries.max(MIN_NAMES), time_to_live),
        }
    }

    /// Statistics of the caches.
    pub fn figures(&self) -> impl Iterator<Item = CacheFigures> {
        let searches = self.searches.iter().map(|cache| cache.figures());
        searches.chain(self.names.iter().map(|cache| cache.figures()))
    }
}

/// Names of a Wikibase, looked up on demand.
pub struct LiveNames {
    api: WikibaseApi,
    caches: Arc<LiveCaches>,
    /// Time and reason of the last look-up's failure, if it failed.
    failure: Mutex<Option<(Instant, String)>>,
}

impl LiveNames {
    /// Names looked up with `api`.
    pub fn new(api: WikibaseApi, caches: Arc<LiveCaches>) -> Self {
        Self { api, caches, failure: Mutex::default() }
    }

    /// The URL of the search.
    pub fn address(&self) -> &str {
        self.api.name()
    }

    /// Why the last look-up failed, if it did.
    pub fn failure(&self) -> Option<String> {
        self.last_failure().map(|(_, reason)| reason)
    }

    fn last_failure(&self) -> Option<(Instant, String)> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The IRI to use in queries; for a property, its predicate.
    pub(super) fn iri(&self, kind: WikibaseKind, id: &str) -> String {
        match kind {
            WikibaseKind::Property => self.api.direct_iri(id),
            WikibaseKind::Item | WikibaseKind::Lexeme => self.api.entity_iri(id),
        }
    }

    /// Entities named by a text, best first.
    pub(super) async fn search(
        &self,
        kind: WikibaseKind,
        text: &str,
        languages: &[String],
        limit: usize,
    ) -> Result<WikibaseFound, WikibaseApiError> {
        let key = format!("{}\n{kind:?} {limit}\n{text}", self.place(languages));
        if let Some(known) = self.caches.searches.as_ref().and_then(|cache| cache.get(&key)) {
            self.keep(known.hits.iter().map(|hit| &hit.entity), languages);
            return Ok(known);
        }
        let found = self.noting(self.api.search(kind, text, languages, limit).await)?;
        self.keep(found.hits.iter().map(|hit| &hit.entity), languages);
        // A part of the search that failed may succeed soon, so the result is not cached.
        if let Some(cache) = self.caches.searches.as_ref().filter(|_| found.notes.is_empty()) {
            cache.put(key, found.clone());
        }
        Ok(found)
    }

    /// Fetches the names of IRIs that are not cached yet, up to the maximum for a list. Failures are logged and ignored.
    pub(super) async fn fetch<'a>(&self, iris: impl Iterator<Item = &'a str>, languages: &[String]) {
        let mut wanted: Vec<String> = Vec::new();
        for id in iris.filter_map(|iri| self.api.id(iri)) {
            if wanted.len() < MAX_FETCHED && !wanted.contains(&id) && !self.knows(&id, languages) {
                wanted.push(id);
            }
        }
        // Names are optional; requests should not keep waiting for a failing server.
        let in_trouble = self.last_failure().is_some_and(|(at, _)| at.elapsed() < AFTER_FAILURE);
        if wanted.is_empty() || in_trouble {
            return;
        }
        match self.noting(self.api.entities(&wanted, languages).await) {
            Ok(entities) => self.keep(entities.iter(), languages),
            Err(error) => tracing::warn!(%error, "the names of things in a result could not be read"),
        }
    }

    /// The cached entity for an IRI.
    pub(super) fn entity(&self, iri: &str, languages: &[String]) -> Option<WikibaseEntity> {
        let id = self.api.id(iri)?;
        self.caches.names.as_ref()?.get(&self.key(&id, languages))
    }

    /// The cached name of an IRI.
    pub(super) fn label(&self, iri: &str, languages: &[String]) -> Option<String> {
        display_label(&self.entity(iri, languages)?.labels, languages).map(str::to_owned)
    }

    /// Whether an IRI denotes an entity of the Wikibase or a predicate of one of its properties.
    pub(super) fn names(&self, iri: &str) -> bool {
        self.api.id(iri).is_some()
    }

    fn knows(&self, id: &str, languages: &[String]) -> bool {
        self.caches.names.as_ref().is_some_and(|names| names.get(&self.key(id, languages)).is_some())
    }

    fn keep<'a>(&self, entities: impl Iterator<Item = &'a WikibaseEntity>, languages: &[String]) {
        let Some(names) = &self.caches.names else { return };
        entities.for_each(|entity| names.put(self.key(&entity.id, languages), entity.clone()));
    }

    fn key(&self, id: &str, languages: &[String]) -> String {
        format!("{}\n{id}", self.place(languages))
    }

    /// The source and languages of a look-up, for cache keys.
    fn place(&self, languages: &[String]) -> String {
        format!("{}\n{}", self.address(), languages.join(","))
    }

    fn noting<T>(&self, result: Result<T, WikibaseApiError>) -> Result<T, WikibaseApiError> {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        *failure = result.as_ref().err().map(|error| (Instant::now(), error.to_string()));
        result
    }
}

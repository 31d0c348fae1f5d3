//! Names that are looked up at a Wikibase while a question is answered, and what is remembered of them.
//!
//! Uses the client of the index package and the caches.

use crate::cache::{Cache, CacheFigures, Weight};
use eruca_indexer::{
    Label, WikibaseApi, WikibaseApiError, WikibaseEntity, WikibaseFound, WikibaseKind, display_label,
};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Names that are kept in any case: without them, results could not be shown with the names that were just fetched.
const MIN_NAMES: u64 = 1_000;
/// So long after a failure no names are fetched.
const AFTER_FAILURE: Duration = Duration::from_secs(10);
/// Names fetched for one result or list at most.
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

/// What is remembered of look-ups, for all datasets together.
pub struct LiveCaches {
    searches: Option<Arc<Cache<WikibaseFound>>>,
    names: Option<Arc<Cache<WikibaseEntity>>>,
}

impl LiveCaches {
    /// Remembers at most that many searches, and as many names but for a least number, each for that long.
    pub fn new(entries: u64, time_to_live: Duration) -> Self {
        Self {
            searches: Cache::new("lookups", entries, time_to_live),
            names: Cache::new("names", entries.max(MIN_NAMES), time_to_live),
        }
    }

    /// How useful they have been.
    pub fn figures(&self) -> impl Iterator<Item = CacheFigures> {
        let searches = self.searches.iter().map(|cache| cache.figures());
        searches.chain(self.names.iter().map(|cache| cache.figures()))
    }
}

/// Names of a Wikibase, looked up when they are needed.
pub struct LiveNames {
    api: WikibaseApi,
    caches: Arc<LiveCaches>,
    /// What went wrong with the last look-up, if something did, and when.
    failure: Mutex<Option<(Instant, String)>>,
}

impl LiveNames {
    /// Names by way of `api`.
    pub fn new(api: WikibaseApi, caches: Arc<LiveCaches>) -> Self {
        Self { api, caches, failure: Mutex::default() }
    }

    /// The address of the search.
    pub fn address(&self) -> &str {
        self.api.name()
    }

    /// What went wrong with the last look-up, if something did.
    pub fn failure(&self) -> Option<String> {
        self.last_failure().map(|(_, reason)| reason)
    }

    fn last_failure(&self) -> Option<(Instant, String)> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The IRI by which queries name what was found: of a property its predicate.
    pub(super) fn iri(&self, kind: WikibaseKind, id: &str) -> String {
        match kind {
            WikibaseKind::Property => self.api.direct_iri(id),
            WikibaseKind::Item | WikibaseKind::Lexeme => self.api.entity_iri(id),
        }
    }

    /// What a text names, best first.
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
        // A part of the search that failed may work again in a moment.
        if let Some(cache) = self.caches.searches.as_ref().filter(|_| found.notes.is_empty()) {
            cache.put(key, found.clone());
        }
        Ok(found)
    }

    /// Fetches the names of IRIs that have none yet, as many as a list shows. What cannot be fetched stays without.
    pub(super) async fn fetch<'a>(&self, iris: impl Iterator<Item = &'a str>, languages: &[String]) {
        let mut wanted: Vec<String> = Vec::new();
        for id in iris.filter_map(|iri| self.api.id(iri)) {
            if wanted.len() < MAX_FETCHED && !wanted.contains(&id) && !self.knows(&id, languages) {
                wanted.push(id);
            }
        }
        // Names are a help; nobody should wait again and again for a server that is in trouble.
        let in_trouble = self.last_failure().is_some_and(|(at, _)| at.elapsed() < AFTER_FAILURE);
        if wanted.is_empty() || in_trouble {
            return;
        }
        match self.noting(self.api.entities(&wanted, languages).await) {
            Ok(entities) => self.keep(entities.iter(), languages),
            Err(error) => tracing::warn!(%error, "the names of things in a result could not be read"),
        }
    }

    /// What is remembered of an IRI.
    pub(super) fn entity(&self, iri: &str, languages: &[String]) -> Option<WikibaseEntity> {
        let id = self.api.id(iri)?;
        self.caches.names.as_ref()?.get(&self.key(&id, languages))
    }

    /// The remembered name of an IRI.
    pub(super) fn label(&self, iri: &str, languages: &[String]) -> Option<String> {
        display_label(&self.entity(iri, languages)?.labels, languages).map(str::to_owned)
    }

    /// Whether an IRI is that of an entity of the Wikibase or of a predicate of its properties.
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

    /// Where and in which languages names were looked up.
    fn place(&self, languages: &[String]) -> String {
        format!("{}\n{}", self.address(), languages.join(","))
    }

    fn noting<T>(&self, result: Result<T, WikibaseApiError>) -> Result<T, WikibaseApiError> {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        *failure = result.as_ref().err().map(|error| (Instant::now(), error.to_string()));
        result
    }
}

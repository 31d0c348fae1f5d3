//! Names that are looked up at a Wikibase while a question is answered, and what is remembered of them.
//!
//! Uses the client of the index package and the caches.

use crate::cache::{Cache, CacheFigures, Weight};
use eruca_indexer::{
    Label, WikibaseApi, WikibaseApiError, WikibaseEntity, WikibaseFound, WikibaseKind, display_label,
};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Names that are kept in any case: without them, results could not be shown with the names that were just fetched.
const MIN_NAMES: u64 = 1_000;
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

/// The predicates by which a Wikibase has classes.
#[derive(Debug, Clone, Default)]
pub struct ClassPredicates {
    /// What an item is an instance of.
    pub instance_of: Option<String>,
    /// What a class is a subclass of.
    pub subclass_of: Option<String>,
}

/// Names of a Wikibase, looked up when they are needed.
pub struct LiveNames {
    api: WikibaseApi,
    pub(super) predicates: ClassPredicates,
    caches: Arc<LiveCaches>,
    /// What went wrong with the last look-up, if something did.
    failure: Mutex<Option<String>>,
}

impl LiveNames {
    /// Names by way of `api`.
    pub fn new(api: WikibaseApi, predicates: ClassPredicates, caches: Arc<LiveCaches>) -> Self {
        Self { api, predicates, caches, failure: Mutex::default() }
    }

    /// The address of the search.
    pub fn address(&self) -> &str {
        self.api.name()
    }

    /// What went wrong with the last look-up, if something did.
    pub fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The IRI by which queries name what was found: of a property its predicate.
    pub(super) fn iri(&self, kind: WikibaseKind, id: &str) -> String {
        match kind {
            WikibaseKind::Property => self.api.namespaces().direct(id),
            WikibaseKind::Item | WikibaseKind::Lexeme => self.api.namespaces().entity(id),
        }
    }

    /// What a text names, best first.
    pub(super) async fn search(
        &self,
        kind: WikibaseKind,
        text: &str,
        limit: usize,
    ) -> Result<WikibaseFound, WikibaseApiError> {
        let key = format!("{}\n{kind:?} {limit}\n{text}", self.address());
        if let Some(known) = self.caches.searches.as_ref().and_then(|cache| cache.get(&key)) {
            self.keep(known.hits.iter().map(|hit| &hit.entity));
            return Ok(known);
        }
        let found = self.noting(self.api.search(kind, text, limit).await)?;
        self.keep(found.hits.iter().map(|hit| &hit.entity));
        // A part of the search that failed may work again in a moment.
        if let Some(cache) = self.caches.searches.as_ref().filter(|_| found.notes.is_empty()) {
            cache.put(key, found.clone());
        }
        Ok(found)
    }

    /// Fetches the names of IRIs that have none yet, as many as a list shows. What cannot be fetched stays without.
    pub(super) async fn fetch<'a>(&self, iris: impl Iterator<Item = &'a str>) {
        let mut wanted: Vec<String> = Vec::new();
        for id in iris.filter_map(|iri| self.api.namespaces().id(iri)) {
            if wanted.len() < MAX_FETCHED && !wanted.iter().any(|known| known == id) && !self.knows(id) {
                wanted.push(id.to_owned());
            }
        }
        if wanted.is_empty() {
            return;
        }
        match self.noting(self.api.entities(&wanted).await) {
            Ok(entities) => self.keep(entities.iter()),
            Err(error) => tracing::warn!(%error, "names of a result are not shown"),
        }
    }

    /// What is remembered of an IRI.
    pub(super) fn entity(&self, iri: &str) -> Option<WikibaseEntity> {
        let id = self.api.namespaces().id(iri)?;
        self.caches.names.as_ref()?.get(&self.key(id))
    }

    /// The remembered name of an IRI.
    pub(super) fn label(&self, iri: &str, languages: &[String]) -> Option<String> {
        display_label(&self.entity(iri)?.labels, languages).map(str::to_owned)
    }

    /// Whether an IRI belongs to the entities and direct predicates of the Wikibase.
    pub(super) fn names(&self, iri: &str) -> bool {
        self.api.namespaces().id(iri).is_some()
    }

    fn knows(&self, id: &str) -> bool {
        self.caches.names.as_ref().is_some_and(|names| names.get(&self.key(id)).is_some())
    }

    fn keep<'a>(&self, entities: impl Iterator<Item = &'a WikibaseEntity>) {
        let Some(names) = &self.caches.names else { return };
        entities.for_each(|entity| names.put(self.key(&entity.id), entity.clone()));
    }

    fn key(&self, id: &str) -> String {
        format!("{}\n{id}", self.address())
    }

    fn noting<T>(&self, result: Result<T, WikibaseApiError>) -> Result<T, WikibaseApiError> {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        *failure = result.as_ref().err().map(ToString::to_string);
        result
    }
}

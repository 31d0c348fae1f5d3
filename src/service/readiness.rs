//! What the service reports about itself: its datasets, and the health of each part.

use super::Service;
use super::index::check_index;
use super::solve::{ENDPOINT_CHECK_TIME, ask_endpoint};
use super::types::ServiceError;
use eruca_api::{DatasetSummary, PartHealth, PartState, Readiness};
use eruca_dataset::Dataset;
use eruca_indexer::DatasetIndex;
use eruca_indexer::texts::TextIndex;
use eruca_sparql::{Dialect, QueryError};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, join_all};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a result is reused, so that frequent calls do not become frequent requests to other servers.
const TOLD_FOR: Duration = Duration::from_secs(5);

/// The same for our own stores, which may be checked more often, so that a recovery is reported at once.
const OWN_TOLD_FOR: Duration = Duration::from_millis(200);

/// Sort position of parts other than endpoints.
const BEHIND_ENDPOINTS: usize = usize::MAX;

/// Parts with their position in the list; endpoints are numbered like their datasets.
type Parts = Vec<(usize, PartState)>;

/// The last checks of our own stores and of everything else.
#[derive(Default)]
pub(super) struct LastLooks {
    own: LastLook,
    others: LastLook,
}

impl LastLooks {
    /// Discards the last checks.
    pub(super) fn forget(&self) {
        for LastLook(seen) in [&self.own, &self.others] {
            *seen.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}

/// The last check, finished or in progress.
#[derive(Default)]
struct LastLook(Mutex<Option<(Instant, Look)>>);

type Look = Shared<BoxFuture<'static, Parts>>;

impl LastLook {
    /// The current check: the last one if it is in progress or younger than `told_for`, else a new one. It is shared,
    /// and continues if the caller that started it goes away.
    fn look<F>(&self, now: Instant, told_for: Duration, look: impl FnOnce() -> F) -> Look
    where
        F: Future<Output = Parts> + Send + 'static,
    {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match seen.as_ref() {
            Some((begun, kept))
                if kept.peek().is_none() || now.saturating_duration_since(*begun) < told_for =>
            {
                kept.clone()
            }
            Some(_) | None => {
                let task = tokio::spawn(look());
                let look = async { task.await.unwrap_or_else(|_| at_fault()) }.boxed().shared();
                *seen = Some((now, look.clone()));
                look
            }
        }
    }
}

/// A check that panicked is reported as a part that is down; later checks are not affected.
fn at_fault() -> Parts {
    let detail = "an internal error in this check; the log has the cause".to_owned();
    let part = PartState { part: "service".to_owned(), state: PartHealth::Down, detail };
    vec![(BEHIND_ENDPOINTS, part)]
}

impl Service {
    /// The datasets in configured order.
    pub fn datasets(&self) -> Vec<DatasetSummary> {
        self.served.now().opened.iter().map(|dataset| summary(dataset)).collect()
    }

    /// The dataset with this id or alias.
    ///
    /// # Errors
    /// If there is none, or it could not be opened.
    pub fn summary_of(&self, name: &str) -> Result<DatasetSummary, ServiceError> {
        self.find_one(name).map(|dataset| summary(&dataset))
    }

    /// The state of every part. Endpoints of others are checked at most once per [`TOLD_FOR`], however often this is
    /// called, our own stores once per [`OWN_TOLD_FOR`].
    pub async fn readiness(self: &Arc<Self>) -> Readiness {
        let (now, service, again) = (Instant::now(), Arc::clone(self), Arc::clone(self));
        let own = self.seen.own.look(now, OWN_TOLD_FOR, || async move { service.look_at_stores(true).await });
        let others = self.seen.others.look(now, TOLD_FOR, || async move { again.look_at_others().await });
        let (mut parts, others) = tokio::join!(own, others);
        parts.extend(others);
        parts.sort_by_key(|(place, _)| *place);
        let parts: Vec<PartState> = parts.into_iter().map(|(_, part)| part).collect();
        Readiness { ready: parts.iter().all(|part| part.state != PartHealth::Down), parts: Some(parts) }
    }

    /// Checks each endpoint once: either our own or the others.
    async fn look_at_stores(&self, own: bool) -> Parts {
        let served = self.served.now();
        let datasets = served.opened.iter().enumerate();
        let asked = datasets.filter(|(_, dataset)| dataset.endpoint.is_own() == own);
        join_all(asked.map(async |(number, dataset)| (number, self.endpoint_state(dataset).await))).await
    }

    /// Checks every part except our own stores.
    async fn look_at_others(&self) -> Parts {
        let served = self.served.now();
        let indexes = join_all(served.opened.iter().map(index_state));
        let (mut endpoints, mut parts) = tokio::join!(self.look_at_stores(false), indexes);
        parts.extend(self.unopened_parts());
        let degraded = self.degraded().into_iter();
        parts.extend(degraded.map(|detail| PartState {
            part: "service".to_owned(),
            state: PartHealth::Degraded,
            detail,
        }));
        if let Some(model) = &self.model {
            let detail = format!("{} is configured; this check does not ask it", model.name());
            parts.push(PartState { part: "chat model".to_owned(), state: PartHealth::Ok, detail });
        }
        endpoints.extend(parts.into_iter().map(|part| (BEHIND_ENDPOINTS, part)));
        endpoints
    }

    async fn endpoint_state(&self, dataset: &Dataset) -> PartState {
        let part = format!("dataset {}: endpoint", dataset.id);
        let name = dataset.endpoint.name();
        let asked = ask_endpoint(dataset, ENDPOINT_CHECK_TIME).await;
        let (state, detail) = match (asked, dataset.endpoint.overrun()) {
            (Ok(_), None) => (PartHealth::Ok, format!("{name} answers{}", spoken(dataset))),
            (Ok(_), Some(over)) => {
                let over = over.as_secs();
                (
                    PartHealth::Degraded,
                    format!("{name} answers, but a query is still running {over} s after its deadline"),
                )
            }
            (Err(error @ (QueryError::Unavailable { .. } | QueryError::Timeout { .. })), _) => {
                let kept = self.caches.answers.is_some();
                let but =
                    if kept { "; questions that were answered recently are still answered" } else { "" };
                (PartHealth::Down, format!("{name}: {error}{but}"))
            }
            // The server responds, so questions may get through.
            (Err(error), _) => (PartHealth::Degraded, format!("{name}: {error}")),
        };
        PartState { part, state, detail }
    }
}

/// The name of the engine, if known.
fn spoken(dataset: &Dataset) -> String {
    match dataset.endpoint.dialect() {
        plain if plain == Dialect::plain() => String::new(),
        known => format!("; it is taken for {}", known.title()),
    }
}

/// A schema-index server that fails only degrades the results; damaged files make answers impossible.
async fn index_state(dataset: &Arc<Dataset>) -> PartState {
    let part = format!("dataset {}: index", dataset.id);
    if let Err(damaged) = check_index(dataset).await {
        return PartState { part, state: PartHealth::Down, detail: damaged.to_string() };
    }
    if let (Some(live), false) = (dataset.live(), dataset.is_indexed()) {
        let names =
            format!("no index; names are looked up at {}, which this check does not ask", live.address());
        return match live.failure() {
            None => PartState { part, state: PartHealth::Ok, detail: names },
            Some(failure) => PartState {
                part,
                state: PartHealth::Degraded,
                detail: format!("{names}; the last look-up failed: {failure}"),
            },
        };
    }
    let (entities, search) = (dataset.index.manifest.entities, dataset.index.schema.describe());
    let mut detail = format!("{entities} entities, schema search {search}");
    if let Some(texts) = &dataset.index.texts {
        detail.push_str(&format!(", text search {}", texts.describe()));
    }
    let failing = failing_searches(&dataset.index).await;
    let state = if failing.is_empty() { PartHealth::Ok } else { PartHealth::Degraded };
    for failure in failing {
        detail.push_str(&format!("; {failure}"));
    }
    PartState { part, state, detail }
}

/// What is searched with less than it could be, as a server fails.
async fn failing_searches(index: &DatasetIndex) -> Vec<String> {
    let schema = index.schema.check().await.err();
    let schema =
        schema.map(|error| format!("{error}; classes and properties are found by their names alone"));
    let texts = match &index.texts {
        Some(texts) => texts.check().await.err(),
        None => None,
    };
    let texts = texts.map(|error| format!("{error}; texts are found by their words alone"));
    let names = index.check_names().await.err();
    let names = names.map(|error| format!("{error}; entities and values cannot be found"));
    schema.into_iter().chain(texts).chain(names).collect()
}

fn summary(dataset: &Dataset) -> DatasetSummary {
    let manifest = &dataset.index.manifest;
    let languages = dataset.index.card.languages.iter().filter(|(tag, _)| !tag.is_empty());
    DatasetSummary {
        id: dataset.id.clone(),
        aliases: dataset.aliases.clone(),
        name: dataset.name.clone(),
        endpoint: dataset.endpoint.name().to_owned(),
        dialect: dataset.endpoint.dialect().name().to_owned(),
        triples: manifest.triples,
        entities: manifest.entities,
        classes: manifest.classes,
        properties: manifest.properties,
        languages: languages.map(|(tag, _)| tag.clone()).collect(),
        schema_search: schema_search(dataset),
        text_search: dataset.index.texts.as_ref().map(TextIndex::describe),
    }
}

/// How classes and properties are searched.
fn schema_search(dataset: &Dataset) -> String {
    let index = dataset.index.schema.describe();
    match (dataset.live(), dataset.is_indexed()) {
        (None, _) => index,
        (Some(_), true) => format!("{index} and wikibase-api"),
        (Some(_), false) => "wikibase-api".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::sync::Semaphore;

    fn seen(number: usize) -> Parts {
        let state = PartHealth::Ok;
        vec![(number, PartState { part: String::new(), state, detail: String::new() })]
    }

    #[tokio::test]
    async fn a_look_is_shared_and_told_again_for_some_time() {
        for told_for in [TOLD_FOR, OWN_TOLD_FOR] {
            let (last, looks, gate) =
                (LastLook::default(), Arc::new(AtomicUsize::new(0)), Arc::new(Semaphore::new(0)));
            let begin = || {
                let (looks, gate) = (Arc::clone(&looks), Arc::clone(&gate));
                async move {
                    let number = looks.fetch_add(1, Ordering::Relaxed);
                    let _passed = gate.acquire().await;
                    seen(number)
                }
            };
            let now = Instant::now();
            // Callers that go away and callers that come late all share one check.
            for later in [Duration::ZERO, Duration::ZERO, 2 * told_for] {
                assert!(last.look(now + later, told_for, begin).now_or_never().is_none());
            }
            gate.add_permits(1);
            for (later, number) in [(Duration::ZERO, 0), (told_for / 2, 0), (told_for, 1)] {
                assert_eq!(last.look(now + later, told_for, begin).await[0].0, number);
            }
            assert_eq!(looks.load(Ordering::Relaxed), 2);
        }
    }

    #[tokio::test]
    async fn a_fault_while_looking_is_a_part_that_is_down() {
        let (last, now) = (LastLook::default(), Instant::now());
        for _ in 0..2 {
            let parts = last.look(now, TOLD_FOR, || async { panic!("a fault") }).await;
            assert_eq!(parts[0].1.state, PartHealth::Down);
        }
        assert_eq!(last.look(now + TOLD_FOR, TOLD_FOR, || async { seen(7) }).await[0].0, 7);
    }
}

//! Opens rebuilt dataset indexes, and changed files of what their owners know, while the service keeps answering. New questions use the new index; the old one is
//! closed after its last question.

use super::Service;
use super::types::ServiceError;
use async_trait::async_trait;
use eruca_api::Reload;
use eruca_dataset::Dataset;
use eruca_indexer::Outdated;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Opens datasets in their current state; implemented where the settings are known.
#[async_trait]
pub trait DatasetSource: Send + Sync {
    /// Opens the dataset with this id and its current index.
    ///
    /// # Errors
    /// Why it cannot be opened and what to do, as a message for people.
    async fn open(&self, id: &str) -> Result<Dataset, String>;
}

/// State for reopening datasets.
#[derive(Default)]
pub(super) struct Reloading {
    source: Option<Arc<dyn DatasetSource>>,
    /// Serializes reloads.
    turn: tokio::sync::Mutex<()>,
    /// Whether datasets are tried again by themselves.
    watched: AtomicBool,
    failed: Mutex<BTreeMap<String, FailedReload>>,
}

/// First and longest pause before what could not be opened is tried again; each is twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// So that nobody is told to come back at once, while it is being opened.
const SHORTEST_TOLD: Duration = Duration::from_secs(1);

/// A dataset, or what has become of it, that could not be opened.
struct FailedReload {
    /// What has become of an opened dataset; `None` if it was not open.
    version: Option<String>,
    reason: String,
    /// The pause after the last try, and its end.
    pause: Duration,
    next: Instant,
}

impl Reloading {
    /// Why what this dataset has become could not be opened.
    pub(super) fn failure(&self, id: &str) -> Option<String> {
        self.failed().get(id).filter(|failed| failed.version.is_some()).map(|failed| failed.reason.clone())
    }

    /// A change that could not be opened was taken back.
    fn settled(&self, id: &str) {
        let mut failed = self.failed();
        if failed.get(id).is_some_and(|failed| failed.version.is_some()) {
            failed.remove(id);
        }
    }

    /// Whether the dataset, or what has become of it, may be opened now: it has not failed, or the pause after that is over.
    fn is_due(&self, id: &str, version: Option<&str>) -> bool {
        let failed = self.failed();
        let same = failed.get(id).filter(|failed| failed.version.as_deref() == version);
        same.is_none_or(|failed| failed.next <= Instant::now())
    }

    /// When a dataset that is not open is tried again, if that happens by itself.
    pub(super) fn again_in(&self, id: &str) -> Option<Duration> {
        let left = |failed: &FailedReload| failed.next.saturating_duration_since(Instant::now());
        let watched = self.watched.load(Ordering::Relaxed);
        watched.then(|| self.failed().get(id).map_or(FIRST_PAUSE, left).max(SHORTEST_TOLD))
    }

    /// Notes a failure, and logs it unless it is the one before.
    fn note_failure(&self, id: &str, version: Option<String>, reason: &str) {
        let mut failed = self.failed();
        let before = failed.get(id).filter(|before| before.version == version);
        if before.is_none_or(|before| before.reason != reason) {
            tracing::error!(dataset = id, reason, "the dataset is not reloaded");
        }
        let pause = before.map_or(FIRST_PAUSE, |before| LONGEST_PAUSE.min(before.pause * 2));
        let next = Instant::now() + pause;
        failed.insert(id.to_owned(), FailedReload { version, reason: reason.to_owned(), pause, next });
    }

    fn failed(&self) -> MutexGuard<'_, BTreeMap<String, FailedReload>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Service {
    /// Enables reloading of datasets.
    #[must_use]
    pub fn reloading(self, source: Arc<dyn DatasetSource>) -> Self {
        Self { reloading: Reloading { source: Some(source), ..self.reloading }, ..self }
    }

    /// Reopens a dataset, by id or alias, if its index was rebuilt, the files of its owner were changed, it is damaged, or could not be opened. Questions in
    /// progress keep the old one.
    ///
    /// # Errors
    /// `UnknownDataset`, or `NotReloaded` if it cannot be opened; an old one then continues to answer.
    pub async fn reload(&self, name: &str) -> Result<Reload, ServiceError> {
        for (_, role) in &self.roles {
            // A role that does not see the dataset has none to reload; what fails is in the log.
            let _logged = role.reload_own(name).await;
        }
        self.reload_own(name).await
    }

    /// The same without the services of roles.
    async fn reload_own(&self, name: &str) -> Result<Reload, ServiceError> {
        let _turn = self.reloading.turn.lock().await;
        match self.find_one(name) {
            Ok(old) => {
                refresh_questions(&old).await;
                let newer = newer(&old).await;
                if newer.is_none() && old.index.damage().is_none() {
                    let triples = old.index.manifest.triples;
                    let dataset = old.id.clone();
                    return Ok(Reload { dataset, reloaded: false, triples, elapsed: Duration::ZERO });
                }
                self.replace(&old.id, newer).await
            }
            Err(ServiceError::NotOpened { dataset, .. }) => self.replace(&dataset, None).await,
            Err(other) => Err(other),
        }
    }

    async fn replace(&self, id: &str, version: Option<String>) -> Result<Reload, ServiceError> {
        let started = Instant::now();
        let opened = match self.reloading.source.clone() {
            // Reading and verifying files would block the async threads.
            Some(source) => {
                let id = id.to_owned();
                self.cpu_pool.aside(async move { source.open(&id).await }).await
            }
            None => Err("this program opens its datasets once".to_owned()),
        };
        let dataset = opened.map_err(|reason| {
            self.reloading.note_failure(id, version, &reason);
            self.served.change(|served| served.tell(id, &reason));
            ServiceError::NotReloaded { dataset: id.to_owned(), reason }
        })?;
        let triples = dataset.index.manifest.triples;
        self.served.change(|served| served.put(Arc::new(dataset)));
        self.reloading.failed().remove(id);
        self.examples.forget(id);
        self.seen.forget();
        let elapsed = started.elapsed();
        tracing::info!(dataset = id, triples, ms = elapsed.as_millis(), "the dataset was reloaded");
        Ok(Reload { dataset: id.to_owned(), reloaded: true, triples, elapsed })
    }

    /// Reopens every dataset whose index was rebuilt or whose files of its owner were changed, opens those that could not be
    /// opened before, and reads verified questions again that have changed. Failures are logged and reported in the state of the
    /// service; what has failed is tried again after pauses.
    pub async fn reload_changed(&self) {
        for (_, role) in &self.roles {
            role.reload_own_changed().await;
        }
        self.reload_own_changed().await;
    }

    async fn reload_own_changed(&self) {
        let served = self.served.now();
        for dataset in &served.opened {
            refresh_questions(dataset).await;
            match newer(dataset).await {
                Some(version) if !self.reloading.is_due(&dataset.id, Some(&version)) => {}
                Some(_) => _ = self.reload_own(&dataset.id).await,
                None => self.reloading.settled(&dataset.id),
            }
        }
        for dataset in served.unopened.iter().filter(|dataset| self.reloading.is_due(&dataset.id, None)) {
            let _logged = self.reload_own(&dataset.id).await;
        }
    }

    /// Like `reload_changed`, but without pauses after failures.
    pub async fn reload_all(&self) {
        let served = self.served.now();
        let opened = served.opened.iter().map(|dataset| &dataset.id);
        for id in opened.chain(served.unopened.iter().map(|it| &it.id)) {
            let _logged = self.reload(id).await;
        }
    }

    /// Periodically checks for new indexes; ends with the service.
    pub async fn watch(service: Weak<Self>, every: Duration) {
        if let Some(service) = service.upgrade() {
            let roles = service.roles.iter().map(|(_, role)| role.as_ref());
            for service in roles.chain([service.as_ref()]) {
                service.reloading.watched.store(true, Ordering::Relaxed);
            }
        }
        loop {
            tokio::time::sleep(every).await;
            let Some(service) = service.upgrade() else { return };
            service.reload_changed().await;
        }
    }
}

/// Identifies the present index and the present files of its owner, if either is other than when this one was opened.
async fn newer(dataset: &Arc<Dataset>) -> Option<String> {
    let dataset = dataset.clone();
    let look = tokio::task::spawn_blocking(move || {
        let version = match dataset.index.outdated_now() {
            Some(Outdated::Newer { version, .. }) => Some(version),
            Some(Outdated::Gone) | None => None,
        };
        let known = dataset.knowledge().changed();
        let changed = version.is_some() || known.is_some();
        changed.then(|| format!("{} {}", version.unwrap_or_default(), known.unwrap_or_default()))
    });
    look.await.ok()?
}

/// Reads the verified questions of a dataset again if their files have changed.
async fn refresh_questions(dataset: &Arc<Dataset>) {
    let (id, dataset) = (dataset.id.clone(), dataset.clone());
    let read = tokio::task::spawn_blocking(move || dataset.questions().refresh()).await;
    let Ok(Some((count, problems))) = read else { return };
    tracing::info!(dataset = id, count, "the verified questions were read again");
    for problem in problems {
        tracing::warn!(dataset = id, %problem, "verified questions have an error; those read before are kept");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The end of all pauses.
    fn later(reloading: &Reloading) {
        reloading.failed().values_mut().for_each(|failed| failed.next = Instant::now());
    }

    #[test]
    fn what_has_failed_is_tried_again_after_longer_and_longer_pauses() {
        let reloading = Reloading::default();
        assert!(reloading.is_due("shop", None));
        let mut pauses = Vec::new();
        for _ in 0..6 {
            reloading.note_failure("shop", None, "no answer");
            assert!(!reloading.is_due("shop", None));
            pauses.extend(reloading.failed().get("shop").map(|failed| failed.pause.as_secs()));
            later(&reloading);
            assert!(reloading.is_due("shop", None));
        }
        assert_eq!(pauses, [5, 10, 20, 40, 60, 60]);
        // Another version has not failed yet.
        reloading.note_failure("shop", Some("one".to_owned()), "no answer");
        assert!(!reloading.is_due("shop", Some("one")) && reloading.is_due("shop", Some("two")));
    }

    #[test]
    fn when_it_is_tried_again_is_told_only_if_somebody_does() {
        let reloading = Reloading::default();
        reloading.note_failure("shop", None, "no answer");
        assert_eq!(reloading.again_in("shop"), None);
        reloading.watched.store(true, Ordering::Relaxed);
        let told = reloading.again_in("shop").unwrap();
        assert!(told <= FIRST_PAUSE && told >= SHORTEST_TOLD, "{told:?}");
        later(&reloading);
        assert_eq!(reloading.again_in("shop"), Some(SHORTEST_TOLD));
    }
}

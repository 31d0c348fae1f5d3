//! Opens rebuilt dataset indexes, and changed files of what their owners know, while the service keeps answering. New questions use the new index; the old one is
//! closed after its last question.

use super::Service;
use super::types::ServiceError;
use async_trait::async_trait;
use eruca_api::Reload;
use eruca_dataset::Dataset;
use eruca_indexer::Outdated;
use std::collections::BTreeMap;
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
    failed: Mutex<BTreeMap<String, FailedReload>>,
}

/// An index that failed to replace another one. It is not retried automatically.
struct FailedReload {
    version: Option<String>,
    reason: String,
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

    fn has_failed(&self, id: &str, version: &str) -> bool {
        self.failed().get(id).is_some_and(|failed| failed.version.as_deref() == Some(version))
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
            tracing::error!(dataset = id, reason, "the dataset is not reloaded");
            let failed = FailedReload { version, reason: reason.clone() };
            self.reloading.failed().insert(id.to_owned(), failed);
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

    /// Reopens every dataset whose index was rebuilt or whose files of its owner were changed, and reads verified questions
    /// again that have changed; failures are logged and reported in the state of the service.
    pub async fn reload_changed(&self) {
        for (_, role) in &self.roles {
            role.reload_own_changed().await;
        }
        self.reload_own_changed().await;
    }

    async fn reload_own_changed(&self) {
        for dataset in &self.served.now().opened {
            refresh_questions(dataset).await;
            match newer(dataset).await {
                Some(version) if self.reloading.has_failed(&dataset.id, &version) => {}
                Some(_) => _ = self.reload_own(&dataset.id).await,
                None => self.reloading.settled(&dataset.id),
            }
        }
    }

    /// Like `reload_changed`, but also retries what failed before or could not be opened at all.
    pub async fn reload_all(&self) {
        let served = self.served.now();
        let opened = served.opened.iter().map(|dataset| &dataset.id);
        for id in opened.chain(served.unopened.iter().map(|it| &it.id)) {
            let _logged = self.reload(id).await;
        }
    }

    /// Periodically checks for new indexes; ends with the service.
    pub async fn watch(service: Weak<Self>, every: Duration) {
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

//! The datasets of a service, including those that could not be opened. A reopened dataset replaces the old one
//! atomically; requests that started with the old one finish with it.

use super::{Service, ServiceError};
use eruca_api::{PartHealth, PartState};
use eruca_dataset::Dataset;
use std::sync::{Arc, PoisonError, RwLock};

/// A dataset that could not be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unopened {
    /// The id under which it would be served.
    pub id: String,
    /// Its aliases.
    pub aliases: Vec<String>,
    /// Why it could not be opened, and what to do.
    pub reason: String,
}

impl Unopened {
    fn answers_to(&self, name: &str) -> bool {
        self.id == name || self.aliases.iter().any(|alias| alias == name)
    }
}

/// The datasets currently served.
#[derive(Clone, Default)]
pub(super) struct Datasets {
    /// In configured order.
    pub(super) opened: Vec<Arc<Dataset>>,
    pub(super) unopened: Vec<Unopened>,
}

/// The datasets, which may be replaced.
pub(super) struct Served(RwLock<Arc<Datasets>>);

impl Served {
    pub(super) fn new(opened: Vec<Arc<Dataset>>) -> Self {
        Self(RwLock::new(Arc::new(Datasets { opened, unopened: Vec::new() })))
    }

    /// A snapshot of the current datasets, which never changes.
    pub(super) fn now(&self) -> Arc<Datasets> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Datasets)) {
        let mut served = self.0.write().unwrap_or_else(PoisonError::into_inner);
        change(Arc::make_mut(&mut served));
    }
}

impl Datasets {
    /// The dataset with this id or alias.
    pub(super) fn opened(&self, name: &str) -> Option<&Arc<Dataset>> {
        self.opened.iter().find(|dataset| dataset.answers_to(name))
    }

    /// The dataset with this id or alias that could not be opened.
    pub(super) fn unopened(&self, name: &str) -> Option<&Unopened> {
        self.unopened.iter().find(|it| it.answers_to(name))
    }

    /// Adds a dataset, replacing the one with the same id.
    pub(super) fn put(&mut self, dataset: Arc<Dataset>) {
        self.unopened.retain(|it| it.id != dataset.id);
        match self.opened.iter_mut().find(|old| old.id == dataset.id) {
            Some(place) => *place = dataset,
            None => self.opened.push(dataset),
        }
    }
}

impl Service {
    /// Registers datasets that are configured but cannot be served.
    #[must_use]
    pub fn without(self, unopened: Vec<Unopened>) -> Self {
        self.served.change(|served| served.unopened = unopened);
        self
    }

    /// Datasets that are configured but not served.
    pub fn unopened(&self) -> Vec<Unopened> {
        self.served.now().unopened.clone()
    }

    /// The current dataset with this id or alias.
    pub fn dataset(&self, name: &str) -> Option<Arc<Dataset>> {
        self.served.now().opened(name).cloned()
    }

    /// Whether a dataset has texts beside its graph.
    pub fn has_texts(&self) -> bool {
        self.served.now().opened.iter().any(|dataset| dataset.has_texts())
    }

    /// The dataset with this id or alias.
    ///
    /// # Errors
    /// If there is none, or it could not be opened.
    pub(super) fn find(&self, name: &str) -> Result<Arc<Dataset>, ServiceError> {
        let served = self.served.now();
        match (served.opened(name), served.unopened(name)) {
            (Some(dataset), _) => Ok(dataset.clone()),
            (None, Some(Unopened { id, reason, .. })) => {
                Err(ServiceError::NotOpened { dataset: id.clone(), reason: reason.clone() })
            }
            (None, None) => Err(ServiceError::UnknownDataset {
                asked: name.to_owned(),
                known: served.opened.iter().map(|dataset| dataset.id.clone()).collect(),
            }),
        }
    }

    /// The state of the datasets that could not be opened.
    pub(super) fn unopened_parts(&self) -> Vec<PartState> {
        let part = |Unopened { id, reason, .. }: Unopened| PartState {
            part: format!("dataset {id}"),
            state: PartHealth::Down,
            detail: format!(
                "it could not be opened: {reason}; reload it or restart the service when that is fixed"
            ),
        };
        self.unopened().into_iter().map(part).collect()
    }
}

//! The datasets of a service, including those that could not be opened. A reopened dataset replaces the old one
//! atomically; requests that started with the old one finish with it.

use super::{Service, ServiceError};
use eruca_api::{PartHealth, PartState};
use eruca_dataset::{Dataset, ID_SEPARATOR};
use std::sync::{Arc, PoisonError, RwLock};

/// Datasets that can be asked together.
const MAX_TOGETHER: usize = 8;

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

    /// Notes why a dataset could not be opened once more.
    pub(super) fn tell(&mut self, id: &str, reason: &str) {
        if let Some(unopened) = self.unopened.iter_mut().find(|it| it.id == id) {
            reason.clone_into(&mut unopened.reason);
        }
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

    /// The current dataset with this id or alias, or several as one.
    pub fn dataset(&self, name: &str) -> Option<Arc<Dataset>> {
        self.find(name).ok()
    }

    /// The ids of the datasets with what identifies the terms that are hidden in each.
    pub fn seals(&self) -> Vec<(String, String)> {
        self.served.now().opened.iter().map(|dataset| (dataset.id.clone(), dataset.seal())).collect()
    }

    /// The current dataset with this id or alias, which is not several as one.
    ///
    /// # Errors
    /// If there is none, or it could not be opened.
    pub fn one(&self, name: &str) -> Result<Arc<Dataset>, ServiceError> {
        self.find_one(name)
    }

    /// Whether a dataset has texts beside its graph.
    pub fn has_texts(&self) -> bool {
        self.served.now().opened.iter().any(|dataset| dataset.has_texts())
    }

    /// The dataset with this id or alias, or several as one, with their names separated by commas.
    ///
    /// # Errors
    /// If there is none, or it could not be opened.
    pub(super) fn find(&self, name: &str) -> Result<Arc<Dataset>, ServiceError> {
        match self.find_one(name) {
            Err(ServiceError::UnknownDataset { .. }) if name.contains(ID_SEPARATOR) => {
                let all = self.find_each(name)?;
                let (home, others) = all.split_first().ok_or_else(|| self.unknown(name))?;
                Ok(Dataset::together(home, others))
            }
            found => found,
        }
    }

    /// The datasets with these names, separated by commas; each once.
    ///
    /// # Errors
    /// If one of them is unknown or could not be opened.
    pub(super) fn find_each(&self, names: &str) -> Result<Vec<Arc<Dataset>>, ServiceError> {
        let mut all: Vec<Arc<Dataset>> = Vec::new();
        for name in names.split(ID_SEPARATOR).map(str::trim).filter(|name| !name.is_empty()) {
            let dataset = self.find_one(name)?;
            if all.iter().all(|known| known.id != dataset.id) {
                all.push(dataset);
            }
            if all.len() > MAX_TOGETHER {
                let message = format!("at most {MAX_TOGETHER} datasets can be asked together");
                return Err(ServiceError::Invalid { field: "dataset", message });
            }
        }
        if all.is_empty() { Err(self.unknown(names)) } else { Ok(all) }
    }

    /// The dataset with this id or alias.
    ///
    /// # Errors
    /// If there is none, or it could not be opened.
    pub(super) fn find_one(&self, name: &str) -> Result<Arc<Dataset>, ServiceError> {
        let served = self.served.now();
        match (served.opened(name), served.unopened(name)) {
            (Some(dataset), _) => Ok(dataset.clone()),
            (None, Some(Unopened { id, reason, .. })) => {
                let retry_after = self.reloading.again_in(id);
                Err(ServiceError::NotOpened { dataset: id.clone(), reason: reason.clone(), retry_after })
            }
            (None, None) => Err(self.unknown(name)),
        }
    }

    fn unknown(&self, name: &str) -> ServiceError {
        let known = self.served.now().opened.iter().map(|dataset| dataset.id.clone()).collect();
        ServiceError::UnknownDataset { asked: name.to_owned(), known }
    }

    /// The state of the datasets that could not be opened.
    pub(super) fn unopened_parts(&self) -> Vec<PartState> {
        let part = |Unopened { id, reason, .. }: Unopened| PartState {
            part: format!("dataset {id}"),
            state: PartHealth::Down,
            detail: match self.reloading.again_in(&id) {
                Some(_) => format!("it could not be opened: {reason}; it is tried again by itself"),
                None => format!(
                    "it could not be opened: {reason}; reload it or restart the service when that is fixed"
                ),
            },
        };
        self.unopened().into_iter().map(part).collect()
    }
}

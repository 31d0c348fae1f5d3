//! Datasets that are configured and could not be opened when the service started: questions for them are told why, and the
//! others are served.

use super::types::{PartHealth, PartState};
use super::{Service, ServiceError};
use crate::dataset::Dataset;
use std::sync::Arc;

/// A dataset that could not be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unopened {
    /// The id under which it would be asked.
    pub id: String,
    /// Other names it would answer to.
    pub aliases: Vec<String>,
    /// Why it could not be opened, and what to do.
    pub reason: String,
}

impl Service {
    /// The same service, which knows of datasets that it cannot serve.
    #[must_use]
    pub fn without(self, unopened: Vec<Unopened>) -> Self {
        Self { unopened, ..self }
    }

    /// Datasets that are configured and not served.
    pub fn unopened(&self) -> &[Unopened] {
        &self.unopened
    }

    /// The dataset with this id or alias.
    ///
    /// # Errors
    /// When there is none, or it could not be opened.
    pub(super) fn find(&self, name: &str) -> Result<Arc<Dataset>, ServiceError> {
        if let Some(dataset) = self.dataset(name) {
            return Ok(dataset);
        }
        let named = |it: &&Unopened| it.id == name || it.aliases.iter().any(|alias| alias == name);
        Err(match self.unopened.iter().find(named) {
            Some(Unopened { id, reason, .. }) => {
                ServiceError::NotOpened { dataset: id.clone(), reason: reason.clone() }
            }
            None => ServiceError::UnknownDataset {
                asked: name.to_owned(),
                known: self.datasets.iter().map(|dataset| dataset.id.clone()).collect(),
            },
        })
    }

    /// What is told of them beside the parts that were opened.
    pub(super) fn unopened_parts(&self) -> impl Iterator<Item = PartState> + '_ {
        self.unopened.iter().map(|Unopened { id, reason, .. }| PartState {
            part: format!("dataset {id}"),
            state: PartHealth::Down,
            detail: format!("it could not be opened: {reason}; restart the service when that is fixed"),
        })
    }
}

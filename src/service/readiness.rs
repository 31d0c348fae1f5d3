//! What the service tells about itself: datasets, and whether their parts work.

use super::index::check_index;
use super::types::{DatasetSummary, PartState, Readiness, State};
use super::{ENDPOINT_CHECK_TIME, Service, ask_endpoint};
use crate::dataset::Dataset;
use eruca_sparql::QueryError;
use futures_util::future::join_all;
use std::sync::Arc;

impl Service {
    /// The datasets in their configured order.
    pub fn datasets(&self) -> Vec<DatasetSummary> {
        self.datasets.iter().map(|dataset| summary(dataset)).collect()
    }

    /// Looks at every part; asks each endpoint once.
    pub async fn readiness(&self) -> Readiness {
        let endpoints = join_all(self.datasets.iter().map(|dataset| self.endpoint_state(dataset)));
        let indexes = join_all(self.datasets.iter().map(index_state));
        let (mut parts, indexes) = tokio::join!(endpoints, indexes);
        parts.extend(indexes);
        let degraded = self.degraded().into_iter();
        parts.extend(degraded.map(|detail| PartState {
            part: "service".to_owned(),
            state: State::Degraded,
            detail,
        }));
        if let Some(model) = &self.model {
            let detail = format!("{} is configured; it is not asked here", model.name());
            parts.push(PartState { part: "chat model".to_owned(), state: State::Ok, detail });
        }
        Readiness { ready: parts.iter().all(|part| part.state != State::Down), parts }
    }

    async fn endpoint_state(&self, dataset: &Dataset) -> PartState {
        let part = format!("dataset {}: endpoint", dataset.id);
        let name = dataset.endpoint.name();
        let (state, detail) = match ask_endpoint(dataset, ENDPOINT_CHECK_TIME).await {
            Ok(_) => (State::Ok, format!("{name} answers")),
            Err(error @ QueryError::Unavailable { .. }) => {
                let kept = self.caches.answers.is_some();
                let but = if kept { "; questions that were answered lately are still answered" } else { "" };
                (State::Down, format!("{name}: {error}{but}"))
            }
            // Something is there; questions may get through.
            Err(error) => (State::Degraded, format!("{name}: {error}")),
        };
        PartState { part, state, detail }
    }
}

/// A server of the schema index that fails costs some of what is found, not the answer; damaged files cost it.
async fn index_state(dataset: &Arc<Dataset>) -> PartState {
    let part = format!("dataset {}: index", dataset.id);
    if let Err(damaged) = check_index(dataset).await {
        return PartState { part, state: State::Down, detail: damaged.to_string() };
    }
    let (entities, search) = (dataset.index.manifest.entities, dataset.index.schema.describe());
    let detail = format!("{entities} entities, schema search {search}");
    let (state, detail) = match dataset.index.schema.check().await {
        Ok(()) => (State::Ok, detail),
        Err(error) => (
            State::Degraded,
            format!("{detail}; {error}; classes and properties are found by their names alone"),
        ),
    };
    PartState { part, state, detail }
}

fn summary(dataset: &Dataset) -> DatasetSummary {
    let manifest = &dataset.index.manifest;
    let languages = dataset.index.card.languages.iter().filter(|(tag, _)| !tag.is_empty());
    DatasetSummary {
        id: dataset.id.clone(),
        aliases: dataset.aliases.clone(),
        name: dataset.name.clone(),
        endpoint: dataset.endpoint.name().to_owned(),
        triples: manifest.triples,
        entities: manifest.entities,
        classes: manifest.classes,
        properties: manifest.properties,
        languages: languages.map(|(tag, _)| tag.clone()).collect(),
        schema_search: dataset.index.schema.describe(),
    }
}

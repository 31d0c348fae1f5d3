//! Opens datasets from settings, at start and whenever their index was rebuilt.

use super::build::{Build, built_from_other, has_other_graphs};
use super::endpoints::{self, Outgoing, missing_contact};
use super::knowledge::knowledge_of;
use super::roles::UNTOLD;
use super::{StartupError, lookup, names_server, schema_server, store};
use crate::config::{DatasetSettings, RoleSettings, SearchSettings, Settings, Source};
use crate::service::{Caches, DatasetSource};
use async_trait::async_trait;
use eruca_dataset::cache::RememberingEmbedder;
use eruca_dataset::{Dataset, DatasetNames, QueryRules, QuestionMeanings};
use eruca_indexer::embedding::{Embedder, EmbeddingError};
use eruca_indexer::{DatasetIndex, OpenOptions, Progress};
use eruca_knowledge::questions::WatchedQuestions;
use eruca_sparql::{Limits, QueryPolicy, SparqlEndpoint};
use std::path::PathBuf;
use std::sync::Arc;

/// Maximum length in bytes of a query from a model or user.
pub(super) const MAX_QUERY_BYTES: usize = 20_000;

/// The folder of verified questions in that of what an owner knows.
const QUESTIONS: &str = "questions";

/// What is needed to open the datasets of a service.
#[derive(Clone)]
pub(super) struct DatasetOpener {
    pub(super) settings: Settings,
    pub(super) outgoing: Outgoing,
    pub(super) embedder: Result<Option<Arc<dyn Embedder>>, EmbeddingError>,
    pub(super) caches: Caches,
    /// The role that sees them; `None` for everybody.
    pub(super) role: Option<RoleSettings>,
}

#[async_trait]
impl DatasetSource for DatasetOpener {
    async fn open(&self, id: &str) -> Result<Dataset, String> {
        let opened = match self.settings.dataset(id) {
            Some(dataset) => self.open_built(dataset).await,
            None => Err(StartupError::UnknownDataset(id.to_owned())),
        };
        opened.map_err(|error| match &self.role {
            Some(role) => {
                tracing::error!(role = role.id, dataset = id, %error, "the dataset is not opened");
                UNTOLD.to_owned()
            }
            None => error.to_string(),
        })
    }
}

impl DatasetOpener {
    /// Opens a dataset; its index is built first if there is none.
    pub(super) async fn built_and_open(
        &self,
        dataset: &DatasetSettings,
        progress: &dyn Progress,
    ) -> Result<Dataset, StartupError> {
        let Self { settings, outgoing, embedder, .. } = self;
        if is_indexed(dataset) && !DatasetIndex::exists(&settings.index_folder(dataset)) {
            let embedder = embedder.as_ref().map_err(|error| StartupError::Embedding(error.clone()))?;
            Build { settings, dataset, outgoing, embedder: embedder.as_deref(), progress }.of_files().await?;
        }
        self.open_built(dataset).await
    }

    /// Opens a dataset with its existing index.
    pub(super) async fn open_built(&self, dataset: &DatasetSettings) -> Result<Dataset, StartupError> {
        let Self { settings, outgoing, embedder, caches, role: _ } = self;
        let embedder = embedder.as_ref().ok().cloned().flatten();
        let embedder = embedder.map(|embedder| with_cache(embedder, caches));
        // Results of the embedded store need no cache.
        let is_remote = matches!(dataset.source, Source::Endpoint(_) | Source::FilesAndEndpoint { .. });
        let mut open = self.opened(dataset, embedder).await?;
        if let (Some(results), true) = (&caches.results, is_remote) {
            open = open.with_cache(results.clone());
        }
        if let (Some(wikibase), Some(live)) = (dataset.search.wikibase(), &caches.live) {
            let requests = settings.outgoing.requests_per_host;
            let live = lookup::live_names(outgoing, requests, wikibase, live.clone());
            open = open.with_lookup(live, is_indexed(dataset));
        }
        Ok(open)
    }

    /// The dataset with its existing index and its endpoint.
    async fn opened(
        &self,
        dataset: &DatasetSettings,
        embedder: Option<Arc<dyn Embedder>>,
    ) -> Result<Dataset, StartupError> {
        let Self { settings, outgoing, .. } = self;
        let meanings = embedder.clone().map(QuestionMeanings::new);
        let folder = settings.index_folder(dataset);
        let command = format!("eruca index --dataset '{}' (with the same --config, if any)", dataset.id);
        let options = || OpenOptions {
            folder: &folder,
            embedder: embedder.clone(),
            schema_in: schema_server(settings, dataset),
            names_in: names_server(settings, dataset),
            build_command: &command,
        };
        let unopened = |source| StartupError::Open { dataset: dataset.id.clone(), source };
        let whole = match (&dataset.search, dataset.source.endpoint()) {
            (SearchSettings::Wikibase(search), Some(endpoint)) => lookup::no_index(dataset, search, endpoint),
            _ => DatasetIndex::open(options()).await.map_err(unopened)?,
        };
        if has_other_graphs(dataset, &whole.manifest) {
            return Err(StartupError::OtherGraphs { dataset: dataset.id.clone(), command });
        }
        let (knowledge, warnings) = knowledge_of(dataset, &whole, self.role.as_ref())?;
        let seen = match knowledge.hidden.is_empty() {
            true => None,
            false => whole.without(&knowledge.hidden.seal(), options()).await.map_err(unopened)?,
        };
        let counts_hidden = !knowledge.hidden.is_empty() && seen.is_none() && is_indexed(dataset);
        let index = seen.unwrap_or(whole);
        let endpoint = match &dataset.source {
            Source::Files(_) | Source::Demo => self.stored(dataset, &index, &command)?,
            Source::Endpoint(endpoint) | Source::FilesAndEndpoint { endpoint, .. } => {
                endpoints::remote(outgoing, dataset, endpoint)?
            }
        };
        let mut notes = notes(settings, dataset, &index, endpoint.name(), &command);
        notes.extend(counts_hidden.then(|| counts_what_is_hidden(dataset, self.role.as_ref(), &command)));
        notes.extend(
            warnings.iter().map(|warning| format!("the knowledge of dataset '{}': {warning}", dataset.id)),
        );
        let DatasetSettings { id, aliases, name, languages, editor, improve, .. } = dataset.clone();
        let names = DatasetNames { id, aliases, name, languages };
        let opened = Dataset::knowing(names, index, endpoint, rules(settings), knowledge);
        let (viewer, by_role) = (opened.clone(), self.role.is_some());
        let seen = move |question| viewer.seen_question(question, by_role);
        let questions = questions_folder(dataset).map(|folder| WatchedQuestions::open_seen(folder, seen));
        let opened = opened.with_questions(questions.unwrap_or_default()).with_question_meanings(meanings);
        Ok(opened.with_pages(editor, improve).noted(notes))
    }

    /// The graph stored with an index.
    fn stored(
        &self,
        dataset: &DatasetSettings,
        index: &DatasetIndex,
        command: &str,
    ) -> Result<Arc<dyn SparqlEndpoint>, StartupError> {
        let graph = index.stored_graph.as_deref().ok_or_else(|| StartupError::NoGraph {
            dataset: dataset.id.clone(),
            command: command.to_owned(),
        })?;
        let opened = store::embedded(&self.settings, graph);
        opened.map_err(|source| StartupError::Store { dataset: dataset.id.clone(), source })
    }
}

/// The note on an index that was built before something was hidden.
fn counts_what_is_hidden(dataset: &DatasetSettings, role: Option<&RoleSettings>, command: &str) -> String {
    let from = role.map_or_else(String::new, |role| format!(" from the role '{}'", role.id));
    let note = format!(
        "the index of dataset '{}' was built before the present terms were hidden{from}: they are not shown, but counts and samples \
         may come from them; run: {command}",
        dataset.id
    );
    tracing::warn!(dataset = dataset.id, note);
    note
}

/// Notes on what does not work as configured.
fn notes(
    settings: &Settings,
    dataset: &DatasetSettings,
    index: &DatasetIndex,
    endpoint: &str,
    command: &str,
) -> Vec<String> {
    let id = &dataset.id;
    let mut notes: Vec<String> = missing_contact(settings, dataset).into_iter().collect();
    if let Some(other) = built_from_other(settings, dataset, endpoint, &index.manifest) {
        notes.push(format!(
            "the index of dataset '{id}' was built from other data than is configured: {other}; run: {command}"
        ));
    }
    let missing = index.manifest.notes.iter();
    notes.extend(missing.map(|note| format!("the index of dataset '{id}' is incomplete: {note}")));
    let unread = index.manifest.unread.iter().cloned().chain(index.graph.note());
    notes.extend(unread.map(|note| format!("dataset '{id}': {note}")));
    notes
}

/// The folder of a dataset's verified questions, if it is configured.
pub fn questions_folder(dataset: &DatasetSettings) -> Option<PathBuf> {
    dataset.knowledge.as_ref().map(|known| known.folder.join(QUESTIONS))
}

pub(super) fn is_indexed(dataset: &DatasetSettings) -> bool {
    !matches!(dataset.search, SearchSettings::Wikibase(_))
}

fn with_cache(embedder: Arc<dyn Embedder>, caches: &Caches) -> Arc<dyn Embedder> {
    match &caches.embeddings {
        Some(vectors) => Arc::new(RememberingEmbedder::new(embedder, vectors.clone())),
        None => embedder,
    }
}

pub(super) fn rules(settings: &Settings) -> QueryRules {
    let sparql = &settings.sparql;
    QueryRules {
        limits: Limits { timeout: sparql.timeout, max_rows: sparql.max_rows, max_bytes: sparql.max_bytes },
        policy: QueryPolicy {
            service: sparql.allow_service.clone(),
            from: sparql.allow_from.clone(),
            functions: sparql.allow_functions.clone(),
            max_length: MAX_QUERY_BYTES,
            ..QueryPolicy::default()
        },
    }
}

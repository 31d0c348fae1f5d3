//! The composition root: builds a working service from settings. The only module that sees every other one.
//!
//! No other module assembles the parts. There is no global state beside the log and the TLS provider: other statics
//! are tables and values computed from them once.

mod build;
mod check;
mod endpoints;
mod knowledge;
mod lookup;
mod models;
mod opener;
mod roles;
mod seen;
mod store;

#[cfg(unix)]
pub use build::PDF_COMMAND;
pub use check::check_parts;
pub use opener::questions_folder;
pub use store::WORKER_COMMAND;

use crate::agent::Budget;
use crate::agent_features::{AgentFeatures, ModelProfile};
use crate::config::{
    AgentSettings, CacheSettings, DatasetSettings, IndexBackend, LlmSettings, PriceSettings, Settings, Source,
};
use crate::llm::{ChatModel, Prices};
use crate::service::{AUTO, Caches, Service, ServiceLimits, Unopened};
use build::Build;
use endpoints::Outgoing;
use eruca_dataset::cache::Cache;
use eruca_dataset::{Dataset, LiveCaches};
use eruca_indexer::embedding::EmbeddingError;
use eruca_indexer::{
    BuildError, BuildSummary, BuiltFrom, DatasetIndex, DownloadError, Manifest, OpenError, Progress,
    QdrantOptions, Share, ShareSummary, SourceError,
};
use eruca_knowledge::KnowledgeError;
use eruca_sparql::{QueryError, StoreError};
use opener::{DatasetOpener, is_indexed};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The file of an index folder that names its current version.
const CURRENT: &str = "current";
/// Timeout of a call to a Qdrant server other than a search.
const QDRANT_TIMEOUT: Duration = Duration::from_secs(10);
/// The note shown if dense vectors are switched off in the search for classes and properties.
const NO_EMBEDDING: &str = "no embedding model is configured ([embedding] provider): classes and properties are searched by words alone";

/// Why the service cannot start, or an index cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartupError {
    /// No dataset of this name is configured.
    #[error("no dataset '{0}' is configured")]
    UnknownDataset(String),
    /// The dataset has an endpoint and no files, and there is no index of it. Reading a whole endpoint may take
    /// hours, so that is done only on request.
    #[error(
        "dataset '{dataset}' has an endpoint but no index in '{folder}'; build it from the endpoint: eruca index --dataset '{dataset}' (with the same --config, if any), or from a dump of its graph: eruca index --dataset '{dataset}' --out '{folder}' FILES"
    )]
    NoIndex {
        /// The dataset's id.
        dataset: String,
        /// Its index folder.
        folder: PathBuf,
    },
    /// The endpoint cannot be read.
    #[error("dataset '{dataset}': {source}")]
    Download {
        /// The dataset's id.
        dataset: String,
        /// What is wrong.
        source: Box<DownloadError>,
    },
    /// The index cannot be built.
    #[error("the index of dataset '{dataset}' cannot be built: {source}")]
    Build {
        /// The dataset's id.
        dataset: String,
        /// What is wrong.
        source: BuildError,
    },
    /// The index cannot be opened.
    #[error("dataset '{dataset}': {source}")]
    Open {
        /// The dataset's id.
        dataset: String,
        /// What is wrong and what to do.
        source: OpenError,
    },
    /// The embedding model cannot be used, but is needed to build an index.
    #[error(transparent)]
    Embedding(#[from] EmbeddingError),
    /// The files cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// What the owner of the graph knows of it cannot be used. Without it, what is hidden would be seen.
    #[error("dataset '{dataset}': {source}; correct the files, then reload the dataset")]
    Knowledge {
        /// The dataset's id.
        dataset: String,
        /// What is wrong.
        source: KnowledgeError,
    },
    /// The folder that is named for what the owner knows does not exist.
    #[error(
        "dataset '{dataset}': there is no folder '{folder}', which its 'knowledge' names; make it, or change the setting"
    )]
    NoKnowledge {
        /// The dataset's id.
        dataset: String,
        /// The folder.
        folder: PathBuf,
    },
    /// The index was built from other graphs, which must not be seen.
    #[error(
        "the index of dataset '{dataset}' was built from other named graphs than its 'graphs' name; build it again with: {command}"
    )]
    OtherGraphs {
        /// The dataset's id.
        dataset: String,
        /// The command to run.
        command: String,
    },
    /// What a role does not see cannot be told in a dataset.
    #[error("role '{role}', dataset '{dataset}': {reason}")]
    Role {
        /// The role's id.
        role: String,
        /// The dataset's id.
        dataset: String,
        /// What is wrong and what to do.
        reason: String,
    },
    /// The index was built without its graph, and there is no endpoint to query.
    #[error(
        "the index of dataset '{dataset}' holds no graph: it was built from an endpoint; build it again with: {command}"
    )]
    NoGraph {
        /// The dataset's id.
        dataset: String,
        /// The command to run.
        command: String,
    },
    /// The stored graph cannot be opened.
    #[error("dataset '{dataset}': {source}")]
    Store {
        /// The dataset's id.
        dataset: String,
        /// What is wrong.
        source: StoreError,
    },
    /// The endpoint's settings cannot be used.
    #[error("dataset '{dataset}': {source}")]
    Endpoint {
        /// The dataset's id.
        dataset: String,
        /// What is wrong.
        source: QueryError,
    },
    /// The demo graph cannot be written.
    #[error("the demo graph cannot be written to '{path}': {source}")]
    Demo {
        /// The path.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// No HTTP client can be created.
    #[error("no HTTP client can be made: {0}")]
    HttpClient(#[from] reqwest::Error),
}

/// Opens every dataset (missing indexes are built first) and connects the models. The service knows about datasets that
/// cannot be opened, and serves the others.
///
/// # Errors
/// When no dataset can be opened. A model or embedding that does not work is not an error: the service runs
/// without it and says so.
pub async fn open_service(
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Arc<Service>, StartupError> {
    let (service, opener) = open(settings, settings.datasets.iter().collect(), progress).await?;
    Ok(roles::with_roles(service, settings, &opener).await)
}

/// The same with a given chat model instead of the configured one, for programs that bring their own.
///
/// # Errors
/// When no dataset can be opened.
pub async fn open_service_with(
    settings: &Settings,
    model: Arc<dyn ChatModel>,
    progress: &dyn Progress,
) -> Result<Arc<Service>, StartupError> {
    let opened =
        open_all(settings, settings.datasets.iter().collect(), &Outgoing::new(settings)?, progress).await?;
    let (service, opener) = opened.serve(settings, Some(model));
    Ok(roles::with_roles(service, settings, &opener).await)
}

/// Opens every dataset that can be opened, without a service, for programs that build their own.
///
/// # Errors
/// When no dataset can be opened.
pub async fn open_datasets(
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Vec<Arc<Dataset>>, StartupError> {
    let opened =
        open_all(settings, settings.datasets.iter().collect(), &Outgoing::new(settings)?, progress).await?;
    Ok(opened.datasets)
}

/// A service over one dataset, by id or alias.
///
/// # Errors
/// When there is no such dataset, or it cannot be opened.
pub async fn open_dataset_service(
    settings: &Settings,
    dataset: &str,
    progress: &dyn Progress,
) -> Result<Arc<Service>, StartupError> {
    let found = settings.datasets_named(dataset, AUTO);
    if found.is_empty() {
        return Err(StartupError::UnknownDataset(dataset.to_owned()));
    }
    open(settings, found, progress).await.map(|(service, _)| Arc::new(service))
}

/// Builds the index of a dataset and makes it the current one.
///
/// # Errors
/// When its files cannot be read or the index cannot be written.
pub async fn build_index(
    settings: &Settings,
    dataset: &DatasetSettings,
    progress: &dyn Progress,
) -> Result<BuildSummary, StartupError> {
    let outgoing = Outgoing::new(settings)?;
    let embedder = models::embedder(settings, &outgoing.client).await?;
    let build = Build { settings, dataset, outgoing: &outgoing, embedder: embedder.as_deref(), progress };
    match &dataset.source {
        Source::Endpoint(endpoint) => build.of_endpoint(endpoint).await,
        _ => build.of_files().await,
    }
}

/// Builds one share of the index of a dataset's files. Names of classes and properties are embedded when the shares are put
/// together.
///
/// # Errors
/// When the dataset cannot be divided, its files cannot be read, or the index cannot be written.
pub async fn build_share(
    settings: &Settings,
    dataset: &DatasetSettings,
    share: Share,
    progress: &dyn Progress,
) -> Result<ShareSummary, StartupError> {
    let outgoing = Outgoing::new(settings)?;
    let build = Build { settings, dataset, outgoing: &outgoing, embedder: None, progress };
    build.of_share(share).await
}

/// Puts the shares of an index together and makes it the current one.
///
/// # Errors
/// When shares are missing, or the index cannot be written.
pub async fn merge_shares(
    settings: &Settings,
    dataset: &DatasetSettings,
    progress: &dyn Progress,
) -> Result<BuildSummary, StartupError> {
    let outgoing = Outgoing::new(settings)?;
    let embedder = models::embedder(settings, &outgoing.client).await?;
    let build = Build { settings, dataset, outgoing: &outgoing, embedder: embedder.as_deref(), progress };
    build.merged().await
}

/// The manifest of the current index in a folder; `None` if there is none that this version can read.
pub fn manifest(folder: &Path) -> Option<Manifest> {
    let version = std::fs::read_to_string(folder.join(CURRENT)).ok()?;
    Manifest::read(&folder.join(version.trim())).ok()
}

/// Whether the current index of a dataset is one of exactly these files and of the configured texts, and can be read by this
/// version.
pub fn is_current(settings: &Settings, dataset: &DatasetSettings, files: &[PathBuf]) -> bool {
    let folder = settings.index_folder(dataset);
    manifest(&folder).is_some_and(|built| {
        built.source.is_untouched(files)
            && !build::has_other_graphs(dataset, &built)
            && build::other_texts(settings, dataset, &built).is_none()
            && DatasetIndex::has_all_without(&folder, |prefixes| seen::hidden(settings, dataset, prefixes))
    })
}

/// What the current index in a folder was built from; `None` if there is none that this version can read.
pub fn built_from(folder: &Path) -> Option<BuiltFrom> {
    manifest(folder).map(|manifest| manifest.source)
}

/// Discards what an interrupted [`build_index`] has read from the dataset's endpoint.
///
/// # Errors
/// When it cannot be removed, or a download is running.
pub fn forget_download(settings: &Settings, dataset: &DatasetSettings) -> Result<(), StartupError> {
    let failed = |source| StartupError::Download { dataset: dataset.id.clone(), source: Box::new(source) };
    eruca_indexer::forget_download(&settings.index_folder(dataset)).map_err(failed)
}

async fn open(
    settings: &Settings,
    datasets: Vec<&DatasetSettings>,
    progress: &dyn Progress,
) -> Result<(Service, Arc<DatasetOpener>), StartupError> {
    let outgoing = Outgoing::new(settings)?;
    let mut opened = open_all(settings, datasets, &outgoing, progress).await?;
    let model = models::chat_model(settings, outgoing.client).unwrap_or_else(|error| {
        opened.degraded.push(format!("the chat model cannot be used, the planner answers: {error}"));
        None
    });
    Ok(opened.serve(settings, model))
}

/// Datasets ready for questions, and what did not start as configured.
struct OpenedDatasets {
    datasets: Vec<Arc<Dataset>>,
    unopened: Vec<Unopened>,
    degraded: Vec<String>,
    caches: Caches,
    /// Reopens the datasets.
    opener: Arc<DatasetOpener>,
}

impl OpenedDatasets {
    /// A service for these datasets, and what opens them.
    fn serve(self, settings: &Settings, model: Option<Arc<dyn ChatModel>>) -> (Service, Arc<DatasetOpener>) {
        let Self { datasets, unopened, degraded, caches, opener } = self;
        let service = Service::new(datasets, model, service_limits(settings), degraded, caches);
        (service.without(unopened).reloading(opener.clone()), opener)
    }
}

fn caches(settings: &CacheSettings) -> Caches {
    let CacheSettings { answers, results, embeddings, lookups: _, time_to_live } = *settings;
    Caches {
        answers: Cache::new("answers", answers, time_to_live),
        results: Cache::new("results", results, time_to_live),
        embeddings: Cache::new("embeddings", embeddings, time_to_live),
        live: None,
    }
}

async fn open_all(
    settings: &Settings,
    datasets: Vec<&DatasetSettings>,
    outgoing: &Outgoing,
    progress: &dyn Progress,
) -> Result<OpenedDatasets, StartupError> {
    let mut degraded = Vec::new();
    let mut caches = caches(&settings.cache);
    if datasets.iter().any(|dataset| dataset.search.wikibase().is_some()) {
        let CacheSettings { lookups, time_to_live, .. } = settings.cache;
        caches.live = Some(Arc::new(LiveCaches::new(lookups, time_to_live)));
    }
    let embedder = models::embedder(settings, &outgoing.client).await;
    match &embedder {
        Ok(Some(_)) => {}
        Ok(None) if !datasets.iter().any(|dataset| is_indexed(dataset)) => {}
        Ok(None) => degraded.push(NO_EMBEDDING.to_owned()),
        Err(error) => degraded.push(format!("classes and properties are searched by words alone: {error}")),
    }
    let opener = DatasetOpener {
        settings: settings.clone(),
        outgoing: outgoing.clone(),
        embedder,
        caches: caches.clone(),
        role: None,
    };
    let (mut opened, mut failed) = (Vec::with_capacity(datasets.len()), Vec::new());
    for dataset in datasets {
        match opener.built_and_open(dataset, progress).await {
            Ok(open) => opened.push(Arc::new(open)),
            Err(error) => failed.push((dataset, error)),
        }
    }
    let unopened = unless_all(failed, opened.is_empty())?;
    Ok(OpenedDatasets { datasets: opened, unopened, degraded, caches, opener: Arc::new(opener) })
}

/// Datasets that cannot be opened do not prevent the others from being served. Only if none can, the first error is
/// returned.
fn unless_all(
    failed: Vec<(&DatasetSettings, StartupError)>,
    nothing_else: bool,
) -> Result<Vec<Unopened>, StartupError> {
    let mut unopened = Vec::with_capacity(failed.len());
    for (dataset, error) in failed {
        if nothing_else {
            return Err(error);
        }
        tracing::error!(dataset = dataset.id, %error, "the dataset is not served");
        let (id, aliases) = (dataset.id.clone(), dataset.aliases.clone());
        unopened.push(Unopened { id, aliases, reason: error.to_string() });
    }
    Ok(unopened)
}

/// Limits for a small model: tokens of the card, and characters of an observation.
const SMALL_CARD_TOKENS: usize = 1_200;
const SMALL_OBSERVATION_CHARS: usize = 2_500;

/// The limits of a service with these settings, for programs that build one themselves.
pub fn service_limits(settings: &Settings) -> ServiceLimits {
    ServiceLimits {
        max_concurrent_questions: settings.server.max_concurrent_questions,
        max_waiting_questions: settings.server.max_waiting_questions,
        max_question_chars: settings.server.max_question_chars,
        deadline: settings.agent.deadline,
        budget: budget(&settings.agent),
        features: AgentFeatures { profile: settings.agent.profile, ..settings.helps },
        prices: settings.llm.as_ref().and_then(LlmSettings::prices).map(prices),
    }
}

/// The budget of a run; a small model hardly uses a longer prompt than it is given here.
fn budget(settings: &AgentSettings) -> Budget {
    let (card, observation) = match settings.profile {
        ModelProfile::Full => (usize::MAX, usize::MAX),
        ModelProfile::Small => (SMALL_CARD_TOKENS, SMALL_OBSERVATION_CHARS),
    };
    Budget {
        max_model_calls: settings.max_model_calls,
        max_tokens: settings.token_budget,
        card_tokens: settings.prompt_card_tokens.min(card),
        observation_chars: settings.observation_chars.min(observation),
    }
}

fn prices(settings: PriceSettings) -> Prices {
    let PriceSettings { prompt, cached, completion } = settings;
    Prices { prompt, cached, completion }
}

/// The server for classes and properties, and for the vectors of texts, unless they are in the index folder.
fn schema_server(settings: &Settings, dataset: &DatasetSettings) -> Option<QdrantOptions> {
    let is_local = settings.schema_index.backend == IndexBackend::Local;
    (!is_local).then(|| qdrant(settings, dataset))
}

/// The server for entities and values, unless they are in the index folder.
fn names_server(settings: &Settings, dataset: &DatasetSettings) -> Option<QdrantOptions> {
    let is_local = settings.entity_index.backend == IndexBackend::Local;
    (!is_local).then(|| qdrant(settings, dataset))
}

fn qdrant(settings: &Settings, dataset: &DatasetSettings) -> QdrantOptions {
    let index = &settings.schema_index;
    let folder = settings.index_folder(dataset);
    let name =
        folder.file_name().map_or_else(|| dataset.id.clone(), |name| name.to_string_lossy().into_owned());
    QdrantOptions {
        url: index.url.clone(),
        api_key: index.api_key.clone(),
        collection: format!("{}-{name}", index.collection_prefix),
        timeout: QDRANT_TIMEOUT,
        search_timeout: index.search_timeout,
        shard_number: index.shard_number,
        replication_factor: index.replication_factor,
    }
}

//! The composition root: from settings to a service that answers. The only module that sees every other one.

mod endpoints;
mod models;

use crate::agent::Budget;
use crate::cache::{Cache, RememberingEmbedder};
use crate::config::{
    CacheSettings, DatasetSettings, HelpSettings, PriceSettings, SchemaIndexSettings, Settings, Source,
};
use crate::dataset::{Dataset, QueryRules};
use crate::llm::{ChatModel, Prices};
use crate::service::{Caches, Service, ServiceLimits};
use crate::tools::Helps;
use eruca_indexer::embedding::{Embedder, EmbeddingError};
use eruca_indexer::{
    BuildError, BuildOptions, BuildSummary, DatasetIndex, OpenError, OpenOptions, Progress, QdrantOptions,
    SchemaTarget, SourceError, build, expand_patterns,
};
use eruca_sparql::{Limits, QueryError, QueryPolicy, StoreError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

/// The demo graph, written into the index folder at first use.
const DEMO_GRAPH: &str = include_str!("../../examples/world.ttl");
const DEMO_FILE: &str = "demo-world.ttl";
/// Time for one call to a Qdrant server.
const QDRANT_TIMEOUT: Duration = Duration::from_secs(10);
/// Said when the dense leg of the schema search is off by choice.
const NO_EMBEDDING: &str = "no embedding model is configured ([embedding] provider): classes and properties are searched by words alone";
/// Longest query accepted from a model or asker, bytes.
const MAX_QUERY_BYTES: usize = 20_000;

/// Why the service cannot start, or an index cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartupError {
    /// No dataset of this name is configured.
    #[error("no dataset '{0}' is configured")]
    UnknownDataset(String),
    /// The dataset has an endpoint and no files, and there is no index of it.
    #[error(
        "dataset '{dataset}' has an endpoint but no index in '{folder}', and no files to build one from; add files = [...] with a dump of its graph, or run: eruca index --dataset '{dataset}' --out '{folder}' FILES"
    )]
    NoFiles {
        /// The dataset's id.
        dataset: String,
        /// Its index folder.
        folder: PathBuf,
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
    /// The embedding model cannot be used, and an index is to be built with it.
    #[error(transparent)]
    Embedding(#[from] EmbeddingError),
    /// The files cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The embedded store cannot take the files.
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
        /// Where.
        path: PathBuf,
        /// The operating system's words.
        source: std::io::Error,
    },
    /// No HTTP client can be made.
    #[error("no HTTP client can be made: {0}")]
    HttpClient(#[from] reqwest::Error),
}

/// Opens every dataset (indexes that are missing are built first) and connects the models.
///
/// # Errors
/// When a dataset cannot be opened. A model or embedding that does not work is no error: the service runs
/// without it and says so.
pub async fn open_service(
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Arc<Service>, StartupError> {
    open(settings, settings.datasets.iter().collect(), progress).await
}

/// The same with a given chat model instead of the configured one: for programs that bring their own.
///
/// # Errors
/// When a dataset cannot be opened.
pub async fn open_service_with(
    settings: &Settings,
    model: Arc<dyn ChatModel>,
    progress: &dyn Progress,
) -> Result<Arc<Service>, StartupError> {
    let opened = open_all(settings, settings.datasets.iter().collect(), &http_client()?, progress).await?;
    let Opened { datasets, degraded, caches } = opened;
    Ok(Arc::new(Service::new(datasets, Some(model), limits(settings), degraded, caches)))
}

/// Opens every dataset without a service around them, for programs that bring their own.
///
/// # Errors
/// When a dataset cannot be opened.
pub async fn open_datasets(
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Vec<Arc<Dataset>>, StartupError> {
    let opened = open_all(settings, settings.datasets.iter().collect(), &http_client()?, progress).await?;
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
    let found = settings.dataset(dataset).ok_or_else(|| StartupError::UnknownDataset(dataset.to_owned()))?;
    open(settings, vec![found], progress).await
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
    let embedder = models::embedder(settings, &http_client()?).await?;
    build_with(settings, dataset, embedder.as_deref(), progress).await
}

/// The client of all outgoing requests. TLS comes from ring, which is installed here so that programs that use
/// the library need not know of it; if the process has a provider already, that one stays.
fn http_client() -> Result<reqwest::Client, reqwest::Error> {
    let _installed = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().user_agent(concat!("eruca/", env!("CARGO_PKG_VERSION"))).build()
}

async fn open(
    settings: &Settings,
    datasets: Vec<&DatasetSettings>,
    progress: &dyn Progress,
) -> Result<Arc<Service>, StartupError> {
    let client = http_client()?;
    let Opened { datasets, mut degraded, caches } = open_all(settings, datasets, &client, progress).await?;
    let model = models::chat_model(settings, client).unwrap_or_else(|error| {
        degraded.push(format!("the chat model cannot be used, the planner answers: {error}"));
        None
    });
    Ok(Arc::new(Service::new(datasets, model, limits(settings), degraded, caches)))
}

/// Datasets ready to be asked, and what did not start as configured.
struct Opened {
    datasets: Vec<Arc<Dataset>>,
    degraded: Vec<String>,
    caches: Caches,
}

fn caches(settings: &CacheSettings) -> Caches {
    let CacheSettings { answers, results, embeddings, time_to_live } = *settings;
    Caches {
        answers: Cache::new("answers", answers, time_to_live),
        results: Cache::new("results", results, time_to_live),
        embeddings: Cache::new("embeddings", embeddings, time_to_live),
    }
}

async fn open_all(
    settings: &Settings,
    datasets: Vec<&DatasetSettings>,
    client: &reqwest::Client,
    progress: &dyn Progress,
) -> Result<Opened, StartupError> {
    let mut degraded = Vec::new();
    let caches = caches(&settings.cache);
    let embedder = models::embedder(settings, client).await;
    match &embedder {
        Ok(Some(_)) => {}
        Ok(None) => degraded.push(NO_EMBEDDING.to_owned()),
        Err(error) => degraded.push(format!("classes and properties are searched by words alone: {error}")),
    }
    let mut opened = Vec::with_capacity(datasets.len());
    for dataset in datasets {
        if !DatasetIndex::exists(&settings.index_folder(dataset)) {
            let embedder = embedder.as_ref().map_err(|error| StartupError::Embedding(error.clone()))?;
            build_with(settings, dataset, embedder.as_deref(), progress).await?;
        }
        let embedder = embedder.as_ref().ok().cloned().flatten();
        let embedder = embedder.map(|embedder| remembering(embedder, &caches));
        // What the embedded store gives is at hand anyway.
        let is_remote = matches!(dataset.source, Source::Endpoint(_) | Source::FilesAndEndpoint { .. });
        let dataset = open_dataset(settings, dataset, embedder, client, progress, &mut degraded).await?;
        opened.push(Arc::new(match &caches.results {
            Some(results) if is_remote => dataset.remembering(results.clone()),
            _ => dataset,
        }));
    }
    Ok(Opened { datasets: opened, degraded, caches })
}

fn limits(settings: &Settings) -> ServiceLimits {
    ServiceLimits {
        max_concurrent_questions: settings.server.max_concurrent_questions,
        max_waiting_questions: settings.server.max_waiting_questions,
        max_question_chars: settings.server.max_question_chars,
        deadline: settings.agent.deadline,
        budget: Budget {
            max_model_calls: settings.agent.max_model_calls,
            max_tokens: settings.agent.token_budget,
            card_tokens: settings.agent.prompt_card_tokens,
            observation_chars: settings.agent.observation_chars,
        },
        helps: helps(settings.helps),
        prices: settings.llm.as_ref().and_then(|llm| llm.prices).map(prices),
    }
}

fn prices(settings: PriceSettings) -> Prices {
    let PriceSettings { prompt, cached, completion } = settings;
    Prices { prompt, cached, completion }
}

fn helps(settings: HelpSettings) -> Helps {
    let HelpSettings {
        grounding,
        dataset_card,
        explain_empty,
        preflight,
        repeat_rule,
        review,
        best_candidate,
        answer_form,
    } = settings;
    Helps {
        grounding,
        dataset_card,
        explain_empty,
        preflight,
        repeat_rule,
        review,
        best_candidate,
        answer_form,
    }
}

async fn build_with(
    settings: &Settings,
    dataset: &DatasetSettings,
    embedder: Option<&dyn Embedder>,
    progress: &dyn Progress,
) -> Result<BuildSummary, StartupError> {
    let folder = settings.index_folder(dataset);
    let options = BuildOptions {
        files: &files(settings, dataset)?,
        folder: &folder,
        naming_properties: &settings.index.naming_properties,
        skip_errors: settings.index.skip_errors,
        max_value_chars: settings.index.max_value_chars,
        embedder,
        schema_target: qdrant(settings, dataset).map_or(SchemaTarget::Folder, SchemaTarget::Qdrant),
    };
    build(&options, progress)
        .await
        .map_err(|source| StartupError::Build { dataset: dataset.id.clone(), source })
}

/// The RDF files of a dataset.
fn files(settings: &Settings, dataset: &DatasetSettings) -> Result<Vec<PathBuf>, StartupError> {
    match &dataset.source {
        Source::Files(files) | Source::FilesAndEndpoint { files, .. } => Ok(files.clone()),
        Source::Demo => Ok(vec![demo_file(&settings.index.folder)?]),
        Source::Endpoint(_) => {
            let folder = settings.index_folder(dataset);
            Err(StartupError::NoFiles { dataset: dataset.id.clone(), folder })
        }
    }
}

/// Writes the built-in demo graph to a file, unless the very same file is there.
fn demo_file(folder: &Path) -> Result<PathBuf, StartupError> {
    let path = folder.join(DEMO_FILE);
    let failed = |source| StartupError::Demo { path: path.clone(), source };
    if std::fs::read_to_string(&path).is_ok_and(|text| text == DEMO_GRAPH) {
        return Ok(path);
    }
    std::fs::create_dir_all(folder).map_err(failed)?;
    std::fs::write(&path, DEMO_GRAPH).map_err(failed)?;
    Ok(path)
}

fn qdrant(settings: &Settings, dataset: &DatasetSettings) -> Option<QdrantOptions> {
    let SchemaIndexSettings::Qdrant { url, api_key, collection_prefix } = &settings.schema_index else {
        return None;
    };
    let folder = settings.index_folder(dataset);
    let name =
        folder.file_name().map_or_else(|| dataset.id.clone(), |name| name.to_string_lossy().into_owned());
    Some(QdrantOptions {
        url: url.clone(),
        api_key: api_key.clone(),
        collection: format!("{collection_prefix}-{name}"),
        timeout: QDRANT_TIMEOUT,
        shard_number: None,
        replication_factor: None,
    })
}

fn remembering(embedder: Arc<dyn Embedder>, caches: &Caches) -> Arc<dyn Embedder> {
    match &caches.embeddings {
        Some(vectors) => Arc::new(RememberingEmbedder::new(embedder, vectors.clone())),
        None => embedder,
    }
}

async fn open_dataset(
    settings: &Settings,
    dataset: &DatasetSettings,
    embedder: Option<Arc<dyn Embedder>>,
    client: &reqwest::Client,
    progress: &dyn Progress,
    degraded: &mut Vec<String>,
) -> Result<Dataset, StartupError> {
    let folder = settings.index_folder(dataset);
    let command = format!("eruca index --dataset '{}' (with the same --config, if any)", dataset.id);
    let options =
        OpenOptions { folder: &folder, embedder, qdrant: qdrant(settings, dataset), build_command: &command };
    let index = DatasetIndex::open(options)
        .await
        .map_err(|source| StartupError::Open { dataset: dataset.id.clone(), source })?;
    if let Ok(files) = files(settings, dataset)
        && changed_since(&files, index.manifest.built_at)
    {
        degraded.push(format!(
            "the files of dataset '{}' have changed since its index was built; run: {command}",
            dataset.id
        ));
    }
    let endpoint = match &dataset.source {
        Source::Files(_) | Source::Demo => {
            endpoints::embedded(settings, dataset, &files(settings, dataset)?, progress)?
        }
        Source::Endpoint(endpoint) | Source::FilesAndEndpoint { endpoint, .. } => {
            endpoints::remote(client, dataset, endpoint)?
        }
    };
    let DatasetSettings { id, aliases, name, source: _, index: _, languages } = dataset.clone();
    Ok(Dataset::new(id, aliases, name, languages, index, endpoint, rules(settings)))
}

fn changed_since(files: &[PathBuf], built_at: u64) -> bool {
    let changed = |file: &PathBuf| {
        let time = std::fs::metadata(file).and_then(|data| data.modified()).ok()?;
        time.duration_since(UNIX_EPOCH).ok().map(|time| time.as_secs() > built_at)
    };
    expand_patterns(files).unwrap_or_default().iter().any(|file| changed(file) == Some(true))
}

fn rules(settings: &Settings) -> QueryRules {
    let sparql = &settings.sparql;
    QueryRules {
        limits: Limits { timeout: sparql.timeout, max_rows: sparql.max_rows, max_bytes: sparql.max_bytes },
        policy: QueryPolicy {
            service: sparql.allow_service.clone(),
            from: sparql.allow_from.clone(),
            max_length: MAX_QUERY_BYTES,
        },
    }
}

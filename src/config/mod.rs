//! Settings: built-in defaults, then a file, then the environment; checked once, typed, ready to use.
//!
//! [`Settings::load`] is the only way in. Secrets are [`SecretString`]s and never shown. Knows no other module.
//!
//! No other module reads settings files or `ERUCA__…` and `OPENAI_…` variables. Test: `tests/config.rs`.

mod authority;
mod dataset;
mod error;
mod file_name;
mod known;
mod layers;
mod presets;
mod raw;
mod validate;
#[cfg(test)]
mod wrong;

pub use authority::{AllowedHosts, Authority};
pub use dataset::{
    CredentialSettings, DatasetSettings, EndpointSettings, SearchSettings, Source, WikibaseSettings,
};
pub use error::ConfigError;

use crate::helps::Helps;
use layers::Layers;
use secrecy::SecretString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file that is read from the working directory when no other one is named.
pub const DEFAULT_FILE: &str = "eruca.toml";
/// The id of the demo dataset, served when no dataset is configured.
pub const DEMO_ID: &str = "demo";

/// Everything that can be configured.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `[server]`: the HTTP service.
    pub server: ServerSettings,
    /// `[llm]`: the chat model; `None` lets the planner answer.
    pub llm: Option<LlmSettings>,
    /// `[agent]`: bounds of one question.
    pub agent: AgentSettings,
    /// `[helps]`: what helps a model besides the tools.
    pub helps: Helps,
    /// `[sparql]`: bounds of one query.
    pub sparql: SparqlSettings,
    /// `[outgoing]`: manners towards public servers.
    pub outgoing: OutgoingSettings,
    /// `[embedding]`: vectors for the search of classes and properties.
    pub embedding: EmbeddingSettings,
    /// `[schema_index]`: where classes and properties are searched.
    pub schema_index: SchemaIndexSettings,
    /// `[index]`: how indexes are built and where they lie.
    pub index: IndexSettings,
    /// `[cache]`: what is kept in memory to save work.
    pub cache: CacheSettings,
    /// `[log]`: what is logged.
    pub log: LogSettings,
    /// `[[datasets]]`; never empty: the demo dataset stands in.
    pub datasets: Vec<DatasetSettings>,
    /// The program whose command `worker` runs queries of the embedded store. No setting of files: `eruca` itself sets it;
    /// without it the embedded store runs queries on threads.
    pub store_program: Option<PathBuf>,
}

/// The HTTP service.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// Host name or address to listen on.
    pub host: String,
    /// Port to listen on; 0 for any free one.
    pub port: u16,
    /// Names by which the service may be called, beside its addresses and `localhost`.
    pub allowed_hosts: AllowedHosts,
    /// Certificate and key for TLS; `None` serves plain HTTP.
    pub tls: Option<TlsFiles>,
    /// Origins that browsers may call from; `*` for all.
    pub cors_origins: Vec<String>,
    /// Questions answered at once.
    pub max_concurrent_questions: usize,
    /// Further questions that may wait for their turn.
    pub max_waiting_questions: usize,
    /// Keys of which clients must send one as bearer token; without any, everybody may ask.
    pub keys: Vec<ApiKey>,
    /// Questions of one client in a minute; 0 for no limit.
    pub questions_per_minute: u32,
    /// Header in which a trusted proxy names the client.
    pub client_header: Option<String>,
    /// Time for a client to send a request, and for a kept connection to bring the next one.
    pub client_timeout: Duration,
    /// Connections of all clients; a further one takes the place of another that waits for its client.
    pub max_connections: usize,
    /// Connections of one address.
    pub connections_per_client: usize,
    /// Longest question in characters.
    pub max_question_chars: usize,
    /// Time for running questions when stopping.
    pub stop_timeout: Duration,
    /// How often is looked whether an index was built anew; `None` for never.
    pub reload_interval: Option<Duration>,
    /// `[runs]`: which questions and answers are kept, so that they can be looked at again.
    pub runs: RunsSettings,
    /// `[page]`: the page to ask; `None` where it is switched off.
    pub page: Option<PageSettings>,
    /// Whether queries that a person wrote are run.
    pub queries: bool,
    /// Whether the Model Context Protocol is spoken at `/mcp`.
    pub mcp: bool,
    /// The address at which people reach the service, without a slash at its end; `None` where it is not told.
    pub public_url: Option<String>,
    /// `[feedback]`: where reports on answers go; `None` takes none.
    pub feedback: Option<FeedbackSettings>,
}

/// The page to ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageSettings {
    /// Where maps come from; `None` draws coastlines alone.
    pub tiles: Option<TilesSettings>,
    /// Whether pictures of things are loaded from where they are.
    pub pictures: bool,
}

/// Tiles of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TilesSettings {
    /// Their address, with `{z}`, `{x}` and `{y}`.
    pub url: String,
    /// The origin of that address, which the page may load from.
    pub origin: String,
    /// Who is to be named.
    pub attribution: String,
}

/// Where reports on answers go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedbackSettings {
    /// The file.
    pub file: PathBuf,
    /// The file grows to so many bytes.
    pub max_bytes: u64,
}

/// How questions and their answers are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunsSettings {
    /// Runs in memory.
    pub max_runs: usize,
    /// Bytes of all runs in memory.
    pub max_bytes: usize,
    /// Folder in which they are kept as files too; `None` forgets them at the end of the process.
    pub folder: Option<PathBuf>,
    /// Files in the folder.
    pub max_files: usize,
    /// How long a file is kept.
    pub max_age: Duration,
}

/// The files of a certificate, in PEM form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate and those between it and the root, the service's own first.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// A key that clients may send.
#[derive(Debug, Clone)]
pub struct ApiKey {
    /// What the log and the metrics call it.
    pub name: String,
    /// What clients send.
    pub key: SecretString,
    /// What it opens.
    pub scope: KeyScope,
}

/// What a key opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyScope {
    /// Questions and the list of datasets.
    Questions,
    /// Also the metrics, and the parts of the service with their states.
    Operation,
}

/// An OpenAI-compatible chat model.
#[derive(Debug, Clone)]
pub struct LlmSettings {
    /// Base URL, without a slash at the end.
    pub base_url: String,
    /// The model's name.
    pub model: String,
    /// Bearer token.
    pub api_key: Option<SecretString>,
    /// Randomness; `None` leaves it out of the requests.
    pub temperature: Option<f64>,
    /// Time for one attempt.
    pub timeout: Duration,
    /// Attempts after the first.
    pub retries: u32,
    /// Longest completion in tokens.
    pub max_completion_tokens: u32,
    /// What tokens cost, if it is known.
    pub prices: Option<PriceSettings>,
}

/// What a million tokens cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PriceSettings {
    /// Of the prompt.
    pub prompt: f64,
    /// Of the prompt, where the server had them in its cache.
    pub cached: f64,
    /// Of the completion.
    pub completion: f64,
}

/// Bounds of one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentSettings {
    /// Time for one question.
    pub deadline: Duration,
    /// Model calls for one question.
    pub max_model_calls: u32,
    /// Tokens for one question.
    pub token_budget: u64,
    /// Tokens of the first prompt for the dataset's description.
    pub prompt_card_tokens: usize,
    /// Longest observation in characters.
    pub observation_chars: usize,
}

/// Bounds of one query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SparqlSettings {
    /// Time for one query.
    pub timeout: Duration,
    /// Rows kept.
    pub max_rows: usize,
    /// Bytes kept.
    pub max_bytes: usize,
    /// Bytes that one query in the embedded store may take; `None` for any number.
    pub max_memory: Option<u64>,
    /// Whether the embedded store runs queries in processes, where [`Settings::store_program`] is known.
    pub worker_processes: bool,
    /// IRIs allowed after `SERVICE`; `*` for any.
    pub allow_service: Vec<String>,
    /// IRI prefixes allowed after `FROM`; `*` for any.
    pub allow_from: Vec<String>,
    /// Beginnings of the IRIs of functions that are allowed beyond those of SPARQL and the engine; `*` for any.
    pub allow_functions: Vec<String>,
}

/// Manners towards public servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingSettings {
    /// Where a person is reached who runs this program.
    pub contact: Option<String>,
    /// Requests at once to a public host.
    pub requests_per_host: usize,
}

/// Vectors for the search of classes and properties by meaning.
#[derive(Debug, Clone)]
pub struct EmbeddingSettings {
    /// Where vectors come from.
    pub provider: EmbeddingProvider,
    /// Put before a question.
    pub query_prefix: String,
    /// Put before a class's or property's description.
    pub document_prefix: String,
}

/// Where vectors come from.
#[derive(Debug, Clone)]
pub enum EmbeddingProvider {
    /// None: search by words alone.
    None,
    /// A model in a folder, run in process.
    Onnx {
        /// The folder.
        path: PathBuf,
        /// How token vectors become one vector.
        pooling: PoolingSetting,
        /// How it is run.
        runtime: OnnxRuntime,
    },
    /// A model downloaded by name and run in process.
    Fastembed {
        /// The model's name.
        model: String,
        /// How it is run.
        runtime: OnnxRuntime,
    },
    /// A server with OpenAI's `/embeddings`.
    OpenAi {
        /// Base URL, without a slash at the end.
        base_url: String,
        /// Bearer token.
        api_key: Option<SecretString>,
        /// The model's name.
        model: String,
    },
}

/// How a model is run in process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnnxRuntime {
    /// The ONNX Runtime library; `None` for `ORT_DYLIB_PATH` or the system's.
    pub library: Option<PathBuf>,
    /// Tokens of a text that are read.
    pub max_tokens: usize,
    /// Threads per text.
    pub threads: usize,
}

/// How token vectors become one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolingSetting {
    /// Their mean.
    Mean,
    /// The first one.
    Cls,
}

/// Where classes and properties are searched.
#[derive(Debug, Clone)]
pub enum SchemaIndexSettings {
    /// In the index folder.
    Local,
    /// On a Qdrant server.
    Qdrant {
        /// The gRPC address.
        url: String,
        /// The key.
        api_key: Option<SecretString>,
        /// Start of the collections' names.
        collection_prefix: String,
        /// Longest wait for one search.
        search_timeout: Duration,
        /// Shards of a new collection; `None` leaves it to the server.
        shard_number: Option<u32>,
        /// Copies of each shard; `None` leaves it to the server.
        replication_factor: Option<u32>,
    },
}

/// How indexes are built and where they lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexSettings {
    /// The folder of the indexes that have no folder of their own.
    pub folder: PathBuf,
    /// IRIs of naming properties beside the built-in ones.
    pub naming_properties: Vec<String>,
    /// Whether broken statements are left out instead of ending the build.
    pub skip_errors: bool,
    /// Longest literal indexed as a value, in characters.
    pub max_value_chars: usize,
    /// How an endpoint is read when there are no files.
    pub endpoint: EndpointReading,
}

/// How an endpoint is read when an index is built from it alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndpointReading {
    /// Rows asked for at once.
    pub page_rows: usize,
    /// Requests at the same time.
    pub requests: usize,
    /// Time for one request.
    pub timeout: Duration,
    /// How long it is waited for in a row.
    pub patience: Duration,
    /// Statements of a property that cannot be had in full.
    pub sample_rows: u64,
}

/// What is kept in memory to save work; 0 entries switch a cache off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheSettings {
    /// Whole answers.
    pub answers: u64,
    /// Results of queries by a remote endpoint.
    pub results: u64,
    /// Vectors of search texts.
    pub embeddings: u64,
    /// Look-ups at a Wikibase.
    pub lookups: u64,
    /// How long an entry is kept.
    pub time_to_live: Duration,
}

/// What is logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogSettings {
    /// A filter like `info,eruca::agent=debug`.
    pub level: String,
    /// For people or machines.
    pub format: LogFormat,
    /// OpenTelemetry collector that gets the spans.
    pub otlp_endpoint: Option<String>,
    /// Folder of the query log, if there is to be one.
    pub questions_folder: Option<PathBuf>,
    /// Files of the query log that are kept.
    pub questions_files: usize,
}

/// The form of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object per line.
    Json,
}

impl Settings {
    /// The settings of this process: defaults, then `file` (or [`DEFAULT_FILE`] in the working directory, if it
    /// exists), then the environment.
    ///
    /// # Errors
    /// A [`ConfigError`] that names the place and what is allowed there.
    pub fn load(file: Option<&Path>) -> Result<Self, ConfigError> {
        let text = |value: std::ffi::OsString| value.to_string_lossy().into_owned();
        let variables: Vec<_> = std::env::vars_os().map(|(name, value)| (text(name), text(value))).collect();
        Self::load_from(file, Path::new(""), &variables)
    }

    /// As [`Settings::load`], with the working directory and the environment as arguments.
    ///
    /// # Errors
    /// A [`ConfigError`] that names the place and what is allowed there.
    pub fn load_from(
        file: Option<&Path>,
        working_directory: &Path,
        variables: &[(String, String)],
    ) -> Result<Self, ConfigError> {
        let mut layers = Layers::defaults()?;
        let default_file = working_directory.join(DEFAULT_FILE);
        if let Some(file) = file {
            layers.add_file(file)?;
        } else if default_file.exists() {
            layers.add_file(&default_file)?;
        }
        layers.add_environment(variables)?;
        validate::settings(layers.merged()?, variables)
    }

    /// The dataset with this id or alias.
    pub fn dataset(&self, name: &str) -> Option<&DatasetSettings> {
        self.datasets
            .iter()
            .find(|dataset| dataset.id == name || dataset.aliases.iter().any(|alias| alias == name))
    }

    /// The folder of a dataset's index: its own, or one named after its id in `[index] folder`.
    pub fn index_folder(&self, dataset: &DatasetSettings) -> PathBuf {
        dataset
            .index
            .clone()
            .unwrap_or_else(|| self.index.folder.join(file_name::safe_file_name(&dataset.id)))
    }
}

//! Settings: built-in defaults, then a file, then the environment; checked once, typed, ready to use.
//!
//! [`Settings::load`] is the only entry point. Secrets are [`SecretString`](secrecy::SecretString)s and
//! never shown. Depends on one other module: `helps`, the struct of a section.
//!
//! No other module reads settings files or `ERUCA__…` and `OPENAI_…` variables. Test: `tests/config.rs`.

mod authority;
mod dataset;
mod datasets;
mod entry;
mod error;
mod file_name;
mod layers;
mod places;
mod presets;
mod roles;
mod sections;
mod setting;
mod values;
#[cfg(test)]
mod wrong;

pub use authority::{AllowedHosts, Authority};
pub use dataset::{
    CredentialSettings, DatasetSettings, EndpointSettings, KnowledgeSettings, SearchSettings, Source,
    TextSettings, WikibaseSettings,
};
pub use error::ConfigError;
pub use roles::{RoleHidden, RoleSettings};
pub use sections::index::IndexSettings;
pub use sections::limits::{AgentSettings, SparqlSettings};
pub use sections::llm::{LlmSettings, PriceSettings};
pub use sections::operation::{CacheSettings, LogFormat, LogSettings, OutgoingSettings, RunsSettings};
pub use sections::page::{FeedbackSettings, PageSettings, TilesSettings};
pub use sections::schema_search::{
    EmbeddingProvider, EmbeddingSettings, EntityIndexSettings, IndexBackend, PoolingSetting,
    SchemaIndexSettings,
};
pub use sections::server::{ApiKey, KeyScope, ServerSettings, TlsFiles};

use crate::agent_features::AgentFeatures;
use eruca_dataset::ID_SEPARATOR;
use serde::Deserialize;
use setting::Setting;
use std::path::{Path, PathBuf};

/// The file read from the working directory unless another one is named.
pub const DEFAULT_FILE: &str = "eruca.toml";
/// The id of the demo dataset, served when no dataset is configured.
pub const DEMO_ID: &str = "demo";

/// All settings: one field for each section. Messages list the sections in this order.
#[derive(Debug, Clone, Deserialize)]
pub struct Settings {
    /// `[agent]`: limits of one question.
    pub agent: AgentSettings,
    /// `[cache]`: what is cached in memory.
    pub cache: CacheSettings,
    /// `[embedding]`: vectors for searching classes and properties.
    pub embedding: EmbeddingSettings,
    /// `[feedback]`: where reports on answers are stored.
    pub feedback: FeedbackSettings,
    /// `[helps]`: features that help a model besides the tools.
    pub helps: AgentFeatures,
    /// `[index]`: how indexes are built and where they are stored.
    pub index: IndexSettings,
    /// `[llm]`: the chat model; `None` lets the planner answer.
    pub llm: Option<LlmSettings>,
    /// `[log]`: what is logged.
    pub log: LogSettings,
    /// `[outgoing]`: politeness limits for public endpoints.
    pub outgoing: OutgoingSettings,
    /// `[page]`: what the web page loads from elsewhere.
    pub page: PageSettings,
    /// `[runs]`: which questions and answers are kept for later viewing.
    pub runs: RunsSettings,
    /// `[schema_index]`: where classes and properties are searched.
    pub schema_index: SchemaIndexSettings,
    /// `[entity_index]`: where entities and values are searched.
    pub entity_index: EntityIndexSettings,
    /// `[server]`: the HTTP service.
    pub server: ServerSettings,
    /// `[sparql]`: limits of one query.
    pub sparql: SparqlSettings,
    /// `[[datasets]]`; never empty: the demo dataset is the default.
    #[serde(default, deserialize_with = "datasets::later")]
    pub datasets: Vec<DatasetSettings>,
    /// `[[roles]]`: what those see who have one.
    #[serde(default)]
    pub roles: Vec<RoleSettings>,
    /// The program whose command `worker` runs queries of the embedded store. Not configurable: `eruca` sets it itself;
    /// without it, the embedded store runs queries on threads.
    #[serde(skip)]
    pub store_program: Option<PathBuf>,
}

impl Settings {
    /// The settings of this process: defaults, then `file` (or [`DEFAULT_FILE`] in the working directory, if it
    /// exists), then the environment.
    ///
    /// # Errors
    /// A [`ConfigError`] with the place of the setting and what is allowed there.
    pub fn load(file: Option<&Path>) -> Result<Self, ConfigError> {
        let text = |value: std::ffi::OsString| value.to_string_lossy().into_owned();
        let variables: Vec<_> = std::env::vars_os().map(|(name, value)| (text(name), text(value))).collect();
        Self::load_from(file, Path::new(""), &variables)
    }

    /// As [`Settings::load`], with the working directory and the environment as arguments.
    ///
    /// # Errors
    /// A [`ConfigError`] with the place of the setting and what is allowed there.
    pub fn load_from(
        file: Option<&Path>,
        working_directory: &Path,
        variables: &[(String, String)],
    ) -> Result<Self, ConfigError> {
        let default_file = Some(working_directory.join(DEFAULT_FILE)).filter(|file| file.exists());
        let (merged, places) = layers::merged(file.or(default_file.as_deref()), variables)?;
        let mut settings = Self::deserialize(Setting::root(&merged, &places))?;
        settings.server.check(&places)?;
        settings.page.check(&places)?;
        settings.embedding.check(&places)?;
        settings.schema_index.check(&settings.entity_index, &places)?;
        settings.llm = settings.llm.map(|llm| llm.switched_on(variables, &places)).transpose()?.flatten();
        settings.datasets = datasets::read(&merged, &places)?;
        roles::check(&settings, &places)?;
        Ok(settings)
    }

    /// The dataset with this id or alias.
    pub fn dataset(&self, name: &str) -> Option<&DatasetSettings> {
        self.datasets
            .iter()
            .find(|dataset| dataset.id == name || dataset.aliases.iter().any(|alias| alias == name))
    }

    /// The datasets that a question to this name may be about: the one with this id or alias, or all where `open` is the
    /// name that leaves it open and none is called so. Empty if there is none.
    pub fn datasets_named(&self, name: &str, open: &str) -> Vec<&DatasetSettings> {
        match self.dataset(name) {
            Some(found) => vec![found],
            None if name == open => self.datasets.iter().collect(),
            None => {
                let each: Option<Vec<_>> =
                    name.split(ID_SEPARATOR).map(|name| self.dataset(name.trim())).collect();
                each.unwrap_or_default()
            }
        }
    }

    /// The folder of proposals: the one that is named, or one in the folder of the indexes, into which the service can write.
    /// `None` if none are taken. No index has a name that begins with a dot.
    pub fn proposals_folder(&self) -> Option<PathBuf> {
        let folder = || self.index.folder.join(".proposals");
        self.feedback.proposals.then(|| self.feedback.proposals_folder.clone().unwrap_or_else(folder))
    }

    /// The folder of a dataset's index: its own, or one named after its id in `[index] folder`.
    pub fn index_folder(&self, dataset: &DatasetSettings) -> PathBuf {
        dataset
            .index
            .clone()
            .unwrap_or_else(|| self.index.folder.join(file_name::safe_file_name(&dataset.id)))
    }
}

//! The settings of one `[[datasets]]` entry: where its triples are, where names are searched, how it is spelt.

use super::error::ConfigError;
use super::values::{NO_IRI, is_iri, web_url};
use eruca_indexer::GivenFormat;
use eruca_indexer::vocabulary::GivenVocabulary;
use eruca_sparql::Dialect;
use secrecy::SecretString;
use std::path::PathBuf;

/// A dataset that can be asked. By default nothing is said of it, and its triples are those of the demo.
#[derive(Debug, Clone, Default)]
pub struct DatasetSettings {
    /// The id under which it is asked.
    pub id: String,
    /// Other names it answers to.
    pub aliases: Vec<String>,
    /// The name for people.
    pub name: String,
    /// Where its triples are.
    pub source: Source,
    /// The format of its files, if neither their names nor their content show it.
    pub format: Option<GivenFormat>,
    /// Prefixes with their namespaces, beside those that its files declare.
    pub prefixes: Vec<(String, String)>,
    /// The folder of its index, if it has one of its own.
    pub index: Option<PathBuf>,
    /// Preferred languages of labels, best first; empty for all.
    pub languages: Vec<String>,
    /// How the graph says what its things are, as far as it is not to be found out.
    pub vocabulary: GivenVocabulary,
    /// Where names are looked up.
    pub search: SearchSettings,
    /// The address of an editor for its queries, in which `{query}` stands for the query; `None` for that of the engine.
    pub editor: Option<String>,
}

/// Where the names of a dataset are looked up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SearchSettings {
    /// In its index.
    #[default]
    Index,
    /// By the search of a Wikibase; there is no index.
    Wikibase(WikibaseSettings),
    /// In its index first, then by the search of a Wikibase.
    Both(WikibaseSettings),
}

impl SearchSettings {
    /// The search of a Wikibase, if there is one.
    pub fn wikibase(&self) -> Option<&WikibaseSettings> {
        match self {
            Self::Index => None,
            Self::Wikibase(wikibase) | Self::Both(wikibase) => Some(wikibase),
        }
    }
}

/// The search of a Wikibase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WikibaseSettings {
    /// The address of its `api.php`.
    pub api: String,
    /// The address of a vector search service, without a slash at the end.
    pub vectors: Option<String>,
    /// What its IRIs begin with, up to `entity/` and `prop/`.
    pub base: String,
}

/// Where a dataset's triples are.
#[derive(Debug, Clone, Default)]
pub enum Source {
    /// The demo graph that is built into the program.
    #[default]
    Demo,
    /// Files, as paths and patterns: indexed and stored.
    Files(Vec<PathBuf>),
    /// An endpoint alone, for the queries and the index.
    Endpoint(EndpointSettings),
    /// An endpoint for the queries and files for the index.
    FilesAndEndpoint {
        /// Paths and patterns.
        files: Vec<PathBuf>,
        /// The endpoint.
        endpoint: EndpointSettings,
    },
}

impl Source {
    /// The endpoint, if there is one.
    pub fn endpoint(&self) -> Option<&EndpointSettings> {
        match self {
            Self::Endpoint(endpoint) | Self::FilesAndEndpoint { endpoint, .. } => Some(endpoint),
            Self::Demo | Self::Files(_) => None,
        }
    }
}

/// A SPARQL endpoint.
#[derive(Debug, Clone)]
pub struct EndpointSettings {
    /// Its URL, free of credentials.
    pub url: String,
    /// How we say who we are.
    pub credentials: CredentialSettings,
    /// Further request headers.
    pub headers: Vec<(String, SecretString)>,
    /// Graphs to take as the default graph.
    pub default_graphs: Vec<String>,
    /// The engine behind it; `None` finds it out.
    pub dialect: Option<&'static Dialect>,
}

impl EndpointSettings {
    /// An open endpoint named on the command line.
    ///
    /// # Errors
    /// When the URL or a graph cannot be used.
    pub fn from_arguments(url: &str, default_graphs: Vec<String>) -> Result<Self, ConfigError> {
        let invalid = |key: &str, problem: &str| ConfigError::Invalid {
            origin: "command line".to_owned(),
            key: key.to_owned(),
            problem: problem.to_owned(),
        };
        let url = web_url(url).map_err(|problem| invalid("--endpoint", &problem))?;
        if !default_graphs.iter().all(|graph| is_iri(graph)) {
            return Err(invalid("--default-graph", NO_IRI));
        }
        let (credentials, headers) = (CredentialSettings::None, Vec::new());
        Ok(Self { url, credentials, headers, default_graphs, dialect: None })
    }
}

/// How we say to an endpoint who we are.
#[derive(Debug, Clone)]
pub enum CredentialSettings {
    /// Not at all.
    None,
    /// By [basic authentication](https://www.rfc-editor.org/rfc/rfc7617).
    Basic {
        /// The user.
        user: String,
        /// The password.
        password: SecretString,
    },
    /// By a [bearer token](https://www.rfc-editor.org/rfc/rfc6750).
    Bearer(SecretString),
}

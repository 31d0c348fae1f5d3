//! The settings of one `[[datasets]]` entry: source of its triples, name search, prefixes, vocabulary.

use super::error::ConfigError;
use super::values::{NO_IRI, is_iri, web_url};
use eruca_indexer::GivenFormat;
use eruca_indexer::vocabulary::GivenVocabulary;
use eruca_sparql::Dialect;
use secrecy::SecretString;
use std::path::PathBuf;

/// A dataset that can be queried. By default everything is unset, and its triples are those of the demo.
#[derive(Debug, Clone, Default)]
pub struct DatasetSettings {
    /// The main id.
    pub id: String,
    /// Alternative ids.
    pub aliases: Vec<String>,
    /// The display name.
    pub name: String,
    /// The source of its triples.
    pub source: Source,
    /// The format of its files, if neither their names nor their content show it.
    pub format: Option<GivenFormat>,
    /// The only named graphs that belong to it; all, if there are none.
    pub graphs: Vec<String>,
    /// Prefixes with their namespaces, in addition to those that its files declare.
    pub prefixes: Vec<(String, String)>,
    /// The folder of its index, if it has one of its own.
    pub index: Option<PathBuf>,
    /// Where files say what the owner of the graph knows of it; `None` for none.
    pub knowledge: Option<KnowledgeSettings>,
    /// The texts beside the graph.
    pub texts: TextSettings,
    /// Preferred languages of labels, best first; empty for all.
    pub languages: Vec<String>,
    /// The vocabulary for types and labels, as far as it is not to be detected.
    pub vocabulary: GivenVocabulary,
    /// Where names are looked up.
    pub search: SearchSettings,
    /// The URL of an editor for its queries, with `{query}` in place of the query; `None` for that of the engine.
    pub editor: Option<String>,
    /// The URL of a page on which a thing can be corrected, with `{iri}` or `{name}` in place of it.
    pub improve: Option<String>,
}

/// Where files say what the owner of a graph knows of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnowledgeSettings {
    /// The folder.
    pub folder: PathBuf,
    /// Whether it was named, so that it must exist.
    pub is_named: bool,
}

/// The texts beside a graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextSettings {
    /// Documents: paths and patterns.
    pub files: Vec<PathBuf>,
    /// A file that says which documents are about which things.
    pub mapping: Option<PathBuf>,
    /// Literals of at least so many characters are texts; none if 0.
    pub literals_from: usize,
    /// Whether passages get vectors, where an embedding model is configured.
    pub vectors: bool,
}

/// Where the names of a dataset are looked up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SearchSettings {
    /// In its index.
    #[default]
    Index,
    /// With the search of a Wikibase; there is no index.
    Wikibase(WikibaseSettings),
    /// In its index first, then with the search of a Wikibase.
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
    /// The URL of its `api.php`.
    pub api: String,
    /// The URL of a vector search service, without a trailing slash.
    pub vectors: Option<String>,
    /// The base of its IRIs, up to `entity/` and `prop/`.
    pub base: String,
}

/// The source of a dataset's triples.
#[derive(Debug, Clone, Default)]
pub enum Source {
    /// The demo graph that is built into the program.
    #[default]
    Demo,
    /// Files, as paths and patterns: indexed and stored.
    Files(Vec<PathBuf>),
    /// An endpoint alone, both for queries and for building the index.
    Endpoint(EndpointSettings),
    /// An endpoint for queries and files for the index.
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
    /// Its URL, without credentials.
    pub url: String,
    /// Credentials for the endpoint.
    pub credentials: CredentialSettings,
    /// Further request headers.
    pub headers: Vec<(String, SecretString)>,
    /// Graphs to take as the default graph.
    pub default_graphs: Vec<String>,
    /// The engine behind it; `None` to detect it.
    pub dialect: Option<&'static Dialect>,
}

impl EndpointSettings {
    /// An endpoint without authentication, given on the command line.
    ///
    /// # Errors
    /// When the URL or a graph is invalid.
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

/// Credentials for an endpoint.
#[derive(Debug, Clone)]
pub enum CredentialSettings {
    /// No authentication.
    None,
    /// [Basic authentication](https://www.rfc-editor.org/rfc/rfc7617).
    Basic {
        /// The user.
        user: String,
        /// The password.
        password: SecretString,
    },
    /// A [bearer token](https://www.rfc-editor.org/rfc/rfc6750).
    Bearer(SecretString),
}

//! Builds an index: read, extract, write, publish. This module defines the order of the steps; each step is elsewhere.

mod finish;
mod names;
mod read;
mod recorder;
mod seal;
pub(crate) mod seen;
mod share;
mod share_files;
mod vectors;

pub use share::{ShareError, ShareSummary, build_share, merge_shares};

use crate::embedding::{Embedder, EmbeddingError};
use crate::entity_index::EntityIndex;
use crate::extract::{Roles, Space, count};
use crate::folder::NewVersion;
use crate::health::IntegrityAlarm;
use crate::hidden::LeftOut;
use crate::lexical::{LexicalError, NamesUpload, OpenNames};
use crate::origin::{BuiltFrom, SourceFile};
use crate::progress::Progress;
use crate::qdrant::{NewCollection, QdrantFailure, QdrantOptions};
use crate::schema_index::SchemaIndexError;
use crate::source::{GivenFormat, SourceError, expand_patterns};
use crate::texts::{TextSources, TextVectorsError, TextsBuild, TextsError};
use crate::vocabulary::GivenVocabulary;
use eruca_sparql::{Prefixes, SparqlEndpoint};
use eruca_store::TooMany;
use finish::{Finished, finish};
use names::{NamesTarget, write_names};
use oxrdf::Quad;
use read::{ReadSource, Receivers, read};
use recorder::GraphRecorder;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) const ENTITIES: &str = "entities";
pub(crate) const VALUES: &str = "values";
pub(crate) const TEXTS: &str = "texts";
pub(crate) const SCHEMA: &str = "schema";
pub(crate) const CARD: &str = "card.json";
pub(crate) const GRAPH: &str = "graph";

/// Maximum length kept of a literal, in characters; descriptions are cut shorter.
const MAX_LITERAL_CHARS: usize = 400;
/// Default for the maximum length of searchable values, in characters.
const MAX_VALUE_CHARS: usize = 120;
/// Folder for files that a build needs only while it runs.
const WORK: &str = "work";

/// What to build and how.
pub struct BuildOptions<'a> {
    /// Paths and globs of RDF files.
    pub files: &'a [PathBuf],
    /// The origin of the files, if they were downloaded from elsewhere.
    pub origin: Option<Origin>,
    /// Prefixes of the dataset in addition to those that its files declare.
    pub prefixes: &'a [(String, String)],
    /// The index folder; created if missing.
    pub folder: &'a Path,
    /// The configured part of the graph's vocabulary; the rest is detected.
    pub vocabulary: GivenVocabulary,
    /// Preferred languages of names.
    pub languages: &'a [String],
    /// Naming properties in addition to the built-in ones, best first.
    pub naming_properties: &'a [String],
    /// Leave invalid statements out instead of stopping at the first.
    pub skip_errors: bool,
    /// The format of the files, if neither their names nor their content reveal it.
    pub format: Option<GivenFormat>,
    /// The named graphs that belong to the dataset; all quads, also those of no named graph, if there are none.
    pub graphs: &'a [String],
    /// An endpoint from which to fetch names that the files lack.
    pub names_from: Option<&'a dyn SparqlEndpoint>,
    /// Longer string values are not searchable.
    pub max_value_chars: usize,
    /// Computes the vectors of the schema index and of texts; `None` for a search without vectors.
    pub embedder: Option<&'a dyn Embedder>,
    /// Texts beside the graph, to be found by their words and, where there is an embedder, by their meaning.
    pub texts: Option<&'a TextSources>,
    /// Where to write the schema index, and the vectors of texts.
    pub schema_target: IndexTarget,
    /// Where to write the names of entities and values.
    pub names_target: IndexTarget,
    /// Whether to store the graph as well, so that it can be queried without its files.
    pub with_graph: bool,
    /// What is left out.
    pub without: Option<LeftOut>,
    /// What is hidden from somebody, in a graph with these prefixes: for each, an index without it is built beside this one.
    pub hidden: &'a (dyn Fn(&Prefixes) -> Vec<LeftOut> + Sync),
}

/// Nothing is hidden from anybody.
fn nothing(_: &Prefixes) -> Vec<LeftOut> {
    Vec::new()
}

impl<'a> BuildOptions<'a> {
    /// Options for an index of these files in this folder, with the defaults of `config/default.toml` and no vectors.
    #[must_use]
    pub fn new(files: &'a [PathBuf], folder: &'a Path) -> Self {
        Self {
            files,
            origin: None,
            prefixes: &[],
            folder,
            vocabulary: GivenVocabulary::default(),
            languages: &[],
            naming_properties: &[],
            skip_errors: false,
            format: None,
            graphs: &[],
            names_from: None,
            max_value_chars: MAX_VALUE_CHARS,
            embedder: None,
            texts: None,
            schema_target: IndexTarget::Folder,
            names_target: IndexTarget::Folder,
            with_graph: true,
            without: None,
            hidden: &nothing,
        }
    }

    /// Whether a statement is not left out.
    pub(crate) fn sees(&self, quad: &Quad) -> bool {
        !self.without.as_ref().is_some_and(|without| without.has(quad))
    }
}

/// An endpoint whose graph is in the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The endpoint's name, for the manifest.
    pub endpoint: String,
    /// Its default graphs, as requested.
    pub graphs: Vec<String>,
    /// What the files lack.
    pub notes: Vec<String>,
}

/// Where to write a part of an index.
#[derive(Clone)]
pub enum IndexTarget {
    /// The index folder.
    Folder,
    /// A Qdrant server.
    Qdrant(QdrantOptions),
}

/// The result of a build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildSummary {
    /// The index folder.
    pub index: PathBuf,
    /// Triples read, duplicates included.
    pub triples: u64,
    /// Invalid statements left out.
    pub skipped: u64,
    /// The first few reasons for leaving statements out.
    pub skipped_reasons: Vec<String>,
    /// Notes on files whose format is not what their names say.
    pub file_notes: Vec<String>,
    /// Entities indexed.
    pub entities: u64,
    /// Values indexed.
    pub values: u64,
    /// Passages of texts indexed.
    pub passages: u64,
    /// The kinds of search used for them.
    pub text_search: String,
    /// Classes, declared or used.
    pub classes: u64,
    /// Properties, declared or used.
    pub properties: u64,
    /// Languages of string literals with their counts; the empty tag stands for none.
    pub languages: Vec<(String, u64)>,
    /// The kinds of search used for classes and properties.
    pub schema_search: String,
    /// What is missing from the source.
    pub notes: Vec<String>,
    /// What is missing because it is invalid, file by file.
    pub unread: Vec<String>,
    /// From whom something is hidden, with the triples of the index that is without it.
    pub seen: Vec<(String, u64)>,
    /// Wall-clock time.
    pub elapsed: Duration,
}

/// Why a build failed. The previous index, if any, is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The RDF cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The files contain no triple.
    #[error("the files hold no triple: {}{}; name files with RDF statements in them", files.join(", "), broken(reasons))]
    Empty {
        /// The files.
        files: Vec<String>,
        /// Why statements were left out, if errors are skipped.
        reasons: Vec<String>,
    },
    /// The graph has more nodes or literals than an index can number.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The folder cannot be written.
    #[error("the index folder '{folder}' cannot be written: {source}")]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// An index cannot be written.
    #[error("the index in '{folder}' cannot be written: {source}")]
    Index {
        /// The folder.
        folder: PathBuf,
        /// The search engine's error.
        source: LexicalError,
    },
    /// The server for the names of entities and values fails.
    #[error(transparent)]
    Names(#[from] QdrantFailure),
    /// The schema index cannot be written.
    #[error(transparent)]
    Schema(#[from] SchemaIndexError),
    /// The texts beside the graph cannot be read or indexed.
    #[error(transparent)]
    Texts(#[from] TextsError),
    /// The vectors of the texts cannot be made or written.
    #[error(transparent)]
    TextVectors(#[from] TextVectorsError),
    /// The names of classes and properties cannot be embedded.
    #[error(transparent)]
    Embedding(#[from] EmbeddingError),
    /// The graph cannot be indexed in shares.
    #[error(transparent)]
    Share(#[from] ShareError),
}

fn broken(reasons: &[String]) -> String {
    match reasons {
        [] => String::new(),
        reasons => format!(" (all that they hold is broken: {})", reasons.join("; ")),
    }
}

/// Builds an index and makes it the current one.
///
/// # Errors
/// When the source cannot be read or the index cannot be written; in that case, nothing is changed.
pub async fn build(options: &BuildOptions<'_>, progress: &dyn Progress) -> Result<BuildSummary, BuildError> {
    build_within(options, Space::new, progress).await
}

/// Builds an index with the given space for data that is not kept in memory.
pub(crate) async fn build_within(
    options: &BuildOptions<'_>,
    space: impl FnOnce(&Path) -> Space,
    progress: &dyn Progress,
) -> Result<BuildSummary, BuildError> {
    let IndexTarget::Qdrant(server) = &options.names_target else {
        return build_parts(options, space, None, progress).await;
    };
    // Nothing is started for files that do not exist.
    expand_patterns(options.files)?;
    std::fs::create_dir_all(options.folder).map_err(|source| folder_error(options, source))?;
    let (upload, new) = NamesUpload::start(server, options.folder).await?;
    let names = ServerNames { server, upload: &upload, new: &new };
    let built = build_parts(options, space, Some(names), progress).await;
    if built.is_err() {
        new.discard().await;
    }
    built
}

/// The server to which names are written.
#[derive(Clone, Copy)]
struct ServerNames<'a> {
    server: &'a QdrantOptions,
    upload: &'a NamesUpload,
    new: &'a NewCollection,
}

async fn build_parts(
    options: &BuildOptions<'_>,
    space: impl FnOnce(&Path) -> Space,
    server: Option<ServerNames<'_>>,
    progress: &dyn Progress,
) -> Result<BuildSummary, BuildError> {
    let started = Instant::now();
    // Done before the folder is created, so that a mistyped name leaves nothing behind.
    let files = expand_patterns(options.files)?;
    let version = NewVersion::start(options.folder).map_err(|source| folder_error(options, source))?;
    let work = version.folder().join(WORK);
    std::fs::create_dir(&work).map_err(|source| folder_error(options, source))?;
    let built_from = built_from(options, &files)?;
    let space = space(&work);
    let recorder =
        recorder(options, version.folder(), &space).map_err(|source| folder_error(options, source))?;
    let mut texts = match options.texts.filter(|sources| !sources.is_empty()) {
        Some(sources) => Some(TextsBuild::start(sources, &version.folder().join(TEXTS))?),
        None => None,
    };
    let receivers = Receivers { recorder: recorder.as_ref(), texts: texts.as_mut() };
    let source = read(options, (&files, None), space, receivers, progress).await?;
    progress.begin("counting classes and properties", None);
    let roles = Roles::find(&source.graph, options.naming_properties, options.languages);
    let prefixes = shown_prefixes(options, &source);
    let counted = count(&source.graph, &roles);
    let (card, uncounted) = counted.card(source.graph.vocabulary(), &prefixes, source.graph.quads_read());
    progress.end(&format!("{} classes, {} properties", card.classes.len(), card.properties.len()));
    let (entities, values) = (version.folder().join(ENTITIES), version.folder().join(VALUES));
    let target = match server {
        Some(names) => NamesTarget::Server(names.upload),
        None => NamesTarget::Folders { entities: &entities, values: &values },
    };
    let written = write_names(options, target, &source.graph, &roles, progress);
    let names = written.map_err(|source| BuildError::Index { folder: options.folder.to_owned(), source })?;
    let mut finished = Finished::of_files(built_from, source, card, names, uncounted);
    if let Some(recorder) = recorder {
        progress.begin("storing the graph", None);
        recorder.finish().map_err(|source| folder_error(options, source))?;
        progress.end("stored");
    }
    if let Some(texts) = texts {
        let entities = written_entities(&entities, server, finished.names.entities).await?;
        let (stamp, unread) = texts.finish(&entities, progress)?;
        finished.texts = Some(stamp);
        finished.notes.extend(unread);
    }
    std::fs::remove_dir_all(&work).map_err(|source| folder_error(options, source))?;
    finish(options, version, finished, server, started, progress).await
}

/// The entities of this build, to be searched.
async fn written_entities(
    folder: &Path,
    server: Option<ServerNames<'_>>,
    entities: u64,
) -> Result<EntityIndex, BuildError> {
    let Some(names) = server else {
        let opened = EntityIndex::open(folder, &IntegrityAlarm::default());
        return opened.map_err(|source| BuildError::Index { folder: folder.to_owned(), source });
    };
    let open = OpenNames::open(names.server, names.new.name()).await?;
    Ok(EntityIndex::in_server(&open, entities))
}

/// The prefixes of the files; where something is left out, only those of what is left.
fn shown_prefixes(options: &BuildOptions<'_>, source: &ReadSource) -> Vec<(String, String)> {
    let is_used = |namespace: &str| source.graph.nodes().any(|(_, node)| node.starts_with(namespace));
    let all = source.prefixes.iter();
    all.filter(|(_, namespace)| options.without.is_none() || is_used(namespace)).cloned().collect()
}

fn recorder(
    options: &BuildOptions<'_>,
    version: &Path,
    space: &Space,
) -> std::io::Result<Option<GraphRecorder>> {
    if !options.with_graph {
        return Ok(None);
    }
    // A quad takes more memory than a triple, and the index sorts its own triples at the same time.
    let quads_in_memory = (space.triples_in_memory / 2).max(1);
    GraphRecorder::start(&version.join(GRAPH), &space.folder, quads_in_memory).map(Some)
}

fn folder_error(options: &BuildOptions<'_>, source: std::io::Error) -> BuildError {
    match TooMany::within(&source) {
        Some(too_many) => too_many.into(),
        None => BuildError::Folder { folder: options.folder.to_owned(), source },
    }
}

/// Fingerprints are taken before reading: a file changed meanwhile counts as a different one.
fn built_from(options: &BuildOptions<'_>, files: &[PathBuf]) -> Result<BuiltFrom, BuildError> {
    if let Some(Origin { endpoint, graphs, notes: _ }) = &options.origin {
        return Ok(BuiltFrom::Endpoint { name: endpoint.clone(), graphs: graphs.clone() });
    }
    let look = |file: &PathBuf| {
        let failed = |source| SourceError::Io { path: file.clone(), source };
        SourceFile::of(file).map_err(failed)
    };
    Ok(BuiltFrom::Files(files.iter().map(look).collect::<Result<_, _>>()?))
}

//! An index opened for searching: entities, values, schema, card and manifest of one dataset.

use crate::build::{CARD, ENTITIES, GRAPH, SCHEMA, TEXTS, VALUES, seen};
use crate::card::DatasetCard;
use crate::embedding::Embedder;
use crate::entity_index::EntityIndex;
use crate::folder::{Current, Hold, current, hold_current, name_of};
use crate::health::{Health, IntegrityAlarm, Outdated};
use crate::hidden::LeftOut;
use crate::lexical::{LexicalError, OpenNames};
use crate::manifest::{Backend, FILE as MANIFEST, FORMAT, Manifest, ManifestError};
use crate::origin::BuiltFrom;
use crate::qdrant::{QdrantFailure, QdrantOptions};
use crate::schema_graph::SchemaGraph;
use crate::schema_index::{
    LocalSchemaIndex, NoSchemaIndex, QdrantPassages, QdrantSchemaIndex, SchemaIndex, SchemaIndexError,
    SchemaSearch, documents,
};
use crate::schema_names::SchemaNames;
use crate::texts::{
    LocalVectors, TEXT_VECTORS_FORMAT, TEXTS_FORMAT, TextIndex, TextVectors, TextVectorsStamp,
};
use crate::value_index::ValueIndex;
use crate::vocabulary::Vocabulary;
use eruca_sparql::Prefixes;
use eruca_store::StoredGraph;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One dataset's index, read only. Cheap to share between questions.
pub struct DatasetIndex {
    /// Resources by name.
    pub entities: EntityIndex,
    /// Literals by text.
    pub values: ValueIndex,
    /// Texts beside the graph, where they are configured.
    pub texts: Option<TextIndex>,
    /// Classes and properties.
    pub schema: SchemaSearch,
    /// The names of classes and properties, as words.
    pub names: SchemaNames,
    /// Which properties connect which classes.
    pub graph: SchemaGraph,
    /// The contents of the dataset.
    pub card: DatasetCard,
    /// What the index was built from.
    pub manifest: Manifest,
    /// The folder of the stored graph, if there is one.
    pub stored_graph: Option<PathBuf>,
    /// The command that rebuilds it.
    pub build_command: String,
    /// Identifies this version of the index; empty if there is no index.
    pub version: String,
    /// The server that has the names of entities and values, if they are not in the folder.
    names_server: Option<OpenNames>,
    health: Arc<Health>,
    hold: Option<Arc<Hold>>,
    /// The index beside which this one was built.
    whole: Option<Whole>,
}

/// An index that was built with one that leaves something out. Both are replaced together.
struct Whole {
    health: Arc<Health>,
    _hold: Option<Arc<Hold>>,
}

/// Why an index cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// There is no index, an incomplete one, or one of another format version.
    #[error("{0}; build it with: {1}")]
    Manifest(#[source] ManifestError, String),
    /// The index was built with another embedding model.
    #[error(
        "the index in '{folder}' was built with {built}, but {configured} is configured; build it again with: {command}"
    )]
    OtherEmbedding {
        /// The index folder.
        folder: PathBuf,
        /// The model in the manifest.
        built: String,
        /// The model in the configuration.
        configured: String,
        /// The command to run.
        command: String,
    },
    /// A file of the index is damaged.
    #[error("the index in '{folder}' is damaged: {reason}; build it again with: {command}")]
    Damaged {
        /// The index folder.
        folder: PathBuf,
        /// What is wrong.
        reason: String,
        /// The command to run.
        command: String,
    },
    /// The schema index is in a Qdrant server that does not answer or is not configured.
    #[error("the schema index of '{folder}' cannot be opened: {reason}")]
    Schema {
        /// The index folder.
        folder: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The names of entities and values are in a Qdrant server that does not answer or is not configured.
    #[error("the names of entities and values of '{folder}' cannot be opened: {reason}")]
    Names {
        /// The index folder.
        folder: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The vectors of the texts are in a Qdrant server that does not answer or does not have them.
    #[error("the vectors of the texts of '{folder}' cannot be opened: {reason}")]
    Texts {
        /// The index folder.
        folder: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// How to open an index.
pub struct OpenOptions<'a> {
    /// The index folder.
    pub folder: &'a Path,
    /// The configured embedding model, if any.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// The Qdrant server for the schema index and the vectors of texts, if one is configured.
    pub schema_in: Option<QdrantOptions>,
    /// The Qdrant server for the names of entities and values, if one is configured.
    pub names_in: Option<QdrantOptions>,
    /// The command that builds this index, for error messages.
    pub build_command: &'a str,
}

impl OpenOptions<'_> {
    fn damaged(&self, reason: String) -> OpenError {
        OpenError::Damaged { folder: self.folder.to_owned(), reason, command: self.build_command.to_owned() }
    }
}

impl DatasetIndex {
    /// Whether a build was ever completed in the folder, in any format version. What is left of it may be damaged.
    pub fn exists(folder: &Path) -> bool {
        current(folder) != Current::None
    }

    /// What is known to be wrong with its files; answers made with a damaged index cannot be trusted.
    pub fn damage(&self) -> Option<&str> {
        self.health.damage()
    }

    /// Whether a search has failed in a way that calls for [`Self::examine`].
    pub fn is_alarmed(&self) -> bool {
        self.health.is_alarmed()
    }

    /// Whether the names of entities and values can be searched.
    ///
    /// # Errors
    /// When they are in a Qdrant server that fails.
    pub async fn check_names(&self) -> Result<(), QdrantFailure> {
        match &self.names_server {
            Some(server) => server.check().await,
            None => Ok(()),
        }
    }

    /// Looks for damage: checks lengths and times of all files, and the content of those that have changed. Reads files, so it
    /// must not be called on threads that must not block.
    pub fn examine(&self) {
        self.health.examine();
    }

    /// Why the open index is stale, as of a few seconds ago; `None` if it is current.
    pub fn outdated(&self) -> Option<Outdated> {
        self.replaced_with().outdated()
    }

    /// Why the open index is stale; `None` if it is current. Reads files.
    pub fn outdated_now(&self) -> Option<Outdated> {
        self.replaced_with().outdated_now()
    }

    /// Opens the index that was built beside this one without what has this seal; `None` if there is none. `options` are those
    /// that this one was opened with.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn without(&self, seal: &str, options: OpenOptions<'_>) -> Result<Option<Self>, OpenError> {
        let folder = seen::folder(&options.folder.join(&self.version), seal);
        if !Self::exists(&folder) {
            return Ok(None);
        }
        let of_seen = |server: &Option<QdrantOptions>| server.as_ref().map(|server| server.of_seen(seal));
        let (schema_in, names_in) = (of_seen(&options.schema_in), of_seen(&options.names_in));
        let opened = Self::open(OpenOptions { folder: &folder, schema_in, names_in, ..options }).await?;
        let whole = Some(Whole { health: self.health.clone(), _hold: self.hold.clone() });
        Ok(Some(Self { version: self.version.clone(), whole, ..opened }))
    }

    /// Whether the current index in this folder has one beside it for everybody from whom something is hidden. `hidden` is as in
    /// [`BuildOptions`](crate::BuildOptions).
    pub fn has_all_without(folder: &Path, hidden: impl Fn(&Prefixes) -> Vec<LeftOut>) -> bool {
        let Current::Version(version) = current(folder) else { return false };
        let Ok(card) = read_card(&version) else { return false };
        let wanted = hidden(&Prefixes::well_known().merged(&card.prefixes));
        wanted.iter().all(|without| Self::exists(&seen::folder(&version, &without.seal)))
    }

    fn replaced_with(&self) -> &Health {
        self.whole.as_ref().map_or(&self.health, |whole| &whole.health)
    }

    /// An in-memory index with only prefixes and naming properties, for a dataset whose names are looked up
    /// elsewhere. `source` is the location of its graph.
    pub fn empty(
        prefixes: Prefixes,
        naming_properties: Vec<String>,
        vocabulary: Vocabulary,
        source: BuiltFrom,
    ) -> Self {
        let card = DatasetCard { prefixes, naming_properties, ..DatasetCard::default() };
        let manifest = Manifest {
            format: FORMAT.to_owned(),
            parts: Manifest::current_parts(),
            built_by: env!("CARGO_PKG_VERSION").to_owned(),
            built_at: 0,
            source,
            files_format: None,
            graphs: Vec::new(),
            without: None,
            vocabulary,
            notes: Vec::new(),
            unread: Vec::new(),
            triples: 0,
            skipped: 0,
            entities: 0,
            values: 0,
            classes: 0,
            properties: 0,
            texts: None,
            embedding: None,
            schema_backend: Backend::Local,
            names_backend: Backend::Local,
            files: BTreeMap::new(),
        };
        Self {
            entities: EntityIndex::empty(),
            values: ValueIndex::empty(),
            names_server: None,
            texts: None,
            schema: SchemaSearch::new(Box::new(NoSchemaIndex), None, &card),
            names: SchemaNames::of(&card, &manifest.vocabulary),
            graph: SchemaGraph::of(&card, &manifest.vocabulary),
            card,
            manifest,
            stored_graph: None,
            build_command: String::new(),
            version: String::new(),
            health: Arc::new(Health::of_nothing()),
            hold: None,
            whole: None,
        }
    }

    /// Opens the current version of an index. No build removes it while it is open.
    ///
    /// # Errors
    /// When there is none, it is damaged, or it has another format or embedding model; each
    /// message contains the command to run.
    pub async fn open(options: OpenOptions<'_>) -> Result<Self, OpenError> {
        let command = options.build_command.to_owned();
        let missing = || {
            OpenError::Manifest(ManifestError::Missing(options.folder.display().to_string()), command.clone())
        };
        let damaged = |reason: String| options.damaged(reason);
        let (current, hold) = hold_current(options.folder);
        let folder = match current {
            Current::Version(folder) => folder,
            Current::None => return Err(missing()),
            Current::Damaged(reason) => return Err(damaged(reason)),
        };
        let manifest = Manifest::read(&folder).map_err(|error| match error {
            ManifestError::Damaged { reason, .. } => damaged(reason),
            // The manifest was written before the version became the current one.
            ManifestError::Missing(_) => damaged(format!("{MANIFEST} is missing")),
            other => OpenError::Manifest(other, command.clone()),
        })?;
        check_embedding(&options, &manifest)?;
        let health = Arc::new(Health::check(options.folder, &folder, &manifest.files).map_err(damaged)?);
        let alarm = health.alarm();
        let lexical = |error: LexicalError| damaged(error.to_string());
        let card = read_card(&folder).map_err(damaged)?;
        let schema = open_schema(&options, &folder, &manifest, &card, alarm).await?;
        let names_server = open_names(&options, &manifest).await?;
        let (entities, values) = match &names_server {
            Some(server) => {
                let counts = (manifest.entities, manifest.values);
                (EntityIndex::in_server(server, counts.0), ValueIndex::in_server(server, counts.1))
            }
            None => (
                EntityIndex::open(&folder.join(ENTITIES), alarm).map_err(lexical)?,
                ValueIndex::open(&folder.join(VALUES), alarm).map_err(lexical)?,
            ),
        };
        let texts = open_texts(&options, &folder, &manifest, alarm).await?;
        let stored_graph = Some(folder.join(GRAPH)).filter(|graph| graph.is_dir());
        if let Some(graph) = &stored_graph {
            // Detects now what would cause failures later: files that are missing, truncated, or of another version.
            StoredGraph::open(graph).map_err(|error| damaged(error.to_string()))?;
        }
        health.read_large_files();
        Ok(Self {
            entities,
            values,
            names_server,
            texts,
            schema: SchemaSearch::new(schema, options.embedder.clone(), &card),
            names: SchemaNames::of(&card, &manifest.vocabulary),
            graph: SchemaGraph::of(&card, &manifest.vocabulary),
            card,
            manifest,
            stored_graph,
            build_command: command,
            version: name_of(&folder),
            health,
            hold: hold.map(Arc::new),
            whole: None,
        })
    }
}

async fn open_names(options: &OpenOptions<'_>, manifest: &Manifest) -> Result<Option<OpenNames>, OpenError> {
    let failed = |reason: String| OpenError::Names { folder: options.folder.to_owned(), reason };
    match (&manifest.names_backend, &options.names_in) {
        (Backend::Local, None) => Ok(None),
        (Backend::Qdrant { collection }, Some(server)) => {
            let opened = OpenNames::open(server, collection).await;
            opened.map(Some).map_err(|error| failed(error.to_string()))
        }
        (Backend::Local, Some(_)) => Err(failed(format!(
            "they are in the index folder, but [entity_index] backend is \"qdrant\"; build it again with: {}",
            options.build_command
        ))),
        (Backend::Qdrant { collection }, None) => Err(failed(format!(
            "they are in a Qdrant server (collection '{collection}'); set [entity_index] backend = \"qdrant\""
        ))),
    }
}

async fn open_texts(
    options: &OpenOptions<'_>,
    folder: &Path,
    manifest: &Manifest,
    alarm: &IntegrityAlarm,
) -> Result<Option<TextIndex>, OpenError> {
    let Some(stamp) = &manifest.texts else { return Ok(None) };
    let formats = (stamp.format, stamp.vectors.as_ref().map_or(TEXT_VECTORS_FORMAT, |stamp| stamp.format));
    if formats != (TEXTS_FORMAT, TEXT_VECTORS_FORMAT) {
        return Err(options.damaged("its texts have the format of another version".to_owned()));
    }
    let folder = folder.join(TEXTS);
    let texts = TextIndex::open(&folder, alarm).map_err(|error| options.damaged(error.to_string()))?;
    let (Some(stamp), Some(embedder)) = (&stamp.vectors, &options.embedder) else { return Ok(Some(texts)) };
    let vectors = open_text_vectors(options, &folder, stamp, u64::from(texts.passages())).await?;
    Ok(Some(texts.with_vectors(vectors, Arc::clone(embedder))))
}

async fn open_text_vectors(
    options: &OpenOptions<'_>,
    folder: &Path,
    stamp: &TextVectorsStamp,
    passages: u64,
) -> Result<Box<dyn TextVectors>, OpenError> {
    let failed = |reason: String| OpenError::Texts { folder: options.folder.to_owned(), reason };
    match (&stamp.collection, &options.schema_in) {
        (None, _) => {
            let local = LocalVectors::open(folder, passages, stamp.dimension);
            Ok(Box::new(local.map_err(|error| options.damaged(error.to_string()))?))
        }
        (Some(collection), Some(qdrant)) => {
            let remote = QdrantPassages::open(qdrant, collection, passages).await;
            Ok(Box::new(remote.map_err(|error| failed(error.to_string()))?))
        }
        (Some(collection), None) => Err(failed(format!(
            "they are in a Qdrant server (collection '{collection}'); set [schema_index] backend = \"qdrant\" and url"
        ))),
    }
}

fn read_card(folder: &Path) -> Result<DatasetCard, String> {
    let bytes = std::fs::read(folder.join(CARD)).map_err(|error| format!("{CARD}: {error}"))?;
    serde_json::from_slice(&bytes).map_err(|error| format!("{CARD}: {error}"))
}

/// Vectors of different models must not be mixed. An index with vectors but without a configured model is fine: it is
/// searched without vectors.
fn check_embedding(options: &OpenOptions<'_>, manifest: &Manifest) -> Result<(), OpenError> {
    let Some(embedder) = &options.embedder else { return Ok(()) };
    let configured = (embedder.model(), embedder.dimension());
    let built = manifest.embedding.as_ref().map(|stamp| (stamp.model.as_str(), stamp.dimension));
    if built == Some(configured) {
        return Ok(());
    }
    let say =
        |(model, dimension): (&str, usize)| format!("the embedding model '{model}' ({dimension} dimensions)");
    Err(OpenError::OtherEmbedding {
        folder: options.folder.to_owned(),
        built: built.map_or_else(|| "no embedding model".to_owned(), say),
        configured: say(configured),
        command: options.build_command.to_owned(),
    })
}

async fn open_schema(
    options: &OpenOptions<'_>,
    folder: &Path,
    manifest: &Manifest,
    card: &DatasetCard,
    alarm: &IntegrityAlarm,
) -> Result<Box<dyn SchemaIndex>, OpenError> {
    let failed = |reason: String| OpenError::Schema { folder: options.folder.to_owned(), reason };
    let opened = |error: SchemaIndexError| failed(error.to_string());
    match (&manifest.schema_backend, &options.schema_in) {
        (Backend::Local, None) => {
            let damaged = |error: SchemaIndexError| options.damaged(error.to_string());
            Ok(Box::new(LocalSchemaIndex::open(&folder.join(SCHEMA), alarm).map_err(damaged)?))
        }
        (Backend::Qdrant { collection }, Some(qdrant)) => {
            Ok(Box::new(QdrantSchemaIndex::open(qdrant, collection, &documents(card)).await.map_err(opened)?))
        }
        (Backend::Local, Some(_)) => Err(failed(format!(
            "it is in the index folder, but [schema_index] backend is \"qdrant\"; build it again with: {}",
            options.build_command
        ))),
        (Backend::Qdrant { collection }, None) => Err(failed(format!(
            "it is in a Qdrant server (collection '{collection}'); set [schema_index] backend = \"qdrant\" and url"
        ))),
    }
}

#[cfg(test)]
mod tests;

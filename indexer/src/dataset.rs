//! An index opened for searching: entities, values, schema, card and manifest of one dataset.

use crate::build::{CARD, ENTITIES, SCHEMA, VALUES};
use crate::card::DatasetCard;
use crate::embedding::Embedder;
use crate::entity_index::EntityIndex;
use crate::folder::{current, damage};
use crate::lexical::LexicalError;
use crate::manifest::{Manifest, ManifestError, SchemaBackend};
use crate::schema_graph::SchemaGraph;
use crate::schema_index::{
    LocalSchemaIndex, QdrantOptions, QdrantSchemaIndex, SchemaIndex, SchemaIndexError, SchemaSearch,
    documents,
};
use crate::schema_names::SchemaNames;
use crate::value_index::ValueIndex;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One dataset's index, read only. Cheap to share between questions.
pub struct DatasetIndex {
    /// Resources by name.
    pub entities: EntityIndex,
    /// Literals by text.
    pub values: ValueIndex,
    /// Classes and properties.
    pub schema: SchemaSearch,
    /// The names of classes and properties as words.
    pub names: SchemaNames,
    /// Which properties join which classes.
    pub graph: SchemaGraph,
    /// What the dataset is made of.
    pub card: DatasetCard,
    /// What the index was built from.
    pub manifest: Manifest,
}

/// Why an index cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// No index, a half-built one, or one of another version.
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
}

/// How to open an index.
pub struct OpenOptions<'a> {
    /// The index folder.
    pub folder: &'a Path,
    /// The configured embedding model, if any.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// The configured Qdrant server, if any.
    pub qdrant: Option<QdrantOptions>,
    /// The command that builds this index, for error messages.
    pub build_command: &'a str,
}

impl DatasetIndex {
    /// Whether a finished index of whatever version is in the folder.
    pub fn exists(folder: &Path) -> bool {
        current(folder).is_some()
    }

    /// Opens the current version of an index.
    ///
    /// # Errors
    /// When there is none, when it is damaged, of another format, or of another embedding model; each
    /// message names the command to run.
    pub async fn open(options: OpenOptions<'_>) -> Result<Self, OpenError> {
        let command = options.build_command.to_owned();
        let missing = || {
            OpenError::Manifest(ManifestError::Missing(options.folder.display().to_string()), command.clone())
        };
        let folder = current(options.folder).ok_or_else(missing)?;
        let manifest =
            Manifest::read(&folder).map_err(|error| OpenError::Manifest(error, command.clone()))?;
        check_embedding(&options, &manifest)?;
        let damaged = |reason: String| OpenError::Damaged {
            folder: options.folder.to_owned(),
            reason,
            command: options.build_command.to_owned(),
        };
        if let Some(reason) = damage(&folder, &manifest.files) {
            return Err(damaged(reason));
        }
        let lexical = |error: LexicalError| damaged(error.to_string());
        let card = read_card(&folder).map_err(damaged)?;
        let schema = open_schema(&options, &folder, &manifest, &card).await?;
        Ok(Self {
            entities: EntityIndex::open(&folder.join(ENTITIES)).map_err(lexical)?,
            values: ValueIndex::open(&folder.join(VALUES)).map_err(lexical)?,
            schema: SchemaSearch::new(schema, options.embedder.clone(), &card),
            names: SchemaNames::of(&card),
            graph: SchemaGraph::of(&card),
            card,
            manifest,
        })
    }
}

fn read_card(folder: &Path) -> Result<DatasetCard, String> {
    let bytes = std::fs::read(folder.join(CARD)).map_err(|error| format!("{CARD}: {error}"))?;
    serde_json::from_slice(&bytes).map_err(|error| format!("{CARD}: {error}"))
}

/// Vectors of different models must not meet. An index with vectors but no configured model is fine: the
/// dense leg is off then.
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
) -> Result<Box<dyn SchemaIndex>, OpenError> {
    let failed = |reason: String| OpenError::Schema { folder: options.folder.to_owned(), reason };
    let opened = |error: SchemaIndexError| failed(error.to_string());
    match (&manifest.schema_backend, &options.qdrant) {
        (SchemaBackend::Local, None) => {
            let damaged = |error: SchemaIndexError| OpenError::Damaged {
                folder: options.folder.to_owned(),
                reason: error.to_string(),
                command: options.build_command.to_owned(),
            };
            Ok(Box::new(LocalSchemaIndex::open(&folder.join(SCHEMA)).map_err(damaged)?))
        }
        (SchemaBackend::Qdrant { collection }, Some(qdrant)) => {
            Ok(Box::new(QdrantSchemaIndex::open(qdrant, collection, &documents(card)).await.map_err(opened)?))
        }
        (SchemaBackend::Local, Some(_)) => Err(failed(format!(
            "it is in the index folder, but [schema_index] backend is \"qdrant\"; build it again with: {}",
            options.build_command
        ))),
        (SchemaBackend::Qdrant { collection }, None) => Err(failed(format!(
            "it is in a Qdrant server (collection '{collection}'); set [schema_index] backend = \"qdrant\" and url"
        ))),
    }
}

#[cfg(test)]
mod tests;

//! The manifest of an index: what it was built from and how. Written last, so that a folder without one is
//! known to be half built.

use crate::entity_index::ENTITY_FORMAT;
use crate::schema_index::SCHEMA_FORMAT;
use crate::value_index::VALUE_FORMAT;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The format of the whole folder: it changes when any stored form changes.
pub const FORMAT: &str = "eruca-index-1";

const FILE: &str = "manifest.json";

/// What an index was built from and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`] of the version that built it.
    pub format: String,
    /// Formats of the parts: entities, values, schema.
    pub parts: [u32; 3],
    /// The version of Eruca that built it.
    pub built_by: String,
    /// When it was built, seconds since 1970.
    pub built_at: u64,
    /// The files it was built from, or the endpoint and its graphs.
    pub source: Vec<String>,
    /// What is missing of the source, for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Triples read, duplicates included.
    pub triples: u64,
    /// Broken statements left out.
    pub skipped: u64,
    /// Entities indexed.
    pub entities: u64,
    /// Values indexed.
    pub values: u64,
    /// Classes.
    pub classes: u64,
    /// Properties.
    pub properties: u64,
    /// The embedding model whose vectors the schema index holds.
    pub embedding: Option<EmbeddingStamp>,
    /// Where the schema index is.
    pub schema_backend: SchemaBackend,
    /// Bytes of every other file; an index without them is not checked for damage.
    #[serde(default)]
    pub files: BTreeMap<String, u64>,
}

/// Which model made the vectors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbeddingStamp {
    /// Its name.
    pub model: String,
    /// Length of its vectors.
    pub dimension: usize,
}

/// Where the schema index is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaBackend {
    /// In the index folder.
    Local,
    /// In a Qdrant server.
    Qdrant {
        /// The collection of this very build.
        collection: String,
    },
}

/// Why a manifest cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// There is none: no index, or a half-built one.
    #[error("there is no index in '{0}'")]
    Missing(String),
    /// It cannot be read.
    #[error("the manifest of the index in '{folder}' cannot be read: {reason}")]
    Unreadable {
        /// The index folder.
        folder: String,
        /// What is wrong.
        reason: String,
    },
    /// Another version wrote it.
    #[error("the index in '{folder}' has format '{found}', this version reads '{FORMAT}'")]
    Format {
        /// The index folder.
        folder: String,
        /// The format found.
        found: String,
    },
}

impl Manifest {
    /// The formats of the parts that this version writes.
    pub fn current_parts() -> [u32; 3] {
        [ENTITY_FORMAT, VALUE_FORMAT, SCHEMA_FORMAT]
    }

    /// Writes the manifest and makes it durable.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        let file = std::fs::File::create(folder.join(FILE))?;
        serde_json::to_writer_pretty(&file, self)?;
        file.sync_all()
    }

    /// Reads the manifest and checks that this version can read the index.
    ///
    /// # Errors
    /// When it is missing, damaged, or of another format.
    pub fn read(folder: &Path) -> Result<Self, ManifestError> {
        let shown = folder.display().to_string();
        let text = match std::fs::read_to_string(folder.join(FILE)) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(ManifestError::Missing(shown));
            }
            Err(error) => return Err(ManifestError::Unreadable { folder: shown, reason: error.to_string() }),
        };
        let unreadable = |error: serde_json::Error| ManifestError::Unreadable {
            folder: shown.clone(),
            reason: error.to_string(),
        };
        // The format is looked at first: a manifest of another version may have other fields.
        let raw: serde_json::Value = serde_json::from_str(&text).map_err(unreadable)?;
        let found = raw.get("format").and_then(|f| f.as_str()).unwrap_or("unknown").to_owned();
        if found != FORMAT {
            return Err(ManifestError::Format { folder: shown, found });
        }
        let manifest: Self = serde_json::from_value(raw).map_err(unreadable)?;
        if manifest.parts != Self::current_parts() {
            let found = format!("{FORMAT} with parts {:?}", manifest.parts);
            return Err(ManifestError::Format { folder: shown, found });
        }
        Ok(manifest)
    }
}

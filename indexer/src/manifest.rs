//! The manifest of an index: its source and how it was built. Written last, so that a folder without one is
//! known to be incomplete.
//!
//! The pointer to its version is replaced after it (`folder`). It contains the length and CRC-32 of every file of its
//! version, except those of the stored graph, which have their own, and its own checksum. The whole folder has the format
//! `FORMAT`, and each part has a number defined beside its writer. An index of another format is refused with the command
//! that rebuilds it: there is no migration.

use crate::checksums::{FileSum, crc32};
use crate::entity_index::ENTITY_FORMAT;
use crate::origin::BuiltFrom;
use crate::qdrant::NewCollection;
use crate::schema_index::SCHEMA_FORMAT;
use crate::texts::TextsStamp;
use crate::value_index::VALUE_FORMAT;
use crate::vocabulary::Vocabulary;
use eruca_sparql::one_line;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The format of the whole folder; changes when any stored form changes.
pub const FORMAT: &str = "eruca-index-4";

/// Its file name in the folder of a version.
pub(crate) const FILE: &str = "manifest.json";
/// Prefix of every format.
const FORMATS: &str = "eruca-index-";
/// The key of the manifest's own checksum, the last one.
const CHECKSUM: &str = "checksum";
/// Maximum number of characters of a format shown in messages, as the manifest may be damaged.
const MAX_FORMAT_CHARS: usize = 40;

/// The source of an index and how it was built.
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
    pub source: BuiltFrom,
    /// The configured format of its files; `None` if it was detected by names and contents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files_format: Option<String>,
    /// The named graphs of its files that it was built from; empty for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub graphs: Vec<String>,
    /// Identifies what was left out, since it is hidden from somebody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without: Option<String>,
    /// The graph's vocabulary for types and labels.
    pub vocabulary: Vocabulary,
    /// What is missing from the source, for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What is missing because it is invalid, for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    /// Triples read, duplicates included.
    pub triples: u64,
    /// Invalid statements left out.
    pub skipped: u64,
    /// Entities indexed.
    pub entities: u64,
    /// Values indexed.
    pub values: u64,
    /// Number of classes.
    pub classes: u64,
    /// Number of properties.
    pub properties: u64,
    /// The texts beside the graph, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<TextsStamp>,
    /// The embedding model whose vectors the schema index has.
    pub embedding: Option<EmbeddingStamp>,
    /// Where the schema index is.
    pub schema_backend: Backend,
    /// Where the names of entities and values are.
    #[serde(default, skip_serializing_if = "Backend::is_local")]
    pub names_backend: Backend,
    /// Length and checksum of every other file, except those of the stored graph, which have their own.
    pub files: BTreeMap<String, FileSum>,
}

/// The model that computed the vectors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbeddingStamp {
    /// Its name.
    pub model: String,
    /// Length of its vectors.
    pub dimension: usize,
}

/// Where a part of the index is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backend {
    /// In the index folder.
    #[default]
    Local,
    /// In a Qdrant server.
    Qdrant {
        /// The collection of this build.
        collection: String,
    },
}

impl Backend {
    fn is_local(&self) -> bool {
        *self == Self::Local
    }

    /// Where what was written is: in a collection, if there is one.
    pub(crate) fn of(collection: Option<&NewCollection>) -> Self {
        collection.map_or(Self::Local, |new| Self::Qdrant { collection: new.name().to_owned() })
    }
}

/// Why a manifest cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// There is no manifest: no index, or an incomplete one.
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
    /// Its content has changed since it was written.
    #[error("the manifest of the index in '{folder}' is damaged: {reason}")]
    Damaged {
        /// The index folder.
        folder: String,
        /// What is wrong.
        reason: String,
    },
    /// It was written by another version.
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

    /// Writes the manifest with its own checksum, and syncs it to disk.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        let mut json = serde_json::to_value(self)?;
        let sum = checksum(&json)?;
        if let Some(fields) = json.as_object_mut() {
            fields.insert(CHECKSUM.to_owned(), sum.into());
        }
        let file = std::fs::File::create(folder.join(FILE))?;
        serde_json::to_writer_pretty(&file, &json)?;
        file.sync_all()
    }

    /// Reads the manifest and checks that this version can read the index.
    ///
    /// # Errors
    /// When it is missing, damaged, or of another format.
    pub fn read(folder: &Path) -> Result<Self, ManifestError> {
        let shown = folder.display().to_string();
        let bytes = match std::fs::read(folder.join(FILE)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(ManifestError::Missing(shown));
            }
            Err(error) => return Err(ManifestError::Unreadable { folder: shown, reason: error.to_string() }),
        };
        let damaged = |reason: String| ManifestError::Damaged {
            folder: shown.clone(),
            reason: format!("{FILE}: {reason}"),
        };
        let mut raw: Value = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
        check_format(&raw, &shown)?;
        let written = raw.as_object_mut().and_then(|fields| fields.shift_remove(CHECKSUM));
        let found = checksum(&raw).map_err(|error| damaged(error.to_string()))?;
        if written.and_then(|sum| sum.as_u64()) != Some(u64::from(found)) {
            return Err(damaged("it is not what was written".to_owned()));
        }
        serde_json::from_value(raw).map_err(|error| damaged(error.to_string()))
    }
}

/// Checked first: a manifest of another version may have other fields, and no checksum.
fn check_format(raw: &Value, folder: &str) -> Result<(), ManifestError> {
    let format = raw.get("format").and_then(Value::as_str).unwrap_or_default();
    if !format.starts_with(FORMATS) {
        let reason = format!("{FILE} names no format of an index");
        return Err(ManifestError::Damaged { folder: folder.to_owned(), reason });
    }
    let other = |found: String| Err(ManifestError::Format { folder: folder.to_owned(), found });
    if format != FORMAT {
        return other(one_line(format, MAX_FORMAT_CHARS));
    }
    match raw.get("parts").map(|parts| serde_json::from_value::<[u32; 3]>(parts.clone())) {
        Some(Ok(parts)) if parts != Manifest::current_parts() => {
            other(format!("{FORMAT} with parts {parts:?}"))
        }
        // A manifest without these numbers is damaged, which its checksum will show.
        _ => Ok(()),
    }
}

/// The checksum of the fields, independent of their layout in the file.
fn checksum(fields: &Value) -> serde_json::Result<u32> {
    Ok(crc32(&serde_json::to_vec(fields)?))
}

//! Vectors of passages, by which they are found whatever their words: in a file of the index folder or in a Qdrant server,
//! where the vectors of the schema are. Present only with an embedding model.
//!
//! A vector belongs to the passage with its number: the place of the passage in its index, which is never changed after the
//! build that writes both.

mod build;
mod local;
mod remote;

pub(crate) use build::{VectorTarget, left_out, write};
pub(crate) use local::LocalVectors;

use crate::embedding::EmbeddingError;
use crate::lexical::LexicalError;
use crate::schema_index::SchemaIndexError;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Version of the stored format; a change makes older vectors unreadable.
pub(crate) const TEXT_VECTORS_FORMAT: u32 = 1;
/// Passages up to which vectors are kept in the index folder, where each search compares all of them.
pub(crate) const MAX_LOCAL: u64 = 200_000;
/// Similarity added for a passage about a thing of the question.
const ABOUT_BONUS: f32 = 0.1;

/// The vectors of an index of passages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextVectorsStamp {
    /// The format.
    pub format: u32,
    /// Length of a vector.
    pub dimension: usize,
    /// The collection of this build, if they are in a Qdrant server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
}

/// Why passages cannot be found by meaning.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextVectorsError {
    /// Their file is missing or damaged, or cannot be written.
    #[error("the vectors of the texts in '{}' cannot be used: {reason}; build the index again", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The server with the vectors fails.
    #[error(transparent)]
    Server(#[from] SchemaIndexError),
    /// The embedding model fails.
    #[error(transparent)]
    Embedding(#[from] EmbeddingError),
    /// The index of passages cannot be read.
    #[error("the texts cannot be read: {0}")]
    Texts(#[from] LexicalError),
    /// They were not found in time.
    #[error("no passages were found by their vectors within {} s", .0.as_secs_f32())]
    Late(Duration),
}

/// Passages about some things.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chosen {
    /// IRIs of the things.
    pub(crate) things: Vec<String>,
    /// The numbers of all passages about them, in order; also of those with a name only.
    pub(crate) numbers: Vec<u32>,
}

impl Chosen {
    /// Whether a passage is one of them.
    pub(crate) fn has(&self, number: u32) -> bool {
        self.numbers.binary_search(&number).is_ok()
    }

    /// What is added to the similarity of a passage.
    pub(crate) fn bonus(&self, number: u32) -> f32 {
        if self.has(number) { ABOUT_BONUS } else { 0.0 }
    }
}

/// A search for the nearest passages.
#[derive(Debug, Clone)]
pub(crate) struct VectorQuery {
    /// A vector of length 1.
    pub(crate) vector: Vec<f32>,
    /// Passages that are preferred.
    pub(crate) chosen: Chosen,
    /// Leaves out all others.
    pub(crate) only_chosen: bool,
    /// Maximum number of passages.
    pub(crate) limit: usize,
}

/// The number of a passage, and its cosine with the bonus of those that are preferred.
pub(crate) type Near = (u32, f32);

/// The best of some passages, best first; ties go by number.
pub(crate) fn best(mut found: Vec<Near>, limit: usize) -> Vec<Near> {
    let order = |a: &Near, b: &Near| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    if found.len() > limit && limit > 0 {
        found.select_nth_unstable_by(limit - 1, order);
    }
    found.truncate(limit);
    found.sort_by(order);
    found
}

/// Vectors that can be searched.
#[async_trait]
pub(crate) trait TextVectors: Send + Sync {
    /// The nearest passages, best first.
    async fn nearest(&self, query: VectorQuery) -> Result<Vec<Near>, TextVectorsError>;

    /// Whether they can be searched.
    async fn check(&self) -> Result<(), TextVectorsError> {
        Ok(())
    }
}

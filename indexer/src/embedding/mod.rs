//! Dense vectors of texts: the interface to embedding models.
//!
//! `onnx` runs a model in this process (ONNX Runtime is loaded at run time, not linked at
//! build time); `openai` uses any server with an OpenAI-compatible `/embeddings`; `hub` fetches models for `onnx`. Knows
//! nothing about indexes.
//!
//! Vectors of different models are never mixed: the manifest names the model, and opening an index with another one is an
//! error.

pub mod hub;
#[cfg(test)]
mod meanings;
mod onnx;
mod openai;

#[cfg(test)]
pub(crate) use meanings::Meanings;
pub use onnx::{OnnxEmbedder, OnnxOptions, Pooling};
pub use openai::{OpenAiEmbedder, OpenAiEmbeddingOptions};

use async_trait::async_trait;

/// The purpose of a vector; some models need different prefixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A search text.
    Query,
    /// An indexed text.
    Document,
}

/// Why no vectors could be computed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmbeddingError {
    /// ONNX Runtime cannot be loaded.
    #[error(
        "ONNX Runtime cannot be loaded from '{path}': {reason}; set [embedding] onnxruntime or ORT_DYLIB_PATH to libonnxruntime.so (version 1.24 or newer)"
    )]
    Runtime {
        /// The library that was tried.
        path: String,
        /// The loader's error.
        reason: String,
    },
    /// The model's files cannot be read or are not a model.
    #[error("the embedding model '{model}' cannot be loaded: {reason}")]
    Model {
        /// Name or folder.
        model: String,
        /// What is wrong.
        reason: String,
    },
    /// The server failed.
    #[error("the embedding server {url} failed: {reason}")]
    Server {
        /// Its address.
        url: String,
        /// Its message, shortened.
        reason: String,
    },
    /// The model returned vectors of an unexpected shape.
    #[error("the embedding model gave {got} where {wanted} was expected")]
    Shape {
        /// The actual shape.
        got: String,
        /// The expected shape.
        wanted: String,
    },
}

/// Computes unit-length vectors of texts.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// One vector per text, in order, each of length 1.
    ///
    /// # Errors
    /// When the model or its server fails.
    async fn embed(&self, texts: Vec<String>, purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbeddingError>;

    /// The model's name; stored in the manifest, so that vectors of different models are never mixed.
    fn model(&self) -> &str;

    /// Length of its vectors.
    fn dimension(&self) -> usize;
}

/// Scales a vector to length 1; a zero vector stays as it is.
pub(crate) fn normalize(vector: &mut [f32]) {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        for value in vector {
            *value /= length;
        }
    }
}

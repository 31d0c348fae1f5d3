//! An embedding model for tests: the same vectors everywhere, without a model.

use super::{Embedder, EmbeddingError, Purpose, normalize};
use async_trait::async_trait;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Embeds a few words by meaning; every other word has a direction of its own.
pub(crate) struct Meanings {
    name: &'static str,
    dimension: usize,
    /// Every call fails.
    pub(crate) fails: AtomicBool,
}

const SENSES: [&[&str]; 2] = [&["wage", "remuneration", "stipend"], &["vehicle", "automobile", "jalopy"]];

impl Meanings {
    pub(crate) fn new(name: &'static str, dimension: usize) -> Arc<Self> {
        Arc::new(Self { name, dimension, fails: AtomicBool::new(false) })
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0; self.dimension];
        for word in eruca_language::text::words(text) {
            let sense = SENSES.iter().position(|words| words.contains(&word.text.as_str()));
            let hash = word.text.bytes().fold(7_usize, |sum, byte| sum.wrapping_mul(31) + usize::from(byte));
            vector[sense.unwrap_or(SENSES.len() + hash % (self.dimension - SENSES.len()))] += 1.0;
        }
        normalize(&mut vector);
        vector
    }
}

#[async_trait]
impl Embedder for Meanings {
    async fn embed(&self, texts: Vec<String>, purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(EmbeddingError::Server {
                url: "http://e".to_owned(),
                reason: format!("{purpose:?}"),
            });
        }
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }

    fn model(&self) -> &str {
        self.name
    }

    fn dimension(&self) -> usize {
        self.dimension
    }
}

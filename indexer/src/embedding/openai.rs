//! An embedding model behind an OpenAI-compatible `/embeddings` URL.

use super::{Embedder, EmbeddingError, Purpose, normalize};
use async_trait::async_trait;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Texts in one request.
const BATCH: usize = 64;
/// Time for one request.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Shorter keys are not looked for in messages.
const MIN_SECRET_BYTES: usize = 6;
/// Characters of the server's words kept in an error.
const MAX_REASON_CHARS: usize = 300;

/// Where the model is and how to use it.
#[derive(Debug, Clone)]
pub struct OpenAiEmbeddingOptions {
    /// The API's address up to and without `/embeddings`.
    pub base_url: String,
    /// The model's name.
    pub model: String,
    /// Sent as a bearer token.
    pub api_key: Option<SecretString>,
    /// Put before search texts.
    pub query_prefix: String,
    /// Put before indexed texts.
    pub document_prefix: String,
}

/// A model behind a URL.
pub struct OpenAiEmbedder {
    client: reqwest::Client,
    options: OpenAiEmbeddingOptions,
    dimension: usize,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: &'a [String],
}

#[derive(Deserialize)]
struct Response {
    data: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    index: usize,
    embedding: Vec<f32>,
}

impl OpenAiEmbedder {
    /// Asks the server for one vector to learn the vectors' length.
    ///
    /// # Errors
    /// When the server does not answer as expected.
    pub async fn connect(
        client: reqwest::Client,
        options: OpenAiEmbeddingOptions,
    ) -> Result<Self, EmbeddingError> {
        let mut embedder = Self { client, options, dimension: 0 };
        let probe = embedder.request(&["word".to_owned()]).await?;
        embedder.dimension = probe.first().map_or(0, Vec::len);
        Ok(embedder)
    }

    /// Some servers repeat the key that they refuse.
    fn without_key(&self, words: &str) -> String {
        let key = self.options.api_key.as_ref().map(ExposeSecret::expose_secret);
        match key.filter(|key| key.len() >= MIN_SECRET_BYTES) {
            Some(key) => words.replace(key, "[key]"),
            None => words.to_owned(),
        }
    }

    async fn request(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let url = format!("{}/embeddings", self.options.base_url.trim_end_matches('/'));
        let failed = |reason: String| EmbeddingError::Server { url: url.clone(), reason };
        let mut request = self
            .client
            .post(&url)
            .timeout(TIMEOUT)
            .json(&Request { model: &self.options.model, input: texts });
        if let Some(key) = &self.options.api_key {
            request = request.bearer_auth(key.expose_secret());
        }
        let response = request.send().await.map_err(|error| failed(error.without_url().to_string()))?;
        let status = response.status();
        let body = response.text().await.map_err(|error| failed(error.without_url().to_string()))?;
        if !status.is_success() {
            let words: String = self.without_key(&body).chars().take(MAX_REASON_CHARS).collect();
            return Err(failed(format!("HTTP {}: {words}", status.as_u16())));
        }
        let mut rows =
            serde_json::from_str::<Response>(&body).map_err(|error| failed(error.to_string()))?.data;
        rows.sort_by_key(|row| row.index);
        if rows.len() != texts.len() {
            let (got, wanted) = (format!("{} vectors", rows.len()), format!("{} vectors", texts.len()));
            return Err(EmbeddingError::Shape { got, wanted });
        }
        Ok(rows.into_iter().map(|row| row.embedding).collect())
    }
}

#[async_trait]
impl Embedder for OpenAiEmbedder {
    async fn embed(&self, texts: Vec<String>, purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let prefix = match purpose {
            Purpose::Query => &self.options.query_prefix,
            Purpose::Document => &self.options.document_prefix,
        };
        let texts: Vec<String> = texts.iter().map(|text| format!("{prefix}{text}")).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            vectors.extend(self.request(batch).await?);
        }
        for vector in &mut vectors {
            if vector.len() != self.dimension {
                let (got, wanted) =
                    (format!("{} numbers", vector.len()), format!("{} numbers", self.dimension));
                return Err(EmbeddingError::Shape { got, wanted });
            }
            normalize(vector);
        }
        Ok(vectors)
    }

    fn model(&self) -> &str {
        &self.options.model
    }

    fn dimension(&self) -> usize {
        self.dimension
    }
}

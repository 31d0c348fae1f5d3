//! An embedding model behind an OpenAI-compatible `/embeddings` URL.

use super::{Embedder, EmbeddingError, Purpose, normalize};
use async_trait::async_trait;
use eruca_sparql::offload;
use eruca_sparql::outgoing::{Secrets, SendError, read, reason, send};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Number of texts per request.
const BATCH: usize = 64;
/// Timeout of a request.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum size of a response without its vectors, and of an error, in bytes.
const MAX_WORDS: usize = 65_536;
/// Maximum size of one vector in a response, in bytes: 8,000 numbers with all their digits.
const MAX_VECTOR_BYTES: usize = 256 << 10;
/// Maximum number of characters of the server's message kept in an error.
const MAX_REASON_CHARS: usize = 300;

/// Where the model is and how to use it.
#[derive(Debug, Clone)]
pub struct OpenAiEmbeddingOptions {
    /// The API's URL without `/embeddings`.
    pub base_url: String,
    /// The model's name.
    pub model: String,
    /// Sent as a bearer token.
    pub api_key: Option<SecretString>,
    /// Prefix of search texts.
    pub query_prefix: String,
    /// Prefix of indexed texts.
    pub document_prefix: String,
    /// Sent as `input_type` with search texts, to servers that put the prefix there themselves; empty sends none.
    pub query_input_type: String,
    /// Sent as `input_type` with indexed texts; empty sends none.
    pub document_input_type: String,
}

impl OpenAiEmbeddingOptions {
    /// The prefix and the `input_type` of texts for this purpose.
    fn for_purpose(&self, purpose: Purpose) -> (&str, Option<&str>) {
        let (prefix, kind) = match purpose {
            Purpose::Query => (&self.query_prefix, &self.query_input_type),
            Purpose::Document => (&self.document_prefix, &self.document_input_type),
        };
        (prefix, Some(kind.as_str()).filter(|kind| !kind.is_empty()))
    }
}

/// A model behind a URL.
pub struct OpenAiEmbedder {
    client: reqwest::Client,
    options: OpenAiEmbeddingOptions,
    dimension: usize,
    secrets: Secrets,
}

#[derive(Serialize)]
struct EmbeddingRequest<'a> {
    model: &'a str,
    input: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    input_type: Option<&'a str>,
}

#[derive(Deserialize)]
struct EmbeddingResponse {
    data: Vec<EmbeddingRow>,
}

#[derive(Deserialize)]
struct EmbeddingRow {
    index: usize,
    embedding: Vec<f32>,
}

impl OpenAiEmbedder {
    /// Asks the server for one vector to determine the vectors' length.
    ///
    /// # Errors
    /// When the server does not answer as expected.
    pub async fn connect(
        client: reqwest::Client,
        options: OpenAiEmbeddingOptions,
    ) -> Result<Self, EmbeddingError> {
        let secrets = Secrets::new(options.api_key.clone(), "[key]");
        let mut embedder = Self { client, options, dimension: 0, secrets };
        let (_, input_type) = embedder.options.for_purpose(Purpose::Query);
        let probe = embedder.request(&["word".to_owned()], input_type).await?;
        embedder.dimension = probe.first().map_or(0, Vec::len);
        Ok(embedder)
    }

    async fn request(
        &self,
        texts: &[String],
        input_type: Option<&str>,
    ) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let url = format!("{}/embeddings", self.options.base_url.trim_end_matches('/'));
        let failed = |reason: String| EmbeddingError::Server { url: url.clone(), reason };
        let mut request = self.client.post(&url).timeout(TIMEOUT).json(&EmbeddingRequest {
            model: &self.options.model,
            input: texts,
            input_type,
        });
        if let Some(key) = &self.options.api_key {
            request = request.bearer_auth(key.expose_secret());
        }
        let response = send(request).await.map_err(SendError::reason).map_err(failed)?;
        let status = response.status();
        let most = if status.is_success() { MAX_WORDS + texts.len() * MAX_VECTOR_BYTES } else { MAX_WORDS };
        let (body, cut) = read(response, most).await.map_err(|error| failed(reason(error)))?;
        if !status.is_success() {
            let words = self.secrets.hidden_in(&String::from_utf8_lossy(&body));
            let words: String = words.chars().take(MAX_REASON_CHARS).collect();
            return Err(failed(format!("HTTP {}: {words}", status.as_u16())));
        }
        if cut {
            return Err(failed(format!("the response is longer than {most} bytes")));
        }
        let mut rows = rows(body).await.map_err(failed)?;
        rows.sort_by_key(|row| row.index);
        if rows.len() != texts.len() {
            let (got, wanted) = (format!("{} vectors", rows.len()), format!("{} vectors", texts.len()));
            return Err(EmbeddingError::Shape { got, wanted });
        }
        Ok(rows.into_iter().map(|row| row.embedding).collect())
    }
}

/// The vectors of a response.
async fn rows(body: Vec<u8>) -> Result<Vec<EmbeddingRow>, String> {
    let parsed = offload(body.len(), move || serde_json::from_slice::<EmbeddingResponse>(&body)).await?;
    parsed.map(|response| response.data).map_err(|error| error.to_string())
}

#[async_trait]
impl Embedder for OpenAiEmbedder {
    async fn embed(&self, texts: Vec<String>, purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let (prefix, input_type) = self.options.for_purpose(purpose);
        let texts: Vec<String> = texts.iter().map(|text| format!("{prefix}{text}")).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            vectors.extend(self.request(batch, input_type).await?);
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

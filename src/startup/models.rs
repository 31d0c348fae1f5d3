//! Models from settings: the chat model and the embedding model.

use crate::config::{EmbeddingProvider, PoolingSetting, Settings};
use crate::llm::{ChatModel, ModelError, OpenAiModel, OpenAiOptions};
use eruca_indexer::embedding::{
    Embedder, EmbeddingError, OnnxEmbedder, OnnxOptions, OpenAiEmbedder, OpenAiEmbeddingOptions,
    Pooling as OnnxPooling,
};
use std::path::Path;
use std::sync::Arc;

/// The configured chat model, if there is one. Nothing is sent yet.
pub(super) fn chat_model(
    settings: &Settings,
    client: reqwest::Client,
) -> Result<Option<Arc<dyn ChatModel>>, ModelError> {
    let Some(llm) = &settings.llm else { return Ok(None) };
    let options = OpenAiOptions {
        base_url: llm.base_url.clone(),
        model: llm.model.clone(),
        api_key: llm.api_key.clone(),
        temperature: llm.temperature.map(|value| value as f32),
        attempt_timeout: llm.timeout,
        retries: llm.retries,
        max_completion_tokens: Some(llm.max_completion_tokens),
    };
    Ok(Some(Arc::new(OpenAiModel::new(client, options)?)))
}

/// The configured embedding model, loaded and tested, if there is one.
pub(super) async fn embedder(
    settings: &Settings,
    client: &reqwest::Client,
) -> Result<Option<Arc<dyn Embedder>>, EmbeddingError> {
    let embedding = &settings.embedding;
    let onnx = |model: String, pooling| OnnxOptions {
        model,
        pooling,
        query_prefix: embedding.query_prefix.clone(),
        document_prefix: embedding.document_prefix.clone(),
        max_tokens: embedding.max_tokens,
        threads: embedding.threads,
        library: embedding.onnxruntime.clone(),
    };
    match embedding.provider {
        EmbeddingProvider::None => Ok(None),
        EmbeddingProvider::Onnx => {
            let folder = embedding.path.as_deref().unwrap_or(Path::new("")).to_string_lossy().into_owned();
            let pooling = match embedding.pooling {
                PoolingSetting::Mean => OnnxPooling::Mean,
                PoolingSetting::Cls => OnnxPooling::Cls,
            };
            load(onnx(folder, pooling)).await
        }
        EmbeddingProvider::Fastembed => load(onnx(embedding.model.clone(), OnnxPooling::Mean)).await,
        EmbeddingProvider::OpenAi => {
            let options = OpenAiEmbeddingOptions {
                base_url: embedding.base_url.clone(),
                model: embedding.model.clone(),
                api_key: embedding.api_key.clone(),
                query_prefix: embedding.query_prefix.clone(),
                document_prefix: embedding.document_prefix.clone(),
                query_input_type: embedding.query_input_type.clone(),
                document_input_type: embedding.document_input_type.clone(),
            };
            Ok(Some(Arc::new(OpenAiEmbedder::connect(client.clone(), options).await?)))
        }
    }
}

/// Loads a model on a thread of its own, since it reads about a hundred megabytes and computes.
async fn load(options: OnnxOptions) -> Result<Option<Arc<dyn Embedder>>, EmbeddingError> {
    let model = options.model.clone();
    let loaded = tokio::task::spawn_blocking(move || OnnxEmbedder::load(options)).await;
    let embedder = loaded.map_err(|error| EmbeddingError::Model { model, reason: error.to_string() })??;
    Ok(Some(Arc::new(embedder)))
}

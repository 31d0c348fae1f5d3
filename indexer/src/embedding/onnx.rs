//! An embedding model in this process: fastembed over ONNX Runtime, from a folder or (with the feature
//! `model-download`) by name.
//!
//! The runtime is used only after `ort::init_from` has succeeded: without that call, fastembed would panic instead of
//! returning an error.

use super::{Embedder, EmbeddingError, Purpose, normalize};
use async_trait::async_trait;
use fastembed::{InitOptionsUserDefined, TextEmbedding, TokenizerFiles, UserDefinedEmbeddingModel};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The model's file in its folder.
pub(super) const MODEL_FILE: &str = "model.onnx";
/// The files of its tokenizer.
pub(super) const TOKENIZER_FILES: [&str; 4] =
    ["tokenizer.json", "config.json", "special_tokens_map.json", "tokenizer_config.json"];
/// Number of texts per run of the model.
const BATCH: usize = 32;
/// The default library.
const DEFAULT_LIBRARY: &str = "libonnxruntime.so";

/// How token vectors are combined into one text vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// The mean of all tokens (sentence-transformers models).
    Mean,
    /// The first token (BGE models).
    Cls,
}

/// Which model to load and how to use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnnxOptions {
    /// A folder with `model.onnx`, `tokenizer.json`, `config.json`, `special_tokens_map.json`,
    /// `tokenizer_config.json`; or, with the feature `model-download`, a model name of fastembed.
    pub model: String,
    /// How token vectors are combined into one.
    pub pooling: Pooling,
    /// Prefix of search texts.
    pub query_prefix: String,
    /// Prefix of indexed texts.
    pub document_prefix: String,
    /// Maximum number of tokens; longer texts are cut.
    pub max_tokens: usize,
    /// Number of threads per run.
    pub threads: usize,
    /// ONNX Runtime's library; `None` for `ORT_DYLIB_PATH`, or else the system's.
    pub library: Option<PathBuf>,
}

/// A loaded model. Runs one batch at a time.
pub struct OnnxEmbedder {
    name: String,
    options: OnnxOptions,
    model: Arc<Mutex<TextEmbedding>>,
    dimension: usize,
}

impl OnnxEmbedder {
    /// Loads the library and the model, and embeds one word to determine the vectors' length.
    ///
    /// # Errors
    /// When the library or the model cannot be loaded.
    pub fn load(options: OnnxOptions) -> Result<Self, EmbeddingError> {
        load_library(options.library.as_deref())?;
        let folder = PathBuf::from(&options.model);
        let mut model = if folder.is_dir() { load_folder(&folder, &options)? } else { load_named(&options)? };
        let failed = |reason: String| EmbeddingError::Model { model: options.model.clone(), reason };
        let probe = model.embed(["word"], None).map_err(|e| failed(e.to_string()))?;
        let dimension = probe.first().map_or(0, Vec::len);
        if dimension == 0 {
            return Err(failed("it gives empty vectors".to_owned()));
        }
        let name = if folder.is_dir() { folder_name(&folder) } else { options.model.clone() };
        Ok(Self { name, options, model: Arc::new(Mutex::new(model)), dimension })
    }
}

#[async_trait]
impl Embedder for OnnxEmbedder {
    async fn embed(&self, texts: Vec<String>, purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let prefix = match purpose {
            Purpose::Query => &self.options.query_prefix,
            Purpose::Document => &self.options.document_prefix,
        };
        let texts: Vec<String> = texts.iter().map(|text| format!("{prefix}{text}")).collect();
        let model = Arc::clone(&self.model);
        let failed = |reason: String| EmbeddingError::Model { model: self.name.clone(), reason };
        let run = tokio::task::spawn_blocking(move || {
            // A poisoned lock only means that another run panicked; the model itself keeps no state.
            let mut model = model.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            model.embed(texts, Some(BATCH))
        });
        let mut vectors = run.await.map_err(|e| failed(e.to_string()))?.map_err(|e| failed(e.to_string()))?;
        vectors.iter_mut().for_each(|vector| normalize(vector));
        Ok(vectors)
    }

    fn model(&self) -> &str {
        &self.name
    }

    fn dimension(&self) -> usize {
        self.dimension
    }
}

/// The folder's name and the model's size, to distinguish models in folders of the same name.
fn folder_name(folder: &Path) -> String {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let bytes = std::fs::metadata(folder.join(MODEL_FILE)).map_or(0, |data| data.len());
    format!("{name}, {bytes} bytes")
}

/// Loads ONNX Runtime before fastembed uses it: fastembed would panic where this returns an error.
fn load_library(configured: Option<&Path>) -> Result<(), EmbeddingError> {
    let from_environment = || std::env::var("ORT_DYLIB_PATH").ok().filter(|path| !path.is_empty());
    let path = configured.map(|path| path.to_string_lossy().into_owned()).filter(|path| !path.is_empty());
    let path = path.or_else(from_environment).unwrap_or_else(|| DEFAULT_LIBRARY.to_owned());
    // The builder is dropped, not committed: fastembed would refuse an existing environment.
    ort::init_from(&path)
        .map(drop)
        .map_err(|error| EmbeddingError::Runtime { path, reason: error.to_string() })
}

fn load_folder(folder: &Path, options: &OnnxOptions) -> Result<TextEmbedding, EmbeddingError> {
    let failed = |reason: String| EmbeddingError::Model { model: options.model.clone(), reason };
    let read =
        |name: &str| std::fs::read(folder.join(name)).map_err(|error| failed(format!("{name}: {error}")));
    let [tokenizer, config, special_tokens, tokenizer_config] = TOKENIZER_FILES;
    let files = TokenizerFiles {
        tokenizer_file: read(tokenizer)?,
        config_file: read(config)?,
        special_tokens_map_file: read(special_tokens)?,
        tokenizer_config_file: read(tokenizer_config)?,
    };
    let pooling = match options.pooling {
        Pooling::Mean => fastembed::Pooling::Mean,
        Pooling::Cls => fastembed::Pooling::Cls,
    };
    let model = UserDefinedEmbeddingModel::new(read(MODEL_FILE)?, files).with_pooling(pooling);
    let init =
        InitOptionsUserDefined::new().with_max_length(options.max_tokens).with_intra_threads(options.threads);
    TextEmbedding::try_new_from_user_defined(model, init).map_err(|error| failed(error.to_string()))
}

#[cfg(feature = "model-download")]
fn load_named(options: &OnnxOptions) -> Result<TextEmbedding, EmbeddingError> {
    let failed = |reason: String| EmbeddingError::Model { model: options.model.clone(), reason };
    let model: fastembed::EmbeddingModel = options.model.parse().map_err(failed)?;
    let init = fastembed::TextInitOptions::new(model)
        .with_max_length(options.max_tokens)
        .with_intra_threads(options.threads);
    TextEmbedding::try_new(init).map_err(|error| failed(error.to_string()))
}

#[cfg(not(feature = "model-download"))]
fn load_named(options: &OnnxOptions) -> Result<TextEmbedding, EmbeddingError> {
    let reason = "there is no such folder, and this build cannot download models by name (cargo feature `model-download`)";
    Err(EmbeddingError::Model { model: options.model.clone(), reason: reason.to_owned() })
}

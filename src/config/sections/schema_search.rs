//! `[embedding]`, `[schema_index]` and `[entity_index]`: how and where names are searched.

use crate::config::error::ConfigError;
use crate::config::places::Places;
use crate::config::values::{Seconds, UnlessZero, Within, library, path};
use secrecy::SecretString;
use serde::Deserialize;
use std::path::PathBuf;
use std::time::Duration;

/// Vectors for searching classes and properties by meaning.
#[derive(Debug, Clone, Deserialize)]
pub struct EmbeddingSettings {
    /// Where vectors come from. Fields for other providers are ignored.
    pub provider: EmbeddingProvider,
    /// ONNX: the folder of the model.
    #[serde(deserialize_with = "path")]
    pub path: Option<PathBuf>,
    /// Download, server: the model's name.
    pub model: String,
    /// Server: base URL, without a trailing slash.
    pub base_url: String,
    /// Server: bearer token.
    pub api_key: Option<SecretString>,
    /// ONNX: how token vectors are combined into one vector.
    pub pooling: PoolingSetting,
    /// Prefix of questions.
    pub query_prefix: String,
    /// Prefix of descriptions of classes and properties.
    pub document_prefix: String,
    /// Server: sent as `input_type` with questions; empty sends none.
    pub query_input_type: String,
    /// Server: sent as `input_type` with descriptions of classes and properties; empty sends none.
    pub document_input_type: String,
    /// In process: the ONNX Runtime library; `None` for `ORT_DYLIB_PATH` or the system's.
    #[serde(deserialize_with = "library")]
    pub onnxruntime: Option<PathBuf>,
    /// In process: maximum number of tokens read of a text.
    #[serde(with = "Within::<8, 100_000>")]
    pub max_tokens: usize,
    /// In process: threads per text.
    #[serde(with = "Within::<1, 1024>")]
    pub threads: usize,
}

/// Where vectors come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EmbeddingProvider {
    /// No vectors: search by words alone.
    None,
    /// From a model in a folder, run in process.
    Onnx,
    /// From a model downloaded by name and run in process.
    Fastembed,
    /// From a server with OpenAI's `/embeddings` API.
    OpenAi,
}

/// How token vectors are combined into one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PoolingSetting {
    /// Their mean.
    Mean,
    /// The first one.
    Cls,
}

/// Where classes and properties are searched.
#[derive(Debug, Clone, Deserialize)]
pub struct SchemaIndexSettings {
    /// Where their index is stored. The other fields are those of a Qdrant server.
    pub backend: IndexBackend,
    /// The gRPC address.
    pub url: String,
    /// The API key.
    pub api_key: Option<SecretString>,
    /// Prefix of the collections' names.
    pub collection_prefix: String,
    /// Timeout of a search.
    #[serde(rename = "search_timeout_seconds", with = "Seconds::<1>")]
    pub search_timeout: Duration,
    /// Number of shards of a new collection; `None` leaves it to the server.
    #[serde(with = "UnlessZero::<1000>")]
    pub shard_number: Option<u32>,
    /// Number of copies of each shard; `None` leaves it to the server.
    #[serde(with = "UnlessZero::<1000>")]
    pub replication_factor: Option<u32>,
}

/// Where entities and values are searched.
#[derive(Debug, Clone, Deserialize)]
pub struct EntityIndexSettings {
    /// Where their index is stored: the index folder, or the Qdrant server of `[schema_index]`.
    pub backend: IndexBackend,
}

/// Where a part of the index is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IndexBackend {
    /// In the index folder.
    Local,
    /// On a Qdrant server.
    Qdrant,
}

impl EmbeddingSettings {
    /// Checks the settings that the provider requires.
    pub(in crate::config) fn check(&mut self, places: &Places) -> Result<(), ConfigError> {
        let model = |why| places.filled("embedding.model", &self.model, why);
        match self.provider {
            EmbeddingProvider::Onnx if self.path.is_none() => {
                places.invalid("embedding.path", "is empty; name the folder with model.onnx")
            }
            EmbeddingProvider::Fastembed if !cfg!(feature = "model-download") => places.invalid(
                "embedding.provider",
                "is \"fastembed\", but this program was built without the feature model-download; \
                 build it with `--features model-download`, or use \"onnx\" with a folder",
            ),
            EmbeddingProvider::Fastembed => model("name a model"),
            EmbeddingProvider::OpenAi => {
                self.base_url = places.base_url("embedding.base_url", &self.base_url)?;
                model("name the model as the server knows it")
            }
            EmbeddingProvider::None | EmbeddingProvider::Onnx => Ok(()),
        }
    }
}

impl SchemaIndexSettings {
    /// Checks the settings that a Qdrant server requires.
    pub(in crate::config) fn check(
        &mut self,
        entities: &EntityIndexSettings,
        places: &Places,
    ) -> Result<(), ConfigError> {
        if self.backend == IndexBackend::Local && entities.backend == IndexBackend::Local {
            return Ok(());
        }
        self.url = places.base_url("schema_index.url", &self.url)?;
        places.filled("schema_index.collection_prefix", &self.collection_prefix, "write a name")
    }
}

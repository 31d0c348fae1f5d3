//! Settings as they are written, before they are checked; types as wide as the file format's.
//!
//! Secrets are plain text here, so nothing in this module can be printed. Uses serde alone.

use crate::helps::Helps;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
pub(super) struct RawSettings {
    pub(super) server: RawServer,
    pub(super) llm: RawLlm,
    pub(super) agent: RawAgent,
    pub(super) helps: Helps,
    pub(super) sparql: RawSparql,
    pub(super) outgoing: RawOutgoing,
    pub(super) embedding: RawEmbedding,
    pub(super) schema_index: RawSchemaIndex,
    pub(super) index: RawIndex,
    pub(super) cache: RawCache,
    pub(super) runs: RawRuns,
    pub(super) page: RawPage,
    pub(super) feedback: RawFeedback,
    pub(super) log: RawLog,
    #[serde(default)]
    pub(super) datasets: Vec<RawDataset>,
}

#[derive(Deserialize)]
pub(super) struct RawServer {
    pub(super) host: String,
    pub(super) port: i64,
    pub(super) cors_origins: Vec<String>,
    pub(super) max_concurrent_questions: i64,
    pub(super) max_waiting_questions: i64,
    pub(super) allowed_hosts: Vec<String>,
    pub(super) tls_certificate: String,
    pub(super) tls_key: String,
    pub(super) api_key: String,
    pub(super) api_keys: BTreeMap<String, String>,
    pub(super) operators: Vec<String>,
    pub(super) questions_per_minute: i64,
    pub(super) client_header: String,
    pub(super) client_seconds: i64,
    pub(super) max_question_chars: i64,
    pub(super) stop_seconds: i64,
    pub(super) page: bool,
    pub(super) queries: bool,
    pub(super) mcp: bool,
    pub(super) public_url: String,
}

#[derive(Deserialize)]
pub(super) struct RawLlm {
    pub(super) base_url: String,
    pub(super) model: String,
    pub(super) api_key: String,
    pub(super) temperature: f64,
    pub(super) timeout_seconds: i64,
    pub(super) retries: i64,
    pub(super) max_completion_tokens: i64,
    pub(super) price_prompt: f64,
    pub(super) price_completion: f64,
    pub(super) price_cached: f64,
}

#[derive(Deserialize)]
pub(super) struct RawAgent {
    pub(super) deadline_seconds: i64,
    pub(super) max_model_calls: i64,
    pub(super) token_budget: i64,
    pub(super) prompt_card_tokens: i64,
    pub(super) observation_chars: i64,
}

#[derive(Deserialize)]
pub(super) struct RawSparql {
    pub(super) timeout_seconds: i64,
    pub(super) max_rows: i64,
    pub(super) max_bytes: i64,
    pub(super) max_memory_mb: i64,
    pub(super) worker_processes: bool,
    pub(super) allow_service: Vec<String>,
    pub(super) allow_from: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct RawOutgoing {
    pub(super) contact: String,
    pub(super) requests_per_host: i64,
}

#[derive(Deserialize)]
pub(super) struct RawEmbedding {
    pub(super) provider: String,
    pub(super) path: String,
    pub(super) model: String,
    pub(super) base_url: String,
    pub(super) api_key: String,
    pub(super) pooling: String,
    pub(super) query_prefix: String,
    pub(super) document_prefix: String,
    pub(super) onnxruntime: String,
    pub(super) max_tokens: i64,
    pub(super) threads: i64,
}

#[derive(Deserialize)]
pub(super) struct RawSchemaIndex {
    pub(super) backend: String,
    pub(super) url: String,
    pub(super) api_key: String,
    pub(super) collection_prefix: String,
    pub(super) shard_number: i64,
    pub(super) replication_factor: i64,
}

#[derive(Deserialize)]
pub(super) struct RawIndex {
    pub(super) folder: String,
    pub(super) naming_properties: Vec<String>,
    pub(super) skip_errors: bool,
    pub(super) max_value_chars: i64,
    pub(super) endpoint_page_rows: i64,
    pub(super) endpoint_requests: i64,
    pub(super) endpoint_timeout_seconds: i64,
    pub(super) endpoint_patience_seconds: i64,
    pub(super) endpoint_sample_rows: i64,
}

#[derive(Deserialize)]
pub(super) struct RawCache {
    pub(super) answers: i64,
    pub(super) results: i64,
    pub(super) embeddings: i64,
    pub(super) lookups: i64,
    pub(super) seconds: i64,
}

#[derive(Deserialize)]
pub(super) struct RawRuns {
    pub(super) max_runs: i64,
    pub(super) max_mb: i64,
    pub(super) folder: String,
    pub(super) max_files: i64,
    pub(super) max_days: i64,
}

#[derive(Deserialize)]
pub(super) struct RawPage {
    pub(super) tiles: String,
    pub(super) tiles_attribution: String,
    pub(super) pictures: bool,
}

#[derive(Deserialize)]
pub(super) struct RawFeedback {
    pub(super) file: String,
    pub(super) max_mb: i64,
}

#[derive(Deserialize)]
pub(super) struct RawLog {
    pub(super) level: String,
    pub(super) format: String,
    pub(super) otlp_endpoint: String,
    pub(super) questions_folder: String,
    pub(super) questions_files: i64,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawDataset {
    pub(super) id: String,
    pub(super) aliases: Vec<String>,
    pub(super) name: String,
    pub(super) files: Vec<String>,
    pub(super) format: String,
    pub(super) endpoint: String,
    pub(super) user: String,
    pub(super) password: String,
    pub(super) bearer_token: String,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) default_graphs: Vec<String>,
    pub(super) dialect: String,
    pub(super) editor: String,
    pub(super) prefixes: BTreeMap<String, String>,
    pub(super) index: String,
    pub(super) languages: Vec<String>,
    pub(super) vocabulary: String,
    pub(super) type_property: String,
    pub(super) subclass_property: String,
    pub(super) wikibase_base: String,
    pub(super) preset: String,
    pub(super) search: String,
    pub(super) wikibase_api: String,
    pub(super) vector_search: String,
}

//! `[agent]` and `[sparql]`: limits of one question and of one query.

use crate::agent_features::ModelProfile;
use crate::config::values::{Count, Seconds, Within};
use serde::{Deserialize, Deserializer};
use std::time::Duration;

/// Limits of one question.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct AgentSettings {
    /// The kind of model.
    pub profile: ModelProfile,
    /// Time limit of one question.
    #[serde(rename = "deadline_seconds", with = "Seconds::<1>")]
    pub deadline: Duration,
    /// Maximum number of model calls per question.
    #[serde(with = "Within::<1, 1000>")]
    pub max_model_calls: u32,
    /// Maximum number of tokens per question.
    #[serde(with = "Count")]
    pub token_budget: u64,
    /// Maximum number of tokens for the dataset's description in the first prompt.
    #[serde(with = "Count")]
    pub prompt_card_tokens: usize,
    /// Maximum length of an observation in characters.
    #[serde(with = "Within::<200, 1_000_000>")]
    pub observation_chars: usize,
}

/// Limits of one query.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SparqlSettings {
    /// Time limit of one query.
    #[serde(rename = "timeout_seconds", with = "Seconds::<1>")]
    pub timeout: Duration,
    /// Maximum number of rows kept.
    #[serde(with = "Count")]
    pub max_rows: usize,
    /// Maximum number of bytes kept.
    #[serde(with = "Count")]
    pub max_bytes: usize,
    /// Maximum memory of one query in the embedded store, in bytes; `None` for no limit.
    #[serde(rename = "max_memory_mb", deserialize_with = "memory")]
    pub max_memory: Option<u64>,
    /// Whether the embedded store runs queries in processes, if
    /// [`Settings::store_program`](crate::config::Settings::store_program) is set.
    pub worker_processes: bool,
    /// IRIs allowed after `SERVICE`; `*` for any.
    pub allow_service: Vec<String>,
    /// Prefixes of IRIs allowed after `FROM`; `*` for any.
    pub allow_from: Vec<String>,
    /// Prefixes of IRIs of functions allowed beyond those of SPARQL and the engine; `*` for any.
    pub allow_functions: Vec<String>,
}

fn memory<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<u64>, D::Error> {
    let megabytes: u64 = Within::<0, 1_000_000>::deserialize(setting)?;
    Ok((megabytes > 0).then_some(megabytes << 20))
}

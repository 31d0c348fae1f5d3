//! `[agent]` and `[sparql]`: bounds of one question and of one query.

use crate::config::values::{Count, Seconds, Within};
use serde::{Deserialize, Deserializer};
use std::time::Duration;

/// Bounds of one question.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct AgentSettings {
    /// Time for one question.
    #[serde(rename = "deadline_seconds", with = "Seconds::<1>")]
    pub deadline: Duration,
    /// Model calls for one question.
    #[serde(with = "Within::<1, 1000>")]
    pub max_model_calls: u32,
    /// Tokens for one question.
    #[serde(with = "Count")]
    pub token_budget: u64,
    /// Tokens of the first prompt for the dataset's description.
    #[serde(with = "Count")]
    pub prompt_card_tokens: usize,
    /// Longest observation in characters.
    #[serde(with = "Within::<200, 1_000_000>")]
    pub observation_chars: usize,
}

/// Bounds of one query.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SparqlSettings {
    /// Time for one query.
    #[serde(rename = "timeout_seconds", with = "Seconds::<1>")]
    pub timeout: Duration,
    /// Rows kept.
    #[serde(with = "Count")]
    pub max_rows: usize,
    /// Bytes kept.
    #[serde(with = "Count")]
    pub max_bytes: usize,
    /// Bytes that one query in the embedded store may take; `None` for any number.
    #[serde(rename = "max_memory_mb", deserialize_with = "memory")]
    pub max_memory: Option<u64>,
    /// Whether the embedded store runs queries in processes, where
    /// [`Settings::store_program`](crate::config::Settings::store_program) is known.
    pub worker_processes: bool,
    /// IRIs allowed after `SERVICE`; `*` for any.
    pub allow_service: Vec<String>,
    /// IRI prefixes allowed after `FROM`; `*` for any.
    pub allow_from: Vec<String>,
    /// Beginnings of the IRIs of functions that are allowed beyond those of SPARQL and the engine; `*` for any.
    pub allow_functions: Vec<String>,
}

fn memory<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<u64>, D::Error> {
    let megabytes: u64 = Within::<0, 1_000_000>::deserialize(setting)?;
    Ok((megabytes > 0).then_some(megabytes << 20))
}

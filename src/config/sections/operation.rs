//! `[cache]`, `[runs]`, `[log]`, `[outgoing]`: what a running service stores, writes and sends.

use crate::config::values::{Seconds, Within, filled, fitting, megabytes, optional, path, web_url};
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;
use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 3600);

/// Maximum number of entries of a cache.
type Entries = Within<0, 10_000_000>;

/// Caches in memory; 0 entries disable a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct CacheSettings {
    /// Complete answers.
    #[serde(with = "Entries")]
    pub answers: u64,
    /// Results of queries from remote endpoints.
    #[serde(with = "Entries")]
    pub results: u64,
    /// Vectors of search texts.
    #[serde(with = "Entries")]
    pub embeddings: u64,
    /// Look-up results from a Wikibase.
    #[serde(with = "Entries")]
    pub lookups: u64,
    /// How long an entry is kept.
    #[serde(rename = "seconds", with = "Seconds::<1>")]
    pub time_to_live: Duration,
}

/// How questions and their answers are kept.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RunsSettings {
    /// Maximum number of runs in memory.
    #[serde(with = "Within::<1, 1_000_000>")]
    pub max_runs: usize,
    /// Maximum size of all runs in memory, in bytes.
    #[serde(rename = "max_mb", deserialize_with = "megabytes")]
    pub max_bytes: usize,
    /// Folder in which runs are also stored as files; `None` discards them when the process ends.
    #[serde(deserialize_with = "path")]
    pub folder: Option<PathBuf>,
    /// Maximum number of files in the folder.
    #[serde(with = "Within::<1, 10_000_000>")]
    pub max_files: usize,
    /// How long a file is kept.
    #[serde(rename = "max_days", deserialize_with = "days")]
    pub max_age: Duration,
}

/// Logging.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct LogSettings {
    /// A filter like `info,eruca::agent=debug`.
    #[serde(deserialize_with = "level")]
    pub level: String,
    /// For people or programs.
    pub format: LogFormat,
    /// OpenTelemetry collector that receives the spans.
    #[serde(deserialize_with = "collector")]
    pub otlp_endpoint: Option<String>,
    /// Folder of the query log; `None` for no log.
    #[serde(deserialize_with = "path")]
    pub questions_folder: Option<PathBuf>,
    /// Number of query log files kept.
    #[serde(with = "Within::<1, 10_000>")]
    pub questions_files: usize,
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object per line.
    Json,
}

/// Politeness limits for public endpoints.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct OutgoingSettings {
    /// How to reach the person who runs this program.
    #[serde(deserialize_with = "contact")]
    pub contact: Option<String>,
    /// Maximum number of concurrent requests per public host.
    #[serde(with = "Within::<1, 1_000>")]
    pub requests_per_host: usize,
    /// Maximum number of requests per public host in a minute.
    #[serde(with = "Within::<1, 1_000_000>")]
    pub requests_per_minute: usize,
}

fn days<'de, D: Deserializer<'de>>(setting: D) -> Result<Duration, D::Error> {
    Within::<1, 36_500>::deserialize(setting).map(|days: u32| DAY * days)
}

fn level<'de, D: Deserializer<'de>>(setting: D) -> Result<String, D::Error> {
    filled(setting, "write for example \"info\"")
}

fn collector<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<String>, D::Error> {
    optional(setting, web_url)
}

fn contact<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<String>, D::Error> {
    // It becomes a comment in a header (RFC 9110, 5.6.5), in parentheses.
    let sendable = |c: char| (c == ' ' || c.is_ascii_graphic()) && !"()\\".contains(c);
    let reachable = |contact: &str| contact.contains('@') || contact.contains("://");
    let fits = |contact: &str| contact.trim().chars().all(sendable) && reachable(contact);
    let problem =
        "must be an e-mail address or a URL, without brackets, backslashes and letters beyond ASCII";
    let contact = fitting(setting, |contact| contact.trim().is_empty() || fits(contact), problem)?;
    Ok(contact.map(|contact| contact.trim().to_owned()).filter(|contact| !contact.is_empty()))
}

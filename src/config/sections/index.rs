//! `[index]`: how indexes are built and where they lie.

use crate::config::values::{Count, Seconds, Within, iris, path};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;
use std::time::Duration;

/// How indexes are built and where they lie.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct IndexSettings {
    /// The folder of the indexes that have no folder of their own.
    #[serde(deserialize_with = "folder")]
    pub folder: PathBuf,
    /// IRIs of naming properties beside the built-in ones.
    #[serde(deserialize_with = "iris")]
    pub naming_properties: Vec<String>,
    /// Whether broken statements are left out instead of ending the build.
    pub skip_errors: bool,
    /// Longest literal indexed as a value, in characters.
    #[serde(with = "Within::<1, 10_000>")]
    pub max_value_chars: usize,
    /// Rows asked for at once, where an index is built from an endpoint alone.
    #[serde(with = "Within::<100, 1_000_000>")]
    pub endpoint_page_rows: usize,
    /// Requests to such an endpoint at the same time.
    #[serde(with = "Within::<1, 64>")]
    pub endpoint_requests: usize,
    /// Time for one of them.
    #[serde(rename = "endpoint_timeout_seconds", with = "Seconds::<1>")]
    pub endpoint_timeout: Duration,
    /// How long such an endpoint is waited for in a row.
    #[serde(rename = "endpoint_patience_seconds", with = "Seconds::<0>")]
    pub endpoint_patience: Duration,
    /// Statements of a property that cannot be had in full.
    #[serde(with = "Count")]
    pub endpoint_sample_rows: u64,
}

fn folder<'de, D: Deserializer<'de>>(setting: D) -> Result<PathBuf, D::Error> {
    let folder = path(setting)?.filter(|folder| !folder.to_string_lossy().trim().is_empty());
    folder.ok_or_else(|| D::Error::custom("is empty; name a folder, for example \"data\""))
}

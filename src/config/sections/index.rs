//! `[index]`: how indexes are built and where they are stored.

use crate::config::values::{Count, Seconds, Within, iris, path};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;
use std::time::Duration;

/// How indexes are built and where they are stored.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct IndexSettings {
    /// The folder for indexes of datasets without an index folder of their own.
    #[serde(deserialize_with = "folder")]
    pub folder: PathBuf,
    /// IRIs of naming properties in addition to the built-in ones.
    #[serde(deserialize_with = "iris")]
    pub naming_properties: Vec<String>,
    /// Whether invalid statements are left out instead of aborting the build.
    pub skip_errors: bool,
    /// Maximum length in characters of a literal indexed as a value.
    #[serde(with = "Within::<1, 10_000>")]
    pub max_value_chars: usize,
    /// Rows per request when an index is built from an endpoint alone.
    #[serde(with = "Within::<100, 1_000_000>")]
    pub endpoint_page_rows: usize,
    /// Concurrent requests to such an endpoint.
    #[serde(with = "Within::<1, 64>")]
    pub endpoint_requests: usize,
    /// Timeout of one of these requests.
    #[serde(rename = "endpoint_timeout_seconds", with = "Seconds::<1>")]
    pub endpoint_timeout: Duration,
    /// How long such an endpoint may be unavailable before the build fails.
    #[serde(rename = "endpoint_patience_seconds", with = "Seconds::<0>")]
    pub endpoint_patience: Duration,
    /// Maximum number of statements read of a property that cannot be read completely.
    #[serde(with = "Count")]
    pub endpoint_sample_rows: u64,
}

fn folder<'de, D: Deserializer<'de>>(setting: D) -> Result<PathBuf, D::Error> {
    let folder = path(setting)?.filter(|folder| !folder.to_string_lossy().trim().is_empty());
    folder.ok_or_else(|| D::Error::custom("is empty; name a folder, for example \"data\""))
}

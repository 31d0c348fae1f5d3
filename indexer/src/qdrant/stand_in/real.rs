//! A real server for the same tests, if `ERUCA_TEST_QDRANT_URL` (and optionally `ERUCA_TEST_QDRANT_API_KEY`) names one.

use secrecy::SecretString;
use std::io::Write;

/// The server that the environment names.
pub(crate) struct RealQdrant {
    pub(crate) url: String,
    pub(crate) api_key: Option<SecretString>,
}

impl RealQdrant {
    /// The server, if one is named.
    pub(crate) fn from_environment() -> Option<Self> {
        let url = std::env::var("ERUCA_TEST_QDRANT_URL").ok()?;
        Some(Self { url, api_key: std::env::var("ERUCA_TEST_QDRANT_API_KEY").ok().map(SecretString::from) })
    }

    /// Reports that a test was skipped. Not with `println!`, which is hidden when a test passes.
    pub(crate) fn say_skipped() {
        skipped("ERUCA_TEST_QDRANT_URL is not set");
    }
}

/// Reports that a test was skipped for a reason.
pub(crate) fn skipped(why: &str) {
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    writeln!(std::io::stderr(), "SKIPPED {test}: {why}").unwrap();
}

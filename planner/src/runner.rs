//! The seam to whatever runs queries.

use async_trait::async_trait;
use eruca_sparql::{Answer, CheckedQuery, QueryError};
use std::time::Duration;

/// Runs queries.
#[async_trait]
pub trait Runner: Sync {
    /// Checks and runs a query within a time.
    ///
    /// # Errors
    /// When it is no valid query here, or the endpoint cannot answer it.
    async fn run(&self, query: &str, timeout: Duration) -> Result<(CheckedQuery, Answer), QueryError>;
}

//! The interface to query execution.

use async_trait::async_trait;
use eruca_sparql::{Answer, CheckedQuery, QueryError};
use std::time::Duration;

/// Runs queries.
#[async_trait]
pub trait Runner: Sync {
    /// Checks and runs a query within a time limit.
    ///
    /// # Errors
    /// When the query is invalid here, or the endpoint cannot answer it.
    async fn run(&self, query: &str, timeout: Duration) -> Result<(CheckedQuery, Answer), QueryError>;
}

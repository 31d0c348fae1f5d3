//! A query that was run, with its result and the dataset that it was sent to.

use eruca_sparql::{Answer, CheckedQuery, QueryError};
use std::sync::Arc;

/// A query that was run, with its result.
#[derive(Debug, Clone)]
pub struct RunQuery {
    /// The checked query.
    pub query: CheckedQuery,
    /// The result.
    pub result: Result<Arc<Answer>, QueryError>,
    /// The id of the dataset that it was sent to, if that is one of several and not the home.
    pub at: Option<String>,
}

impl RunQuery {
    /// A query that was sent to the dataset that is asked.
    #[must_use]
    pub fn new(query: CheckedQuery, result: Result<Arc<Answer>, QueryError>) -> Self {
        Self { query, result, at: None }
    }

    /// A key that is equal for equal queries to the same dataset.
    #[must_use]
    pub fn key(&self) -> String {
        Self::key_at(self.at.as_deref(), self.query.key())
    }

    /// The key of a query to a dataset.
    #[must_use]
    pub fn key_at(at: Option<&str>, key: String) -> String {
        match at {
            Some(at) => format!("{at}\n{key}"),
            None => key,
        }
    }
}

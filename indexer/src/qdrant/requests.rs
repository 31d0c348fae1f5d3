//! Searches in a collection: each ends in its time, and a server that fails is left alone for a while.

use super::QdrantFailure;
use super::pause::{Cause, Pause};
use super::server::{self, QdrantServer};
use qdrant_client::QdrantError;
use qdrant_client::qdrant::{QueryPoints, QueryPointsBuilder, ScoredPoint};
use std::time::Duration;

/// A collection that is searched.
pub(crate) struct Requests {
    pub(crate) server: QdrantServer,
    pub(crate) collection: String,
    /// Used when the collection is gone because a later build has replaced it; `None` if only this build's will do.
    pub(crate) alias: Option<String>,
    /// Timeout of a search.
    pub(crate) timeout: Duration,
    pub(crate) pause: Pause,
    /// What is searched while the server fails.
    pub(crate) instead: &'static str,
}

impl Requests {
    /// The points found.
    pub(crate) async fn send(&self, request: QueryPointsBuilder) -> Result<Vec<ScoredPoint>, QdrantFailure> {
        if self.pause.is_on() {
            return Err(self.server.error("it did not answer a moment ago"));
        }
        let answer = match tokio::time::timeout(self.timeout, self.answer(request.into())).await {
            Ok(answer) => answer.map_err(|error| (self.server.failed(&error), Cause::Failure)),
            Err(_) => Err((self.server.late(self.timeout), Cause::Lateness)),
        };
        answer.map_err(|(error, cause)| {
            self.pause.begin(cause);
            let (seconds, instead) = (self.pause.length.as_secs(), self.instead);
            tracing::warn!(%error, "{instead} alone are searched; the server is asked again after {seconds} s");
            error
        })
    }

    /// Queries the folder's own collection, or the one of the alias if that is gone.
    async fn answer(&self, request: QueryPoints) -> Result<Vec<ScoredPoint>, QdrantError> {
        let answer = match (self.server.client.query(request.clone()).await, self.other_name()) {
            (Err(error), Some(alias)) if server::is_missing(&error) => {
                let by_alias = QueryPoints { collection_name: alias.to_owned(), ..request };
                self.server.client.query(by_alias).await
            }
            (answer, _) => answer,
        };
        Ok(answer?.result)
    }

    fn other_name(&self) -> Option<&str> {
        self.alias.as_deref().filter(|alias| *alias != self.collection)
    }

    /// Whether the server answers and has the collection; it is then asked again.
    pub(crate) async fn check(&self) -> Result<(), QdrantFailure> {
        let mut answer = self.server.client.collection_info(&self.collection).await;
        if let (true, Some(alias)) = (answer.as_ref().is_err_and(server::is_missing), &self.alias) {
            answer = self.server.client.collection_info(alias).await;
        }
        answer.map_err(|error| self.server.failed(&error))?;
        self.pause.end_of_failure();
        Ok(())
    }
}

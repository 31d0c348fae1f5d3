//! Searches in a collection: each ends in its time, and a server that fails is left alone for a while.

use super::QdrantFailure;
use super::pause::{Cause, Pause};
use super::server::{self, QdrantServer};
use super::tries::{Failed, Tries};
use qdrant_client::QdrantError;
use qdrant_client::qdrant::{QueryPoints, QueryPointsBuilder, ScoredPoint};
use std::time::Instant;

/// A collection that is searched.
pub(crate) struct Requests {
    pub(crate) server: QdrantServer,
    pub(crate) collection: String,
    /// Used when the collection is gone because a later build has replaced it; `None` if only this build's will do.
    pub(crate) alias: Option<String>,
    pub(crate) tries: Tries,
    pub(crate) pause: Pause,
    /// What happens while the server fails, for the log.
    pub(crate) meanwhile: &'static str,
}

impl Requests {
    /// The points found.
    pub(crate) async fn send(&self, request: QueryPointsBuilder) -> Result<Vec<ScoredPoint>, QdrantFailure> {
        let request = QueryPoints::from(request);
        let answer = self.ask(|collection| {
            self.server.client.query(QueryPoints { collection_name: collection, ..request.clone() })
        });
        Ok(answer.await?.result)
    }

    /// The answer to a call with the name of the collection.
    pub(crate) async fn ask<T, F>(&self, call: impl Fn(String) -> F) -> Result<T, QdrantFailure>
    where
        F: Future<Output = Result<T, QdrantError>>,
    {
        if self.pause.is_on() {
            return Err(self.server.error("it did not answer a moment ago"));
        }
        let asked = Instant::now();
        let answer = self.tries.make(|| self.answer(&call)).await;
        answer.inspect(|_| self.pause.answered()).map_err(|failed| self.given_up(asked, &failed))
    }

    /// Leaves the server alone for a while, unless it answers others.
    fn given_up(&self, asked: Instant, failed: &Failed) -> QdrantFailure {
        let (error, cause) = match failed {
            Failed::Error(error) => (self.server.failed(error), Cause::Failure),
            Failed::Late => (self.server.late(self.tries.timeout), Cause::Lateness),
        };
        match self.pause.begin(asked, cause) {
            true => {
                let seconds = self.pause.length.as_secs();
                tracing::warn!(%error, "{}; the server is asked again after {seconds} s", self.meanwhile);
            }
            false => tracing::warn!(%error, "this call has failed; others were answered meanwhile"),
        }
        error
    }

    /// Asks the folder's own collection, or the one of the alias if that is gone.
    async fn answer<T, F>(&self, call: &impl Fn(String) -> F) -> Result<T, QdrantError>
    where
        F: Future<Output = Result<T, QdrantError>>,
    {
        match (call(self.collection.clone()).await, self.other_name()) {
            (Err(error), Some(alias)) if server::is_missing(&error) => call(alias.to_owned()).await,
            (answer, _) => answer,
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qdrant::QdrantOptions;
    use std::future::ready;
    use std::time::Duration;
    use tokio::sync::Notify;
    use tonic::Status;

    /// Requests that are not made again. Nothing listens at the address, as the calls of the tests do not go there.
    fn requests() -> Requests {
        let options = QdrantOptions {
            url: "http://127.0.0.1:1".to_owned(),
            api_key: None,
            collection: "eruca-test".to_owned(),
            timeout: Duration::from_secs(60),
            search_timeout: Duration::from_secs(60),
            shard_number: None,
            replication_factor: None,
        };
        Requests {
            server: QdrantServer::connect(&options).unwrap(),
            collection: options.collection,
            alias: None,
            tries: Tries { timeout: options.search_timeout, patience: Duration::ZERO },
            pause: Pause::of(Duration::from_secs(3600)),
            meanwhile: "nothing is found",
        }
    }

    fn gone() -> Result<u32, QdrantError> {
        Err(Status::unavailable("the node is gone").into())
    }

    #[tokio::test]
    async fn a_call_that_fails_alone_stops_the_next() {
        let requests = requests();
        assert_eq!(requests.ask(|_| ready(Ok(1))).await.unwrap(), 1);
        assert!(requests.ask(|_| ready(gone())).await.is_err());
        let refused = requests.ask(|_| ready(Ok(1))).await.unwrap_err();
        assert!(refused.to_string().ends_with("it did not answer a moment ago"), "{refused}");
    }

    #[tokio::test]
    async fn a_call_that_fails_while_others_are_answered_stops_none() {
        let (requests, answered) = (requests(), Notify::new());
        let failing = requests.ask(|_| async {
            answered.notified().await;
            gone()
        });
        let other = async {
            let answer = requests.ask(|_| ready(Ok(1))).await;
            answered.notify_one();
            answer
        };
        let (failed, other) = tokio::join!(failing, other);
        assert!(failed.is_err() && other.is_ok());
        assert_eq!(requests.ask(|_| ready(Ok(2))).await.unwrap(), 2);
    }
}

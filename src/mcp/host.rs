//! The interface between protocol and transport: the identity of callers, their permissions, and the storage of runs.

use crate::service::{Ask, EventReader, Run, RunHandle, RunId, Service, ServiceError};
use async_trait::async_trait;
use std::sync::Arc;

/// The sender of a request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Caller {
    /// The id of the request, for logs.
    pub id: String,
    /// The name of the API key sent with it.
    pub key: Option<String>,
    /// Who a proxy says that its client is.
    pub user: Option<String>,
    /// The address used for rate limits; `None` for the local user, who has no limits.
    pub address: Option<String>,
}

/// The transport of the protocol.
#[async_trait]
pub trait Host: Send + Sync {
    /// The service that is called.
    fn service(&self) -> &Arc<Service>;

    /// Whether queries written by models are run.
    fn takes_queries(&self) -> bool;

    /// Accepts a question or query if its caller is within the rate limit.
    ///
    /// # Errors
    /// A message saying what to do.
    fn admit(&self, caller: &Caller) -> Result<(), String>;

    /// Starts answering a question. It is kept as a run, and recorded whatever the outcome.
    ///
    /// # Errors
    /// If the question is invalid or the dataset is unknown.
    fn ask(&self, caller: Caller, ask: Ask) -> Result<(Arc<RunHandle>, EventReader), ServiceError>;

    /// A kept run, as JSON.
    async fn run(&self, id: RunId) -> Option<String>;

    /// A run that was answered since the service began, as it was.
    async fn answered(&self, id: RunId) -> Option<Run>;
}

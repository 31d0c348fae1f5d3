//! What the protocol needs from its transport: who calls, whether they may, and where runs are kept.

use crate::service::{Ask, EventReader, RunHandle, RunId, Service, ServiceError};
use async_trait::async_trait;
use std::sync::Arc;

/// Who calls.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Caller {
    /// The id of the request, for logs.
    pub id: String,
    /// The name of the key that came with it.
    pub key: Option<String>,
    /// The address that limits are kept for; `None` for the person at this machine, who has no limits.
    pub address: Option<String>,
}

/// The transport of the protocol.
#[async_trait]
pub trait Host: Send + Sync {
    /// The service that is called.
    fn service(&self) -> &Arc<Service>;

    /// Whether queries that a model wrote are run.
    fn takes_queries(&self) -> bool;

    /// Lets a question or query pass if its caller is within its rate limit.
    ///
    /// # Errors
    /// A sentence with what to do.
    fn admit(&self, caller: &Caller) -> Result<(), String>;

    /// Begins to answer a question. It is kept, and recorded whatever comes of it.
    ///
    /// # Errors
    /// When the question is not well-formed or the dataset is unknown.
    fn ask(&self, caller: Caller, ask: Ask) -> Result<(Arc<RunHandle>, EventReader), ServiceError>;

    /// A run that is kept, as JSON.
    async fn run(&self, id: RunId) -> Option<String>;
}

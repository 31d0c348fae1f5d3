//! A stand-in for a Qdrant server in tests: the calls that the index uses, in memory with exhaustive search, over
//! real gRPC. Like the real server, it refuses what it does not know instead of ignoring it.

mod collection;
mod real;
mod services;

use collection::Collection;
use qdrant_client::qdrant::collections_server::CollectionsServer;
use qdrant_client::qdrant::points_server::PointsServer;
pub(crate) use real::{RealQdrant, skipped};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::oneshot;
use tonic::Status;
use tonic::metadata::MetadataMap;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;

/// A running stand-in; it stops when dropped.
pub(crate) struct InMemoryQdrant {
    pub(crate) url: String,
    state: SharedState,
    _stop: oneshot::Sender<()>,
}

impl InMemoryQdrant {
    /// Starts on a free port. The port is bound when this returns, so that no waiting is necessary.
    pub(crate) fn start() -> Self {
        let incoming = TcpIncoming::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let url = format!("http://{}", incoming.local_addr().unwrap());
        let state = SharedState::default();
        let (stop, stopped) = oneshot::channel::<()>();
        let server = Server::builder()
            .add_service(CollectionsServer::new(state.clone()))
            .add_service(PointsServer::new(state.clone()))
            .serve_with_incoming_shutdown(incoming, async move {
                stopped.await.ok();
            });
        tokio::spawn(server);
        Self { url, state, _stop: stop }
    }

    /// The stored data and the faults to simulate.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

/// The state of the server.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) collections: BTreeMap<String, Collection>,
    pub(crate) aliases: BTreeMap<String, String>,
    /// Calls without this key are refused.
    pub(crate) api_key: Option<String>,
    /// Upserts accepted before the disk is "full".
    pub(crate) upserts_left: Option<usize>,
    /// A fault when an alias is switched.
    pub(crate) alias_fault: Option<AliasFault>,
    /// Queries answered so far.
    pub(crate) queries: usize,
    /// Every call is refused.
    pub(crate) down: bool,
    /// Queries are never answered.
    pub(crate) silent: bool,
    /// Calls refused so far.
    pub(crate) refused: usize,
}

/// How switching an alias fails.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AliasFault {
    /// It is not switched.
    Refused,
    /// It is switched, but an error is returned.
    ConfirmationLost,
}

impl State {
    fn resolve(&self, name: &str) -> String {
        self.aliases.get(name).map_or(name, String::as_str).to_owned()
    }

    pub(crate) fn collection(&mut self, name: &str) -> Result<&mut Collection, Status> {
        let real = self.resolve(name);
        let missing = || Status::not_found(format!("Not found: Collection `{name}` doesn't exist!"));
        self.collections.get_mut(&real).ok_or_else(missing)
    }
}

/// The state, shared by the services and the test.
#[derive(Clone, Default)]
pub(crate) struct SharedState(Arc<Mutex<State>>);

impl SharedState {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// The state, for callers with the right key.
    pub(crate) fn enter(&self, metadata: &MetadataMap) -> Result<MutexGuard<'_, State>, Status> {
        let mut state = self.lock();
        if state.down {
            state.refused += 1;
            return Err(Status::unavailable("the service is being moved"));
        }
        let given = metadata.get("api-key").and_then(|key| key.to_str().ok());
        if state.api_key.is_some() && given != state.api_key.as_deref() {
            return Err(Status::unauthenticated("Invalid API key or JWT"));
        }
        Ok(state)
    }
}

//! The host of the Model Context Protocol: keys, limits, kept runs and records are those of all routes.

use super::App;
use super::gate::{Cost, Gate};
use super::post::MAX_BYTES;
use super::query_log::QueryLog;
use super::questions::Asker;
use super::runs::{FoundRun, Runs};
use crate::config::Settings;
use crate::mcp::{Caller, Host, HttpFace, over_http};
use crate::service::{Ask, EventReader, RunHandle, RunId, Service, ServiceError};
use async_trait::async_trait;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// The header by which requests of a client belong together.
pub(super) const SESSION: &str = "mcp-session-id";
/// Calls that are remembered to be ended; more are not under way, as questions are bounded by the queue.
const MAX_CALLS: usize = 10_000;

/// The protocol at `/mcp`.
pub(super) struct Face {
    /// What reads requests and writes responses.
    pub(super) http: HttpFace,
    /// Calls that may be ended by their clients.
    pub(super) calls: Arc<Calls>,
}

impl Face {
    pub(super) fn new(app: Arc<App>) -> Self {
        Self { http: over_http(Arc::new(McpHost(app)), MAX_BYTES), calls: Arc::default() }
    }
}

/// The host for standard input and output: the same runs and records, for the person at this machine.
///
/// # Errors
/// When a folder or file that the settings name cannot be used.
pub fn host(
    service: Arc<Service>,
    settings: &Settings,
    query_log: Option<QueryLog>,
) -> Result<Arc<dyn Host>, std::io::Error> {
    Ok(Arc::new(McpHost(Arc::new(App::open(service, settings, query_log)?))))
}

struct McpHost(Arc<App>);

#[async_trait]
impl Host for McpHost {
    fn service(&self) -> &Arc<Service> {
        &self.0.service
    }

    fn takes_queries(&self) -> bool {
        self.0.queries
    }

    fn admit(&self, caller: &Caller) -> Result<(), String> {
        let gate: &Gate = &self.0.gate;
        match &caller.address {
            Some(address) => gate.admit_client(address, Cost::Question).map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }

    fn ask(&self, caller: Caller, ask: Ask) -> Result<(Arc<RunHandle>, EventReader), ServiceError> {
        let Caller { id, key, address: _ } = caller;
        let begun = self.0.begin(ask, Asker { id, key })?;
        Ok((begun.handle, begun.reader))
    }

    async fn run(&self, id: RunId) -> Option<String> {
        let runs: &Arc<Runs> = &self.0.runs;
        let found: FoundRun = runs.find(id).await?;
        let run: Arc<eruca_api::Run> = found.run();
        serde_json::to_string(&*run).ok()
    }
}

/// A call by the random name of its client and its own number.
type Name = (String, String);

/// Calls under way. Requests are independent of each other, so the one that cancels a call names it.
#[derive(Default)]
pub(super) struct Calls {
    calls: Mutex<HashMap<Name, (u64, oneshot::Sender<()>)>>,
    begun: AtomicU64,
}

/// A call under way; it is forgotten when this is dropped.
pub(super) struct CallGuard {
    calls: Arc<Calls>,
    name: Name,
    number: u64,
}

impl Calls {
    /// Remembers a call; the receiver hears when it is to end.
    pub(super) fn begin(self: &Arc<Self>, session: &str, id: &str) -> (CallGuard, oneshot::Receiver<()>) {
        let (end, ended) = oneshot::channel();
        let (name, number) = (name(session, id), self.begun.fetch_add(1, Ordering::Relaxed));
        let mut calls = self.calls();
        if calls.len() < MAX_CALLS {
            calls.insert(name.clone(), (number, end));
        }
        (CallGuard { calls: self.clone(), name, number }, ended)
    }

    /// Ends a call.
    pub(super) fn end(&self, session: &str, id: &str) {
        if let Some((_, end)) = self.calls().remove(&name(session, id)) {
            let _over = end.send(());
        }
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<Name, (u64, oneshot::Sender<()>)>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for CallGuard {
    fn drop(&mut self) {
        let mut calls = self.calls.calls();
        // A later call of the same name is not this one.
        if calls.get(&self.name).is_some_and(|(number, _)| *number == self.number) {
            calls.remove(&self.name);
        }
    }
}

fn name(session: &str, id: &str) -> Name {
    (session.to_owned(), id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_ended_by_its_names_alone_and_forgotten_when_it_is_over() {
        let calls = Arc::new(Calls::default());
        let (one, mut ended) = calls.begin("client", "1");
        let (_other, mut other_ended) = calls.begin("stranger", "1");
        calls.end("client", "2");
        assert!(ended.try_recv().is_err());
        calls.end("client", "1");
        assert!(ended.try_recv().is_ok() && other_ended.try_recv().is_err());
        let (_again, mut again_ended) = calls.begin("client", "1");
        drop(one);
        calls.end("client", "1");
        assert!(again_ended.try_recv().is_ok(), "the first one has not taken the second one with it");
        drop((_again, _other));
        assert!(calls.calls().is_empty());
    }
}

//! Host of the Model Context Protocol: keys, limits, kept runs and logs are the same as for all routes.

use super::App;
use super::gate::{Cost, Gate};
use super::people::People;
use super::post::MAX_BYTES;
use super::query_log::QueryLog;
use super::questions::Asker;
use super::runs::FoundRun;
use crate::config::Settings;
use crate::mcp::{Caller, Host, McpHttp, over_http};
use crate::service::{Ask, EventReader, Run, RunHandle, RunId, Service, ServiceError};
use async_trait::async_trait;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// The header that identifies the session of a request.
pub(super) const SESSION: &str = "mcp-session-id";
/// Maximum number of calls that can be cancelled; there are never more, as the queue limits questions.
const MAX_CALLS: usize = 10_000;

/// The Model Context Protocol at `/mcp`.
pub(super) struct McpEndpoint {
    /// Parses requests and writes responses.
    pub(super) http: McpHttp,
    /// Calls that their clients may cancel.
    pub(super) calls: Arc<Calls>,
    /// People whom their clients ask.
    pub(super) people: Arc<People>,
}

impl McpEndpoint {
    pub(super) fn new(app: Arc<App>) -> Self {
        Self {
            http: over_http(Arc::new(McpHost(app)), MAX_BYTES),
            calls: Arc::default(),
            people: Arc::default(),
        }
    }
}

/// The host for standard input and output: the same runs and logs, for the user of this machine.
///
/// # Errors
/// When a configured folder or file cannot be used.
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
        let Caller { id, key, user, address: _ } = caller;
        let begun = self.0.begin(ask, Asker { id, key, user })?;
        Ok((begun.handle, begun.reader))
    }

    async fn run(&self, id: RunId) -> Option<String> {
        let found: FoundRun = self.0.kept_run(id).await?;
        let run: Arc<eruca_api::Run> = found.run();
        serde_json::to_string(&*run).ok()
    }

    async fn answered(&self, id: RunId) -> Option<Run> {
        match self.0.kept_run(id).await? {
            FoundRun::Over(kept) => kept.log.map(|handle| handle.run()),
            FoundRun::Live(..) => None,
        }
    }
}

/// A call's key: the random name of its client, and its id.
type Name = (String, String);

/// Running calls. Requests are independent of each other, so a request that cancels a call names it.
#[derive(Default)]
pub(super) struct Calls {
    calls: Mutex<HashMap<Name, (u64, oneshot::Sender<()>)>>,
    begun: AtomicU64,
}

/// A running call; removed from the list on drop.
pub(super) struct CallGuard {
    calls: Arc<Calls>,
    name: Name,
    number: u64,
}

impl Calls {
    /// Registers a call; the receiver is notified when the call is cancelled.
    pub(super) fn begin(self: &Arc<Self>, session: &str, id: &str) -> (CallGuard, oneshot::Receiver<()>) {
        let (end, ended) = oneshot::channel();
        let (name, number) = (name(session, id), self.begun.fetch_add(1, Ordering::Relaxed));
        let mut calls = self.calls();
        if calls.len() < MAX_CALLS {
            calls.insert(name.clone(), (number, end));
        }
        (CallGuard { calls: self.clone(), name, number }, ended)
    }

    /// Cancels a call.
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
        // A later call may have the same name.
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

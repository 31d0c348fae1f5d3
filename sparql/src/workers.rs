//! The embedded store in processes of its own, so that a query can be killed whatever it does.
//!
//! ```text
//! this program ── control socket ──► store process: loads the graph once, then only forks
//!      │                                  ├─► worker: one query at a time on a socket of its own
//!      └──────────── query sockets ───────┴─► worker
//! ```
//! The evaluator looks at its cancellation token when it reads a quad, and has no limit of memory. Loops over rows in
//! memory and strings that double get past both. The system has no such gaps: closing the socket ends a worker at once,
//! and its memory has a limit that the kernel keeps. Workers share the pages of the loaded graph with the store process
//! (copy on write), so a new one costs a fork and no second copy. See docs/decisions.md.
//!
//! Uses `embedded` for the evaluation. Unix alone has `fork`; elsewhere the embedded store runs on threads.

mod frames;
mod host;
mod process;
mod wire;

pub use host::StoreHost;
pub use process::WorkerOptions;

use crate::results::{Answer, deadline};
use crate::{CheckedQuery, Limits, QueryError, SparqlEndpoint, StoreError, StoreLoad};
use async_trait::async_trait;
use process::StoreProcess;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::net::UnixStream;
use tokio::sync::Semaphore;
use tokio::time::timeout_at;
use wire::{WorkerReply, WorkerRequest};

/// Workers for each processor, so that queries that take long leave room for others; the system shares the processors out.
const WORKERS_PER_CORE: usize = 2;

/// Replies of more bytes are decoded on a thread for blocking work.
const SHORT_REPLY: usize = 1 << 16;

/// A triple store in a process of its own, with a bounded number of workers that evaluate queries.
pub struct WorkerStore {
    process: Arc<StoreProcess>,
    permits: Semaphore,
    /// Workers that wait for a query, with their private sockets.
    idle: Mutex<Vec<UnixStream>>,
    max_memory: Option<u64>,
}

impl WorkerStore {
    /// Starts the store process and waits until it has loaded the graph; `on_read` hears how many bytes were read.
    ///
    /// # Errors
    /// [`StoreError::Process`] when the process cannot be started or breaks off, [`StoreError::Refused`] with its
    /// own words when it cannot load what it was told to.
    pub fn start(
        options: WorkerOptions,
        on_read: &mut dyn FnMut(u64),
    ) -> Result<(Self, StoreLoad), StoreError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let max_memory = options.max_memory;
        let (process, load) = StoreProcess::start(options, on_read)?;
        let permits = Semaphore::new(cores * WORKERS_PER_CORE);
        Ok((Self { process, permits, idle: Mutex::default(), max_memory }, load))
    }

    /// How many queries may run at once; by default two for each core.
    #[must_use]
    pub fn with_concurrency(self, queries: usize) -> Self {
        Self { permits: Semaphore::new(queries.max(1)), ..self }
    }

    /// The identifier of the store process, for tests and operators.
    pub fn process_id(&self) -> Option<u32> {
        self.process.id()
    }

    /// A worker that waits, or a new one.
    async fn worker(&self) -> Result<UnixStream, QueryError> {
        while let Some(stream) = self.pop_idle() {
            // A worker that has ended meanwhile reads as end of file; a live one would block.
            match stream.try_read(&mut [0]) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(stream),
                Ok(_) | Err(_) => {}
            }
        }
        let mut stream = StoreProcess::new_worker(&self.process)?;
        match frames::receive(&mut stream).await {
            Ok(_hello) => Ok(stream),
            Err(error) => Err(StoreProcess::lost(&self.process, &error)),
        }
    }

    fn pop_idle(&self) -> Option<UnixStream> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn keep(&self, worker: UnixStream) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
    }

    async fn ask(&self, query: &CheckedQuery, limits: Limits, start: Instant) -> Result<Answer, QueryError> {
        let mut worker = self.worker().await?;
        let request = WorkerRequest::new(query.text(), limits);
        let exchanged = exchange(&mut worker, &request).await;
        let WorkerReply { outcome, spent } = exchanged.map_err(|_| self.broken_off())?;
        if !spent {
            self.keep(worker);
        }
        let (results, incomplete) = outcome?;
        Ok(Answer { results: results.into(), incomplete, elapsed: start.elapsed() })
    }

    /// A worker ends before it has replied only when the system ends it.
    fn broken_off(&self) -> QueryError {
        let message = match self.max_memory {
            Some(bytes) => format!("it needs more than the {} MB that a query may take", bytes >> 20),
            None => "the process that ran it was ended by the system; it may need too much memory".to_owned(),
        };
        QueryError::TooLarge { message }
    }
}

async fn exchange(worker: &mut UnixStream, request: &WorkerRequest<'_>) -> io::Result<WorkerReply> {
    frames::send(worker, &serde_json::to_vec(request)?).await?;
    let reply = frames::receive(worker).await?;
    if reply.len() <= SHORT_REPLY {
        return Ok(serde_json::from_slice(&reply)?);
    }
    let decoded = tokio::task::spawn_blocking(move || serde_json::from_slice(&reply)).await;
    Ok(decoded.map_err(io::Error::other)??)
}

#[async_trait]
impl SparqlEndpoint for WorkerStore {
    async fn query(&self, query: &CheckedQuery, limits: Limits) -> Result<Answer, QueryError> {
        let start = Instant::now();
        let deadline = deadline(start, limits.timeout);
        let timed_out = |_| QueryError::Timeout { after: limits.timeout };
        let permit = timeout_at(deadline, self.permits.acquire()).await.map_err(timed_out)?;
        let _permit = permit.map_err(|error| QueryError::Unavailable { message: error.to_string() })?;
        // Dropping the future closes the worker's socket, and with it the worker ends.
        timeout_at(deadline, self.ask(query, limits, start)).await.map_err(timed_out)?
    }

    fn is_own(&self) -> bool {
        true
    }

    fn name(&self) -> &str {
        "embedded store"
    }
}

//! Runs the embedded store in worker processes, so that any query can be killed.
//!
//! ```text
//! this program ── one socket each ──┬─► worker: maps the graph, runs one query at a time
//!                                   └─► worker
//! ```
//! The evaluator checks its cancellation token only when it reads a quad, and has no memory limit. Loops over rows in memory
//! and strings that double in length escape both. The operating system has no such gaps: closing the socket ends a worker
//! immediately, and the kernel enforces its memory limit. Workers map the graph files and so share their pages, and
//! a new worker starts in a few milliseconds. See docs/decisions.md.
//!
//! Uses `embedded` for evaluation. Without Unix sockets, the embedded store runs on threads instead.

mod frames;
mod life;
mod process;
mod wire;

pub use life::worker_process;
pub use process::WorkerOptions;

use crate::results::{Answer, deadline};
use crate::{CheckedQuery, Limits, QueryError, SparqlEndpoint, StoreError, offload};
use async_trait::async_trait;
use process::{Reaper, Worker, WorkerProcess};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::net::UnixStream;
use tokio::sync::Semaphore;
use tokio::time::timeout_at;
use wire::{WorkerReply, WorkerRequest};

/// Workers per core, so that slow queries leave room for others; the operating system schedules them.
const WORKERS_PER_CORE: usize = 2;

/// A stored graph with a limited number of worker processes that evaluate queries.
pub struct WorkerStore {
    options: Arc<WorkerOptions>,
    reaper: Reaper,
    permits: Semaphore,
    idle: Mutex<Vec<Worker>>,
}

impl WorkerStore {
    /// Starts the first worker, to find out whether the graph can be opened.
    ///
    /// # Errors
    /// [`StoreError::Process`] if no process can be started, and [`StoreError::Refused`] with the worker's message if it cannot
    /// open the graph because it is missing or damaged.
    pub fn open(options: WorkerOptions) -> Result<Self, StoreError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let no_thread = |error: io::Error| StoreError::Process {
            action: "starting a thread for it",
            reason: error.to_string(),
        };
        let reaper = Reaper::start().map_err(no_thread)?;
        let first = Worker::start(&options, &reaper)?;
        let permits = Semaphore::new(cores * WORKERS_PER_CORE);
        let idle = Mutex::new(vec![first]);
        Ok(Self { options: Arc::new(options), reaper, permits, idle })
    }

    /// Sets how many queries may run at once; the default is two per core.
    #[must_use]
    pub fn with_concurrency(self, queries: usize) -> Self {
        Self { permits: Semaphore::new(queries.max(1)), ..self }
    }

    /// An idle worker, or a new one.
    async fn worker(&self) -> Result<Busy, QueryError> {
        while let Some(worker) = self.pop_idle() {
            if worker.is_alive() {
                return Busy::new(worker).map_err(|error| no_worker(&error));
            }
        }
        let (options, reaper) = (Arc::clone(&self.options), self.reaper.clone());
        let started = tokio::task::spawn_blocking(move || Worker::start(&options, &reaper)).await;
        let worker = started.map_err(|error| no_worker(&error))?.map_err(|error| no_worker(&error))?;
        Busy::new(worker).map_err(|error| no_worker(&error))
    }

    fn pop_idle(&self) -> Option<Worker> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn keep(&self, worker: Busy) {
        // A worker that cannot be reused is dropped, which ends it.
        if let Ok(worker) = worker.idle() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        }
    }

    async fn ask(&self, query: &CheckedQuery, limits: Limits, start: Instant) -> Result<Answer, QueryError> {
        let mut worker = self.worker().await?;
        let request = WorkerRequest::new(query.text(), limits);
        let exchanged = exchange(&mut worker.socket, &request).await;
        let WorkerReply { outcome, spent } = exchanged.map_err(|_| self.broken_off())?;
        if !spent {
            self.keep(worker);
        }
        let (results, incomplete) = outcome?;
        Ok(Answer { results: results.into(), incomplete, elapsed: start.elapsed() })
    }

    /// A worker exits before replying only if the operating system kills it.
    fn broken_off(&self) -> QueryError {
        let message = match self.options.max_memory {
            Some(bytes) => format!("it needs more than the {} MB that a query may take", bytes >> 20),
            None => "the process that ran it was ended by the system; it may need too much memory".to_owned(),
        };
        QueryError::TooLarge { message }
    }
}

fn no_worker(error: &impl ToString) -> QueryError {
    QueryError::Unavailable {
        message: format!("no worker can be started for the query: {}", error.to_string()),
    }
}

/// A worker running a query. Dropping it ends the worker.
struct Busy {
    socket: UnixStream,
    process: WorkerProcess,
}

impl Busy {
    fn new(Worker { socket, process }: Worker) -> io::Result<Self> {
        Ok(Self { socket: UnixStream::from_std(socket)?, process })
    }

    fn idle(self) -> io::Result<Worker> {
        Ok(Worker { socket: self.socket.into_std()?, process: self.process })
    }
}

async fn exchange(worker: &mut UnixStream, request: &WorkerRequest<'_>) -> io::Result<WorkerReply> {
    frames::send(worker, &serde_json::to_vec(request)?).await?;
    let reply = frames::receive(worker).await?;
    let decoded = offload(reply.len(), move || serde_json::from_slice(&reply)).await;
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
        // Dropping the future closes the worker's socket, which ends the worker.
        timeout_at(deadline, self.ask(query, limits, start)).await.map_err(timed_out)?
    }

    fn is_own(&self) -> bool {
        true
    }

    fn name(&self) -> &str {
        "embedded store"
    }
}

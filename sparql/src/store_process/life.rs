//! The main loop of a worker process: opens its graph, then evaluates one query at a time until its socket is closed.

use super::frames;
use super::wire::{Greeting, WireResults, WorkerOrder, WorkerReply, WorkerRequest};
use crate::embedded::{EmbeddedStore, STACK};
use crate::{Limits, QueryError, proc_status};
use rustix::process::{Resource, Rlimit};
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

/// A worker that retains more private memory than this after its queries is replaced.
const MAX_KEPT_BYTES: u64 = 256 << 20;

/// Query time between two checks of a worker's memory; a check takes a few milliseconds.
const WORK_BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// Runs this process as a worker: serves requests received on standard input until it is closed.
///
/// # Errors
/// If standard input is not a socket from a program that starts workers.
pub fn worker_process() -> io::Result<()> {
    let mut socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let order: WorkerOrder = serde_json::from_slice(&frames::read(&mut socket)?)?;
    match EmbeddedStore::open(&order.graph) {
        Ok(store) => work(socket, &store, order.max_memory),
        Err(error) => {
            let refused = Greeting::Refused(error.to_string());
            frames::write(&mut socket, &serde_json::to_vec(&refused)?)
        }
    }
}

/// Runs until the socket is closed, even during an evaluation: the main thread waits on the socket while another thread
/// evaluates.
fn work(socket: UnixStream, store: &EmbeddedStore, max_memory: Option<u64>) -> ! {
    confine(max_memory);
    let outcome = std::thread::scope(|scope| -> io::Result<()> {
        let replies = socket.try_clone()?;
        let (sender, requests) = channel::<Vec<u8>>();
        let evaluator = std::thread::Builder::new().name("sparql".to_owned()).stack_size(STACK);
        evaluator.spawn_scoped(scope, move || {
            let mut evaluator = Evaluator { store, replies, work: Duration::ZERO };
            // An error means that the reply is no longer needed.
            while requests.recv().is_ok_and(|request| evaluator.answer(&request).is_ok()) {}
            end();
        })?;
        take_requests(socket, &sender)
    });
    drop(outcome);
    end()
}

/// Sends the greeting, then forwards requests; exits the process at the end of the stream.
fn take_requests(mut socket: UnixStream, requests: &Sender<Vec<u8>>) -> io::Result<()> {
    frames::write(&mut socket, &serde_json::to_vec(&Greeting::Ready)?)?;
    loop {
        let Ok(request) = frames::read(&mut socket) else { end() };
        if requests.send(request).is_err() {
            end();
        }
    }
}

/// Exits without the normal clean-up, which would wait for the evaluation.
fn end() -> ! {
    // SAFETY: takes no memory and always ends the process.
    unsafe { libc::_exit(0) }
}

/// Sets resource limits enforced by the operating system. Unsupported ones are skipped: a worker without limits is
/// still killed at its deadline.
fn confine(max_memory: Option<u64>) {
    if let (Some(max), Some(now)) = (max_memory, proc_status::size("/proc/self/status", "VmData:")) {
        let limit = Some(now.saturating_add(max).saturating_add(STACK as u64));
        let _set = rustix::process::setrlimit(Resource::Data, Rlimit { current: limit, maximum: limit });
    }
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    // A worker over its limit aborts: no core file and no message on stderr are wanted.
    let _set = rustix::process::setrlimit(Resource::Core, none);
    if let Ok(null) = fs::OpenOptions::new().write(true).open("/dev/null") {
        let _redirected = rustix::stdio::dup2_stderr(null);
    }
    // When memory is short, workers are killed first: a query is lost, not the service.
    let _written = fs::write("/proc/self/oom_score_adj", "800");
}

struct Evaluator<'a> {
    store: &'a EmbeddedStore,
    replies: UnixStream,
    /// Query time since the last memory check.
    work: Duration,
}

impl Evaluator<'_> {
    fn answer(&mut self, request: &[u8]) -> io::Result<()> {
        let start = Instant::now();
        let request: WorkerRequest<'_> = serde_json::from_slice(request)?;
        let limits =
            Limits { timeout: Duration::MAX, max_rows: request.max_rows, max_bytes: request.max_bytes };
        let evaluate = std::panic::AssertUnwindSafe(|| self.store.evaluate_text(&request.query, limits));
        let outcome = std::panic::catch_unwind(evaluate).unwrap_or_else(|_| {
            Err(QueryError::Rejected { message: "the store failed while it evaluated the query".to_owned() })
        });
        let outcome = outcome.map(|(results, incomplete)| (WireResults::from(results), incomplete));
        self.work += start.elapsed();
        let reply = WorkerReply { outcome, spent: self.is_spent() };
        frames::write(&mut self.replies, &serde_json::to_vec(&reply)?)
    }

    fn is_spent(&mut self) -> bool {
        if self.work < WORK_BETWEEN_LOOKS {
            return false;
        }
        self.work = Duration::ZERO;
        let own = proc_status::size("/proc/self/smaps_rollup", "Private_Dirty:");
        own.is_some_and(|bytes| bytes > MAX_KEPT_BYTES)
    }
}

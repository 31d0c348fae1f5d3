//! The life of a worker process: opens its graph, then evaluates one query at a time until its socket is closed.

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

/// A worker that has more memory of its own than this, left over from its queries, is replaced by a new one.
const MAX_KEPT_BYTES: u64 = 256 << 20;

/// Work between two checks of a worker's memory; a check takes some milliseconds itself.
const WORK_BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// Does what the program that started this process as a worker asks for on standard input, until that is closed.
///
/// # Errors
/// When standard input is not the socket of such a program.
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

/// It ends when its socket is closed, also in the middle of an evaluation: the main thread
/// waits for the socket while another one evaluates.
fn work(socket: UnixStream, store: &EmbeddedStore, max_memory: Option<u64>) -> ! {
    confine(max_memory);
    let outcome = std::thread::scope(|scope| -> io::Result<()> {
        let replies = socket.try_clone()?;
        let (sender, requests) = channel::<Vec<u8>>();
        let evaluator = std::thread::Builder::new().name("sparql".to_owned()).stack_size(STACK);
        evaluator.spawn_scoped(scope, move || {
            let mut evaluator = Evaluator { store, replies, work: Duration::ZERO };
            // An error means that the service no longer needs the reply.
            while requests.recv().is_ok_and(|request| evaluator.answer(&request).is_ok()) {}
            end();
        })?;
        take_requests(socket, &sender)
    });
    drop(outcome);
    end()
}

/// Greets, then passes requests on; at the end of the stream the worker ends at once.
fn take_requests(mut socket: UnixStream, requests: &Sender<Vec<u8>>) -> io::Result<()> {
    frames::write(&mut socket, &serde_json::to_vec(&Greeting::Ready)?)?;
    loop {
        let Ok(request) = frames::read(&mut socket) else { end() };
        if requests.send(request).is_err() {
            end();
        }
    }
}

/// Ends the process without the clean-up of a normal exit, which would wait for the evaluation.
fn end() -> ! {
    // SAFETY: takes no memory and always ends the process.
    unsafe { libc::_exit(0) }
}

/// Lets the system keep the worker's bounds. What the system does not know is left out: a worker without a limit is
/// still ended at its deadline.
fn confine(max_memory: Option<u64>) {
    if let (Some(max), Some(now)) = (max_memory, proc_status::size("/proc/self/status", "VmData:")) {
        let limit = Some(now.saturating_add(max).saturating_add(STACK as u64));
        let _set = rustix::process::setrlimit(Resource::Data, Rlimit { current: limit, maximum: limit });
    }
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    // A worker over its limit aborts: neither a core file nor a message on stderr is wanted.
    let _set = rustix::process::setrlimit(Resource::Core, none);
    if let Ok(null) = fs::OpenOptions::new().write(true).open("/dev/null") {
        let _redirected = rustix::stdio::dup2_stderr(null);
    }
    // Where memory is short, workers go first: a query is lost, not the service.
    let _written = fs::write("/proc/self/oom_score_adj", "800");
}

struct Evaluator<'a> {
    store: &'a EmbeddedStore,
    replies: UnixStream,
    /// Time spent on queries since the worker last checked its memory.
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

//! The store process itself: loads, then forks a worker for each socket that it is given.
//!
//! It must have one thread when it forks, as a forked process has only the thread that forked, and locks that others
//! held stay locked in it.

use super::frames;
use super::wire::{Report, WireResults, WorkerReply, WorkerRequest};
use crate::embedded::{EmbeddedStore, STACK};
use crate::{Limits, QueryError, StoreLoad, proc_status};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags};
use rustix::process::{Resource, Rlimit, WaitOptions};
use std::fs;
use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

/// A worker that has more memory of its own than this is replaced by a new one. Some of it is left over from its queries;
/// some are pages of the graph, which are copied because reading changes reference counts in them.
const MAX_KEPT_BYTES: u64 = 256 << 20;

/// Work between two checks of a worker's memory; a check takes some milliseconds itself.
const WORK_BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// Bytes read between two progress reports.
const BYTES_PER_REPORT: u64 = 1 << 20;

/// The store process's end of its control socket.
pub struct StoreHost {
    control: UnixStream,
    unreported: u64,
}

impl StoreHost {
    /// Takes the control socket, which is this process's standard input.
    ///
    /// # Errors
    /// When standard input cannot be taken.
    pub fn from_stdin() -> io::Result<Self> {
        let control = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
        Ok(Self { control, unreported: 0 })
    }

    /// What is to be loaded, in the words of the program that started this process.
    ///
    /// # Errors
    /// When standard input is no such socket.
    pub fn order(&mut self) -> io::Result<Vec<u8>> {
        frames::read(&mut self.control)
    }

    /// Reports the number of further bytes read.
    ///
    /// # Errors
    /// When the program that started this process has ended.
    pub fn read(&mut self, bytes: u64) -> io::Result<()> {
        self.unreported += bytes;
        if self.unreported < BYTES_PER_REPORT {
            return Ok(());
        }
        let bytes = std::mem::take(&mut self.unreported);
        self.report(&Report::Read(bytes))
    }

    /// Tells why nothing can be loaded.
    ///
    /// # Errors
    /// When the program that started this process has ended.
    pub fn refuse(&mut self, reason: &str) -> io::Result<()> {
        self.report(&Report::Refused(reason.to_owned()))
    }

    fn report(&mut self, report: &Report) -> io::Result<()> {
        frames::write(&mut self.control, &serde_json::to_vec(report)?)
    }

    /// Tells what was loaded, then forks workers until the other end of the control socket is closed.
    ///
    /// # Errors
    /// When the control socket fails.
    pub fn serve(
        mut self,
        store: &EmbeddedStore,
        load: StoreLoad,
        max_memory: Option<u64>,
    ) -> io::Result<()> {
        self.report(&Report::Loaded(load))?;
        while let Some(socket) = receive_socket(&self.control)? {
            // SAFETY: this process has one thread: what loaded the graph has been joined, and nothing else was
            // started. So the child inherits no lock that another thread held.
            if unsafe { libc::fork() } == 0 {
                drop(self);
                work(socket.into(), store, max_memory);
            }
            // If the fork failed, the service sees the socket closed.
            drop(socket);
            while let Ok(Some(_)) = rustix::process::wait(WaitOptions::NOHANG) {}
        }
        Ok(())
    }
}

/// The next socket; `None` when the control socket is closed.
fn receive_socket(control: &UnixStream) -> io::Result<Option<OwnedFd>> {
    loop {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let mut byte = [0];
        let buffers = &mut [IoSliceMut::new(&mut byte)];
        let received = match rustix::net::recvmsg(control, buffers, &mut ancillary, RecvFlags::CMSG_CLOEXEC) {
            Err(rustix::io::Errno::INTR) => continue,
            other => other?,
        };
        if received.bytes == 0 {
            return Ok(None);
        }
        let sockets = ancillary.drain().filter_map(|message| match message {
            RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
            _ => None,
        });
        if let Some(socket) = sockets.flatten().next() {
            return Ok(Some(socket));
        }
    }
}

/// The life of a worker. It ends when its socket is closed, also in the middle of an evaluation: the main thread
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
    frames::write(&mut socket, b"")?;
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

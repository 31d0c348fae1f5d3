//! A worker process, seen from the program that starts it.
//!
//! A worker has only those variables of the environment that are listed here; no key is among them. Test:
//! `tests/workers.rs`.

use super::frames;
use super::wire::{Greeting, WorkerOrder};
use crate::StoreError;
use std::ffi::OsString;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

/// How long a worker may take to open its graph.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a worker has of the environment; keys and passwords are not among it. Where libraries, temporary files and the
/// time zone are, what a library writes when it fails, and how memory is managed.
const ENVIRONMENT: [&str; 14] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "TMPDIR",
    "TZ",
    "LANG",
    "LC_ALL",
    "RUST_BACKTRACE",
    "RUST_LIB_BACKTRACE",
    "GLIBC_TUNABLES",
    "MALLOC_ARENA_MAX",
    "LLVM_PROFILE_FILE",
];

/// How workers are started.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// A program that, with these arguments, calls [`worker_process`](super::worker_process).
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder of the stored graph.
    pub graph: PathBuf,
    /// Bytes of memory that a query may take.
    pub max_memory: Option<u64>,
}

/// A worker that has opened its graph and waits for queries.
pub(super) struct Worker {
    pub(super) socket: UnixStream,
    pub(super) process: WorkerProcess,
}

/// Ends the process when it is dropped.
pub(super) struct WorkerProcess {
    child: Option<Child>,
    reaper: Reaper,
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        if let Some(child) = self.child.take() {
            self.reaper.end(child);
        }
    }
}

/// Ends processes on a thread of its own and waits for their ends, so that nobody else does and none stays as a zombie.
#[derive(Debug, Clone)]
pub(super) struct Reaper(Sender<Child>);

impl Reaper {
    pub(super) fn start() -> io::Result<Self> {
        let (sender, children) = channel();
        let thread = std::thread::Builder::new().name("workers' ends".to_owned());
        thread.spawn(move || children.into_iter().for_each(end))?;
        Ok(Self(sender))
    }

    fn end(&self, child: Child) {
        // The thread lives as long as there is somebody who sends.
        if let Err(unsent) = self.0.send(child) {
            end(unsent.0);
        }
    }
}

fn end(mut child: Child) {
    // It may have ended already.
    let _killed = child.kill();
    let _reaped = child.wait();
}

impl Worker {
    /// Starts a worker and waits until it has opened its graph.
    pub(super) fn start(options: &WorkerOptions, reaper: &Reaper) -> Result<Self, StoreError> {
        let failed =
            |action| move |error: io::Error| StoreError::Process { action, reason: error.to_string() };
        let (mut socket, theirs) = UnixStream::pair().map_err(failed("making its socket"))?;
        let child = spawn(options, theirs).map_err(failed("starting"))?;
        let process = WorkerProcess { child: Some(child), reaper: reaper.clone() };
        socket.set_read_timeout(Some(PATIENCE)).map_err(failed("making its socket"))?;
        let greeting = greet(&mut socket, options).map_err(failed("opening the graph"))?;
        socket.set_nonblocking(true).map_err(failed("making its socket"))?;
        match greeting {
            Greeting::Ready => Ok(Self { socket, process }),
            Greeting::Refused(reason) => Err(StoreError::Refused { reason }),
        }
    }

    /// Whether it still waits for a query: the socket of one that has ended reads as end of file, and that of a live one
    /// would block.
    pub(super) fn is_alive(&self) -> bool {
        let read = (&self.socket).read(&mut [0]);
        read.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }
}

fn spawn(options: &WorkerOptions, socket: UnixStream) -> io::Result<Child> {
    // Ctrl-C goes to this program alone, which lets running questions finish.
    Command::new(&options.program)
        .arg0("eruca")
        .args(&options.arguments)
        .stdin(Stdio::from(OwnedFd::from(socket)))
        .stdout(Stdio::null())
        .env_clear()
        .envs(ENVIRONMENT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))))
        .process_group(0)
        .spawn()
}

fn greet(socket: &mut UnixStream, options: &WorkerOptions) -> io::Result<Greeting> {
    let order = WorkerOrder { graph: options.graph.clone(), max_memory: options.max_memory };
    frames::write(socket, &serde_json::to_vec(&order)?)?;
    Ok(serde_json::from_slice(&frames::read(socket)?)?)
}

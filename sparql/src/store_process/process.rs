//! A worker process, as seen from the program that starts it.
//!
//! A worker inherits only the environment variables listed here, none of which holds a key. Test:
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

/// Maximum time for a worker to open its graph.
const PATIENCE: Duration = Duration::from_secs(20);

/// Environment variables passed to workers; none holds keys or passwords. They locate libraries, temporary files and
/// time zone data, and configure error output and memory allocation.
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

/// Options for starting workers.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// A program that calls [`worker_process`](super::worker_process) when run with these arguments.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder of the stored graph.
    pub graph: PathBuf,
    /// Memory limit of a query, in bytes.
    pub max_memory: Option<u64>,
}

/// A worker that has opened its graph and is waiting for queries.
pub(super) struct Worker {
    pub(super) socket: UnixStream,
    pub(super) process: WorkerProcess,
}

/// Ends the process when dropped.
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

/// Kills processes on a separate thread and waits for them, so that callers do not block and no zombies remain.
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
        // The thread lives as long as there is a sender.
        if let Err(unsent) = self.0.send(child) {
            end(unsent.0);
        }
    }
}

fn end(mut child: Child) {
    // The process may have exited already.
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

    /// Whether the worker is still waiting for a query: the socket of an exited worker returns end of file, that of a live one
    /// would block.
    pub(super) fn is_alive(&self) -> bool {
        let read = (&self.socket).read(&mut [0]);
        read.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }
}

fn spawn(options: &WorkerOptions, socket: UnixStream) -> io::Result<Child> {
    // Ctrl-C must reach only this program, which lets running queries finish.
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

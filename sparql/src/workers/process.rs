//! The store process, seen from the program that starts it: start it, pass sockets to it, restart it when it has ended.

use super::frames;
use super::wire::Report;
use crate::{QueryError, StoreError, StoreLoad};
use rustix::io::Errno;
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags};
use rustix::process::{Pid, WaitOptions, waitpgid};
use std::ffi::OsString;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Pause after a failed start before the next one.
const RESTART_PAUSE: Duration = Duration::from_secs(5);

/// How the store process is started.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// A program that, with these arguments, calls [`StoreHost::from_stdin`](super::StoreHost::from_stdin).
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// What it is to load, in the program's own form.
    pub order: Vec<u8>,
    /// Bytes of memory that a query may take, for messages; the store process has it from its order.
    pub max_memory: Option<u64>,
}

/// A store process, kept running.
pub(super) struct StoreProcess {
    options: WorkerOptions,
    state: Mutex<ProcessState>,
}

enum ProcessState {
    Running(RunningProcess),
    Loading,
    Down { reason: String, since: Instant },
}

/// Ends the process when it is dropped.
struct RunningProcess {
    child: Child,
    control: UnixStream,
}

impl Drop for RunningProcess {
    fn drop(&mut self) {
        // It may have ended already; its workers end with their sockets.
        let _killed = self.child.kill();
        let _reaped = self.child.wait();
        reap_workers(&self.child);
    }
}

/// Workers that outlive their store process become children of process 1. In a container that is this program, which then has
/// to wait for them: else each stays as a zombie.
fn reap_workers(store: &Child) {
    let Some(group) = i32::try_from(store.id()).ok().and_then(Pid::from_raw) else { return };
    // An error says that this program has none of them.
    if waitpgid(group, WaitOptions::NOHANG).is_err() {
        return;
    }
    // A worker may wait for queries as long as this program lives. Without a thread, zombies are left, and nothing else.
    let _thread = std::thread::Builder::new()
        .name("workers' ends".to_owned())
        .spawn(move || while matches!(waitpgid(group, WaitOptions::empty()), Ok(_) | Err(Errno::INTR)) {});
}

impl StoreProcess {
    pub(super) fn start(
        options: WorkerOptions,
        on_read: &mut dyn FnMut(u64),
    ) -> Result<(Self, StoreLoad), StoreError> {
        let (running, load) = launch(&options, on_read)?;
        Ok((Self { options, state: Mutex::new(ProcessState::Running(running)) }, load))
    }

    pub(super) fn id(&self) -> Option<u32> {
        match &*self.state() {
            ProcessState::Running(running) => Some(running.child.id()),
            ProcessState::Loading | ProcessState::Down { .. } => None,
        }
    }

    fn state(&self) -> MutexGuard<'_, ProcessState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The socket of a new worker, which greets when it is there.
    pub(super) fn new_worker(this: &Arc<Self>) -> Result<tokio::net::UnixStream, QueryError> {
        let mut state = this.state();
        match &*state {
            ProcessState::Running(RunningProcess { control, .. }) => match hand_over(control) {
                Ok(stream) => Ok(stream),
                Err(error) => Err(this.restart(&mut state, &error.to_string())),
            },
            ProcessState::Loading => Err(loading("it is not over yet")),
            ProcessState::Down { reason, since } if since.elapsed() > RESTART_PAUSE => {
                let reason = reason.clone();
                Err(this.restart(&mut state, &reason))
            }
            ProcessState::Down { reason, .. } => Err(loading(reason)),
        }
    }

    /// A worker sent no greeting: either the store process has ended, or the system has no more processes.
    pub(super) fn lost(this: &Arc<Self>, error: &io::Error) -> QueryError {
        let mut state = this.state();
        let ended = match &mut *state {
            ProcessState::Running(running) => running.child.try_wait().ok().flatten(),
            ProcessState::Loading | ProcessState::Down { .. } => return loading("it is not over yet"),
        };
        match ended {
            Some(status) => this.restart(&mut state, &status.to_string()),
            None => {
                let message = format!("the store process cannot start a worker for the query: {error}");
                QueryError::Unavailable { message }
            }
        }
    }

    /// Restarts the store process on a thread; until the graph is loaded, queries fail with that reason.
    fn restart(self: &Arc<Self>, state: &mut ProcessState, reason: &str) -> QueryError {
        tracing::error!(reason, "the store process has ended; it is restarted and loads the graph again");
        *state = ProcessState::Loading;
        let this = Arc::clone(self);
        let started = std::thread::Builder::new().name("store restart".to_owned()).spawn(move || {
            let launched = launch(&this.options, &mut |_| {});
            *this.state() = match launched {
                Ok((running, load)) => {
                    tracing::info!(triples = load.triples, "the store process has been restarted");
                    ProcessState::Running(running)
                }
                Err(error) => {
                    tracing::error!(%error, "the store process cannot be restarted");
                    ProcessState::Down { reason: error.to_string(), since: Instant::now() }
                }
            };
        });
        if let Err(error) = started {
            *state = ProcessState::Down { reason: error.to_string(), since: Instant::now() };
        }
        loading(reason)
    }
}

fn loading(detail: &str) -> QueryError {
    let message = format!("the store process has ended and loads the graph again: {detail}");
    QueryError::Unavailable { message }
}

fn launch(
    options: &WorkerOptions,
    on_read: &mut dyn FnMut(u64),
) -> Result<(RunningProcess, StoreLoad), StoreError> {
    let failed = |action| move |error: io::Error| StoreError::Process { action, reason: error.to_string() };
    let (control, theirs) = UnixStream::pair().map_err(failed("making its socket"))?;
    let mut command = Command::new(&options.program);
    command
        .arg0("eruca")
        .args(&options.arguments)
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::null());
    // Ctrl-C goes to this program alone, which lets running questions finish.
    let child = command.process_group(0).spawn().map_err(failed("starting"))?;
    // The command holds the other end of the socket, which would hide that the process has ended.
    drop(command);
    let mut running = RunningProcess { child, control };
    frames::write(&mut running.control, &options.order).map_err(failed("receiving what to load"))?;
    loop {
        let report = frames::read(&mut running.control).map_err(failed("loading the graph"))?;
        match serde_json::from_slice(&report).map_err(io::Error::from).map_err(failed("loading the graph"))? {
            Report::Read(bytes) => on_read(bytes),
            Report::Loaded(load) => return Ok((running, load)),
            Report::Refused(reason) => return Err(StoreError::Refused { reason }),
        }
    }
}

/// Sends one end of a new pair of sockets to the store process and keeps the other.
fn hand_over(control: &UnixStream) -> io::Result<tokio::net::UnixStream> {
    let (ours, theirs) = UnixStream::pair()?;
    let descriptors = [theirs.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    ancillary.push(SendAncillaryMessage::ScmRights(&descriptors));
    rustix::net::sendmsg(control, &[IoSlice::new(&[1])], &mut ancillary, SendFlags::NOSIGNAL)?;
    ours.set_nonblocking(true)?;
    tokio::net::UnixStream::from_std(ours)
}

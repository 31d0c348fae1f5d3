//! The store process, seen from the program that starts it: start it, pass sockets to it, restart it when it has ended.

use super::frames;
use super::wire::Report;
use crate::{QueryError, StoreError, StoreLoad};
use rustix::io::Errno;
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags};
use rustix::process::{Pid, WaitId, WaitIdOptions, WaitOptions, waitid, waitpgid};
use std::ffi::OsString;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Pauses before a process is started again that has not lived long: the first one, doubled each time, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// A process that has lived so long is started again at once.
const LONG_LIFE: Duration = Duration::from_secs(60);

/// What a store process has of the environment; keys and passwords are not among it. Where libraries, temporary files and
/// the time zone are, what a library writes when it fails, and how memory is managed.
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
    /// How many in a row have ended, or could not be started, before they had lived long.
    short_lives: AtomicU32,
}

enum ProcessState {
    Running(RunningProcess),
    /// It is being started again, because of this.
    Loading {
        reason: String,
    },
    /// No thread could be started that starts it again.
    Down {
        reason: String,
        since: Instant,
    },
}

/// Ends the process when it is dropped.
struct RunningProcess {
    child: Child,
    control: UnixStream,
    since: Instant,
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
    ) -> Result<(Arc<Self>, StoreLoad), StoreError> {
        let (running, load) = launch(&options, on_read)?;
        let process = running.child.id();
        let state = Mutex::new(ProcessState::Running(running));
        let this = Arc::new(Self { options, state, short_lives: AtomicU32::new(0) });
        this.watch(process);
        Ok((this, load))
    }

    pub(super) fn id(&self) -> Option<u32> {
        match &*self.state() {
            ProcessState::Running(running) => Some(running.child.id()),
            ProcessState::Loading { .. } | ProcessState::Down { .. } => None,
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
            ProcessState::Loading { reason } => Err(loading(reason)),
            ProcessState::Down { reason, since } if since.elapsed() > LONGEST_PAUSE => {
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
            ProcessState::Loading { reason } | ProcessState::Down { reason, .. } => return loading(reason),
        };
        match ended {
            Some(status) => this.restart(&mut state, &status.to_string()),
            None => {
                let message = format!("the store process cannot start a worker for the query: {error}");
                QueryError::Unavailable { message }
            }
        }
    }

    /// Starts the process again when it ends, whether or not a query comes. Without a thread, the next query finds it out.
    fn watch(self: &Arc<Self>, process: u32) {
        let Some(id) = i32::try_from(process).ok().and_then(Pid::from_raw) else { return };
        let this = Arc::downgrade(self);
        let _thread = std::thread::Builder::new().name("store's end".to_owned()).spawn(move || {
            let ends = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(id), ends), Err(Errno::INTR)) {}
            if let Some(this) = this.upgrade() {
                this.has_ended(process);
            }
        });
    }

    fn has_ended(self: &Arc<Self>, process: u32) {
        let mut state = self.state();
        let ended = match &mut *state {
            ProcessState::Running(running) if running.child.id() == process => running.child.try_wait(),
            // Who noticed it earlier has started another one.
            _ => return,
        };
        if let Ok(Some(status)) = ended {
            let _told = self.restart(&mut state, &status.to_string());
        }
    }

    /// Restarts the store process on a thread; until the graph is loaded, queries fail with that reason.
    fn restart(self: &Arc<Self>, state: &mut ProcessState, reason: &str) -> QueryError {
        tracing::error!(reason, "the store process has ended; it is restarted and loads the graph again");
        if matches!(state, ProcessState::Running(running) if running.since.elapsed() > LONG_LIFE) {
            self.short_lives.store(0, Ordering::Relaxed);
        }
        *state = ProcessState::Loading { reason: reason.to_owned() };
        let this = Arc::downgrade(self);
        let started = std::thread::Builder::new().name("store restart".to_owned()).spawn(move || {
            while let Some(pause) = this.upgrade().map(|this| this.next_pause()) {
                std::thread::sleep(pause);
                if this.upgrade().is_none_or(|this| this.is_launched()) {
                    return;
                }
            }
        });
        if let Err(error) = started {
            *state = ProcessState::Down { reason: error.to_string(), since: Instant::now() };
        }
        loading(reason)
    }

    /// How long to wait before the next start: not at all before the first one.
    fn next_pause(&self) -> Duration {
        match self.short_lives.fetch_add(1, Ordering::Relaxed) {
            0 => Duration::ZERO,
            lives => LONGEST_PAUSE.min(FIRST_PAUSE * (1 << lives.min(10)) / 2),
        }
    }

    fn is_launched(self: &Arc<Self>) -> bool {
        match launch(&self.options, &mut |_| {}) {
            Ok((running, load)) => {
                tracing::info!(triples = load.triples, "the store process has been restarted");
                let process = running.child.id();
                *self.state() = ProcessState::Running(running);
                self.watch(process);
                true
            }
            Err(error) => {
                tracing::error!(%error, "the store process cannot be restarted");
                *self.state() = ProcessState::Loading { reason: error.to_string() };
                false
            }
        }
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
        .stdout(Stdio::null())
        .env_clear()
        .envs(ENVIRONMENT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    // Ctrl-C goes to this program alone, which lets running questions finish.
    let child = command.process_group(0).spawn().map_err(failed("starting"))?;
    // The command holds the other end of the socket, which would hide that the process has ended.
    drop(command);
    let mut running = RunningProcess { child, control, since: Instant::now() };
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

//! Programs that tests start: whatever one does, it is waited for with a bound, killed when it is over, and what it had
//! printed is shown.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Longest that anything is waited for. Far more than a busy machine needs, so that only what never comes fails.
pub const BOUND: Duration = Duration::from_secs(120);

/// Kills a process that is still watched after [`BOUND`].
pub struct Watch {
    /// Nothing is sent; the watch is over when it is dropped.
    _over: mpsc::Sender<()>,
    watcher: JoinHandle<bool>,
}

impl Watch {
    /// Over a process alone.
    pub fn over(child: &Child) -> Self {
        Self::over_target(child.id().to_string())
    }

    /// Over a process and all that it starts; it has to be the first of a group of its own.
    fn over_group(child: &Child) -> Self {
        Self::over_target(format!("-{}", child.id()))
    }

    fn over_target(target: String) -> Self {
        let (over, watched) = mpsc::channel();
        let watcher = std::thread::spawn(move || {
            let late = watched.recv_timeout(BOUND) == Err(RecvTimeoutError::Timeout);
            if late {
                // Fails when it has ended at this very moment.
                let _killed = Command::new("kill").args(["-KILL", "--", &target]).status();
            }
            late
        });
        Self { _over: over, watcher }
    }

    /// Ends the watch; fails when the process had to be killed.
    pub fn ends(self, what: &str) {
        let Self { _over, watcher } = self;
        drop(_over);
        assert!(!watcher.join().unwrap(), "killed, as it had not ended after {BOUND:?}: {what}");
    }
}

/// The open files of a program, of which each connection is one.
#[cfg(target_os = "linux")]
pub fn open_files(program: &Child) -> usize {
    std::fs::read_dir(format!("/proc/{}/fd", program.id())).unwrap().count()
}

/// The memory of a program itself in MB: `VmRSS` for what it has now, `VmHWM` for the most that it has had.
#[cfg(target_os = "linux")]
pub fn memory(program: &Child, field: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", program.id())).unwrap();
    let value = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':')).unwrap();
    value.trim().strip_suffix(" kB").unwrap().trim().parse::<u64>().unwrap() >> 10
}

/// What comes of a program that reads nothing.
pub fn output(command: &mut Command) -> Output {
    command.stdin(Stdio::null());
    collect(command, "")
}

/// What comes of a program that may read this file, and need not.
pub fn output_of_file(command: &mut Command, file: File) -> Output {
    command.stdin(file);
    collect(command, "")
}

/// What comes of a program that reads this.
pub fn output_of(command: &mut Command, input: &str) -> Output {
    command.stdin(Stdio::piped());
    collect(command, input)
}

fn collect(command: &mut Command, input: &str) -> Output {
    command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let watch = Watch::over_group(&child);
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    watch.ends(&format!("{command:?}\n{}\n{}", said(&output.stdout), said(&output.stderr)));
    output
}

/// The program in `folder`, with nothing in its environment. Its file is known to the tests that Cargo builds it for.
pub fn program_in(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env_clear().env("XDG_STATE_HOME", folder.join("state"));
    command
}

/// What it printed.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What it said beside that.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Ends the program when a test fails before doing it.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Fails when it has ended already.
        let _ended = self.0.kill();
        let _waited = self.0.wait();
    }
}

/// Waits for the end of a running program.
pub fn wait(child: &mut Child) -> ExitStatus {
    let watch = Watch::over(child);
    let status = child.wait().unwrap();
    watch.ends("a program that was to end");
    status
}

/// What a running program prints up to a line that is the last one wanted.
pub fn lines_until(child: &mut Child, is_last: impl Fn(&str) -> bool) -> String {
    let watch = Watch::over(child);
    let mut said = String::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        said += &format!("{line}\n");
        if is_last(&line) {
            break;
        }
    }
    watch.ends(&said);
    said
}

/// Whether a program can be started at all.
pub fn is_installed(program: &str, argument: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(argument).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(|mut child| wait(&mut child)).is_ok()
}

/// Waits for what is sure to come.
pub async fn within<T>(what: &str, coming: impl Future<Output = T>) -> T {
    let came = tokio::time::timeout(BOUND, coming).await;
    came.unwrap_or_else(|_| panic!("not after {BOUND:?}: {what}"))
}

/// Says that a test proves nothing here.
pub fn skipped(why: &str) {
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    shows(&format!("SKIPPED {test}: {why}"));
}

/// Prints what is to be seen also when the test passes.
#[expect(clippy::explicit_write, reason = "what `eprintln!` prints is hidden then")]
pub fn shows(text: &str) {
    writeln!(std::io::stderr(), "{text}").unwrap();
}

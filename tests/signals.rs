//! Signals that end a server, and one that does not where its user wants that.
#![cfg(unix)]

use crate::helpers::{CITIES, cities, install_tls};
use crate::programs::{lines_until, wait, within};
#[cfg(target_os = "linux")]
use crate::workers::{children, kill, until, zombies};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server, ended with the test at the latest.
struct Server {
    child: Child,
    url: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

impl Server {
    /// Started by a shell, after `first`.
    fn start(folder: &Path, first: &str) -> Self {
        Self::start_where(folder, first, || Ok(()))
    }

    /// The same in a process in which `also` was called.
    fn start_where(
        folder: &Path,
        first: &str,
        also: impl Fn() -> std::io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        install_tls();
        std::fs::write(folder.join("eruca.toml"), cities()).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{first} exec \"$0\" serve --port 0"), env!("CARGO_BIN_EXE_eruca")]);
        let command = command.current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::null());
        // The tests themselves may have been started so that they outlive their terminal.
        // SAFETY: `signal` may be called between fork and exec, and so may what the callers give.
        unsafe {
            command.pre_exec(move || match libc::signal(libc::SIGHUP, libc::SIG_DFL) {
                libc::SIG_ERR => Err(std::io::Error::last_os_error()),
                _before => also(),
            });
        }
        let mut child = command.spawn().unwrap();
        let said = lines_until(&mut child, |line| line.contains("listens on "));
        let url = said.lines().find_map(|line| Some(line.split_once("listens on ")?.1.to_owned()));
        Self { url: url.unwrap(), child }
    }

    fn send(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    #[cfg(target_os = "linux")]
    async fn query(&self) {
        let url = format!("{}/query", self.url);
        let asked =
            reqwest::Client::new().post(url).json(&serde_json::json!({"dataset": CITIES, "query": "ASK {}"}));
        within("an answer", asked.send()).await.unwrap();
    }

    async fn is_healthy(&self) -> bool {
        let answered = within("an answer", reqwest::get(format!("{}/health", self.url))).await;
        answered.is_ok_and(|response| response.status() == 200)
    }
}

#[tokio::test]
async fn a_server_whose_terminal_is_closed_ends_as_it_does_when_it_is_stopped() {
    for signal in ["-TERM", "-HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let mut server = Server::start(folder.path(), "");
        assert!(server.is_healthy().await, "its handlers stand: it answers");
        server.send(signal);
        assert_eq!(wait(&mut server.child).code(), Some(0), "{signal}");
    }
}

#[tokio::test]
async fn a_server_that_is_to_outlive_its_terminal_does() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), "trap '' HUP;");
    assert!(server.is_healthy().await);
    server.send("-HUP");
    assert!(server.is_healthy().await, "as with nohup");
    server.send("-TERM");
    assert_eq!(wait(&mut server.child).code(), Some(0));
}

/// As process 1 of a container, a server is given the workers when their store process has died.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn workers_that_outlive_their_store_process_leave_no_zombies_in_a_container() {
    let folder = tempfile::tempdir().unwrap();
    // What process 1 is to all processes, this one is to those below it.
    let server = Server::start_where(folder.path(), "", || {
        // SAFETY: takes no memory, and changes this process alone.
        match unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) } {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        }
    });
    let id = server.child.id();
    server.query().await;
    let [store] = children(id)[..] else { panic!("the graph has one store process") };
    let [worker] = children(store)[..] else { panic!("one query needs one worker") };
    kill(store);
    until("the worker is the server's", || children(id).contains(&worker)).await;
    kill(worker);
    until("the worker ends", || !children(id).contains(&worker)).await;
    // Beside neither of them, there is a new store process.
    within("a new store process", async {
        while children(id).is_empty() || !zombies(id).is_empty() {
            server.query().await;
        }
    })
    .await;
}

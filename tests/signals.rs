//! Signals that end a server, and one that does not where its user wants that.
#![cfg(unix)]

use crate::helpers::{cities, install_tls};
use crate::programs::{lines_until, wait, within};
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
        install_tls();
        std::fs::write(folder.join("eruca.toml"), cities()).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{first} exec \"$0\" serve --port 0"), env!("CARGO_BIN_EXE_eruca")]);
        let command = command.current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::null());
        // The tests themselves may have been started so that they outlive their terminal.
        // SAFETY: `signal` may be called between fork and exec.
        unsafe {
            command.pre_exec(move || match libc::signal(libc::SIGHUP, libc::SIG_DFL) {
                libc::SIG_ERR => Err(std::io::Error::last_os_error()),
                _before => Ok(()),
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

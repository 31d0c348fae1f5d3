//! Signals that end a server, and one that does not where its user wants that.
#![cfg(unix)]

use eruca_testing::helpers::{cities, install_tls};
use eruca_testing::programs::{lines_until, output, wait, within};
use serde_json::Value;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::ptr;

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

/// A terminal that is closed when this is dropped.
struct Terminal {
    _own: OwnedFd,
    programs: OwnedFd,
}

impl Terminal {
    fn open() -> Self {
        let (mut own, mut programs) = (-1, -1);
        let (name, settings, size) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        // SAFETY: both places are valid, and the other arguments may be null.
        assert_eq!(unsafe { libc::openpty(&mut own, &mut programs, name, settings, size) }, 0);
        let [own, programs] = [own, programs].map(|file| {
            // A program that inherits the terminal's own end would keep it open.
            // SAFETY: `openpty` has opened it, and nobody else has it.
            unsafe {
                assert_eq!(libc::fcntl(file, libc::F_SETFD, libc::FD_CLOEXEC), 0);
                OwnedFd::from_raw_fd(file)
            }
        });
        Self { _own: own, programs }
    }
}

impl Server {
    /// Started by a shell, after `first`, without a terminal.
    fn start(folder: &Path, first: &str) -> Self {
        Self::start_at(folder, first, None)
    }

    fn start_at(folder: &Path, first: &str, terminal: Option<&Terminal>) -> Self {
        Self::start_with(folder, first, terminal, &cities())
    }

    fn start_with(folder: &Path, first: &str, terminal: Option<&Terminal>, settings: &str) -> Self {
        install_tls();
        std::fs::write(folder.join("eruca.toml"), settings).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{first} exec \"$0\" serve --port 0"), env!("CARGO_BIN_EXE_eruca")]);
        let command = command.current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::null());
        let terminal = terminal.map(|terminal| terminal.programs.as_raw_fd());
        // The tests themselves may have a terminal, or have been started so that they outlive it.
        // SAFETY: what is called may be called between fork and exec.
        unsafe {
            command.pre_exec(move || {
                let reset = libc::signal(libc::SIGHUP, libc::SIG_DFL) != libc::SIG_ERR;
                let alone = libc::setsid() != -1;
                let controlled = terminal.is_none_or(|file| libc::ioctl(file, libc::TIOCSCTTY, 0) == 0);
                let done = reset && alone && controlled;
                if done { Ok(()) } else { Err(std::io::Error::last_os_error()) }
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

    /// What it answers to a question, as a name.
    async fn capital(&self) -> String {
        let asked = serde_json::json!({"question": "What is the capital of Freedonia?"});
        let answered = reqwest::Client::new().post(format!("{}/ask", self.url)).json(&asked).send();
        let run: Value = within("an answer", answered).await.unwrap().json().await.unwrap();
        run["rows"]["rows"][0][0]["label"].as_str().unwrap_or_default().to_owned()
    }

    async fn is_healthy(&self) -> bool {
        let answered = within("an answer", reqwest::get(format!("{}/health", self.url))).await;
        answered.is_ok_and(|response| response.status() == 200)
    }
}

#[tokio::test]
async fn a_server_whose_terminal_is_closed_ends_as_it_does_when_it_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), "");
    assert!(server.is_healthy().await, "its handlers stand: it answers");
    server.send("-TERM");
    assert_eq!(wait(&mut server.child).code(), Some(0));

    let terminal = Terminal::open();
    let mut server = Server::start_at(folder.path(), "", Some(&terminal));
    assert!(server.is_healthy().await);
    drop(terminal);
    assert_eq!(wait(&mut server.child).code(), Some(0));
}

#[tokio::test]
async fn without_a_terminal_the_same_signal_has_new_indexes_opened() {
    let folder = tempfile::tempdir().unwrap();
    let write = |capital: &str| {
        let graph = format!(
            "@prefix : <http://e.x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
             :f a :Country ; rdfs:label \"Freedonia\" ; :capital :c . :c rdfs:label \"{capital}\" ."
        );
        std::fs::write(folder.path().join("graph.ttl"), graph).unwrap();
    };
    write("Fredville");
    let settings = "[server]\nreload_seconds = 0\n[[datasets]]\nid = \"mine\"\nfiles = [\"graph.ttl\"]\n";
    let mut server = Server::start_with(folder.path(), "", None, settings);
    assert_eq!(server.capital().await, "Fredville");
    write("Newtown");
    let mut index = Command::new(env!("CARGO_BIN_EXE_eruca"));
    assert!(output(index.args(["index", "--dataset", "mine"]).current_dir(folder.path())).status.success());
    assert_eq!(server.capital().await, "Fredville", "nobody has asked for it");
    server.send("-HUP");
    within("the new index", async { while server.capital().await != "Newtown" {} }).await;
    server.send("-TERM");
    assert_eq!(wait(&mut server.child).code(), Some(0));
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

#[tokio::test]
async fn a_person_who_is_asked_keeps_no_server_from_ending() {
    let folder = tempfile::tempdir().unwrap();
    let long = "[agent]\ndeadline_seconds = 600\n[server]\nstop_seconds = 600\n";
    let mut server =
        Server::start_with(folder.path(), "", None, &format!("{long}{}", crate::clarify::lamps()));
    let client = reqwest::Client::new();
    let post = |session: &str, message: Value| {
        let request = client.post(format!("{}/mcp", server.url)).header("mcp-session-id", session);
        request.header("accept", "application/json, text/event-stream").json(&message)
    };
    let hello = serde_json::json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {"elicitation": {}}, "clientInfo": {"name": "test", "version": "1"},
    }});
    let introduced = within("a session", post("none", hello).send()).await.unwrap();
    let session = introduced.headers()["mcp-session-id"].to_str().unwrap();
    let arguments = serde_json::json!({"question": crate::clarify::EITHER, "deadline_seconds": 600});
    let params = serde_json::json!({"name": "text2sparql", "arguments": arguments});
    let call = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let mut response = within("a question", post(session, call).send()).await.unwrap();
    let asked = within("a question", response.chunk()).await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&asked).contains("elicitation/create"), "{asked:?}");
    server.send("-TERM");
    let rest = within("the first answer", response.text()).await.unwrap();
    assert!(rest.contains("notifications/cancelled") && rest.contains("`prefers`"), "{rest}");
    assert_eq!(wait(&mut server.child).code(), Some(0));
}

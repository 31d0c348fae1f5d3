//! The real program beside clients that hold connections and send nothing more: others are served at once, memory stays
//! bounded, and what is held is free again after its time.

use super::eruca;
use eruca_testing::helpers::{TestApp, cities, half_sent, install_tls, with_certificate};
use eruca_testing::programs::{self, Running, lines_until, output, stderr};
use eruca_testing::workers::until;
use reqwest::Client;
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// Longest that others wait beside the hostile clients. Far more than a busy machine needs, and less than the time of a client.
const SOON: Duration = Duration::from_secs(8);
/// The head of a question that will not come, and the first byte of it.
const STALLED: &str = "POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2000\r\n\r\n{";

/// The running program with the cities.
struct Server {
    program: Running,
    address: String,
    scheme: &'static str,
    _folder: TempDir,
}

impl Server {
    /// With these settings of the server, and at most so many open files.
    fn start(settings: &str, files: u32) -> Self {
        install_tls();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("eruca.toml"), format!("[server]\n{settings}\n{}", cities()))
            .unwrap();
        Self::in_folder(folder, files)
    }

    fn in_folder(folder: TempDir, files: u32) -> Self {
        let mut command = with_files(folder.path(), files);
        let mut program = Running(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
        let greeting = lines_until(&mut program.0, |line| line.contains("listens on "));
        let (_, url) = greeting.trim_end().split_once("listens on ").unwrap();
        let (scheme, address) = url.split_once("://").unwrap();
        let scheme = if scheme == "https" { "https" } else { "http" };
        Self { program, address: address.to_owned(), scheme, _folder: folder }
    }

    /// So many connections that have sent this.
    fn hold(&self, count: usize, sent: &[u8]) -> Vec<TcpStream> {
        let open = |_| {
            let mut stream = TcpStream::connect(&self.address).unwrap();
            // Those that have to give way may be closed already.
            let _closed = stream.write_all(sent);
            stream
        };
        (0..count).map(open).collect()
    }

    /// Whether it answers within the time that others have.
    async fn is_healthy(&self) -> bool {
        let client = Client::builder().tls_danger_accept_invalid_certs(true).timeout(SOON).build().unwrap();
        let response = client.get(format!("{}://{}/health", self.scheme, self.address)).send().await;
        response.is_ok_and(|response| response.status() == 200)
    }

    /// Its open files, of which each connection is one.
    fn open_files(&self) -> usize {
        programs::open_files(&self.program.0)
    }

    /// The memory that the service has, in MB.
    fn memory(&self) -> u64 {
        programs::memory(&self.program.0, "VmRSS")
    }
}

/// `eruca serve` by a shell that allows so many open files.
fn with_files(folder: &Path, files: u32) -> Command {
    let mut command = Command::new("sh");
    let serve = format!("ulimit -n {files}; exec \"$0\" serve --port 0");
    command.args(["-c", &serve, env!("CARGO_BIN_EXE_eruca-tested")]).current_dir(folder);
    command.env("XDG_CACHE_HOME", folder.join("cache"));
    command
}

#[tokio::test]
async fn bodies_that_never_come_lock_nobody_out() {
    let server = Server::start("client_seconds = 20", 128);
    let heads = server.hold(150, &STALLED.as_bytes()[..20]);
    assert!(server.is_healthy().await, "beside heads");
    let bodies = server.hold(150, STALLED.as_bytes());
    assert!(server.is_healthy().await, "beside bodies");
    drop((heads, bodies));
    assert!(server.is_healthy().await, "afterwards");
}

#[tokio::test]
async fn bodies_that_stop_are_let_go_with_their_memory() {
    let server = Server::start("client_seconds = 20", 2048);
    let long = 260_000;
    let head = STALLED.replace("2000", &(long + 1).to_string());
    assert!(server.is_healthy().await);
    let (before, files) = (server.memory(), server.open_files());
    let held = server.hold(900, format!("{head}{}", " ".repeat(long - 1)).as_bytes());
    until("most have given way", || server.open_files() < files + held.len() / 2).await;
    assert!(server.is_healthy().await);
    let taken = server.memory() - before;
    assert!(taken < 330, "{taken} MB for {} bodies", held.len());
}

#[tokio::test]
async fn a_body_has_its_own_clock() {
    let app = TestApp::with("[server]\nclient_seconds = 1").await;
    for path in ["/ask", "/v1/chat/completions", "/mcp", "/feedback", "/gerbil", "/link", "/query"] {
        let kind = if path == "/gerbil" { "application/x-www-form-urlencoded" } else { "application/json" };
        let heard = tokio::time::timeout(SOON, half_sent(&app, path, kind)).await.expect(path);
        assert!(heard.starts_with("HTTP/1.1 408") && heard.contains("body_too_slow"), "{path}: {heard}");
    }
}

#[tokio::test]
async fn handshakes_that_never_come_delay_nobody() {
    let folder = tempfile::tempdir().unwrap();
    install_tls();
    with_certificate(folder.path(), "client_seconds = 30\n");
    let server = Server::in_folder(folder, 2048);
    assert!(server.is_healthy().await);
    let held = server.hold(700, b"");
    assert!(server.is_healthy().await, "beside {} handshakes", held.len());
}

#[tokio::test]
async fn responses_that_nobody_reads_are_given_up() {
    let server = Server::start("client_seconds = 1", 1024);
    assert!(server.is_healthy().await);
    let before = server.open_files();
    let held = server.hold(20, "GET /ui/app.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(200).as_bytes());
    until("they are taken", || server.open_files() > before + held.len() / 2).await;
    until("they are given up", || server.open_files() < before + held.len() / 2).await;
    assert!(server.is_healthy().await);
}

#[test]
fn too_few_open_files_are_told_before_anything_is_done() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("eruca.toml"), cities()).unwrap();
    let said = stderr(&output(&mut with_files(folder.path(), 20)));
    assert!(said.contains("only 20 files open at once") && said.contains("ulimit -n 2048"), "{said}");
    assert!(!said.contains("panicked") && said.lines().count() == 1, "{said}");
    assert!(!folder.path().join("index").exists());
    let fewer = output(eruca(folder.path()).arg("--version"));
    assert!(fewer.status.success());
}

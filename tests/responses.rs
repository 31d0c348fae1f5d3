//! The real program beside clients that ask for much and read nothing: memory stays bounded, others are answered, and what is held
//! is free again after its time, or at once when the program is to stop.
#![cfg(target_os = "linux")]

use crate::cli::eruca;
use eruca_testing::helpers::{cities, install_tls};
use eruca_testing::programs::{self, Running, lines_until};
use reqwest::Client;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Clients that read nothing. Each had some 15 MB of its own.
const READERS: usize = 60;
/// What they may cost all together, in MB.
const BOUND_MB: u64 = 400;
/// Longest that others wait beside them.
const SOON: Duration = Duration::from_secs(20);

/// The running program with the cities, and no results that are kept.
struct Server {
    program: Running,
    address: String,
    client: Client,
    _folder: TempDir,
}

impl Server {
    fn start(settings: &str) -> Self {
        install_tls();
        let folder = tempfile::tempdir().unwrap();
        let settings = format!("[server]\n{settings}\n[cache]\nanswers = 0\n{}", cities());
        std::fs::write(folder.path().join("eruca.toml"), settings).unwrap();
        let mut command = eruca(folder.path());
        command.args(["serve", "--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut program = Running(command.spawn().unwrap());
        let greeting = lines_until(&mut program.0, |line| line.contains("listens on "));
        let (_, address) = greeting.trim_end().split_once("listens on http://").unwrap();
        let client = Client::builder().timeout(SOON).pool_max_idle_per_host(0).build().unwrap();
        Self { program, address: address.to_owned(), client, _folder: folder }
    }

    /// A run with ten thousand long rows, which differ from those of another number.
    async fn run(&self, number: usize) -> String {
        let query = format!(
            "SELECT ?a ?b ?c (\"{}{number}\" AS ?x) {{ ?a ?p ?q . ?b ?r ?s . ?c ?t ?u }} LIMIT 10000",
            "x".repeat(800)
        );
        let request = self.client.post(format!("http://{}/query", self.address));
        let run = request.json(&json!({"dataset": "cities", "query": query})).send().await.unwrap();
        assert_eq!(run.status(), 200);
        run.json::<Value>().await.unwrap()["id"].as_str().unwrap().to_owned()
    }

    /// A connection that asks for all rows of a run and has read the status.
    fn reader(&self, run: &str) -> (TcpStream, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(SOON)).unwrap();
        write!(stream, "GET /runs/{run}/rows HTTP/1.1\r\nHost: localhost\r\nAccept: text/csv\r\n\r\n")
            .unwrap();
        let mut head = [0; 12];
        stream.read_exact(&mut head).unwrap();
        (stream, String::from_utf8_lossy(&head).into_owned())
    }

    async fn is_healthy(&self) -> bool {
        let health = self.client.get(format!("http://{}/health", self.address)).send().await;
        health.is_ok_and(|response| response.status() == 200)
    }

    /// The connections that neither it nor its clients have closed. Its open files say less: some of them come and go.
    fn connections(&self) -> usize {
        let (_, port) = self.address.rsplit_once(':').unwrap();
        let local = format!(":{:04X}", port.parse::<u16>().unwrap());
        let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
        let fields = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        // 01 stands for ESTABLISHED.
        table.lines().map(fields).filter(|line| line[1].ends_with(&local) && line[3] == "01").count()
    }

    /// The memory that the service has, in MB.
    fn memory(&self) -> u64 {
        programs::memory(&self.program.0, "VmRSS")
    }
}

#[tokio::test]
async fn rows_that_many_ask_for_and_do_not_read_are_in_memory_once() {
    let mut server = Server::start("client_seconds = 30");
    let run = server.run(0).await;
    let before = server.memory();
    let held: Vec<_> = (0..READERS).map(|_| server.reader(&run)).collect();
    assert!(held.iter().all(|(_, head)| head == "HTTP/1.1 200"), "they share the rows");
    assert!(server.connections() >= READERS);
    assert!(server.is_healthy().await);
    let taken = server.memory().saturating_sub(before);
    assert!(taken < BOUND_MB, "{taken} MB for {READERS} readers");
    let id = server.program.0.id().to_string();
    let asked = Instant::now();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    programs::wait(&mut server.program.0);
    assert!(asked.elapsed() < SOON, "it waited for those who read nothing");
    drop(held);
}

#[tokio::test]
async fn responses_that_are_not_read_are_bounded_together_and_given_up() {
    let server = Server::start("client_seconds = 5");
    let mut runs = Vec::new();
    for number in 0..7 {
        runs.push(server.run(number).await);
    }
    let before = server.memory();
    let (mut held, mut refused) = (Vec::new(), None);
    for run in &runs {
        let (stream, head) = server.reader(run);
        match head.as_str() {
            "HTTP/1.1 200" => held.push(stream),
            _ => refused = refused.or(Some((stream, head))),
        }
    }
    let (mut stream, mut said) = refused.expect("there is a bound");
    while !said.contains("responses_full") {
        let mut more = [0; 2_000];
        let length = stream.read(&mut more).unwrap();
        assert!(length > 0, "{said}");
        said.push_str(&String::from_utf8_lossy(&more[..length]));
    }
    assert!(said.starts_with("HTTP/1.1 503") && said.contains("retry-after: "), "{said}");
    assert!(server.is_healthy().await);
    let taken = server.memory().saturating_sub(before);
    assert!(taken < BOUND_MB, "{taken} MB for {} readers", held.len());
    // The places of those that read nothing are free after their time.
    let start = Instant::now();
    while server.reader(&runs[runs.len() - 1]).1 != "HTTP/1.1 200" {
        assert!(start.elapsed() < 3 * SOON, "they are not given up");
    }
    drop(held);
}

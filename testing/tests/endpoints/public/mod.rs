//! The built program and public services, which it reaches by their names: stand-ins with the manners of the real ones. What
//! its user is told, how often it asks, and when it asks again.

mod qlever;
mod wdqs;

use eruca_testing::helpers::repository;
use eruca_testing::programs::{Running, lines_until, output, program_in, stderr, stdout};
use eruca_testing::public_web::PublicWeb;
use eruca_testing::sparql_server::{Gate, Manners, SparqlServer};
use reqwest::StatusCode;
use serde_json::Value;
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tempfile::TempDir;
use wiremock::{Request, ResponseTemplate};

/// Who is to be written to, in the tests.
const CONTACT: &str = "[outgoing]\ncontact = \"you@example.org\"\n";
/// Countries of the demo graph whose capital has a name there.
const COUNTRIES: [&str; 14] = [
    "Japan", "France", "Germany", "Italy", "Spain", "Portugal", "Austria", "Poland", "Norway", "Sweden",
    "Finland", "Greece", "Ireland", "Hungary",
];

fn question(country: &str) -> String {
    format!("What is the capital of {country}?")
}

/// A request as the service saw it.
#[derive(Debug, Clone)]
struct Seen {
    at: Instant,
    agent: String,
    address: String,
    refused: bool,
}

/// All requests so far.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<Seen>>>);

impl Log {
    /// A gate that writes down each request, after `judge` has said what to answer instead, from those before.
    fn gate(
        &self,
        judge: impl Fn(&Request, &[Seen]) -> Option<ResponseTemplate> + Send + Sync + 'static,
    ) -> Gate {
        let log = self.clone();
        Gate::new(move |request| {
            let mut seen = log.0.lock().unwrap();
            let response = judge(request, &seen);
            seen.push(Seen {
                at: Instant::now(),
                agent: agent(request),
                address: request.url.to_string(),
                refused: response.is_some(),
            });
            response
        })
    }

    fn seen(&self) -> Vec<Seen> {
        self.0.lock().unwrap().clone()
    }

    /// How many requests were answered, and how many refused.
    fn counts(&self) -> (usize, usize) {
        let seen = self.seen();
        let refused = seen.iter().filter(|seen| seen.refused).count();
        (seen.len() - refused, refused)
    }
}

fn agent(request: &Request) -> String {
    let agent = request.headers.get("user-agent").and_then(|agent| agent.to_str().ok());
    agent.unwrap_or_default().to_owned()
}

/// Whether the User-Agent says whom to write to.
fn says_who(request: &Request) -> bool {
    let agent = agent(request);
    agent.contains('@') || agent.contains("://")
}

fn page(status: u16, body: String) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_raw(body, "text/html;charset=utf-8")
}

/// A folder with a configuration, for which public services have stand-ins.
struct Asker {
    folder: TempDir,
    web: PublicWeb,
}

impl Asker {
    /// The demo graph, whose endpoint is a public service with these manners; `more` are further settings.
    async fn of(endpoint: &str, more: &str, gate: Gate) -> (Self, SparqlServer) {
        let file = repository().join("examples/world.ttl");
        let server =
            SparqlServer::start(std::slice::from_ref(&file), Manners { gate, ..Manners::default() }).await;
        let host = endpoint.split('/').nth(2).unwrap();
        let file = Value::from(file.to_str().unwrap());
        let settings =
            format!("[[datasets]]\nid = \"it\"\nfiles = [{file}]\nendpoint = \"{endpoint}\"\n{more}");
        let asker = Self::with(&settings, &[(host, server.address())]);
        let built = output(asker.eruca().arg("index"));
        assert!(built.status.success(), "{}", stderr(&built));
        (asker, server)
    }

    /// These settings, and these hosts.
    fn with(settings: &str, hosts: &[(&str, SocketAddr)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("eruca.toml"), settings).unwrap();
        Self { folder, web: PublicWeb::start(hosts) }
    }

    fn eruca(&self) -> Command {
        let mut command = program_in(env!("CARGO_BIN_EXE_eruca-tested"), self.folder.path());
        self.web.seen_by(&mut command);
        command
    }

    /// All that `eruca ask` prints, and whether it has an answer.
    fn ask(&self, country: &str) -> (bool, String) {
        let mut command = self.eruca();
        let asked = output(command.args(["ask", "--dataset", "it", "--show-results", &question(country)]));
        (asked.status.success(), stdout(&asked) + &stderr(&asked))
    }

    /// The service, which keeps what it knows of a host from one question to the next.
    fn serve(&self) -> Service {
        let mut command = self.eruca();
        command.args(["serve", "--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut program = Running(command.spawn().unwrap());
        let said = lines_until(&mut program.0, |line| line.trim_start().starts_with("try:"));
        let port = said.split("listens on http://127.0.0.1:").nth(1).unwrap();
        let port: String = port.chars().take_while(char::is_ascii_digit).collect();
        Service { _program: program, url: format!("http://127.0.0.1:{port}"), said }
    }
}

struct Service {
    _program: Running,
    url: String,
    /// Before the first question.
    said: String,
}

impl Service {
    /// The status of the answer to a question, and all that it says.
    async fn ask(&self, country: &str) -> (StatusCode, String) {
        let asked = Value::from_iter([("dataset", "it".to_owned()), ("question", question(country))]);
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let asked = client.post(format!("{}/ask", self.url)).json(&asked).send().await.unwrap();
        (asked.status(), asked.text().await.unwrap())
    }
}

//! The real program with a chat model that wants to end it: every question gets its answer, others feel nothing, memory
//! stays bounded, and nothing goes on afterwards.

use super::eruca;
use eruca_testing::helpers::install_tls;
use eruca_testing::programs::{self, Running, lines_until, wait};
use eruca_testing::workers::{children, endless, greedy, until};
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

/// What one query may take, in MB.
const QUERY_MB: u64 = 100;
/// What the service itself may take at most, in MB, whatever its queries do: a debug build with the demo graph takes some
/// 100.
const SERVICE_MB: u64 = 400;
const DEADLINE: Duration = Duration::from_secs(10);
/// Hostile questions asked at once, beside one that is not.
const AT_ONCE: usize = 3;

/// The running program, with a model that runs the query in the question and then states it.
struct Attacked {
    program: Running,
    url: String,
    _model: MockServer,
    _folder: TempDir,
}

impl Attacked {
    async fn start() -> Self {
        install_tls();
        let model = MockServer::start().await;
        let queries = queries();
        Mock::given(method("POST"))
            .respond_with(move |request: &Request| reply(&queries, request))
            .mount(&model)
            .await;
        let folder = tempfile::tempdir().unwrap();
        let settings = format!(
            "[llm]\nbase_url = \"{}/v1\"\nmodel = \"hostile\"\n[agent]\ndeadline_seconds = {}\n\
             [sparql]\ntimeout_seconds = 1\nmax_memory_mb = {QUERY_MB}\n[cache]\nanswers = 0\n",
            model.uri(),
            DEADLINE.as_secs()
        );
        std::fs::write(folder.path().join("eruca.toml"), settings).unwrap();
        let mut command = eruca(folder.path());
        command.args(["serve", "--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut program = Running(command.spawn().unwrap());
        let greeting = lines_until(&mut program.0, |_| true);
        let (_, url) = greeting.trim_end().split_once("listens on ").unwrap();
        Self { program, url: url.to_owned(), _model: model, _folder: folder }
    }

    /// The answer to a question to which the model runs the query of this number.
    async fn ask(&self, number: usize) -> Value {
        let question = format!("Which rivers are there? [{number}]");
        let parameters = [("dataset", "demo"), ("question", question.as_str()), ("trace", "true")];
        let url = url::Url::parse_with_params(&format!("{}/text2sparql", self.url), parameters).unwrap();
        let response = reqwest::get(url).await.unwrap();
        assert_eq!(response.status(), 200, "query {number}");
        response.json().await.unwrap()
    }

    async fn is_ready(&self) -> bool {
        reqwest::get(format!("{}/ready", self.url)).await.unwrap().status() == 200
    }

    /// The most memory that the service itself has had, in MB.
    fn peak(&self) -> u64 {
        programs::memory(&self.program.0, "VmHWM")
    }

    /// Whether any worker computes something.
    fn is_busy(&self) -> bool {
        let stores = children(self.program.0.id());
        stores.into_iter().flat_map(children).any(|worker| states(worker).contains(&'R'))
    }
}

/// The states of a process's threads; R is for those that compute.
fn states(process: u32) -> Vec<char> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let stats = threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("stat")).ok());
    stats.filter_map(|stat| stat.rsplit_once(") ")?.1.chars().next()).collect()
}

/// A harmless query, then the hostile ones.
fn queries() -> Vec<String> {
    let doubling = |times: usize, function: &str| {
        let step = |i: usize| format!("BIND({} AS ?a{})", function.replace('#', &format!("?a{i}")), i + 1);
        let steps: String = (0..times).map(step).collect();
        format!("SELECT (STRLEN(?a{times}) AS ?n) {{ ?s geo:capital ?o BIND(STR(?s) AS ?a0) {steps} }}")
    };
    let strings = [
        doubling(27, "CONCAT(#, #)"),
        doubling(36, "CONCAT(#, #)"),
        doubling(7, "REPLACE(#, 'e', 'eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee')"),
        doubling(20, "ENCODE_FOR_URI(CONCAT(' ', #))"),
    ];
    let harmless = "SELECT ?s { ?s a geo:River }".to_owned();
    std::iter::once(harmless).chain(strings).chain(greedy()).chain(endless()).collect()
}

/// What the model says: it runs the query whose number stands last in the question, and then states it.
fn reply(queries: &[String], request: &Request) -> ResponseTemplate {
    let text = String::from_utf8_lossy(&request.body);
    let number = text.split("rivers are there? [").nth(1).and_then(|rest| rest.split(']').next()).unwrap();
    let name = if text.contains("\"role\":\"tool\"") { "answer" } else { "execute_sparql" };
    let arguments = json!({ "query": queries[number.parse::<usize>().unwrap()] }).to_string();
    let call = json!({"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}});
    let message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
    ResponseTemplate::new(200).set_body_json(json!({ "choices": [{ "message": message }] }))
}

#[tokio::test]
async fn whatever_query_a_model_runs_it_ends_within_its_bounds_and_others_are_answered() {
    let attacked = Attacked::start().await;
    let numbers: Vec<usize> = (1..queries().len()).collect();
    // Most of the time goes by in waiting for limits of time, so several at once are no harder to bear.
    for numbers in numbers.chunks(AT_ONCE) {
        let start = Instant::now();
        let attacks = join_all(numbers.iter().map(|number| attacked.ask(*number)));
        let (attacks, other) = tokio::join!(attacks, attacked.ask(0));
        assert!(attacks.iter().all(|attack| attack["query"].is_string()), "{numbers:?}");
        assert!(other["trace"]["results"]["rows"].as_array().is_some_and(|rows| rows.len() > 5), "{other}");
        // The deadline is kept by a clock; this says that it was kept at all.
        assert!(start.elapsed() < 3 * DEADLINE, "queries {numbers:?}");
        until("what the queries were doing ends", || !attacked.is_busy()).await;
    }
    assert!(attacked.is_ready().await);
    assert!(attacked.peak() < SERVICE_MB, "{} MB", attacked.peak());
}

#[tokio::test]
async fn a_service_that_is_killed_leaves_no_process_behind() {
    let mut attacked = Attacked::start().await;
    attacked.ask(0).await;
    let workers = children(attacked.program.0.id());
    assert!(!workers.is_empty());
    attacked.program.0.kill().unwrap();
    wait(&mut attacked.program.0);
    let is_there = |worker: &u32| std::fs::exists(format!("/proc/{worker}")).unwrap();
    until("its workers end", || !workers.iter().any(is_there)).await;
}

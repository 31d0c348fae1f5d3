//! A real chat model of no use: SmolLM2-135M-Instruct in the server of llama.cpp, as `.ci/clients` installs them. Whatever
//! it says, and whatever happens to its server, each question ends in time with the planner's answer.
//!
//! One server at a time: they share the processors with all else.

use super::{clients, installed};
use eruca::llm::{ChatModel, ChatRequest, Message, OpenAiModel, OpenAiOptions};
use eruca_testing::events::Events;
use eruca_testing::helpers::{CITIES, ClosedPort, QUESTION, TestApp, cities, install_tls, json, repository};
use eruca_testing::programs::{Running, lines_until, output, program_in, stderr, within};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json as value};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, MutexGuard};

/// Questions that the planner answers.
const QUESTIONS: [&str; 3] =
    [QUESTION, "Which cities are located in Germany?", "What is the population of Toulouse?"];
/// Seconds for a question: a busy machine needs a good part of them.
const DEADLINE: u64 = 60;
/// Longer than the deadline of a question, for a machine that is busy.
const LATE: Duration = Duration::from_secs(DEADLINE + 20);
/// Tokens that the model reads: enough for each prompt of these tests; for a short one alone; for none.
const ROOMY: u32 = 4_096;
const NARROW: u32 = 1_024;
const TOO_NARROW: u32 = 512;
const FEW_CALLS: &str = "max_model_calls = 3\n";
const SMALL: &str = "profile = \"small\"\n";

/// How the model is shown the tools.
#[derive(Clone, Copy, PartialEq)]
enum Calls {
    /// Not at all, as its own template does: it writes text.
    Text,
    /// As `calls.jinja` does: the server sends native calls.
    Native,
}

/// The server of the model.
struct Server {
    url: String,
    program: Running,
    _alone: MutexGuard<'static, ()>,
}

impl Server {
    /// On a port, or any that is free for 0; `None`, loudly, where it is not installed.
    async fn start(port: u16, context: u32, calls: Calls) -> Option<Self> {
        static ALONE: Mutex<()> = Mutex::const_new(());
        let python = installed(clients().join("model/bin/python"), ".ci/clients")?;
        let alone = ALONE.lock().await;
        let file = |name: &str| repository().join("testing/tests/outside").join(name);
        let mut command = Command::new(python);
        command.arg(file("model_server.py")).args([port.to_string(), context.to_string()]);
        command.args((calls == Calls::Native).then(|| file("calls.jinja")));
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut program = Running(command.spawn().unwrap());
        let said = lines_until(&mut program.0, |line| line.starts_with("http"));
        let url = said.lines().last().unwrap().to_owned();
        Some(Self { url, program, _alone: alone })
    }

    /// A count of its own since it was started.
    async fn counted(&self, name: &str) -> u64 {
        let text =
            Client::new().get(format!("{}/metrics", self.url)).send().await.unwrap().text().await.unwrap();
        let name = format!("llamacpp:{name} ");
        text.lines().find_map(|line| line.strip_prefix(&name)).unwrap().parse().unwrap()
    }
}

/// The settings of a service that asks the model at this address, with further ones of the agent.
fn settings(url: &str, agent: &str) -> String {
    format!(
        "[llm]\nbase_url = \"{url}/v1\"\nmodel = \"smollm2\"\nmax_completion_tokens = 48\nretries = 0\n\
         [cache]\nanswers = 0\n[agent]\ndeadline_seconds = {DEADLINE}\n{agent}"
    )
}

fn ask(app: &TestApp, question: &str) -> RequestBuilder {
    app.request(Method::POST, "/ask").json(&value!({"dataset": CITIES, "question": question}))
}

/// The run of a question, which ended in time.
async fn asked(app: &TestApp, question: &str) -> Value {
    let started = Instant::now();
    let response = ask(app, question).send().await.unwrap();
    assert!(started.elapsed() < LATE, "{:?}", started.elapsed());
    assert_eq!(response.status(), 200);
    json(response).await
}

async fn asked_as_stream(app: &TestApp, question: &str) -> Value {
    let response = ask(app, question).header("Accept", "text/event-stream").send().await.unwrap();
    let mut events = Events::of(response);
    let events = within("the end of a question", events.rest()).await;
    assert!(events.iter().all(|told| told.kind != "failed" && told.kind != "error"), "{events:?}");
    events.last().filter(|told| told.kind == "done").unwrap().data.clone()
}

/// The text of a completion of `/v1`, whole or in pieces.
async fn chatted(app: &TestApp, question: &str, is_streamed: bool) -> String {
    let messages = [value!({"role": "user", "content": question})];
    let body = value!({"model": CITIES, "messages": messages, "stream": is_streamed});
    let response = app.request(Method::POST, "/v1/chat/completions").json(&body).send().await.unwrap();
    assert_eq!(response.status(), 200);
    if !is_streamed {
        let completion = json(response).await;
        assert!(completion["usage"]["total_tokens"].as_u64().unwrap() > 0, "{completion}");
        return completion["choices"][0]["message"]["content"].as_str().unwrap().to_owned();
    }
    let text = response.text().await.unwrap();
    assert!(text.ends_with("data: [DONE]\n\n"), "{text}");
    let chunks = text.lines().filter_map(|line| line.strip_prefix("data: {"));
    let chunks = chunks.map(|chunk| serde_json::from_str::<Value>(&format!("{{{chunk}")).unwrap());
    chunks
        .map(|chunk| chunk["choices"][0]["delta"]["content"].as_str().unwrap_or_default().to_owned())
        .collect()
}

/// The same answer as without a model, and the model was asked.
fn assert_same(run: &Value, without: &Value) {
    let trace = &run["trace"];
    assert!(trace["model_calls"].as_u64().unwrap() > 0, "{trace}");
    assert_eq!(run["rows"]["rows"], without["rows"]["rows"], "{trace}");
    if trace["answered_by"] == "planner" {
        assert_eq!(run["query"], without["query"]);
        assert!(trace["degraded"].to_string().contains("the planner answers"), "{trace}");
    }
}

/// The calls of tools that the model made in this run.
fn calls(run: &Value) -> usize {
    let steps = run["trace"]["steps"].as_array().unwrap();
    steps.iter().filter_map(|step| step["calls"].as_array()).map(Vec::len).sum()
}

fn notes(run: &Value) -> String {
    let steps = run["trace"]["steps"].as_array().unwrap();
    steps.iter().filter_map(|step| step["note"].as_str()).collect::<Vec<_>>().join("\n")
}

/// Whatever face is asked, with either profile, the answer is that of a service without a model. What the model does with
/// a question is returned for each profile.
async fn asked_everywhere(server: &Server) -> Vec<Value> {
    let without = TestApp::start().await;
    let mut runs = Vec::new();
    for profile in ["small", "full"] {
        let app = TestApp::with(&settings(&server.url, &format!("{FEW_CALLS}profile = \"{profile}\""))).await;
        let plain = asked(&without, QUESTIONS[0]).await;
        let run = asked(&app, QUESTIONS[0]).await;
        assert_same(&run, &plain);
        runs.push(run);
        assert_same(&asked_as_stream(&app, QUESTIONS[1]).await, &asked(&without, QUESTIONS[1]).await);
        for is_streamed in [false, true] {
            let text = chatted(&app, QUESTIONS[2], is_streamed).await;
            assert!(text.contains("500,000") || text.contains("500000"), "{text}");
        }
    }
    runs
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_writes_text() {
    let Some(server) = Server::start(0, ROOMY, Calls::Text).await else { return };
    for run in asked_everywhere(&server).await {
        assert_eq!(calls(&run), 0, "{}", run["trace"]);
    }
    tokens_are_counted_as_the_server_counts_them(&server).await;
    a_stream_has_the_text_of_the_whole(&server).await;
    a_benchmark_comes_to_its_end(&server);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_calls_tools() {
    let Some(server) = Server::start(0, ROOMY, Calls::Native).await else { return };
    for run in asked_everywhere(&server).await {
        assert!(calls(&run) > 0, "{}", run["trace"]);
    }
}

async fn tokens_are_counted_as_the_server_counts_them(server: &Server) {
    const NAMES: [&str; 3] = ["prompt_tokens_total", "prompt_tokens_cached_total", "tokens_predicted_total"];
    let app = TestApp::with(&settings(&server.url, SMALL)).await;
    let mut spent = [0; 3];
    for (place, name) in spent.iter_mut().zip(NAMES) {
        *place = server.counted(name).await;
    }
    let run = asked(&app, QUESTIONS[0]).await;
    for (place, name) in spent.iter_mut().zip(NAMES) {
        *place = server.counted(name).await - *place;
    }
    let [fresh, cached, predicted] = spent;
    // Else the model would also be asked for a sentence, as a stream, of which servers tell no count.
    assert_eq!(run["trace"]["stop_reason"], "model_failed");
    let tokens = &run["trace"]["tokens"];
    let expected =
        value!({"prompt": fresh + cached, "cached": cached, "completion": predicted, "estimated": false});
    assert_eq!(*tokens, expected);
    // The budget is spent by the first call; after it the model may only be asked for a sentence about the rows.
    let app = TestApp::with(&settings(&server.url, &format!("{SMALL}token_budget = 10"))).await;
    let trace = asked(&app, QUESTIONS[0]).await["trace"].clone();
    assert_eq!(trace["stop_reason"], "budget");
    assert!(trace["model_calls"].as_u64().unwrap() <= 2, "{trace}");
}

async fn a_stream_has_the_text_of_the_whole(server: &Server) {
    install_tls();
    let options = OpenAiOptions {
        base_url: format!("{}/v1", server.url),
        model: "smollm2".to_owned(),
        api_key: None,
        temperature: Some(0.0),
        attempt_timeout: LATE,
        retries: 0,
        max_completion_tokens: Some(24),
    };
    let model = OpenAiModel::new(Client::new(), options).unwrap();
    let request = ChatRequest::new(vec![Message::User("Name three rivers.".to_owned())], Vec::new(), LATE);
    let whole = model.complete(&request).await.unwrap();
    let mut pieces = Vec::new();
    let streamed = model.stream(&request, &mut |piece| pieces.push(piece.to_owned())).await.unwrap();
    let text = streamed.text.unwrap();
    assert!(pieces.len() > 1 && pieces.concat().trim() == text, "{pieces:?}");
    assert_eq!((Some(text), streamed.cut), (whole.text, whole.cut));
}

fn a_benchmark_comes_to_its_end(server: &Server) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    write("eruca.toml", format!("{}{}", cities(), settings(&server.url, SMALL)));
    let line = |(id, text): (usize, &&str)| {
        let query =
            "SELECT ?c WHERE { <https://example.org/cities/France> <https://example.org/cities/capital> ?c }";
        format!("{}\n", value!({"id": id.to_string(), "question": text, "lang": "en", "sparql": query}))
    };
    write("questions.jsonl", QUESTIONS.iter().enumerate().map(line).collect());
    let arguments = ["eval", "--questions", "questions.jsonl", "--out", "run"];
    let output = output(program_in(env!("CARGO_BIN_EXE_eruca-tested"), folder.path()).args(arguments));
    assert!(output.status.success(), "{}", stderr(&output));
    let records = records(&folder.path().join("run/results.jsonl"));
    assert_eq!(records.len(), QUESTIONS.len());
    for record in &records {
        assert!(record["trace"]["model_calls"].as_u64().unwrap() > 0, "{record}");
        assert!(record["predicted"]["sparql"].is_string(), "{record}");
    }
    assert_eq!(records.iter().find(|record| record["id"] == "0").unwrap()["scores"]["set_F"], 1.0);
}

fn records(file: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_context_that_is_too_small() {
    let Some(server) = Server::start(0, NARROW, Calls::Native).await else { return };
    let without = asked(&TestApp::start().await, QUESTION).await;
    let run = asked(&TestApp::with(&settings(&server.url, FEW_CALLS)).await, QUESTION).await;
    assert_same(&run, &without);
    assert!(
        notes(&run).contains("longer than the chat model") && notes(&run).contains("begun anew"),
        "{run}"
    );
    drop(server);

    let server = Server::start(0, TOO_NARROW, Calls::Native).await.unwrap();
    let run = asked(&TestApp::with(&settings(&server.url, FEW_CALLS)).await, QUESTION).await;
    assert_eq!((&run["query"], &run["rows"]["rows"]), (&without["query"], &without["rows"]["rows"]));
    assert_eq!(run["trace"]["stop_reason"], "model_failed");
    assert!(run["trace"]["degraded"].to_string().contains("larger context"), "{run}");
    assert_eq!(server.counted("tokens_predicted_total").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_in_the_middle_of_a_question() {
    let Some(mut server) = Server::start(0, ROOMY, Calls::Native).await else { return };
    let app = TestApp::with(&settings(&server.url, SMALL)).await;
    let response = ask(&app, QUESTION).header("Accept", "text/event-stream").send().await.unwrap();
    let mut events = Events::of(response);
    while events.next().await.expect("a step of the model").data["kind"] != "model" {}
    server.program.0.kill().unwrap();
    let run = events.rest().await.pop().unwrap().data;
    assert_same(&run, &asked(&TestApp::start().await, QUESTION).await);
    assert_eq!(run["trace"]["stop_reason"], "model_failed");
    assert!(run["trace"]["degraded"].to_string().contains("cannot be reached"), "{run}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_started_late() {
    if installed(clients().join("model/bin/python"), ".ci/clients").is_none() {
        return;
    }
    let closed = ClosedPort::take();
    let port = closed.number();
    let app = TestApp::with(&settings(&format!("http://127.0.0.1:{port}"), SMALL)).await;
    let run = asked(&app, QUESTION).await;
    assert_eq!(
        (&run["trace"]["model_calls"], &run["trace"]["stop_reason"]),
        (&value!(0), &value!("model_failed"))
    );
    assert!(run["trace"]["degraded"].to_string().contains("cannot be reached"), "{run}");
    drop(closed);
    let _server = Server::start(port, ROOMY, Calls::Text).await.unwrap();
    assert_same(&asked(&app, QUESTION).await, &run);
}

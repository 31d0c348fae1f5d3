//! Chat models behind servers that speak OpenAI's protocol well, carelessly, or not at all.

use crate::cli::eruca;
use eruca_testing::helpers::{CITIES, ClosedPort, QUESTION, TestApp, cities, folder, json};
use eruca_testing::programs::{output, stderr, stdout};
use reqwest::Method;
use serde_json::{Value, json as value};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

const CAPITAL: &str =
    "SELECT ?c WHERE { <https://example.org/cities/France> <https://example.org/cities/capital> ?c }";

/// A server that gives each reply once and the last one for ever.
async fn server(replies: impl IntoIterator<Item = ResponseTemplate>) -> MockServer {
    let server = MockServer::start().await;
    let mut replies = replies.into_iter().peekable();
    while let Some(reply) = replies.next() {
        let mock = Mock::given(method("POST")).and(path("/v1/chat/completions")).respond_with(reply);
        let mock = if replies.peek().is_some() { mock.up_to_n_times(1) } else { mock };
        mock.mount(&server).await;
    }
    server
}

fn message(message: Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(value!({ "choices": [{ "message": message }] }))
}

fn call(name: &str, arguments: Value) -> ResponseTemplate {
    message(value!({"role": "assistant", "content": null, "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}
    ]}))
}

fn answer() -> ResponseTemplate {
    call("answer", value!({ "query": CAPITAL }).to_string().into())
}

/// The trace of the answer given with the model at this address.
async fn trace(base_url: &str, retries: u32) -> (String, Value) {
    let llm = format!("[llm]\nbase_url = \"{base_url}\"\nmodel = \"m\"\nretries = {retries}");
    let app = TestApp::with(&llm).await;
    let params = [("dataset", CITIES), ("question", QUESTION), ("trace", "true")];
    let response = app.text2sparql(&params).await;
    assert_eq!(response.status(), 200, "a query is always returned");
    let body = json(response).await;
    (body["query"].as_str().unwrap().to_owned(), body["trace"].clone())
}

async fn trace_with(replies: impl IntoIterator<Item = ResponseTemplate>) -> Value {
    let server = server(replies).await;
    trace(&format!("{}/v1", server.uri()), 2).await.1
}

fn rows(trace: &Value) -> &Value {
    &trace["results"]["rows"]
}

#[tokio::test]
async fn tokens_that_the_server_does_not_count_are_estimated() {
    let trace = trace_with([answer()]).await;
    assert_eq!((&trace["answered_by"], &trace["stop_reason"]), (&value!("agent"), &value!("answered")));
    assert_eq!(trace["tokens"]["estimated"], true);
    assert!(trace["tokens"]["prompt"].as_u64().unwrap() > 100);
    assert!(rows(&trace).to_string().contains("Paris"), "{trace}");
}

#[tokio::test]
async fn careless_messages_are_understood() {
    let object = value!({ "query": CAPITAL });
    let fence = format!("```sparql\n{CAPITAL}\n```");
    let text_call = value!({"name": "answer", "arguments": object}).to_string();
    let text = |content: String| message(value!({ "content": content }));
    let careless = [
        call("answer", object.clone()),
        message(
            value!({"content": "", "tool_calls": [{"function": {"name": "answer", "arguments": object.to_string()}}]}),
        ),
        message(value!({"content": fence, "tool_calls": []})),
        message(value!({"content": fence, "tool_calls": null})),
        message(value!({ "content": text_call })),
        // In the template of the model, where its server does not read it.
        text(format!("<function=answer><parameter=query>{CAPITAL}</parameter></function>")),
        text(format!(
            r#"<function_calls><invoke name="answer"><parameter name="query">{CAPITAL}</parameter></invoke>"#
        )),
        text(format!("{{'function': {{'name': 'answer', 'arguments': {{'query': '{CAPITAL}'}}}}}}")),
        text(format!(
            "<|channel|>commentary to=functions.answer <|constrain|>json<|message|>{object}<|call|>"
        )),
        text(format!("function<｜tool▁sep｜>answer\n```json\n{object}\n```<｜tool▁call▁end｜>")),
        text(format!("answer(query=\"{CAPITAL}\")")),
        call("answer", value!({ "arguments": object })),
        call("functions.answer", object.clone()),
        call("Answer", object.clone()),
    ];
    for reply in careless {
        let shown = format!("{reply:?}");
        let trace = trace_with([reply]).await;
        assert_eq!(trace["answered_by"], "agent", "{shown}: {trace}");
        assert!(rows(&trace).to_string().contains("Paris"), "{shown}: {trace}");
    }
}

/// Other tools than there are: a hint twice, and then the planner answers.
#[tokio::test]
async fn a_model_that_calls_tools_of_its_own_is_given_up() {
    let own = || call("run_sql", value!({"sql": "select 1"}));
    let trace = trace_with([own(), own(), answer()]).await;
    assert_eq!(trace["answered_by"], "agent", "{trace}");
    let trace = trace_with([own()]).await;
    assert_eq!((&trace["answered_by"], &trace["model_calls"]), (&value!("planner"), &value!(3)), "{trace}");
}

#[tokio::test]
async fn a_server_that_stumbles_is_asked_again() {
    let stumbles = [
        ResponseTemplate::new(503).set_body_string("overloaded"),
        ResponseTemplate::new(429).insert_header("retry-after", "0"),
    ];
    for stumble in stumbles {
        let trace = trace_with([stumble, answer()]).await;
        assert_eq!(trace["answered_by"], "agent", "{trace}");
        assert_eq!(trace["model_calls"], 1, "attempts are not calls");
    }
}

/// The planner has answered, and the trace says why in words that hold this.
fn assert_degraded(trace: &Value, words: &str) {
    assert_eq!((&trace["answered_by"], &trace["stop_reason"]), (&value!("planner"), &value!("model_failed")));
    assert!(trace["degraded"].to_string().contains(words), "{words}: {}", trace["degraded"]);
    assert!(rows(trace).to_string().contains("Paris"), "{trace}");
}

#[tokio::test]
async fn a_server_that_refuses_leaves_the_question_to_the_planner() {
    let refusal = value!({"error": {"message": "invalid key"}});
    let trace = trace_with([ResponseTemplate::new(401).set_body_json(refusal)]).await;
    assert_degraded(&trace, "401");
    assert_degraded(&trace, "invalid key");
}

#[tokio::test]
async fn a_server_that_talks_nonsense_leaves_the_question_to_the_planner() {
    for nonsense in ["<html>It works!</html>", "", "{}", "{\"choices\": []}", "[1, 2]", "null"] {
        let server = server([ResponseTemplate::new(200).set_body_string(nonsense)]).await;
        let (_, trace) = trace(&format!("{}/v1", server.uri()), 0).await;
        assert_degraded(&trace, "model");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_leaves_the_question_to_the_planner() {
    let closed = ClosedPort::take();
    let (query, trace) = trace(&format!("http://127.0.0.1:{}/v1", closed.number()), 0).await;
    assert_degraded(&trace, "base_url");
    assert!(query.contains("capital"), "{query}");
}

/// The trace holds what a person can read, whatever the model has sent.
fn is_short(trace: &Value) -> bool {
    trace["steps"].to_string().len() < 300_000
}

#[tokio::test]
async fn replies_of_any_size_and_shape_leave_the_question_to_the_planner() {
    let search = value!({"function": {"name": "search_entity", "arguments": "{\"query\": \"x\"}"}});
    let says = |text: String| message(value!({ "role": "assistant", "content": text }));
    let deep = format!("{{\"choices\":{}{}}}", "[".repeat(300_000), "]".repeat(300_000));
    for (name, reply) in [
        ("60,000 calls", message(value!({ "tool_calls": vec![search; 60_000] }))),
        ("deep", ResponseTemplate::new(200).set_body_string(deep)),
        ("6 MB of thoughts", says("<think>".repeat(900_000))),
        ("thoughts that end", says("</think>".repeat(100_000))),
        ("fences", says("```sparql\n".repeat(90_000))),
        ("calls that begin", says("{\"name\":".repeat(100_000))),
        ("braces", says("{".repeat(900_000))),
        ("white space", ResponseTemplate::new(200).set_body_bytes(vec![b' '; 20 << 20])),
    ] {
        let trace = trace_with([reply]).await;
        assert_eq!(trace["answered_by"], "planner", "{name}");
        assert!(is_short(&trace), "{name}");
    }
}

#[tokio::test]
async fn of_many_calls_some_are_done_and_the_run_goes_on() {
    let count = |at: usize| {
        let query = format!("SELECT (COUNT(*) AS ?n{at}) WHERE {{ ?s ?p ?o }}");
        value!({"id": format!("c{at}"), "function": {"name": "execute_sparql", "arguments": value!({"query": query}).to_string()}})
    };
    let many = message(value!({ "tool_calls": (0..500).map(count).collect::<Vec<_>>() }));
    let brackets = format!("{{\"query\":{}{}}}", "[".repeat(5_000), "]".repeat(5_000));
    let replies = [many, call("execute_sparql", brackets.into()), answer()];
    let trace = trace_with(replies).await;
    assert_eq!((&trace["answered_by"], &trace["stop_reason"]), (&value!("agent"), &value!("answered")));
    assert!(is_short(&trace));
    let steps = trace["steps"].as_array().unwrap();
    let done = steps.iter().filter(|step| step["kind"] == "tool" && step["name"] == "execute_sparql");
    assert_eq!(done.count(), 16 + 1);
    assert!(trace["steps"].to_string().contains("the model made 500 calls at once; 16 are done"));
}

#[tokio::test]
async fn token_counts_that_cannot_be_are_estimated() {
    let usage = value!({ "prompt_tokens": u64::MAX, "completion_tokens": u64::MAX });
    let body = value!({ "choices": [{ "message": { "content": "x" } }], "usage": usage });
    let trace = trace_with([ResponseTemplate::new(200).set_body_json(body), answer()]).await;
    assert_eq!(trace["answered_by"], "agent");
    assert_eq!(trace["tokens"]["estimated"], true);
    assert!(trace["tokens"]["prompt"].as_u64().unwrap() < 1_000_000);
}

#[tokio::test]
async fn a_server_that_sends_prompts_elsewhere_is_refused_by_name() {
    let stranger = server([answer()]).await;
    let place = format!("{}/v1/chat/completions", stranger.uri());
    let moved = server([ResponseTemplate::new(307).insert_header("location", place)]).await;
    let (_, trace) = trace(&format!("{}/v1", moved.uri()), 2).await;
    assert_eq!(trace["answered_by"], "planner");
    assert!(trace["steps"].to_string().contains(&format!("redirects to another server, {}", stranger.uri())));
    assert!(stranger.received_requests().await.unwrap().is_empty());
}

/// Settings for the model of a server.
fn settings_of(server: &MockServer) -> String {
    format!("[llm]\nbase_url = \"{}/v1\"\nmodel = \"m\"\nretries = 0\n", server.uri())
}

fn lacks() -> ResponseTemplate {
    let arguments = value!({ "query": "", "not_in_graph": "no city has a mayor" });
    call("answer", arguments.to_string().into())
}

#[tokio::test]
async fn what_the_graph_lacks_is_called_no_guess_where_people_read_it() {
    let server = server([lacks()]).await;
    let app = TestApp::with(&settings_of(&server)).await;
    let question = value!({ "dataset": "cities", "question": "Who is the mayor of Paris?" });
    let run = json(app.request(Method::POST, "/ask").json(&question).send().await.unwrap()).await;
    let text = run["answer"]["text"].as_str().unwrap();
    assert_eq!(text, "The graph does not contain the answer: no city has a mayor.", "{run}");
    assert_eq!((&run["confidence"], &run["reading"]), (&Value::Null, &Value::Null), "{run}");
    let chat = value!({ "model": "cities", "messages": [{ "role": "user", "content": "Who is the mayor of Paris?" }] });
    let chat = app.request(Method::POST, "/v1/chat/completions").json(&chat).send().await.unwrap();
    let chat = json(chat).await["choices"][0]["message"]["content"].as_str().unwrap().to_owned();
    assert!(chat.contains("no city has a mayor") && !chat.contains('%'), "{chat}");
    // For programs that look at the headers alone it is no answer.
    let response = app.ask(CITIES, "Who is the mayor of Paris?").await;
    assert_eq!(response.headers()["eruca-confidence"], "guess;p=0.00");
}

#[tokio::test]
async fn a_models_answer_has_its_confidence_in_headers_trace_and_runs() {
    let server = server([answer()]).await;
    let app = TestApp::with(&settings_of(&server)).await;
    let response = app.text2sparql(&[("dataset", CITIES), ("question", QUESTION), ("trace", "true")]).await;
    let confidence = response.headers()["eruca-confidence"].to_str().unwrap().to_owned();
    let trace = json(response).await["trace"].clone();
    assert_eq!(trace["answered_by"], "agent", "{trace}");
    let insight = &trace["insight"];
    assert!(confidence.starts_with(insight["confidence"].as_str().unwrap()), "{confidence}: {insight}");
    assert!(insight["because"].as_array().is_some_and(|because| !because.is_empty()), "{insight}");
    let question = value!({ "dataset": "cities", "question": QUESTION, "answer": false });
    let run = app.request(Method::POST, "/ask").json(&question).send().await.unwrap();
    let run = json(run).await;
    assert_eq!(
        (&run["answered_by"], &run["confidence"]["name"]),
        (&value!("agent"), &insight["confidence"]),
        "{run}"
    );
    assert_eq!((&run["because"], &run["reading"]), (&insight["because"], &insight["reading"]), "{run}");
    assert!(run["words"].as_array().is_some_and(|words| !words.is_empty()), "{run}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_says_once_what_the_graph_lacks() {
    let (server, folder) = (server([lacks()]).await, folder());
    let settings = format!("{}\n{}", cities(), settings_of(&server));
    std::fs::write(folder.path().join("eruca.toml"), settings).unwrap();
    for arguments in [vec![], vec!["--show-results"]] {
        let mut command = eruca(folder.path());
        command.args(["ask", "Who is the mayor of Paris?"]).args(arguments);
        let output = tokio::task::block_in_place(|| output(&mut command));
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let all = format!("{}{}", stdout(&output), stderr(&output));
        let line = "the graph does not contain the answer: no city has a mayor";
        assert_eq!(all.matches(line).count(), 1, "{all}");
        assert!(!all.contains("guess") && !all.contains("may well be wrong"), "{all}");
    }
}

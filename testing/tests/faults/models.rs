//! Faults of models and endpoints in the middle of a question, over real connections: the question is answered with a
//! valid query before its deadline all the same.

use eruca_testing::helpers::{CITIES, QUESTION, TestApp, json};
use serde_json::{Value, json as value};
use std::time::{Duration, Instant};
use wiremock::{Mock, MockServer, ResponseTemplate, matchers};

/// Seconds for a question, enough for a busy machine; where a model hangs they are waited for, so there are fewer.
const DEADLINE: u64 = 30;
const DEADLINE_OF_A_HANG: u64 = 3;
const FOR_EVER: Duration = Duration::from_secs(600);

async fn model(reply: impl wiremock::Respond + 'static) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(matchers::method("POST")).respond_with(reply).mount(&server).await;
    server
}

fn calls(name: &str, arguments: &str) -> ResponseTemplate {
    let call = value!({"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}});
    let message = value!({"role": "assistant", "content": null, "tool_calls": [call]});
    ResponseTemplate::new(200).set_body_json(value!({ "choices": [{ "message": message }] }))
}

/// The trace of the question, which was answered in time with a query that gives the right answer.
async fn answered(server: &MockServer) -> Value {
    answered_within(server, DEADLINE).await
}

async fn answered_within(server: &MockServer, deadline: u64) -> Value {
    let settings = format!(
        "[llm]\nbase_url = \"{}/v1\"\nmodel = \"m\"\nretries = 4\n[agent]\ndeadline_seconds = {deadline}",
        server.uri()
    );
    let app = TestApp::with(&settings).await;
    let started = Instant::now();
    let response = app.text2sparql(&[("dataset", CITIES), ("question", QUESTION), ("trace", "true")]).await;
    // Far less than the server hangs, with room for a machine that is busy.
    assert!(started.elapsed() < Duration::from_secs(deadline + 20), "the deadline is {deadline} s");
    assert_eq!(response.status(), 200);
    let body = json(response).await;
    assert!(body["trace"]["results"]["rows"].to_string().contains("Paris"), "{body}");
    body["trace"].clone()
}

/// The model was of no use, which is told; the planner has answered.
fn assert_planned(trace: &Value, stop: &str) {
    assert_eq!((trace["answered_by"].as_str(), trace["stop_reason"].as_str()), (Some("planner"), Some(stop)));
    assert!(trace["degraded"].to_string().contains("model"), "{}", trace["degraded"]);
}

#[tokio::test]
async fn a_model_that_hangs() {
    let server = model(ResponseTemplate::new(200).set_delay(FOR_EVER)).await;
    assert_planned(&answered_within(&server, DEADLINE_OF_A_HANG).await, "deadline");
}

#[tokio::test]
async fn a_model_that_answers_429_three_times() {
    let server = MockServer::start().await;
    let busy = ResponseTemplate::new(429).insert_header("retry-after", "0");
    Mock::given(matchers::method("POST")).respond_with(busy).up_to_n_times(3).mount(&server).await;
    let query =
        "SELECT ?c WHERE { <https://example.org/cities/France> <https://example.org/cities/capital> ?c }";
    let answer = calls("answer", &value!({"query": query, "form": "things"}).to_string());
    Mock::given(matchers::method("POST")).respond_with(answer).mount(&server).await;
    let trace = answered(&server).await;
    assert_eq!((trace["answered_by"].as_str(), trace["model_calls"].as_u64()), (Some("agent"), Some(1)));
}

#[tokio::test]
async fn a_model_that_answers_429_for_ever() {
    let server = model(ResponseTemplate::new(429).insert_header("retry-after", "0")).await;
    assert_planned(&answered(&server).await, "model_failed");
}

#[tokio::test]
async fn a_model_that_asks_to_wait_longer_than_the_question_may_take() {
    let server = model(ResponseTemplate::new(429).insert_header("retry-after", "3600")).await;
    let trace = answered(&server).await;
    assert_eq!(trace["answered_by"], "planner", "{trace}");
}

#[tokio::test]
async fn a_model_whose_bodies_are_cut_off() {
    let whole = r#"{"choices": [{"message": {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function"}]}}]}"#;
    for length in [1, 20, 60, whole.len() - 1] {
        let server = model(ResponseTemplate::new(200).set_body_string(&whole[..length])).await;
        assert_planned(&answered(&server).await, "model_failed");
    }
}

#[tokio::test]
async fn a_model_whose_arguments_are_cut_off_for_ever() {
    let server = model(calls("execute_sparql", "{\"query\": \"SELECT ?c WHERE { ?c ")).await;
    assert_planned(&answered(&server).await, "budget");
}

#[tokio::test]
async fn a_model_that_calls_unknown_tools_for_ever() {
    let server = model(calls("browse_the_web", "{\"url\": \"http://example.org\"}")).await;
    assert_planned(&answered(&server).await, "model_failed");
}

#[tokio::test]
async fn a_model_that_never_stops_looking() {
    let server = model(calls("search_entity", "{\"query\": \"France\"}")).await;
    assert_planned(&answered(&server).await, "budget");
}

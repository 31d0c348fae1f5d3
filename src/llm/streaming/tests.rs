//! Well-formed and malformed streams of a local HTTP server.

use super::*;
use crate::llm::{ChatModel, Message, OpenAiOptions};
use eruca_sparql::outgoing;
use serde_json::json;
use std::time::Duration;
use wiremock::matchers::{body_partial_json, method};
use wiremock::{Mock, MockServer, ResponseTemplate};

const LONG: Duration = Duration::from_secs(60);

fn model(server: &MockServer) -> OpenAiModel {
    // Another test of the same process may have installed it already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = outgoing::client_builder().no_proxy().build().unwrap();
    let options = OpenAiOptions {
        base_url: server.uri(),
        model: "m".to_owned(),
        api_key: None,
        temperature: None,
        attempt_timeout: LONG,
        retries: 0,
        max_completion_tokens: None,
    };
    OpenAiModel::new(client, options).unwrap()
}

fn stream(body: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(body.to_owned(), "text/event-stream; charset=utf-8")
}

fn whole() -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({"choices": [{"message": {"content": "Whole."}}]}))
}

/// A server with one response to requests for a stream and another to all others.
async fn server(streamed: ResponseTemplate, plain: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    for (stream, reply) in [(true, streamed), (false, plain)] {
        let mock = Mock::given(method("POST")).and(body_partial_json(json!({"stream": stream})));
        mock.respond_with(reply).mount(&server).await;
    }
    server
}

async fn ask(server: &MockServer) -> (Vec<String>, Result<Completion, ModelError>) {
    let request = ChatRequest {
        messages: vec![Message::User("Who?".to_owned())],
        tools: Vec::new(),
        timeout: LONG,
        sampled_anew: false,
    };
    let mut told = Vec::new();
    let mut tell = |text: &str| told.push(text.to_owned());
    let completion = model(server).stream(&request, &mut tell).await;
    (told, completion)
}

const PIECES: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"One \"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"thing.\"}}]}\n\n";

#[tokio::test]
async fn pieces_are_handed_on_as_they_come() {
    let server = server(stream(&format!("{PIECES}data: [DONE]\n\n")), ResponseTemplate::new(500)).await;
    let (told, completion) = ask(&server).await;
    assert_eq!(told.concat(), "One thing.");
    assert_eq!(completion.unwrap().text.as_deref(), Some("One thing."));
}

#[tokio::test]
async fn a_server_that_does_not_stream_still_works() {
    let refusal =
        ResponseTemplate::new(400).set_body_json(json!({"error": {"message": "stream is not supported"}}));
    for streamed in [whole(), refusal, stream("data: nonsense\n\n"), stream("")] {
        let server = server(streamed, whole()).await;
        let (told, completion) = ask(&server).await;
        assert_eq!(told, ["Whole."]);
        assert_eq!(completion.unwrap().text.as_deref(), Some("Whole."));
    }
}

#[tokio::test]
async fn a_stream_that_breaks_after_its_first_piece_is_a_failure() {
    let server = server(stream(PIECES), whole()).await;
    let (told, completion) = ask(&server).await;
    assert_eq!(told.concat(), "One thing.");
    assert!(matches!(completion, Err(ModelError::Malformed(_))), "{completion:?}");
}

//! Retries, refusals and secrets, against a local HTTP server.

mod too_long;

use super::*;
use crate::llm::{Message, ToolCall, ToolSpec, Usage};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::{Arc, Mutex};
use wiremock::matchers::{body_partial_json, header, method, path};
use wiremock::{Mock, MockServer, Respond, ResponseTemplate};

const KEY: &str = "sk-very-secret-0123456789";
const LONG: Duration = Duration::from_secs(60);

fn options(base_url: &str) -> OpenAiOptions {
    OpenAiOptions {
        base_url: base_url.to_owned(),
        model: "m".to_owned(),
        api_key: Some(SecretString::from(KEY)),
        temperature: Some(0.0),
        attempt_timeout: LONG,
        retries: 4,
        max_completion_tokens: Some(64),
    }
}

fn model(options: OpenAiOptions) -> OpenAiModel {
    // Another test of the same process may have installed it already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = outgoing::client_builder().no_proxy().build().unwrap();
    let mut model = OpenAiModel::new(client, options).unwrap();
    model.backoff.first = Duration::from_micros(1);
    model
}

fn at(server: &MockServer) -> OpenAiModel {
    model(options(&server.uri()))
}

fn request() -> ChatRequest {
    ChatRequest {
        messages: vec![Message::User("Who?".to_owned())],
        tools: Vec::new(),
        timeout: LONG,
        sampled_anew: false,
    }
}

fn yes() -> ResponseTemplate {
    let usage = json!({"prompt_tokens": 3, "completion_tokens": 2});
    ResponseTemplate::new(200)
        .set_body_json(json!({"choices": [{"message": {"content": "Yes."}}], "usage": usage}))
}

fn complaint(status: u16, message: &str) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_json(json!({"error": {"message": message}}))
}

/// A server that returns each reply once and repeats the last one forever.
async fn server(replies: impl IntoIterator<Item = ResponseTemplate>) -> MockServer {
    let server = MockServer::start().await;
    let mut replies = replies.into_iter().peekable();
    while let Some(reply) = replies.next() {
        let mock = Mock::given(method("POST")).respond_with(reply);
        let mock = if replies.peek().is_some() { mock.up_to_n_times(1) } else { mock };
        mock.mount(&server).await;
    }
    server
}

async fn bodies(server: &MockServer) -> Vec<Value> {
    let requests = server.received_requests().await.unwrap();
    requests.iter().map(|request| request.body_json().unwrap()).collect()
}

async fn attempts(server: &MockServer) -> usize {
    server.received_requests().await.unwrap().len()
}

#[tokio::test]
async fn a_conversation_goes_out_and_a_call_comes_back() {
    let server = MockServer::start().await;
    let call =
        json!({"id": "c2", "type": "function", "function": {"name": "look", "arguments": "{\"x\": 1}"}});
    let reply = json!({
        "choices": [{"message": {"role": "assistant", "content": "Next.", "tool_calls": [call]}, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 30, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 16}},
    });
    Mock::given(path("/v1/chat/completions"))
        .and(header("authorization", format!("Bearer {KEY}").as_str()))
        .and(header("content-type", "application/json"))
        .respond_with(ResponseTemplate::new(200).set_body_json(reply))
        .mount(&server)
        .await;
    let calls = vec![ToolCall { id: "c1".to_owned(), name: "look".to_owned(), arguments: "{}".to_owned() }];
    let request = ChatRequest {
        messages: vec![
            Message::User("Who?".to_owned()),
            Message::Assistant { text: None, calls },
            Message::Tool { call_id: "c1".to_owned(), content: "nothing".to_owned() },
        ],
        tools: vec![ToolSpec {
            name: "look",
            description: "Looks.",
            parameters: json!({"type": "object"}),
            strict: false,
        }],
        timeout: LONG,
        sampled_anew: false,
    };

    let model = model(options(&format!("{}/v1", server.uri())));
    let done = model.complete(&request).await.unwrap();

    let call = ToolCall { id: "c2".to_owned(), name: "look".to_owned(), arguments: "{\"x\": 1}".to_owned() };
    let usage = Usage { prompt_tokens: 30, cached_tokens: 16, completion_tokens: 5, estimated: false };
    let expected =
        Completion { text: Some("Next.".to_owned()), calls: vec![call], usage, cut: false, attempts: 1 };
    assert_eq!(done, expected);
    let sent = json!({
        "model": "m",
        "messages": [
            {"role": "user", "content": "Who?"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
            ]},
            {"role": "tool", "tool_call_id": "c1", "content": "nothing"},
        ],
        "tools": [{"type": "function", "function": {"name": "look", "description": "Looks.", "parameters": {"type": "object"}}}],
        "tool_choice": "auto",
        "temperature": 0.0,
        "max_completion_tokens": 64,
        "stream": false,
    });
    assert_eq!(bodies(&server).await, [sent]);
    assert_eq!(model.name(), "m");
}

#[test]
fn the_base_url_is_kept_as_given() {
    for (base, expected) in [
        ("http://h", "http://h/chat/completions"),
        ("http://h/", "http://h/chat/completions"),
        ("http://h:1/v1", "http://h:1/v1/chat/completions"),
        ("http://h:1/v1/", "http://h:1/v1/chat/completions"),
        ("https://h/a/b?api-version=2", "https://h/a/b/chat/completions?api-version=2"),
        ("http://u:p@h/v1", "http://h/v1/chat/completions"),
    ] {
        assert_eq!(endpoint(&options(base)).unwrap().as_str(), expected);
    }
}

#[test]
fn an_unusable_address_or_key_is_an_error_at_once() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let refused = |options| OpenAiModel::new(reqwest::Client::new(), options).unwrap_err().to_string();
    for base in ["", "localhost", "localhost:8080/v1", "ftp://h/", "mailto:a@b"] {
        let error = refused(options(base));
        assert!(error.contains("check [llm] base_url"), "{base}: {error}");
    }
    let bad_key = OpenAiOptions { api_key: Some(SecretString::from("sk-a b\nc")), ..options("http://h") };
    let error = refused(bad_key);
    assert!(error.contains("API key") && !error.contains("sk-a"), "{error}");
}

#[tokio::test]
async fn a_key_of_white_space_is_none_and_a_line_break_is_cut_off() {
    let server = server([yes()]).await;
    for key in [" \n", "sk-1\n"] {
        let key = Some(SecretString::from(key));
        model(OpenAiOptions { api_key: key, ..options(&server.uri()) }).complete(&request()).await.unwrap();
    }
    let requests = server.received_requests().await.unwrap();
    assert_eq!(requests[0].headers.get("authorization"), None);
    assert_eq!(requests[1].headers.get("authorization").unwrap(), "Bearer sk-1");
}

#[tokio::test]
async fn rate_limits_are_waited_out() {
    let slow = || complaint(429, "slow down");
    let server = server([slow(), slow().insert_header("retry-after", "0"), slow(), yes()]).await;
    let done = at(&server).complete(&request()).await.unwrap();
    assert_eq!((done.text.as_deref(), done.attempts), (Some("Yes."), 4));
}

#[tokio::test]
async fn a_limit_that_stays_is_reported_with_the_servers_words() {
    let server = server([complaint(429, "slow down")]).await;
    let error = at(&server).complete(&request()).await.unwrap_err();
    let expected = ModelError::RateLimited { url: server.uri(), attempts: 5, reason: "slow down".to_owned() };
    assert_eq!(error, expected);
}

#[tokio::test]
async fn a_wait_that_does_not_fit_is_not_begun() {
    for name in ["retry-after", "retry-after-ms"] {
        let server = server([complaint(429, "slow down").insert_header(name, "100000")]).await;
        let error = at(&server).complete(&request()).await.unwrap_err();
        assert!(matches!(error, ModelError::RateLimited { attempts: 1, .. }), "{error:?}");
    }
}

#[test]
fn pauses_double_and_heed_the_server_and_the_time_left() {
    let mut model = model(options("http://h"));
    model.backoff.first = Duration::from_secs(1);
    let failure = |asked| AttemptFailure::Transient { reason: String::new(), asked };
    let pause =
        |retries, asked, left| model.pause(&failure(asked), &mut Tries { retries, ..Tries::default() }, left);
    for (retries, longest) in [(0, 1), (1, 2), (3, 8)] {
        let longest = Duration::from_secs(longest);
        let found = pause(retries, None, LONG).unwrap();
        assert!(found >= longest / 2 && found <= longest, "{found:?}");
    }
    assert_eq!(pause(0, Some(Duration::from_secs(40)), LONG), Some(Duration::from_secs(40)));
    assert_eq!(pause(0, Some(LONG), LONG), None);
    assert_eq!(pause(4, None, LONG), None);
}

#[tokio::test]
async fn a_server_that_hangs_is_tried_again() {
    let server = server([yes().set_delay(LONG), yes()]).await;
    let hasty = OpenAiOptions { attempt_timeout: Duration::from_millis(300), ..options(&server.uri()) };
    let done = model(hasty).complete(&request()).await.unwrap();
    assert!(done.attempts >= 2, "{done:?}");
}

#[tokio::test]
async fn a_server_that_always_hangs_is_unreachable() {
    let server = server([yes().set_delay(LONG)]).await;
    let hasty =
        OpenAiOptions { attempt_timeout: Duration::from_millis(10), retries: 1, ..options(&server.uri()) };
    let error = model(hasty).complete(&request()).await.unwrap_err().to_string();
    assert!(error.contains("after 2 attempts: no answer within 10.0ms"), "{error}");
}

#[tokio::test]
async fn the_whole_request_ends_at_its_timeout() {
    let server = server([yes().set_delay(LONG)]).await;
    let timeout = Duration::from_millis(50);
    let error = at(&server).complete(&ChatRequest { timeout, ..request() }).await.unwrap_err();
    assert_eq!(error, ModelError::Timeout(timeout));
}

#[tokio::test]
async fn a_refused_connection_is_tried_as_often_as_allowed() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let model = model(OpenAiOptions { retries: 2, ..options(&format!("http://127.0.0.1:{port}/v1/")) });
    let error = model.complete(&request()).await.unwrap_err();
    let ModelError::Unreachable { url, attempts, reason } = &error else { panic!("{error:?}") };
    assert_eq!((url.as_str(), *attempts), (format!("http://127.0.0.1:{port}/v1").as_str(), 3));
    assert!(reason.contains("refused"), "{reason}");
}

#[tokio::test]
async fn server_failures_are_tried_again() {
    for status in [408, 409, 500, 502, 503, 529] {
        let server = server([complaint(status, "oops"), yes()]).await;
        assert_eq!(at(&server).complete(&request()).await.unwrap().attempts, 2, "{status}");
    }
}

#[tokio::test]
async fn refusals_are_final_and_keep_the_servers_words() {
    for status in [400, 401, 403, 404, 422] {
        let server = server([complaint(status, "no\n such thing"), yes()]).await;
        let error = at(&server).complete(&request()).await.unwrap_err();
        assert_eq!(
            error,
            ModelError::Refused { url: server.uri(), status, reason: "no such thing".to_owned() }
        );
        assert_eq!(attempts(&server).await, 1);
    }
}

#[tokio::test]
async fn long_words_are_shortened_and_missing_ones_admitted() {
    let server = server([complaint(400, &"ü".repeat(1000)), ResponseTemplate::new(401)]).await;
    let model = at(&server);
    let ModelError::Refused { reason, .. } = model.complete(&request()).await.unwrap_err() else { panic!() };
    assert_eq!(reason, format!("{}…", "ü".repeat(MAX_REASON_CHARS)));
    let ModelError::Refused { reason, .. } = model.complete(&request()).await.unwrap_err() else { panic!() };
    assert_eq!(reason, "the server gave no reason");
}

#[tokio::test]
async fn a_garbled_reply_is_asked_for_once_more() {
    let half = || ResponseTemplate::new(200).set_body_string("{\"choices\": [{\"mess");
    let recovered = server([half(), yes()]).await;
    assert_eq!(at(&recovered).complete(&request()).await.unwrap().attempts, 2);

    let hopeless = server([half()]).await;
    let error = at(&hopeless).complete(&request()).await.unwrap_err();
    assert!(
        matches!(&error, ModelError::Malformed(reason) if reason.contains("EOF while parsing")),
        "{error}"
    );
    assert_eq!(attempts(&hopeless).await, 2);
}

#[tokio::test]
async fn no_choices_and_endless_replies_are_malformed() {
    let empty = ResponseTemplate::new(200).set_body_json(json!({"choices": []}));
    let endless = ResponseTemplate::new(200).set_body_bytes(vec![b' '; MAX_REPLY_BYTES + 1]);
    for (reply, reason) in [(empty, "no choices"), (endless, "longer than")] {
        let server = server([reply]).await;
        let error = at(&server).complete(&request()).await.unwrap_err();
        assert!(matches!(&error, ModelError::Malformed(found) if found.contains(reason)), "{error}");
    }
}

#[tokio::test]
async fn an_error_sent_as_a_success_is_a_failure() {
    let disguised = |error: Value| ResponseTemplate::new(200).set_body_json(json!({ "error": error }));
    let overloaded = server([disguised(json!({"message": "overloaded"})), yes()]).await;
    assert_eq!(at(&overloaded).complete(&request()).await.unwrap().attempts, 2);

    let refused = server([disguised(json!({"message": "bad key", "code": 401}))]).await;
    let error = at(&refused).complete(&request()).await.unwrap_err();
    assert_eq!(error, ModelError::Refused { url: refused.uri(), status: 401, reason: "bad key".to_owned() });
}

/// A server that rejects a temperature and knows the length limit only by its old name.
struct Old;

impl Respond for Old {
    fn respond(&self, request: &wiremock::Request) -> ResponseTemplate {
        let body: Value = request.body_json().unwrap();
        if body.get("max_completion_tokens").is_some() {
            complaint(400, "Unrecognized request argument: max_completion_tokens")
        } else if body.get("temperature").is_some() {
            complaint(400, "Unsupported value: 'temperature' must be 1")
        } else {
            yes()
        }
    }
}

#[tokio::test]
async fn disliked_parameters_are_changed_and_that_is_remembered() {
    let server = MockServer::start().await;
    Mock::given(method("POST")).respond_with(Old).mount(&server).await;
    let model = model(OpenAiOptions { retries: 0, ..options(&server.uri()) });
    assert_eq!(model.complete(&request()).await.unwrap().attempts, 3);
    assert_eq!(model.complete(&request()).await.unwrap().attempts, 1);
    let last = bodies(&server).await.pop().unwrap();
    let messages = json!([{"role": "user", "content": "Who?"}]);
    assert_eq!(last, json!({"model": "m", "messages": messages, "max_tokens": 64, "stream": false}));
}

#[tokio::test]
async fn a_complaint_that_the_change_does_not_cure_is_final_and_not_remembered() {
    let server = server([complaint(400, "max_tokens is too large: 64")]).await;
    let model = at(&server);
    let error = model.complete(&request()).await.unwrap_err();
    assert!(matches!(error, ModelError::Refused { status: 400, .. }), "{error}");
    assert_eq!(attempts(&server).await, 2);
    assert!(!model.sampling().old_limit_name);
}

#[tokio::test]
async fn a_temperature_that_was_not_sent_cannot_be_left_out() {
    let server = server([complaint(400, "the temperature outside is unknown")]).await;
    let model = model(OpenAiOptions { temperature: None, ..options(&server.uri()) });
    assert!(model.complete(&request()).await.is_err());
    assert_eq!(attempts(&server).await, 1);
}

#[tokio::test]
async fn requests_at_the_same_time_do_not_disturb_each_other() {
    let server = MockServer::start().await;
    Mock::given(body_partial_json(json!({"stream": false}))).respond_with(Old).mount(&server).await;
    let model = at(&server);
    let request = request();
    let all = futures_util::future::join_all((0..8).map(|_| model.complete(&request))).await;
    assert!(all.iter().all(Result::is_ok), "{all:?}");
    assert!(model.sampling().old_limit_name && model.sampling().temperature.is_none());
}

/// A log writer that keeps everything in memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_key_shows_up_nowhere() {
    // While only one dispatcher exists, tracing asks the default one of whichever thread meets an event first, and a
    // test on another thread has none: the event would be disabled for all. A second dispatcher makes it ask every one.
    let _second = tracing::Dispatch::new(tracing_subscriber::registry());
    let log = Log::default();
    let writer = log.clone();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(move || writer.clone());
    let _guard = tracing::subscriber::set_default(subscriber.finish());
    let leaky = format!("{} wrong key {KEY}", "x".repeat(MAX_REASON_CHARS - 20));
    let garbled = ResponseTemplate::new(200).set_body_string(leaky.clone());
    let replies = [complaint(500, &leaky), garbled, complaint(401, &leaky)];
    let server = server(replies).await;
    let base = server.uri().replace("http://", &format!("http://user:{KEY}@"));
    let model = model(options(&format!("{base}/?key={KEY}")));

    let error = model.complete(&request()).await.unwrap_err();

    assert_eq!(attempts(&server).await, 3);
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("attempt failed"), "{log}");
    let shown = format!("{error} {error:?} {model:?} {:?} {log}", options(&base));
    assert!(shown.contains("wrong key [key]"), "{shown}");
    for part in [KEY, "sk-very", "user:"] {
        assert!(!shown.contains(part), "{part} in {shown}");
    }
}

#[tokio::test]
async fn prompts_are_not_logged_above_debug() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(tracing::Level::INFO).with_writer(move || writer.clone());
    let _guard = tracing::subscriber::set_default(subscriber.finish());
    let server = server([complaint(500, "Who?"), yes()]).await;
    at(&server).complete(&request()).await.unwrap();
    assert!(!String::from_utf8_lossy(&log.0.lock().unwrap()).contains("Who?"));
}

#[tokio::test]
async fn a_prompt_goes_to_no_other_server() {
    let stranger = server([yes()]).await;
    for status in [301, 302, 303, 307, 308] {
        let place = format!("{}/v1/chat/completions?key=s3cret", stranger.uri());
        let elsewhere = ResponseTemplate::new(status).insert_header("location", place);
        let server = server([elsewhere]).await;
        let error = at(&server).complete(&request()).await.unwrap_err();
        let ModelError::Refused { status: told, reason, .. } = &error else { panic!("{error:?}") };
        assert_eq!(*told, status);
        assert!(reason.contains(&format!("another server, {},", stranger.uri())), "{reason}");
        assert!(reason.contains("configure its address") && !reason.contains("s3cret"), "{reason}");
        assert_eq!(attempts(&server).await, 1);
    }
    assert_eq!(attempts(&stranger).await, 0);
}

#[tokio::test]
async fn a_prompt_follows_its_own_server() {
    let server = MockServer::start().await;
    let moved = ResponseTemplate::new(308).insert_header("location", "/v2/chat/completions");
    Mock::given(path("/chat/completions")).respond_with(moved).mount(&server).await;
    let key = header("authorization", format!("Bearer {KEY}"));
    Mock::given(method("POST"))
        .and(path("/v2/chat/completions"))
        .and(key)
        .and(body_partial_json(json!({"messages": [{"role": "user", "content": "Who?"}]})))
        .respond_with(yes())
        .mount(&server)
        .await;
    assert_eq!(at(&server).complete(&request()).await.unwrap().text.as_deref(), Some("Yes."));
}

#[tokio::test]
async fn a_compressed_reply_is_bounded_by_what_it_becomes() {
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..64 {
        bomb.write_all(&[b' '; 1 << 20]).unwrap();
    }
    let reply = ResponseTemplate::new(200)
        .insert_header("content-encoding", "gzip")
        .set_body_bytes(bomb.finish().unwrap());
    let server = server([reply]).await;
    let error = at(&server).complete(&request()).await.unwrap_err();
    assert!(error.to_string().contains("longer than 1048576 bytes"), "{error}");
}

#[tokio::test]
async fn a_long_reply_is_read_as_a_short_one() {
    let text = "word ".repeat(20_000);
    let reply =
        ResponseTemplate::new(200).set_body_json(json!({"choices": [{"message": {"content": text}}]}));
    let server = server([reply]).await;
    assert_eq!(at(&server).complete(&request()).await.unwrap().text.as_deref(), Some(text.trim()));
}

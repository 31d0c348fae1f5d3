//! What operators rely on: limits, keys, ids, metrics, the query log, caches.

use eruca_testing::helpers::{CITIES, QUESTION, SilentModel, TestApp, json, query_log};
use eruca_testing::programs::within;
use reqwest::{Method, Response};
use serde_json::{Value, json as value};
use std::path::Path;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use wiremock::{Mock, MockServer, ResponseTemplate, matchers};

/// The value of a metric whose line begins like this.
async fn metric(app: &TestApp, line: &str) -> f64 {
    let response = app.get("/metrics").await;
    assert_eq!(response.status(), 200);
    assert!(response.headers()["content-type"].to_str().unwrap().starts_with("application/openmetrics-text"));
    let text = response.text().await.unwrap();
    assert!(text.ends_with("# EOF\n"), "{text}");
    let found = text.lines().find_map(|known| known.strip_prefix(line));
    found.map_or(0.0, |number| number.trim().parse().unwrap())
}

fn retry_after(response: &Response) -> u64 {
    response.headers()["retry-after"].to_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn with_a_key_only_those_who_have_it_may_ask() {
    let app = TestApp::with("[server]\napi_key = \"open sesame\"").await;
    let ask = |key: Option<&str>| {
        let request = app.question("/text2sparql", &[("dataset", CITIES), ("question", QUESTION)]);
        match key {
            Some(key) => request.header("authorization", key),
            None => request,
        }
    };
    for wrong in [
        None,
        Some("Bearer"),
        Some("Bearer open"),
        Some("Basic open sesame"),
        Some("open sesame"),
        Some("Bearer open sesame!"),
    ] {
        let response = ask(wrong).send().await.unwrap();
        assert_eq!(response.status(), 401, "{wrong:?}");
        assert_eq!(response.headers()["www-authenticate"], "Bearer");
        assert_eq!(json(response).await["code"], "unauthorized");
    }
    for right in ["Bearer open sesame", "bearer open sesame"] {
        assert_eq!(ask(Some(right)).send().await.unwrap().status(), 200, "{right}");
    }
    for (path, status) in
        [("/datasets", 401), ("/metrics", 401), ("/health", 200), ("/ready", 200), ("/openapi.json", 200)]
    {
        assert_eq!(app.get(path).await.status(), status, "{path}");
    }
}

#[tokio::test]
async fn one_client_cannot_take_the_turns_of_the_others() {
    let app = TestApp::with("[server]\nquestions_per_minute = 2\nclient_header = \"X-Forwarded-For\"").await;
    let ask = async |client: &str| {
        let request = app.question("/text2sparql", &[("dataset", CITIES), ("question", QUESTION)]);
        request.header("x-forwarded-for", client).send().await.unwrap()
    };
    for _ in 0..2 {
        assert_eq!(ask("spoofed, 10.0.0.1").await.status(), 200);
    }
    let refused = ask("10.0.0.1").await;
    assert_eq!(refused.status(), 429);
    assert!((1..=60).contains(&retry_after(&refused)), "{}", retry_after(&refused));
    assert_eq!(json(refused).await["code"], "rate_limited");
    assert_eq!(ask("10.0.0.2").await.status(), 200);
}

#[tokio::test]
async fn a_question_waits_for_its_turn_and_one_too_many_does_not() {
    let model = SilentModel::start().await;
    let app = TestApp::with(&format!(
        "[server]\nmax_concurrent_questions = 1\nmax_waiting_questions = 1\n[llm]\nbase_url = \"{}\"\nmodel = \"m\"\nretries = 0",
        model.url
    ))
    .await;
    let ask = || app.question("/text2sparql", &[("dataset", CITIES), ("question", QUESTION)]).send();
    let first = tokio::spawn(ask());
    let connection = model.asked().await;
    let second = tokio::spawn(ask());
    within("a question waits", async { while metric(&app, "eruca_questions_waiting").await < 1.0 {} }).await;
    assert_eq!(metric(&app, "eruca_questions_running").await, 1.0);
    let third = ask().await.unwrap();
    assert_eq!(third.status(), 503);
    assert!(retry_after(&third) > 0);
    // Losing its connection, the model fails, and the planner answers: first the one question, then the other.
    drop((connection, model));
    for waiting in [first, second] {
        assert_eq!(waiting.await.unwrap().unwrap().status(), 200);
    }
    assert_eq!(metric(&app, "eruca_questions_total{dataset=\"\",outcome=\"overloaded\"}").await, 1.0);
}

#[tokio::test]
async fn a_client_that_never_ends_its_request_is_let_go() {
    let app = TestApp::with("[server]\nclient_seconds = 1").await;
    let mut slow = tokio::net::TcpStream::connect(app.url.trim_start_matches("http://")).await.unwrap();
    slow.write_all(b"GET /health HTTP/1.1\r\nHost: x\r\n").await.unwrap();
    let mut heard = String::new();
    slow.read_to_string(&mut heard).await.unwrap();
    assert!(heard.starts_with("HTTP/1.1 408"), "{heard}");
}

#[tokio::test]
async fn every_response_has_an_id_and_says_how_browsers_may_use_it() {
    let app = TestApp::start().await;
    for path in ["/health", "/nowhere", "/text2sparql"] {
        let response = app.get(path).await;
        let headers = response.headers();
        assert_eq!(headers["x-request-id"].len(), 32, "{path}");
        assert_eq!(headers["x-frame-options"], "DENY");
        assert!(headers["content-security-policy"].to_str().unwrap().contains("default-src 'self'"));
    }
    let with_id = async |id: &str| {
        let response = app.request(Method::GET, "/health").header("x-request-id", id).send().await.unwrap();
        response.headers()["x-request-id"].to_str().unwrap().to_owned()
    };
    assert_eq!(with_id("from-the-proxy.7").await, "from-the-proxy.7");
    for odd in ["two words", "{\"json\":1}", &"x".repeat(65)] {
        assert_eq!(with_id(odd).await.len(), 32, "{odd}: not fit for a log");
    }
}

#[tokio::test]
async fn metrics_count_questions_calls_and_tokens() {
    let server = MockServer::start().await;
    let query =
        "SELECT ?c WHERE { <https://example.org/cities/France> <https://example.org/cities/capital> ?c }";
    let call = value!({"id": "c", "type": "function", "function": {"name": "answer", "arguments": value!({"query": query, "form": "things"}).to_string()}});
    let body = value!({
        "choices": [{"message": {"role": "assistant", "content": null, "tool_calls": [call]}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 40}}
    });
    Mock::given(matchers::method("POST"))
        .respond_with(ResponseTemplate::new(200).set_body_json(body))
        .mount(&server)
        .await;
    let llm = format!("[llm]\nbase_url = \"{}/v1\"\nmodel = \"m\"", server.uri());
    let app = TestApp::with(&llm).await;
    for _ in 0..2 {
        assert_eq!(app.ask(CITIES, QUESTION).await.status(), 200);
    }
    assert_eq!(app.ask("nowhere", QUESTION).await.status(), 404);
    let dataset = format!("dataset=\"{CITIES}\"");
    let figures = [
        (format!("eruca_questions_total{{{dataset},outcome=\"agent\"}}"), 2.0),
        ("eruca_questions_total{dataset=\"\",outcome=\"unknown_dataset\"}".to_owned(), 1.0),
        (format!("eruca_question_seconds_count{{{dataset}}}"), 2.0),
        (format!("eruca_model_calls_total{{{dataset}}}"), 1.0),
        ("eruca_tokens_total{kind=\"prompt\"}".to_owned(), 100.0),
        ("eruca_tokens_total{kind=\"cached\"}".to_owned(), 40.0),
        ("eruca_tokens_total{kind=\"completion\"}".to_owned(), 7.0),
        ("eruca_cache_requests_total{cache=\"answers\",outcome=\"hit\"}".to_owned(), 1.0),
        ("eruca_cache_requests_total{cache=\"answers\",outcome=\"miss\"}".to_owned(), 1.0),
        ("eruca_questions_running".to_owned(), 0.0),
    ];
    for (line, expected) in figures {
        assert_eq!(metric(&app, &line).await, expected, "{line}");
    }
    assert!(metric(&app, "eruca_stage_seconds_count{stage=\"tool\"}").await >= 1.0);
    assert_eq!(server.received_requests().await.unwrap().len(), 1, "the second answer was remembered");
}

#[tokio::test]
async fn a_remembered_answer_says_so_and_can_be_switched_off() {
    let asked = async |settings: &str| {
        let app = TestApp::with(settings).await;
        let params = [("dataset", CITIES), ("question", QUESTION), ("trace", "true")];
        app.text2sparql(&params).await;
        json(app.text2sparql(&params).await).await
    };
    let (kept, fresh) = (asked("").await, asked("[cache]\nanswers = 0").await);
    assert_eq!(kept["query"], fresh["query"]);
    assert!(kept["trace"]["steps"].to_string().contains("answered recently"), "{kept}");
    assert!(!fresh["trace"]["steps"].to_string().contains("answered recently"), "{fresh}");
}

#[tokio::test]
async fn failures_are_not_remembered() {
    let server = MockServer::start().await;
    let failure = ResponseTemplate::new(400).set_body_string("no");
    Mock::given(matchers::method("POST")).respond_with(failure).mount(&server).await;
    let app = TestApp::with(&format!("[llm]\nbase_url = \"{}/v1\"\nmodel = \"m\"", server.uri())).await;
    for _ in 0..2 {
        let body =
            json(app.text2sparql(&[("dataset", CITIES), ("question", QUESTION), ("trace", "true")]).await)
                .await;
        assert_eq!(body["trace"]["stop_reason"], "model_failed");
    }
    assert!(server.received_requests().await.unwrap().len() >= 2, "the model was asked again");
}

#[tokio::test]
async fn what_a_remote_endpoint_has_said_is_not_asked_again() {
    let server = MockServer::start().await;
    let yes = value!({"head": {}, "boolean": true});
    let row = value!({"x": {"type": "uri", "value": "https://example.org/cities/Paris"}});
    let rows = value!({"head": {"vars": ["x"]}, "results": {"bindings": [row]}});
    let of_type = |body: &Value| {
        ResponseTemplate::new(200).set_body_raw(body.to_string(), "application/sparql-results+json")
    };
    let is_ask = |request: &wiremock::Request| {
        format!("{}{}", request.url, String::from_utf8_lossy(&request.body)).contains("ASK")
    };
    Mock::given(is_ask).respond_with(of_type(&yes)).mount(&server).await;
    Mock::given(matchers::any()).respond_with(of_type(&rows)).mount(&server).await;
    let file = Value::from(eruca_testing::helpers::data("cities.ttl")).to_string();
    let app = TestApp::with(&format!(
        "[[datasets]]\nid = \"remote\"\nfiles = [{file}]\nendpoint = \"{}/sparql\"\n[cache]\nanswers = 0",
        server.uri()
    ))
    .await;
    let mut asked = Vec::new();
    for _ in 0..2 {
        assert_eq!(app.ask("remote", QUESTION).await.status(), 200);
        asked.push(server.received_requests().await.unwrap().len());
    }
    assert_eq!(asked[1] - asked[0], 1, "only whether the endpoint is there: {asked:?}");
    assert!(metric(&app, "eruca_cache_requests_total{cache=\"results\",outcome=\"hit\"}").await >= 1.0);
}

#[tokio::test]
async fn the_query_log_holds_every_question_and_can_be_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let logs = Value::from(folder.path().join("log").to_str().unwrap());
    let app = TestApp::with(&format!("[log]\nquestions_folder = {logs}")).await;
    app.question("/text2sparql", &[("dataset", "cities"), ("question", QUESTION)])
        .header("x-request-id", "first")
        .send()
        .await
        .unwrap();
    app.ask("nowhere", QUESTION).await;
    let lines: Vec<Value> = log_lines(&folder.path().join("log"));
    assert_eq!((&lines[0]["id"], &lines[0]["question"]), (&value!("first"), &value!(QUESTION)));
    assert_eq!(
        (&lines[0]["kg"], &lines[0]["answered_by"], &lines[0]["rows"]),
        (&value!(CITIES), &value!("planner"), &value!(1))
    );
    assert!(lines[0]["sparql"].as_str().unwrap().contains("capital"));
    assert!(lines[0]["time"].as_str().unwrap().ends_with('Z'), "{}", lines[0]["time"]);
    assert_eq!((&lines[1]["error"], &lines[1]["kg"]), (&value!("unknown_dataset"), &value!("nowhere")));
    assert_eq!(lines.len(), 2);
}

fn log_lines(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(query_log(folder)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

//! Keys: whose they are, what they open, what becomes of wrong ones, and what is told without one.

use eruca_testing::helpers::{CITIES, QUESTION, TestApp, json, query_log};
use reqwest::{Method, Response};
use serde_json::Value;
use wiremock::{Mock, MockServer, ResponseTemplate, matchers};

const SERVER: &str = "[server]\napi_key = \"main\"\noperators = [\"lab\"]\n\
    client_header = \"X-Forwarded-For\"\n[server.api_keys]\nshop = \"of the shop\"\nlab = \"of the lab\"\n";

/// A request of a client with this key.
async fn get(app: &TestApp, client: &str, path: &str, key: &str) -> Response {
    let request = app.request(Method::GET, path).header("x-forwarded-for", client);
    request.bearer_auth(key).send().await.unwrap()
}

fn question() -> String {
    let query = [("dataset", CITIES), ("question", QUESTION)];
    format!(
        "/text2sparql?{}",
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish()
    )
}

#[tokio::test]
async fn a_key_opens_questions_or_everything() {
    let app = TestApp::with(SERVER).await;
    for (key, status) in [("main", 200), ("of the lab", 200), ("of the shop", 403)] {
        let metrics = get(&app, "a", "/metrics", key).await;
        assert_eq!(metrics.status(), status, "{key}");
        if status == 403 {
            assert_eq!(json(metrics).await["code"], "forbidden");
        }
        for path in [question().as_str(), "/datasets"] {
            assert_eq!(get(&app, "a", path, key).await.status(), 200, "{key} {path}");
        }
    }
}

#[tokio::test]
async fn names_of_keys_stand_in_metrics_and_in_the_query_log() {
    let folder = tempfile::tempdir().unwrap();
    let logs = Value::from(folder.path().join("log").to_str().unwrap());
    let app = TestApp::with(&format!("{SERVER}[log]\nquestions_folder = {logs}")).await;
    get(&app, "a", &question(), "of the shop").await;
    get(&app, "a", &question(), "main").await;
    let metrics = get(&app, "a", "/metrics", "main").await.text().await.unwrap();
    for name in ["shop", "api_key"] {
        let line =
            format!("eruca_questions_total{{dataset=\"{CITIES}\",outcome=\"planner\",key=\"{name}\"}} 1");
        assert!(metrics.contains(&line), "{metrics}");
    }
    let file = query_log(&folder.path().join("log"));
    let lines = std::fs::read_to_string(file).unwrap();
    let names: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["key"].clone()).collect();
    assert_eq!(names, ["shop", "api_key"]);
    assert!(!lines.contains("of the shop") && !metrics.contains("of the shop"));
}

#[tokio::test]
async fn wrong_keys_are_slowed_for_their_sender_alone() {
    let app = TestApp::with(SERVER).await;
    assert_eq!(get(&app, "10.0.0.1", "/datasets", "of the shop").await.status(), 200);
    let mut statuses = Vec::new();
    // Every route that looks at keys counts.
    for (number, path) in
        ["/datasets", "/metrics", "/text2sparql", "/ready", "/health"].repeat(6).into_iter().enumerate()
    {
        let response = get(&app, "10.0.0.1", path, &format!("guess {number}")).await;
        if response.status() == 429 {
            let seconds: u64 = response.headers()["retry-after"].to_str().unwrap().parse().unwrap();
            assert!((1..=60).contains(&seconds), "{seconds}");
            assert_eq!(json(response).await["code"], "wrong_keys");
            statuses.push(429);
        } else {
            statuses.push(response.status().as_u16());
        }
    }
    statuses.retain(|status| *status != 200);
    assert!(statuses.starts_with(&[401, 401, 401]) && statuses.ends_with(&[429, 429, 429]), "{statuses:?}");
    assert_eq!(
        get(&app, "10.0.0.1", "/datasets", "main").await.status(),
        429,
        "not even told that it is right"
    );
    assert_eq!(get(&app, "10.0.0.1", "/datasets", "of the shop").await.status(), 200, "was right before");
    assert_eq!(get(&app, "10.0.0.2", "/datasets", "main").await.status(), 200);
    let none = app.request(Method::GET, "/datasets").header("x-forwarded-for", "10.0.0.3");
    for _ in 0..20 {
        let response = none.try_clone().unwrap().send().await.unwrap();
        assert_eq!(response.status(), 401, "no key is no guess");
    }
}

#[tokio::test]
async fn details_are_for_those_who_operate_the_service() {
    let app = TestApp::with(SERVER).await;
    for path in ["/ready", "/health"] {
        let detail = if path == "/ready" { "parts" } else { "degraded" };
        for (key, told) in [("main", true), ("of the lab", true), ("of the shop", false), ("wrong", false)] {
            let response = get(&app, "a", path, key).await;
            assert_eq!(response.status(), 200);
            assert_eq!(json(response).await.get(detail).is_some(), told, "{path} {key}");
        }
    }
    assert_eq!(json(app.ready().await).await, serde_json::json!({"ready": true}));
    assert!(json(app.health().await).await.get("degraded").is_none());
}

#[tokio::test]
async fn ready_does_not_make_the_service_ask_endpoints_for_others() {
    let endpoint = MockServer::start().await;
    let yes = ResponseTemplate::new(200)
        .set_body_raw("{\"head\":{},\"boolean\":true}", "application/sparql-results+json")
        .set_delay(std::time::Duration::from_millis(200));
    Mock::given(matchers::any()).respond_with(yes).mount(&endpoint).await;
    let file = Value::from(eruca_testing::helpers::data("cities.ttl"));
    let app = TestApp::with(&format!(
        "[[datasets]]\nid = \"remote\"\nfiles = [{file}]\nendpoint = \"{}/sparql\"",
        endpoint.uri()
    ))
    .await;
    let asked = async || endpoint.received_requests().await.unwrap().len();
    let (before, begun) = (asked().await, std::time::Instant::now());
    for _ in 0..10 {
        let together = futures_util::future::join_all((0..10).map(|_| app.ready())).await;
        assert!(together.iter().all(|response| response.status() == 200));
    }
    let allowed = 1 + begun.elapsed().as_secs() / 5;
    assert!(
        (1..=allowed).contains(&((asked().await - before) as u64)),
        "{} of {allowed}",
        asked().await - before
    );
}

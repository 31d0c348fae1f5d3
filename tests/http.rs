//! What the service answers when all is well.

use eruca_testing::helpers::{CITIES, CITIES_ALIAS, QUESTION, SilentModel, TestApp, json};
use reqwest::Method;
use reqwest::header::{ACCEPT, ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_LENGTH, CONTENT_TYPE, LOCATION, ORIGIN};
use serde_json::Value;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn an_answer_has_the_three_texts_of_the_challenge_and_nothing_else() {
    let app = TestApp::start().await;
    let response = app.ask(CITIES, QUESTION).await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()[CONTENT_TYPE], "application/json");
    let body = json(response).await;
    assert_eq!(keys(&body), ["dataset", "question", "query"]);
    assert_eq!(body["dataset"], CITIES);
    assert_eq!(body["question"], QUESTION);
    assert!(body["query"].as_str().is_some_and(|query| !query.is_empty()));
}

#[tokio::test]
async fn dataset_and_question_come_back_exactly_as_asked() {
    let app = TestApp::start().await;
    let question = "  Wie heißt die Hauptstadt von \"Frankreich\" & 100% + 猫?\n";
    let body = json(app.ask(CITIES_ALIAS, question).await).await;
    assert_eq!(body["dataset"], CITIES_ALIAS);
    assert_eq!(body["question"], question);
}

#[tokio::test]
async fn the_base_url_answers_questions_too() {
    let app = TestApp::start().await;
    let params = [("dataset", CITIES), ("question", QUESTION)];
    let root = app.root(&params).await;
    assert_eq!(root.status(), 200);
    let slash = app.question("/text2sparql/", &params).send().await.unwrap();
    let expected = json(app.text2sparql(&params).await).await;
    assert_eq!(json(root).await, expected);
    assert_eq!(json(slash).await, expected);
}

#[tokio::test]
async fn the_trace_is_told_when_asked_for() {
    let app = TestApp::start().await;
    let body =
        json(app.text2sparql(&[("dataset", CITIES_ALIAS), ("question", QUESTION), ("trace", "true")]).await)
            .await;
    let trace = &body["trace"];
    assert_eq!(trace["dataset_id"], CITIES);
    assert_eq!(trace["answered_by"], "planner");
    assert_eq!(trace["stop_reason"], "no_model");
    assert!(trace["degraded"].is_array());
    assert!(trace["elapsed_ms"].is_number());
    assert_eq!(keys(&trace["tokens"]), ["prompt", "cached", "completion", "estimated"]);
    let steps = trace["steps"].as_array().unwrap();
    assert!(!steps.is_empty());
    for step in steps {
        assert!(
            step["kind"].is_string() && step["at_ms"].is_number() && step["elapsed_ms"].is_number(),
            "{step}"
        );
    }
    let results = &trace["results"];
    assert!(results["boolean"].is_boolean() || results["rows"].is_array(), "{results}");

    let without = app.text2sparql(&[("dataset", CITIES), ("question", QUESTION), ("trace", "no")]).await;
    assert_eq!(json(without).await.get("trace"), None);
}

#[tokio::test]
async fn browsers_that_ask_nothing_are_sent_to_the_docs_where_there_is_no_page() {
    let app = TestApp::with("[server]\npage = false").await;
    let response = app.request(Method::GET, "/").header(ACCEPT, "text/html,*/*;q=0.8").send().await.unwrap();
    assert_eq!(response.status(), 302);
    assert_eq!(response.headers()[LOCATION], "/docs");
    let docs = app.get("/docs").await;
    assert_eq!(docs.headers()[LOCATION], "/docs/");
    let page = app.get("/docs/").await.text().await.unwrap();
    assert!(page.contains("swagger-ui"), "{page}");
    let script = app.get("/docs/swagger-initializer.js").await.text().await.unwrap();
    assert!(script.contains("/openapi.json"), "{script}");
    assert_eq!(app.get("/docs/swagger-ui-bundle.js").await.status(), 200);
}

#[tokio::test]
async fn datasets_are_listed_with_their_sizes() {
    let app = TestApp::start().await;
    let body = json(app.datasets().await).await;
    let datasets = body["datasets"].as_array().unwrap();
    assert_eq!(datasets.len(), 1);
    assert_eq!(datasets[0]["id"], CITIES);
    assert_eq!(datasets[0]["aliases"], serde_json::json!([CITIES_ALIAS]));
    assert_eq!(datasets[0]["name"], "Cities");
    for count in ["triples", "entities", "classes", "properties"] {
        assert!(datasets[0][count].as_u64().is_some_and(|count| count > 0), "{count}");
    }
}

#[tokio::test]
async fn health_tells_version_and_what_is_degraded() {
    let app = TestApp::start().await;
    let response = app.health().await;
    assert_eq!(response.status(), 200);
    let body = json(response).await;
    assert_eq!(body["status"], "ok");
    assert_eq!(body["version"], env!("CARGO_PKG_VERSION"));
    assert!(!body["degraded"].as_array().unwrap().is_empty(), "no chat model is configured");
}

#[tokio::test]
async fn health_endures_a_dataset_that_is_down_while_ready_does_not() {
    let app = TestApp::with_endpoint_down().await;
    assert_eq!(app.health().await.status(), 200);
    let response = app.ready().await;
    assert_eq!(response.status(), 503);
    let body = json(response).await;
    assert_eq!(body["ready"], false);
    assert!(body["parts"].as_array().unwrap().iter().any(|part| part["state"] == "down"), "{body}");
}

#[tokio::test]
async fn ready_tells_every_part() {
    let app = TestApp::start().await;
    let response = app.ready().await;
    assert_eq!(response.status(), 200);
    let body = json(response).await;
    assert_eq!(body["ready"], true);
    for part in body["parts"].as_array().unwrap() {
        assert_eq!(keys(part), ["part", "state", "detail"]);
    }
}

#[tokio::test]
async fn head_is_answered_without_a_body() {
    let app = TestApp::start().await;
    for path in ["/health", "/docs/", "/docs/swagger-ui.css"] {
        let response = app.request(Method::HEAD, path).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        assert!(response.headers()[CONTENT_LENGTH] != "0", "{path}");
        assert_eq!(response.text().await.unwrap(), "", "{path}");
    }
}

#[tokio::test]
async fn other_origins_are_allowed_only_as_configured() {
    let asked_from = async |app: &TestApp, origin: &str| {
        let response = app.request(Method::GET, "/health").header(ORIGIN, origin).send().await.unwrap();
        response.headers().get(ACCESS_CONTROL_ALLOW_ORIGIN).map(|value| value.to_str().unwrap().to_owned())
    };
    let closed = TestApp::start().await;
    assert_eq!(asked_from(&closed, "https://a.example").await, None);

    let some = TestApp::with("[server]\ncors_origins = [\"https://a.example\"]").await;
    assert_eq!(asked_from(&some, "https://a.example").await.as_deref(), Some("https://a.example"));
    assert_eq!(asked_from(&some, "https://b.example").await, None);

    let open = TestApp::with("[server]\ncors_origins = [\"*\"]").await;
    assert_eq!(asked_from(&open, "https://b.example").await.as_deref(), Some("*"));
}

#[tokio::test]
async fn no_response_may_be_sniffed_for_another_type() {
    let app = TestApp::start().await;
    for path in ["/health", "/docs/", "/openapi.json", "/text2sparql", "/nowhere"] {
        let response = app.get(path).await;
        assert_eq!(response.headers()["x-content-type-options"], "nosniff", "{path}");
    }
}

#[tokio::test]
async fn a_stop_waits_for_running_questions() {
    let model = SilentModel::start().await;
    let mut app = TestApp::with_room_for_one(&model).await;
    let request = app.question("/text2sparql", &[("dataset", CITIES), ("question", QUESTION)]);
    let question = tokio::spawn(request.send());
    let connection = model.asked().await;
    let stopped = app.server.stop(true);
    drop((connection, model));
    let answer = question.await.unwrap().unwrap();
    assert_eq!(answer.status(), 200);
    stopped.await;
    (&mut app.finished).await.unwrap().unwrap();
}

//! Completion within a query that is being written: what the triple patterns around the cursor allow.

use eruca_testing::helpers::{CITIES, DOWN, SILENT, SilentModel, TestApp, data, json};
use reqwest::Method;
use serde_json::{Value, json as made};
use std::time::{Duration, Instant};

const PREFIX: &str = "PREFIX s: <https://example.org/sights/>\n";

async fn app() -> TestApp {
    let file = Value::from(data("sights.ttl"));
    TestApp::with(&format!("[[datasets]]\nid = \"sights\"\nfiles = [{file}]")).await
}

/// What completes a query at its cursor `¦`.
async fn completed(app: &TestApp, dataset: &str, query: &str, lang: &str) -> Value {
    let (before, after) = query.split_once('¦').unwrap();
    let (query, at) = (format!("{before}{after}"), before.chars().count());
    let body = made!({"dataset": dataset, "query": query, "at": at, "limit": 4, "lang": lang});
    let response = app.request(Method::POST, "/complete").json(&body).send().await.unwrap();
    assert_eq!(response.status(), 200, "{query}");
    json(response).await
}

/// Each as its term, label, kind and number of solutions.
async fn lines(app: &TestApp, query: &str, lang: &str) -> Vec<String> {
    let found = completed(app, "sights", &format!("{PREFIX}{query}"), lang).await;
    let line = |hit: &Value| {
        let text = |field: &str| hit[field].as_str().unwrap_or("-").to_owned();
        format!("{} | {} | {} | {}", text("term"), text("label"), text("kind"), hit["solutions"])
    };
    found["completions"].as_array().unwrap().iter().map(line).collect()
}

#[tokio::test]
async fn what_the_query_allows_is_told_with_its_solutions_in_the_readers_language() {
    let app = app().await;
    let visited = "SELECT ?x WHERE {\n  # ünder the tower\n  ?x s:visitors ?n ;\n     s:to¦\n}";
    assert_eq!(lines(&app, visited, "de").await, ["s:town | Stadt | property | 3"]);
    // Of the classes, towns have no visitors.
    assert_eq!(lines(&app, "SELECT * { ?x s:visitors ?n ; a ¦", "en").await, ["s:Sight | sight | class | 4"]);
    assert_eq!(
        lines(&app, "SELECT * { ?x s:town ?t . ?t a To¦ }", "de").await,
        ["s:Town | Stadt | class | 3"]
    );
    let things = "SELECT * { ?x a s:Sight ; s:town Spr¦ . FILTER(?x != s:Tower) }";
    assert_eq!(lines(&app, things, "en").await, ["s:Springfield | Springfield | entity | 3"]);
    assert_eq!(
        lines(&app, "SELECT * { s:Tower s:visitors ¦ }", "en").await,
        ["\"5000\"^^<http://www.w3.org/2001/XMLSchema#integer> | 5000 | - | 1"]
    );
    // No declaration is needed for what every query may use.
    assert_eq!(lines(&app, "ASK { ?x a s:Sight ; geo:¦ }", "en").await[0], "geo:lat | lat | property | 1");
}

#[tokio::test]
async fn where_the_text_cannot_be_read_or_nothing_fits_there_is_nothing() {
    let app = app().await;
    for query in [
        "¦",
        "SELECT ¦ WHERE { ?x a s:Sight }",
        "SELECT * { ?x a s:Sight . ¦ }",
        "SELECT * { ?x rdfs:label \"Lean¦\" }",
        "SELECT * { SERVICE <https://other.example/> { ?x ¦ } }",
        "SELECT * { ?x a s:Town ; visit¦ }",
        "SELECT * { ?x nothing:known ?y ; a s:Nothing ; ¦ }",
    ] {
        assert_eq!(lines(&app, query, "en").await, Vec::<String>::new(), "{query}");
    }
}

#[tokio::test]
async fn an_endpoint_that_does_not_answer_delays_nobody() {
    let query = "ASK { ?city <https://example.org/cities/country> ?c ; ¦ }";
    let down = TestApp::with_endpoint_down().await;
    assert_eq!(completed(&down, DOWN, query, "en").await, made!({"completions": []}));
    let endpoint = SilentModel::start().await;
    let app = TestApp::with_silent_endpoint(&endpoint).await;
    let began = Instant::now();
    assert_eq!(completed(&app, SILENT, query, "en").await, made!({"completions": []}));
    let took = began.elapsed();
    assert!(took >= Duration::from_millis(500) && took < Duration::from_secs(5), "{took:?}");
}

#[tokio::test]
async fn where_written_queries_are_off_none_is_run_for_a_completion() {
    let app = TestApp::with("[server]\nqueries = false").await;
    let body = made!({"dataset": CITIES, "query": "ASK { ?s  }", "at": 9});
    let response = app.request(Method::POST, "/complete").json(&body).send().await.unwrap();
    assert_eq!(response.status(), 403);
    assert_eq!(json(response).await["code"], "queries_off");
    let closed = TestApp::with("[server]\napi_keys = { shop = \"k\" }").await;
    let ask = || closed.request(Method::POST, "/complete").json(&body);
    assert_eq!(ask().send().await.unwrap().status(), 401);
    let found = json(ask().bearer_auth("k").send().await.unwrap()).await;
    assert!(!found["completions"].as_array().unwrap().is_empty(), "{found}");
}

//! The statuses of proposals.

use super::{asked, foreign, status};
use eruca_testing::helpers::{CITIES, QUESTION, TestApp, json};
use reqwest::Method;
use reqwest::header::HOST;

pub(super) const PROPOSALS: &str = "/datasets/{id}/proposals";
pub(super) const DECIDE: &str = "/datasets/{id}/proposals/{proposal}";
pub(super) const TESTS: &str = "/datasets/{id}/tests";
pub(super) const COMPARE: &str = "/datasets/{id}/tests/compare";
pub(super) const AGAIN: &str = "/datasets/{id}/tests/{test}/again";
pub(super) const TRIAL: &str = "/datasets/{id}/proposals/{proposal}/trial";

/// The statuses of looking at proposals and of deciding one.
pub(super) async fn statuses() -> Vec<(String, String)> {
    let app = TestApp::start().await;
    let closed = TestApp::with("[server]\napi_keys = { shop = \"k\" }").await;
    let run = json(asked(&app, CITIES, QUESTION).send().await.unwrap()).await;
    let words =
        serde_json::json!({"words": "chief town", "meaning": {"iri": "https://example.org/cities/capital"}});
    let report = serde_json::json!({"run": run["id"], "good": false, "correction": words});
    assert_eq!(status(app.request(Method::POST, "/feedback").json(&report)).await, "204");
    let found = json(app.get(&PROPOSALS.replace("{id}", "cities")).await).await;
    let proposal = found["proposals"][0]["id"].as_str().unwrap().to_owned();
    let judged = serde_json::json!({"run": run["id"], "right": true}).to_string();
    let tests = app
        .request(Method::POST, &TESTS.replace("{id}", "cities"))
        .header("content-type", "application/json");
    let kept = json(tests.body(judged.clone()).send().await.unwrap()).await;
    let test = kept["test"]["id"].as_str().unwrap().to_owned();
    let compared = serde_json::json!({"run": run["id"], "query": "ASK {}"}).to_string();
    let mut statuses = Vec::new();
    let wrong_count = app.request(Method::GET, &format!("{}?count=x", TESTS.replace("{id}", "cities")));
    statuses.push((TESTS.to_owned(), status(wrong_count).await));
    for (method, route, body) in [
        (Method::GET, TESTS, ""),
        (Method::POST, TESTS, judged.as_str()),
        (Method::POST, COMPARE, compared.as_str()),
        (Method::POST, AGAIN, ""),
        (Method::GET, PROPOSALS, ""),
        (Method::POST, TRIAL, "{}"),
        (Method::POST, DECIDE, "{\"accept\":false}"),
    ] {
        let to = |app: &TestApp, id: &str, body: &str| {
            let path = route.replace("{id}", id).replace("{proposal}", &proposal).replace("{test}", &test);
            let request = app.request(method.clone(), &path);
            if body.is_empty() {
                request
            } else {
                request.header("content-type", "application/json").body(body.to_owned())
            }
        };
        let mut requests = vec![
            to(&app, "cities", body),
            to(&app, "cities", body),
            to(&app, "nowhere", body),
            foreign(to(&app, "cities", body)),
            to(&app, "cities", body).header(HOST, "another.example"),
            to(&app, "cities", body).header(HOST, "no host"),
            to(&closed, "cities", body),
            to(&closed, "cities", body).bearer_auth("k"),
        ];
        if !body.is_empty() {
            requests.push(to(&app, "cities", "{"));
            requests.push(to(&app, "cities", &" ".repeat(300 << 10)));
            requests.push(to(&app, "cities", "").body("{}"));
        }
        requests.extend((0..20).map(|_| to(&closed, "cities", body).bearer_auth("wrong")));
        for request in requests {
            statuses.push((route.to_owned(), status(request).await));
        }
    }
    statuses
}

//! The description of the HTTP interface is the interface.

mod boards;
mod proposals;

use eruca_testing::helpers::{
    CITIES, CITIES_ALIAS, DOWN, QUESTION, SILENT, SilentModel, TestApp, half_sent, json, repository,
};
use futures_util::future::join_all;
use proposals::{AGAIN, COMPARE, DECIDE, PROPOSALS, TESTS, TRIAL};
use reqwest::header::{ACCEPT, HOST, ORIGIN};
use reqwest::{Method, RequestBuilder};
use serde_json::Value;
use std::collections::BTreeSet;

/// What no request can bring about, but a fault or an endpoint that goes away later; `src/http/error.rs` tests the responses
/// themselves.
const ONLY_BY_A_FAULT: [(&str, &str); 37] = [
    (TESTS, "500"),
    (COMPARE, "500"),
    (AGAIN, "500"),
    (PROPOSALS, "500"),
    (TRIAL, "500"),
    (DECIDE, "500"),
    ("/", "500"),
    ("/text2sparql", "500"),
    ("/ask", "500"),
    (CHAT, "500"),
    (ROWS, "502"),
    (WHY, "502"),
    (GRAPH, "502"),
    (CLAIMS, "502"),
    ("/datasets/{id}/card", "500"),
    // `tests/reload.rs` damages an index.
    (RELOAD, "500"),
    ("/datasets/{id}/search", "500"),
    ("/datasets/{id}/entry", "500"),
    ("/datasets/{id}/entry", "504"),
    ("/datasets/{id}/places", "500"),
    ("/datasets/{id}/places", "502"),
    ("/datasets/{id}/places", "504"),
    // The list of datasets of the tests is longer than one where an endpoint is down.
    ("/gerbil", "502"),
    ("/gerbil", "500"),
    (GERBIL, "500"),
    ("/link", "500"),
    ("/link", "502"),
    ("/complete", "500"),
    ("/query", "500"),
    ("/query", "503"),
    ("/query", "504"),
    ("/q", "500"),
    // The places are those of questions and looks.
    ("/q/{names}", "503"),
    ("/q/{name}.json", "503"),
    ("/q/{name}.{format}", "503"),
    ("/q/{name}/candidates", "503"),
    // A file that is full: `src/http/feedback.rs` tests it.
    ("/feedback", "503"),
];
/// Routes that look around in a dataset, each with what is asked.
const BROWSED: [(&str, &str); 4] = [
    ("card", ""),
    ("search", "q=par"),
    ("entry", "iri=https://example.org/cities/Paris"),
    ("places", "iri=https://example.org/cities/Paris"),
];
/// Routes that take a body, each with one.
const POSTED: [(&str, &str); 4] = [
    ("/link", "{\"dataset\":\"cities\",\"texts\":[\"?s\",\"Paris\"]}"),
    ("/query", "{\"dataset\":\"cities\",\"query\":\"ASK { ?s ?p ?o }\"}"),
    ("/complete", "{\"dataset\":\"cities\",\"query\":\"ASK { ?s  }\",\"at\":9}"),
    ("/feedback", "{\"run\":\"00000000000000000000000000000000\",\"good\":true}"),
];
const RELOAD: &str = "/datasets/{id}/reload";
const GERBIL: &str = "/gerbil/{dataset}";
const CHAT: &str = "/v1/chat/completions";
const MODELS: &str = "/v1/models";
const MODEL: &str = "/v1/models/{id}";
const RUN: &str = "/runs/{id}";
const EVENTS: &str = "/runs/{id}/events";
const ROWS: &str = "/runs/{id}/rows";
const GRAPH: &str = "/runs/{id}/graph";
const CLAIMS: &str = "/runs/{id}/claims";
const WHY: &str = "/runs/{id}/rows/{row}/why";

#[test]
fn the_file_in_the_repository_is_what_the_program_prints() {
    let kept = std::fs::read_to_string(repository().join("openapi.yaml")).unwrap();
    let printed = eruca::http::yaml().unwrap();
    assert!(kept == printed, "openapi.yaml is out of date; run: cargo run -- openapi > openapi.yaml");
}

#[tokio::test]
async fn every_documented_status_is_really_returned() {
    let app = TestApp::start().await;
    let documented: BTreeSet<(String, String)> = statuses(&app.openapi().await);
    let mut returned: BTreeSet<(String, String)> = BTreeSet::new();
    returned.extend(ONLY_BY_A_FAULT.map(|(path, status)| (path.to_owned(), status.to_owned())));
    for path in ["/datasets", "/health", "/metrics", "/ready", "/config.json"] {
        returned.insert((path.to_owned(), app.get(path).await.status().as_str().to_owned()));
    }
    let without_page = TestApp::with("[server]\npage = false").await;
    let browser = without_page.request(Method::GET, "/").header(ACCEPT, "text/html").send().await.unwrap();
    returned.insert(("/".to_owned(), browser.status().as_str().to_owned()));
    for path in ["/", "/text2sparql"] {
        returned.extend(question_statuses(path).await.into_iter().map(|status| (path.to_owned(), status)));
    }
    returned.extend(browsed_statuses().await);
    returned.extend(full_looks().await);
    returned.extend(posted_statuses().await);
    returned.extend(reload_statuses().await);
    returned.extend(proposals::statuses().await);
    returned.extend(mcp_statuses().await);
    returned.extend(slow_statuses().await);
    returned.extend(boards::statuses().await);
    for path in ["/", "/text2sparql", "/datasets"] {
        returned.insert((path.to_owned(), status(foreign(app.request(Method::GET, path))).await));
    }
    for path in ["/", "/text2sparql", "/datasets", "/health", "/metrics", "/ready", "/config.json"] {
        for host in ["another.example", "no host"] {
            let response = app.request(Method::GET, path).header(HOST, host).send().await.unwrap();
            returned.insert((path.to_owned(), response.status().as_str().to_owned()));
        }
    }
    let closed = TestApp::with("[server]\napi_keys = { shop = \"k\" }").await;
    let metrics = closed.request(Method::GET, "/metrics").bearer_auth("k").send().await.unwrap();
    returned.insert(("/metrics".to_owned(), metrics.status().as_str().to_owned()));
    for path in ["/", "/text2sparql", "/datasets", "/metrics"] {
        returned.insert((path.to_owned(), closed.get(path).await.status().as_str().to_owned()));
        for _ in 0..20 {
            let response = closed.request(Method::GET, path).bearer_auth("wrong").send().await.unwrap();
            returned.insert((path.to_owned(), response.status().as_str().to_owned()));
        }
    }
    let down = TestApp::with_endpoint_down().await;
    returned.insert(("/ready".to_owned(), down.ready().await.status().as_str().to_owned()));
    returned.extend(form_statuses().await.into_iter().map(|(path, status)| (path.to_owned(), status)));
    for (path, ask) in [("/ask", asked as Asked), (CHAT, chatted)] {
        returned.extend(ask_statuses(path, ask).await.into_iter().map(|status| (path.to_owned(), status)));
    }
    for (path, status) in run_statuses().await.into_iter().chain(model_statuses().await) {
        returned.insert((path.to_owned(), status));
    }
    assert_eq!(returned, documented);
}

/// As the page of another site has a browser send it.
fn foreign(request: RequestBuilder) -> RequestBuilder {
    request.header("sec-fetch-site", "cross-site")
}

/// The statuses that looking around can bring about.
async fn browsed_statuses() -> Vec<(String, String)> {
    let app = TestApp::with_endpoint_down().await;
    let closed = TestApp::with("[server]\napi_keys = { shop = \"k\" }").await;
    let mut statuses = Vec::new();
    for (route, asked) in BROWSED {
        let path = |dataset: &str, asked: &str| format!("/datasets/{dataset}/{route}?{asked}");
        let mut note = |response: reqwest::Response| {
            statuses.push((format!("/datasets/{{id}}/{route}"), response.status().as_str().to_owned()));
        };
        note(app.get(&path("cities", asked)).await);
        note(foreign(app.request(Method::GET, &path("cities", asked))).send().await.unwrap());
        note(app.get(&path("nowhere", asked)).await);
        note(app.get(&path(DOWN, asked)).await);
        if route != "card" {
            note(app.get(&path("cities", "iri=a+b&limit=x&q=x")).await);
        }
        for host in ["another.example", "no host"] {
            note(app.request(Method::GET, &path("cities", asked)).header(HOST, host).send().await.unwrap());
        }
        note(closed.get(&path("cities", asked)).await);
        for _ in 0..20 {
            let request = closed.request(Method::GET, &path("cities", asked));
            note(request.bearer_auth("wrong").send().await.unwrap());
        }
    }
    statuses
}

/// The statuses of a wish to have a dataset opened anew.
async fn reload_statuses() -> Vec<(String, String)> {
    let app = TestApp::start().await;
    let closed = TestApp::with("[server]\napi_keys = { shop = \"k\" }").await;
    let reload = |app: &TestApp, id: &str| app.request(Method::POST, &RELOAD.replace("{id}", id));
    let mut requests = vec![
        reload(&app, "cities"),
        reload(&app, "nowhere"),
        reload(&app, "cities").header(HOST, "another.example"),
        reload(&app, "cities").header(HOST, "no host"),
        reload(&closed, "cities").bearer_auth("k"),
    ];
    requests.extend((0..20).map(|_| reload(&closed, "cities").bearer_auth("wrong")));
    let mut statuses = Vec::new();
    for request in requests {
        statuses.push((RELOAD.to_owned(), status(request).await));
    }
    statuses
}

/// The statuses that bodies can bring about.
async fn posted_statuses() -> Vec<(String, String)> {
    let app = TestApp::with_endpoint_down().await;
    let reporting = TestApp::with("[feedback]\nfile = \"reports.jsonl\"").await;
    let closed = TestApp::with("[server]\napi_keys = { shop = \"k\" }").await;
    let mut statuses = Vec::new();
    for (path, body) in POSTED {
        let mut note = |response: reqwest::Response| {
            statuses.push((path.to_owned(), response.status().as_str().to_owned()));
        };
        let post = async |app: &TestApp, headers: &[(&str, &str)], body: String| {
            let mut request =
                app.request(Method::POST, path).header("content-type", "application/json").body(body);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            request.send().await.unwrap()
        };
        note(post(&reporting, &[], body.to_owned()).await);
        note(post(&app, &[], body.replace("cities", "nowhere")).await);
        note(post(&app, &[], body.replace("cities", DOWN)).await);
        note(post(&reporting, &[], body.replace("?s", "").replace("0000", "x")).await);
        note(post(&reporting, &[], "{}".to_owned()).await);
        note(post(&app, &[], " ".repeat(300 << 10)).await);
        note(post(&app, &[("origin", "https://evil.example")], body.to_owned()).await);
        note(app.request(Method::POST, path).body(body).send().await.unwrap());
        for host in ["another.example", "no host"] {
            note(post(&app, &[("host", host)], body.to_owned()).await);
        }
        note(post(&closed, &[], body.to_owned()).await);
        for _ in 0..20 {
            note(post(&closed, &[("authorization", "Bearer wrong")], body.to_owned()).await);
        }
    }
    let run = json(asked(&reporting, CITIES, QUESTION).send().await.unwrap()).await;
    for _ in 0..4 {
        let report = serde_json::json!({"run": run["id"], "good": true});
        let request = reporting.request(Method::POST, "/feedback").json(&report);
        statuses.push(("/feedback".to_owned(), status(request).await));
    }
    statuses
}

/// The statuses that questions in forms can bring about, and texts to be linked while there is no room.
async fn form_statuses() -> Vec<(&'static str, String)> {
    let (app, one) = (TestApp::with_endpoint_down().await, TestApp::start().await);
    let limited = TestApp::with("[server]\nquestions_per_minute = 1\napi_keys = { shop = \"k\" }").await;
    let model = SilentModel::start().await;
    let busy = TestApp::with_room_for_one(&model).await;
    let first = tokio::spawn(asked(&busy, CITIES, QUESTION).send());
    let connection = model.asked().await;
    let mut statuses = Vec::new();
    for (path, app, at) in [("/gerbil", &one, "/gerbil"), (GERBIL, &app, "/gerbil/cities")] {
        let form =
            |app: &TestApp, at: &str, query: &str| app.request(Method::POST, at).form(&[("query", query)]);
        statuses.push((path, status(form(app, at, QUESTION)).await));
        statuses.push((path, status(form(app, at, "")).await));
        statuses.push((path, status(form(app, at, &"x".repeat(1 << 20))).await));
        statuses.push((path, status(app.request(Method::POST, at).body("{}")).await));
        statuses.push((path, status(form(app, at, QUESTION).header(ORIGIN, "https://evil.example")).await));
        for host in ["another.example", "no host"] {
            statuses.push((path, status(form(app, at, QUESTION).header(HOST, host)).await));
        }
        for key in ["wrong", "k", "k"] {
            statuses.push((path, status(form(&limited, at, QUESTION).bearer_auth(key)).await));
        }
        statuses.push((path, status(form(&busy, at, QUESTION)).await));
    }
    for dataset in ["nowhere", DOWN] {
        let form = app.request(Method::POST, &format!("/gerbil/{dataset}")).form(&[("query", QUESTION)]);
        statuses.push((GERBIL, status(form).await));
    }
    let texts = serde_json::json!({"dataset": CITIES, "texts": ["Paris"]});
    statuses.push(("/link", status(busy.request(Method::POST, "/link").json(&texts)).await));
    drop((connection, model));
    drop(first.await);
    statuses
}

/// Those of looking around where there is no room.
async fn full_looks() -> Vec<(String, String)> {
    let endpoint = SilentModel::start().await;
    let app = TestApp::with_silent_endpoint(&endpoint).await;
    let look = |dataset: &str, (route, asked): (&str, &str)| {
        app.request(Method::GET, &format!("/datasets/{dataset}/{route}?{asked}"))
    };
    let [_, _, entry, _] = BROWSED;
    let held = tokio::spawn(look(SILENT, entry).send());
    let connection = endpoint.asked().await;
    let mut statuses = Vec::new();
    for browsed in BROWSED {
        statuses.push((format!("/datasets/{{id}}/{}", browsed.0), status(look(CITIES_ALIAS, browsed)).await));
    }
    let completed = serde_json::json!({"dataset": CITIES_ALIAS, "query": "ASK { ?s  }", "at": 9});
    let completed = app.request(Method::POST, "/complete").json(&completed);
    statuses.push(("/complete".to_owned(), status(completed).await));
    held.abort();
    drop((held.await, connection));
    statuses
}

/// The statuses that messages of the Model Context Protocol can bring about.
async fn mcp_statuses() -> Vec<(String, String)> {
    let app = TestApp::start().await;
    let closed = TestApp::with("[server]\napi_keys = { shop = \"k\" }").await;
    let message = |method: &str, id: Value| serde_json::json!({"jsonrpc": "2.0", "id": id, "method": method});
    let accept = "application/json, text/event-stream";
    let post = |app: &TestApp| app.request(Method::POST, "/mcp").header(ACCEPT, accept);
    let ping = message("ping", 1.into());
    let mut requests = vec![
        post(&app).json(&ping),
        post(&app).json(&serde_json::json!({"jsonrpc": "2.0", "method": "notifications/initialized"})),
        post(&app).body(ping.to_string()),
        post(&app).json(&ping).body(" ".repeat(300 << 10)),
        post(&app).json(&ping).header(ORIGIN, "https://evil.example"),
        post(&app).json(&ping).header(HOST, "another.example"),
        post(&app).json(&ping).header(HOST, "no host"),
    ];
    requests.extend((0..20).map(|_| post(&closed).json(&ping).bearer_auth("wrong")));
    let mut statuses = Vec::new();
    for request in requests {
        statuses.push(("/mcp".to_owned(), status(request).await));
    }
    statuses
}

/// The statuses of bodies that do not come.
async fn slow_statuses() -> Vec<(String, String)> {
    let app = TestApp::with("[server]\nclient_seconds = 1\n[feedback]\nfile = \"reports.jsonl\"").await;
    let forms = ["/gerbil", GERBIL].map(|path| (path, "application/x-www-form-urlencoded"));
    let json =
        [CHAT, "/ask", "/mcp", TRIAL, DECIDE, TESTS, COMPARE].into_iter().chain(POSTED.map(|(path, _)| path));
    let paths = json.map(|path| (path, "application/json")).chain(forms);
    join_all(paths.map(async |(path, kind)| {
        let heard = half_sent(&app, &path.replace("{dataset}", "cities"), kind).await;
        let status = heard.split(' ').nth(1).unwrap_or_else(|| panic!("{path}: {heard}"));
        (path.to_owned(), status.to_owned())
    }))
    .await
}

/// How a question is sent.
type Asked = fn(&TestApp, &str, &str) -> RequestBuilder;

/// A question that is sent to /ask.
fn asked(app: &TestApp, dataset: &str, question: &str) -> RequestBuilder {
    app.request(Method::POST, "/ask").json(&serde_json::json!({"dataset": dataset, "question": question}))
}

/// A question that is sent as OpenAI's clients send it.
fn chatted(app: &TestApp, dataset: &str, question: &str) -> RequestBuilder {
    let messages = serde_json::json!([{"role": "user", "content": question}]);
    app.request(Method::POST, CHAT).json(&serde_json::json!({"model": dataset, "messages": messages}))
}

async fn status(request: RequestBuilder) -> String {
    request.send().await.unwrap().status().as_str().to_owned()
}

/// The statuses that questions in bodies can bring about.
async fn ask_statuses(path: &str, asked: Asked) -> Vec<String> {
    let app = TestApp::with_endpoint_down().await;
    let mut statuses = Vec::new();
    for (dataset, question) in [(CITIES, QUESTION), (CITIES, ""), ("nowhere", QUESTION), (DOWN, QUESTION)] {
        statuses.push(status(asked(&app, dataset, question)).await);
    }
    statuses.push(status(asked(&app, CITIES, &"x".repeat(5 << 20))).await);
    statuses.push(status(app.request(Method::POST, path).body("{}")).await);
    statuses.push(status(asked(&app, CITIES, QUESTION).header(ORIGIN, "https://evil.example")).await);
    for host in ["another.example", "no host"] {
        statuses.push(status(asked(&app, CITIES, QUESTION).header(HOST, host)).await);
    }
    let closed = TestApp::with("[server]\napi_keys = { shop = \"k\" }").await;
    for _ in 0..20 {
        statuses.push(status(asked(&closed, CITIES, QUESTION).bearer_auth("wrong")).await);
    }
    let model = SilentModel::start().await;
    let busy = TestApp::with_room_for_one(&model).await;
    let first = tokio::spawn(asked(&busy, CITIES, QUESTION).send());
    let connection = model.asked().await;
    statuses.push(status(asked(&busy, CITIES, QUESTION)).await);
    drop((connection, model));
    statuses.push(first.await.unwrap().unwrap().status().as_str().to_owned());
    statuses
}

/// The statuses of the routes about models.
async fn model_statuses() -> Vec<(&'static str, String)> {
    let app = TestApp::start().await;
    let closed = TestApp::with("[server]\napi_keys = { shop = \"k\" }").await;
    let mut statuses = vec![(MODEL, status(app.request(Method::GET, "/v1/models/nowhere")).await)];
    for (path, asked) in [(MODELS, "/v1/models"), (MODEL, "/v1/models/cities")] {
        statuses.push((path, status(app.request(Method::GET, asked)).await));
        statuses.push((path, status(foreign(app.request(Method::GET, asked))).await));
        for host in ["another.example", "no host"] {
            statuses.push((path, status(app.request(Method::GET, asked).header(HOST, host)).await));
        }
        statuses.push((path, status(closed.request(Method::GET, asked)).await));
        for _ in 0..20 {
            statuses.push((path, status(closed.request(Method::GET, asked).bearer_auth("wrong")).await));
        }
    }
    statuses
}

/// The statuses of the routes about a run.
async fn run_statuses() -> Vec<(&'static str, String)> {
    let app = TestApp::with("[server]\napi_keys = { shop = \"k\" }\nquestions_per_minute = 6").await;
    let run = json(asked(&app, CITIES, QUESTION).bearer_auth("k").send().await.unwrap()).await;
    let run = run["id"].as_str().unwrap();
    let at = |path: &str, run: &str| path.replace("{id}", run).replace("{row}", "0");
    let get = |path: &str| app.request(Method::GET, path);
    let mut statuses = Vec::new();
    for path in [RUN, EVENTS, ROWS, WHY, GRAPH, CLAIMS] {
        for host in ["another.example", "no host"] {
            statuses.push((path, status(get(&at(path, run)).header(HOST, host)).await));
        }
        statuses.push((path, status(get(&at(path, run))).await));
        statuses.push((path, status(foreign(get(&at(path, run)))).await));
        for name in [run, "none"] {
            statuses.push((path, status(get(&at(path, name)).bearer_auth("k")).await));
        }
    }
    statuses.push((EVENTS, status(get(&format!("/runs/{run}/events?after=x")).bearer_auth("k")).await));
    statuses.push((EVENTS, status(get(&format!("/runs/{run}/events?after=999")).bearer_auth("k")).await));
    statuses.push((ROWS, status(get(&format!("/runs/{run}/rows?limit=x")).bearer_auth("k")).await));
    statuses.push((WHY, status(get(&format!("/runs/{run}/rows/x/why")).bearer_auth("k")).await));
    for path in [RUN, EVENTS, ROWS, WHY, GRAPH, CLAIMS] {
        for _ in 0..12 {
            statuses.push((path, status(get(&at(path, run)).bearer_auth("wrong")).await));
        }
    }
    statuses.extend(full_statuses().await);
    statuses
}

/// Those of a service that is full.
async fn full_statuses() -> Vec<(&'static str, String)> {
    let model = SilentModel::start().await;
    let app = TestApp::with_room_for_one(&model).await;
    let first = tokio::spawn(asked(&app, CITIES, QUESTION).send());
    drop(model.asked().await);
    let run = json(first.await.unwrap().unwrap()).await;
    let run = run["id"].as_str().unwrap().to_owned();
    let held = tokio::spawn(asked(&app, CITIES, "Which cities are there?").send());
    let connection = model.asked().await;
    let rows = app.request(Method::GET, &format!("/runs/{run}/rows")).header(ACCEPT, "text/csv");
    let statuses = vec![
        (ROWS, status(rows).await),
        (WHY, status(app.request(Method::GET, &format!("/runs/{run}/rows/0/why"))).await),
        (GRAPH, status(app.request(Method::GET, &format!("/runs/{run}/graph"))).await),
        (CLAIMS, status(app.request(Method::GET, &format!("/runs/{run}/claims"))).await),
    ];
    drop((connection, model));
    drop(held.await);
    statuses
}

/// The statuses that questions to a path can bring about.
async fn question_statuses(path: &str) -> Vec<String> {
    let app = TestApp::with_endpoint_down().await;
    let ask = async |app: &TestApp, dataset: &str, question: &str| {
        let request = app.question(path, &[("dataset", dataset), ("question", question)]);
        request.send().await.unwrap().status().as_str().to_owned()
    };
    let mut statuses = Vec::new();
    for (dataset, question) in [(CITIES, QUESTION), (CITIES, ""), ("nowhere", QUESTION), (DOWN, QUESTION)] {
        statuses.push(ask(&app, dataset, question).await);
    }
    let limited = TestApp::with("[server]\nquestions_per_minute = 1").await;
    for _ in 0..2 {
        statuses.push(ask(&limited, CITIES, QUESTION).await);
    }
    let model = SilentModel::start().await;
    let busy = TestApp::with_room_for_one(&model).await;
    let request = busy.question(path, &[("dataset", CITIES), ("question", QUESTION)]);
    let first = tokio::spawn(request.send());
    let connection = model.asked().await;
    statuses.push(ask(&busy, CITIES, QUESTION).await);
    drop((connection, model));
    statuses.push(first.await.unwrap().unwrap().status().as_str().to_owned());
    statuses
}

fn statuses(description: &Value) -> BTreeSet<(String, String)> {
    let paths = description["paths"].as_object().unwrap().iter();
    paths
        .flat_map(|(path, item)| {
            let operations = item.as_object().unwrap().values();
            let responses =
                operations.flat_map(|operation| operation["responses"].as_object().unwrap().keys());
            responses.map(|status| (path.clone(), status.clone())).collect::<Vec<_>>()
        })
        .collect()
}

//! The statuses of pages of verified questions.

use super::foreign;
use eruca_testing::helpers::{ClosedPort, TestApp, data};
use reqwest::header::HOST;
use reqwest::{Method, RequestBuilder};
use serde_json::Value;

const QUESTION: &str = "[[questions]]\nname = 'count'\nquestion = 'How many?'\nquery = 'ASK { ?s ?p ?o }'\n\
    by = 'Ada'\nat = 2026-01-31\n";
/// The routes, each with a path of it, a wrong choice, and an unknown name.
const ROUTES: [(&str, &str, &str, &str); 5] = [
    ("/q", "/q?", "/q?", "/q?dataset=nowhere"),
    ("/q/{names}", "/q/count?dataset=pages", "/q/a,b,c,d,e,f,g,h,i,j,k,l,m", "/q/nothing"),
    ("/q/{name}.json", "/q/count.json?dataset=pages", "/q/count.json?dataset=pages&a=b", "/q/nothing.json"),
    ("/q/{name}.{format}", "/q/count.csv?dataset=pages", "/q/count.csv?dataset=pages&a=b", "/q/nothing.csv"),
    (
        "/q/{name}/candidates",
        "/q/count/candidates?dataset=pages&parameter=a",
        "/q/count/candidates?dataset=pages&parameter=b",
        "/q/nothing/candidates?parameter=a",
    ),
];

/// A service with such a question of two datasets, one of which has an endpoint that is down.
async fn with_pages() -> (TestApp, ClosedPort) {
    let file = Value::from(data("cities.ttl"));
    let closed = ClosedPort::take();
    let endpoint = format!("http://127.0.0.1:{}/sparql", closed.number());
    let app = TestApp::with(&format!(
        "[[datasets]]\nid = \"pages\"\nfiles = [{file}]\n[[datasets]]\nid = \"down\"\nfiles = [{file}]\nendpoint = \"{endpoint}\"\n"
    ))
    .await;
    let parameter = "query = 'ASK { <https://example.org/cities/France> ?p ?o }'\n\
        parameters = [{ name = 'many', value = '<https://example.org/cities/France>', as = 'a' }]";
    for id in ["pages", "down"] {
        let folder = app.folder().join("knowledge").join(id).join("questions");
        std::fs::create_dir_all(&folder).unwrap();
        let question = QUESTION.replace("query = 'ASK { ?s ?p ?o }'", parameter);
        std::fs::write(folder.join("a.toml"), question).unwrap();
        app.request(Method::POST, &format!("/datasets/{id}/reload")).send().await.unwrap();
    }
    (app, closed)
}

pub(super) async fn statuses() -> Vec<(String, String)> {
    let (app, _closed) = with_pages().await;
    let closed = TestApp::with("[server]\napi_keys = { shop = \"k\" }").await;
    let mut statuses = Vec::new();
    for (route, path, wrong, unknown) in ROUTES {
        let get = |path: &str| app.request(Method::GET, path);
        let mut requests: Vec<RequestBuilder> = vec![
            get(path),
            foreign(get(path)),
            get(unknown),
            get(path).header(HOST, "another.example"),
            get(path).header(HOST, "no host"),
            closed.request(Method::GET, path),
        ];
        if route != "/q" {
            requests.push(get(wrong));
        }
        if route.contains("}.") {
            requests.push(get(&path.replace("pages", "down")));
            requests.push(get(path).header("if-none-match", "*"));
        }
        requests.extend((0..20).map(|_| closed.request(Method::GET, path).bearer_auth("wrong")));
        for request in requests {
            let status = request.send().await.unwrap().status().as_str().to_owned();
            statuses.push((route.to_owned(), status));
        }
    }
    statuses
}

//! An endpoint that resolves codepoint escapes before it reads a query, as SPARQL 1.1 has it: it gets no call of another
//! endpoint that the check has not seen, whoever wrote the query.

use eruca_testing::helpers::{TestApp, data, json, repository};
use eruca_testing::scripted::{Setup, answers, tries};
use reqwest::Method;
use serde_json::{Value, json as made};
use spargebra::SparqlParser;
use std::sync::{Arc, Mutex};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

/// What the queries of this test would have another endpoint do.
const CALL: &str = "SERVICE SILENT <http://127.0.0.1:9/x> { ?s ?p ?o }";

/// Queries that hide a call from one who resolves escapes in strings and IRIs alone; whether they are run without it.
fn hiding() -> Vec<(String, bool)> {
    vec![
        (format!("SELECT ?s WHERE {{ ?s ?p ?o #\\u000a {CALL}\n }}"), true),
        (format!("SELECT ?s WHERE {{ ?s ?p ?o #\\U0000000D {CALL}\n }}"), true),
        (format!("SELECT ?s WHERE {{ ?s ?p ?o \\u0023 {CALL}\n }}"), true),
        (format!("SELECT ?s WHERE {{ ?s ?p '\\u0027 . {CALL} ?s ?p \\u0027' }}"), true),
        (
            format!(
                "SELECT ?s WHERE {{ ?s ?p '''\\u0027\\u0027\\u0027 . {CALL} ?s ?p \\u0027\\u0027\\u0027''' }}"
            ),
            true,
        ),
        (format!("SELECT ?s WHERE {{ ?s ?p \"\\\\u0022 . {CALL} #\" }}"), false),
        (format!("SELECT ?s WHERE {{ ?s ?p \"\\u005cu0022 . {CALL} #\" }}"), false),
        (format!("SELECT ?s WHERE {{ ?s ?p ?o \\u007b {CALL} \\u007d }}"), false),
    ]
}

/// Notes what the queries are that it gets, once their escapes are resolved.
#[derive(Clone, Default)]
struct ResolvesFirst {
    read: Arc<Mutex<Vec<String>>>,
}

impl ResolvesFirst {
    async fn start(&self) -> MockServer {
        let server = MockServer::builder().start().await;
        Mock::given(any()).respond_with(self.clone()).mount(&server).await;
        server
    }

    /// Asserts that no query called another endpoint, or was none; gives how many there were.
    fn harmless(&self) -> usize {
        let read = self.read.lock().unwrap();
        for query in read.iter() {
            let parsed = SparqlParser::new().parse_query(query).unwrap_or_else(|e| panic!("{e}: {query}"));
            assert!(!format!("{parsed:?}").contains("Service {"), "{query}");
        }
        read.len()
    }
}

impl Respond for ResolvesFirst {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let form = url::form_urlencoded::parse(&request.body);
        let query = request.url.query_pairs().chain(form).find(|(name, _)| name == "query").unwrap().1;
        let query = resolved(&query);
        let body = if query.contains("ASK") {
            made!({"head": {}, "boolean": true})
        } else {
            let thing = made!({"type": "uri", "value": "http://e.x/a"});
            made!({"head": {"vars": ["s"]}, "results": {"bindings": [{"s": thing}]}})
        };
        self.read.lock().unwrap().push(query);
        ResponseTemplate::new(200).set_body_raw(body.to_string(), "application/sparql-results+json")
    }
}

/// The text with each escape resolved, whatever stands before it.
fn resolved(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(c) = rest.chars().next() {
        let digits = if rest.starts_with("\\u") { 4 } else { 8 };
        let escape = rest.get(2..2 + digits).filter(|_| rest.starts_with("\\u") || rest.starts_with("\\U"));
        let meant = escape.and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
        out.push(meant.unwrap_or(c));
        rest = &rest[if meant.is_some() { 2 + digits } else { c.len_utf8() }..];
    }
    out
}

#[tokio::test]
async fn a_posted_query_calls_nobody_that_the_check_has_not_seen() {
    let endpoint = ResolvesFirst::default();
    let server = endpoint.start().await;
    let file = Value::from(data("cities.ttl"));
    // Without comments some of them are the same query, whose result would be known.
    let toml = format!(
        "[cache]\nresults = 0\n[[datasets]]\nid = \"far\"\nfiles = [{file}]\nendpoint = \"{}/sparql\"",
        server.uri()
    );
    let app = TestApp::with(&toml).await;
    for (query, runs) in hiding() {
        let before = endpoint.harmless();
        let body = made!({"dataset": "far", "query": query});
        let response = app.request(Method::POST, "/query").json(&body).send().await.unwrap();
        let status = response.status();
        let told = json(response).await;
        assert_eq!(status, if runs { 200 } else { 400 }, "{query}: {told}");
        assert_eq!(endpoint.harmless() > before, runs, "{query}");
    }
}

#[tokio::test]
async fn neither_does_a_query_of_the_model() {
    let endpoint = ResolvesFirst::default();
    let server = endpoint.start().await;
    let graph = Value::from(repository().join("examples/world.ttl").to_str().unwrap());
    let setup = Setup::new(&format!(
        "[helps]\ndrafts = false\n[[datasets]]\nid = \"demo\"\nfiles = [{graph}]\nendpoint = \"{}/sparql\"",
        server.uri()
    ));
    let hidden = hiding();
    let turns = hidden.iter().map(|(query, _)| tries(query)).chain([answers(&hidden[0].0)]);
    let conversation = setup.ask("What is the capital of Japan?", turns).await;
    assert!(endpoint.harmless() > 1);
    let query = conversation.answered.query;
    assert!(!query.contains("SERVICE") && !query.contains("\\u"), "{query}");
}

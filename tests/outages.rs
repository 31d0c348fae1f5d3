//! Servers that are down when the service starts, come up, and go down again: what is there is used, without a restart.

use crate::startup::{embeddings, with_embedding};
use eruca::config::Settings;
use eruca::startup;
use eruca_indexer::{NoProgress, SchemaKind};
use eruca_testing::helpers::{CITIES, ClosedPort, QUESTION, TestApp, data, install_tls, json};
use eruca_testing::programs::within;
use serde_json::{Value, json as value};
use std::time::Duration;
use wiremock::matchers::{any, method};
use wiremock::{Mock, MockServer, ResponseTemplate};

const CAPITAL: &str =
    "SELECT ?c WHERE { <https://example.org/cities/France> <https://example.org/cities/capital> ?c }";

/// A server of its own at this port.
async fn server_at(port: ClosedPort) -> MockServer {
    MockServer::builder().listener(port.listen()).start().await
}

/// An endpoint at this port that says yes, or Paris.
async fn endpoint_at(port: ClosedPort) -> MockServer {
    let server = server_at(port).await;
    let of_type = |body: Value| {
        ResponseTemplate::new(200).set_body_raw(body.to_string(), "application/sparql-results+json")
    };
    let is_ask = |request: &wiremock::Request| {
        format!("{}{}", request.url, String::from_utf8_lossy(&request.body)).contains("ASK")
    };
    let yes = of_type(value!({"head": {}, "boolean": true}));
    Mock::given(is_ask).respond_with(yes).mount(&server).await;
    let paris = value!({"x": {"type": "uri", "value": "https://example.org/cities/Paris"}});
    let rows = of_type(value!({"head": {"vars": ["x"]}, "results": {"bindings": [paris]}}));
    Mock::given(any()).respond_with(rows).mount(&server).await;
    server
}

async fn app_with_endpoint(port: u16, further: &str) -> TestApp {
    let file = Value::from(data("cities.ttl"));
    TestApp::with(&format!(
        "[[datasets]]\nid = \"remote\"\nfiles = [{file}]\nendpoint = \"http://127.0.0.1:{port}/sparql\"\n{further}"
    ))
    .await
}

/// What `/ready` says of the endpoint.
async fn endpoint_part(app: &TestApp) -> (u16, Value) {
    let response = app.ready().await;
    let status = response.status().as_u16();
    let body = json(response).await;
    let parts = body["parts"].as_array().unwrap();
    (status, parts.iter().find(|part| part["part"] == "dataset remote: endpoint").unwrap().clone())
}

#[tokio::test]
async fn an_endpoint_that_comes_up_after_the_service_is_used() {
    let port = ClosedPort::take();
    let app = app_with_endpoint(port.number(), "").await;
    let refused = app.ask("remote", QUESTION).await;
    assert_eq!(refused.status(), 502);
    assert_eq!(json(refused).await["code"], "endpoint_down");
    assert_eq!(endpoint_part(&app).await.0, 503);
    assert_eq!(app.ask(CITIES, QUESTION).await.status(), 200, "other datasets are not concerned");
    let _endpoint = endpoint_at(port).await;
    assert_eq!(app.ask("remote", QUESTION).await.status(), 200);
    // What was seen is told again for some seconds.
    within("ready again", async {
        while endpoint_part(&app).await.0 == 503 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    })
    .await;
    let (status, part) = endpoint_part(&app).await;
    assert_eq!((status, &part["state"]), (200, &value!("ok")));
}

#[tokio::test]
async fn answers_given_lately_outlive_the_endpoint_and_new_questions_do_not() {
    for (further, status) in [("", 200), ("[cache]\nanswers = 0", 502)] {
        let port = ClosedPort::take();
        let app = app_with_endpoint(port.number(), further).await;
        let endpoint = endpoint_at(port).await;
        let answered = app.ask("remote", QUESTION).await;
        assert_eq!(answered.status(), 200);
        let query = json(answered).await["query"].clone();
        drop(endpoint);
        let again = app.ask("remote", QUESTION).await;
        assert_eq!(again.status(), status, "{further}");
        if status == 200 {
            assert_eq!(json(again).await["query"], query);
        }
        assert_eq!(app.ask("remote", "What is the capital of Italy?").await.status(), 502, "{further}");
        let (ready, part) = endpoint_part(&app).await;
        assert_eq!((ready, &part["state"]), (503, &value!("down")));
        let told = part["detail"].as_str().unwrap().contains("answered recently");
        assert_eq!(told, status == 200, "{part}");
    }
}

#[tokio::test]
async fn an_embedding_server_that_goes_down_leaves_the_search_by_words() {
    install_tls();
    let server = embeddings(3).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.toml");
    let toml = format!("{}[cache]\nembeddings = 0\n", with_embedding(&server.uri(), "small"));
    std::fs::write(&file, toml).unwrap();
    let settings = Settings::load_from(Some(&file), folder.path(), &[]).unwrap();
    let service = startup::open_service(&settings, &NoProgress).await.unwrap();
    let dataset = service.dataset(CITIES).unwrap();
    let schema = &dataset.index.schema;
    let search = async || schema.search(SchemaKind::Property, "capital", 50).await.unwrap();
    let with_vectors = search().await;
    drop(server);
    let by_words = search().await;
    assert_eq!(by_words[0].iri, "https://example.org/cities/capital");
    assert!(
        by_words.len() < with_vectors.len(),
        "the vectors of all properties are alike, their words are not"
    );
}

#[tokio::test]
async fn a_model_that_comes_up_after_the_service_is_used() {
    let port = ClosedPort::take();
    let app = TestApp::with(&format!(
        "[llm]\nbase_url = \"http://127.0.0.1:{}/v1\"\nmodel = \"m\"\nretries = 0",
        port.number()
    ))
    .await;
    let asked = async || {
        let params = [("dataset", CITIES), ("question", QUESTION), ("trace", "true")];
        json(app.text2sparql(&params).await).await["trace"]["answered_by"].clone()
    };
    assert_eq!(asked().await, "planner");
    let model = server_at(port).await;
    let function = value!({"name": "answer", "arguments": value!({ "query": CAPITAL }).to_string()});
    let call = value!({"id": "c", "type": "function", "function": function});
    let message = value!({"role": "assistant", "content": null, "tool_calls": [call]});
    let reply = ResponseTemplate::new(200).set_body_json(value!({ "choices": [{ "message": message }] }));
    Mock::given(method("POST")).respond_with(reply).mount(&model).await;
    assert_eq!(asked().await, "agent");
}

//! The Model Context Protocol at `/mcp`, request by request as clients of both generations send them. The official clients
//! are tried in `testing/tests/outside/mcp.rs`, where they are installed.

use eruca_testing::helpers::{CITIES, QUESTION, SilentModel, TestApp, json, query_log, repository};
use reqwest::header::{HOST, ORIGIN};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json as object};

const EARLIER: &str = "2025-06-18";
const LATER: &str = "2026-07-28";

/// A message as a client of an earlier version sends it.
fn posted(app: &TestApp, message: &Value) -> RequestBuilder {
    let request = app.request(Method::POST, "/mcp").header("mcp-protocol-version", EARLIER);
    request.header("accept", "application/json, text/event-stream").json(message)
}

fn call(id: u32, tool: &str, arguments: Value) -> Value {
    object!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

/// A message as a client of the later version sends it, which asks for word of progress.
fn later(app: &TestApp, method: &str, name: Option<&str>, mut params: Value) -> RequestBuilder {
    params["_meta"] = object!({
        "io.modelcontextprotocol/protocolVersion": LATER,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": "here",
    });
    let message = object!({"jsonrpc": "2.0", "id": "a", "method": method, "params": params});
    let request = app.request(Method::POST, "/mcp").header("mcp-protocol-version", LATER);
    let request =
        request.header("accept", "application/json, text/event-stream").header("mcp-method", method);
    name.iter().fold(request, |request, name| request.header("mcp-name", *name)).json(&message)
}

/// What a tool gave back.
async fn called(request: RequestBuilder) -> Value {
    let said = json(request.send().await.unwrap()).await;
    assert!(said["result"].is_object(), "{said}");
    said["result"].clone()
}

async fn ask(app: &TestApp, question: &str) -> Value {
    called(posted(app, &call(1, "text2sparql", object!({"question": question})))).await
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

/// The messages of a response that comes as events.
async fn events(response: Response) -> Vec<Value> {
    assert!(response.headers()["content-type"].to_str().unwrap().starts_with("text/event-stream"));
    let body = response.text().await.unwrap();
    let data = body.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
    data.filter(|data| !data.is_empty()).map(|data| serde_json::from_str(data).unwrap()).collect()
}

#[tokio::test]
async fn a_client_with_a_handshake_is_served() {
    let app = TestApp::start().await;
    let hello = object!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": EARLIER, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    }});
    let response = posted(&app, &hello).send().await.unwrap();
    let session = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    let said = json(response).await;
    assert_eq!(said["result"]["protocolVersion"], EARLIER, "{said}");
    assert!(said["result"]["instructions"].as_str().unwrap().contains("Never invent an IRI"));
    let ready = object!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let taken = posted(&app, &ready).header("mcp-session-id", &session).send().await.unwrap();
    assert_eq!(taken.status(), 202);
    let list = object!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let listed = called(posted(&app, &list).header("mcp-session-id", &session)).await;
    assert!(listed["tools"].as_array().unwrap().len() >= 9, "{listed}");
    let answered = ask(&app, QUESTION).await;
    let facts = &answered["structuredContent"];
    assert_eq!(facts["dataset"], CITIES);
    assert!(facts["result"]["rows"][0][0].as_str().unwrap().contains("Paris"), "{answered}");
    assert!(text(&answered).contains(facts["query"].as_str().unwrap()));
}

#[tokio::test]
async fn a_client_without_a_handshake_is_served_and_hears_of_progress() {
    let app = TestApp::with("[server]\nquestions_per_minute = 1").await;
    let post = |method: &str, name: Option<&str>, params: Value| later(&app, method, name, params);
    let found = called(post("server/discover", None, object!({}))).await;
    let versions = found["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&LATER.into()) && versions.contains(&EARLIER.into()), "{found}");
    let arguments = object!({"name": "text2sparql", "arguments": {"question": QUESTION}});
    let response = post("tools/call", Some("text2sparql"), arguments).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert!(!response.headers().contains_key("mcp-session-id"));
    let mut said = events(response).await;
    let last = said.pop().unwrap();
    assert_eq!(last["result"]["resultType"], "complete", "{last}");
    assert_eq!(last["result"]["structuredContent"]["answered_by"], "planner", "{last}");
    assert!(!said.is_empty());
    for (number, progress) in said.iter().enumerate() {
        assert_eq!(progress["method"], "notifications/progress", "{progress}");
        assert_eq!(progress["params"]["progressToken"], "here");
        assert_eq!(progress["params"]["progress"].as_f64().unwrap(), (number + 1) as f64);
    }
    let arguments = object!({"name": "search_entity", "arguments": {"query": "Paris"}});
    let refused = called(post("tools/call", Some("search_entity"), arguments)).await;
    assert!(text(&refused).contains("too many requests in a minute"), "{refused}");
}

#[tokio::test]
async fn prefixes_in_rows_are_told_and_a_dataset_is_described() {
    let app = TestApp::start().await;
    let query = "SELECT * { ?s <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> ?c } LIMIT 3";
    let rows = called(posted(&app, &call(1, "execute_sparql", object!({"query": query})))).await;
    let table = &rows["structuredContent"]["result"];
    for cell in table["rows"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap()) {
        let cell = cell.as_str().unwrap();
        let known = cell.split_once(':').is_some_and(|(prefix, _)| table["prefixes"][prefix].is_string());
        assert!(cell.starts_with('<') || known, "{cell} in {table}");
    }
    let described = called(posted(&app, &call(2, "describe_dataset", object!({})))).await;
    let card = described["structuredContent"]["card"].as_str().unwrap();
    assert!(card.contains("capital") && text(&described).contains(card), "{described}");
    let unknown = called(posted(&app, &call(3, "describe_dataset", object!({"dataset": "x"})))).await;
    assert!(unknown["isError"] == true && text(&unknown).contains(CITIES), "{unknown}");
}

#[tokio::test]
async fn a_number_over_nothing_is_no_result_and_no_reason() {
    let app = TestApp::start().await;
    let query = "SELECT (AVG(?n) AS ?a) (COUNT(?n) AS ?c) \
                 { ?x a <https://example.org/cities/Moon> ; <https://example.org/cities/population> ?n }";
    let empty = called(posted(&app, &call(1, "execute_sparql", object!({"query": query})))).await;
    let facts = &empty["structuredContent"];
    assert_eq!(facts["outcome"], "empty", "{facts}");
    assert!(facts["empty"]["reason"].as_str().unwrap().contains("Moon"), "{facts}");
    assert_eq!(facts["empty"]["without"].as_array().map_or(0, Vec::len), 0, "{facts}");

    let query = format!("{query} HAVING (COUNT(?n) > 0)");
    let empty = called(posted(&app, &call(2, "execute_sparql", object!({"query": query})))).await;
    let [without] = empty["structuredContent"]["empty"]["without"].as_array().unwrap().as_slice() else {
        panic!("{empty}");
    };
    assert!(without["condition"].as_str().unwrap().contains("Moon"), "{without}");
    let query = without["query"].as_str().unwrap();
    assert!(query.contains("?value1") && query.contains("?value2") && !query.contains("Moon"), "{query}");
}

#[tokio::test]
async fn the_door_is_that_of_all_routes() {
    let app = TestApp::with("[server]\napi_keys = { shop = \"right\" }").await;
    let message = call(1, "list_datasets", object!({}));
    let ask = || posted(&app, &message);
    let status = async |request: RequestBuilder| request.send().await.unwrap().status().as_u16();
    assert_eq!(status(ask()).await, 401);
    assert_eq!(status(ask().bearer_auth("wrong")).await, 401);
    assert_eq!(status(ask().bearer_auth("right")).await, 200);
    assert_eq!(status(ask().bearer_auth("right").header(HOST, "evil.example")).await, 421);
    assert_eq!(status(ask().bearer_auth("right").header(ORIGIN, "https://evil.example")).await, 403);
    assert_eq!(status(ask().bearer_auth("right").header("sec-fetch-site", "cross-site")).await, 403);
    let plain = app.request(Method::POST, "/mcp").bearer_auth("right").body(message.to_string());
    assert_eq!(status(plain).await, 415);
    assert_eq!(status(ask().bearer_auth("right").body(" ".repeat(300 << 10))).await, 413);
    assert_eq!(status(app.request(Method::GET, "/mcp").bearer_auth("right")).await, 405);
    let off = TestApp::with("[server]\nmcp = false").await;
    assert_eq!(status(posted(&off, &message)).await, 404);
}

#[tokio::test]
async fn broken_messages_are_answered_and_end_nothing() {
    let app = TestApp::start().await;
    for broken in ["", "{", "[]", "null", "1", "{\"jsonrpc\":\"2.0\"}", "{\"id\":{},\"method\":[]}", "\u{0}"]
    {
        let request = posted(&app, &Value::Null).header("mcp-session-id", "x").body(broken);
        let status = request.send().await.unwrap().status();
        assert!(status.is_client_error(), "{broken}: {status}");
    }
    let unknown = object!({"jsonrpc": "2.0", "id": 1, "method": "nothing/known"});
    let said = json(posted(&app, &unknown).send().await.unwrap()).await;
    assert_eq!(said["error"]["code"], -32601, "{said}");
    let stray = object!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    assert_eq!(posted(&app, &stray).header("mcp-session-id", "x").send().await.unwrap().status(), 202);
    assert_eq!(ask(&app, QUESTION).await["isError"], false);
}

#[tokio::test]
async fn calls_count_for_the_limit_of_questions() {
    let app = TestApp::with("[server]\nquestions_per_minute = 1").await;
    assert_eq!(ask(&app, QUESTION).await["isError"], false);
    for (tool, arguments) in [
        ("text2sparql", object!({"question": QUESTION})),
        ("execute_sparql", object!({"query": "ASK { ?s ?p ?o }"})),
        ("search_entity", object!({"query": "Paris"})),
    ] {
        let refused = called(posted(&app, &call(2, tool, arguments))).await;
        assert_eq!(refused["isError"], true, "{refused}");
        assert!(text(&refused).contains("too many requests in a minute; try again in"), "{refused}");
    }
    assert_eq!(app.ask(CITIES, QUESTION).await.status(), 429, "the same limit as elsewhere");
}

#[tokio::test]
async fn calls_take_places_in_the_queue() {
    let model = SilentModel::start().await;
    let app = TestApp::with_room_for_one(&model).await;
    let held =
        tokio::spawn(app.question("/text2sparql", &[("dataset", CITIES), ("question", QUESTION)]).send());
    let connection = model.asked().await;
    for (tool, arguments) in [
        ("text2sparql", object!({"question": "Which cities are there?"})),
        ("execute_sparql", object!({"query": "ASK { ?s ?p ?o }"})),
        ("search_entity", object!({"query": "Paris"})),
    ] {
        let refused = called(posted(&app, &call(2, tool, arguments))).await;
        assert_eq!(refused["isError"], true, "{refused}");
        assert!(text(&refused).contains("try again in"), "{refused}");
    }
    drop((connection, model));
    held.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_search_inside_a_pattern_takes_the_pattern() {
    let app = TestApp::start().await;
    let arguments =
        object!({"pattern": "?country <https://example.org/cities/capital> ?c ; ?p ?o", "variable": "p"});
    let said = called(posted(&app, &call(1, "search_in", arguments))).await;
    assert_eq!(said["isError"], false, "{said}");
    let seen = said["structuredContent"]["observation"].as_str().unwrap();
    assert!(seen.lines().any(|line| line.contains("capital")), "{seen}");
}

#[tokio::test]
async fn where_queries_are_not_taken_no_tool_runs_one() {
    let app = TestApp::with("[server]\nqueries = false").await;
    let list = object!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let listed = called(posted(&app, &list)).await;
    let names: Vec<_> = listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    for tool in ["execute_sparql", "explain_empty", "search_in"] {
        assert!(!names.contains(&tool.into()), "{tool}");
        let query = call(2, tool, object!({"query": "ASK { ?s ?p ?o }"}));
        let said = json(posted(&app, &query).send().await.unwrap()).await;
        assert_eq!(said["error"]["code"], -32602, "{said}");
    }
    assert_eq!(ask(&app, QUESTION).await["isError"], false);
}

#[tokio::test]
async fn questions_are_kept_and_accounted_for_as_others() {
    let logs = tempfile::tempdir().unwrap();
    let folder = Value::from(logs.path().to_str().unwrap());
    let app = TestApp::with(&format!("[log]\nquestions_folder = {folder}")).await;
    let answered = ask(&app, QUESTION).await;
    let run = answered["structuredContent"]["run"]
        .as_str()
        .unwrap()
        .strip_prefix("eruca://runs/")
        .unwrap()
        .to_owned();
    let kept = json(app.get(&format!("/runs/{run}")).await).await;
    assert_eq!((&kept["question"], &kept["state"]), (&QUESTION.into(), &"done".into()), "{kept}");
    let metrics = app.get("/metrics").await.text().await.unwrap();
    assert!(metrics.lines().any(|line| line.contains("questions") && line.ends_with(" 1")), "{metrics}");
    let logged = std::fs::read_to_string(query_log(logs.path())).unwrap();
    assert!(logged.contains(QUESTION), "{logged}");
}

#[tokio::test]
async fn a_call_is_ended_by_a_message_of_the_same_client_alone() {
    let model = SilentModel::start().await;
    let settings = format!("[llm]\nbase_url = \"{}\"\nmodel = \"silent\"\nretries = 0", model.url);
    let app = TestApp::with(&settings).await;
    let question = call(7, "text2sparql", object!({"question": QUESTION}));
    let waiting = tokio::spawn(posted(&app, &question).header("mcp-session-id", "mine").send());
    let mut asked = model.asked().await;
    let end = object!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    for (session, id) in [("another", 7), ("mine", 8)] {
        let mut end = end.clone();
        end["params"]["requestId"] = id.into();
        posted(&app, &end).header("mcp-session-id", session).send().await.unwrap();
    }
    // The service still answers others, and the call goes on: its model has not been hung up on.
    assert_eq!(app.health().await.status(), 200);
    let mut byte = [0; 1];
    assert!(tokio::io::AsyncReadExt::read(&mut asked, &mut byte).await.unwrap() > 0);
    assert!(!waiting.is_finished());
    posted(&app, &end).header("mcp-session-id", "mine").send().await.unwrap();
    assert_eq!(waiting.await.unwrap().unwrap().status(), 204);
    let mut request = Vec::new();
    tokio::io::AsyncReadExt::read_to_end(&mut asked, &mut request).await.unwrap();
}

/// The registry takes no longer description, and a version that is none of ours would lead nowhere.
#[test]
fn the_entry_for_the_registry_is_of_this_version() {
    let entry = std::fs::read_to_string(repository().join("server.json")).unwrap();
    let entry: Value = serde_json::from_str(&entry).unwrap();
    assert_eq!(entry["version"], env!("CARGO_PKG_VERSION"));
    let image = entry["packages"][0]["identifier"].as_str().unwrap();
    assert!(image.ends_with(concat!(":", env!("CARGO_PKG_VERSION"))), "{image}");
    assert!(entry["description"].as_str().unwrap().chars().count() <= 100);
    let label = format!("io.modelcontextprotocol.server.name={}", entry["name"]);
    assert!(std::fs::read_to_string(repository().join("Dockerfile")).unwrap().contains(&label), "{label}");
}

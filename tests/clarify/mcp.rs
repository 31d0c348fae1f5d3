//! Over MCP the person at the client is asked, once, where the client can; else the text of the answer says how to choose.

use super::{BOUGHT, EITHER, MADE, PLAIN, open};
use eruca_testing::helpers::{TestApp, json};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json as object};

const EARLIER: &str = "2025-06-18";
const LATER: &str = "2026-07-28";

/// A client that introduced itself once.
struct Client<'a> {
    app: &'a TestApp,
    session: String,
}

impl<'a> Client<'a> {
    async fn hello(app: &'a TestApp, capabilities: Value) -> Self {
        let hello = object!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": EARLIER, "capabilities": capabilities, "clientInfo": {"name": "test", "version": "1"},
        }});
        let mut client = Self { app, session: "none".to_owned() };
        let response = client.post(&hello).send().await.unwrap();
        client.session = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        client
    }

    fn post(&self, message: &Value) -> RequestBuilder {
        let request = self.app.request(Method::POST, "/mcp").header("mcp-protocol-version", EARLIER);
        let request = request.header("mcp-session-id", &self.session);
        request.header("accept", "application/json, text/event-stream").json(message)
    }

    async fn call(&self, arguments: Value, progress: bool) -> Response {
        let mut params = object!({"name": "text2sparql", "arguments": arguments});
        if progress {
            params["_meta"] = object!({"progressToken": "p"});
        }
        let call = object!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
        self.post(&call).send().await.unwrap()
    }

    /// Sends what the person did, and gives the status.
    async fn say(&self, id: &Value, result: Value) -> u16 {
        let said = object!({"jsonrpc": "2.0", "id": id, "result": result});
        self.post(&said).send().await.unwrap().status().as_u16()
    }
}

/// The messages of a response, as they come.
struct Messages(Response, String);

impl Messages {
    fn of(response: Response) -> Self {
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self(response, String::new())
    }

    async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((block, rest)) = self.1.split_once("\n\n") {
                let data = block.lines().find_map(|line| line.strip_prefix("data:")).map(str::to_owned);
                self.1 = rest.to_owned();
                match data.filter(|data| !data.trim().is_empty()) {
                    Some(data) => return Some(serde_json::from_str(&data).unwrap()),
                    None => continue,
                }
            }
            self.1 += std::str::from_utf8(&self.0.chunk().await.unwrap()?).unwrap();
        }
    }

    /// The next message with this method; all others are word of progress.
    async fn asked(&mut self) -> Value {
        loop {
            let message = self.next().await.expect("a question");
            match message["method"].as_str() {
                Some("elicitation/create") => return message,
                Some("notifications/progress") => {}
                _ => panic!("{message}"),
            }
        }
    }

    /// The result, which is the last message.
    async fn result(mut self) -> Value {
        let mut last = Value::Null;
        while let Some(message) = self.next().await {
            assert_ne!(message["method"], "elicitation/create", "nobody is asked twice");
            last = message;
        }
        assert!(last["result"].is_object(), "{last}");
        last["result"].clone()
    }
}

fn question(text: &str) -> Value {
    object!({"question": text, "dataset": "lamps"})
}

fn accept(label: &str) -> Value {
    object!({"action": "accept", "content": {"choice": label}})
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}"))
}

/// That an answer is the first one, and says how to choose.
fn assert_first(result: &Value) {
    let facts = &result["structuredContent"];
    assert!(facts["query"].as_str().unwrap().contains(MADE), "{result}");
    assert_eq!(facts["clarify"]["question"], "Which is meant?", "{result}");
    assert_eq!(facts["clarify"]["options"][1], object!({"label": "date acquired", "iri": BOUGHT}));
    assert!(text(result).contains(BOUGHT) && text(result).contains("`prefers`"), "{result}");
}

/// That an answer is the one that was chosen.
fn assert_chosen(result: &Value) {
    let facts = &result["structuredContent"];
    assert!(facts["query"].as_str().is_some_and(|query| query.contains(BOUGHT)), "{result}");
    assert!(facts.get("clarify").is_none() && !text(result).contains("`prefers`"), "{result}");
}

#[tokio::test]
async fn a_person_is_asked_and_the_choice_is_answered() {
    let app = open("").await;
    let client = Client::hello(&app, object!({"elicitation": {}})).await;
    for progress in [false, true] {
        let mut messages = Messages::of(client.call(question(EITHER), progress).await);
        let asked = messages.asked().await;
        let form = &asked["params"];
        assert_eq!(form["message"], format!("{EITHER}\nWhich is meant?"));
        let field = &form["requestedSchema"]["properties"]["choice"];
        assert_eq!(field["enum"], object!(["date made", "date acquired"]), "{asked}");
        assert_eq!(form["requestedSchema"]["required"], object!(["choice"]));
        assert_eq!(client.say(&asked["id"], accept("date acquired")).await, 202);
        assert_chosen(&messages.result().await);
        assert_eq!(client.say(&asked["id"], accept("date made")).await, 400, "nobody waits for it");
    }
}

#[tokio::test]
async fn who_declines_leaves_or_says_something_else_gets_the_first_answer() {
    let app = open("").await;
    let client = Client::hello(&app, object!({"elicitation": {"form": {}}})).await;
    for said in [
        object!({"action": "decline"}),
        object!({"action": "cancel"}),
        accept("the other one"),
        object!({"action": "accept"}),
        object!("date acquired"),
    ] {
        let mut messages = Messages::of(client.call(question(EITHER), false).await);
        let asked = messages.asked().await;
        assert_eq!(client.say(&asked["id"], said).await, 202);
        assert_first(&messages.result().await);
    }
    let mut messages = Messages::of(client.call(question(EITHER), false).await);
    let asked = messages.asked().await;
    let error = object!({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32603, "message": "no"}});
    assert_eq!(client.post(&error).send().await.unwrap().status(), 202);
    assert_first(&messages.result().await);
}

#[tokio::test]
async fn a_stranger_says_nothing() {
    let app = open("").await;
    let client = Client::hello(&app, object!({"elicitation": {}})).await;
    let stranger = Client::hello(&app, object!({"elicitation": {}})).await;
    let mut messages = Messages::of(client.call(question(EITHER), false).await);
    let asked = messages.asked().await;
    assert_eq!(stranger.say(&asked["id"], accept("date acquired")).await, 400);
    assert_eq!(client.say(&object!("0"), accept("date acquired")).await, 400);
    assert_eq!(client.say(&asked["id"], object!({"action": "decline"})).await, 202);
    assert_first(&messages.result().await);
}

#[tokio::test]
async fn a_person_who_says_nothing_holds_up_nobody() {
    let app = open("[server]\nmax_concurrent_questions = 1\nmax_waiting_questions = 0").await;
    let client = Client::hello(&app, object!({"elicitation": {}})).await;
    let mut arguments = question(EITHER);
    arguments["deadline_seconds"] = 4.into();
    let mut messages = Messages::of(client.call(arguments, false).await);
    let asked = messages.asked().await;
    // The only place is free while the person thinks.
    let other = super::asked(&app, PLAIN, object!({})).await;
    assert_eq!(other["state"], "done", "{other}");
    assert_first(&messages.result().await);
    assert_eq!(client.say(&asked["id"], accept("date acquired")).await, 400, "too late");
}

#[tokio::test]
async fn a_call_is_ended_while_its_person_is_asked() {
    let app = open("").await;
    let client = Client::hello(&app, object!({"elicitation": {}})).await;
    let mut messages = Messages::of(client.call(question(EITHER), false).await);
    let asked = messages.asked().await;
    let end = object!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    assert_eq!(client.post(&end).send().await.unwrap().status(), 202);
    assert_eq!(messages.next().await, None);
    assert_eq!(client.say(&asked["id"], accept("date acquired")).await, 400);
}

#[tokio::test]
async fn nobody_is_asked_where_nothing_competes_or_the_client_cannot() {
    let app = open("").await;
    let able = Client::hello(&app, object!({"elicitation": {}})).await;
    let plain = json(able.call(question(PLAIN), false).await).await;
    assert!(plain["result"]["structuredContent"].get("clarify").is_none(), "{plain}");
    let mut chosen = question(EITHER);
    chosen["prefers"] = object!([BOUGHT]);
    assert_chosen(&json(able.call(chosen.clone(), false).await).await["result"]);
    for unable in [object!({}), object!({"elicitation": {"url": {}}})] {
        let client = Client::hello(&app, unable).await;
        assert_first(&json(client.call(question(EITHER), false).await).await["result"]);
        assert_chosen(&json(client.call(chosen.clone(), false).await).await["result"]);
    }
    let mut wrong = question(EITHER);
    wrong["prefers"] = object!([1]);
    let refused = json(able.call(wrong, false).await).await["result"].clone();
    assert!(refused["isError"] == true && text(&refused).contains("`prefers`"), "{refused}");
}

/// A call of a client that introduces itself with every request.
async fn later(app: &TestApp, capabilities: Value, more: Value) -> Value {
    let mut params = object!({"name": "text2sparql", "arguments": question(EITHER)});
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    params["_meta"] = object!({
        "io.modelcontextprotocol/protocolVersion": LATER,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    let call = object!({"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": params});
    let request = app.request(Method::POST, "/mcp").header("mcp-protocol-version", LATER);
    let request = request.header("accept", "application/json, text/event-stream");
    let request = request.header("mcp-method", "tools/call").header("mcp-name", "text2sparql");
    json(request.json(&call).send().await.unwrap()).await["result"].clone()
}

#[tokio::test]
async fn a_client_without_a_handshake_asks_by_itself_and_calls_again() {
    let app = open("").await;
    let able = object!({"elicitation": {"form": {}}});
    let wanted = later(&app, able.clone(), object!({})).await;
    assert_eq!(wanted["resultType"], "input_required", "{wanted}");
    let asked = &wanted["inputRequests"]["choice"];
    assert_eq!(asked["method"], "elicitation/create", "{wanted}");
    let field = &asked["params"]["requestedSchema"]["properties"]["choice"];
    assert_eq!(field["enum"], object!(["date made", "date acquired"]), "{wanted}");
    let again = async |said: Value, state: &Value| {
        later(&app, able.clone(), object!({"inputResponses": {"choice": said}, "requestState": state})).await
    };
    let state = &wanted["requestState"];
    assert_chosen(&again(accept("date acquired"), state).await);
    for said in [object!({"action": "decline"}), object!({"action": "cancel"}), object!(1)] {
        assert_first(&again(said, state).await);
    }
    for state in [object!("x"), object!("0".repeat(32)), Value::Null] {
        assert_first(&again(accept("date acquired"), &state).await);
    }
    assert_first(&later(&app, object!({}), object!({})).await);
}

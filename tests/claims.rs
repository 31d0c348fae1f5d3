//! Each sentence of an answer comes with what supports it, where that is wanted; a sentence that nothing supports is marked.

use eruca::llm::{ScriptedModel, ScriptedTurn};
use eruca_testing::helpers::{CITIES, QUESTION, TestApp, json};
use eruca_testing::scripted::{answers, served};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use std::sync::Arc;

/// The claims of a question that the planner answers.
async fn planned(question: &str) -> Vec<Value> {
    let app = TestApp::start().await;
    let body = json!({"dataset": CITIES, "question": question, "claims": true});
    let run = json(app.request(Method::POST, "/ask").json(&body).send().await.unwrap()).await;
    run["claims"].as_array().unwrap_or_else(|| panic!("{run:#}")).clone()
}

/// The claims of a model's words over a query of the demo graph.
async fn told(question: &str, query: &str, words: &str) -> Vec<Value> {
    let turns = [answers(query), ScriptedTurn::text(words)];
    let (_setup, url, _server) = served(Arc::new(ScriptedModel::new(turns))).await;
    let body = json!({"question": question, "claims": true});
    let run: Value =
        Client::new().post(format!("{url}/ask")).json(&body).send().await.unwrap().json().await.unwrap();
    assert_eq!(run["answer"]["text"], words, "{run:#}");
    run["claims"].as_array().unwrap_or_else(|| panic!("{run:#}")).clone()
}

fn labels(triple: &Value) -> Vec<&str> {
    triple.as_array().unwrap().iter().map(|term| term["label"].as_str().unwrap_or_default()).collect()
}

#[tokio::test]
async fn a_sentence_has_the_triples_of_its_row() {
    let claims = planned(QUESTION).await;
    let first = &claims[0];
    assert_eq!((&first["support"], &first["supported"]), (&json!("triples"), &json!(true)), "{claims:#?}");
    assert!(first["text"].as_str().unwrap().contains("Paris"), "{first}");
    let triples = first["triples"].as_array().unwrap();
    let is_it = |triple: &Value| labels(triple).contains(&"Paris") && labels(triple).contains(&"France");
    assert!(triples.iter().any(is_it), "{first:#}");
}

#[tokio::test]
async fn a_number_says_what_it_was_counted_over() {
    let claims = planned("How many cities are located in Germany?").await;
    let first = &claims[0];
    assert_eq!((&first["support"], &first["counted"]), (&json!("count"), &json!(2)), "{claims:#?}");
    assert!(!first["triples"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn a_sentence_of_a_model_that_nothing_supports_is_marked() {
    let words =
        "Tokyo is the capital of Japan. It was founded by Ieyasu Tokugawa in 1603. It is worth a visit.";
    let query = "SELECT ?c WHERE { demo:Japan geo:capital ?c }";
    let claims = told("What is the capital of Japan?", query, words).await;
    let found: Vec<_> = claims
        .iter()
        .map(|claim| (claim["support"].as_str().unwrap(), claim["supported"].as_bool()))
        .collect();
    assert_eq!(found, [("triples", Some(true)), ("none", Some(false)), ("remark", None)], "{claims:#?}");
    let unverified = claims[1]["unverified"].as_array().unwrap();
    assert!(unverified.contains(&json!("1603")) && unverified.len() == 2, "{unverified:?}");
}

#[tokio::test]
async fn a_wrong_number_in_a_sentence_about_a_row_is_marked() {
    let query = "SELECT ?c ?n WHERE { demo:Japan geo:capital ?c . ?c geo:population ?n }";
    let words = "Tokyo has 99,000,123 people.";
    let claims = told("How many people live in the capital of Japan?", query, words).await;
    assert_eq!(
        (&claims[0]["support"], &claims[0]["supported"]),
        (&json!("triples"), &json!(false)),
        "{claims:#?}"
    );
    assert_eq!(claims[0]["unverified"], json!(["99,000,123"]));
}

#[tokio::test]
async fn nobody_pays_for_claims_that_were_not_asked_for() {
    let app = TestApp::start().await;
    for body in [
        json!({"dataset": CITIES, "question": QUESTION}),
        json!({"dataset": CITIES, "question": QUESTION, "claims": true, "answer": false}),
    ] {
        let run = json(app.request(Method::POST, "/ask").json(&body).send().await.unwrap()).await;
        assert!(run.get("claims").is_none(), "{run:#}");
    }
}

#[tokio::test]
async fn chat_clients_get_claims_beside_the_answer() {
    let app = TestApp::start().await;
    let ask = async |claims: bool| {
        let messages = json!([{"role": "user", "content": QUESTION}]);
        let body = json!({"model": CITIES, "messages": messages, "claims": claims});
        json(app.request(Method::POST, "/v1/chat/completions").json(&body).send().await.unwrap()).await
    };
    assert_eq!(ask(true).await["claims"][0]["supported"], true);
    assert!(ask(false).await.get("claims").is_none());
}

#[tokio::test]
async fn mcp_clients_get_claims_when_they_ask_for_them() {
    let app = TestApp::start().await;
    let arguments = json!({"question": QUESTION, "dataset": CITIES, "claims": true});
    let params = json!({"name": "text2sparql", "arguments": arguments});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let request =
        app.request(Method::POST, "/mcp").json(&body).header("accept", "application/json, text/event-stream");
    let said = json(request.header("mcp-protocol-version", "2025-06-18").send().await.unwrap()).await;
    let claim = &said["result"]["structuredContent"]["claims"][0];
    assert_eq!(claim["supported"], "yes", "{said:#}");
    assert!(claim["triples"][0].as_str().unwrap().contains("Paris"), "{claim}");
}

#[tokio::test]
async fn they_are_looked_up_for_a_run_that_was_asked_without_them() {
    let app = TestApp::start().await;
    let ask = async |claims: bool| {
        let body = json!({"dataset": CITIES, "question": QUESTION, "claims": claims});
        json(app.request(Method::POST, "/ask").json(&body).send().await.unwrap()).await
    };
    let (with, without) = (ask(true).await, ask(false).await);
    assert!(without.get("claims").is_none_or(|claims| claims == &json!([])), "{without:#}");
    let later = async |run: &Value| {
        let path = format!("/runs/{}/claims", run["id"].as_str().unwrap());
        json(app.request(Method::GET, &path).send().await.unwrap()).await["claims"].clone()
    };
    assert_eq!(later(&without).await, with["claims"]);
    assert_eq!(later(&with).await, with["claims"]);
}

//! The working graph of a question: triples of several steps are remembered, queried together, used by programs, and given as
//! Turtle; the answer runs on the dataset.

use eruca::llm::{ScriptedModel, ScriptedTurn};
use eruca::trace::{AnsweredBy, StopReason};
use eruca_api::ComputedValue;
use eruca_testing::scripted::{Conversation, Setup, answers, served, tries};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use std::sync::Arc;

const NEIGHBOURS: &str = "CONSTRUCT { demo:Germany geo:borders ?n } WHERE { demo:Germany geo:borders ?n }";
const PEOPLE: &str = "CONSTRUCT { ?c geo:population ?n } WHERE { ?c a geo:Country ; geo:continent demo:Europe ; geo:population ?n }";
const JOINED: &str =
    "SELECT ?c ?n WHERE { demo:Germany geo:borders ?c . ?c geo:population ?n } ORDER BY DESC(?n)";
const GERMANY: &str = "SELECT ?n WHERE { demo:Germany geo:population ?n }";

fn remembers(what: &str) -> ScriptedTurn {
    ScriptedTurn::call("remember", json!({ "what": what }))
}

fn recalls(query: &str) -> ScriptedTurn {
    ScriptedTurn::call("query_memory", json!({ "query": query }))
}

/// Without drafts, so that the first result of the model is `r1`.
async fn talk(question: &str, turns: Vec<ScriptedTurn>) -> Conversation {
    let talk = Setup::new("[helps]\ndrafts = false\n").ask(question, turns).await;
    assert!(talk.is_over(), "{} turns are left: {:#?}", talk.model.remaining(), talk.tools());
    talk
}

#[tokio::test]
async fn triples_of_several_queries_are_joined_and_computed_with() {
    let program = "return percent(sum(r3, 'n'), 82000000)";
    let turns = vec![
        tries(NEIGHBOURS).and_call("execute_sparql", json!({ "query": PEOPLE })),
        remembers("r1").and_call("remember", json!({"what": "R2"})),
        recalls(JOINED),
        ScriptedTurn::call("compute", json!({ "program": program })),
        ScriptedTurn::call("answer", json!({"query": GERMANY, "form": "values", "computed": "c1"})),
    ];
    let talk = talk("How many people do the neighbours of Germany have, per hundred Germans?", turns).await;
    assert!(talk.observation(0).ends_with("(kept as r1)"), "{}", talk.observation(0));
    assert!(
        talk.observation(2).contains("9 triples of r1\n(9 added; the working graph has 9 triples)"),
        "{}",
        talk.observation(2)
    );
    assert!(talk.observation(3).contains("triples of r2\n("), "{}", talk.observation(3));
    assert!(talk.observation(4).contains("demo:France"), "{}", talk.observation(4));
    assert!(talk.observation(4).contains("(kept as r3, from the working graph;"), "{}", talk.observation(4));
    let computed = talk.answered.trace.computed.as_ref().unwrap();
    assert!(computed.inputs[0].from_memory && computed.inputs[0].name == "r3");
    assert!(matches!(computed.value(), Some(ComputedValue::Number(share)) if *share > 100.0), "{computed:?}");
    assert!(talk.answered.memory.len() > 20);
}

#[tokio::test]
async fn proofs_of_rows_and_entries_are_remembered() {
    let capitals = "SELECT ?city WHERE { demo:France geo:borders ?c . ?c geo:capital ?city ; geo:continent demo:Europe }";
    let shared = "SELECT ?c WHERE { demo:France geo:borders ?c . demo:Germany geo:borders ?c }";
    let turns = vec![
        tries(capitals),
        remembers("r1"),
        remembers("demo:Germany"),
        recalls(
            "SELECT ?city WHERE { demo:Germany geo:borders ?c . demo:France geo:borders ?c . ?c geo:capital ?city }",
        ),
        answers(&format!("SELECT ?city WHERE {{ {{ {shared} }} ?c geo:capital ?city }}")),
    ];
    let talk = talk("What are the capitals of the common neighbours of France and Germany?", turns).await;
    assert!(
        talk.observation(1).contains("triples that prove 6 of the 6 rows of r1"),
        "{}",
        talk.observation(1)
    );
    assert!(talk.observation(2).contains("triples of demo:Germany \"Germany\""), "{}", talk.observation(2));
    assert!(
        talk.observation(3).contains("demo:Bern") || talk.observation(3).contains("demo:Brussels"),
        "{}",
        talk.observation(3)
    );
    assert_eq!(talk.answered.trace.stop, StopReason::Answered);
}

#[tokio::test]
async fn a_query_of_the_working_graph_is_no_answer() {
    let all = "SELECT ?c WHERE { ?c geo:continent demo:South_America }";
    let turns = vec![
        remembers("demo:Peru"),
        recalls(all),
        remembers("demo:Chile"),
        recalls(all),
        remembers("r1"),
        recalls("SELECT ?c WHERE { ?c geo:continent demo:Africa }"),
        answers(all),
    ];
    let talk = talk("Which countries are in South America?", turns).await;
    assert_eq!(talk.outcomes(), ["ok", "ok", "ok", "ok", "bad_call", "empty", "ok"], "{:#?}", talk.tools());
    assert!(talk.observation(1).starts_with("?c\ndemo:Peru"), "{}", talk.observation(1));
    assert!(
        talk.observation(3).contains("demo:Chile"),
        "asked again, with more triples: {}",
        talk.observation(3)
    );
    assert!(talk.observation(4).contains("its triples are there already"), "{}", talk.observation(4));
    assert!(talk.rows().len() > 5, "the answer comes from the dataset: {:?}", talk.rows());
}

#[tokio::test]
async fn what_cannot_be_remembered_or_queried_is_told() {
    let turns = vec![
        remembers("r1"),
        remembers("demo:Atlantis"),
        recalls("ASK { ?s ?p ?o }"),
        remembers("demo:Australia"),
        recalls("SELECT * { SERVICE <http://far.example/sparql> { ?s ?p ?o } }"),
        recalls("INSERT DATA { demo:a demo:b demo:c }"),
        recalls(
            "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n1 ?o . ?p ?q ?r . ?s ?t ?u . ?v ?w ?x . ?y ?z ?a1 }",
        ),
        answers(GERMANY),
    ];
    let setup = Setup::new("[helps]\ndrafts = false\nreview = false\n[agent]\ndeadline_seconds = 25\n");
    let talk = setup.ask("How many people live in Germany?", turns).await;
    let said =
        |at: usize, words: &str| assert!(talk.observation(at).contains(words), "{}", talk.observation(at));
    said(0, "there are no results yet");
    said(1, "no triple about demo:Atlantis");
    said(2, "The working graph is empty");
    said(4, "SERVICE <http://far.example/sparql> is not allowed");
    said(5, "is an update");
    assert_eq!(talk.outcomes()[6], "timeout", "{}", talk.observation(6));
    assert_eq!(talk.answered.trace.answered_by, AnsweredBy::Agent);
}

#[tokio::test]
async fn without_the_feature_nothing_is_remembered() {
    let talk = Setup::new("[helps]\nmemory = false\n")
        .ask("How many people live in Germany?", [answers(GERMANY)])
        .await;
    let offered = &talk.model.requests()[0].tools;
    assert!(offered.iter().all(|tool| !["remember", "query_memory"].contains(&tool.name)));
    assert!(talk.answered.memory.is_empty());
}

/// The graph of what becomes of a question, as it is sent.
async fn graph(turns: Vec<ScriptedTurn>, question: &str) -> (String, String) {
    let (_setup, url, _server) = served(Arc::new(ScriptedModel::new(turns))).await;
    let client = Client::new();
    let run: Value = client
        .post(format!("{url}/ask"))
        .json(&json!({ "question": question }))
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let response =
        client.get(format!("{url}/runs/{}/graph", run["id"].as_str().unwrap())).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
    (kind, response.text().await.unwrap())
}

#[tokio::test]
async fn the_working_graph_is_given_as_turtle() {
    let turns = vec![tries(NEIGHBOURS), remembers("r1"), answers(GERMANY), ScriptedTurn::text("Many.")];
    let (kind, turtle) = graph(turns, "Say how many humans dwell there.").await;
    assert!(kind.starts_with("text/turtle"), "{kind}");
    assert!(turtle.starts_with("# The working graph"), "{turtle}");
    assert!(turtle.contains("demo:Germany geo:borders demo:Austria"), "{turtle}");
    assert!(!turtle.contains("@prefix owl"), "{turtle}");
}

#[tokio::test]
async fn without_a_working_graph_the_support_of_the_rows_is_given() {
    let (_, turtle) =
        graph(vec![answers(GERMANY), ScriptedTurn::text("Many.")], "How many people live in Germany?").await;
    assert!(turtle.starts_with("# The triples that make 1 of 1 rows results"), "{turtle}");
    assert!(turtle.contains("demo:Germany geo:population "), "{turtle}");
}

//! The test set of a dataset: questions made from a graph, judged by a person, kept, and asked again.

use crate::cli::eruca;
use eruca_testing::helpers::{TestApp, json};
use eruca_testing::programs::{output_of, stderr, stdout};
use reqwest::Method;
use serde_json::{Value, json as made};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tempfile::TempDir;

/// Museums and painters, with wages that nobody may see.
const ART: &str = r#"
@prefix a: <http://art.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
a:Museum rdfs:label "museum"@en, "Museum"@de . a:Painting rdfs:label "painting"@en, "Gemälde"@de . a:Town rdfs:label "town"@en, "Stadt"@de .
a:town rdfs:label "town"@en, "Stadt"@de . a:visitors rdfs:label "visitors"@en, "Besucher"@de . a:height rdfs:label "height"@en, "Höhe"@de .
a:museum rdfs:label "museum"@en, "Museum"@de . a:made rdfs:label "date"@en, "Datum"@de . a:wage rdfs:label "wage"@en, "Lohn"@de .
a:t1 a a:Town ; rdfs:label "Ulm" . a:t2 a a:Town ; rdfs:label "Bern" . a:t3 a a:Town ; rdfs:label "Graz" .
a:m1 a a:Museum ; rdfs:label "Old House" ; a:town a:t1 ; a:visitors 12000 ; a:wage 41 .
a:m2 a a:Museum ; rdfs:label "New House" ; a:town a:t1 ; a:visitors 52000 ; a:wage 42 .
a:m3 a a:Museum ; rdfs:label "Red House" ; a:town a:t2 ; a:visitors 230000 ; a:wage 43 .
a:m4 a a:Museum ; rdfs:label "Blue House" ; a:town a:t3 .
a:p1 a a:Painting ; rdfs:label "Dawn" ; a:museum a:m1 ; a:height 30 ; a:made "1890-05-01"^^xsd:date .
a:p2 a a:Painting ; rdfs:label "Dusk" ; a:museum a:m1 ; a:height 55 ; a:made "1901-02-03"^^xsd:date .
a:p3 a a:Painting ; rdfs:label "Noon" ; a:museum a:m2 ; a:height 80 ; a:made "1923-09-12"^^xsd:date .
a:p4 a a:Painting ; rdfs:label "Rain" ; a:museum a:m3 ; a:height 120 ; a:made "1950-01-01"^^xsd:date .
a:p5 a a:Painting ; rdfs:label "Snow" ; a:museum a:m3 ; a:height 42 ; a:made "1960-01-01"^^xsd:date ."#;
const HIDDEN: &str = "[hidden]\nterms = [\"a:wage\"]\n";
const TESTS: &str = "/datasets/art/tests";

/// A folder with the graph and a configuration.
fn gallery(more: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("known/questions")).unwrap();
    std::fs::write(folder.path().join("art.ttl"), ART).unwrap();
    std::fs::write(folder.path().join("known/ours.toml"), HIDDEN).unwrap();
    let path = |name: &str| Value::from(folder.path().join(name).to_str().unwrap());
    let settings = format!(
        "{more}\n[[datasets]]\nid = \"art\"\nfiles = [{}]\nindex = {}\nknowledge = {}\n",
        path("art.ttl"),
        path("index"),
        path("known")
    );
    (folder, settings)
}

async fn all(app: &TestApp, query: &str) -> Value {
    json(app.get(&format!("{TESTS}{query}")).await).await
}

async fn post(app: &TestApp, path: &str, body: Value) -> (u16, Value) {
    let response = app.request(Method::POST, path).json(&body).send().await.unwrap();
    (response.status().as_u16(), json(response).await)
}

async fn ask(app: &TestApp, question: &str) -> Value {
    post(app, "/ask", made!({"dataset": "art", "question": question, "test": true})).await.1
}

fn texts<'a>(all: &'a Value, key: &str) -> Vec<&'a str> {
    all["proposals"].as_array().unwrap().iter().map(|one| one[key].as_str().unwrap()).collect()
}

#[tokio::test]
async fn questions_are_spread_are_the_same_each_time_and_know_nothing_hidden() {
    let (_folder, settings) = gallery("");
    let app = TestApp::with(&settings).await;
    let found = all(&app, "").await;
    assert_eq!(found, all(&app, "").await);
    let languages: BTreeSet<&str> =
        found["languages"].as_array().unwrap().iter().map(|tag| tag.as_str().unwrap()).collect();
    assert_eq!(languages, BTreeSet::from(["de", "en"]));
    let (questions, constructs) = (texts(&found, "question"), texts(&found, "construct"));
    assert!(questions.len() >= 20, "{questions:#?}");
    let kinds: BTreeSet<&str> = constructs.iter().copied().collect();
    for kind in [
        "value",
        "count",
        "filter",
        "superlative",
        "truth",
        "bound",
        "comparison",
        "negation",
        "average",
        "date",
    ] {
        assert!(kinds.contains(kind), "{kind}: {questions:#?}");
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    constructs.iter().for_each(|kind| *counts.entry(kind).or_default() += 1);
    assert!(counts.values().all(|count| *count <= 4), "{counts:?}");
    assert_eq!(texts(&found, "lang").into_iter().collect::<BTreeSet<_>>(), BTreeSet::from(["de", "en"]));
    let text = found.to_string().to_lowercase();
    assert!(!text.contains("wage") && !text.contains("lohn"), "{text}");
    let few = all(&app, "?count=5").await;
    assert_eq!(texts(&few, "id"), texts(&found, "id")[..5]);
    let german = all(&app, "?lang=de").await;
    assert!(texts(&german, "lang").iter().all(|tag| *tag == "de"), "{german}");
    assert_ne!(texts(&all(&app, "?seed=7").await, "question"), questions);
    // Each was made from a query that gives something.
    for query in texts(&found, "query") {
        let (status, run) = post(&app, "/query", made!({"dataset": "art", "query": query})).await;
        assert_eq!(status, 200, "{query}: {run}");
        assert_ne!(run["rows"]["row_count"], 0, "{query}");
    }
}

#[tokio::test]
async fn what_is_judged_is_kept_scored_and_asked_again() {
    let (folder, settings) = gallery("");
    let app = TestApp::with(&settings).await;
    let first = all(&app, "?lang=en").await["proposals"][0].clone();
    let run = ask(&app, first["question"].as_str().unwrap()).await;
    let said = made!({"run": run["id"], "right": true, "id": first["id"], "construct": first["construct"], "by": "Ada"});
    let (status, kept) = post(&app, TESTS, said).await;
    assert_eq!(
        (status, &kept["test"]["by"], &kept["score"]["all"]["right"]),
        (200, &made!("Ada"), &made!(1))
    );
    let now = all(&app, "?lang=en").await;
    assert!(!texts(&now, "id").contains(&first["id"].as_str().unwrap()), "{now}");
    assert_eq!(now["judged"], 1);

    // Wrong: how many museums there are is not how many towns there are.
    let run = ask(&app, "How many museums are there?").await;
    let towns = "SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE { ?x a a:Town }";
    let (status, compared) =
        post(&app, &format!("{TESTS}/compare"), made!({"run": run["id"], "query": towns})).await;
    assert_eq!((status, &compared["same"], &compared["first"]), (200, &made!(false), &made!(["3"])));
    let (_, kept) = post(&app, TESTS, made!({"run": run["id"], "right": false, "query": towns})).await;
    let own = kept["test"]["id"].as_str().unwrap().to_owned();
    assert_eq!((&kept["test"]["construct"], &kept["test"]["known"]), (&made!("own"), &made!(true)));
    let (_, again) = post(&app, &format!("{TESTS}/{own}/again"), made!({})).await;
    assert_eq!((&again["right"], &again["reason"]), (&made!(false), &made!("other")));

    // Without a correction it stays wrong until it is judged anew.
    let (_, kept) = post(&app, TESTS, made!({"run": run["id"], "right": false})).await;
    assert_eq!((&kept["test"]["id"], &kept["score"]["open"]), (&made!(own), &made!(1)));
    let (_, again) = post(&app, &format!("{TESTS}/{own}/again"), made!({})).await;
    assert_eq!((&again["right"], &again["reason"]), (&made!(false), &made!("same")));
    post(&app, TESTS, made!({"run": run["id"], "right": true})).await;
    let (_, again) = post(&app, &format!("{TESTS}/{own}/again"), made!({})).await;
    assert_eq!((&again["right"], &again["reason"]), (&made!(true), &Value::Null));
    let file = std::fs::read_to_string(folder.path().join("known/tests.jsonl")).unwrap();
    assert_eq!(file.lines().count(), 2, "{file}");

    for (body, status) in [
        (made!({"run": run["id"], "right": false, "query": "SELECT nonsense"}), 422),
        (made!({"run": "0".repeat(32), "right": true}), 404),
        (made!({"run": run["id"], "right": true, "other": 1}), 422),
    ] {
        assert_eq!(post(&app, TESTS, body.clone()).await.0, status, "{body}");
    }
    assert_eq!(post(&app, &format!("{TESTS}/nothing/again"), made!({})).await.0, 404);
}

#[tokio::test]
async fn what_is_verified_does_not_answer_a_test() {
    let (folder, settings) = gallery("");
    let verified = "[[questions]]\nquestion = \"How many museums are there?\"\nquery = \"ASK { ?s ?p ?o }\"\nby = \"Ada\"\nat = \"2026-01-31\"\n";
    std::fs::write(folder.path().join("known/questions/q.toml"), verified).unwrap();
    let app = TestApp::with(&settings).await;
    let question = "How many museums are there?";
    let (_, plain) = post(&app, "/ask", made!({"dataset": "art", "question": question})).await;
    assert_eq!(plain["answered_by"], "verified");
    let test = ask(&app, question).await;
    assert_eq!(
        (&test["answered_by"], &test["rows"]["rows"][0][0]["value"]),
        (&made!("planner"), &made!("4"))
    );
    // What was judged is no example either: the question is still answered by what is verified.
    post(&app, TESTS, made!({"run": test["id"], "right": true})).await;
    let (_, plain) = post(&app, "/ask", made!({"dataset": "art", "question": question})).await;
    assert_eq!(plain["answered_by"], "verified");
}

#[tokio::test]
async fn only_who_may_decide_sees_and_judges() {
    let (_folder, settings) =
        gallery("[server]\napi_keys = { shop = \"r\", lab = \"k\" }\noperators = [\"lab\"]");
    let app = TestApp::with(&settings).await;
    let get = |key: &'static str| app.request(Method::GET, TESTS).bearer_auth(key);
    assert_eq!(get("k").send().await.unwrap().status(), 200);
    assert_eq!(get("r").send().await.unwrap().status(), 403);
    assert_eq!(app.get(TESTS).await.status(), 401);
    let (_folder, settings) = gallery("");
    let open = TestApp::with(&settings).await;
    let forwarded = open.request(Method::GET, TESTS).header("x-forwarded-for", "192.0.2.1");
    assert_eq!(forwarded.send().await.unwrap().status(), 403);
}

fn eruca_with(folder: &Path, arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let output = output_of(eruca(folder).args(arguments), input);
    (output.status.code(), format!("{}{}", stdout(&output), stderr(&output)))
}

#[test]
fn the_owner_judges_in_the_terminal_and_goes_on_later() {
    let (folder, settings) = gallery("");
    std::fs::write(folder.path().join("eruca.toml"), settings).unwrap();
    let new = ["eval", "--new", "--lang", "en", "--count", "6", "--by", "Ada"];
    // Right; wrong; asked in other words, and then right; stopped.
    let input = "y\nn\ne\nHow many museums are there?\ny\nq\n";
    let (code, said) = eruca_with(folder.path(), &new, input);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("[3 of 6]") && said.contains("2 of 3 right: 67 %"), "{said}");
    // A correction by a query, and a question of one's own.
    let query = "SELECT (COUNT(DISTINCT ?x) AS ?n)\nWHERE { ?x a a:Town }\n\n";
    let input = format!("c\n{query}y\ns\ns\nHow many paintings are there?\ny\n\n");
    let (_, said) = eruca_with(folder.path(), &new, &input);
    assert!(said.contains("6 questions, 3 of them judged before") && said.contains("[4 of 6]"), "{said}");
    assert!(said.contains("3 of 5 right") && said.contains("own              1 of 1"), "{said}");
    let file = folder.path().join("known/tests.jsonl");
    let lines: Vec<Value> = std::fs::read_to_string(&file)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(
        (&lines[2]["question"], &lines[2]["by"]),
        (&made!("How many museums are there?"), &made!("Ada"))
    );
    assert_eq!((&lines[1]["sparql"], &lines[1]["judged"]), (&Value::Null, &made!("wrong")));
    assert!(lines[3]["sparql"].as_str().unwrap().contains("a:Town") && lines[3]["wrong"].is_string());

    let (code, said) = eruca_with(folder.path(), &["check", "--questions"], "");
    assert!(
        code == Some(0) && said.contains("3 of 5 right: 60 %") && said.contains("wrong        "),
        "{said}"
    );
    let (code, said) = eruca_with(folder.path(), &["check", "--questions", "--at-least", "0.7"], "");
    assert!(code == Some(1) && said.contains("less than 0.7"), "{said}");
    let run = ["eval", "--questions", file.to_str().unwrap(), "--out", "run"];
    let (code, said) = eruca_with(folder.path(), &run, "");
    assert!(code == Some(0) && said.contains("questions    5"), "{said}");
    // A line that cannot be read is told, and stays.
    std::fs::write(&file, format!("{}oops\n", std::fs::read_to_string(&file).unwrap())).unwrap();
    let (_, said) = eruca_with(folder.path(), &["check", "--questions"], "");
    assert!(said.contains("error: tests.jsonl line 6"), "{said}");
}

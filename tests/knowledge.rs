//! What the owner of a graph knows of it, in files: what is asked, seen and told with it, and when the files change.

use crate::cli::run as program;
use eruca_testing::helpers::{TestApp, json};
use eruca_testing::programs::stdout;
use reqwest::Method;
use serde_json::{Value, json as as_json};
use std::path::PathBuf;
use tempfile::TempDir;

/// A gallery whose names say little.
const GALLERY: &str = r#"
@prefix g: <http://gallery.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
g:K1 rdfs:label "Object" . g:K2 rdfs:label "Room" . g:q1 rdfs:label "in room" . g:q2 rdfs:label "sum insured" .
g:o1 a g:K1 ; rdfs:label "Blue Jar" ; g:q1 g:r1 ; g:q2 900 ; g:q9 "Mr Private" .
g:o2 a g:K1 ; rdfs:label "Tin Horse" ; g:q1 g:r1 ; g:q2 400 . g:o3 a g:K1 ; rdfs:label "Oak Bowl" ; g:q1 g:r2 ; g:q2 100 .
g:r1 a g:K2 ; rdfs:label "East Room" . g:r2 a g:K2 ; rdfs:label "West Room" ."#;

const WORDS: &str = r#"
[[glossary]]
words = ["exhibit"]
class = "g:K1"

[[glossary]]
words = ["Exponat"]
lang = "de"
class = "g:K1"

[[notes]]
text = "Objects on loan are not in this graph."

[[notes]]
text = "An object is one number of the inventory."
about = "g:K1"

[[glossary]]
property = "g:q2"
unit = "EUR"

[hidden]
terms = ["g:q9"]
"#;

struct Gallery {
    folder: TempDir,
}

impl Gallery {
    fn with(words: &str) -> Self {
        let gallery = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(gallery.path("known")).unwrap();
        std::fs::write(gallery.path("graph.ttl"), GALLERY).unwrap();
        gallery.know(words);
        gallery
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn know(&self, words: &str) {
        std::fs::write(self.path("known/words.toml"), words).unwrap();
    }

    fn settings(&self) -> String {
        let path = |name: &str| Value::from(self.path(name).to_str().unwrap()).to_string();
        format!(
            "[[datasets]]\nid = \"gallery\"\nfiles = [{}]\nindex = {}\nknowledge = {}\n",
            path("graph.ttl"),
            path("index"),
            path("known")
        )
    }
}

async fn ask(app: &TestApp, question: &str) -> Value {
    let asked = as_json!({"dataset": "gallery", "question": question});
    json(app.request(Method::POST, "/ask").json(&asked).send().await.unwrap()).await
}

async fn reload(app: &TestApp) -> (u16, Value) {
    let response = app.request(Method::POST, "/datasets/gallery/reload").send().await.unwrap();
    (response.status().as_u16(), json(response).await)
}

async fn read(app: &TestApp, path: &str) -> Value {
    json(app.get(path).await).await
}

#[tokio::test]
async fn words_of_the_house_answer_and_are_named_as_the_reason() {
    let gallery = Gallery::with(WORDS);
    let app = TestApp::with(&gallery.settings()).await;
    for (question, said) in [
        ("How many exhibits are there?", "\"exhibits\" is a word of the glossary for Object"),
        ("Wie viele Exponate gibt es?", "„Exponate“ ist ein Wort des Glossars für Object"),
    ] {
        let run = ask(&app, question).await;
        assert_eq!(run["rows"]["rows"][0][0]["value"], "3", "{run}");
        assert_eq!(run["trace"]["insight"]["confidence"], "sure", "{run}");
        assert!(run.to_string().contains(&said.replace('"', "\\\"")), "{run}");
    }
}

#[tokio::test]
async fn notes_are_on_the_card_and_what_is_hidden_is_nowhere() {
    let gallery = Gallery::with(WORDS);
    let app = TestApp::with(&gallery.settings()).await;
    let card = read(&app, "/datasets/gallery/card").await;
    assert_eq!(card["notes"], as_json!(["Objects on loan are not in this graph."]), "{card}");
    assert_eq!(
        card["classes"][0]["notes"],
        as_json!(["An object is one number of the inventory."]),
        "{card}"
    );
    let insured =
        card["properties"].as_array().unwrap().iter().find(|one| one["label"] == "sum insured").unwrap();
    assert_eq!(insured["unit"], "EUR");
    let entry = read(&app, "/datasets/gallery/entry?iri=http%3A%2F%2Fgallery.example%2Fo1").await;
    let found = read(&app, "/datasets/gallery/search?q=Mr%20Private").await;
    let run = ask(&app, "Tell me about Blue Jar").await;
    for seen in [&card, &entry, &found, &run] {
        let text = seen.to_string();
        assert!(!text.contains("q9") && !text.contains("Mr Private"), "{text}");
    }
    let query = as_json!({"dataset": "gallery", "query": "SELECT ?o { ?s <http://gallery.example/q9> ?o }"});
    let run = json(app.request(Method::POST, "/query").json(&query).send().await.unwrap()).await;
    assert_eq!(run["rows"]["rows"], as_json!([]), "as of a property that the graph does not have: {run}");
}

#[tokio::test]
async fn changed_files_are_read_and_wrong_ones_leave_the_former_in_their_place() {
    let gallery = Gallery::with("");
    let app = TestApp::with(&gallery.settings()).await;
    let count = "How many exhibits are there?";
    assert_ne!(ask(&app, count).await["trace"]["insight"]["confidence"], "sure");
    assert_eq!(reload(&app).await.1["reloaded"], false);
    gallery.know(WORDS);
    assert_eq!(reload(&app).await.1["reloaded"], true);
    assert_eq!(ask(&app, count).await["trace"]["insight"]["confidence"], "sure");
    gallery.know("[[glossary]]\nwords = [\"exhibit\"]\nclass = \"unknown:K1\"\n");
    let (status, said) = reload(&app).await;
    assert_eq!((status, &said["code"]), (500, &"dataset_not_reloaded".into()), "{said}");
    assert!(said["detail"].as_str().unwrap().contains("words.toml line 1"), "{said}");
    let ready = read(&app, "/ready").await.to_string();
    assert!(ready.contains("words.toml line 1") && ready.contains("the former one answers"), "{ready}");
    assert_eq!(ask(&app, count).await["trace"]["insight"]["confidence"], "sure");
    gallery.know("[[glossary]]\nwords = [\"piece\"]\nclass = \"g:K1\"\n\n[[glossary]]\nwords = [\"hall\"]\nclass = \"g:K3\"\n");
    assert_eq!(reload(&app).await.1["reloaded"], true);
    assert_eq!(ask(&app, "How many pieces are there?").await["rows"]["rows"][0][0]["value"], "3");
    let ready = read(&app, "/ready").await.to_string();
    assert!(!ready.contains("the former one answers"), "{ready}");
    assert!(
        ready.contains("words.toml line 5: the graph has no class <http://gallery.example/K3>"),
        "{ready}"
    );
}

#[test]
fn check_prints_what_is_known_and_every_mistake() {
    let gallery = Gallery::with(WORDS);
    std::fs::write(gallery.path("eruca.toml"), format!("[server]\nport = 0\n{}", gallery.settings()))
        .unwrap();
    let output = program(gallery.folder.path(), &["index"]);
    assert_eq!(output.status.code(), Some(0));
    let told = |words: &str| {
        gallery.know(words);
        let output = program(gallery.folder.path(), &["check"]);
        (output.status.code(), stdout(&output).to_owned())
    };
    let (code, text) = told(WORDS);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("dataset gallery: knowledge: 3 glossary entries, 2 notes, 1 hidden terms"),
        "{text}"
    );
    let (code, text) = told("[[glossary]]\nwords = [\"hall\"]\nclass = \"g:K3\"\n");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("did you mean <http://gallery.example/K1>?"), "{text}");
    assert!(text.contains("1 glossary entries (1 not used)"), "{text}");
    let (code, text) = told("[[glossary]]\nwords = [\"hall\"]\n\n[[notes]]\ntext = \"\"\n");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("words.toml line 1: ") && text.contains("words.toml line 4: "), "{text}");
}

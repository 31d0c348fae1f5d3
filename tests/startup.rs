//! What keeps a service from starting, and what only weakens it: every message says what to do.

use eruca::config::Settings;
use eruca::service::Service;
use eruca::startup::{StartupError, open_service};
use eruca_api::PartHealth;
use eruca_indexer::{Manifest, NoProgress};
use eruca_testing::helpers::{CITIES, ClosedPort, QUESTION, TestApp, cities, install_tls, json};
use eruca_testing::programs::output;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

/// A folder with a configuration; `None` lets the cities be configured.
fn folder(toml: Option<&str>) -> TempDir {
    install_tls();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("eruca.toml"), toml.map_or_else(cities, str::to_owned)).unwrap();
    folder
}

async fn open(folder: &Path) -> Result<Arc<Service>, StartupError> {
    open_service(&Settings::load_from(None, folder, &[]).unwrap(), &NoProgress).await
}

async fn mistake(folder: &Path) -> String {
    open(folder).await.err().unwrap().to_string()
}

/// The folder of the current version of the only index.
fn index(folder: &Path) -> PathBuf {
    let dataset = fs::read_dir(folder.join("index")).unwrap().next().unwrap().unwrap().path();
    let version = fs::read_to_string(dataset.join("current")).unwrap();
    dataset.join(version.trim())
}

/// Changes a JSON file of the index.
fn change(folder: &Path, file: &str, change: impl FnOnce(&mut Value)) {
    let path = index(folder).join(file);
    let mut json: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut json);
    fs::write(path, json.to_string()).unwrap();
}

fn command() -> String {
    format!("eruca index --dataset '{CITIES}'")
}

#[tokio::test]
async fn an_index_of_another_format_names_the_command() {
    for (key, other) in [("format", json!("eruca-index-0")), ("parts", json!([0, 0, 0]))] {
        let folder = folder(None);
        open(folder.path()).await.unwrap();
        change(folder.path(), "manifest.json", |manifest| manifest[key] = other);
        let said = mistake(folder.path()).await;
        assert!(said.contains("format") && said.contains("eruca-index-4"), "{said}");
        assert!(said.contains(&command()), "{said}");
    }
}

#[tokio::test]
async fn the_command_that_is_named_helps() {
    let folder = folder(None);
    open(folder.path()).await.unwrap();
    change(folder.path(), "manifest.json", |manifest| manifest["format"] = json!("eruca-index-0"));
    let eruca = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eruca"));
        output(command.current_dir(folder.path()).env_clear().args(arguments))
    };
    let served = eruca(&["serve", "--port", "0"]);
    assert_eq!(served.status.code(), Some(1));
    let said = String::from_utf8(served.stderr).unwrap();
    assert!(said.contains(&command()), "{said}");
    assert!(eruca(&["index", "--dataset", CITIES]).status.success());
    assert!(open(folder.path()).await.is_ok());
}

#[tokio::test]
async fn a_damaged_index_names_the_command() {
    let damages: [&dyn Fn(&Path); 4] = [
        &|index| fs::write(index.join("card.json"), "{").unwrap(),
        &|index| fs::remove_file(index.join("card.json")).unwrap(),
        &|index| fs::write(index.join("manifest.json"), "").unwrap(),
        &|index| fs::remove_dir_all(index.join("entities")).unwrap(),
    ];
    for damage in damages {
        let folder = folder(None);
        open(folder.path()).await.unwrap();
        damage(&index(folder.path()));
        let said = mistake(folder.path()).await;
        assert!(said.contains(&command()), "{said}");
    }
}

#[tokio::test]
async fn a_damaged_schema_index_names_the_command() {
    let folder = folder(None);
    open(folder.path()).await.unwrap();
    fs::remove_dir_all(index(folder.path()).join("schema")).unwrap();
    let said = mistake(folder.path()).await;
    assert!(said.contains(&command()), "{said}");
}

#[tokio::test]
async fn an_endpoint_without_files_and_index_says_what_is_missing() {
    let folder = folder(Some("[[datasets]]\nid = \"far\"\nendpoint = \"http://127.0.0.1:9/sparql\"\n"));
    let said = mistake(folder.path()).await;
    assert!(said.contains("'far'") && said.contains("eruca index --dataset 'far'"), "{said}");
}

#[tokio::test]
async fn a_broken_file_is_told_with_its_line() {
    let folder =
        folder(Some("[[datasets]]\nid = \"mine\"\nfiles = [\"my.nt\"]\n[index]\nfolder = \"index\"\n"));
    let good = "<http://e.x/a> <http://e.x/name> \"a\" .\n";
    fs::write(folder.path().join("my.nt"), format!("{good}{good}<http://e.x/a> broken .\n")).unwrap();
    let said = mistake(folder.path()).await;
    assert!(said.contains("'mine'") && said.contains("my.nt") && said.contains('3'), "{said}");
    assert!(!folder.path().join("index/mine/current").exists(), "nothing half built is left in use");
}

#[tokio::test]
async fn files_that_are_not_there_are_told() {
    let folder =
        folder(Some("[[datasets]]\nid = \"mine\"\nfiles = [\"nowhere.ttl\"]\n[index]\nfolder = \"index\"\n"));
    let said = mistake(folder.path()).await;
    assert!(said.contains("nowhere.ttl"), "{said}");
}

#[tokio::test]
async fn a_dataset_that_cannot_be_opened_leaves_the_others_served() {
    install_tls();
    let good = "[[datasets]]\nid = \"lost\"\naliases = [\"gone\"]\nfiles = [\"nowhere.ttl\"]\n";
    let app = TestApp::with(good).await;
    assert_eq!(app.ask(CITIES, QUESTION).await.status(), 200);
    for name in ["lost", "gone"] {
        let refused = app.ask(name, QUESTION).await;
        assert_eq!(refused.status(), 503);
        let body = json(refused).await;
        assert_eq!(body["code"], "dataset_not_opened", "{body}");
        let detail = body["detail"].as_str().unwrap();
        assert!(detail.contains("'lost'") && detail.contains("nowhere.ttl"), "{detail}");
    }
    for path in ["/datasets/lost/card", "/v1/models/lost"] {
        let refused = app.get(path).await;
        assert_eq!(refused.status(), 503, "{path}");
        assert!(json(refused).await.to_string().contains("nowhere.ttl"), "{path}");
    }
    let ready = app.ready().await;
    assert_eq!(ready.status(), 503);
    let told = json(ready).await;
    let part = told["parts"].as_array().unwrap().iter().find(|part| part["part"] == "dataset lost").unwrap();
    assert!(part["state"] == "down" && part["detail"].as_str().unwrap().contains("nowhere.ttl"), "{part}");
    assert_eq!(json(app.datasets().await).await["datasets"].as_array().unwrap().len(), 1);
    assert_eq!(app.ask("never", QUESTION).await.status(), 404);
}

/// What is said of an index that is not of what is configured.
async fn told_of_the_source(folder: &Path) -> Option<String> {
    let degraded = open(folder).await.unwrap().degraded();
    degraded.into_iter().find(|note| note.contains("was built from other data than is configured"))
}

#[tokio::test]
async fn files_that_have_changed_since_are_told() {
    let toml = "[[datasets]]\nid = \"mine\"\nfiles = [\"my*.nt\"]\n[index]\nfolder = \"index\"\n";
    let folder = folder(Some(toml));
    let file = folder.path().join("my.nt");
    fs::write(&file, "<http://e.x/a> <http://e.x/name> \"a\" .\n").unwrap();
    assert_eq!(told_of_the_source(folder.path()).await, None);
    let later = SystemTime::now() + Duration::from_secs(60);
    File::options().append(true).open(&file).unwrap().set_modified(later).unwrap();
    let moved = folder.path().join("mymoved.nt");
    fs::rename(&file, &moved).unwrap();
    assert_eq!(told_of_the_source(folder.path()).await, None, "touched and moved, but the same");
    fs::write(&moved, "<http://e.x/a> <http://e.x/name> \"b\" .\n").unwrap();
    let said = told_of_the_source(folder.path()).await.unwrap();
    assert!(said.contains("mymoved.nt") && said.contains("eruca index --dataset 'mine'"), "{said}");
}

#[tokio::test]
async fn an_index_of_another_endpoint_is_told() {
    // An index of a dump may be that of any endpoint.
    let graph = "<http://e.x/a> <http://e.x/name> \"a\" .\n";
    let toml = |url: &str| {
        format!("[[datasets]]\nid = \"far\"\nendpoint = \"{url}\"\n[index]\nfolder = \"index\"\n")
    };
    let folder = folder(Some(&toml("http://127.0.0.1:9/one")));
    fs::write(folder.path().join("dump.nt"), graph).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_eruca"));
    let built = command.current_dir(folder.path()).env_clear().args(["index", "--dataset", "far", "dump.nt"]);
    assert!(output(built).status.success());
    assert_eq!(told_of_the_source(folder.path()).await, None);
    let source = json!({"endpoint": {"name": "http://127.0.0.1:9/one", "graphs": []}});
    change_manifest(folder.path(), |manifest| manifest["source"] = source);
    assert_eq!(told_of_the_source(folder.path()).await, None);
    fs::write(folder.path().join("eruca.toml"), toml("http://127.0.0.1:9/two")).unwrap();
    let said = told_of_the_source(folder.path()).await.unwrap();
    assert!(
        said.contains("http://127.0.0.1:9/one") && said.contains("eruca index --dataset 'far'"),
        "{said}"
    );
}

/// Changes the manifest as a build would write it.
fn change_manifest(folder: &Path, change: impl FnOnce(&mut Value)) {
    let version = index(folder);
    let mut json = serde_json::to_value(Manifest::read(&version).unwrap()).unwrap();
    change(&mut json);
    serde_json::from_value::<Manifest>(json).unwrap().write(&version).unwrap();
}

/// A server with OpenAI's `/embeddings` that gives vectors of this length.
pub(crate) async fn embeddings(dimension: usize) -> MockServer {
    // One of its own: it is gone when it is dropped.
    let server = MockServer::builder().start().await;
    let reply = move |request: &Request| {
        let body: Value = request.body_json().unwrap();
        let texts = body["input"].as_array().map_or(1, Vec::len);
        let vector: Vec<f32> = (0..dimension).map(|at| at as f32 + 1.0).collect();
        let data: Vec<Value> = (0..texts).map(|index| json!({"index": index, "embedding": vector})).collect();
        ResponseTemplate::new(200).set_body_json(json!({ "data": data }))
    };
    Mock::given(method("POST")).respond_with(reply).mount(&server).await;
    server
}

pub(crate) fn with_embedding(base_url: &str, model: &str) -> String {
    format!(
        "{}\n[embedding]\nprovider = \"openai\"\nbase_url = \"{base_url}\"\nmodel = \"{model}\"\n",
        cities()
    )
}

#[tokio::test]
async fn an_index_of_another_embedding_model_names_the_command() {
    let (short, long) = (embeddings(3).await, embeddings(4).await);
    let folder = folder(None);
    open(folder.path()).await.unwrap();
    let configure = |toml: &str| fs::write(folder.path().join("eruca.toml"), toml).unwrap();

    configure(&with_embedding(&short.uri(), "small"));
    let said = mistake(folder.path()).await;
    assert!(said.contains("'small' (3 dimensions)") && said.contains("no embedding model"), "{said}");
    assert!(said.contains(&command()), "{said}");

    fs::remove_dir_all(folder.path().join("index")).unwrap();
    let built = open(folder.path()).await.unwrap();
    assert_eq!(built.datasets()[0].schema_search, "bm25+dense (small)");
    assert!(!built.degraded().iter().any(|note| note.contains("words alone")), "{:?}", built.degraded());

    configure(&with_embedding(&long.uri(), "small"));
    assert!(mistake(folder.path()).await.contains("'small' (4 dimensions)"));
    configure(&with_embedding(&short.uri(), "other"));
    assert!(mistake(folder.path()).await.contains("'other'"));

    configure(&cities());
    let without = open(folder.path()).await.unwrap();
    assert_eq!(without.datasets()[0].schema_search, "bm25", "words are enough");
}

#[tokio::test]
async fn an_embedding_server_is_told_what_a_text_is_for() {
    let told = "query_input_type = \"query\"\ndocument_input_type = \"passage\"\n";
    for (more, expected) in [(told, vec![json!("passage"), json!("query")]), ("", vec![Value::Null])] {
        let (server, folder) = (embeddings(3).await, folder(None));
        let toml = format!("{}{more}", with_embedding(&server.uri(), "small"));
        fs::write(folder.path().join("eruca.toml"), toml).unwrap();
        open(folder.path()).await.unwrap();
        let mut sent = Vec::new();
        for request in server.received_requests().await.unwrap() {
            let kind = request.body_json::<Value>().unwrap()["input_type"].clone();
            if !sent.contains(&kind) {
                sent.push(kind);
            }
        }
        sent.sort_by_key(Value::to_string);
        assert_eq!(sent, expected);
    }
}

#[tokio::test]
async fn an_embedding_server_that_sends_texts_elsewhere_is_not_followed() {
    let stranger = embeddings(3).await;
    let moved = MockServer::start().await;
    let place = format!("{}/v1/embeddings", stranger.uri());
    let elsewhere = ResponseTemplate::new(308).insert_header("location", place);
    Mock::given(wiremock::matchers::any()).respond_with(elsewhere).mount(&moved).await;
    let folder = folder(None);
    open(folder.path()).await.unwrap();
    let toml = with_embedding(&format!("{}/v1", moved.uri()), "small");
    fs::write(folder.path().join("eruca.toml"), toml).unwrap();
    let told = open(folder.path()).await.unwrap().degraded().join("\n");
    assert!(told.contains(&format!("redirects to another server, {}", stranger.uri())), "{told}");
    assert!(stranger.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn an_embedding_server_that_is_down_weakens_the_service_only() {
    let folder = folder(None);
    open(folder.path()).await.unwrap();
    let closed = ClosedPort::take();
    let nowhere = format!("http://127.0.0.1:{}/v1", closed.number());
    fs::write(folder.path().join("eruca.toml"), with_embedding(&nowhere, "small")).unwrap();
    let service = open(folder.path()).await.unwrap();
    let notes = service.degraded();
    assert!(notes.iter().any(|note| note.contains("words alone") && note.contains(&nowhere)), "{notes:?}");
    let readiness = service.readiness().await;
    assert!(
        readiness.ready && readiness.parts.iter().flatten().any(|part| part.state == PartHealth::Degraded)
    );
}

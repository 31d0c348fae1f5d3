//! `eruca models` against a stand-in of the hub: what it shows, checks, resumes, refuses and leaves behind.

use crate::cli::{eruca, run};
use eruca::config::Settings;
use eruca_testing::helpers::ClosedPort;
use eruca_testing::programs::{output, stderr, stdout};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Output;
use wiremock::{Mock, MockServer, Request, ResponseTemplate, matchers};

const MODEL: &str = "acme/tiny";
const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
const WEIGHTS: &str = "weights of a model, which nobody runs here\n";
const WEIGHTS_SHA256: &str = "4269383e2a12ecf8c691c5ccd1c0ee595d2561f8a7712b6c736d0f46ba02885f";
/// Path, content, and the name that Git gives it.
const SMALL: [(&str, &str, &str); 6] = [
    ("tokenizer.json", "{\"tokenizer\":1}\n", "bc48f40ab19a6c4286c8602c2c2f0ee5ffce0432"),
    ("config.json", "{\"config\":1}\n", "e5256d309e0ce51f9b606c72e5b30ca0a9c6aefe"),
    ("onnx/special_tokens_map.json", "{\"special\":1}\n", "1929f58bcbdced46016b82c998dced8cbb706c32"),
    ("tokenizer_config.json", "{\"settings\":1}\n", "022808fa1962085d67e52eadbce8279a511a5036"),
    (
        "1_Pooling/config.json",
        "{\"pooling_mode_cls_token\": true, \"pooling_mode_mean_tokens\": false}",
        "6930ea21ea129e8ceaab40d8957136f70a3df7a9",
    ),
    (
        "config_sentence_transformers.json",
        "{\"prompts\": {\"query\": \"ask: \", \"document\": \"told \\\"so\\\": \"}}",
        "18f67c70aceac4fef7af7cb309b61be6d67a6ac9",
    ),
];

/// The hub, and the server to which it redirects for weights.
struct StandIn {
    hub: MockServer,
    store: MockServer,
}

impl StandIn {
    /// With weights of this content, of which the hub tells this checksum.
    async fn start(weights: &'static str, sha256: &str) -> Self {
        let (hub, store) = (MockServer::builder().start().await, MockServer::builder().start().await);
        let kept = Mock::given(matchers::path("/kept")).respond_with(move |request: &Request| {
            assert!(request.headers.get("authorization").is_none());
            let from = request.headers.get("range").and_then(|range| range.to_str().ok());
            let from = from.and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok());
            let from: usize = from.unwrap_or_default();
            ResponseTemplate::new(if from > 0 { 206 } else { 200 }).set_body_string(&weights[from..])
        });
        kept.mount(&store).await;
        let about = json!({"sha": COMMIT, "cardData": {"license": "mit"}, "tags": ["onnx"]});
        let mut entries = vec![
            json!({"type": "directory", "path": "onnx", "oid": "0", "size": 0}),
            json!({"type": "file", "path": "onnx/model.onnx", "oid": "0", "size": weights.len(),
                   "lfs": {"oid": sha256, "size": weights.len(), "pointerSize": 130}}),
        ];
        for (path, content, git) in SMALL {
            entries.push(json!({"type": "file", "path": path, "oid": git, "size": content.len()}));
        }
        let described = [
            (format!("/api/models/{MODEL}/revision/main"), about),
            (format!("/api/models/{MODEL}/tree/{COMMIT}"), Value::from(entries)),
        ];
        for (path, body) in described {
            let reply = ResponseTemplate::new(200).set_body_json(body);
            Mock::given(matchers::path(path)).respond_with(reply).mount(&hub).await;
        }
        for (path, content, _) in SMALL {
            let reply = ResponseTemplate::new(200).set_body_string(content);
            let path = format!("/{MODEL}/resolve/{COMMIT}/{path}");
            Mock::given(matchers::path(path)).respond_with(reply).mount(&hub).await;
        }
        let elsewhere = ResponseTemplate::new(302).insert_header("location", format!("{}/kept", store.uri()));
        let path = format!("/{MODEL}/resolve/{COMMIT}/onnx/model.onnx");
        Mock::given(matchers::path(path)).respond_with(elsewhere).mount(&hub).await;
        Self { hub, store }
    }

    async fn whole() -> Self {
        Self::start(WEIGHTS, WEIGHTS_SHA256).await
    }

    async fn requests(&self) -> usize {
        self.hub.received_requests().await.unwrap().len()
    }

    /// Fetches the model into `models` of the folder.
    async fn fetch(&self, folder: &Path, more: &[&'static str]) -> Output {
        let mut command = eruca(folder);
        command.args(["models", "fetch", MODEL, "--hub", &self.hub.uri()]).args(more);
        tokio::task::spawn_blocking(move || output(&mut command)).await.unwrap()
    }
}

/// The names in a folder, hidden ones too.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_comes_whole_with_its_licence_and_its_settings() {
    let (stand_in, folder) = (StandIn::whole().await, tempfile::tempdir().unwrap());
    let output = stand_in.fetch(folder.path(), &[]).await;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told = stderr(&output);
    for part in ["acme/tiny: licence mit; 5 files", &stand_in.hub.uri(), COMMIT, WEIGHTS_SHA256] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(told.find("licence mit").unwrap() < told.find("tokenizer.json").unwrap(), "{told}");
    assert_eq!(names(&folder.path().join("models")), ["tiny"]);
    let model = folder.path().join("models/tiny");
    let all = [
        "config.json",
        "eruca-model.json",
        "model.onnx",
        "special_tokens_map.json",
        "tokenizer.json",
        "tokenizer_config.json",
    ];
    assert_eq!(names(&model), all);
    assert_eq!(fs::read_to_string(model.join("model.onnx")).unwrap(), WEIGHTS);
    let lock: Value = serde_json::from_slice(&fs::read(model.join("eruca-model.json")).unwrap()).unwrap();
    assert_eq!((&lock["revision"], &lock["licence"]), (&json!(COMMIT), &json!("mit")));
    assert_eq!(lock["files"]["model.onnx"]["sha256"], WEIGHTS_SHA256);
    // What is printed is a configuration.
    let file = folder.path().join("eruca.toml");
    fs::write(&file, stdout(&output)).unwrap();
    let embedding = Settings::load_from(Some(&file), folder.path(), &[]).unwrap().embedding;
    assert_eq!(embedding.path.unwrap().canonicalize().unwrap(), model.canonicalize().unwrap());
    assert_eq!(embedding.pooling, eruca::config::PoolingSetting::Cls);
    assert_eq!(
        (embedding.query_prefix.as_str(), embedding.document_prefix.as_str()),
        ("ask: ", "told \"so\": ")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_is_there_is_compared_without_a_network() {
    let (stand_in, folder) = (StandIn::whole().await, tempfile::tempdir().unwrap());
    let first = stand_in.fetch(folder.path(), &[]).await;
    let asked = stand_in.requests().await;
    let again = stand_in.fetch(folder.path(), &[]).await;
    assert_eq!((again.status.code(), stdout(&again)), (Some(0), stdout(&first)));
    assert!(stderr(&again).contains("as they were fetched"), "{}", stderr(&again));
    for (more, part) in
        [(["--revision", "other"], COMMIT), (["--weights", "onnx/small.onnx"], "onnx/model.onnx")]
    {
        let other = stand_in.fetch(folder.path(), &more).await;
        assert_eq!(other.status.code(), Some(1));
        assert!(stderr(&other).contains(part) && stderr(&other).contains("--folder"), "{}", stderr(&other));
    }
    fs::write(folder.path().join("models/tiny/config.json"), "{\"config\":2}\n").unwrap();
    let changed = stand_in.fetch(folder.path(), &[]).await;
    assert_eq!(changed.status.code(), Some(1));
    assert!(stderr(&changed).contains("config.json' is not as it was fetched"), "{}", stderr(&changed));
    assert_eq!(stand_in.requests().await, asked, "nothing was asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fetch_goes_on_where_one_has_ended() {
    let (stand_in, folder) = (StandIn::whole().await, tempfile::tempdir().unwrap());
    let partial = folder.path().join("models/.tiny.part");
    fs::create_dir_all(&partial).unwrap();
    // One file is whole, one is not that of the commit, one ends in the middle.
    fs::write(partial.join("tokenizer.json"), SMALL[0].1).unwrap();
    fs::write(partial.join("config.json"), "{\"config\":9}\n").unwrap();
    fs::write(partial.join("model.onnx.part"), &WEIGHTS[..20]).unwrap();
    let output = stand_in.fetch(folder.path(), &[]).await;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let model = folder.path().join("models/tiny");
    assert_eq!(fs::read_to_string(model.join("model.onnx")).unwrap(), WEIGHTS);
    assert_eq!(fs::read_to_string(model.join("config.json")).unwrap(), SMALL[1].1);
    assert_eq!(names(&folder.path().join("models")), ["tiny"]);
    let asked = stand_in.hub.received_requests().await.unwrap();
    let asked = |end: &str| asked.iter().filter(|request| request.url.path().ends_with(end)).count();
    assert_eq!((asked("/tokenizer.json"), asked("/config.json"), asked("/model.onnx")), (0, 2, 1));
    let kept = stand_in.store.received_requests().await.unwrap();
    assert_eq!(kept.last().unwrap().headers.get("range").unwrap(), "bytes=20-");
}

#[tokio::test(flavor = "multi_thread")]
async fn other_bytes_than_the_hub_tells_are_not_kept() {
    let zeros: &'static str = Box::leak("0".repeat(64).into_boxed_str());
    let stand_in = StandIn::start(WEIGHTS, zeros).await;
    let folder = tempfile::tempdir().unwrap();
    let output = stand_in.fetch(folder.path(), &[]).await;
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    assert!(told.contains("model.onnx came with other bytes") && told.contains(zeros), "{told}");
    assert!(stdout(&output).is_empty(), "no lines for a model that is not there");
    assert!(!folder.path().join("models/tiny").exists());
    let left = names(&folder.path().join("models/.tiny.part"));
    assert!(!left.iter().any(|name| name.starts_with("model.onnx")), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_fetched_says_what_to_do() {
    let (stand_in, folder) = (StandIn::whole().await, tempfile::tempdir().unwrap());
    let closed = ClosedPort::take();
    let nowhere = format!("http://127.0.0.1:{}", closed.number());
    let uri = stand_in.hub.uri();
    let cases: [(&[&str], &str); 6] = [
        (&[MODEL, "--hub", &nowhere], "copy the model's folder from a machine that has it"),
        (&["acme/other", "--hub", &uri], "HTTP 404"),
        (&["../../etc", "--hub", &uri], "'../../etc' is no model"),
        (&["tiny", "--hub", &uri], "eruca models list"),
        (&[MODEL, "--hub", "huggingface"], "no address of a hub"),
        (&[MODEL, "--hub", &uri, "--weights", "onnx/none.onnx"], "weights it has: onnx/model.onnx"),
    ];
    for (arguments, part) in cases {
        let mut command = eruca(folder.path());
        command.args(["models", "fetch"]).args(arguments);
        let output = tokio::task::spawn_blocking(move || output(&mut command)).await.unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(stderr(&output).contains(part), "{arguments:?}: {}", stderr(&output));
        assert!(!folder.path().join("models").exists(), "{arguments:?}");
    }
}

#[test]
fn known_models_are_listed_and_the_library_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let listed = stdout(&run(folder.path(), &["models", "list"]));
    let first: Vec<&str> = listed.lines().filter_map(|line| line.split('\t').next()).collect();
    assert_eq!(first, ["multilingual-e5-small", "all-MiniLM-L6-v2"]);
    assert!(listed.lines().all(|line| line.contains("licence ") && line.contains(" MB")), "{listed}");
    let library = run(folder.path(), &["models", "fetch", "onnxruntime"]);
    assert_eq!(library.status.code(), Some(0));
    assert!(stdout(&library).contains("pip install --no-deps"), "{}", stdout(&library));
}

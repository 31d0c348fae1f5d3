//! Indexes that are built anew while a service answers: what is asked, and what is kept, before, meanwhile and after.

use eruca::config::Settings;
use eruca::service::Service;
use eruca::startup;
use eruca_indexer::NoProgress;
use eruca_testing::helpers::{TestApp, install_tls, json};
use eruca_testing::programs::within;
use reqwest::Method;
use serde_json::{Value, json as as_json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Two datasets, which are indexed in a folder that is there before the service.
struct Indexed {
    folder: tempfile::TempDir,
}

impl Indexed {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A graph in which all IRIs and numbers are of one version: an index and a store of different ones find nothing together.
    fn write(&self, version: usize) {
        let things: String = (0..40)
            .map(|n| format!(":t{n} a :Tower ; rdfs:label \"Tower {n}\" ; :height {version} .\n"))
            .collect();
        let graph = format!(
            "@prefix : <http://e.x/{version}/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
             :Tower rdfs:label \"tower\" . :height rdfs:label \"height\" .\n{things}"
        );
        std::fs::write(self.path("graph.ttl"), graph).unwrap();
    }

    /// The settings of the dataset `towers`, and of one whose file is not there.
    fn settings(&self) -> String {
        let path = |name: &str| Value::from(self.path(name).to_str().unwrap()).to_string();
        let (file, later, index) = (path("graph.ttl"), path("later.ttl"), path("towers"));
        let later_index = path("later");
        format!(
            "[[datasets]]\nid = \"towers\"\naliases = [\"t\"]\nfiles = [{file}]\nindex = {index}\n\
             [[datasets]]\nid = \"later\"\nfiles = [{later}]\nindex = {later_index}\n"
        )
    }

    fn loaded(&self) -> Settings {
        let file = self.path("build.toml");
        std::fs::write(&file, self.settings()).unwrap();
        Settings::load_from(Some(&file), self.folder.path(), &[]).unwrap()
    }

    async fn build(&self, dataset: &str) {
        let settings = self.loaded();
        let dataset = settings.dataset(dataset).unwrap();
        startup::build_index(&settings, dataset, &NoProgress).await.unwrap();
    }

    /// Waits until one version is left: what has answered a question may go on for a moment after the answer.
    async fn one_is_left(&self) {
        let gone = async {
            while self.versions() != 1 || still_open(&self.path("towers")) != 0 {
                tokio::task::yield_now().await;
            }
        };
        within("the end of the old index", gone).await;
    }

    fn versions(&self) -> usize {
        let entries = std::fs::read_dir(self.path("towers")).unwrap().map(|entry| entry.unwrap().file_name());
        entries.filter(|name| name.to_string_lossy().starts_with("v-")).count()
    }
}

async fn reload(app: &TestApp, dataset: &str) -> (u16, Value) {
    let response = app.request(Method::POST, &format!("/datasets/{dataset}/reload")).send().await.unwrap();
    (response.status().as_u16(), json(response).await)
}

/// The whole run of a question.
async fn run(app: &TestApp, dataset: &str, question: &str) -> Value {
    let asked = as_json!({"dataset": dataset, "question": question});
    json(app.request(Method::POST, "/ask").json(&asked).send().await.unwrap()).await
}

/// What the first row of the answer says.
async fn value(app: &TestApp, question: &str) -> Value {
    let run = run(app, "towers", question).await;
    assert_eq!(run["rows"]["row_count"], 1, "{run}");
    run["rows"]["rows"][0][0]["value"].clone()
}

#[tokio::test]
async fn a_new_index_is_used_when_it_is_asked_for_and_the_old_one_goes() {
    let indexed = Indexed::new();
    indexed.write(1);
    let app = TestApp::with(&indexed.settings()).await;
    assert_eq!(value(&app, "What is the height of Tower 3?").await, "1");
    let (status, said) = reload(&app, "t").await;
    assert_eq!(
        (status, &said["dataset"], &said["reloaded"]),
        (200, &"towers".into(), &false.into()),
        "{said}"
    );
    indexed.write(2);
    indexed.build("towers").await;
    assert_eq!(value(&app, "What is the height of Tower 3?").await, "1", "an answer that was kept");
    assert_eq!(value(&app, "What is the height of Tower 4?").await, "1");
    assert_eq!(indexed.versions(), 2, "the old one is in use");
    let (status, said) = reload(&app, "towers").await;
    assert_eq!((status, &said["reloaded"], &said["triples"]), (200, &true.into(), &122.into()), "{said}");
    assert_eq!(value(&app, "What is the height of Tower 3?").await, "2", "not the answer that was kept");
    indexed.one_is_left().await;
    assert_eq!(reload(&app, "towers").await.1["reloaded"], false);
    let unknown = reload(&app, "nowhere").await;
    assert_eq!((unknown.0, &unknown.1["code"]), (404, &"unknown_dataset".into()));
    assert_eq!(app.get("/datasets/towers/reload").await.status(), 405);
}

#[tokio::test]
async fn an_index_that_cannot_be_opened_leaves_the_old_one_in_its_place() {
    let indexed = Indexed::new();
    indexed.write(1);
    let app = TestApp::with(&indexed.settings()).await;
    indexed.write(2);
    indexed.build("towers").await;
    let current = std::fs::read_to_string(indexed.path("towers/current")).unwrap();
    let card = indexed.path("towers").join(current).join("card.json");
    let whole = std::fs::read(&card).unwrap();
    std::fs::write(&card, "{}").unwrap();
    let (status, said) = reload(&app, "towers").await;
    assert_eq!((status, &said["code"]), (500, &"dataset_not_reloaded".into()));
    assert!(said["detail"].as_str().unwrap().contains("card.json"), "{said}");
    assert_eq!(value(&app, "What is the height of Tower 3?").await, "1");
    let ready = json(app.ready().await).await.to_string();
    assert!(ready.contains("cannot be opened, so that the old one answers"), "{ready}");
    std::fs::write(&card, whole).unwrap();
    assert_eq!(reload(&app, "towers").await.0, 200);
    assert_eq!(value(&app, "What is the height of Tower 3?").await, "2");
    assert!(!json(app.ready().await).await.to_string().contains("the old one answers"));
}

#[tokio::test]
async fn two_services_may_use_one_folder_and_the_last_to_leave_an_old_index_removes_it() {
    let indexed = Indexed::new();
    indexed.write(1);
    let one = TestApp::with(&indexed.settings()).await;
    let other = TestApp::with(&indexed.settings()).await;
    indexed.write(2);
    indexed.build("towers").await;
    assert_eq!(reload(&one, "towers").await.1["reloaded"], true);
    assert_eq!(value(&one, "What is the height of Tower 3?").await, "2");
    assert_eq!(value(&other, "What is the height of Tower 3?").await, "1");
    assert_eq!(indexed.versions(), 2);
    assert_eq!(reload(&other, "towers").await.1["reloaded"], true);
    assert_eq!(value(&other, "What is the height of Tower 3?").await, "2");
    indexed.one_is_left().await;
}

#[tokio::test]
async fn a_dataset_that_could_not_be_opened_at_start_can_be_later() {
    let indexed = Indexed::new();
    indexed.write(1);
    let app = TestApp::with(&indexed.settings()).await;
    let refused = run(&app, "later", "How many towers are there?").await;
    assert_eq!(refused["code"], "dataset_not_opened", "{refused}");
    assert_eq!(reload(&app, "later").await.0, 500, "there is no index of it");
    std::fs::copy(indexed.path("graph.ttl"), indexed.path("later.ttl")).unwrap();
    indexed.build("later").await;
    assert_eq!(reload(&app, "later").await.1["reloaded"], true);
    let run = run(&app, "later", "How many towers are there?").await;
    assert_eq!(run["rows"]["rows"][0][0]["value"], "40", "{run}");
    assert_eq!(app.ready().await.status(), 200);
}

#[tokio::test]
async fn a_dataset_that_could_not_be_opened_is_tried_again_by_itself() {
    let indexed = Indexed::new();
    indexed.write(1);
    install_tls();
    let service = startup::open_service(&indexed.loaded(), &NoProgress).await.unwrap();
    let refused = service.one("later").err().unwrap().to_string();
    assert!(refused.contains("later.ttl") && refused.contains("reload it"), "{refused}");
    std::fs::copy(indexed.path("graph.ttl"), indexed.path("later.ttl")).unwrap();
    indexed.build("later").await;
    let watch = tokio::spawn(Service::watch(Arc::downgrade(&service), Duration::from_millis(10)));
    within("the dataset is open", async {
        while service.one("later").is_err() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    watch.abort();
}

#[tokio::test]
async fn only_who_may_see_the_metrics_may_have_a_dataset_reloaded() {
    let keys = "[server]\napi_key = \"main\"\n[server.api_keys]\nshop = \"of the shop\"\n";
    let app = TestApp::with(keys).await;
    for (key, status) in [("main", 200), ("of the shop", 403), ("other", 401)] {
        let asked = app.request(Method::POST, "/datasets/cities/reload").bearer_auth(key).send().await;
        assert_eq!(asked.unwrap().status(), status, "{key}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_question_is_lost_or_sees_two_versions_while_indexes_come_and_go() {
    const VERSIONS: usize = 6;
    let indexed = Indexed::new();
    indexed.write(1);
    let app = Arc::new(TestApp::with(&indexed.settings()).await);
    let over = Arc::new(AtomicBool::new(false));
    let asking = (0..3).map(|asker| {
        let (app, over) = (app.clone(), over.clone());
        tokio::spawn(async move {
            let (mut seen, mut number) = (Vec::new(), asker);
            while !over.load(Ordering::Relaxed) {
                number = (number + 3) % 40;
                // One that is new to the caches, and one row of one version.
                seen.push(value(&app, &format!("What is the height of Tower {number}?")).await);
                let all = run(&app, "towers", "Which tower has a height of more than 0?").await;
                assert_eq!(all["rows"]["row_count"], 40, "{all}");
            }
            seen
        })
    });
    let asking: Vec<_> = asking.collect();
    for version in 2..=VERSIONS {
        indexed.write(version);
        indexed.build("towers").await;
        assert_eq!(reload(&app, "towers").await.1["reloaded"], true);
    }
    over.store(true, Ordering::Relaxed);
    for task in asking {
        let seen = within("the last question", task).await.unwrap();
        let numbers: Vec<usize> = seen.iter().map(|it| it.as_str().unwrap().parse().unwrap()).collect();
        assert!(numbers.is_sorted(), "nobody goes back to an old version: {numbers:?}");
        assert!(numbers.iter().all(|number| (1..=VERSIONS).contains(number)));
    }
    assert_eq!(value(&app, "What is the height of Tower 0?").await, VERSIONS.to_string());
    indexed.one_is_left().await;
}

/// Files of this process that are open, or mapped, and were removed from a folder.
fn still_open(folder: &Path) -> usize {
    let is_removed = |name: &str| name.contains(folder.to_str().unwrap()) && name.ends_with("(deleted)");
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let files = std::fs::read_dir("/proc/self/fd").into_iter().flatten();
    let files =
        files.filter_map(|file| Some(std::fs::read_link(file.ok()?.path()).ok()?.display().to_string()));
    maps.lines().filter(|line| is_removed(line)).count() + files.filter(|name| is_removed(name)).count()
}

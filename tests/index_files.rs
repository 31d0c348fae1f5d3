//! Files of an index that are damaged, replaced or removed while they are served, and what a build leaves alone.

use crate::cli::{eruca, run};
use eruca_testing::helpers::{CITIES, QUESTION, TestApp, json, repository};
use eruca_testing::programs::{output, stderr, within};
use serde_json::Value;
use std::fs::{self, File};
use std::path::Path;

fn command() -> String {
    format!("eruca index --dataset '{CITIES}'")
}

/// What is said of the index by `/ready`, with its state.
async fn index_part(app: &TestApp) -> (Value, String) {
    let ready = json(app.ready().await).await;
    let parts = ready["parts"].as_array().unwrap();
    let part = parts.iter().find(|part| part["part"].as_str().unwrap().ends_with(": index")).unwrap();
    (part["state"].clone(), part["detail"].as_str().unwrap().to_owned())
}

fn garble(file: &Path) {
    let length = fs::metadata(file).unwrap().len() as usize;
    fs::write(file, vec![0xA5; length]).unwrap();
}

fn cut(file: &Path) {
    File::options().write(true).open(file).unwrap().set_len(9).unwrap();
}

#[tokio::test]
async fn damage_that_comes_while_serving_is_told_by_questions_and_ready() {
    for (name, damage) in
        [("entities/rows.bin", garble as fn(&Path)), ("entities/names.fst", cut), ("card.json", garble)]
    {
        let app = TestApp::start().await;
        assert_eq!(app.ask(CITIES, QUESTION).await.status(), 200);
        damage(&app.version().join(name));
        let response = app.ask(CITIES, "What is the capital of Germany?").await;
        assert_eq!(response.status(), 500, "{name}");
        let body = json(response).await;
        assert_eq!(body["code"], "index_damaged", "{body}");
        let said = body["detail"].as_str().unwrap();
        assert!(said.contains(name) && said.contains("is damaged") && said.contains(&command()), "{said}");
        assert_eq!(app.ready().await.status(), 503);
        let (state, detail) = index_part(&app).await;
        assert!(state == "down" && detail.contains(&command()), "{state} {detail}");
        assert_eq!(app.health().await.status(), 200, "the process goes on");
    }
}

/// Waits until `/health` says so.
async fn degraded(app: &TestApp, words: &str) {
    let told = async || {
        let health = json(app.health().await).await;
        health["degraded"].as_array().unwrap().iter().any(|note| note.as_str().unwrap().contains(words))
    };
    within(words, async { while !told().await {} }).await;
}

#[tokio::test]
async fn an_index_that_is_replaced_or_removed_while_serving_is_told_and_answers() {
    let app = TestApp::start().await;
    let output = run(app.folder(), &["index", "--config", "test.toml"]);
    assert!(output.status.success(), "{}", stderr(&output));
    degraded(&app, "a newer index of dataset").await;
    assert_eq!(app.ask(CITIES, QUESTION).await.status(), 200);
    fs::remove_dir_all(app.folder().join("index")).unwrap();
    degraded(&app, "is gone").await;
    assert_eq!(app.ask(CITIES, "What is the capital of Germany?").await.status(), 200);
}

#[cfg(unix)]
#[test]
fn a_build_into_a_folder_of_others_removes_nothing_and_writes_through_no_link() {
    let folder = tempfile::tempdir().unwrap();
    let (out, target) = (folder.path().join("out"), folder.path().join("target"));
    let letter = out.join("v-letters/letter.txt");
    fs::create_dir_all(letter.parent().unwrap()).unwrap();
    fs::write(&letter, "Dear Sir").unwrap();
    fs::write(&target, "precious").unwrap();
    let graph = repository().join("examples/world.ttl");
    let build = || output(eruca(folder.path()).args(["index", "--out", "out"]).arg(&graph));
    for name in ["lock", "current.new"] {
        std::os::unix::fs::symlink(&target, out.join(name)).unwrap();
        let output = build();
        assert_eq!(output.status.code(), Some(1), "{name}");
        let said = stderr(&output);
        assert!(said.contains(name) && said.contains("symbolic link"), "{said}");
        assert_eq!(fs::read_to_string(&target).unwrap(), "precious", "{name}");
        fs::remove_file(out.join(name)).unwrap();
    }
    for _ in 0..2 {
        assert!(build().status.success());
    }
    assert_eq!(fs::read_to_string(&letter).unwrap(), "Dear Sir");
    let versions = fs::read_dir(&out)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("v-"));
    assert_eq!(versions.count(), 2, "the current one, and the letters");
}

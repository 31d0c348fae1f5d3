//! Eruca as official clients of the Model Context Protocol see it: the Python package and the inspector's command line, over
//! both transports, in both generations of the protocol.

use super::{node_bin, python, run_script};
use eruca_testing::helpers::{QUESTION, SilentModel, TestApp, folder, repository};
use eruca_testing::programs::{Running, Watch, output, within};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdout, Command, Stdio};
use tempfile::TempDir;
use tokio::io::AsyncReadExt;

const CLIENT: &str = "mcp_client.py";
/// The last version with a handshake, and the first without, which clients find out by themselves.
const MODES: [&str; 2] = ["legacy", "auto"];

/// What a client starts: the program with the cities, and `toml`.
fn command(toml: &str) -> (TempDir, Vec<String>) {
    let folder = folder();
    let file = folder.path().join("eruca.toml");
    let settings = format!("{}\n{toml}", std::fs::read_to_string(&file).unwrap());
    std::fs::write(&file, settings).unwrap();
    let command = [env!("CARGO_BIN_EXE_eruca-tested"), "mcp", "--config", file.to_str().unwrap()];
    (folder, command.map(str::to_owned).into())
}

fn silent(model: &SilentModel) -> String {
    format!("[llm]\nbase_url = \"{}\"\nmodel = \"silent\"\nretries = 0", model.url)
}

/// Runs a check of the Python client apart from the thread that serves.
async fn check(python: &Path, check: &str, mode: &str, target: Vec<String>) {
    let (python, check, mode) = (python.to_owned(), check.to_owned(), mode.to_owned());
    let checked = tokio::task::spawn_blocking(move || {
        let mut arguments = vec![check.as_str(), mode.as_str()];
        arguments.extend(target.iter().map(String::as_str));
        run_script(&python, CLIENT, &arguments);
    });
    checked.await.unwrap();
}

#[tokio::test]
async fn the_python_client_finds_everything_over_both_transports_in_both_generations() {
    let Some(python) = python() else { return };
    let app = TestApp::start().await;
    let (_folder, program) = command("");
    for mode in MODES {
        check(&python, "tour", mode, vec![format!("{}/mcp", app.url)]).await;
        check(&python, "tour", mode, program.clone()).await;
    }
}

#[tokio::test]
async fn a_client_that_gives_up_ends_the_work() {
    let Some(python) = python() else { return };
    for mode in MODES {
        let model = SilentModel::start().await;
        let app = TestApp::with(&silent(&model)).await;
        give_up(&python, mode, vec![format!("{}/mcp", app.url)], &model).await;
        let model = SilentModel::start().await;
        let (_folder, program) = command(&silent(&model));
        give_up(&python, mode, program, &model).await;
    }
}

/// The request to the model is gone while the client is still there.
async fn give_up(python: &Path, mode: &str, target: Vec<String>, model: &SilentModel) {
    let script = repository().join("testing/tests/outside").join(CLIENT);
    let mut client = Command::new(python);
    client.arg(script).args(["cancel", mode]).args(&target).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut client = Running(client.spawn().unwrap());
    let watch = Watch::over(&client.0);
    let said = BufReader::new(client.0.stdout.take().unwrap());
    let mut stdin = client.0.stdin.take().unwrap();
    let mut asked = model.asked().await;
    let (said, line) = next_line(said).await;
    assert_eq!(line, "working\n", "{mode} {target:?}");
    stdin.write_all(b"\n").unwrap();
    let (_said, line) = next_line(said).await;
    assert_eq!(line, "cancelled\n", "{mode} {target:?}");
    let mut request = Vec::new();
    // Comes to an end when the service hangs up, which it would not do by itself for a minute.
    within("the service hangs up", asked.read_to_end(&mut request)).await.unwrap();
    assert!(String::from_utf8_lossy(&request).contains(QUESTION));
    stdin.write_all(b"\n").unwrap();
    let ended = tokio::task::spawn_blocking(move || client.0.wait().unwrap()).await.unwrap();
    watch.ends("a client of MCP");
    assert!(ended.success(), "{mode} {target:?}");
}

/// The next line that a program says.
async fn next_line(mut said: BufReader<ChildStdout>) -> (BufReader<ChildStdout>, String) {
    let read = tokio::task::spawn_blocking(move || {
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        (said, line)
    });
    read.await.unwrap()
}

#[tokio::test]
async fn a_client_hears_that_the_work_goes_on_and_gets_the_best_answer_in_time() {
    let Some(python) = python() else { return };
    let model = SilentModel::start().await;
    let app = TestApp::with(&silent(&model)).await;
    check(&python, "alive", MODES[0], vec![format!("{}/mcp", app.url)]).await;
}

#[tokio::test]
async fn who_names_another_host_or_has_no_key_is_refused() {
    let Some(python) = python() else { return };
    let app = TestApp::with("[server]\napi_keys = { shop = \"right\" }").await;
    let target = |headers: &[&str]| {
        std::iter::once(format!("{}/mcp", app.url)).chain(headers.iter().map(|&h| h.to_owned())).collect()
    };
    for mode in MODES {
        check(&python, "refused", mode, target(&[])).await;
        check(&python, "refused", mode, target(&["Authorization=Bearer wrong"])).await;
        check(&python, "refused", mode, target(&["Authorization=Bearer right", "Host=evil.example"])).await;
        check(&python, "tour", mode, target(&["Authorization=Bearer right"])).await;
    }
}

/// What the inspector prints for a method of a target.
async fn inspected(inspector: &Path, target: &[String], arguments: &[&str]) -> Value {
    let mut command = Command::new(inspector);
    command.arg("--cli").args(target).args(arguments).stdin(Stdio::null());
    let output = tokio::task::spawn_blocking(move || output(&mut command)).await.unwrap();
    let (said, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {said}\n{error}");
    serde_json::from_str(&said).unwrap_or_else(|failed| panic!("{failed}: {said}\n{error}"))
}

#[tokio::test]
async fn the_inspector_lists_and_calls_over_both_transports() {
    let Some(inspector) = node_bin("mcp-inspector") else { return };
    let app = TestApp::start().await;
    let (folder, program) = command("");
    // It takes `--config` for its own.
    let [program, mcp, ..] = program.as_slice() else { panic!("{program:?}") };
    let at = folder.path().to_str().unwrap();
    let program = [program.as_str(), mcp, "--cwd", at].map(str::to_owned).into();
    for target in [vec![format!("{}/mcp", app.url)], program] {
        // With an exit code for schemas that some clients cannot read.
        let listed = inspected(&inspector, &target, &["--method", "tools/list", "--strict"]).await;
        assert!(
            listed["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "text2sparql"),
            "{listed}"
        );
        let question = format!("question={QUESTION}");
        let call = ["--method", "tools/call", "--tool-name", "text2sparql", "--tool-arg", &question];
        let called = inspected(&inspector, &target, &call).await;
        let rows = &called["structuredContent"]["result"]["rows"];
        assert!(rows[0][0].as_str().unwrap().contains("Paris"), "{called}");
        let listed = inspected(&inspector, &target, &["--method", "resources/list"]).await;
        let uri = listed["resources"][0]["uri"].as_str().unwrap();
        let card = inspected(&inspector, &target, &["--method", "resources/read", "--uri", uri]).await;
        assert!(card["contents"][0]["text"].as_str().unwrap().contains("capital"), "{card}");
        let prompt =
            ["--method", "prompts/get", "--prompt-name", "ask_graph", "--prompt-args", question.as_str()];
        let got = inspected(&inspector, &target, &prompt).await;
        assert!(got["messages"][0]["content"]["text"].as_str().unwrap().contains(QUESTION), "{got}");
    }
}

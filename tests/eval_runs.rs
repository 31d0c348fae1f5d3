//! Several runs of `eruca eval` with a scripted model (`data/eval_script.json`): what is left out, other ways of asking, repeats,
//! training data, and the tables that papers have.

use crate::cli::run;
use eruca_testing::helpers::{cities, data};
use eruca_testing::programs::{stderr, stdout};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use tempfile::TempDir;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

const PREFIX: &str = "PREFIX : <https://example.org/cities/> ";

fn script() -> Vec<Value> {
    serde_json::from_str(&std::fs::read_to_string(data("eval_script.json")).unwrap()).unwrap()
}

/// Plays the model of the script, whichever way it is asked.
struct Player {
    script: Vec<Value>,
    /// How often each question was begun.
    begun: Mutex<HashMap<String, usize>>,
}

impl Respond for Player {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let body: Value = request.body_json().unwrap();
        let messages = body["messages"].as_array().unwrap();
        let text = |at: usize| messages[at]["content"].as_str().unwrap();
        let entry = self.script.iter().find(|entry| text(1).contains(entry["question"].as_str().unwrap()));
        let entry = entry.unwrap_or_else(|| panic!("no question of the script in {}", text(1)));
        let message = match text(0) {
            system if system.starts_with("Answer the question from what you know") => texts(&entry["model"]),
            system if system.starts_with("Answer the question from the passages") => {
                texts(&entry["passages"])
            }
            system if system.starts_with("Write one SPARQL query") => {
                said(&format!("```sparql\n{PREFIX}{}\n```", entry["card"].as_str().unwrap()))
            }
            _ => self.turn(entry, messages, text(1).contains("This draft returns")),
        };
        let usage = json!({"prompt_tokens": 100, "completion_tokens": 10});
        ResponseTemplate::new(200).set_body_json(json!({"choices": [{"message": message}], "usage": usage}))
    }
}

impl Player {
    fn turn(&self, entry: &Value, messages: &[Value], drafted: bool) -> Value {
        let turn = messages.iter().filter(|message| message["role"] == "assistant").count();
        let mut begun = self.begun.lock().unwrap();
        let times = begun.entry(entry["id"].as_str().unwrap().to_owned()).or_default();
        *times += usize::from(turn == 0);
        let other = match (*times, drafted) {
            (2, true) => &entry["again"],
            (_, false) => &entry["without_drafts"],
            _ => &Value::Null,
        };
        let turns = if other.is_array() { other } else { &entry["agent"] };
        let call = &turns[turn];
        assert!(call.is_array(), "no turn {turn} for {}: {}", entry["id"], messages.last().unwrap());
        let mut arguments = call[1].clone();
        if let Some(query) = arguments["query"].as_str().filter(|query| query.contains('{')) {
            arguments["query"] = json!(format!("{PREFIX}{query}"));
        }
        let function = json!({"name": call[0], "arguments": arguments.to_string()});
        json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": function}]})
    }
}

fn said(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

fn texts(answers: &Value) -> Value {
    said(&format!("{}", json!({ "answers": answers })))
}

/// A folder with the cities, the script's questions, and its model.
async fn played() -> (TempDir, MockServer) {
    let server = MockServer::start().await;
    let player = Player { script: script(), begun: Mutex::default() };
    Mock::given(method("POST")).and(path("/v1/chat/completions")).respond_with(player).mount(&server).await;
    let folder = tempfile::tempdir().unwrap();
    let llm = format!("[llm]\nbase_url = \"{}/v1\"\nmodel = \"scripted\"\nretries = 0\n", server.uri());
    std::fs::write(folder.path().join("eruca.toml"), format!("{llm}{}", cities())).unwrap();
    let question = |entry: &Value| {
        let sparql = format!("{PREFIX}{}", entry["sparql"].as_str().unwrap());
        json!({"id": entry["id"], "question": entry["question"], "lang": entry["lang"], "sparql": sparql})
            .to_string()
    };
    let lines: Vec<String> = script().iter().map(question).collect();
    std::fs::write(folder.path().join("q.jsonl"), lines.join("\n")).unwrap();
    (folder, server)
}

fn eval(folder: &Path, arguments: &[&str]) -> String {
    let all = [&["eval"], arguments].concat();
    let output = tokio::task::block_in_place(|| run(folder, &all));
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

fn json_of(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The same without seconds, which are never the same.
fn without_seconds(text: &str) -> String {
    let table = |table: &str| match table.starts_with("# Effort") {
        true => table.lines().map(without_fourth_cell).collect::<Vec<_>>().join("\n"),
        false => table.to_owned(),
    };
    text.split("\n\n").map(table).collect::<Vec<_>>().join("\n\n")
}

fn without_fourth_cell(line: &str) -> String {
    let cells = line.split(',').enumerate().filter(|(at, _)| *at != 3);
    cells.map(|(_, cell)| cell).collect::<Vec<_>>().join(",")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tables_of_papers_are_printed_from_runs() {
    let (folder, _server) = played().await;
    let arguments = ["--questions", "q.jsonl", "--out", "runs", "--without", "drafts"];
    let said = eval(folder.path(), &[&arguments[..], &["--baseline", "model,card,passages,agent"]].concat());
    assert!(said.contains("4 questions in all runs, 0 not in all of them are left out"), "{said}");
    for run in ["whole", "without-drafts", "model", "card", "passages"] {
        assert!(folder.path().join("runs").join(run).join("report.html").exists(), "{run}");
    }
    let written = std::fs::read_to_string(folder.path().join("runs/tables.md")).unwrap();
    assert!(written.contains("### Share of each tool") && written.contains("### Pairs"), "{written}");
    let page = std::fs::read_to_string(folder.path().join("runs/comparison.html")).unwrap();
    assert!(page.contains("<h2>Answers by what they are</h2>") && page.contains("<svg"), "{page}");
    let tables = eval(
        folder.path(),
        &[
            "--tables",
            "runs/whole",
            "runs/without-drafts",
            "runs/model",
            "runs/card",
            "runs/passages",
            "--table",
            "csv",
        ],
    );
    insta::assert_snapshot!(without_seconds(&tables.replace("\r\n", "\n")));
}

#[tokio::test(flavor = "multi_thread")]
async fn repeats_say_how_far_answers_agree() {
    let (folder, _server) = played().await;
    let said = eval(folder.path(), &["--questions", "q.jsonl", "--out", "runs", "--repeat", "3"]);
    assert!(said.contains("whole: 3 repeats, set_F "), "{said}");
    let agreement = json_of(&folder.path().join("runs/agreement.json"));
    let whole = &agreement["whole"];
    // The second time one question gets another answer; another one is never right.
    assert_eq!((&whole["questions"], &whole["same"]), (&json!(4), &json!(0.75)));
    assert_eq!(whole["right"], json!({"0": 1, "1": 0, "2": 1, "3": 2}), "{whole}");
    assert!(folder.path().join("runs/3/results.jsonl").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn good_conversations_become_training_data() {
    let (folder, _server) = played().await;
    let held = json!({"id": "held", "question": "Was ist die Hauptstadt von Deutschland?"});
    std::fs::write(folder.path().join("test.jsonl"), held.to_string()).unwrap();
    let arguments = ["--questions", "q.jsonl", "--out", "runs", "--export-training", "chats.jsonl"];
    let said = eval(folder.path(), &[&arguments[..], &["--held-out", "test.jsonl"]].concat());
    assert!(
        said.contains("training     2 conversations; left out: 1 below the score, 0 without a known answer, 1 held out, 0"),
        "{said}"
    );
    let text = std::fs::read_to_string(folder.path().join("chats.jsonl")).unwrap();
    let chats: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        chats.iter().map(|chat| &chat["metadata"]["id"]).collect::<Vec<_>>(),
        ["capital-en", "cities-en"]
    );
    let messages = chats[1]["messages"].as_array().unwrap();
    let roles: Vec<&str> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "assistant", "tool", "assistant"]);
    assert_eq!(messages[6]["tool_calls"][0]["function"]["name"], "answer");
    assert!(chats[0]["tools"].as_array().unwrap().iter().any(|tool| tool["function"]["name"] == "answer"));
    let note = std::fs::read_to_string(folder.path().join("chats.jsonl.md")).unwrap();
    assert!(note.contains("Models: scripted") && note.contains("1 held out"), "{note}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_is_left_out_is_not_offered() {
    let (folder, server) = played().await;
    eval(
        folder.path(),
        &["--questions", "q.jsonl", "--ids", "cities-en", "--out", "runs", "--without", "get_entry"],
    );
    let offered = |request: &Request| {
        let body: Value = request.body_json().unwrap();
        body["tools"].as_array().unwrap().iter().any(|tool| tool["function"]["name"] == "get_entry")
    };
    let requests = server.received_requests().await.unwrap();
    let with = requests.iter().filter(|request| offered(request)).count();
    assert!(with > 0 && with < requests.len(), "{with} of {}", requests.len());
    let output = tokio::task::block_in_place(|| {
        run(folder.path(), &["eval", "--questions", "q.jsonl", "--out", "o", "--without", "answer"])
    });
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("nothing that can be left out is called 'answer'"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_baseline_needs_a_model() {
    let folder = eruca_testing::helpers::folder();
    let question = json!({"id": "a", "question": "What is the capital of France?"});
    std::fs::write(folder.path().join("q.jsonl"), question.to_string()).unwrap();
    let output = run(folder.path(), &["eval", "--questions", "q.jsonl", "--out", "o", "--baseline", "card"]);
    assert!(stderr(&output).contains("a baseline needs a chat model; set [llm]"), "{}", stderr(&output));
}

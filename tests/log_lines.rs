//! No request can forge a line of the log or steer the terminal that shows it.

use crate::cli::{eruca, run};
use eruca::lines::steers;
use eruca_testing::helpers::{folder, install_tls, query_log};
use eruca_testing::programs::{Running, lines_until, stderr, wait};
use serde_json::Value;
use std::io::Read;
use std::process::{Command, Stdio};

/// What tries to begin a line, to clear the screen in two ways, and to turn the direction of text.
const FORGED: &str = "x\n2030-01-01T00:00:00.000000Z  INFO forged\r\u{1b}[2J\u{9b}2J\u{2028}\u{202e}\u{7f}";

/// What the program writes to stderr while hostile requests are made of it.
async fn logged(format: &str) -> String {
    install_tls();
    let folder = folder();
    let mut command = eruca(folder.path());
    command.args(["serve", "--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.envs([("ERUCA__LOG__FORMAT", format), ("ERUCA__LOG__LEVEL", "info,eruca::http=debug")]);
    command.env("ERUCA__SERVER__CLIENT_HEADER", "X-Client").env("ERUCA__SERVER__API_KEY", "k");
    command.env("ERUCA__LOG__QUESTIONS_FOLDER", "asked");
    let mut child = Running(command.spawn().unwrap());
    let said = lines_until(&mut child.0, |line| line.trim_start().starts_with("try:"));
    let url = said.lines().find_map(|line| line.split_once("listens on ")).unwrap().1;
    let query = [("dataset", FORGED), ("question", FORGED)];
    let url = url::Url::parse_with_params(&format!("{url}/text2sparql"), query).unwrap();
    for key in ["k", "wrong"] {
        let request = reqwest::Client::new().get(url.clone()).bearer_auth(key);
        // Header values may hold bytes that no ASCII text has; C1 control characters are such in UTF-8.
        let hostile = reqwest::header::HeaderValue::from_bytes("\u{9b}2J\tforged".as_bytes()).unwrap();
        let sent = ["x-client", "x-request-id", "user-agent"]
            .into_iter()
            .fold(request, |request, name| request.header(name, hostile.clone()));
        let status = sent.send().await.unwrap().status();
        assert_eq!(status, if key == "k" { 404 } else { 401 });
    }
    let stopped = Command::new("kill").args(["-TERM", &child.0.id().to_string()]).status().unwrap();
    assert!(stopped.success() && wait(&mut child.0).success());
    let mut log = String::new();
    child.0.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    let file = query_log(&folder.path().join("asked"));
    let asked = std::fs::read_to_string(file).unwrap();
    assert_eq!(asked.lines().count(), 1);
    assert!(!asked.trim_end_matches('\n').contains(steers), "{asked:?}");
    assert_eq!(serde_json::from_str::<Value>(&asked).unwrap()["question"], FORGED);
    log
}

#[tokio::test]
async fn a_request_cannot_forge_a_line_of_text() {
    let log = logged("text").await;
    for line in log.lines() {
        assert!(!line.contains(steers), "{line:?}");
        assert!(!line.starts_with("2030") && !line.starts_with("forged"), "{line:?}");
    }
    let refused = log.lines().find(|line| line.contains("there is no dataset")).unwrap();
    assert!(refused.contains("'x\\u{a}2030-01-01") && refused.contains("key=\"api_key\""), "{refused}");
}

#[tokio::test]
async fn a_request_cannot_forge_a_line_of_json() {
    let log = logged("json").await;
    let events: Vec<Value> = log
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(log.lines().all(|line| !line.contains(steers)), "{log:?}");
    assert!(
        events.iter().all(|event| event["timestamp"].as_str().is_some_and(|time| !time.starts_with("2030")))
    );
    let refused = events.iter().find(|event| event["message"] == "not answered").unwrap();
    assert_eq!(refused["dataset"], FORGED);
    assert_eq!(refused["span"]["key"], "api_key");
}

#[test]
fn what_the_program_says_of_its_arguments_is_one_line() {
    let output = run(folder().path(), &["ask", "--dataset", FORGED, "x"]);
    let said = stderr(&output);
    let said = said.strip_suffix('\n').unwrap();
    assert!(
        said.starts_with("eruca: there is no dataset 'x\\u{a}2030") && !said.contains(steers),
        "{said:?}"
    );
}

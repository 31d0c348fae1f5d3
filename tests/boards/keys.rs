//! Keys for pages of verified questions, in headers and in addresses, and frames of other sites.

use super::{Site, office};
use crate::cli::eruca;
use eruca::config::Settings;
use eruca_testing::helpers::{json, query_log};
use eruca_testing::programs::{Running, lines_until, wait};
use reqwest::Client;
use serde_json::json as value;
use std::io::Read;
use std::process::{Command, Stdio};

const KEYS: &str = "[server]\napi_key = \"main\"\noperators = [\"lab\"]\n\
    board_keys = { all = \"*\", one = \"leaders\", board = \"house\" }\n[server.api_keys]\nshop = \"of the shop\"\n\
    lab = \"of the lab\"\nall = \"all pages\"\none = \"one-page\"\nboard = \"one-board\"\n";

#[tokio::test]
async fn a_key_for_pages_opens_pages_alone() {
    let site = Site::new(KEYS).await;
    for key in ["main", "of the shop", "of the lab", "all pages", "one-page", "one-board"] {
        assert_eq!(site.status("/q/leaders.json", Some(key)).await, 200, "{key}");
    }
    for (path, expected) in
        [("/q/budgets.csv", 403), ("/q/leaders,budgets", 403), ("/q/nobody.json", 403), ("/q/leaders", 200)]
    {
        assert_eq!(site.status(path, Some("one-page")).await, expected, "{path}");
    }
    for (path, expected) in
        [("/q/budgets.csv", 200), ("/q/leaders,budgets", 200), ("/q/house", 200), ("/q/nobody.json", 403)]
    {
        assert_eq!(site.status(path, Some("one-board")).await, expected, "{path}");
    }
    let listed = site.json("/q?key=one-page").await;
    assert_eq!(listed["boards"].as_array().unwrap().len(), 1);
    let others = [
        "/datasets",
        "/metrics",
        "/text2sparql?dataset=office&question=x",
        "/datasets/office/card",
        "/datasets/office/search?q=a",
        "/datasets/office/entry?iri=http://office.example/ada",
        "/v1/models",
        "/datasets/office/places?iri=http://office.example/sales",
        "/runs/00000000000000000000000000000000",
    ];
    for path in others {
        assert_eq!(site.status(path, Some("all pages")).await, 403, "{path}");
        let with_key = format!("{path}{}key=all+pages", if path.contains('?') { '&' } else { '?' });
        assert_eq!(site.status(&with_key, None).await, 401, "{path}: not even read there");
    }
    for path in [
        "/ask",
        "/query",
        "/complete",
        "/link",
        "/feedback",
        "/mcp",
        "/v1/chat/completions",
        "/datasets/office/reload",
    ] {
        let request = site.client.post(format!("{}{path}", site.url)).bearer_auth("all pages");
        let body = value!({"dataset": "office", "question": "x", "query": "ASK {}", "run": "0", "good": true, "at": 0});
        let request = request.header("accept", "application/json, text/event-stream").json(&body);
        assert_eq!(request.send().await.unwrap().status(), 403, "{path}");
    }
}

#[test]
fn wrong_names_of_keys_for_pages_are_told() {
    let said = |toml: &str| {
        let folder = office(&format!("[server]\n{toml}\n"));
        let file = folder.path().join("eruca.toml");
        Settings::load_from(Some(&file), folder.path(), &[]).unwrap_err().to_string()
    };
    for (toml, expected) in [
        ("board_keys = { a = \"x\" }", "contains a name that is not in server.api_keys"),
        ("api_keys = { a = \"k\" }\nboard_keys = { a = \"X y\" }", "must have names of pages like"),
        (
            "api_keys = { a = \"k\" }\nboard_keys = { a = \"x\" }\noperators = [\"a\"]",
            "in server.operators, too",
        ),
        ("embed_origins = [\"intranet\"]", "must hold origins like"),
    ] {
        assert!(said(toml).contains(expected), "{}", said(toml));
    }
}

#[tokio::test]
async fn only_a_key_for_pages_may_stand_in_an_address() {
    let site = Site::new(KEYS).await;
    for path in [
        "/q",
        "/q/leaders",
        "/q/leaders.json",
        "/q/leaders.csv",
        "/q/leaders/candidates?parameter=department",
    ] {
        let with = |key: &str| format!("{path}{}key={key}", if path.contains('?') { '&' } else { '?' });
        assert_eq!(site.status(&with("one-page"), None).await, 200, "{path}");
        assert_eq!(site.status(path, None).await, 401, "{path}");
        assert_eq!(site.status(&with("wrong"), None).await, 401, "{path}");
        let (status, body) = site.refused(&with("main")).await;
        assert_eq!((status, body["code"].as_str()), (403, Some("key_in_address")), "{path}");
        assert!(!body.to_string().contains("main"), "{body}");
    }
    let response = site.get("/q/leaders.json?key=one-page").await;
    assert_eq!(response.headers()["referrer-policy"], "no-referrer");
    assert_eq!(response.headers()["cache-control"], "private, max-age=300");
    assert!(!json(response).await.to_string().contains("one-page"));
    let guesses = (0..12).map(|guess| format!("/q/leaders.json?key=guess{guess}"));
    let mut statuses = Vec::new();
    for guess in guesses {
        statuses.push(site.status(&guess, None).await);
    }
    assert!(statuses.ends_with(&[429, 429]), "{statuses:?}");
}

#[tokio::test]
async fn pages_can_be_framed_by_those_who_are_named_and_nothing_else_can() {
    let closed = Site::new("").await;
    let open =
        Site::new("[server]\nembed_origins = [\"https://intranet.example\", \"http://10.0.0.1:8000\"]").await;
    let headers = async |site: &Site, path: &str| {
        let request = site.client.get(format!("{}{path}", site.url)).header("accept", "text/html");
        let response = request.header("sec-fetch-site", "cross-site").send().await.unwrap();
        let text = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        let policy = text("content-security-policy").unwrap();
        let ancestors = policy.split("; ").find_map(|part| part.strip_prefix("frame-ancestors ")).unwrap();
        (ancestors.to_owned(), text("x-frame-options"), response.status().as_u16())
    };
    let none = ("'none'".to_owned(), Some("DENY".to_owned()), 200);
    let named = ("https://intranet.example http://10.0.0.1:8000".to_owned(), None, 200);
    for path in ["/q/leaders", "/q/leaders?embed&department=Research", "/q/leaders,budgets", "/q/nobody"] {
        assert_eq!(headers(&closed, path).await, none, "{path}");
        assert_eq!(headers(&open, path).await, named, "{path}");
    }
    for path in ["/", "/runs/00000000000000000000000000000000", "/ui/app.js", "/config.json"] {
        assert_eq!(headers(&open, path).await, none, "{path}");
    }
    assert_eq!(headers(&open, "/q/leaders.json").await.2, 403, "data is for the frame itself");
}

#[tokio::test]
async fn a_key_in_an_address_is_in_no_log() {
    let folder = office(KEYS);
    let mut command = eruca(folder.path());
    command.args(["serve", "--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env("ERUCA__LOG__LEVEL", "trace").env("ERUCA__LOG__QUESTIONS_FOLDER", "asked");
    let mut child = Running(command.spawn().unwrap());
    // What is written before anybody reads must not fill the pipe.
    let mut stderr = child.0.stderr.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut log = String::new();
        stderr.read_to_string(&mut log).map(|_| log)
    });
    let said = lines_until(&mut child.0, |line| line.trim_start().starts_with("try:"));
    let url = said.lines().find_map(|line| line.split_once("listens on ")).unwrap().1.to_owned();
    let get = async |path: &str| reqwest::get(format!("{url}{path}")).await.unwrap();
    let paths = [
        "/q/leaders.json",
        "/q/leaders",
        "/q/leaders.csv",
        "/q/budgets.json",
        "/q/nobody.json",
        "/q",
        "/datasets",
        "/q/leaders/x",
    ];
    let mut bodies = String::new();
    for path in paths {
        for key in ["one-page", "guess-of-a-key"] {
            bodies.push_str(&get(&format!("{path}?key={key}")).await.text().await.unwrap());
        }
    }
    let ask = Client::new().post(format!("{url}/ask")).bearer_auth("of the shop");
    let asked = ask.json(&value!({"question": "Who leads Sales?"})).send().await.unwrap();
    bodies.push_str(&asked.text().await.unwrap());
    assert!(Command::new("kill").args(["-TERM", &child.0.id().to_string()]).status().unwrap().success());
    assert!(wait(&mut child.0).success());
    let log = reader.join().unwrap().unwrap();
    let asked = std::fs::read_to_string(query_log(&folder.path().join("asked"))).unwrap();
    assert!(log.contains("the query of a page was run") && log.contains("key=\"one\""), "{log}");
    for secret in ["one-page", "guess-of-a-key"] {
        let told = log.lines().find(|line| line.contains(secret));
        assert_eq!(told, None);
        assert!(!asked.contains(secret) && !bodies.contains(secret), "{asked}{bodies}");
    }
}

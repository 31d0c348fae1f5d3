//! The page, what it is told, queries that people write, and their reports on answers.

use eruca_testing::helpers::{CITIES, CITIES_ALIAS, QUESTION, TestApp, json, repository};
use reqwest::header::{ACCEPT, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, LOCATION, ORIGIN};
use reqwest::{Method, Response};
use serde_json::{Value, json as made};

const BROWSER: &str = "text/html,application/xhtml+xml,*/*;q=0.8";
const PARIS: &str =
    "SELECT ?city WHERE { ?city <https://example.org/cities/locatedIn> <https://example.org/cities/France> }";

async fn browse(app: &TestApp, path: &str) -> Response {
    app.request(Method::GET, path).header(ACCEPT, BROWSER).send().await.unwrap()
}

async fn post(app: &TestApp, path: &str, body: &Value) -> Response {
    app.request(Method::POST, path).json(body).send().await.unwrap()
}

#[tokio::test]
async fn browsers_get_the_page_and_programs_what_they_always_got() {
    let app = TestApp::start().await;
    for path in ["/", "/?graph=cities", "/?graph=cities&question=x", "/?dataset=cities", "/runs/0123"] {
        let page = browse(&app, path).await;
        assert_eq!(page.status(), 200, "{path}");
        assert!(page.headers()[CONTENT_TYPE].to_str().unwrap().starts_with("text/html"), "{path}");
        let policy = page.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
        assert!(policy.starts_with("default-src 'self'") && !policy.contains("unsafe"), "{policy}");
    }
    let asked = format!("/?dataset={CITIES_ALIAS}&question={}", QUESTION.replace(' ', "+"));
    let (browser, program) = (browse(&app, &asked).await, app.get(&asked).await);
    assert_eq!(browser.text().await.unwrap(), program.text().await.unwrap(), "it stays the challenge's");
    assert_eq!(app.get("/").await.status(), 422);
    assert_eq!(app.get("/runs/0123").await.headers()[CONTENT_TYPE], "application/json");
}

#[tokio::test]
async fn every_file_that_the_page_names_is_there() {
    let app = TestApp::start().await;
    let page = browse(&app, "/").await.text().await.unwrap();
    let files: Vec<&str> = page.split(['"', '\'']).filter(|text| text.starts_with("/ui/")).collect();
    assert!(files.len() >= 2, "{page}");
    for file in files {
        let response = app.get(file).await;
        assert_eq!(response.status(), 200, "{file}");
        let tag = response.headers()[ETAG].clone();
        let again = app.request(Method::GET, file).header("if-none-match", tag).send().await.unwrap();
        assert_eq!(again.status(), 304, "{file}");
    }
    for other in ["/ui/nothing.js", "/ui/..%2f..%2fCargo.toml", "/ui/"] {
        assert_eq!(app.get(other).await.status(), 404, "{other}");
    }
}

/// Kinds that the packs have a sentence for, under the name of what the page has for them.
const KINDS: [(&str, &str); 3] = [("right_", "right"), ("asks_", "query_part"), ("doubt_", "doubt")];

#[test]
fn the_page_has_words_for_every_reason_and_doubt_that_the_packs_have_a_sentence_for() {
    let page = std::fs::read_to_string(repository().join("ui/src/i18n/en.ts")).unwrap();
    for (start, name) in KINDS {
        let (_, words) = page.split_once(&format!("  {name}: {{")).unwrap();
        let (words, _) = words.split_once("  } as ").unwrap();
        let sentences = eruca_language::fallback().phrase_keys("readings");
        let kinds: Vec<&str> = sentences.filter_map(|key| key.strip_prefix(start)).collect();
        assert!(!kinds.is_empty(), "{start}");
        for kind in kinds {
            let key = if kind.contains('-') { format!("\"{kind}\": ") } else { format!(" {kind}: ") };
            assert!(words.contains(&key), "{name} has no {kind}");
        }
    }
}

#[tokio::test]
async fn the_page_can_be_switched_off() {
    let app = TestApp::with("[server]\npage = false").await;
    let response = browse(&app, "/").await;
    assert_eq!((response.status().as_u16(), &response.headers()[LOCATION]), (302, &"/docs".parse().unwrap()));
    for path in ["/ui/app.js", "/runs/0123"] {
        assert_eq!(browse(&app, path).await.status(), 404, "{path}");
    }
}

#[tokio::test]
async fn the_page_is_told_what_it_may_do() {
    let config = json(TestApp::start().await.get("/config.json").await).await;
    assert_eq!(
        config["pages"],
        made!({"queries": true, "feedback": false, "proposals": true, "key": false, "boards": false, "pictures": false})
    );
    assert_eq!(config["datasets"], made!([{"id": CITIES, "name": "Cities", "aliases": [CITIES_ALIAS]}]));
    let tiles = "[server]\napi_key = \"k\"\nqueries = false\n[page]\npictures = true\n\
        tiles = \"https://tiles.example/{z}/{x}/{y}.png\"\ntiles_attribution = \"Maps\"";
    let closed = TestApp::with(tiles).await;
    let config = json(closed.get("/config.json").await).await;
    assert!(config.get("datasets").is_none(), "names are for those with a key");
    assert_eq!(config["pages"]["tiles"]["attribution"], "Maps");
    assert_eq!((&config["pages"]["key"], &config["pages"]["queries"]), (&made!(true), &made!(false)));
    let policy = browse(&closed, "/").await.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
    assert!(policy.contains("https://tiles.example") && policy.contains("https:;"), "{policy}");
}

#[tokio::test]
async fn a_written_query_is_checked_run_and_kept() {
    let app = TestApp::start().await;
    let response =
        post(&app, "/query", &made!({"dataset": CITIES_ALIAS, "query": PARIS, "lang": "de"})).await;
    assert_eq!(response.status(), 200);
    let id = response.headers()["eruca-run"].to_str().unwrap().to_owned();
    let run = json(response).await;
    assert_eq!((&run["id"], &run["state"], &run["question"]), (&made!(id), &made!("done"), &made!("")));
    assert_eq!((&run["rows"]["row_count"], &run["dataset"]), (&made!(2), &made!(CITIES)));
    assert!(run.get("confidence").is_none() && run.get("editor").is_none());
    let empty = PARIS.replace("France", "Peru");
    let run = json(post(&app, "/query", &made!({"dataset": CITIES, "query": empty})).await).await;
    assert!(!run["empty"]["reason"].as_str().unwrap().is_empty(), "{run}");
}

#[tokio::test]
async fn a_bad_query_is_told_with_its_place() {
    let app = TestApp::start().await;
    let ask = async |query: &str| post(&app, "/query", &made!({"dataset": CITIES, "query": query})).await;
    let syntax = ask("SELECT ?x WHERE {\n ?x FILTR }").await;
    assert_eq!(syntax.status(), 400);
    let body = json(syntax).await;
    assert_eq!((&body["code"], &body["line"]), (&made!("bad_query"), &made!(2)), "{body}");
    for refused in [
        "DELETE WHERE { ?s ?p ?o }",
        "SELECT * WHERE { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }",
        "nonsense",
    ] {
        let response = ask(refused).await;
        assert_eq!(response.status(), 400, "{refused}");
        assert_eq!(json(response).await["code"], "bad_query", "{refused}");
    }
    assert_eq!(ask(" ").await.status(), 422);
    let unknown = made!({"dataset": CITIES, "query": PARIS, "sparql": "x"});
    assert_eq!(post(&app, "/query", &unknown).await.status(), 422);
    let other = made!({"dataset": "nowhere", "query": PARIS});
    assert_eq!(post(&app, "/query", &other).await.status(), 404);
}

#[tokio::test]
async fn queries_can_be_switched_off_and_pages_of_others_cannot_send_any() {
    let body = made!({"dataset": CITIES, "query": PARIS});
    let closed = TestApp::with("[server]\nqueries = false").await;
    let response = post(&closed, "/query", &body).await;
    assert_eq!(response.status(), 403);
    assert_eq!(json(response).await["code"], "queries_off");
    let app = TestApp::start().await;
    let foreign = app.request(Method::POST, "/query").header(ORIGIN, "https://evil.example").json(&body);
    assert_eq!(json(foreign.send().await.unwrap()).await["code"], "other_origin");
    let form = app.request(Method::POST, "/query").body(body.to_string());
    assert_eq!(form.send().await.unwrap().status(), 415);
}

#[tokio::test]
async fn the_editor_that_is_configured_gets_the_query() {
    let file = Value::from(eruca_testing::helpers::data("cities.ttl"));
    let app = TestApp::with(&format!(
        "[[datasets]]\nid = \"edited\"\nfiles = [{file}]\neditor = \"https://editor.example/#{{query}}\""
    ))
    .await;
    let run =
        json(post(&app, "/query", &made!({"dataset": "edited", "query": "ASK { ?s ?p ?o }"})).await).await;
    assert_eq!(run["editor"], "https://editor.example/#ASK%20%7B%20%3Fs%20%3Fp%20%3Fo%20%7D", "{run}");
}

#[tokio::test]
async fn reports_are_written_down_where_a_file_is_named() {
    let app = TestApp::with("[feedback]\nfile = \"reports.jsonl\"").await;
    let run = json(post(&app, "/ask", &made!({"dataset": CITIES, "question": QUESTION})).await).await;
    let report = made!({"run": run["id"], "good": false, "comment": "wrong\ncity", "query": PARIS});
    assert_eq!(post(&app, "/feedback", &report).await.status(), 204);
    let text = std::fs::read_to_string(app.folder().join("reports.jsonl")).unwrap();
    let line: Value = serde_json::from_str(text.trim_end()).unwrap();
    assert_eq!(
        (&line["good"], &line["comment"], &line["query"]),
        (&made!(false), &made!("wrong\ncity"), &made!(PARIS))
    );
    assert_eq!(post(&app, "/feedback", &made!({"run": "x", "good": true})).await.status(), 422);
    let nobodys = post(&app, "/feedback", &made!({"run": "0".repeat(32), "good": true})).await;
    assert_eq!((nobodys.status().as_u16(), json(nobodys).await["code"].clone()), (404, made!("unknown_run")));
    for _ in 0..2 {
        assert_eq!(post(&app, "/feedback", &report).await.status(), 204);
    }
    assert_eq!(post(&app, "/feedback", &report).await.status(), 409);
    let text = std::fs::read_to_string(app.folder().join("reports.jsonl")).unwrap();
    assert_eq!(text.lines().count(), 3);
    let off = TestApp::with("[feedback]\nproposals = false").await;
    let off = post(&off, "/feedback", &report).await;
    assert_eq!(off.status(), 404);
    assert_eq!(json(off).await["code"], "feedback_off");
}

#[tokio::test]
async fn reasons_are_told_in_the_language_that_is_asked_for() {
    let app = TestApp::start().await;
    let run = json(post(&app, "/ask", &made!({"dataset": CITIES, "question": QUESTION})).await).await;
    let why = format!("/runs/{}/rows/0/why", run["id"].as_str().unwrap());
    let (own, english) =
        (json(app.get(&why).await).await, json(app.get(&format!("{why}?lang=en")).await).await);
    assert_eq!(own, english, "without a wish it is that of the run");
    let german = json(app.get(&format!("{why}?lang=de")).await).await;
    assert_ne!(german["parts"], own["parts"]);
    assert_eq!(german["parts"].as_array().unwrap().len(), own["parts"].as_array().unwrap().len());
    assert_eq!(app.get(&format!("{why}?lang=d%20e")).await.status(), 422);
}

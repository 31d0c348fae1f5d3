//! Runs that are kept: found again, also by a later process, followed, exported; forgotten, and never guessed.

use eruca_testing::events::Events;
use eruca_testing::helpers::{CITIES, QUESTION, TestApp, json};
use eruca_testing::programs::within;
use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde_json::{Value, json};

async fn asked(app: &TestApp, question: &str) -> Value {
    let body = json!({"dataset": CITIES, "question": question});
    let response = app.request(Method::POST, "/ask").json(&body).send().await.unwrap();
    assert_eq!(response.status(), 200);
    json(response).await
}

fn path(run: &Value, rest: &str) -> String {
    format!("/runs/{}{rest}", run["id"].as_str().unwrap())
}

async fn code(app: &TestApp, path: &str) -> (u16, Value) {
    let response = app.get(path).await;
    (response.status().as_u16(), json(response).await["code"].clone())
}

#[tokio::test]
async fn runs_outlast_the_process_where_a_folder_is_configured() {
    let folder = tempfile::tempdir().unwrap();
    let place = Value::from(folder.path().join("runs").to_str().unwrap()).to_string();
    let settings = format!("[runs]\nfolder = {place}");
    let app = TestApp::with(&settings).await;
    let run = asked(&app, QUESTION).await;
    let file = folder.path().join("runs").join(format!("{}.json", run["id"].as_str().unwrap()));
    within("the run is written", async {
        while !file.exists() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    drop(app);

    let app = TestApp::with(&settings).await;
    assert_eq!(json(app.get(&path(&run, "")).await).await, run);
    let events = Events::of(app.get(&path(&run, "/events?after=2")).await).rest().await;
    assert_eq!(events.len(), 1, "of the events only the end is kept");
    assert_eq!((events[0].kind.as_str(), &events[0].data), ("done", &run));
    let seen = app.get(&path(&run, &format!("/events?after={}", events[0].id))).await;
    assert_eq!(seen.status(), 204);
    assert_eq!(json(app.get(&path(&run, "/rows")).await).await, run["rows"]);
    assert_eq!(app.get(&path(&run, "/rows/0/why")).await.status(), 200);
    assert!(app.get(&path(&run, "/graph")).await.text().await.unwrap().contains("Paris"));
    let body = json!({"dataset": CITIES, "question": "And of Germany?", "history": [{"run": run["id"]}]});
    let next = json(app.request(Method::POST, "/ask").json(&body).send().await.unwrap()).await;
    assert_eq!(next["rows"]["rows"][0][0]["label"], "Berlin");
}

#[tokio::test]
async fn the_oldest_runs_are_forgotten() {
    let app = TestApp::with("[runs]\nmax_runs = 1").await;
    let first = asked(&app, QUESTION).await;
    let second = asked(&app, "Which cities are located in Germany?").await;
    // The second one is kept a moment after its answer was sent.
    within("the run is forgotten", async { while code(&app, &path(&first, "")).await.0 == 200 {} }).await;
    assert_eq!(code(&app, &path(&first, "")).await, (404, json!("unknown_run")));
    assert_eq!(code(&app, &path(&first, "/events")).await.1, "unknown_run");
    assert_eq!(code(&app, &path(&first, "/rows")).await.1, "unknown_run");
    assert_eq!(code(&app, &path(&first, "/graph")).await, (404, json!("unknown_run")));
    assert_eq!(app.get(&path(&second, "")).await.status(), 200);
}

#[tokio::test]
async fn names_are_no_paths_and_differ_in_all() {
    let folder = tempfile::tempdir().unwrap();
    let place = Value::from(folder.path().join("runs").to_str().unwrap()).to_string();
    let app = TestApp::with(&format!("[runs]\nfolder = {place}")).await;
    std::fs::write(folder.path().join("secret.json"), "{}").unwrap();
    let [one, other] = [asked(&app, QUESTION).await, asked(&app, QUESTION).await];
    let [one, other] = [&one, &other].map(|run| run["id"].as_str().unwrap().to_owned());
    assert!(one != other && one.len() == 32 && one.bytes().all(|byte| byte.is_ascii_hexdigit()));
    // Whole dots would be taken out of the path by the client.
    let names =
        ["..%2Fsecret", "%2e%2e%2fsecret", "secret", "%00", &one.to_uppercase(), &one[1..], &"0".repeat(32)];
    for name in names {
        let found = app.get(&format!("/runs/{name}")).await;
        assert_eq!(found.status(), 404, "{name}");
    }
}

#[tokio::test]
async fn rows_come_in_the_formats_of_the_standard() {
    let app = TestApp::start().await;
    let run = asked(&app, "Which cities are located in Germany?").await;
    let fetched = async |accept: &str| {
        let request = app.request(Method::GET, &path(&run, "/rows")).header(ACCEPT, accept);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200, "{accept}");
        let kind = response.headers()[CONTENT_TYPE].to_str().unwrap().to_owned();
        (kind, response.text().await.unwrap())
    };
    let (kind, csv) = fetched("text/csv").await;
    assert!(kind.starts_with("text/csv"), "{kind}");
    assert_eq!(csv.lines().count(), 3, "{csv}");
    assert!(csv.contains("Berlin") && csv.contains("\r\n"));
    let (kind, tsv) = fetched("text/tab-separated-values").await;
    assert!(
        kind.starts_with("text/tab-separated-values") && tsv.starts_with('?') && tsv.contains('<'),
        "{tsv}"
    );
    let (kind, results) = fetched("application/sparql-results+json").await;
    assert_eq!(kind, "application/sparql-results+json");
    let results: Value = serde_json::from_str(&results).unwrap();
    assert_eq!(results["results"]["bindings"].as_array().unwrap().len(), 2);
    for (accept, header) in [("text/csv", "Label"), ("text/tab-separated-values", "Label")] {
        let named = app
            .request(Method::GET, &path(&run, "/rows?labels=true"))
            .header(ACCEPT, accept)
            .send()
            .await
            .unwrap();
        let text = named.text().await.unwrap();
        assert!(text.lines().next().unwrap().contains(header) && text.contains("Berlin"), "{text}");
    }
    for wrong in ["labels=x", "spreadsheet=1"] {
        assert_eq!(app.get(&path(&run, &format!("/rows?{wrong}"))).await.status(), 422, "{wrong}");
    }
    let (kind, rows) = fetched("application/json").await;
    assert_eq!(kind, "application/json");
    assert_eq!(serde_json::from_str::<Value>(&rows).unwrap(), run["rows"]);

    let second = json(app.get(&path(&run, "/rows?offset=1&limit=1")).await).await;
    assert_eq!(second["rows"], json!([run["rows"]["rows"][1]]));
    assert_eq!(second["row_count"], 2);
    for wrong in ["offset=-1", "limit=x", "limit=1001"] {
        assert_eq!(app.get(&path(&run, &format!("/rows?{wrong}"))).await.status(), 422, "{wrong}");
    }
}

#[tokio::test]
async fn a_spreadsheet_takes_no_cell_for_a_formula_where_that_is_wanted() {
    let app = TestApp::start().await;
    let query = "SELECT (\"=1+1\" AS ?a) (-5 AS ?b) (\"@x\" AS ?c) { ?s ?p ?o } LIMIT 1";
    let request = app.request(Method::POST, "/query").json(&json!({"dataset": CITIES, "query": query}));
    let run = json(request.send().await.unwrap()).await;
    for (wish, row) in [("", "=1+1,-5,@x"), ("?spreadsheet=true", "'=1+1,-5,'@x")] {
        let request =
            app.request(Method::GET, &path(&run, &format!("/rows{wish}"))).header(ACCEPT, "text/csv");
        let csv = request.send().await.unwrap().text().await.unwrap();
        assert_eq!(csv, format!("a,b,c\r\n{row}\r\n"));
    }
}

#[tokio::test]
async fn runs_that_cannot_be_stored_are_told_as_degraded() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("runs");
    let app = TestApp::with(&format!("[runs]\nfolder = {}", Value::from(place.to_str().unwrap()))).await;
    let told = async || {
        let ready = app.ready().await;
        assert_eq!(ready.status(), 200);
        json(ready).await["parts"].to_string().contains("[runs] folder")
    };
    assert!(!told().await);
    std::fs::remove_dir_all(&place).unwrap();
    asked(&app, QUESTION).await;
    within("it is told", async { while !told().await {} }).await;
    std::fs::create_dir(&place).unwrap();
    asked(&app, QUESTION).await;
    within("it is over", async { while told().await {} }).await;
}

#[tokio::test]
async fn a_row_has_its_reasons() {
    let app = TestApp::start().await;
    let run = asked(&app, QUESTION).await;
    let why = json(app.get(&path(&run, "/rows/0/why")).await).await;
    assert_eq!(why["row"], 0);
    assert!(!why["text"].as_str().unwrap().is_empty());
    let triple = why["parts"].as_array().unwrap().iter().find(|part| part["kind"] == "triple").unwrap();
    let labels =
        ["subject", "predicate", "object"].map(|end| triple[end]["label"].as_str().unwrap_or_default());
    assert!(labels.contains(&"France") && labels.contains(&"Paris"), "{triple}");
    assert_eq!(code(&app, &path(&run, "/rows/7/why")).await, (404, json!("no_such_row")));
    assert_eq!(app.get(&path(&run, "/rows/x/why")).await.status(), 422);
}

#[tokio::test]
async fn runs_are_for_those_who_have_a_key() {
    let app = TestApp::with("[server]\napi_keys = { shop = \"k\" }").await;
    let body = json!({"dataset": CITIES, "question": QUESTION});
    let post = || app.request(Method::POST, "/ask").json(&body);
    assert_eq!(post().send().await.unwrap().status(), 401);
    let run = json(post().bearer_auth("k").send().await.unwrap()).await;
    for rest in ["", "/events", "/rows", "/rows/0/why", "/graph"] {
        assert_eq!(app.get(&path(&run, rest)).await.status(), 401, "{rest}");
        let request = app.request(Method::GET, &path(&run, rest)).bearer_auth("k");
        assert_eq!(request.send().await.unwrap().status(), 200, "{rest}");
    }
}

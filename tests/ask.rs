//! `POST /ask`: as a whole or event by event, through bad connections, given up, in trouble.

use eruca::llm::{ScriptedModel, ScriptedTurn};
use eruca_testing::events::{Events, Told, assert_whole};
use eruca_testing::helpers::{CITIES, CITIES_ALIAS, QUESTION, SilentModel, TestApp, data, json, query_log};
use eruca_testing::programs::within;
use eruca_testing::scripted::{answers, served, tries};
use reqwest::header::{ACCEPT, ALLOW, CONTENT_TYPE, ORIGIN, RETRY_AFTER};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Longer than anything here takes; a test that waits for it has failed.
const VERY_LONG: Duration = Duration::from_secs(60);

fn ask(app: &TestApp, body: &Value) -> RequestBuilder {
    app.request(Method::POST, "/ask").json(body)
}

fn question() -> Value {
    json!({"dataset": CITIES, "question": QUESTION})
}

async fn stream(app: &TestApp, body: &Value) -> Response {
    let response = ask(app, body).header(ACCEPT, "text/event-stream").send().await.unwrap();
    assert_eq!(response.status(), 200);
    response
}

fn run_of(response: &Response) -> String {
    response.headers()["eruca-run"].to_str().unwrap().to_owned()
}

async fn follow(app: &TestApp, run: &str, after: u64) -> Events {
    let request = app.request(Method::GET, &format!("/runs/{run}/events"));
    Events::of(request.header("Last-Event-ID", after.to_string()).send().await.unwrap())
}

fn kinds(events: &[Told]) -> Vec<&str> {
    let mut kinds: Vec<&str> = events.iter().map(|told| told.kind.as_str()).collect();
    kinds.dedup();
    kinds
}

#[tokio::test]
async fn events_come_in_order_and_tell_what_the_run_tells() {
    let app = TestApp::start().await;
    let response = stream(&app, &question()).await;
    assert_eq!(response.headers()["cache-control"], "no-cache");
    assert_eq!(response.headers()["x-accel-buffering"], "no");
    let run = run_of(&response);
    let events = Events::of(response).rest().await;
    assert_whole(&events, 1);
    assert_eq!(kinds(&events), ["reading", "step", "reading", "query", "rows", "answer", "done"]);
    let told = |kind: &str| &events.iter().rev().find(|told| told.kind == kind).unwrap().data;
    let done = told("done");
    assert_eq!(done["id"], run.as_str());
    assert_eq!((&done["state"], &done["dataset"]), (&json!("done"), &json!(CITIES)));
    assert_eq!(done["query"], told("query")["query"]);
    assert_eq!(done["rows"], *told("rows"));
    assert_eq!(done["answer"], *told("answer"));
    assert_eq!(done["confidence"], told("reading")["confidence"]);
    assert_eq!(done["rows"]["rows"][0][0]["label"], "Paris");
    assert!(done["answer"]["text"].as_str().unwrap().contains("Paris"), "{}", done["answer"]);
    assert!(!done["explanation"].as_array().unwrap().is_empty());
    let steps: Vec<&Value> =
        events.iter().filter(|told| told.kind == "step").map(|told| &told.data).collect();
    assert_eq!(done["trace"]["steps"].as_array().unwrap().iter().collect::<Vec<_>>(), steps);
    assert!(done["trace"].get("results").is_none());
    assert_eq!(json(app.get(&format!("/runs/{run}")).await).await, *done);

    for after in [0, 2, events.len() as u64 - 1] {
        let again = follow(&app, &run, after).await.rest().await;
        assert_eq!(again, events[after as usize..], "after {after}");
    }
    let nothing = app.get(&format!("/runs/{run}/events?after={}", events.len())).await;
    assert_eq!(nothing.status(), 204);
    assert_eq!(app.get(&format!("/runs/{run}/events?after=x")).await.status(), 422);
}

#[tokio::test]
async fn as_a_whole_it_is_the_same_run_in_the_asked_language() {
    let app = TestApp::start().await;
    let body = json!({"dataset": CITIES_ALIAS, "question": "Which cities are located in Germany?", "lang": "de",
        "answer": false, "deadline_seconds": 60});
    let response = ask(&app, &body).send().await.unwrap();
    assert_eq!(response.status(), 200);
    let name = run_of(&response);
    let run = json(response).await;
    assert_eq!(
        (&run["id"], &run["lang"], &run["answered_by"]),
        (&json!(name), &json!("de"), &json!("planner"))
    );
    assert_eq!(run["dataset"], CITIES);
    let rows = run["rows"]["rows"].as_array().unwrap().iter().map(|row| row[0]["label"].as_str().unwrap());
    assert!(rows.collect::<Vec<_>>().contains(&"Köln"), "{run}");
    assert!(run.get("answer").is_none());
    assert!(
        run["words"].as_array().unwrap().iter().any(|word| word == &json!({"text": "cities", "used": true}))
    );
}

#[tokio::test]
async fn an_empty_answer_tells_what_could_be_given_up() {
    let app = TestApp::start().await;
    let text = "Which cities are located in France and have a population of more than 90000000?";
    let run = json(ask(&app, &json!({"dataset": CITIES, "question": text})).send().await.unwrap()).await;
    assert_eq!(run["rows"]["row_count"], 0, "{run}");
    let reason = run["empty"]["reason"].as_str().unwrap();
    assert!(reason.contains("90,000,000") && !reason.contains("FILTER"), "for people: {reason}");
    let dropped = run["empty"]["drop"].as_array().unwrap();
    assert!(
        dropped.iter().any(|one| one["condition"].as_str().unwrap().contains("90,000,000")),
        "{dropped:?}"
    );
    assert!(dropped.iter().all(|one| one["rows"].as_u64().unwrap() > 0));
    assert_eq!(run["answer"]["kind"], "empty");
}

#[tokio::test]
async fn a_run_names_the_questions_that_it_followed_and_no_other_of_the_conversation() {
    let app = TestApp::start().await;
    let mut history: Vec<Value> = Vec::new();
    let mut follow = async |question: &str| {
        let body = json!({"dataset": CITIES, "question": question, "history": history});
        let run = json(ask(&app, &body).send().await.unwrap()).await;
        history.push(json!({"run": run["id"]}));
        run
    };
    follow("What is the population of Berlin?").await;
    let alone = follow(QUESTION).await;
    assert!(alone.get("follows").is_none(), "{alone}");
    let germany = follow("And of Germany?").await;
    assert_eq!(germany["follows"], json!([QUESTION]));
    let last = follow("What is its population?").await;
    assert_eq!(last["follows"], json!([QUESTION, germany["asked"]]), "{last}");
    let kept = json(app.get(&format!("/runs/{}", last["id"].as_str().unwrap())).await).await;
    assert_eq!(kept["follows"], last["follows"]);
}

#[tokio::test]
async fn a_question_follows_the_one_before() {
    let app = TestApp::start().await;
    let first = json(ask(&app, &question()).send().await.unwrap()).await;
    let pasts = [json!({"run": first["id"]}), json!({"question": QUESTION})];
    for past in pasts {
        let body = json!({"dataset": CITIES, "question": "And of Germany?", "history": [past]});
        let run = json(ask(&app, &body).send().await.unwrap()).await;
        assert_eq!(run["question"], "And of Germany?");
        assert!(run["asked"].as_str().unwrap().contains("capital"), "{run}");
        assert!(!run["taken_over"].as_array().unwrap().is_empty());
        assert_eq!(run["follows"], json!([QUESTION]));
        assert_eq!(run["rows"]["rows"][0][0]["label"], "Berlin", "{run}");
    }
    let body =
        json!({"dataset": CITIES, "question": "And of Germany?", "history": [{"run": "0".repeat(32)}]});
    let forgotten = ask(&app, &body).send().await.unwrap();
    assert_eq!(
        (forgotten.status().as_u16(), json(forgotten).await["code"].clone()),
        (404, json!("unknown_run"))
    );
}

#[tokio::test]
async fn bodies_are_json_of_known_fields_and_of_a_bounded_size() {
    let app = TestApp::start().await;
    let sent = async |body: &str, kind: &str| {
        let request = app.request(Method::POST, "/ask").header(CONTENT_TYPE, kind).body(body.to_owned());
        let response = request.send().await.unwrap();
        (response.status().as_u16(), json(response).await)
    };
    let good = question().to_string();
    assert_eq!(sent(&good, "application/json; charset=utf-8").await.0, 200);
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "text/json"] {
        let (status, body) = sent(&good, kind).await;
        assert_eq!((status, &body["code"]), (415, &json!("not_json")), "{kind}");
    }
    let faulty = [
        (json!({"dataset": CITIES, "question": QUESTION, "more": 1}), "more"),
        (json!({"dataset": CITIES}), "question"),
        (json!({"dataset": CITIES, "question": " "}), "question"),
        (json!({"dataset": CITIES, "question": QUESTION, "lang": "../de"}), "lang"),
        (json!({"dataset": CITIES, "question": QUESTION, "deadline_seconds": -1}), "deadline_seconds"),
        (json!({"dataset": CITIES, "question": QUESTION, "history": [{}]}), "history"),
    ];
    for (body, field) in faulty {
        let (status, told) = sent(&body.to_string(), "application/json").await;
        assert_eq!((status, &told["detail"][0]["loc"][0]), (422, &json!("body")), "{told}");
        assert!(told.to_string().contains(field), "{told}");
    }
    assert_eq!(sent("{", "application/json").await.0, 422);
    let long = json!({"dataset": CITIES, "question": "x".repeat(1 << 20)}).to_string();
    assert_eq!(sent(&long, "application/json").await.1["code"], "body_too_large");
    let unknown = json!({"dataset": "nowhere", "question": QUESTION}).to_string();
    assert_eq!(sent(&unknown, "application/json").await.0, 404);
    let get = app.get("/ask").await;
    assert_eq!((get.status().as_u16(), &get.headers()[ALLOW]), (405, &"POST".parse().unwrap()));
}

#[tokio::test]
async fn pages_of_other_sites_cannot_ask() {
    let app = TestApp::with("[server]\ncors_origins = [\"https://friend.example\"]").await;
    let status = async |headers: &[(&str, &str)]| {
        let request = headers
            .iter()
            .fold(ask(&app, &question()), |request, (name, value)| request.header(*name, *value));
        request.send().await.unwrap().status().as_u16()
    };
    let own = app.url.clone();
    assert_eq!(status(&[]).await, 200);
    assert_eq!(status(&[(ORIGIN.as_str(), &own), ("sec-fetch-site", "same-origin")]).await, 200);
    assert_eq!(
        status(&[(ORIGIN.as_str(), "https://friend.example"), ("sec-fetch-site", "cross-site")]).await,
        200
    );
    for origin in ["https://evil.example", "null", "http://localhost:1", "http://friend.example", "file://"] {
        assert_eq!(status(&[(ORIGIN.as_str(), origin)]).await, 403, "{origin}");
    }
    assert_eq!(status(&[("sec-fetch-site", "cross-site")]).await, 403);
}

/// Comes when the other side has closed the connection.
async fn closed(mut connection: TcpStream) {
    let mut read = Vec::new();
    let ended = tokio::time::timeout(VERY_LONG, connection.read_to_end(&mut read)).await;
    ended.expect("the connection is not closed").ok();
}

#[tokio::test]
async fn who_goes_away_ends_the_work_and_the_run_keeps_what_it_had() {
    let model = SilentModel::start().await;
    for events in [true, false] {
        // Another one each time: the place of a question is free only a little after its end.
        let app = TestApp::with_room_for_one(&model).await;
        let accept = if events { "text/event-stream" } else { "application/json" };
        let asked = tokio::spawn(ask(&app, &question()).header(ACCEPT, accept).send());
        let mut connection = model.asked().await;
        let mut run = None;
        if events {
            let response = asked.await.unwrap().unwrap();
            run = Some(run_of(&response));
            drop(response);
        } else {
            asked.abort();
            drop(asked.await);
        }
        // The model sees that nobody waits for it any longer.
        let mut request = Vec::new();
        let ended = tokio::time::timeout(VERY_LONG, connection.read_to_end(&mut request)).await;
        ended.expect("the model is still waited for").ok();
        if let Some(run) = run {
            let told = follow(&app, &run, 0).await.rest().await;
            assert_whole(&told, 1);
            assert_eq!(kinds(&told)[..2], ["reading", "step"]);
            assert_eq!(told[told.len() - 2].data["code"], "cancelled");
            let done = &told.last().unwrap().data;
            assert_eq!((&done["state"], &done["error"]["code"]), (&json!("cancelled"), &json!("cancelled")));
            assert_eq!(
                done["steps"].as_array().unwrap().len(),
                told.iter().filter(|one| one.kind == "step").count()
            );
        }
    }
}

#[tokio::test]
async fn a_slow_endpoint_sees_its_connection_closed() {
    let endpoint = SilentModel::start().await;
    let file = Value::from(data("cities.ttl")).to_string();
    let app = TestApp::with(&format!(
        "[[datasets]]\nid = \"slow\"\nfiles = [{file}]\nendpoint = \"{}\"",
        endpoint.url
    ))
    .await;
    let asked = stream(&app, &json!({"dataset": "slow", "question": QUESTION})).await;
    let connection = endpoint.asked().await;
    drop(asked);
    closed(connection).await;
}

#[tokio::test]
async fn who_comes_again_in_time_finds_the_work_going_on() {
    let model = SilentModel::start().await;
    let app = TestApp::with_room_for_one(&model).await;
    let first = stream(&app, &question()).await;
    let connection = model.asked().await;
    let run = run_of(&first);
    let mut second = follow(&app, &run, 0).await;
    let mut third = follow(&app, &run, 1).await;
    drop(first);
    assert_eq!(json(app.get(&format!("/runs/{run}")).await).await["state"], "running");
    // The model fails now, and the planner answers.
    drop((connection, model));
    let events = second.rest().await;
    assert_whole(&events, 1);
    assert_eq!(events.last().unwrap().data["state"], "done");
    assert_eq!(third.rest().await, events[1..]);
}

/// A proxy that hands on what the service sends in the way of `manner`, one connection after the other.
async fn proxy(to: &str, manner: fn(Vec<u8>, usize) -> Option<Vec<u8>>) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (url, to) = (format!("http://{}", listener.local_addr().unwrap()), to.replace("http://", ""));
    tokio::spawn(async move {
        for number in 0.. {
            let (client, _) = listener.accept().await.unwrap();
            let service = TcpStream::connect(&to).await.unwrap();
            tokio::spawn(hand_on(client, service, manner, number));
        }
    });
    url
}

async fn hand_on(
    client: TcpStream,
    service: TcpStream,
    manner: fn(Vec<u8>, usize) -> Option<Vec<u8>>,
    number: usize,
) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_service, mut to_service) = service.into_split();
    let up = tokio::spawn(async move { tokio::io::copy(&mut from_client, &mut to_service).await });
    let (mut held, mut buffer) = (Vec::new(), [0; 1024]);
    while let Ok(read @ 1..) = from_service.read(&mut buffer).await {
        held.extend_from_slice(&buffer[..read]);
        let whole = held.ends_with(b"\r\n0\r\n\r\n");
        match manner(held.clone(), number) {
            Some(cut) => {
                drop(to_client.write_all(&cut).await);
                break;
            }
            // Held until all is there, then in pieces that end anywhere.
            None if whole => {
                for piece in held.chunks(7) {
                    drop(to_client.write_all(piece).await);
                    drop(to_client.flush().await);
                }
                break;
            }
            None => {}
        }
    }
    drop(to_client.shutdown().await);
    up.abort();
}

#[tokio::test]
async fn nothing_is_lost_behind_a_proxy_that_holds_everything_back() {
    let app = TestApp::start().await;
    let url = proxy(&app.url, |_, _| None).await;
    let request = app.client.post(format!("{url}/ask")).json(&question()).header(ACCEPT, "text/event-stream");
    let events = Events::of(request.send().await.unwrap()).rest().await;
    assert_whole(&events, 1);
    assert_eq!(events.last().unwrap().data["state"], "done");
}

#[tokio::test]
async fn nothing_is_lost_behind_a_proxy_that_cuts() {
    let app = TestApp::start().await;
    // Each connection is cut a little later than the one before.
    let cuts = |held: Vec<u8>, number: usize| {
        let most = 1_200 + 900 * number;
        (held.len() >= most).then(|| held[..most].to_vec())
    };
    let url = proxy(&app.url, cuts).await;
    let request = app.client.post(format!("{url}/ask")).json(&question()).header(ACCEPT, "text/event-stream");
    let response = request.send().await.unwrap();
    let run = run_of(&response);
    let mut all = Events::of(response).rest().await;
    let mut connections = 1;
    while all.last().is_none_or(|told| told.kind != "done") {
        let seen = all.last().map_or(0, |told| told.id);
        let again =
            app.client.get(format!("{url}/runs/{run}/events")).header("Last-Event-ID", seen.to_string());
        // Some connections are cut before the head of the response is whole.
        if let Ok(response) = again.send().await {
            all.extend(Events::of(response).rest().await);
        }
        connections += 1;
        assert!(connections < 100, "{} events", all.len());
    }
    assert!(connections > 2, "nothing was cut");
    assert_whole(&all, 1);
    assert_eq!(all, follow(&app, &run, 0).await.rest().await);
}

#[tokio::test]
async fn a_full_service_says_so_in_either_way() {
    let model = SilentModel::start().await;
    let app = TestApp::with_room_for_one(&model).await;
    let held = stream(&app, &question()).await;
    let connection = model.asked().await;
    let refused = ask(&app, &question()).send().await.unwrap();
    assert_eq!(refused.status(), 503);
    assert!(refused.headers().contains_key(RETRY_AFTER) && refused.headers().contains_key("eruca-run"));
    assert_eq!(json(refused).await["code"], "overloaded");
    let events = Events::of(stream(&app, &question()).await).rest().await;
    assert_whole(&events, 1);
    assert_eq!(kinds(&events), ["reading", "error", "done"]);
    assert_eq!(events[1].data["code"], "overloaded");
    assert_eq!(events.last().unwrap().data["state"], "failed");
    drop((connection, model));
    assert_eq!(Events::of(held).rest().await.last().unwrap().data["state"], "done");
}

pub(crate) async fn streamed(url: &str, question: &str) -> Vec<Told> {
    let body = json!({"dataset": "demo", "question": question});
    let request =
        reqwest::Client::new().post(format!("{url}/ask")).json(&body).header(ACCEPT, "text/event-stream");
    Events::of(request.send().await.unwrap()).rest().await
}

#[tokio::test]
async fn a_model_tells_the_answer_piece_by_piece() {
    let query = "SELECT ?capital WHERE { <https://eruca.dev/demo/resource/France> <https://eruca.dev/demo/ontology#capital> ?capital }";
    let said = "The capital of France is Paris.";
    let model = ScriptedModel::new([tries(query), answers(query), ScriptedTurn::text(said)]);
    let (_setup, url, handle) = served(Arc::new(model)).await;
    let events = streamed(&url, "What is the capital of France?").await;
    handle.stop(false).await;
    assert_whole(&events, 1);
    let tokens: Vec<&str> = events
        .iter()
        .filter(|told| told.kind == "token")
        .map(|told| told.data["text"].as_str().unwrap())
        .collect();
    assert!(tokens.len() > 1 && tokens.concat() == said, "{tokens:?}");
    let done = &events.last().unwrap().data;
    assert_eq!((&done["answer"]["by"], &done["answer"]["text"]), (&json!("model"), &json!(said)));
    assert_eq!(done["answer"]["unverified"], json!([]));
    assert_eq!(done["trace"]["model_calls"], 3, "the call for the words is counted");
    let used = |word: &Value| (word["text"].clone(), word["used"].clone());
    let words: Vec<_> = done["words"].as_array().unwrap().iter().map(used).collect();
    assert!(words.contains(&(json!("France"), json!(true))), "{words:?}");
    assert!(
        done["answer"]["parts"]
            .as_array()
            .unwrap()
            .iter()
            .any(|part| part["text"] == "Paris" && part["href"].is_string())
    );
}

#[tokio::test]
async fn the_metrics_and_the_query_log_know_of_it() {
    let app = TestApp::with("[log]\nquestions_folder = \"log\"").await;
    let before = app.ask(CITIES, QUESTION).await;
    assert_eq!(before.status(), 200);
    let run = json(ask(&app, &question()).send().await.unwrap()).await;
    // It is kept when it has been counted.
    drop(follow(&app, run["id"].as_str().unwrap(), 0).await.rest().await);
    let counted = async || {
        let text = app.get("/metrics").await.text().await.unwrap();
        text.lines().any(|line| line.starts_with("eruca_questions_total") && line.ends_with(" 2"))
    };
    within("it is counted", async { while !counted().await {} }).await;
    let file = query_log(&app.folder().join("log"));
    let lines = || std::fs::read_to_string(&file).unwrap().lines().map(str::to_owned).collect::<Vec<_>>();
    within("it is written", async {
        while lines().len() < 2 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let parsed: Vec<Value> = lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(parsed[0]["sparql"], parsed[1]["sparql"]);
    assert_eq!(parsed[1]["kg"], CITIES);
}

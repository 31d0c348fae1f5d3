//! The question back to the reader where two properties may be meant: over HTTP, MCP, OpenAI's chat API and in the terminal; on a
//! graph of lamps that were made and acquired. Where nothing competes, nobody is asked.

mod chat;
mod mcp;
mod stdio;
mod terminal;

use eruca_testing::events::{Events, assert_whole};
use eruca_testing::helpers::{TestApp, data, json};
use reqwest::Method;
use serde_json::{Value, json as object};

/// Two properties compete: the dates at which it was made and acquired.
pub(crate) const EITHER: &str = "How old is Arc?";
/// None do.
const PLAIN: &str = "What is the height of Arc?";
const MADE: &str = "http://lamps.example/v/made";
const BOUGHT: &str = "http://lamps.example/v/bought";

/// The configuration of the lamps.
pub(crate) fn lamps() -> String {
    format!("[[datasets]]\nid = \"lamps\"\nfiles = [{}]\n", Value::from(data("lamps.ttl")))
}

async fn open(more: &str) -> TestApp {
    TestApp::with(&format!("{more}\n{}", lamps())).await
}

async fn asked(app: &TestApp, question: &str, more: Value) -> Value {
    let mut body = object!({"dataset": "lamps", "question": question, "reader": "en"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json(app.request(Method::POST, "/ask").json(&body).send().await.unwrap()).await
}

/// The IRIs of the options.
fn options(clarify: &Value) -> Vec<&str> {
    let options = clarify["options"].as_array().unwrap_or_else(|| panic!("{clarify}"));
    options.iter().map(|option| option["iri"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_run_carries_the_question_with_its_options() {
    let app = open("").await;
    let run = asked(&app, EITHER, object!({})).await;
    let clarify = &run["clarify"];
    assert_eq!((options(clarify), &clarify["chosen"]), (vec![MADE, BOUGHT], &object!(false)), "{run}");
    assert_eq!(clarify["text"], "Which is meant?");
    let [made, bought] = clarify["options"].as_array().unwrap().as_slice() else { panic!("{clarify}") };
    assert_eq!((&made["label"], &bought["label"]), (&object!("date made"), &object!("date acquired")));
    assert_eq!((&made["query"], &made["rows"]), (&run["query"], &object!(1)));
    assert!(bought["query"].as_str().unwrap().contains(BOUGHT) && bought["rows"] == 1, "{bought}");
    assert_ne!(made["reading"], bought["reading"]);
    let kept = json(app.get(&format!("/runs/{}", run["id"].as_str().unwrap())).await).await;
    assert_eq!(kept["clarify"], run["clarify"], "as the run is kept");
    let bare = asked(&app, EITHER, object!({"alternatives": false})).await;
    assert_eq!((&bare["clarify"], &bare["alternatives"]), (&run["clarify"], &object!([])), "{bare}");
}

#[tokio::test]
async fn the_choice_of_the_reader_settles_it() {
    let app = open("").await;
    let chosen = asked(&app, EITHER, object!({"prefers": [BOUGHT]})).await;
    assert!(chosen["query"].as_str().unwrap().contains(BOUGHT), "{chosen}");
    assert!(chosen["clarify"].is_null() || chosen["clarify"]["chosen"] == true, "{chosen}");
    let both = asked(&app, EITHER, object!({"prefers": [BOUGHT, MADE]})).await;
    assert_eq!(both["clarify"]["chosen"], false, "{both}");
}

#[tokio::test]
async fn it_is_asked_in_the_language_of_the_question() {
    let app = open("").await;
    let run = asked(&app, "Wie alt ist Arc?", object!({"reader": "de"})).await;
    assert_eq!(run["clarify"]["text"], "Was ist gemeint?", "{run}");
    assert_eq!(run["clarify"]["options"][1]["label"], "Erwerbsdatum", "{run}");
}

#[tokio::test]
async fn where_nothing_competes_nothing_is_asked() {
    let app = open("").await;
    for question in [PLAIN, "Which lamps are in the Red Room?", "qwrtz zzgl"] {
        let run = asked(&app, question, object!({})).await;
        assert!(run["id"].is_string() && run.get("clarify").is_none(), "{question}: {run}");
    }
}

#[tokio::test]
async fn a_stream_tells_it_before_its_end() {
    let app = open("").await;
    for (question, times) in [(EITHER, 1), (PLAIN, 0)] {
        let body = object!({"dataset": "lamps", "question": question});
        let request = app.request(Method::POST, "/ask").header("accept", "text/event-stream").json(&body);
        let told = Events::of(request.send().await.unwrap()).rest().await;
        assert_whole(&told, 1);
        let clarify: Vec<&Value> =
            told.iter().filter(|event| event.kind == "clarify").map(|event| &event.data).collect();
        assert_eq!(clarify.len(), times, "{told:?}");
        let run = &told.last().unwrap().data;
        assert_eq!(run.get("clarify"), clarify.first().copied(), "{run}");
        let place = |kind: &str| told.iter().position(|event| event.kind == kind);
        assert!(place("clarify").is_none_or(|at| place("rows").unwrap() > at), "{told:?}");
    }
}

//! What is told of an answer without a model: how far it is to be believed, what of the question was not understood, and what
//! else may have been meant.

use crate::cli;
use crate::helpers::{CITIES, QUESTION, TestApp, json};
use crate::scripted::{Setup, answers};
use eruca_planner::Confidence;
use reqwest::Response;
use reqwest::header::{ACCESS_CONTROL_EXPOSE_HEADERS, ORIGIN};

/// A city that the graph does not know, and a word that is nothing in it.
const UNKNOWN: &str = "What is the population of Atlantis?";

fn header(response: &Response, name: &str) -> Option<String> {
    response.headers().get(name).map(|value| value.to_str().unwrap().to_owned())
}

/// `sure;p=0.93`
fn probability(confidence: &str, level: &str) -> f32 {
    let (name, p) = confidence.split_once(";p=").unwrap();
    assert_eq!(name, level);
    p.parse().unwrap()
}

#[tokio::test]
async fn headers_tell_it_and_the_body_stays() {
    let app = TestApp::start().await;
    let known = app.ask(CITIES, QUESTION).await;
    let confidence = header(&known, "eruca-confidence").unwrap();
    assert!(confidence.contains(";p=0.") || confidence.contains(";p=1."), "{confidence}");
    assert_eq!(header(&known, "eruca-unused"), None);
    let body = json(known).await;
    let keys: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["dataset", "question", "query"]);

    let unknown = app.ask(CITIES, UNKNOWN).await;
    assert!(probability(&header(&unknown, "eruca-confidence").unwrap(), "guess") < 0.5);
    assert!(header(&unknown, "eruca-unused").unwrap().contains("\"Atlantis\""));
    assert!(!json(unknown).await["query"].as_str().unwrap().is_empty());

    let strange = app.ask(CITIES, "What is the population of Ökréz?").await;
    let unused = header(&strange, "eruca-unused").unwrap();
    assert!(unused.contains("\"%C3%96kr%C3%A9z\""), "{unused}");
}

#[tokio::test]
async fn pages_of_other_origins_may_read_the_headers() {
    let app = TestApp::with("[server]\ncors_origins = [\"*\"]").await;
    let request = app.question("/text2sparql", &[("dataset", CITIES), ("question", QUESTION)]);
    let response = request.header(ORIGIN, "https://a.example").send().await.unwrap();
    let exposed = header(&response, ACCESS_CONTROL_EXPOSE_HEADERS.as_str()).unwrap();
    assert!(exposed.contains("eruca-confidence") && exposed.contains("eruca-unused"), "{exposed}");
}

#[tokio::test]
async fn the_trace_has_it_all() {
    let app = TestApp::start().await;
    let params = [("dataset", CITIES), ("question", UNKNOWN), ("trace", "true")];
    let insight = json(app.text2sparql(&params).await).await["trace"]["insight"].clone();
    assert_eq!(insight["confidence"], "guess");
    assert_eq!(insight["not_found"], serde_json::json!(["Atlantis"]));
    assert!(insight["probability"].as_f64().unwrap() < 0.5);
    assert!(insight["unused"].as_array().unwrap().contains(&"Atlantis".into()), "{insight}");
    assert!(insight["alternatives"].as_array().unwrap().len() <= 3 && insight["reading"].is_string());
}

#[tokio::test]
async fn a_model_answers_without_the_planners_confidence() {
    let query = "SELECT ?c WHERE { demo:Japan geo:capital ?c }";
    let talk = Setup::demo().ask("What is the capital of Japan?", [answers(query)]).await;
    assert!(talk.answered.trace.insight.is_none());
}

#[test]
fn on_the_command_line_it_is_said_in_words() {
    let folder = cli::folder();
    let asked = cli::run(folder.path(), &["ask", "--show-results", UNKNOWN]);
    assert_eq!(asked.status.code(), Some(3), "nothing to trust: {}", cli::stderr(&asked));
    let text = cli::stdout(&asked);
    assert!(text.contains("not known in the graph: \"Atlantis\""), "{text}");
    assert!(text.contains("confidence: guess") && !cli::stderr(&asked).contains("confidence"), "{text}");
    let plain = cli::run(folder.path(), &["ask", UNKNOWN]);
    assert!(!cli::stdout(&plain).contains("confidence"), "{}", cli::stdout(&plain));
    assert!(cli::stderr(&plain).contains("not known in the graph"), "{}", cli::stderr(&plain));
}

#[test]
fn levels_have_their_bounds() {
    assert_eq!(Confidence::of(0.85), Confidence::Sure);
    assert_eq!(Confidence::of(0.5), Confidence::Likely);
    assert_eq!(Confidence::of(0.49), Confidence::Guess);
}

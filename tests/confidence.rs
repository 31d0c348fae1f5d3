//! What is told of an answer, without a model and with one: how far it is to be believed, what of the question was not understood, and what
//! else may have been meant.

use crate::cli::run;
use eruca::llm::{ModelError, ScriptedTurn};
use eruca::trace::{Insight, StopReason};
use eruca_api::Confidence;
use eruca_testing::helpers::{CITIES, QUESTION, TestApp, folder, json};
use eruca_testing::programs::{stderr, stdout};
use eruca_testing::scripted::{Setup, answers, tries};
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

/// What is known of a model's answer to a question that the planner reads for sure.
async fn judged(turns: impl IntoIterator<Item = ScriptedTurn>) -> Insight {
    Setup::demo().ask(CAPITAL, turns).await.answered.trace.insight.unwrap()
}

const CAPITAL: &str = "What is the capital of Japan?";

#[tokio::test]
async fn a_model_that_agrees_with_the_planner_is_sure_and_the_ledger_says_why() {
    let insight = judged([answers("SELECT ?c WHERE { demo:Japan geo:capital ?c }")]).await;
    assert_eq!(insight.confidence, Confidence::Sure, "{insight:?}");
    assert!(insight.because.iter().any(|because| because.words.contains("capital")), "{insight:?}");
    assert!(insight.reading.contains("capital") && insight.reading.contains("Japan"), "{}", insight.reading);
    assert!(insight.unused.is_empty() && insight.alternatives.is_empty(), "{insight:?}");
    assert!(insight.signs.contains(&("same-as-sure-draft", 1.0)), "{:?}", insight.signs);
}

#[tokio::test]
async fn a_model_that_answers_something_else_is_not_and_the_planners_reading_is_told() {
    let insight = judged([answers("SELECT ?c WHERE { demo:France geo:capital ?c }")]).await;
    assert_eq!(insight.confidence, Confidence::Guess, "{insight:?}");
    assert!(insight.doubts.iter().any(|doubt| doubt.kind == "rival"), "{insight:?}");
    assert!(insight.unused.iter().any(|word| word == "Japan"), "{insight:?}");
    assert!(insight.alternatives[0].query.contains("Japan"), "{insight:?}");
}

#[tokio::test]
async fn what_the_model_calls_uncertain_and_what_it_never_stated_is_never_sure() {
    let query = "SELECT ?c WHERE { demo:Japan geo:capital ?c }";
    let unsure = serde_json::json!({ "query": query, "unsure": "which of two capitals is meant" });
    let insight = judged([ScriptedTurn::call("answer", unsure)]).await;
    assert_eq!(insight.confidence, Confidence::Likely, "{insight:?}");
    let told = insight.doubts.iter().find(|doubt| doubt.kind == "unsure").unwrap();
    assert_eq!(told.text, "the model is not certain: which of two capitals is meant");
    let failed = ScriptedTurn::fail(ModelError::Timeout(std::time::Duration::from_secs(1)));
    let insight = judged([tries(query), failed]).await;
    assert!(insight.confidence != Confidence::Sure, "{insight:?}");
    assert!(insight.doubts.iter().any(|doubt| doubt.kind == "stopped"), "{insight:?}");
}

#[tokio::test]
async fn a_tie_that_a_limit_cuts_is_refused_once() {
    let graph = "@prefix h: <http://hills.example/> . h:a a h:Hill ; h:height 300 . h:b a h:Hill ; h:height 300 . h:c a h:Hill ; h:height 9 .";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hills.ttl");
    std::fs::write(&file, graph).unwrap();
    let setup =
        Setup::new(&format!("[[datasets]]\nid = \"hills\"\nfiles = [{:?}]\n", file.display().to_string()));
    let query = "SELECT ?h { ?h a <http://hills.example/Hill> ; <http://hills.example/height> ?m } ORDER BY DESC(?m) LIMIT 1";
    let talk = setup.ask("What is the highest hill?", [answers(query), answers(query)]).await;
    let told = talk.heard(1);
    assert!(told.starts_with("Tie: 2 rows share the last place") && told.contains("Reading: "), "{told}");
    assert!(
        talk.is_over() && talk.answered.trace.stop == StopReason::Answered,
        "{:?}",
        talk.answered.trace.stop
    );
    let insight = talk.answered.trace.insight.unwrap();
    assert!(insight.confidence != Confidence::Sure, "{insight:?}");
    assert!(insight.doubts.iter().any(|doubt| doubt.kind == "tie"), "{insight:?}");
}

#[test]
fn on_the_command_line_it_is_said_in_words() {
    let folder = folder();
    let asked = run(folder.path(), &["ask", "--show-results", UNKNOWN]);
    assert_eq!(asked.status.code(), Some(3), "nothing to trust: {}", stderr(&asked));
    let text = stdout(&asked);
    assert!(text.contains("not known in the graph: \"Atlantis\""), "{text}");
    assert!(text.contains("confidence: guess") && !stderr(&asked).contains("confidence"), "{text}");
    let plain = run(folder.path(), &["ask", UNKNOWN]);
    assert!(!stdout(&plain).contains("confidence"), "{}", stdout(&plain));
    assert!(stderr(&plain).contains("not known in the graph"), "{}", stderr(&plain));
}

#[test]
fn levels_have_their_bounds() {
    assert_eq!(Confidence::of(0.85), Confidence::Sure);
    assert_eq!(Confidence::of(0.5), Confidence::Likely);
    assert_eq!(Confidence::of(0.49), Confidence::Guess);
}

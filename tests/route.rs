//! A question that leaves its graph open goes to the one that has names for most of its words.

use eruca::config::Settings;
use eruca::service::{AUTO, Question, Service, ServiceError};
use eruca::startup;
use eruca::trace::{Silent, StepKind};
use eruca_indexer::NoProgress;
use eruca_testing::helpers::repository;
use eruca_testing::scripted::Setup;
use serde_json::json;
use std::sync::Arc;

/// Six graphs of the tests.
fn several() -> Setup {
    let folder = repository().join("tests/data");
    let one = |name: &str| {
        let file = json!(folder.join(format!("{name}.ttl")));
        format!("[[datasets]]\nid = \"{name}\"\nfiles = [{file}]\n")
    };
    Setup::new(&["films", "library", "lamps", "harbours", "peaks", "workshop"].map(one).concat())
}

async fn open(settings: &Settings) -> Arc<Service> {
    startup::open_service(settings, &NoProgress).await.unwrap()
}

async fn routed(service: &Arc<Service>, text: &str) -> (String, String) {
    let question = Question { dataset: AUTO.to_owned(), text: text.to_owned() };
    let answered = service.answer(&question, &Silent).await.unwrap();
    let note = answered.trace.steps.iter().find_map(|step| match &step.kind {
        StepKind::Controller { note } if note.starts_with("the dataset is") => Some(note.clone()),
        _ => None,
    });
    (answered.dataset_id.clone(), note.unwrap_or_default())
}

#[tokio::test]
async fn a_question_goes_to_the_graph_that_knows_its_words() {
    let setup = several();
    let service = open(&setup.settings).await;
    let cases = [
        ("Which films are there?", "films"),
        ("How many lamps are there?", "lamps"),
        ("Which mountain is the highest?", "peaks"),
    ];
    let mut faults = Vec::new();
    for (text, expected) in cases {
        let (dataset, note) = routed(&service, text).await;
        if dataset != expected || !note.contains(&format!("the dataset is {expected}")) {
            faults.push(format!("{text}: {dataset} instead of {expected} ({note})"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[tokio::test]
async fn one_graph_alone_is_always_meant_and_other_names_stay_unknown() {
    let setup = Setup::demo();
    let service = open(&setup.settings).await;
    let (dataset, note) = routed(&service, "What is the capital of France?").await;
    assert_eq!((dataset.as_str(), note.as_str()), ("demo", ""));
    let question = Question { dataset: "Auto".to_owned(), text: "Who?".to_owned() };
    let refused = service.answer(&question, &Silent).await;
    assert!(matches!(refused, Err(ServiceError::UnknownDataset { .. })));
}

#[tokio::test]
async fn a_dataset_that_is_called_auto_is_itself() {
    let file = json!(repository().join("tests/data/lamps.ttl"));
    let other = json!(repository().join("tests/data/films.ttl"));
    let toml = format!(
        "[[datasets]]\nid = \"films\"\nfiles = [{other}]\n[[datasets]]\nid = \"auto\"\nfiles = [{file}]\n"
    );
    let setup = Setup::new(&toml);
    let service = open(&setup.settings).await;
    let (dataset, note) = routed(&service, "Which films are there?").await;
    assert_eq!((dataset.as_str(), note.as_str()), ("auto", ""));
}

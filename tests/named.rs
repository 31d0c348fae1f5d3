//! Questions that are nothing but a name: the answer is what the graph says of the things that are called so.

use eruca::service::{Answered, Question, Service};
use eruca::startup;
use eruca::trace::Silent;
use eruca_api::Confidence;
use eruca_indexer::NoProgress;
use eruca_testing::helpers::data;
use eruca_testing::scripted::{Setup, rows};
use serde_json::Value;
use std::sync::Arc;

struct Peaks {
    service: Arc<Service>,
    _setup: Setup,
}

impl Peaks {
    async fn open() -> Self {
        let file = Value::from(data("peaks.ttl"));
        let setup = Setup::new(&format!("[[datasets]]\nid = \"graph\"\nfiles = [{file}]"));
        let service = startup::open_service(&setup.settings, &NoProgress).await.unwrap();
        Self { service, _setup: setup }
    }

    async fn ask(&self, text: &str) -> Answered {
        let asked = Question { dataset: "graph".to_owned(), text: text.to_owned() };
        Arc::unwrap_or_clone(self.service.answer(&asked, &Silent).await.unwrap())
    }

    /// The local names of the things that are shown, and how sure it is.
    async fn about(&self, text: &str) -> (Vec<String>, Confidence) {
        let insight = self.ask(text).await.trace.insight.unwrap();
        let local = |iri: &String| iri.rsplit('/').next().unwrap_or_default().to_owned();
        (insight.about.iter().map(local).collect(), insight.confidence)
    }
}

#[tokio::test]
async fn a_name_alone_gives_what_the_graph_says_of_the_thing() {
    let peaks = Peaks::open().await;
    for text in [
        "K2",
        "k2?",
        "What is K2?",
        "Tell me about K2",
        "Was ist K2?",
        "Erzähl mir etwas über K2.",
        "¿Qué es K2?",
        "Háblame de K2",
        "Parle-moi de K2",
    ] {
        assert_eq!(peaks.about(text).await, (vec!["k2".to_owned()], Confidence::Sure), "{text}");
    }
    let answered = peaks.ask("K2").await;
    let found = rows(&answered);
    assert!(found.iter().any(|row| row.contains("8611")), "{found:?}");
    assert!(found.iter().any(|row| row.contains("pakistan")), "{found:?}");
    assert!(answered.query.starts_with("SELECT"), "{}", answered.query);
}

#[tokio::test]
async fn several_of_a_name_and_misspelt_names_are_never_sure() {
    let peaks = Peaks::open().await;
    let (both, confidence) = peaks.about("fan rock").await;
    assert_eq!((both, confidence), (vec!["fan1".to_owned(), "fan2".to_owned()], Confidence::Likely));
    assert_eq!(peaks.about("Brod Peak").await, (vec!["broad".to_owned()], Confidence::Guess));
}

#[tokio::test]
async fn what_asks_for_more_than_a_name_is_answered_as_before() {
    let peaks = Peaks::open().await;
    for text in [
        "How high is K2?",
        "Where does K2 lie?",
        "mountains",
        "Which mountains lie in Pakistan?",
        "president",
    ] {
        assert_eq!(peaks.about(text).await.0, Vec::<String>::new(), "{text}");
    }
    assert_eq!(rows(&peaks.ask("What is the height of K2?").await), ["8611"]);
}

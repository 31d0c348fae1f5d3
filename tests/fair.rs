//! However much some clients want, and whatever it is, others are served: questions that take long, names looked up by many,
//! questions of endless words.

use async_trait::async_trait;
use eruca::llm::ScriptedModel;
use eruca::service::{Answered, Caches, Question, Service};
use eruca::startup;
use eruca::trace::Silent;
use eruca_dataset::{Dataset, DatasetNames, QueryRules};
use eruca_indexer::{LegHit, NoProgress, SchemaIndex, SchemaIndexError, SchemaKind, SchemaSearch};
use eruca_sparql::{EmbeddedStore, Limits, QueryPolicy};
use eruca_testing::helpers::{CITIES, QUESTION, SILENT, SilentModel, TestApp, json};
use eruca_testing::programs::within;
use eruca_testing::scripted::{Setup, answers};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Questions that take long, asked at once: as many as are answered at once.
const HEAVY: usize = 8;

fn question(text: &str) -> Question {
    Question { dataset: "demo".to_owned(), text: text.to_owned() }
}

/// Few words with many readings: as many as a question may have.
fn heavy(number: usize) -> Question {
    question(&format!("{} {number}", "which river which country ".repeat(18)))
}

#[tokio::test]
async fn a_question_is_answered_beside_many_that_take_long() {
    let setup = Setup::new(&format!("[cache]\nanswers = 0\n[server]\nmax_concurrent_questions = {HEAVY}"));
    let service = startup::open_service(&setup.settings, &NoProgress).await.unwrap();
    // The languages are read, the store runs.
    service.answer(&question("What is the capital of Japan?"), &Silent).await.unwrap();
    let heavy = (0..HEAVY).map(|number| {
        let service = service.clone();
        tokio::spawn(async move { service.answer(&heavy(number), &Silent).await })
    });
    let heavy: Vec<_> = heavy.collect();
    within("eight questions", async {
        while service.load().running < HEAVY {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let began = Instant::now();
    let mut last = None;
    for _ in 0..3 {
        last = Some(service.answer(&question("What is the capital of Japan?"), &Silent).await.unwrap());
    }
    let (waited, over) = (began.elapsed(), heavy.iter().filter(|heavy| heavy.is_finished()).count());
    let columns = last.and_then(|answered| answered.results.as_ref().map(|results| results.row_count()));
    assert_eq!(columns, Some(1));
    eprintln!("three answers after {waited:?}, {over} of the others were over");
    assert!(waited < Duration::from_secs(6), "{waited:?}; {over} were over");
    for heavy in heavy {
        heavy.await.unwrap().unwrap();
    }
    eprintln!("all over after {:?}", began.elapsed());
}

/// What the planner says of a question that it does not read.
fn reading(answered: &Answered) -> &str {
    answered.trace.insight.as_ref().map_or("", |insight| &insight.reading)
}

#[tokio::test]
async fn a_question_of_endless_words_is_told_to_be_too_long_and_a_model_still_gets_it() {
    let setup = Setup::demo();
    let long = "which river ".repeat(100);
    let service = startup::open_service(&setup.settings, &NoProgress).await.unwrap();
    let answered = service.answer(&question(&long), &Silent).await.unwrap();
    assert!(reading(&answered).contains("too long to plan"), "{answered:#?}");
    assert!(!answered.query.is_empty());
    let short = service.answer(&question(&"which river ".repeat(2)), &Silent).await.unwrap();
    assert!(!reading(&short).contains("too long"), "{short:#?}");
    let query = "SELECT ?c WHERE { demo:Japan geo:capital ?c }";
    let asked = setup.ask(&long, [answers(query)]).await;
    assert!(asked.is_over() && asked.rows() == ["Tokyo"], "{:?}", asked.rows());
}

/// A schema index that counts what is searched.
struct Counted(Arc<AtomicUsize>);

#[async_trait]
impl SchemaIndex for Counted {
    async fn lexical(&self, _: SchemaKind, _: &str, _: usize) -> Result<Vec<LegHit>, SchemaIndexError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(Vec::new())
    }

    async fn dense(&self, _: SchemaKind, _: &[f32], _: usize) -> Result<Vec<LegHit>, SchemaIndexError> {
        Ok(Vec::new())
    }

    fn has_vectors(&self) -> bool {
        false
    }
}

#[tokio::test]
async fn a_word_is_looked_up_once_however_often_it_is_said() {
    let setup = Setup::demo();
    let searches = async |text: &str| {
        let mut index = setup.index().await;
        let count = Arc::new(AtomicUsize::new(0));
        index.schema = SchemaSearch::new(Box::new(Counted(count.clone())), None, &index.card);
        let limits = Limits { timeout: Duration::from_secs(30), max_rows: 1_000, max_bytes: 1_000_000 };
        let rules = QueryRules { limits, policy: QueryPolicy::default() };
        let store = Arc::new(EmbeddedStore::in_memory().unwrap());
        let dataset = Dataset::new(DatasetNames::of("demo"), index, store, rules);
        let limits = startup::service_limits(&setup.settings);
        // A model is there, so that the words are looked up however many they are.
        let model = Arc::new(ScriptedModel::new([answers("ASK { ?s ?p ?o }")]));
        let service = Arc::new(Service::new(
            vec![Arc::new(dataset)],
            Some(model),
            limits,
            Vec::new(),
            Caches::default(),
        ));
        service.answer(&question(text), &Silent).await.unwrap();
        count.load(Ordering::Relaxed)
    };
    let (twice, often) = (searches("rivers and rivers").await, searches(&"rivers and ".repeat(80)).await);
    assert!(twice > 0 && often <= twice, "{twice} searches, then {often}");
}

#[tokio::test]
async fn those_who_look_around_have_room_of_their_own() {
    let endpoint = SilentModel::start().await;
    let app = TestApp::with_silent_endpoint(&endpoint).await;
    let look = |path: &str| app.request(reqwest::Method::GET, &format!("/datasets/{path}")).send();
    let entry = "entry?iri=https://example.org/cities/Paris";
    let held = tokio::spawn(look(&format!("{SILENT}/{entry}")));
    // Its queries are under way, so it has the only place.
    let connection = endpoint.asked().await;
    for path in
        [&format!("cities/{entry}"), "cities/search?q=par", "cities/card", "cities/places?iri=http://e.x/a"]
    {
        let full = look(path).await.unwrap();
        assert_eq!(full.status(), 503, "{path}");
        assert_eq!(full.headers()["retry-after"], "1");
        assert_eq!(json(full).await["code"], "overloaded");
    }
    assert_eq!(app.ask(CITIES, QUESTION).await.status(), 200, "questions have another");
    for path in ["/health", "/metrics", "/datasets"] {
        assert_eq!(app.get(path).await.status(), 200, "{path} needs no room");
    }
    held.abort();
    drop((held.await, connection));
    within("room", async {
        while look("cities/search?q=par").await.unwrap().status() != 200 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn looks_count_apart_from_questions() {
    let app = TestApp::with("[server]\nquestions_per_minute = 1").await;
    let mut statuses = Vec::new();
    for number in 0..21 {
        let path = ["/datasets", "/datasets/cities/search?q=par", "/v1/models"][number % 3];
        statuses.push(app.get(path).await.status().as_u16());
    }
    assert_eq!(statuses.pop(), Some(429));
    assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");
    for path in ["/datasets/cities/card", "/datasets/cities/entry?iri=http://e.x/", "/datasets/cities/places"]
    {
        let refused = app.get(path).await;
        assert_eq!(refused.status(), 429, "{path}");
        assert!(refused.headers().contains_key("retry-after"));
    }
    assert_eq!(app.ask(CITIES, QUESTION).await.status(), 200);
    let second: Value = json(app.ask(CITIES, QUESTION).await).await;
    assert_eq!(second["code"], "rate_limited");
    assert_eq!(app.health().await.status(), 200);
}

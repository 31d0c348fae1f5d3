//! A panic while a question is answered is an error of that question alone, whoever asks.

use crate::ask::streamed;
use async_trait::async_trait;
use eruca::benchmark_adapter::BenchmarkAdapter;
use eruca::http;
use eruca::llm::{ChatModel, ChatRequest, Completion, ModelError};
use eruca::service::{Question, Service, ServiceError};
use eruca::trace::{Observer, Silent, Step, StepKind};
use eruca_eval::known::GoldSource;
use eruca_eval::questions::EvalQuestion;
use eruca_eval::record::Record;
use eruca_eval::run::{Benchmark, Watcher};
use eruca_eval::select::Task;
use eruca_testing::events::assert_whole;
use eruca_testing::helpers::{install_tls, json};
use eruca_testing::scripted::{Setup, served};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Panics in every call but the first ones, which fail as models do.
struct PanickingModel {
    sound_calls: usize,
    calls: AtomicUsize,
}

#[async_trait]
impl ChatModel for PanickingModel {
    async fn complete(&self, _request: &ChatRequest) -> Result<Completion, ModelError> {
        if self.calls.fetch_add(1, Ordering::SeqCst) >= self.sound_calls {
            panic!("planted\nin the model");
        }
        Err(ModelError::Malformed("not today".to_owned()))
    }

    fn name(&self) -> &str {
        "panicking"
    }
}

async fn service(sound_calls: usize) -> Arc<Service> {
    let model = PanickingModel { sound_calls, calls: AtomicUsize::new(0) };
    Setup::demo().open(Arc::new(model)).await
}

fn question(service: &Service, text: &str) -> Question {
    let dataset = service.datasets().remove(0).id;
    Question { dataset, text: text.to_owned() }
}

/// Keeps the kinds of the steps that it saw.
#[derive(Default)]
struct Kept(Mutex<Vec<StepKind>>);

impl Observer for Kept {
    fn step(&self, step: &Step) {
        self.0.lock().unwrap().push(step.kind.clone());
    }
}

#[tokio::test]
async fn a_library_gets_an_error_with_the_steps_before_the_panic() {
    let service = service(1).await;
    let asked = question(&service, "What is the capital of France?");
    assert!(service.answer(&asked, &Silent).await.is_ok(), "a model that fails is no panic");
    for text in ["What is the capital of Italy?", "What is the capital of Spain?"] {
        let seen = Kept::default();
        let error = service.answer(&question(&service, text), &seen).await.unwrap_err();
        let told = error.to_string();
        let ServiceError::Panicked { reason, steps } = error else { panic!("{told}") };
        assert_eq!(reason, "planted in the model");
        assert!(
            told.contains("planted in the model") && told.contains("step") && !told.contains('\n'),
            "{told}"
        );
        assert!(matches!(steps[0].kind, StepKind::Grounding { .. }), "{steps:?}");
        let seen = seen.0.into_inner().unwrap();
        assert_eq!(steps.into_iter().map(|step| step.kind).collect::<Vec<_>>(), seen);
    }
    assert_eq!(service.load().running, 0, "its place is free again");
}

#[tokio::test]
async fn a_client_gets_status_500_and_the_next_one_is_served() {
    install_tls();
    let service = service(0).await;
    let settings = Setup::demo().settings;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let asked = question(&service, "What is the capital of France?");
    let server = http::server(listener, service, &settings, None, None).unwrap();
    let handle = server.handle();
    tokio::spawn(server);
    let client = reqwest::Client::new();
    for _ in 0..2 {
        let params = [("dataset", asked.dataset.as_str()), ("question", asked.text.as_str())];
        let path = url::Url::parse_with_params(&format!("{url}/text2sparql"), params).unwrap();
        let response = client.get(path).send().await.unwrap();
        assert_eq!(response.status(), 500);
        let body = json(response).await;
        assert_eq!(body["code"], "internal");
        assert!(!body.to_string().contains("planted"), "{body}");
    }
    handle.stop(false).await;
}

/// Watches nothing.
struct Nobody;

impl Watcher for Nobody {
    fn begin(&self, _asked: usize, _total: usize) {}
    fn finished(&self, _record: &Record) {}
}

#[tokio::test]
async fn a_benchmark_goes_on_and_records_the_steps() {
    let system = BenchmarkAdapter(service(0).await);
    let dataset = system.0.datasets().remove(0).id;
    let task = |id: &str| Task {
        question: EvalQuestion {
            id: id.to_owned(),
            text: format!("What is the capital of France ({id})?"),
            lang: None,
            sparql: None,
            graph: None,
            features: Vec::new(),
            stored: None,
        },
        dataset: dataset.clone(),
    };
    let tasks = [task("one"), task("two")];
    let folder = tempfile::tempdir().unwrap();
    let benchmark = Benchmark {
        system: &system,
        tasks: &tasks,
        gold: GoldSource::Run,
        texts: None,
        names: false,
        jobs: 1,
        out: folder.path(),
    };
    let records = benchmark.run(&Nobody).await.unwrap();
    assert_eq!(records.len(), 2);
    for record in records {
        assert!(record.error.unwrap().contains("planted in the model"));
        assert!(!record.trace.unwrap()["steps"].as_array().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_panic_is_told_in_the_stream_of_its_question_alone() {
    let (_setup, url, handle) =
        served(Arc::new(PanickingModel { sound_calls: 0, calls: AtomicUsize::new(0) })).await;
    for _ in 0..2 {
        let events = streamed(&url, "What is the capital of France?").await;
        assert_whole(&events, 1);
        assert_eq!(events[events.len() - 2].data["code"], "internal");
        let done = &events.last().unwrap().data;
        assert_eq!(done["state"], "failed");
        assert!(!done.to_string().contains("planted"), "{done}");
    }
    handle.stop(false).await;
}

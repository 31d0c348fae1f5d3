//! Whatever a graph or a model holds, looking things up stays small, and nothing of it runs where others are served.

use async_trait::async_trait;
use eruca::llm::{Message, ScriptedModel, ScriptedTurn};
use eruca::service::{Caches, Question, Service};
use eruca::trace::{Silent, StepKind};
use eruca_dataset::{Dataset, DatasetNames, QueryRules};
use eruca_indexer::{LegHit, SchemaIndex, SchemaIndexError, SchemaKind, SchemaSearch};
use eruca_sparql::{Answer, CheckedQuery, EmbeddedStore, Limits, QueryError, QueryPolicy, SparqlEndpoint};
use eruca_testing::scripted::{Setup, answers, looks_up, tries};
use serde_json::{Value, json};
use std::fmt::Write;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

const PREFIXES: &str = "@prefix : <http://b.x/> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n\
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n";

/// A dataset of this Turtle.
fn dataset(turtle: &str) -> (TempDir, Setup) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("graph.ttl");
    std::fs::write(&file, format!("{PREFIXES}{turtle}")).unwrap();
    let file = Value::from(file.to_str().unwrap());
    (folder, Setup::new(&format!("[[datasets]]\nid = \"it\"\nfiles = [{file}]")))
}

/// The messages of the first request.
fn first_prompt(model: &ScriptedModel) -> String {
    let texts = model.requests().remove(0).messages.into_iter().map(|message| match message {
        Message::System(text) | Message::User(text) | Message::Tool { content: text, .. } => text,
        Message::Assistant { .. } => String::new(),
    });
    texts.collect()
}

#[tokio::test]
async fn words_without_end_in_a_call_are_cut_or_refused_and_the_model_is_told() {
    let words = |count: usize| (0..count).map(|number| format!("w{number} ")).collect::<String>();
    // As many as a call may have, and more.
    let (many, too_many) = (words(15_000), words(100_000));
    let setup = Setup::demo();
    let calls = [
        ("search_entity", "query", "`query` was cut"),
        ("search_class", "query", "`query` was cut"),
        ("search_property", "query", "`query` was cut"),
        ("get_entry", "iri", "none is that long"),
        ("get_property_examples", "property", "none is that long"),
        ("execute_sparql", "query", "at most 20000 are allowed"),
        ("compute", "program", "more than 20000 bytes"),
        ("remember", "what", "none is that long"),
        ("query_memory", "query", "at most 20000 are allowed"),
        ("state_form", "form", "is not a form"),
    ];
    for (tool, argument, told) in calls {
        for (words, told) in [(&many, told), (&too_many, "This call is too long")] {
            let call = ScriptedTurn::call(tool, json!({ argument: words }));
            let turns = [call, answers("SELECT ?c WHERE { demo:Japan geo:capital ?c }")];
            let talk = setup.ask("What is the capital of Japan?", turns).await;
            let observation = talk.observation(0);
            assert!(observation.contains(told) && observation.len() < 7_000, "{tool}: {observation}");
        }
    }
}

#[tokio::test]
async fn questions_of_unusual_words_are_answered_without_a_model() {
    let service = Setup::demo().open(Arc::new(ScriptedModel::new([]))).await;
    let long = [
        "a ".repeat(1_000),
        (0..400).map(|number| format!("w{number} ")).collect(),
        "x".repeat(2_000),
        format!("a{}", "\u{301}".repeat(1_999)),
        "東".repeat(2_000),
        "aB".repeat(1_000),
        "a-".repeat(1_000),
        "\"' ".repeat(660),
    ];
    for text in long {
        let question = Question { dataset: "demo".to_owned(), text };
        let answered = service.answer(&question, &Silent).await.unwrap();
        assert!(!answered.query.is_empty());
    }
}

/// A schema index whose first search holds its thread until it is let go.
struct Held {
    entered: UnboundedSender<()>,
    go_on: Mutex<Option<Receiver<()>>>,
    held: Arc<Mutex<Option<bool>>>,
}

#[async_trait]
impl SchemaIndex for Held {
    async fn lexical(&self, _: SchemaKind, _: &str, _: usize) -> Result<Vec<LegHit>, SchemaIndexError> {
        let go_on = self.go_on.lock().unwrap().take();
        if let Some(go_on) = go_on {
            self.entered.send(()).unwrap();
            *self.held.lock().unwrap() = Some(go_on.recv_timeout(Duration::from_secs(60)).is_ok());
        }
        Ok(Vec::new())
    }

    async fn dense(&self, _: SchemaKind, _: &[f32], _: usize) -> Result<Vec<LegHit>, SchemaIndexError> {
        Ok(Vec::new())
    }

    fn has_vectors(&self) -> bool {
        false
    }
}

/// A service over the demo graph with such an index; the channel says when the search has begun.
async fn held(go_on: Receiver<()>) -> (Arc<Service>, UnboundedReceiver<()>, Arc<Mutex<Option<bool>>>) {
    let setup = Setup::demo();
    let mut index = setup.index().await;
    let ((entered, begun), held) = (unbounded_channel(), Arc::new(Mutex::new(None)));
    let search = Held { entered, go_on: Mutex::new(Some(go_on)), held: held.clone() };
    index.schema = SchemaSearch::new(Box::new(search), None, &index.card);
    let limits = Limits { timeout: Duration::from_secs(30), max_rows: 1_000, max_bytes: 1_000_000 };
    let rules = QueryRules { limits, policy: QueryPolicy::default() };
    let store = Arc::new(EmbeddedStore::in_memory().unwrap());
    let dataset = Dataset::new(DatasetNames::of("demo"), index, store, rules);
    let limits = eruca::startup::service_limits(&setup.settings);
    let service = Service::new(vec![Arc::new(dataset)], None, limits, Vec::new(), Caches::default());
    (Arc::new(service), begun, held)
}

/// An endpoint that answers its first query when a search has begun, and lets that search go then.
struct Meeting {
    begun: Mutex<Option<UnboundedReceiver<()>>>,
    release: std::sync::mpsc::Sender<()>,
    store: EmbeddedStore,
}

#[async_trait]
impl SparqlEndpoint for Meeting {
    async fn query(&self, query: &CheckedQuery, limits: Limits) -> Result<Answer, QueryError> {
        let begun = self.begun.lock().unwrap().take();
        if let Some(mut begun) = begun {
            let met = tokio::time::timeout(Duration::from_secs(30), begun.recv()).await;
            if met.is_ok_and(|met| met.is_some()) {
                self.release.send(()).unwrap();
            }
        }
        self.store.query(query, limits).await
    }

    fn name(&self) -> &str {
        "a meeting"
    }
}

#[tokio::test]
async fn the_endpoint_is_asked_while_the_words_are_looked_up() {
    let setup = Setup::demo();
    let mut index = setup.index().await;
    let ((entered, begun), (release, go_on)) = (unbounded_channel(), channel());
    let held = Arc::new(Mutex::new(None));
    let search = Held { entered, go_on: Mutex::new(Some(go_on)), held: held.clone() };
    index.schema = SchemaSearch::new(Box::new(search), None, &index.card);
    let store = EmbeddedStore::in_memory().unwrap();
    let endpoint = Meeting { begun: Mutex::new(Some(begun)), release, store };
    let limits = Limits { timeout: Duration::from_secs(30), max_rows: 1_000, max_bytes: 1_000_000 };
    let rules = QueryRules { limits, policy: QueryPolicy::default() };
    let dataset = Dataset::new(DatasetNames::of("demo"), index, Arc::new(endpoint), rules);
    let limits = eruca::startup::service_limits(&setup.settings);
    let service =
        Arc::new(Service::new(vec![Arc::new(dataset)], None, limits, Vec::new(), Caches::default()));
    let question = Question { dataset: "demo".to_owned(), text: "What is the capital of Japan?".to_owned() };
    service.answer(&question, &Silent).await.unwrap();
    assert_eq!(*held.lock().unwrap(), Some(true), "neither waits until the other is over");
}

#[tokio::test]
async fn a_search_holds_no_thread_that_serves_others() {
    let (release, go_on) = channel();
    let (service, mut begun, held) = held(go_on).await;
    let question = Question { dataset: "demo".to_owned(), text: "What is the capital of Japan?".to_owned() };
    // This runtime has one thread, as a worker of the HTTP server has: on it nothing could let the search go.
    let (answered, ()) = tokio::join!(service.answer(&question, &Silent), async {
        begun.recv().await.unwrap();
        release.send(()).unwrap();
    });
    answered.unwrap();
    assert_eq!(*held.lock().unwrap(), Some(true), "the search was let go while it ran");
}

#[tokio::test]
async fn endless_iris_are_cut_where_they_are_read_and_whole_in_queries() {
    let long = "x".repeat(3_000);
    let mut graph = format!(
        "<http://b.x/Gadget{long}> a owl:Class ; rdfs:label \"gadget\" .\n\
         <http://b.x/joins{long}> a owl:ObjectProperty ; rdfs:label \"joins\" .\n"
    );
    for number in 0..4 {
        writeln!(
            graph,
            "<http://b.x/{number}{long}> a <http://b.x/Gadget{long}> ; rdfs:label \"gadget {number}\" ; \
             <http://b.x/joins{long}> <http://b.x/0{long}> ; <http://b.x/page> <http://p.x/{long}> ."
        )
        .unwrap();
    }
    let (_folder, setup) = dataset(&graph);
    let query = format!("SELECT ?x WHERE {{ ?x a <http://b.x/Gadget{long}> }}");
    let turns = [
        looks_up("gadget 1"),
        ScriptedTurn::call("search_class", json!({"query": "gadget"})),
        ScriptedTurn::call("search_property", json!({"query": "joins"})),
        ScriptedTurn::call("get_entry", json!({"iri": format!("http://b.x/1{long}")})),
        ScriptedTurn::call("get_property_examples", json!({"property": format!("http://b.x/joins{long}")})),
        tries("SELECT ?s ?p ?o WHERE { ?s ?p ?o }"),
        ScriptedTurn::call("get_entry", json!({"iri": "<http://b.x/1xxx…xxx>"})),
        answers(&query),
    ];
    let model = Arc::new(ScriptedModel::new(turns));
    let answered = setup.ask_model("Which gadgets are there?", model.clone()).await;
    assert_eq!(model.remaining(), 0);
    assert!(answered.query.contains(&long), "a query holds IRIs as they are");
    let shown: Vec<String> = answered
        .trace
        .steps
        .iter()
        .filter_map(|step| match &step.kind {
            StepKind::Tool { observation, .. } | StepKind::Grounding { observation } => {
                Some(observation.clone())
            }
            StepKind::Planner { readings } => Some(readings.join("\n")),
            _ => None,
        })
        .chain([first_prompt(&model)])
        .collect();
    assert!(shown.iter().filter(|text| text.contains("too long to be shown")).count() >= 6, "{shown:#?}");
    for text in shown {
        assert!(!text.contains(&"x".repeat(500)), "{} characters: {text}", text.len());
    }
}

#[tokio::test]
async fn of_thousands_of_classes_and_namespaces_the_first_prompt_shows_a_part() {
    let mut graph = String::new();
    for number in 0..3_000 {
        writeln!(
            graph,
            "<http://ns{number}.x/part{number}/C> a owl:Class ; rdfs:label \"kind {number}\" .\n\
             :i{number} a <http://ns{number}.x/part{number}/C> ; rdfs:label \"thing {number}\" ; \
             <http://ns{number}.x/part{number}/p> \"v {number}\" ; :knows :i{} .",
            (number + 1) % 3_000
        )
        .unwrap();
    }
    let (_folder, setup) = dataset(&graph);
    let model = Arc::new(ScriptedModel::new([answers("SELECT ?x WHERE { ?x rdfs:label \"thing 7\" }")]));
    let answered = setup.ask_model("Which thing of kind 7 is there?", model.clone()).await;
    assert!(answered.results.is_some());
    let prompt = first_prompt(&model);
    assert!(prompt.contains("3000 classes") && prompt.len() < 60_000, "{} bytes", prompt.len());
}

//! Queries in worker processes: the same answers as on threads, and whatever a query does, it ends and others go on.
#![cfg(target_os = "linux")]

use crate::helpers::repository;
use crate::programs::{lines_until, output, within};
use eruca_indexer::{NoProgress, read_quads};
use eruca_sparql::{
    Answer, CheckedQuery, EmbeddedStore, Limits, Prefixes, QueryError, QueryPolicy, Results, SparqlEndpoint,
    WorkerOptions, WorkerStore, check,
};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a query may take in these tests.
const MAX_MEMORY: u64 = 64 << 20;
/// How long an event is waited for that is sure to come.
const PATIENCE: Duration = Duration::from_secs(60);
const LIMITS: Limits = Limits { timeout: Duration::from_secs(60), max_rows: 1_000, max_bytes: 1_000_000 };
const SHORT: Limits = Limits { timeout: Duration::from_millis(300), ..LIMITS };

fn demo_graph() -> PathBuf {
    repository().join("examples/world.ttl")
}

fn options(file: &Path) -> WorkerOptions {
    let order = json!({"files": [file], "skip_errors": false, "max_memory": MAX_MEMORY});
    WorkerOptions {
        program: env!("CARGO_BIN_EXE_eruca").into(),
        arguments: vec!["store".into()],
        order: order.to_string().into_bytes(),
        max_memory: Some(MAX_MEMORY),
    }
}

fn workers() -> WorkerStore {
    let (store, load) = WorkerStore::start(options(&demo_graph()), &mut |_| {}).unwrap();
    assert!(load.triples > 1_000);
    store.with_concurrency(1)
}

fn query(text: &str) -> CheckedQuery {
    let prefixes: Prefixes = [("geo", "https://eruca.dev/demo/ontology#")].into_iter().collect();
    let functions = vec!["https://eruca.dev/demo/ontology#f".to_owned()];
    check(text, &prefixes, &QueryPolicy { functions, ..QueryPolicy::default() }).unwrap()
}

async fn run(store: &dyn SparqlEndpoint, text: &str, limits: Limits) -> Result<Answer, QueryError> {
    tokio::time::timeout(PATIENCE, store.query(&query(text), limits))
        .await
        .expect("no query outlives its time")
}

fn sorted(answer: Answer) -> (Vec<String>, bool) {
    let mut rows: Vec<String> = match answer.results {
        Results::Boolean(value) => vec![value.to_string()],
        Results::Solutions(solutions) => solutions.rows.iter().map(|row| format!("{row:?}")).collect(),
        Results::Graph(triples) => triples.iter().map(ToString::to_string).collect(),
    };
    rows.sort();
    (rows, answer.incomplete.is_some())
}

/// The processes whose parent is `parent` and that have not ended.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    of_parent(parent, |state| state != "Z")
}

/// Those that have ended, and that `parent` has not waited for.
pub(crate) fn zombies(parent: u32) -> Vec<u32> {
    of_parent(parent, |state| state == "Z")
}

fn of_parent(parent: u32, is_meant: impl Fn(&str) -> bool) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter(|number| is_child(*number, parent, &is_meant)).collect()
}

fn is_child(process: u32, parent: u32, is_meant: impl Fn(&str) -> bool) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{process}/stat")) else { return false };
    let (_, rest) = stat.rsplit_once(')').unwrap();
    let fields: Vec<&str> = rest.split_whitespace().collect();
    is_meant(fields[0]) && fields[1] == parent.to_string()
}

/// Waits for what is sure to come.
pub(crate) async fn until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn answers_are_those_of_the_store_on_threads() {
    let threads = EmbeddedStore::in_memory().unwrap();
    let mut quads = Vec::new();
    read_quads(&demo_graph(), false, &NoProgress, &mut |quad| quads.push(quad)).unwrap();
    threads.load_quads(quads.into_iter()).unwrap();
    let workers = workers();
    for text in [
        "SELECT ?s ?o { ?s geo:capital ?o }",
        "SELECT ?s ?l { ?s rdfs:label ?l } ORDER BY ?l ?s LIMIT 200",
        "SELECT ?c (COUNT(*) AS ?n) (AVG(?x) AS ?m) { ?c a ?t OPTIONAL { ?c geo:population ?x } } GROUP BY ?c",
        "ASK { ?s geo:capital ?o }",
        "ASK { ?s geo:capital ?s }",
        "CONSTRUCT { ?s rdfs:seeAlso ?o } WHERE { ?s geo:capital ?o }",
        "SELECT ?s { ?s a ?t FILTER(?t = geo:None) }",
    ] {
        let (one, other) = (run(&workers, text, LIMITS).await, run(&threads, text, LIMITS).await);
        assert_eq!(sorted(one.unwrap()), sorted(other.unwrap()), "{text}");
    }
    let cut = Limits { max_rows: 3, ..LIMITS };
    let all = "SELECT * { ?s ?p ?o }";
    assert_eq!(
        run(&workers, all, cut).await.unwrap().incomplete,
        run(&threads, all, cut).await.unwrap().incomplete
    );
    let unknown = run(&workers, "SELECT (geo:f(?s) AS ?x) { ?s ?p ?o }", LIMITS).await.unwrap_err();
    assert_eq!(unknown.kind(), "rejected");
}

/// Queries that loop over rows in memory without reading a triple, and others that never come to an end.
pub(crate) fn endless() -> Vec<String> {
    let values = |variable: &str| format!("VALUES ?{variable} {{ {} }}", "1 ".repeat(2_000));
    let (x, y, z) = (values("x"), values("y"), values("z"));
    vec![
        format!("SELECT (COUNT(*) AS ?n) {{ {x} OPTIONAL {{ {y} {z} FILTER(?x + ?y + ?z > 10) }} }}"),
        format!("SELECT (COUNT(*) AS ?n) {{ {x} {y} {z} FILTER(?x + ?y + ?z > 10) }}"),
        format!("SELECT (COUNT(*) AS ?n) {{ {x} {y} MINUS {{ {z} VALUES ?y {{ 2 3 }} }} {z} }}"),
        format!(
            "SELECT (COUNT(*) AS ?n) {{ {x} FILTER NOT EXISTS {{ {y} {z} FILTER(?x + ?y + ?z > 10) }} }}"
        ),
        "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i MINUS { ?a ?e ?i } }".to_owned(),
        "SELECT (COUNT(*) AS ?n) { ?a (!geo:x|^!geo:x)* ?b . ?c (!geo:x|^!geo:x)* ?d }".to_owned(),
        "SELECT * { ?a ?b ?x . ?c ?d ?y FILTER(regex(str(?x), CONCAT('(.*a){1,60}', str(?y)))) }".to_owned(),
    ]
}

#[tokio::test]
async fn a_query_that_never_ends_is_ended_with_its_process() {
    let store = workers();
    let process = store.process_id().unwrap();
    for text in endless() {
        let outcome = run(&store, &text, SHORT).await;
        assert_eq!(outcome, Err(QueryError::Timeout { after: SHORT.timeout }), "{text:.200}");
        until("the worker ends", || children(process).is_empty()).await;
        // The only permit has come back.
        assert_eq!(run(&store, "ASK {}", LIMITS).await.unwrap().results, Results::Boolean(true));
    }
}

/// Queries that need far more memory than they may take.
pub(crate) fn greedy() -> Vec<String> {
    [
        "SELECT (GROUP_CONCAT(?big) AS ?g) { ?a ?b ?c . ?d ?e ?f BIND(CONCAT(STR(?a), STR(?c), STR(?d)) AS ?big) }",
        "SELECT (COUNT(DISTINCT ?u) AS ?n) { ?a ?b ?c . ?d ?e ?f BIND(STRUUID() AS ?u) }",
        "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c ?f ?i",
        "SELECT (COUNT(*) AS ?n) { SELECT DISTINCT ?a ?d ?c ?f { ?a ?b ?c . ?d ?e ?f } }",
        "SELECT (COUNT(*) AS ?n) { ?a ?b ?c MINUS { ?a ?e ?f . ?g ?h ?i } }",
    ]
    .map(str::to_owned)
    .to_vec()
}

#[tokio::test]
async fn a_query_that_takes_too_much_memory_is_ended_with_its_process() {
    let store = workers();
    let process = store.process_id().unwrap();
    for text in greedy() {
        let outcome = run(&store, &text, LIMITS).await.map(|answer| answer.row_count());
        let error = outcome.unwrap_err();
        assert!(matches!(error, QueryError::TooLarge { .. }), "{text:.200}: {error}");
        assert!(error.to_string().contains("64 MB"), "{error}");
        until("the worker ends", || children(process).is_empty()).await;
        assert_eq!(run(&store, "ASK {}", LIMITS).await.unwrap().results, Results::Boolean(true));
    }
}

#[tokio::test]
async fn a_dropped_call_ends_its_worker() {
    let store = workers();
    let process = store.process_id().unwrap();
    let endless = query(&endless()[0]);
    tokio::select! {
        _ = store.query(&endless, LIMITS) => panic!("it cannot end"),
        () = until("a worker starts", || !children(process).is_empty()) => {}
    }
    until("the worker ends", || children(process).is_empty()).await;
    assert_eq!(run(&store, "ASK {}", LIMITS).await.unwrap().results, Results::Boolean(true));
}

#[tokio::test]
async fn workers_are_used_again_and_replaced_when_they_have_died() {
    let store = workers();
    let process = store.process_id().unwrap();
    for _ in 0..5 {
        run(&store, "SELECT * { ?s ?p ?o }", LIMITS).await.unwrap();
    }
    let [worker] = children(process)[..] else { panic!("one query at a time needs one worker") };
    kill(worker);
    until("the worker ends", || children(process).is_empty()).await;
    run(&store, "SELECT * { ?s ?p ?o }", LIMITS).await.unwrap();
}

pub(crate) fn kill(process: u32) {
    assert!(Command::new("kill").args(["-KILL", &process.to_string()]).status().unwrap().success());
}

#[tokio::test]
async fn a_store_process_that_has_died_is_started_again() {
    let store = workers();
    run(&store, "ASK {}", LIMITS).await.unwrap();
    let first = store.process_id().unwrap();
    // A worker that waits would go on without the store process.
    children(first).into_iter().for_each(kill);
    until("the worker ends", || children(first).is_empty()).await;
    kill(first);
    let start = Instant::now();
    loop {
        match run(&store, "SELECT * { ?s geo:capital ?o }", LIMITS).await {
            Ok(answer) => break assert!(answer.row_count() > 10),
            Err(error) => assert_eq!(error.kind(), "endpoint_down", "{error}"),
        }
        assert!(start.elapsed() < PATIENCE, "it is never back");
    }
}

/// No query is needed to find out that it has ended, and none to try again a start that was killed, too.
#[tokio::test]
async fn a_store_process_that_is_killed_again_and_again_comes_back_by_itself() {
    let store = workers();
    for _ in 0..4 {
        until("it is back", || store.process_id().is_some()).await;
        let process = store.process_id().unwrap();
        kill(process);
        until("it is gone", || store.process_id() != Some(process)).await;
    }
    until("it is back", || store.process_id().is_some()).await;
    assert_eq!(run(&store, "ASK {}", LIMITS).await.unwrap().results, Results::Boolean(true));
}

/// Of the store process and of a worker, while a question is answered by a model with a key.
#[tokio::test]
async fn no_secret_is_in_the_environment_of_store_and_workers() {
    let folder = crate::cli::folder();
    let mut command = crate::cli::eruca(folder.path());
    command.args(["serve", "--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let secrets = ["OPENAI_API_KEY", "ERUCA_SERVER_KEY", "AWS_SECRET_ACCESS_KEY", "HTTPS_PROXY"];
    for name in secrets {
        command.env(name, "the secret");
    }
    command.env("LANG", "C.UTF-8").env("TMPDIR", folder.path());
    let mut program = crate::cli::Running(command.spawn().unwrap());
    let greeting = lines_until(&mut program.0, |_| true);
    let (_, url) = greeting.trim_end().split_once("listens on ").unwrap();
    crate::helpers::install_tls();
    assert_eq!(reqwest::get(format!("{url}/ready")).await.unwrap().status(), 200);
    let stores = children(program.0.id());
    assert_eq!(stores.len(), 1);
    let workers: Vec<u32> = stores.iter().copied().flat_map(children).collect();
    assert!(!workers.is_empty(), "a worker has answered");
    for process in stores.into_iter().chain(workers) {
        let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap();
        let environment = String::from_utf8_lossy(&environment);
        assert!(!environment.contains("secret") && !environment.contains("HTTPS_PROXY"), "{environment:?}");
        assert!(environment.contains("LANG=C.UTF-8") && environment.contains("TMPDIR="), "{environment:?}");
    }
}

/// As soon as the store answers, though `/ready` has just told that it does not.
#[tokio::test]
async fn ready_is_back_as_soon_as_a_killed_store_answers() {
    let (program, said) = crate::cli::serve(crate::cli::folder().path());
    let (_, url) = said.lines().find_map(|line| line.split_once("listens on ")).unwrap();
    crate::helpers::install_tls();
    let ready = async || reqwest::get(format!("{}/ready", url.trim())).await.unwrap().status() == 200;
    assert!(ready().await);
    let [first] = children(program.0.id())[..] else { panic!("one store process") };
    // Stopped, it starts no worker: it is told to be down.
    let workers = children(first);
    assert!(Command::new("kill").args(["-STOP", &first.to_string()]).status().unwrap().success());
    workers.into_iter().for_each(kill);
    within("it is down", async { while ready().await {} }).await;
    let begun = Instant::now();
    kill(first);
    within("it is up", async { while !ready().await {} }).await;
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_graph_that_cannot_be_loaded_is_told_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("broken.ttl");
    std::fs::write(&file, "<http://ex.org/a> <http://ex.org/b> .\n").unwrap();
    let Err(error) = WorkerStore::start(options(&file), &mut |_| {}) else { panic!("it is broken") };
    assert!(error.to_string().contains("broken.ttl"), "{error}");
    let no_store = WorkerOptions { arguments: vec!["openapi".into()], ..options(&demo_graph()) };
    let Err(error) = WorkerStore::start(no_store, &mut |_| {}) else { panic!("that is no store") };
    assert!(error.to_string().contains("worker_processes"), "{error}");
}

#[test]
fn the_command_of_the_store_process_is_not_for_people() {
    let output = output(Command::new(env!("CARGO_BIN_EXE_eruca")).arg("store"));
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("eruca serve"));
}

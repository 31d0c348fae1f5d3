//! Queries in worker processes: the same answers as on threads, and whatever a query does, it ends and others go on.
#![cfg(target_os = "linux")]

use eruca_indexer::{NoProgress, read_quads};
use eruca_sparql::{
    Answer, CheckedQuery, EmbeddedStore, Limits, Prefixes, QueryError, QueryPolicy, Results, SparqlEndpoint,
    WorkerOptions, WorkerStore, check,
};
use eruca_store::{StoreWriter, WriterOptions};
use eruca_testing::helpers::repository;
use eruca_testing::programs::{lines_until, output};
use eruca_testing::workers::{PATIENCE, children, endless, greedy, until, zombies};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// What a query may take in these tests.
const MAX_MEMORY: u64 = 64 << 20;
const LIMITS: Limits = Limits { timeout: Duration::from_secs(60), max_rows: 1_000, max_bytes: 1_000_000 };
const SHORT: Limits = Limits { timeout: Duration::from_millis(300), ..LIMITS };

fn demo_graph() -> PathBuf {
    repository().join("examples/world.ttl")
}

/// The demo graph, stored in a folder.
fn stored() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let options = WriterOptions { folder: folder.path(), work: folder.path(), quads_in_memory: 10_000 };
    let mut writer = StoreWriter::create(&options).unwrap();
    read_quads(&demo_graph(), false, &NoProgress, &mut |quad| writer.add(&quad).unwrap()).unwrap();
    assert!(writer.finish().unwrap().triples() > 1_000);
    folder
}

fn options(graph: &Path) -> WorkerOptions {
    WorkerOptions {
        program: env!("CARGO_BIN_EXE_eruca").into(),
        arguments: vec!["worker".into()],
        graph: graph.to_owned(),
        max_memory: Some(MAX_MEMORY),
    }
}

/// A store with one worker at a time; the folder is its graph's.
fn workers() -> (WorkerStore, tempfile::TempDir) {
    let folder = stored();
    (WorkerStore::open(options(folder.path())).unwrap().with_concurrency(1), folder)
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

/// The workers of this process that have mapped this graph and not ended; other tests have others.
fn own_workers(graph: &Path) -> Vec<u32> {
    let graph = graph.display().to_string();
    let maps = |worker: &u32| std::fs::read_to_string(format!("/proc/{worker}/maps")).unwrap_or_default();
    children(std::process::id()).into_iter().filter(|worker| maps(worker).contains(&graph)).collect()
}

#[tokio::test]
async fn answers_are_those_of_the_store_on_threads() {
    let threads = EmbeddedStore::in_memory().unwrap();
    let mut quads = Vec::new();
    read_quads(&demo_graph(), false, &NoProgress, &mut |quad| quads.push(quad)).unwrap();
    threads.load_quads(quads.into_iter()).unwrap();
    let (workers, _folder) = workers();
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

#[tokio::test]
async fn a_query_that_never_ends_is_ended_with_its_process() {
    let (store, folder) = workers();
    for text in endless() {
        let outcome = run(&store, &text, SHORT).await;
        assert_eq!(outcome, Err(QueryError::Timeout { after: SHORT.timeout }), "{text:.200}");
        until("the worker ends", || own_workers(folder.path()).is_empty()).await;
        // The only permit has come back.
        assert_eq!(run(&store, "ASK {}", LIMITS).await.unwrap().results, Results::Boolean(true));
    }
}

#[tokio::test]
async fn a_query_that_takes_too_much_memory_is_ended_with_its_process() {
    let (store, folder) = workers();
    for text in greedy() {
        let outcome = run(&store, &text, LIMITS).await.map(|answer| answer.row_count());
        let error = outcome.unwrap_err();
        assert!(matches!(error, QueryError::TooLarge { .. }), "{text:.200}: {error}");
        assert!(error.to_string().contains("64 MB"), "{error}");
        until("the worker ends", || own_workers(folder.path()).is_empty()).await;
        assert_eq!(run(&store, "ASK {}", LIMITS).await.unwrap().results, Results::Boolean(true));
    }
}

/// Whether a process has used some time of a processor.
fn is_at_work(process: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{process}/stat")) else { return false };
    let (_, rest) = stat.rsplit_once(')').unwrap();
    rest.split_whitespace().nth(11).unwrap().parse::<u32>().unwrap() > 10
}

#[tokio::test]
async fn a_dropped_call_ends_its_worker() {
    let (store, folder) = workers();
    let endless = query(&endless()[0]);
    tokio::select! {
        _ = store.query(&endless, LIMITS) => panic!("it cannot end"),
        () = until("a worker is at it", || own_workers(folder.path()).into_iter().any(is_at_work)) => {}
    }
    until("the worker ends", || own_workers(folder.path()).is_empty()).await;
    assert_eq!(run(&store, "ASK {}", LIMITS).await.unwrap().results, Results::Boolean(true));
}

#[tokio::test]
async fn workers_are_used_again_and_replaced_when_they_have_died() {
    let (store, folder) = workers();
    for _ in 0..5 {
        run(&store, "SELECT * { ?s ?p ?o }", LIMITS).await.unwrap();
    }
    let [worker] = own_workers(folder.path())[..] else { panic!("one query at a time needs one worker") };
    kill(worker);
    until("the worker ends", || has_ended(worker, std::process::id())).await;
    run(&store, "SELECT * { ?s ?p ?o }", LIMITS).await.unwrap();
}

fn kill(process: u32) {
    assert!(Command::new("kill").args(["-KILL", &process.to_string()]).status().unwrap().success());
}

/// Whether a worker of this parent has ended, with all that it had open: a process is a zombie before its last thread has closed
/// that, and until then is taken for one that can be asked.
fn has_ended(worker: u32, parent: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{worker}/task")).map_or(0, Iterator::count);
    !children(parent).contains(&worker) && threads <= 1
}

/// While a question is answered by a model with a key.
#[tokio::test]
async fn no_secret_is_in_the_environment_of_workers() {
    let folder = eruca_testing::helpers::folder();
    let mut command = crate::cli::eruca(folder.path());
    command.args(["serve", "--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let secrets = ["OPENAI_API_KEY", "ERUCA_SERVER_KEY", "AWS_SECRET_ACCESS_KEY", "HTTPS_PROXY"];
    for name in secrets {
        command.env(name, "the secret");
    }
    command.env("LANG", "C.UTF-8").env("TMPDIR", folder.path());
    let mut program = eruca_testing::programs::Running(command.spawn().unwrap());
    let greeting = lines_until(&mut program.0, |_| true);
    let (_, url) = greeting.trim_end().split_once("listens on ").unwrap();
    eruca_testing::helpers::install_tls();
    assert_eq!(reqwest::get(format!("{url}/ready")).await.unwrap().status(), 200);
    let workers = children(program.0.id());
    assert!(!workers.is_empty(), "a worker has answered");
    for process in workers {
        let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap();
        let environment = String::from_utf8_lossy(&environment);
        assert!(!environment.contains("secret") && !environment.contains("HTTPS_PROXY"), "{environment:?}");
        assert!(environment.contains("LANG=C.UTF-8") && environment.contains("TMPDIR="), "{environment:?}");
    }
}

/// Whatever happens to workers, the next question has one.
#[tokio::test]
async fn a_service_whose_workers_are_killed_goes_on() {
    let folder = eruca_testing::helpers::folder();
    let (program, said) = crate::cli::serve(folder.path());
    let (_, url) = said.lines().find_map(|line| line.split_once("listens on ")).unwrap();
    eruca_testing::helpers::install_tls();
    let (client, url) = (reqwest::Client::new(), format!("{}/query", url.trim()));
    let query = async || {
        let body = serde_json::json!({"dataset": eruca_testing::helpers::CITIES, "query": "ASK {}"});
        let answered = client.post(&url).json(&body).send().await.unwrap();
        let status = answered.status();
        assert_eq!(status, 200, "{}", answered.text().await.unwrap());
    };
    let id = program.0.id();
    for _ in 0..4 {
        query().await;
        let workers = children(id);
        assert!(!workers.is_empty());
        workers.iter().copied().for_each(kill);
        until("they end", || workers.iter().all(|worker| has_ended(*worker, id))).await;
    }
    query().await;
    until("somebody waits for the ends of those", || zombies(id).is_empty()).await;
}

#[tokio::test]
async fn a_graph_that_is_missing_or_damaged_is_told_with_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let refused =
        |folder: &Path| WorkerStore::open(options(folder)).err().expect("there is none").to_string();
    assert!(refused(folder.path()).contains(&folder.path().display().to_string()));
    let graph = stored();
    let facts = graph.path().join("facts");
    let mut bytes = std::fs::read(&facts).unwrap();
    bytes[3] ^= 1;
    std::fs::write(&facts, bytes).unwrap();
    let said = refused(graph.path());
    assert!(said.contains("facts") && said.contains("damaged"), "{said}");
}

/// The graph is looked at before the first question, its parts when they are needed.
#[tokio::test]
async fn damage_that_a_query_comes_upon_is_an_error() {
    let graph = stored();
    let all = "SELECT * { ?s ?p ?o }";
    let rows = graph.path().join("spo.rows");
    let mut bytes = std::fs::read(&rows).unwrap();
    bytes[8] ^= 1;
    std::fs::write(&rows, bytes).unwrap();
    let store = WorkerStore::open(options(graph.path())).unwrap();
    let error = run(&store, all, LIMITS).await.unwrap_err();
    assert!(error.to_string().contains("damaged"), "{error}");
}

#[tokio::test]
async fn a_program_that_is_no_worker_is_told_with_what_to_do() {
    let graph = stored();
    let other = WorkerOptions { arguments: vec!["openapi".into()], ..options(graph.path()) };
    let Err(error) = WorkerStore::open(other) else { panic!("that is no worker") };
    assert!(error.to_string().contains("worker_processes"), "{error}");
}

#[test]
fn the_command_of_workers_is_not_for_people() {
    let output = output(Command::new(env!("CARGO_BIN_EXE_eruca")).arg("worker"));
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("eruca serve"));
}

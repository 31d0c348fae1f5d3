//! Queries in worker processes: the same answers as on threads, and whatever a query does, it ends and others go on.
#![cfg(target_os = "linux")]

use crate::helpers::repository;
use crate::programs::{lines_until, output};
use eruca_indexer::{NoProgress, read_quads};
use eruca_sparql::{
    Answer, CheckedQuery, EmbeddedStore, Limits, Prefixes, QueryError, QueryPolicy, Results, SparqlEndpoint,
    WorkerOptions, WorkerStore, check,
};
use eruca_store::{StoreWriter, WriterOptions};
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
    let (store, folder) = workers();
    for text in endless() {
        let outcome = run(&store, &text, SHORT).await;
        assert_eq!(outcome, Err(QueryError::Timeout { after: SHORT.timeout }), "{text:.200}");
        until("the worker ends", || own_workers(folder.path()).is_empty()).await;
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
    until("the worker ends", || own_workers(folder.path()).is_empty()).await;
    run(&store, "SELECT * { ?s ?p ?o }", LIMITS).await.unwrap();
}

pub(crate) fn kill(process: u32) {
    assert!(Command::new("kill").args(["-KILL", &process.to_string()]).status().unwrap().success());
}

/// While a question is answered by a model with a key.
#[tokio::test]
async fn no_secret_is_in_the_environment_of_workers() {
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
    let folder = crate::cli::folder();
    let (program, said) = crate::cli::serve(folder.path());
    let (_, url) = said.lines().find_map(|line| line.split_once("listens on ")).unwrap();
    crate::helpers::install_tls();
    let (client, url) = (reqwest::Client::new(), format!("{}/query", url.trim()));
    let query = async || {
        let body = serde_json::json!({"dataset": crate::helpers::CITIES, "query": "ASK {}"});
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
        // A process is a zombie before its last thread has closed what it had open.
        let threads =
            |worker: &u32| std::fs::read_dir(format!("/proc/{worker}/task")).map_or(0, Iterator::count);
        let has_ended = |worker: &u32| !children(id).contains(worker) && threads(worker) <= 1;
        until("they end", || workers.iter().all(has_ended)).await;
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

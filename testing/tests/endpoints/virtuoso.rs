//! The real Virtuoso 7, started where it is installed (`virtuoso-t` and `isql-vt` on the search path).

use super::case::{Case, assert_answers, assert_same, case};
use eruca_sparql::{
    Answer, Incomplete, Limits, Prefixes, QueryError, QueryPolicy, RemoteEndpoint, RemoteOptions, Results,
    SparqlEndpoint, check,
};
use eruca_testing::helpers::{data, install_tls};
use eruca_testing::programs::{is_installed, output, skipped};
use eruca_testing::tools::Graph;
use serde_json::json;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const GRAPH: &str = "http://e.x/graph";
/// Rows of any result, fewer than the graph has statements.
const MAX_ROWS: usize = 1_000;
/// Seconds after which the server itself ends a query.
const MAX_SECONDS: u64 = 3;
const START: Duration = Duration::from_secs(60);
/// Starts, each with other ports.
const ATTEMPTS: usize = 5;

/// A server with one graph in a folder of its own.
struct Virtuoso {
    server: Child,
    url: String,
    _folder: TempDir,
}

impl Virtuoso {
    /// `None`, loudly, where it is not installed.
    fn start(case: &Case) -> Option<Self> {
        install_tls();
        if !is_installed("virtuoso-t", "-?") || !is_installed("isql-vt", "-?") {
            skipped("virtuoso-t and isql-vt are not installed");
            return None;
        }
        let (this, sql) = (0..ATTEMPTS).find_map(|_| Self::listening(case)).expect("virtuoso-t has ended");
        for file in &case.files {
            let load = format!(
                "DB.DBA.TTLP_MT(file_to_string_output('{}'),'','{GRAPH}',0); checkpoint;",
                file.canonicalize().unwrap().display()
            );
            assert!(exec(sql, &load), "cannot load {}", file.display());
        }
        Some(this)
    }

    /// The empty server and its port for SQL; `None` when it has ended, as it does when another test has taken one of its
    /// ports meanwhile.
    fn listening(case: &Case) -> Option<(Self, u16)> {
        let folder = tempfile::tempdir().unwrap();
        let (sql, http) = (free_port(), free_port());
        std::fs::write(folder.path().join("virtuoso.ini"), ini(case, sql, http)).unwrap();
        let mut command = Command::new("virtuoso-t");
        command.args(["-f", "-c", "virtuoso.ini"]).current_dir(folder.path());
        let server =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut this = Self { server, url: format!("http://127.0.0.1:{http}/sparql"), _folder: folder };
        this.is_up(sql).then_some((this, sql))
    }

    /// Waits until it answers or has ended.
    fn is_up(&mut self, sql: u16) -> bool {
        let started = Instant::now();
        while !exec(sql, "status();") {
            if self.server.try_wait().unwrap().is_some() {
                return false;
            }
            assert!(started.elapsed() < START, "virtuoso-t does not come up");
            std::thread::sleep(Duration::from_millis(100));
        }
        true
    }

    fn endpoint(&self, parameters: &str) -> RemoteEndpoint {
        let options = RemoteOptions {
            default_graphs: vec![GRAPH.to_owned()],
            ..RemoteOptions::new(format!("{}{parameters}", self.url))
        };
        RemoteEndpoint::new(reqwest::Client::new(), options).unwrap()
    }
}

impl Drop for Virtuoso {
    fn drop(&mut self) {
        let _ended = self.server.kill();
        let _waited = self.server.wait();
    }
}

/// A port for a program that cannot be given an open socket. Another program may take it before, which [`ATTEMPTS`] are for.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn exec(port: u16, sql: &str) -> bool {
    let mut command = Command::new("isql-vt");
    command.args([&format!("127.0.0.1:{port}"), "dba", "dba", &format!("exec={sql}")]);
    let output = output(&mut command);
    output.status.success() && !String::from_utf8_lossy(&output.stderr).contains("*** Error")
}

fn ini(case: &Case, sql: u16, http: u16) -> String {
    let folders: Vec<String> = case.files.iter().filter_map(|file| file.parent()).map(real).collect();
    format!(
        "[Database]\nDatabaseFile = v.db\nErrorLogFile = v.log\nLockFile = v.lck\nTransactionFile = v.trx\n\
         xa_persistent_file = v.pxa\n[TempDatabase]\nDatabaseFile = t.db\nTransactionFile = t.trx\n\
         [Parameters]\nServerPort = 127.0.0.1:{sql}\nServerThreads = 10\nNumberOfBuffers = 10000\n\
         MaxDirtyBuffers = 6000\nDirsAllowed = ., {}\n\
         [HTTPServer]\nServerPort = 127.0.0.1:{http}\nServerThreads = 5\n\
         [SPARQL]\nResultSetMaxRows = {MAX_ROWS}\nMaxQueryCostEstimationTime = 0\n\
         MaxQueryExecutionTime = {MAX_SECONDS}\n",
        folders.join(", ")
    )
}

fn real(path: &Path) -> String {
    path.canonicalize().unwrap().to_str().unwrap().to_owned()
}

async fn ask(endpoint: &RemoteEndpoint, text: &str) -> Result<Answer, QueryError> {
    let limits = Limits { timeout: Duration::from_secs(60), max_rows: 100_000, max_bytes: 100_000_000 };
    let policy = QueryPolicy { functions: vec!["bif:".to_owned()], ..QueryPolicy::default() };
    endpoint.query(&check(text, &Prefixes::default(), &policy)?, limits).await
}

#[tokio::test]
async fn an_index_of_virtuoso_is_that_of_the_files_and_questions_are_answered() {
    let case = case();
    let Some(virtuoso) = Virtuoso::start(&case) else { return };
    let setup = case.of_endpoint(&virtuoso.url, &format!("default_graphs = [\"{GRAPH}\"]"));
    let index = setup.index().await;
    assert!(index.manifest.notes.is_empty(), "{:?}", index.manifest.notes);
    assert_same(&case, &index, &case.of_files().index().await).await;
    assert_answers(&case, &setup).await;
}

#[tokio::test]
async fn what_virtuoso_hides_is_seen() {
    let Some(virtuoso) = Virtuoso::start(&case()) else { return };
    let endpoint = virtuoso.endpoint("");
    assert_eq!(endpoint.dialect().name(), "plain");
    let capped = ask(&endpoint, "SELECT ?s WHERE { ?s ?p ?o }").await.unwrap();
    assert_eq!((capped.row_count(), capped.incomplete), (MAX_ROWS, Some(Incomplete::ServerRows(MAX_ROWS))));
    assert_eq!(endpoint.dialect().name(), "virtuoso");
    // What its hints say.
    for (text, kind, words) in [
        (
            "SELECT ?a ?b WHERE { ?a <http://www.w3.org/2000/01/rdf-schema#subClassOf>+ ?b }",
            "rejected",
            "transitive start not given",
        ),
        (
            "SELECT ?p (GROUP_CONCAT(?o) AS ?os) WHERE { ?s ?p ?o } GROUP BY ?p LIMIT 3",
            "rejected",
            "Required argument DELIM",
        ),
        ("SELECT ?s WHERE { ?s ?p ?o } ORDER BY ?s LIMIT 10000 OFFSET 10000", "too_large", "SR353"),
    ] {
        let error = ask(&endpoint, text).await.unwrap_err();
        assert!(error.kind() == kind && error.to_string().contains(words), "{error}");
    }
    let asked = ask(&endpoint, "ASK { ?s ?p ?o }").await.unwrap();
    assert_eq!(asked.results, Results::Boolean(true));
    let not = ask(&endpoint, "ASK { ?s <http://e.x/nothing> ?o }").await.unwrap();
    assert_eq!(not.results, Results::Boolean(false));
    let slow =
        "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?c != ?f && ?f != ?i) }";
    let error = ask(&endpoint, slow).await.unwrap_err();
    assert_eq!(error.kind(), "timeout", "{error}");
    let partial = ask(&virtuoso.endpoint("?timeout=1000"), slow).await.unwrap();
    assert!(
        matches!(&partial.incomplete, Some(Incomplete::Endpoint(words)) if words.contains("S1TAT")),
        "{:?}",
        partial.incomplete
    );
    let error =
        ask(&endpoint, "SELECT (bif:no_such_function(?s) AS ?x) WHERE { ?s ?p ?o }").await.unwrap_err();
    assert!(["rejected", "syntax_error"].contains(&error.kind()), "{error:?}");
    assert!(!error.to_string().contains("define input"), "the query is not repeated: {error}");
    let too_large = "SELECT ?s WHERE { ?s ?p ?o } ORDER BY ?s LIMIT 100 OFFSET 20000";
    let error = ask(&endpoint, too_large).await.unwrap_err();
    assert!(error.to_string().contains("rows to sort"), "{error}");
}

#[tokio::test]
async fn statements_are_seen_as_in_the_embedded_store() {
    let case = Case { files: vec![data("wiki.ttl").into()], ..case() };
    let Some(virtuoso) = Virtuoso::start(&case) else { return };
    let settings = format!("endpoint = \"{}\"\ndefault_graphs = [\"{GRAPH}\"]", virtuoso.url);
    let (remote, embedded) = (Graph::with("wiki.ttl", &settings).await, Graph::with("wiki.ttl", "").await);
    for (tool, arguments) in [
        ("get_entry", json!({"iri": "wd:Q1"})),
        ("get_entry", json!({"iri": "wd:Q2"})),
        ("get_entry", json!({"iri": "wd:Q5"})),
        ("get_entry", json!({"iri": "wd:Q1", "property": "P3"})),
        ("get_entry", json!({"iri": "wd:Q2", "property": "P8"})),
        ("get_entry", json!({"iri": "wd:Q1", "property": "P7"})),
        ("get_property_examples", json!({"property": "pq:P6"})),
        ("execute_sparql", json!({"query": "SELECT ?x { ?x wdt:P3 wd:Q12 }"})),
        ("execute_sparql", json!({"query": "SELECT ?x { ?x wdt:P10 ?n ; wdt:P1 wd:Q7 }"})),
    ] {
        let (there, here) =
            (remote.see(tool, arguments.clone()).await, embedded.see(tool, arguments.clone()).await);
        assert_eq!(there, here, "{tool} {arguments}");
    }
}

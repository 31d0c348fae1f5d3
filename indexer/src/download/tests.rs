//! Downloads from an in-process store that can misbehave: row limits, refusals, failures, unstable labels.

use super::*;
use crate::progress::NoProgress;
use crate::source::read_quads;
use async_trait::async_trait;
use eruca_sparql::{Answer, BlankNode, CheckedQuery, EmbeddedStore, Incomplete, Limits, Results, Term};
use std::collections::BTreeSet;
use std::sync::Mutex;
use tempfile::TempDir;

/// The endpoint's behaviour for a query, decided before it is run.
type Manners = Box<dyn Fn(usize, &str) -> Option<Result<Cut, QueryError>> + Send + Sync>;

/// What it does to the rows.
enum Cut {
    /// Truncated, reported in a header.
    Rows(usize),
    /// Truncated, without any sign.
    Silently(usize),
    /// Truncated because of a timeout.
    Partial(usize),
    /// Blank nodes are numbered differently in each response.
    Renumbered,
}

struct Endpoint {
    store: EmbeddedStore,
    manners: Manners,
    asked: Mutex<Vec<String>>,
    /// Queries running now, and the maximum that ran concurrently.
    running: Mutex<(usize, usize)>,
}

impl Endpoint {
    fn new(turtle: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("graph.trig");
        std::fs::write(&file, turtle).unwrap();
        let store = EmbeddedStore::in_memory().unwrap().with_union_default_graph(false);
        let mut quads = Vec::new();
        read_quads(&file, false, &NoProgress, &mut |quad| quads.push(quad)).unwrap();
        store.load_quads(quads.into_iter()).unwrap();
        Self { store, manners: Box::new(|_, _| None), asked: Mutex::default(), running: Mutex::default() }
    }

    fn with(
        self,
        manners: impl Fn(usize, &str) -> Option<Result<Cut, QueryError>> + Send + Sync + 'static,
    ) -> Self {
        Self { manners: Box::new(manners), ..self }
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

#[async_trait]
impl SparqlEndpoint for Endpoint {
    async fn query(&self, query: &CheckedQuery, limits: Limits) -> Result<Answer, QueryError> {
        let number = {
            let mut asked = self.asked.lock().unwrap();
            asked.push(query.text().to_owned());
            asked.len()
        };
        {
            let mut running = self.running.lock().unwrap();
            running.0 += 1;
            running.1 = running.0.max(running.1);
        }
        let _ends = Ends(&self.running);
        let cut = (self.manners)(number, query.text()).transpose()?;
        let mut answer = self.store.query(query, limits).await?;
        let Results::Solutions(solutions) = &mut answer.results else { return Ok(answer) };
        let before = solutions.rows.len();
        match cut {
            Some(Cut::Rows(rows)) => {
                solutions.rows.truncate(rows);
                answer.incomplete = (before > rows).then_some(Incomplete::ServerRows(rows));
            }
            Some(Cut::Silently(rows)) => solutions.rows.truncate(rows),
            Some(Cut::Partial(rows)) => {
                solutions.rows.truncate(rows);
                answer.incomplete = Some(Incomplete::Endpoint("S1TAT".to_owned()));
            }
            Some(Cut::Renumbered) => renumber(&mut solutions.rows),
            None => {}
        }
        Ok(answer)
    }

    fn name(&self) -> &str {
        "http://test/sparql"
    }
}

struct Ends<'a>(&'a Mutex<(usize, usize)>);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.lock().unwrap().0 -= 1;
    }
}

fn renumber(rows: &mut [Vec<Option<Term>>]) {
    let mut known = Vec::new();
    for cell in rows.iter_mut().flatten().flatten() {
        if let Term::BlankNode(node) = cell {
            let label = node.as_str().to_owned();
            let at = known.iter().position(|k| *k == label).unwrap_or_else(|| {
                known.push(label);
                known.len() - 1
            });
            *cell = BlankNode::new_unchecked(format!("b{at}")).into();
        }
    }
}

fn options(folder: &TempDir) -> DownloadOptions<'_> {
    DownloadOptions {
        folder: folder.path(),
        graphs: &[],
        page_rows: 100,
        requests: 1,
        timeout: Duration::from_secs(60),
        patience: Duration::from_millis(50),
        sample_rows: 150,
        first_pause: Duration::from_millis(1),
    }
}

/// 300 entities with names, two types, a link, and one with 250 links; all IRIs.
fn graph() -> String {
    let mut text = String::from("@prefix : <http://e.x/> .\n");
    for n in 0..300 {
        text +=
            &format!(":t{n} a :C{}, :Thing ; :name \"thing {n}\"@en ; :next :t{} .\n", n % 3, (n + 1) % 300);
    }
    for n in 0..250 {
        text += &format!(":hub :link :t{n} .\n");
    }
    text += ":t1 :rare \"a\", \"b\\n\\\"c\\\"\", 1, 2.5, true .\n:t2 :odd \"x\"^^:type .\n";
    text
}

/// The distinct statements of a download, with the original labels of blank nodes.
fn statements(download: &Download) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in &download.files {
        read_quads(file, false, &NoProgress, &mut |quad| {
            found.insert(quad.to_string());
        })
        .unwrap();
    }
    found
}

/// The contents of the store.
async fn everything(endpoint: &Endpoint) -> BTreeSet<String> {
    let limits = Limits { timeout: Duration::from_secs(60), max_rows: usize::MAX, max_bytes: usize::MAX };
    let query = eruca_sparql::check(
        "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }",
        &eruca_sparql::Prefixes::default(),
        &eruca_sparql::QueryPolicy::default(),
    );
    let answer = endpoint.store.query(&query.unwrap(), limits).await.unwrap();
    let Results::Graph(triples) = answer.results else { panic!("no graph") };
    triples.iter().map(ToString::to_string).collect()
}

async fn whole(endpoint: &Endpoint, options: &DownloadOptions<'_>) -> Download {
    let download = download(endpoint, options, &NoProgress).await.unwrap();
    assert_eq!(statements(&download), everything(endpoint).await);
    assert!(download.notes.is_empty(), "{:?}", download.notes);
    download
}

fn timeout() -> QueryError {
    QueryError::Timeout { after: Duration::from_secs(1) }
}

fn busy() -> QueryError {
    QueryError::RateLimited { retry_after: Some(Duration::from_millis(2)), message: "slow down".to_owned() }
}

#[tokio::test]
async fn a_graph_comes_whole_whatever_the_page() {
    let endpoint = Endpoint::new(&graph());
    for page_rows in [100, 101, 299, 300, 301, 10_000] {
        let folder = tempfile::tempdir().unwrap();
        let download = whole(&endpoint, &DownloadOptions { page_rows, ..options(&folder) }).await;
        assert_eq!((download.statements, download.resumed), (1_456, 0), "{page_rows}: nothing comes twice");
    }
    let folder = tempfile::tempdir().unwrap();
    endpoint.asked();
    whole(&endpoint, &DownloadOptions { page_rows: 10_000, ..options(&folder) }).await;
    assert_eq!(endpoint.asked().len(), 3, "counts, counts with blank nodes, one page");
}

#[tokio::test]
async fn several_requests_at_once_bring_the_same() {
    for requests in [1, 4] {
        let endpoint = Endpoint::new(&graph());
        let folder = tempfile::tempdir().unwrap();
        whole(&endpoint, &DownloadOptions { requests, ..options(&folder) }).await;
        assert_eq!(endpoint.running.lock().unwrap().1, requests, "as many as allowed");
    }
}

#[tokio::test]
async fn caps_of_the_server_cost_nothing_but_requests() {
    for silent in [false, true] {
        let cut = move |_: usize, _: &str| Some(Ok(if silent { Cut::Silently(120) } else { Cut::Rows(120) }));
        let endpoint = Endpoint::new(&graph()).with(cut);
        let folder = tempfile::tempdir().unwrap();
        whole(&endpoint, &DownloadOptions { page_rows: 10_000, ..options(&folder) }).await;
    }
}

#[tokio::test]
async fn partial_results_are_not_taken_for_whole_ones() {
    let partial = |_: usize, query: &str| query.contains("LIMIT 1000").then_some(Ok(Cut::Partial(7)));
    let endpoint = Endpoint::new(&graph()).with(partial);
    let folder = tempfile::tempdir().unwrap();
    whole(&endpoint, &DownloadOptions { page_rows: 1_000, ..options(&folder) }).await;
    assert!(
        !endpoint.asked().iter().any(|query| query.contains("LIMIT 1000")),
        "types fit into one response"
    );

    let folder = tempfile::tempdir().unwrap();
    let partial = |_: usize, query: &str| {
        (query.contains("VALUES") || query.contains("LIMIT 1000")).then_some(Ok(Cut::Partial(7)))
    };
    let endpoint = Endpoint::new(&graph()).with(partial);
    whole(&endpoint, &DownloadOptions { page_rows: 1_000, ..options(&folder) }).await;
    assert!(endpoint.asked().iter().any(|query| query.contains("LIMIT 100")), "smaller pages");
}

#[tokio::test]
async fn an_endpoint_that_does_not_count_is_read_all_the_same() {
    let refuses =
        |words: &'static str| move |_: usize, query: &str| query.contains(words).then(|| Err(timeout()));
    let endpoint = Endpoint::new(&graph()).with(refuses("COUNT"));
    let folder = tempfile::tempdir().unwrap();
    let download = download(&endpoint, &options(&folder), &NoProgress).await.unwrap();
    assert_eq!(statements(&download), everything(&endpoint).await);
    assert!(download.notes[0].contains("blank nodes are left out"), "{:?}", download.notes);
}

#[tokio::test]
async fn properties_that_are_not_listed_are_found_in_samples() {
    let refuses = |_: usize, query: &str| {
        (query.contains("COUNT") || query.contains("DISTINCT ?p WHERE { ?s")).then(|| Err(timeout()))
    };
    let endpoint = Endpoint::new(&graph()).with(refuses);
    let folder = tempfile::tempdir().unwrap();
    let download = download(&endpoint, &options(&folder), &NoProgress).await.unwrap();
    assert_eq!(statements(&download), everything(&endpoint).await);
    assert!(download.notes[0].contains("found in samples"), "{:?}", download.notes);
}

#[tokio::test]
async fn what_cannot_be_sorted_is_sampled_and_said_to_be() {
    let refuses = |_: usize, query: &str| {
        (query.contains("ORDER BY STR(?s)") && query.contains("/name>")).then(|| Err(timeout()))
    };
    let endpoint = Endpoint::new(&graph()).with(refuses);
    let folder = tempfile::tempdir().unwrap();
    let download = download(&endpoint, &options(&folder), &NoProgress).await.unwrap();
    assert_eq!(download.statements, 1_456 - 100, "200 of the 300 names");
    insta::assert_debug_snapshot!(download.notes, @r#"
    [
        "http://e.x/name: a sample of 200 of 300 statements: no answer within 1.0 s; make the query simpler or more selective",
    ]
    "#);
}

#[tokio::test]
async fn types_that_cannot_be_sorted_are_read_class_by_class() {
    let refuses = |_: usize, query: &str| {
        (query.contains("#type> ?o") && query.contains("ORDER BY STR(?s)")).then(|| Err(timeout()))
    };
    let endpoint = Endpoint::new(&graph()).with(refuses);
    let folder = tempfile::tempdir().unwrap();
    whole(&endpoint, &options(&folder)).await;
    assert!(endpoint.asked().iter().any(|query| query.contains("#type> <http://e.x/Thing>")));
}

#[tokio::test]
async fn an_endpoint_that_pages_by_no_key_does_not_hold_us_for_ever() {
    // String comparisons are ignored: every page is the first one.
    struct Ignorant(Endpoint);
    #[async_trait]
    impl SparqlEndpoint for Ignorant {
        async fn query(&self, query: &CheckedQuery, limits: Limits) -> Result<Answer, QueryError> {
            let text = query.text();
            let start = text.find("FILTER(STR(?s) > ");
            let end = start.and_then(|at| text[at..].find(") }").map(|end| at + end));
            let changed = match start.zip(end) {
                Some((start, end)) => format!("{}{}", &text[..start], &text[end + 1..]),
                None => text.to_owned(),
            };
            let policy = eruca_sparql::QueryPolicy::default();
            let query = eruca_sparql::check(&changed, &eruca_sparql::Prefixes::default(), &policy)?;
            self.0.query(&query, limits).await
        }

        fn name(&self) -> &str {
            "ignorant"
        }
    }
    let endpoint = Ignorant(Endpoint::new(&graph()));
    let folder = tempfile::tempdir().unwrap();
    let download = download(&endpoint, &options(&folder), &NoProgress).await.unwrap();
    assert!(download.notes.iter().any(|note| note.contains("does not page by keys")), "{:?}", download.notes);
}

/// 60 entities with an address each, which is a blank node.
fn addresses() -> String {
    let mut text = String::from("@prefix : <http://e.x/> .\n");
    for n in 0..60 {
        text += &format!(":t{n} :address [ :city \"city {n}\" ; :at [ :x {n} ] ] .\n");
    }
    text + ":t1 :name \"one\" .\n"
}

/// Number of addresses with their coordinates, joined independently of labels.
fn joined(download: &Download) -> usize {
    let found = statements(download);
    let object = |statement: &str| statement.rsplit(' ').next().unwrap().to_owned();
    let places = found.iter().filter(|statement| statement.contains("/at>"));
    let joined = |place: &&String| {
        let (node, at) = (place.split(' ').next().unwrap(), object(place));
        let city = found.iter().any(|s| s.starts_with(node) && s.contains("/city>"));
        let from = found.iter().any(|s| s.contains("/address>") && object(s) == node);
        city && from && found.iter().any(|s| s.starts_with(&at) && s.contains("/x>"))
    };
    places.filter(joined).count()
}

#[tokio::test]
async fn blank_nodes_come_in_one_response_or_in_pages_if_their_labels_stay() {
    let endpoint = Endpoint::new(&addresses());
    for page_rows in [100, 10_000] {
        let folder = tempfile::tempdir().unwrap();
        let options = DownloadOptions { page_rows, ..options(&folder) };
        let download = download(&endpoint, &options, &NoProgress).await.unwrap();
        assert_eq!((joined(&download), download.statements), (60, 241), "{:?}", download.notes);
    }
}

#[tokio::test]
async fn blank_nodes_with_changing_labels_are_taken_whole_or_left_out_and_counted() {
    let endpoint = Endpoint::new(&addresses()).with(|_, _| Some(Ok(Cut::Renumbered)));
    let folder = tempfile::tempdir().unwrap();
    let options = DownloadOptions { page_rows: 10_000, ..options(&folder) };
    let all = download(&endpoint, &options, &NoProgress).await.unwrap();
    assert_eq!((joined(&all), all.notes.len()), (60, 0));

    let folder = tempfile::tempdir().unwrap();
    let options = DownloadOptions { folder: folder.path(), page_rows: 100, ..options };
    let part = download(&endpoint, &options, &NoProgress).await.unwrap();
    assert_eq!(part.statements, 1);
    assert!(part.notes[0].starts_with("240 statements with blank nodes are left out"), "{:?}", part.notes);
}

#[tokio::test]
async fn an_endpoint_that_asks_for_patience_gets_it() {
    let sometimes = |number: usize, _: &str| (!number.is_multiple_of(3)).then(|| Err(busy()));
    let endpoint = Endpoint::new(&graph()).with(sometimes);
    let folder = tempfile::tempdir().unwrap();
    whole(&endpoint, &options(&folder)).await;
}

#[tokio::test]
async fn an_endpoint_that_fails_for_good_ends_the_download_which_goes_on_later() {
    let folder = tempfile::tempdir().unwrap();
    let endpoint = Endpoint::new(&graph());
    let mut resumed = 0;
    // It goes down after more and more requests.
    for requests in [4, 5, 6, 8] {
        let down = move |number: usize, _: &str| {
            (number > requests).then(|| Err(QueryError::Unavailable { message: "gone".to_owned() }))
        };
        let broken = Endpoint::new(&graph()).with(down);
        let error = download(&broken, &options(&folder), &NoProgress).await.unwrap_err();
        let DownloadError::Endpoint { statements, .. } = &error else { panic!("{error}") };
        assert!(*statements >= resumed, "{error}");
        resumed = *statements;
    }
    assert!(resumed > 300, "{resumed}");
    let download = whole(&endpoint, &options(&folder)).await;
    assert_eq!((download.resumed, download.statements), (resumed, 1_456));
    assert!(!endpoint.asked().iter().any(|query| query.contains("COUNT")), "the plan is known");
}

#[tokio::test]
async fn only_own_files_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let letter = folder.path().join("download/letter.txt");
    std::fs::create_dir_all(letter.parent().unwrap()).unwrap();
    std::fs::write(&letter, "mine").unwrap();
    std::fs::write(folder.path().join("download/journal.jsonl"), "").unwrap();
    forget_download(folder.path()).unwrap();
    assert!(letter.exists() && !folder.path().join("download/journal.jsonl").exists());
}

#[tokio::test]
async fn what_a_killed_program_has_half_written_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let endpoint = Endpoint::new(&graph());
    drop(whole(&endpoint, &options(&folder)).await);
    let (data, journal) = (
        folder.path().join("download").join("statements.nt.zst"),
        folder.path().join("download").join("journal.jsonl"),
    );
    let [all_data, all_lines] = [&data, &journal].map(|path| std::fs::read(path).unwrap());
    // The journal ends in the middle of a line, or the data in the middle of a frame.
    for end in [10, all_lines.len() / 3, all_lines.len() / 2, all_lines.len() - 1] {
        std::fs::write(&journal, &all_lines[..end]).unwrap();
        std::fs::write(&data, &all_data).unwrap();
        drop(whole(&endpoint, &options(&folder)).await);
    }
    for end in [0, all_data.len() / 2, all_data.len() - 1] {
        std::fs::write(&journal, &all_lines).unwrap();
        std::fs::write(&data, &all_data[..end]).unwrap();
        drop(whole(&endpoint, &options(&folder)).await);
    }
}

#[tokio::test]
async fn downloads_of_other_graphs_are_not_mixed() {
    let folder = tempfile::tempdir().unwrap();
    drop(whole(&Endpoint::new(&graph()), &options(&folder)).await);
    let graphs = ["http://e.x/other".to_owned()];
    let other = Endpoint::new("<http://e.x/a> <http://e.x/b> <http://e.x/c> .");
    let download = whole(&other, &DownloadOptions { graphs: &graphs, ..options(&folder) }).await;
    assert_eq!((download.statements, download.resumed), (1, 0));
    download.remove();
    assert!(!folder.path().join("download").exists());
}

#[tokio::test]
async fn two_downloads_at_once_are_refused_and_none_is_forgotten_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let endpoint = Endpoint::new(&graph());
    let running = whole(&endpoint, &options(&folder)).await;
    let refused = download(&endpoint, &options(&folder), &NoProgress).await.unwrap_err();
    assert!(refused.to_string().contains("another download"), "{refused}");
    assert!(forget_download(folder.path()).is_err());
    drop(running);
    forget_download(folder.path()).unwrap();
    forget_download(folder.path()).unwrap();
}

#[tokio::test]
async fn an_empty_default_graph_is_told_with_the_graphs_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let endpoint = Endpoint::new("<http://e.x/g> { <http://e.x/a> <http://e.x/b> <http://e.x/c> }");
    let error = download(&endpoint, &options(&folder), &NoProgress).await.unwrap_err();
    insta::assert_snapshot!(error, @"http://test/sparql has no triple in its default graph; name the graphs to take in default_graphs, there are: http://e.x/g");
}

#[tokio::test]
async fn an_endpoint_that_never_answers_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let down = |_: usize, _: &str| Some(Err(QueryError::Unavailable { message: "access denied".to_owned() }));
    let endpoint = Endpoint::new(&graph()).with(down);
    let patient = DownloadOptions { patience: Duration::from_secs(3_600), ..options(&folder) };
    let error = download(&endpoint, &patient, &NoProgress).await.unwrap_err();
    assert!(error.to_string().contains("access denied"), "{error}");
    assert_eq!(endpoint.asked().len(), 1);
}

#[tokio::test]
async fn an_endpoint_that_refuses_every_query_is_not_called_empty() {
    let folder = tempfile::tempdir().unwrap();
    let words = |_: usize, _: &str| {
        Some(Err(QueryError::Rejected { message: "This query is not for guests".to_owned() }))
    };
    let endpoint = Endpoint::new(&graph()).with(words);
    let error = download(&endpoint, &options(&folder), &NoProgress).await.unwrap_err();
    insta::assert_snapshot!(error, @"http://test/sparql tells nothing of what it holds, neither counted nor listed nor by samples: the endpoint rejected the query: This query is not for guests; is this the URL of a SPARQL endpoint, and does it answer SELECT queries?");
}

use super::*;
use crate::{Incomplete, Prefixes, QueryPolicy, check};
use oxrdf::{Literal, NamedNode, Term};

mod stored;

const LIMITS: Limits = Limits { timeout: Duration::from_secs(60), max_rows: 1_000, max_bytes: 1_000_000 };

fn node(name: &str) -> NamedNode {
    NamedNode::new(format!("http://ex.org/{name}")).unwrap()
}

fn query(text: &str) -> CheckedQuery {
    let prefixes: Prefixes = [("ex", "http://ex.org/")].into_iter().collect();
    let any = || vec!["*".to_owned()];
    let policy = QueryPolicy { from: any(), service: any(), functions: any(), ..QueryPolicy::default() };
    check(text, &prefixes, &policy).unwrap()
}

fn rows(answer: &Answer) -> &[Vec<Option<Term>>] {
    match &answer.results {
        Results::Solutions(solutions) => &solutions.rows,
        other => panic!("{other:?}"),
    }
}

/// The same triple in the default graph and in two named graphs, and one triple only in a named graph.
fn quads() -> Vec<Quad> {
    let quad = |s, graph: GraphName| Quad::new(node(s), node("p"), Literal::from(1), graph);
    vec![
        quad("a", GraphName::DefaultGraph),
        quad("a", node("g1").into()),
        quad("a", node("g2").into()),
        quad("b", node("g2").into()),
    ]
}

fn store() -> EmbeddedStore {
    let store = EmbeddedStore::in_memory().unwrap();
    store.load_quads(quads().into_iter()).unwrap();
    store
}

/// A chain of 400 nodes: `p+` has 80,000 solutions, and a fourfold cross product 25 billion.
fn chain() -> EmbeddedStore {
    let store = EmbeddedStore::in_memory().unwrap();
    let link = |i: usize| {
        Quad::new(node(&i.to_string()), node("p"), node(&(i + 1).to_string()), GraphName::DefaultGraph)
    };
    store.load_quads((0..400).map(link)).unwrap();
    store
}

const ENDLESS: &[&str] = &[
    "SELECT (COUNT(*) AS ?n) { ?a ex:p ?b . ?c ex:p ?d . ?e ex:p ?f . ?g ex:p ?h }",
    "SELECT * { ?a ex:p ?b . ?c ex:p ?d . ?e ex:p ?f . ?g ex:p ?h FILTER(?a = ?none) }",
    "SELECT (COUNT(*) AS ?n) { ?a ex:p+ ?b . ?b ex:p* ?c . ?c ex:p* ?d }",
    "SELECT (COUNT(*) AS ?n) { ?a ex:p+ ?b . ?c ex:p+ ?d . ?e ex:p+ ?f }",
    "SELECT (COUNT(*) AS ?n) { ?a ex:p ?b OPTIONAL { ?c ex:p ?d } OPTIONAL { ?e ex:p ?f } OPTIONAL { ?g ex:p ?h } }",
    "ASK { { ?a ex:p+ ?b } { ?c ex:p+ ?d } { ?e ex:p+ ?f } FILTER(?a = ?f && ?b < ?c) }",
];

#[tokio::test]
async fn the_default_graph_is_the_union_and_has_each_triple_once() {
    let store = store();
    let all = store.query(&query("SELECT ?s { ?s ex:p 1 }"), LIMITS).await.unwrap();
    assert_eq!(rows(&all).len(), 2);
    let count = store.query(&query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"), LIMITS).await.unwrap();
    assert_eq!(rows(&count)[0], [Some(Literal::from(2).into())]);
    assert_eq!(store.len().unwrap(), 2);
}

#[tokio::test]
async fn graph_and_from_see_single_graphs() {
    let store = store();
    let named = store.query(&query("SELECT ?g ?s { GRAPH ?g { ?s ?p ?o } }"), LIMITS).await.unwrap();
    assert_eq!(rows(&named).len(), 3);
    let one = store.query(&query("SELECT ?s { GRAPH ex:g1 { ?s ?p ?o } }"), LIMITS).await.unwrap();
    assert_eq!(rows(&one), [[Some(Term::from(node("a")))]]);
    let from = store.query(&query("SELECT ?s FROM ex:g2 { ?s ?p ?o }"), LIMITS).await.unwrap();
    assert_eq!(rows(&from).len(), 2);
}

#[tokio::test]
async fn without_the_union_only_the_default_graph_is_seen() {
    let store = EmbeddedStore::in_memory().unwrap().with_union_default_graph(false);
    assert_eq!(store.load_quads(quads().into_iter()).unwrap(), StoreLoad { triples: 4, skipped: 0 });
    let answer = store.query(&query("SELECT ?s { ?s ?p ?o }"), LIMITS).await.unwrap();
    assert_eq!(rows(&answer), [[Some(Term::from(node("a")))]]);
}

#[test]
fn loading_counts_what_is_new() {
    let store = store();
    assert_eq!(store.load_quads(quads().into_iter()).unwrap(), StoreLoad { triples: 0, skipped: 4 });
    let new = Quad::new(node("c"), node("p"), Literal::from(1), node("g1"));
    assert_eq!(store.load_quads([new].into_iter()).unwrap(), StoreLoad { triples: 1, skipped: 0 });
    assert!(!store.is_empty().unwrap());
}

#[tokio::test]
async fn forms_other_than_select() {
    let store = store();
    let ask = store.query(&query("ASK { ex:a ex:p 2 }"), LIMITS).await.unwrap();
    assert_eq!(ask.results, Results::Boolean(false));
    for text in ["CONSTRUCT { ?s ex:q ?o } WHERE { ?s ex:p ?o }", "DESCRIBE ?s { ?s ex:p 1 }"] {
        let graph = store.query(&query(text), LIMITS).await.unwrap();
        assert!(matches!(&graph.results, Results::Graph(triples) if triples.len() == 2), "{graph:?}");
    }
}

#[tokio::test]
async fn limits_cut_rows_and_bytes_and_say_so() {
    let store = chain();
    let all = query("SELECT ?a ?b { ?a ex:p ?b }");
    let exact = store.query(&all, Limits { max_rows: 400, ..LIMITS }).await.unwrap();
    assert_eq!((exact.row_count(), exact.incomplete), (400, None));
    let cut = store.query(&all, Limits { max_rows: 399, ..LIMITS }).await.unwrap();
    assert_eq!((cut.row_count(), cut.incomplete), (399, Some(Incomplete::RowLimit(399))));
    let bytes = store.query(&all, Limits { max_bytes: 1_000, ..LIMITS }).await.unwrap();
    assert_eq!(bytes.incomplete, Some(Incomplete::ByteLimit(1_000)));
    assert!((10..30).contains(&bytes.row_count()), "{}", bytes.row_count());
    let graph = query("CONSTRUCT WHERE { ?a ex:p ?b }");
    let triples = store.query(&graph, Limits { max_rows: 3, ..LIMITS }).await.unwrap();
    assert_eq!((triples.row_count(), triples.incomplete), (3, Some(Incomplete::RowLimit(3))));
}

#[tokio::test]
async fn a_limit_of_rows_stops_an_endless_evaluation() {
    let cross = query("SELECT * { ?a ex:p ?b . ?c ex:p ?d . ?e ex:p ?f . ?g ex:p ?h }");
    let answer = chain().query(&cross, Limits { max_rows: 5, ..LIMITS }).await.unwrap();
    assert_eq!(answer.incomplete, Some(Incomplete::RowLimit(5)));
}

#[tokio::test]
async fn endless_queries_end_at_the_deadline_and_give_their_permit_back() {
    let store = chain().with_concurrency(1);
    let limits = Limits { timeout: Duration::from_millis(100), ..LIMITS };
    for text in ENDLESS {
        let outcome = tokio::time::timeout(Duration::from_secs(30), store.query(&query(text), limits)).await;
        assert_eq!(outcome.unwrap(), Err(QueryError::Timeout { after: limits.timeout }), "{text}");
        // The only permit is returned when the evaluation has really stopped.
        let next = store.query(&query("ASK { ?s ex:p ?o }"), LIMITS).await.unwrap();
        assert_eq!(next.results, Results::Boolean(true));
    }
}

#[tokio::test]
async fn a_query_that_collects_too_much_is_ended() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let store = chain().with_concurrency(1).with_max_memory(Some(32 << 20));
    for text in [
        "SELECT * { ?a ex:p ?b . ?c ex:p ?d . ?e ex:p ?f . ?g ex:p ?h } ORDER BY DESC(?h) ?a",
        "SELECT DISTINCT ?a ?c ?e { ?a ex:p ?b . ?c ex:p ?d . ?e ex:p ?f }",
    ] {
        let limits =
            Limits { timeout: Duration::from_secs(300), max_rows: usize::MAX, max_bytes: usize::MAX };
        let error = store.query(&query(text), limits).await.unwrap_err();
        assert_eq!(error.kind(), "too_large", "{text}: {error}");
        // The only permit is returned when the evaluation has really stopped.
        let next = store.query(&query("ASK { ?s ex:p ?o }"), LIMITS).await.unwrap();
        assert_eq!(next.results, Results::Boolean(true));
    }
}

#[tokio::test]
async fn a_dropped_call_stops_its_evaluation() {
    let store = Arc::new(chain().with_concurrency(1));
    let endless = query(ENDLESS[0]);
    tokio::select! {
        _ = store.query(&endless, LIMITS) => panic!("it cannot end"),
        () = async { while store.permits.available_permits() > 0 { tokio::task::yield_now().await } } => {}
    }
    let next = tokio::time::timeout(Duration::from_secs(30), store.query(&query("ASK {}"), LIMITS)).await;
    assert_eq!(next.unwrap().unwrap().results, Results::Boolean(true));
}

#[tokio::test]
async fn the_longest_timeout_is_no_overflow() {
    let limits = Limits { timeout: Duration::MAX, ..LIMITS };
    assert!(store().query(&query("ASK {}"), limits).await.is_ok());
}

/// Compares rows in memory with each other, for a single result row: nothing is read, and nothing checks
/// the deadline.
fn stuck_for_seconds() -> CheckedQuery {
    let values = "1 2 3 ".repeat(400);
    query(&format!(
        "ASK {{ VALUES ?x {{ 1 }} FILTER NOT EXISTS {{ VALUES ?y {{ {values} }} VALUES ?z {{ {values} }} FILTER(?x + ?y + ?z > 10) }} }}"
    ))
}

#[tokio::test]
async fn an_evaluation_that_does_not_end_gives_its_permit_back_and_is_told_of() {
    let store = EmbeddedStore { patience: Duration::ZERO, ..chain().with_concurrency(1) };
    let limits = Limits { timeout: Duration::from_millis(50), ..LIMITS };
    assert_eq!(store.overrun(), None);
    let outcome = store.query(&stuck_for_seconds(), limits).await;
    assert_eq!(outcome, Err(QueryError::Timeout { after: limits.timeout }));
    assert!(store.overrun().is_some());
    assert_eq!(store.query(&query("ASK {}"), LIMITS).await.unwrap().results, Results::Boolean(true));
    while store.overrun().is_some() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn waiting_for_a_permit_counts_as_time() {
    let store = chain().with_concurrency(1);
    let held = Arc::clone(&store.permits).acquire_owned().await.unwrap();
    let limits = Limits { timeout: Duration::from_millis(20), ..LIMITS };
    let outcome = store.query(&query("ASK {}"), limits).await;
    assert_eq!(outcome, Err(QueryError::Timeout { after: limits.timeout }));
    drop(held);
}

#[tokio::test]
async fn what_the_store_cannot_do_is_said_in_its_words() {
    let unknown = store().query(&query("SELECT (ex:f(?s) AS ?x) { ?s ?p ?o }"), LIMITS).await;
    let message = "The custom function <http://ex.org/f> is not supported".to_owned();
    assert_eq!(unknown, Err(QueryError::Rejected { message }));
    let service = store().query(&query("SELECT * { SERVICE <http://x.org/> { ?s ?p ?o } }"), LIMITS).await;
    assert_eq!(service.unwrap_err().kind(), "rejected");
}

#[tokio::test]
async fn products_have_all_their_rows() {
    let store = store();
    for (text, expected) in [
        ("SELECT * { ?a ex:p ?b . ?c ex:p ?d . ?e ex:p ?f }", 8),
        ("SELECT * { ?a ex:p ?b . ex:a ex:p 1 . ?c ex:p ?d }", 4),
        ("SELECT * { ?a ex:p ?b OPTIONAL { ?c ex:none ?d } }", 2),
        ("SELECT * { ?a ex:p ?b OPTIONAL { ?c ex:none ?d } OPTIONAL { ?e ex:p ?f } { ?g ex:p ?h } }", 8),
        ("SELECT * { ?a ex:p ?b . ?c ex:p ?d FILTER(?a = ?c) }", 2),
        ("SELECT * { ?a ex:p [] . [] ex:p ?b . BIND(1 AS ?x) VALUES ?y { 1 2 } }", 8),
    ] {
        assert_eq!(store.query(&query(text), LIMITS).await.unwrap().row_count(), expected, "{text}");
    }
}

#[tokio::test]
async fn deep_queries_are_evaluated() {
    let store = store();
    for text in [
        format!("SELECT ?s {{ ?s ex:p ?o FILTER({}?o = 1) }}", "?o = 2 || ".repeat(130)),
        format!("SELECT ?s {{ ?s ex:p ?o FILTER({}?o > 5) }}", "?o + ".repeat(130)),
        format!("SELECT ?s {{ ?s ex:p ?o FILTER(?o IN ({}1)) }}", "2, ".repeat(5_000)),
        format!("SELECT ?s {{ {{ ?s ex:p 1 }} {} }}", "UNION { ?s ex:q 1 } ".repeat(130)),
        format!("SELECT ?s {{ ?s ex:p 1 {} }}", "OPTIONAL { ?s ex:q 1 } ".repeat(60)),
        format!("SELECT ?s {{ ?s {} ex:p 1 }}", "ex:p 1; ".repeat(60)),
    ] {
        assert_eq!(rows(&store.query(&query(&text), LIMITS).await.unwrap()).len(), 2, "{text:.60}");
    }
}

//! A stored graph gives the same answers as one in memory, for all joins, and can be stopped as easily.

use super::*;
use eruca_store::{StoreWriter, WriterOptions};
use proptest::prelude::*;
use tempfile::TempDir;

/// A stored graph with these quads, in a temporary folder.
fn stored(quads: &[Quad]) -> (EmbeddedStore, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let options = WriterOptions { folder: folder.path(), work: folder.path(), quads_in_memory: 1_000 };
    let mut writer = StoreWriter::create(&options).unwrap();
    quads.iter().for_each(|quad| writer.add(quad).unwrap());
    writer.finish().unwrap();
    (EmbeddedStore::open(folder.path()).unwrap(), folder)
}

fn in_memory(quads: &[Quad]) -> EmbeddedStore {
    let store = EmbeddedStore::in_memory().unwrap();
    store.load_quads(quads.iter().cloned()).unwrap();
    store
}

fn any_quad() -> impl Strategy<Value = Quad> {
    let object = prop_oneof![
        (0_u8..6).prop_map(|number| Term::from(node(&format!("n{number}")))),
        (0_i32..4).prop_map(|number| Literal::from(number).into()),
    ];
    (0_u8..6, 0_u8..3, object, 0_u8..5).prop_map(|(subject, predicate, object, graph)| {
        let graph = if graph == 0 { node("g").into() } else { GraphName::DefaultGraph };
        Quad::new(node(&format!("n{subject}")), node(&format!("p{predicate}")), object, graph)
    })
}

fn any_node() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0_u8..4).prop_map(|number| format!("?v{number}")),
        1 => (0_u8..6).prop_map(|number| format!("ex:n{number}")),
        1 => Just("_:b".to_owned()),
    ]
}

fn any_triple() -> impl Strategy<Value = String> {
    let predicate = prop_oneof![
        6 => (0_u8..3).prop_map(|number| format!("ex:p{number}")),
        1 => Just("?v3".to_owned()),
        1 => Just("ex:p0/ex:p1".to_owned()),
        1 => Just("ex:p0*".to_owned()),
        1 => Just("(ex:p0|^ex:p1)".to_owned()),
    ];
    let object = prop_oneof![4 => any_node(), 1 => (0_i32..4).prop_map(|number| number.to_string())];
    (any_node(), predicate, object)
        .prop_map(|(subject, predicate, object)| format!("{subject} {predicate} {object} ."))
}

fn any_group() -> impl Strategy<Value = String> {
    proptest::collection::vec(any_triple(), 1..5).prop_map(|triples| triples.join(" "))
}

/// Group graph patterns in various contexts.
fn any_query() -> impl Strategy<Value = String> {
    // A blank node label may be used in only one group.
    let named = |group: String| group.replace("_:b", "?v2");
    (any_group(), any_group(), 0_u8..11).prop_map(move |(one, other, form)| {
        let other = named(other);
        let body = match form {
            0..3 => one,
            3 => format!("{one} OPTIONAL {{ {other} }}"),
            4 => format!("{one} FILTER EXISTS {{ {other} }}"),
            5 => format!("{one} FILTER NOT EXISTS {{ {other} }}"),
            6 => format!("{one} MINUS {{ {other} }}"),
            7 => format!("VALUES ?v0 {{ ex:n1 ex:n2 }} {one}"),
            8 => format!("VALUES (?v0 ?v1) {{ (ex:n1 UNDEF) (UNDEF 2) }} {one}"),
            9 => format!("{{ {} }} UNION {{ {other} }}", named(one)),
            _ => format!("{one} {{ SELECT ?v0 (MAX(?v1) AS ?v3) {{ {other} }} GROUP BY ?v0 }}"),
        };
        format!("SELECT ?v0 ?v1 ?v2 ?v3 {{ {body} }}")
    })
}

fn sorted(answer: &Answer) -> Vec<String> {
    let mut rows: Vec<String> = rows(answer).iter().map(|row| format!("{row:?}")).collect();
    rows.sort();
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn any_join_gives_the_rows_that_it_gives_in_memory(
        quads in proptest::collection::vec(any_quad(), 0..40),
        text in any_query(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let all = Limits { max_rows: 1_000_000, max_bytes: 1 << 30, ..LIMITS };
        let ask = |store: &EmbeddedStore| sorted(&runtime.block_on(store.query(&query(&text), all)).unwrap());
        prop_assert_eq!(ask(&stored(&quads).0), ask(&in_memory(&quads)), "{}", text);
    }
}

#[tokio::test]
async fn a_query_that_never_ends_is_stopped() {
    let link = |i: usize| {
        Quad::new(node(&i.to_string()), node("p"), node(&(i + 1).to_string()), GraphName::DefaultGraph)
    };
    let (store, _folder) = stored(&(0..400).map(link).collect::<Vec<_>>());
    let short = Limits { timeout: Duration::from_millis(200), ..LIMITS };
    for text in ENDLESS {
        let outcome = store.query(&query(text), short).await;
        assert_eq!(outcome.err().map(|error| error.kind()), Some("timeout"), "{text}");
    }
    assert!(store.overrun().is_none());
}

#[tokio::test]
async fn triples_of_named_graphs_are_seen_once_and_by_graph() {
    let (store, _folder) = stored(&quads());
    assert_eq!(store.len().unwrap(), 2);
    for (text, count) in [
        ("SELECT * { ?s ?p ?o }", 2),
        ("SELECT * { GRAPH ?g { ?s ?p ?o } }", 3),
        ("SELECT * { GRAPH ex:g2 { ?s ?p ?o } }", 2),
        ("SELECT * FROM ex:g1 { ?s ?p ?o }", 1),
        ("SELECT * FROM NAMED ex:g1 { GRAPH ?g { ?s ?p ?o } }", 1),
        ("SELECT DISTINCT ?g { GRAPH ?g { } }", 2),
    ] {
        assert_eq!(rows(&store.query(&query(text), LIMITS).await.unwrap()).len(), count, "{text}");
    }
}

#[test]
fn a_stored_graph_takes_no_statements() {
    let (store, _folder) = stored(&quads());
    let error = store.load_quads(quads().into_iter()).unwrap_err();
    assert!(error.to_string().contains("does not change"), "{error}");
}

use super::*;
use crate::{QueryPolicy, Results, check};
use oxrdf::{Literal, NamedNode};
use oxrdfio::{RdfFormat, RdfParser};
use proptest::prelude::*;
use std::time::{Duration, Instant};

const LIMITS: Limits = Limits { timeout: Duration::from_secs(20), max_rows: 100, max_bytes: 100_000 };

fn node(name: &str) -> NamedNode {
    NamedNode::new_unchecked(format!("http://ex.org/{name}"))
}

fn triple(s: &str, p: &str, o: impl Into<Term>) -> Triple {
    Triple::new(node(s), node(p), o)
}

fn query(text: &str) -> CheckedQuery {
    check(text, &prefixes(), &QueryPolicy::default()).unwrap()
}

fn prefixes() -> Prefixes {
    Prefixes::well_known()
        .merged(&[("ex", "http://ex.org/"), ("un", "http://unused.example/")].into_iter().collect())
}

#[tokio::test]
async fn what_was_added_is_found_as_it_was_written() {
    let mut graph = WorkingGraph::default();
    let one = triple("a", "p", Literal::new_typed_literal("1.50", oxrdf::vocab::xsd::DECIMAL));
    let added = graph.add("r1", &[one.clone(), one.clone(), triple("b", "p", node("a"))]);
    assert_eq!(added, AddedTriples { added: 2, known: 1, left_out: 0 });
    let found = graph.query(&query("SELECT ?o { ex:b ex:p/ex:p ?o }"), LIMITS).await.unwrap();
    let Results::Solutions(found) = found.results else { panic!("{found:?}") };
    assert_eq!(found.rows, [[Some(one.object)]]);
    let none = WorkingGraph::EMPTY.query(&query("ASK { ?s ?p ?o }"), LIMITS).await.unwrap();
    assert_eq!(none.results, Results::Boolean(false));
}

#[test]
fn a_copy_does_not_change_with_the_original() {
    let mut graph = WorkingGraph::default();
    graph.add("r1", &[triple("a", "p", node("b"))]);
    let copy = graph.clone();
    graph.add("r2", &[triple("a", "p", node("c"))]);
    assert_eq!((copy.len(), graph.len()), (1, 2));
}

#[test]
fn blank_nodes_are_the_same_within_one_result_alone() {
    let mut graph = WorkingGraph::default();
    let of = |name: &str| Triple::new(BlankNode::new_unchecked(name), node("p"), Literal::from(1));
    graph.add("r1", &[of("x")]);
    assert_eq!(graph.add("r1", &[of("x")]).known, 1);
    assert_eq!(graph.add("r2", &[of("x")]).added, 1);
}

#[test]
fn what_does_not_fit_is_counted_and_left_out() {
    let mut graph = WorkingGraph::default();
    let many: Vec<Triple> =
        (0..WorkingGraph::MAX_TRIPLES + 5).map(|n| triple(&n.to_string(), "p", node("o"))).collect();
    assert_eq!(graph.add("r1", &many).left_out, 5);
    assert_eq!(graph.len(), WorkingGraph::MAX_TRIPLES);
    let mut graph = WorkingGraph::default();
    let long = Literal::from("x".repeat(1 << 20));
    let large: Vec<Triple> = (0..6).map(|n| triple(&n.to_string(), "p", long.clone())).collect();
    let added = graph.add("r1", &large);
    assert!(added.left_out >= 2 && graph.bytes() <= WorkingGraph::MAX_BYTES, "{added:?}");
}

#[tokio::test]
async fn queries_without_end_are_ended() {
    let mut graph = WorkingGraph::default();
    let chain: Vec<Triple> =
        (0..2_000).map(|n| triple(&n.to_string(), "p", node(&(n + 1).to_string()))).collect();
    graph.add("r1", &chain);
    for text in [
        "SELECT (COUNT(*) AS ?n) { ?a ex:p ?b . ?c ex:p ?d . ?e ex:p ?f . ?g ex:p ?h }",
        "SELECT (COUNT(*) AS ?n) { ?a ex:p+ ?b . ?c ex:p+ ?d . ?e ex:p+ ?f }",
        "SELECT * { ?a ex:p ?b OPTIONAL { ?c ex:p ?d } OPTIONAL { ?e ex:p ?f } FILTER(?b = ?none) }",
    ] {
        let started = Instant::now();
        let limits = Limits { timeout: Duration::from_millis(300), ..LIMITS };
        let ended = graph.query(&query(text), limits).await;
        assert!(matches!(ended, Err(QueryError::Timeout { .. })), "{text}: {ended:?}");
        assert!(started.elapsed() < Duration::from_secs(5), "{text}: {:?}", started.elapsed());
    }
}

#[test]
fn turtle_has_only_prefixes_that_are_used_and_is_always_the_same() {
    let of = |triples: &[Triple]| {
        let mut graph = WorkingGraph::default();
        graph.add("r1", triples);
        graph.turtle(&prefixes(), usize::MAX).text
    };
    let is_a = Triple::new(node("b"), oxrdf::vocab::rdf::TYPE, node("C"));
    let triples = [triple("b", "a", Literal::from("x \"y\"\n")), triple("a", "p", node("b")), is_a];
    let [a, b, c] = triples.clone();
    assert_eq!(of(&triples), of(&[c, b, a]));
    insta::assert_snapshot!(of(&triples), @r#"
    @prefix ex: <http://ex.org/> .
    ex:a ex:p ex:b .
    ex:b a ex:C ;
    	ex:a "x \"y\"\n" .
    "#);
    assert_eq!(of(&[]), "");
}

#[test]
fn a_document_that_is_too_long_is_cut_between_triples() {
    let mut graph = WorkingGraph::default();
    graph.add("r1", &[triple("a", "p", node("b")), triple("c", "p", node("d"))]);
    let Turtle { text, triples, left_out } = graph.turtle(&prefixes(), 70);
    assert_eq!((triples, left_out), (1, 1), "{text}");
}

#[test]
fn a_language_that_is_none_is_left_out() {
    // Turtle has letters alone in the first part of a language tag.
    let in_language = |tag| triple("a", "p", Literal::new_language_tagged_literal_unchecked("x", tag));
    let Turtle { text, triples, left_out } =
        turtle(vec![in_language("A0"), in_language("-"), in_language("de-CH")], &prefixes(), usize::MAX);
    assert_eq!((triples, left_out), (1, 2), "{text}");
}

proptest! {
    #[test]
    fn every_document_can_be_read(terms in prop::collection::vec(("\\PC{0,8}", "\\PC{0,8}", "\\PC{0,9}", "[a-zA-Z0-9-]{0,4}|\\PC{0,4}"), 0..8)) {
        let triples = terms.iter().map(|(s, p, o, tag)| {
            let object: Term = match tag.len() {
                0 => NamedNode::new_unchecked(o.as_str()).into(),
                1 => Literal::new_typed_literal(o, NamedNode::new_unchecked(s.as_str())).into(),
                _ => Literal::new_language_tagged_literal_unchecked(o, tag).into(),
            };
            triple(s, p, object)
        });
        let triples: Vec<Triple> = triples.collect();
        let document = turtle(triples.clone(), &prefixes(), usize::MAX);
        let read = RdfParser::from_format(RdfFormat::Turtle).for_reader(document.text.as_bytes());
        let read: Vec<_> = read.collect::<Result<_, _>>().map_err(|error| TestCaseError::fail(format!("{error}: {}", document.text)))?;
        prop_assert_eq!(read.len(), document.triples);
        prop_assert!(document.triples + document.left_out == triples.len());
    }
}

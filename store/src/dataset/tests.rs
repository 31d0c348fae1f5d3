//! A stored graph returns the same results as Oxigraph's in-memory store.

use super::*;
use crate::{StoreWriter, WriterOptions};
use oxigraph::sparql::SparqlEvaluator;
use oxigraph::store::Store;
use oxrdf::{BlankNode, GraphName, Literal, NamedNode};
use proptest::prelude::*;
use spareval::{QueryEvaluator, QueryResults};
use spargebra::SparqlParser;

fn node(number: u8) -> NamedNode {
    NamedNode::new_unchecked(format!("http://example.org/n{number}"))
}

fn object(number: u8) -> Term {
    match number {
        0..4 => node(number).into(),
        4 => Literal::new_simple_literal("text").into(),
        5 => Literal::new_language_tagged_literal_unchecked("text", "en").into(),
        6 => Literal::from(7).into(),
        7 => Literal::from(1.5).into(),
        _ => BlankNode::new_unchecked(format!("b{number}")).into(),
    }
}

fn any_quad() -> impl Strategy<Value = oxrdf::Quad> {
    (0_u8..4, 0_u8..3, 0_u8..10, 0_u8..4).prop_map(|(subject, predicate, value, graph)| oxrdf::Quad {
        subject: node(subject).into(),
        predicate: node(10 + predicate),
        object: object(value),
        graph_name: match graph {
            0 | 1 => GraphName::DefaultGraph,
            graph => node(20 + graph).into(),
        },
    })
}

fn stored(quads: &[oxrdf::Quad], in_memory: usize) -> (tempfile::TempDir, StoredGraph) {
    let folder = tempfile::tempdir().unwrap();
    let (graph, work) = (folder.path().join("graph"), folder.path().join("work"));
    for folder in [&graph, &work] {
        std::fs::create_dir(folder).unwrap();
    }
    let options = WriterOptions { folder: &graph, work: &work, quads_in_memory: in_memory };
    let mut writer = StoreWriter::create(&options).unwrap();
    quads.iter().for_each(|quad| writer.add(quad).unwrap());
    writer.finish().unwrap();
    assert_eq!(std::fs::read_dir(&work).unwrap().count(), 0, "nothing is left of the work");
    let opened = StoredGraph::open(&graph).unwrap();
    (folder, opened)
}

/// The same quads in memory; the default graph is the union of all graphs.
fn in_memory(quads: &[oxrdf::Quad]) -> Store {
    let store = Store::new().unwrap();
    for quad in quads {
        store.insert(quad).unwrap();
        store.insert(&oxrdf::Quad { graph_name: GraphName::DefaultGraph, ..quad.clone() }).unwrap();
    }
    store
}

fn rows(results: QueryResults<'_>) -> Vec<String> {
    let mut rows: Vec<String> = match results {
        QueryResults::Boolean(answer) => vec![answer.to_string()],
        QueryResults::Solutions(rows) => rows.map(|row| format!("{:?}", row.unwrap())).collect(),
        QueryResults::Graph(triples) => triples.map(|triple| triple.unwrap().to_string()).collect(),
    };
    rows.sort();
    rows
}

const QUERIES: [&str; 14] = [
    "SELECT * { ?s ?p ?o }",
    "SELECT * { ?s :n10 ?o . ?o ?q ?z }",
    "SELECT * { :n1 ?p ?o OPTIONAL { ?o :n11 ?z } }",
    "SELECT * { ?s ?p 7 }",
    "SELECT * { ?s ?p ?o FILTER(?o = 7) }",
    "SELECT * { ?s ?p \"text\"@en }",
    "SELECT ?o (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?o",
    "SELECT * { :n1 (:n10|:n11)* ?o }",
    "SELECT * { GRAPH ?g { ?s ?p ?o } }",
    "SELECT * { GRAPH :n22 { ?s :n10 ?o } ?s :n11 ?z }",
    "SELECT * { GRAPH ?g { ?s :n10 ?o } GRAPH ?h { ?s :n11 ?o } }",
    "SELECT * { GRAPH :n22 { :n1 ?p ?o } FILTER NOT EXISTS { ?s2 :n12 ?o } }",
    "SELECT * { GRAPH :n99 { ?s ?p ?o } }",
    "ASK { :n0 :n10 :n1 }",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn queries_give_what_they_give_in_memory(
        quads in proptest::collection::vec(any_quad(), 0..60),
        spilled in 2_usize..40,
    ) {
        let (_folder, graph) = stored(&quads, spilled);
        let memory = in_memory(&quads);
        for query in QUERIES {
            let parse = || SparqlParser::new().with_prefix("", "http://example.org/").unwrap().parse_query(query).unwrap();
            let ours = QueryEvaluator::new().prepare(&parse()).execute(graph.view()).unwrap();
            let theirs = SparqlEvaluator::new().for_query(parse()).on_store(&memory).execute().unwrap();
            prop_assert_eq!(rows(ours), rows(theirs), "{}", query);
        }
    }

    #[test]
    fn counts_are_exact(quads in proptest::collection::vec(any_quad(), 0..60)) {
        let (_folder, graph) = stored(&quads, 1_000);
        let distinct: std::collections::HashSet<_> =
            quads.iter().map(|quad| (quad.subject.clone(), quad.predicate.clone(), quad.object.clone())).collect();
        prop_assert_eq!(graph.triples(), distinct.len() as u64);
        for predicate in 10..14 {
            let of: Vec<_> = distinct.iter().filter(|(_, p, _)| *p == node(predicate)).collect();
            let subjects: std::collections::HashSet<_> = of.iter().map(|(subject, _, _)| subject).collect();
            let objects: std::collections::HashSet<_> = of.iter().map(|(_, _, object)| object).collect();
            let spread = crate::Spread { subjects: subjects.len() as u32, objects: objects.len() as u32 };
            prop_assert_eq!(graph.spread(&node(predicate).into()).unwrap(), spread);
        }
        for subject in [None, Some(Term::from(node(1)))] {
            for predicate in [None, Some(Term::from(node(10)))] {
                for object in [None, Some(object(2)), Some(object(6)), Some(Literal::from("other").into())] {
                    let pattern = [subject.as_ref(), predicate.as_ref(), object.as_ref()];
                    let matching = distinct.iter().filter(|(s, p, o)| {
                        let triple = [Term::from(s.clone()), p.clone().into(), o.clone()];
                        triple.iter().zip(pattern).all(|(term, wanted)| wanted.is_none_or(|wanted| wanted == term))
                    });
                    prop_assert_eq!(graph.count(pattern).unwrap(), matching.count() as u64);
                }
            }
        }
    }
}

#[test]
fn literals_keep_every_character() {
    let forms = ["07", "7", "+7", "1.50", "1.5", "", " a\u{0}b", "a\nb", "é", "e\u{301}"];
    let literals: Vec<Term> = forms
        .iter()
        .map(|form| Literal::new_typed_literal(*form, oxrdf::vocab::xsd::INTEGER).into())
        .collect();
    let quads: Vec<_> = literals
        .iter()
        .map(|literal| oxrdf::Quad::new(node(0), node(10), literal.clone(), GraphName::DefaultGraph))
        .collect();
    let (_folder, graph) = stored(&quads, 1_000);
    assert_eq!(graph.triples(), forms.len() as u64);
    for literal in literals {
        let (dataset, term) = (graph.view(), &literal);
        let inside = dataset.internalize_term(term.clone()).unwrap();
        assert!(matches!(inside, StoredTerm::Known(_)), "{term}");
        assert_eq!(&dataset.externalize_term(inside).unwrap(), term);
    }
}

#[test]
fn what_is_computed_of_unusual_literals_joins_with_them() {
    let quad = |subject: u8, form: &str| {
        let literal = Literal::new_typed_literal(form, oxrdf::vocab::xsd::DECIMAL);
        oxrdf::Quad::new(node(subject), node(10), literal, GraphName::DefaultGraph)
    };
    // The canonical form of the maximum exists too, with another property.
    let other = oxrdf::Quad { predicate: node(11), ..quad(3, "12.5") };
    let (_folder, graph) = stored(&[quad(1, "12.50"), quad(2, "7"), other], 1_000);
    let query = "SELECT ?s ?m { { SELECT (MAX(?o) AS ?m) { ?s :n10 ?o } } ?s :n10 ?m }";
    let parsed =
        SparqlParser::new().with_prefix("", "http://example.org/").unwrap().parse_query(query).unwrap();
    let found = rows(QueryEvaluator::new().prepare(&parsed).execute(graph.view()).unwrap());
    assert!(
        matches!(found.as_slice(), [row] if row.contains("n1") && row.contains("\"12.50\"")),
        "{found:?}"
    );
}

#[test]
fn a_flipped_byte_is_an_error_or_the_right_rows() {
    let quads: Vec<_> = (0..200_u16)
        .map(|number| {
            let literal = Literal::new_simple_literal(format!("value {number}"));
            oxrdf::Quad::new(
                node((number % 7) as u8),
                node(10 + (number % 3) as u8),
                literal,
                GraphName::DefaultGraph,
            )
        })
        .collect();
    let (folder, graph) = stored(&quads, 1_000);
    let query = SparqlParser::new().parse_query("SELECT * { ?s ?p ?o . ?s ?q ?z FILTER(?o < ?z) }").unwrap();
    let answer = |graph: &StoredGraph| -> Result<Vec<String>, String> {
        let results =
            QueryEvaluator::new().prepare(&query).execute(graph.view()).map_err(|error| error.to_string())?;
        let QueryResults::Solutions(found) = results else { return Err("no rows".to_owned()) };
        let mut rows = Vec::new();
        for row in found {
            rows.push(format!("{:?}", row.map_err(|error| error.to_string())?));
        }
        if let Some(damage) = graph.damage() {
            return Err(damage.to_string());
        }
        rows.sort();
        Ok(rows)
    };
    let right = answer(&graph).unwrap();
    drop(graph);
    let mut damaged = 0;
    for entry in std::fs::read_dir(folder.path().join("graph")).unwrap() {
        let path = entry.unwrap().path();
        let whole = std::fs::read(&path).unwrap();
        for part in 0..10 {
            let mut bytes = whole.clone();
            let at = whole.len() * part / 10;
            bytes[at] ^= 1 << part.min(7);
            std::fs::write(&path, &bytes).unwrap();
            let found = StoredGraph::open(&folder.path().join("graph")).map_err(|error| error.to_string());
            match found.and_then(|graph| answer(&graph)) {
                Ok(rows) => assert!(rows == right, "{} at {at}", path.display()),
                Err(_) => damaged += 1,
            }
        }
        std::fs::write(&path, &whole).unwrap();
    }
    assert!(damaged > 30, "{damaged}");
}

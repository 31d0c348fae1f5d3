//! Every SPARQL construct, each on its own graph.

use super::*;
use crate::query::edit::open::opened;
use crate::query::write::SparqlWriter;
use crate::{CheckedQuery, EmbeddedStore, Limits, Prefixes, QueryPolicy, Results, SparqlEndpoint, check};
use oxrdf::Quad;
use oxrdfio::{RdfFormat, RdfParser};
use std::time::Duration;

mod any;

/// A store used as a proof source.
pub(super) struct Graph {
    pub(super) store: EmbeddedStore,
}

pub(super) fn checked(text: &str) -> CheckedQuery {
    let mut prefixes = Prefixes::default();
    prefixes.insert("e", "http://e/");
    check(
        text,
        &prefixes,
        &QueryPolicy { max_length: 1_000_000, from: vec!["*".to_owned()], ..QueryPolicy::default() },
    )
    .unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[async_trait]
impl ProofSource for Graph {
    async fn ask(&self, query: &str) -> Result<Answer, Missing> {
        Ok(self.run(&checked(query)).await)
    }
}

impl Graph {
    pub(super) fn of(quads: impl Iterator<Item = Quad>) -> Self {
        let store = EmbeddedStore::in_memory().unwrap();
        store.load_quads(quads).unwrap();
        Self { store }
    }

    fn turtle(text: &str) -> Self {
        let text = format!("@prefix e: <http://e/> . {text}");
        let quads = RdfParser::from_format(RdfFormat::Turtle).for_slice(text.as_bytes());
        Self::of(quads.map(Result::unwrap).collect::<Vec<_>>().into_iter())
    }

    pub(super) async fn run(&self, query: &CheckedQuery) -> Answer {
        let limits = Limits { timeout: Duration::from_secs(60), max_rows: 10_000, max_bytes: 10_000_000 };
        self.store.query(query, limits).await.unwrap_or_else(|error| panic!("{error}: {}", query.text()))
    }

    pub(super) async fn proof(&self, query: &CheckedQuery, place: usize) -> Proof {
        let wanted = match self.run(query).await.results {
            Results::Boolean(truth) => Wanted::Truth(truth),
            Results::Solutions(solutions) => Wanted::Row {
                values: solutions.variables.iter().cloned().zip(solutions.rows[place].clone()).collect(),
                place,
            },
            Results::Graph(_) => Wanted::Truth(true),
        };
        prove(query, &wanted, self).await
    }

    async fn shown(&self, text: &str, place: usize) -> String {
        let proof = self.proof(&checked(text), place).await;
        let mut lines: Vec<String> = proof.parts.iter().map(line).collect();
        lines.extend(proof.notes.iter().map(|note| format!("note {note:?}")));
        lines.join("\n")
    }
}

fn iri(name: &str) -> Term {
    oxrdf::NamedNode::new_unchecked(format!("http://e/{name}")).into()
}

fn short(term: &Term) -> String {
    match term {
        Term::NamedNode(node) => node.as_str().replace("http://e/", ""),
        Term::Literal(literal) => literal.value().to_owned(),
        _ => "_".to_owned(),
    }
}

fn spo(triple: &Statement) -> String {
    triple.iter().map(short).collect::<Vec<_>>().join(" ")
}

fn formula(formula: &Formula) -> String {
    match formula {
        Formula::Term(term) => short(term),
        Formula::Variable { name, value } => match value {
            Some(value) => short(value),
            None => format!("?{name}"),
        },
        Formula::Call { name, arguments, value } => {
            let inside: Vec<String> = arguments.iter().map(self::formula).collect();
            let value = value.as_ref().map_or_else(String::new, |value| format!("={}", short(value)));
            format!("{name}({}){value}", inside.join(", "))
        }
    }
}

fn line(part: &Part) -> String {
    match part {
        Part::Triple { triple, optional } => {
            format!("{}{}", spo(triple), if *optional { " (optional)" } else { "" })
        }
        Part::Path { path, triples, found, .. } => {
            let all: Vec<String> = triples.iter().map(spo).collect();
            format!("path {} {found}: {}", formula(path), all.join(", "))
        }
        Part::Condition { formula: of, holds } => format!("condition {} {holds}", formula(of)),
        Part::Absent { pattern, .. } => format!("absent {}", pattern.replace("http://e/", "")),
        Part::Members(members) => {
            let all: Vec<String> = members
                .members
                .iter()
                .map(|row| row.iter().map(short).collect::<Vec<_>>().join(" "))
                .collect();
            let example: Vec<String> = members.example.iter().map(line).collect();
            format!(
                "members {} of {:?}: {} | {}",
                formula(&members.aggregate),
                members.total,
                all.join(", "),
                example.join("; ")
            )
        }
        Part::Rank(rank) => {
            let keys: Vec<String> = rank
                .keys
                .iter()
                .map(|(key, down)| format!("{}{}", formula(key), if *down { " down" } else { "" }))
                .collect();
            format!("rank {:?} by {} tied {}", rank.place, keys.join(", "), rank.tied)
        }
        Part::Either { branch, of, .. } => format!("branch {branch} of {of}"),
        Part::Named { name, formula: of, value } => {
            format!("{name} is {} = {}", formula(of), value.as_ref().map_or_else(String::new, short))
        }
        Part::OptionalMissing { pattern, .. } => format!("missing {}", pattern.replace("http://e/", "")),
    }
}

const TOWNS: &str = "e:a a e:Town; e:size 5; e:in e:l; e:mayor e:m . e:b a e:Town; e:size 3; e:in e:l . \
    e:c a e:Town; e:size 3; e:in e:k . e:l e:in e:k . e:k e:in e:w . e:m e:name \"Mia\"; e:born \"1970-05-06\"^^<http://www.w3.org/2001/XMLSchema#date> .";

#[tokio::test]
async fn triples_are_those_of_the_row() {
    let shown =
        Graph::turtle(TOWNS).shown("SELECT ?x { ?x a e:Town ; e:size ?s ; e:mayor/e:name ?n }", 0).await;
    insta::assert_snapshot!(shown, @r#"
    a http://www.w3.org/1999/02/22-rdf-syntax-ns#type Town
    a size 5
    a mayor m
    m name Mia
    "#);
}

#[tokio::test]
async fn conditions_have_their_values() {
    let graph = Graph::turtle(TOWNS);
    let shown = graph
        .shown("SELECT ?x { ?x e:size ?s FILTER(?s > 2 + 2 && ?s != 7 || ?s IN (1, 2)) FILTER(CONTAINS(STR(?x), \"a\")) }", 0)
        .await;
    insta::assert_snapshot!(shown, @r#"
    a size 5
    condition or(and(greater(5, add(2, 2)=4)=true, not_equal(5, 7)=true), in(5, 1, 2)=false)=true true
    condition contains(str(a)=http://e/a, a)=true true
    "#);
    let shown = graph.shown("SELECT ?x { ?x e:born ?d FILTER(YEAR(?d) < 1980) }", 0).await;
    insta::assert_snapshot!(shown, @r#"
    m born 1970-05-06
    condition less(year(1970-05-06)=1970, 1980)=true true
    "#);
}

#[tokio::test]
async fn optional_parts_are_there_or_not() {
    let graph = Graph::turtle(TOWNS);
    let query = "SELECT ?x ?m { ?x a e:Town OPTIONAL { ?x e:mayor ?m FILTER(?m != e:z) } } ORDER BY ?x";
    insta::assert_snapshot!(graph.shown(query, 0).await, @r#"
    a http://www.w3.org/1999/02/22-rdf-syntax-ns#type Town
    a mayor m (optional)
    condition not_equal(m, z)=true true
    rank Some(1) by a tied false
    "#);
    insta::assert_snapshot!(graph.shown(query, 1).await, @r#"
    b http://www.w3.org/1999/02/22-rdf-syntax-ns#type Town
    missing <b> <mayor> ?m .
    rank Some(2) by b tied false
    "#);
    let none = "SELECT ?x { ?x a e:Town OPTIONAL { ?x e:size 5 } } ORDER BY ?x";
    insta::assert_snapshot!(graph.shown(none, 0).await, @r#"
    a http://www.w3.org/1999/02/22-rdf-syntax-ns#type Town
    a size 5 (optional)
    rank Some(1) by a tied false
    "#);
    insta::assert_snapshot!(graph.shown(none, 1).await, @r#"
    b http://www.w3.org/1999/02/22-rdf-syntax-ns#type Town
    missing <b> <size> "5"^^<http://www.w3.org/2001/XMLSchema#integer> .
    rank Some(2) by b tied false
    "#);
}

#[tokio::test]
async fn negations_say_what_was_looked_for() {
    let graph = Graph::turtle(TOWNS);
    let query = "SELECT ?x { ?x a e:Town ; e:size ?s FILTER NOT EXISTS { ?o e:size ?t FILTER(?t > ?s) } MINUS { ?x e:in e:k } }";
    insta::assert_snapshot!(graph.shown(query, 0).await, @r#"
    a http://www.w3.org/1999/02/22-rdf-syntax-ns#type Town
    a size 5
    absent <a> <in> <k> .
    absent ?o <size> ?t . FILTER((?t > "5"^^<http://www.w3.org/2001/XMLSchema#integer>))
    "#);
    let exists =
        "SELECT ?x { ?x a e:Town ; e:size ?s FILTER EXISTS { ?o e:size ?t FILTER(?t > ?s) } } ORDER BY ?x";
    insta::assert_snapshot!(graph.shown(exists, 0).await, @r#"
    b http://www.w3.org/1999/02/22-rdf-syntax-ns#type Town
    b size 3
    a size 5
    condition greater(5, 3)=true true
    rank Some(1) by b tied false
    "#);
    let either = "SELECT ?x { ?x a e:Town FILTER(EXISTS { ?x e:mayor ?m } || NOT EXISTS { ?x e:in e:l }) } ORDER BY ?x";
    insta::assert_snapshot!(graph.shown(either, 1).await, @r#"
    c http://www.w3.org/1999/02/22-rdf-syntax-ns#type Town
    absent <c> <in> <l> .
    rank Some(2) by c tied false
    "#);
}

#[tokio::test]
async fn paths_are_unfolded() {
    let graph = Graph::turtle(TOWNS);
    insta::assert_snapshot!(graph.shown("SELECT ?x { ?x e:in+ e:w ; a e:Town } ORDER BY ?x", 0).await, @r#"
    path path_many(in) true: a in l, l in k, k in w
    a http://www.w3.org/1999/02/22-rdf-syntax-ns#type Town
    rank Some(1) by a tied false
    "#);
    insta::assert_snapshot!(graph.shown("SELECT ?x { e:m ^e:mayor|(e:name/e:in) ?x }", 0).await, @r#"path path_either(path_inverse(mayor), path_sequence(name, in)) true: a mayor m"#);
    insta::assert_snapshot!(graph.shown("SELECT ?y { e:a e:in* ?y } ORDER BY ?y", 0).await, @r#"
    path path_any(in) true: 
    rank Some(1) by a tied false
    "#);
    insta::assert_snapshot!(graph.shown("SELECT ?y { e:a e:mayor/(e:name|e:x)? ?y } ORDER BY ?y", 1).await, @r#"
    a mayor m
    path path_maybe(path_either(name, x)) true: m name Mia
    rank Some(2) by Mia tied false
    "#);
    insta::assert_snapshot!(graph.shown("SELECT ?y { e:m !(e:born) ?y }", 0).await, @r#"path path_other(born) true: m name Mia"#);
}

#[tokio::test]
async fn branches_values_and_names_are_told() {
    let graph = Graph::turtle(TOWNS);
    let union = "SELECT ?x { { ?x e:in e:k } UNION { ?x e:size 3 } UNION { ?x e:mayor ?m } } ORDER BY ?x";
    insta::assert_snapshot!(graph.shown(union, 0).await, @r#"
    branch 3 of 3
    a mayor m
    rank Some(1) by a tied false
    "#);
    insta::assert_snapshot!(graph.shown(union, 1).await, @r#"
    branch 2 of 3
    b size 3
    rank Some(2) by b tied false
    "#);
    let named = "SELECT ?x ((?s * 2 - 1) * 3 AS ?n) { VALUES ?x { e:a e:b } ?x e:size ?s } ORDER BY ?x";
    insta::assert_snapshot!(graph.shown(named, 0).await, @r#"
    x is values(a, b) = a
    a size 5
    n is multiply(subtract(multiply(5, 2)=10, 1)=9, 3)=27 = 27
    rank Some(1) by a tied false
    "#);
}

#[tokio::test]
async fn aggregates_have_members() {
    let graph = Graph::turtle(TOWNS);
    let count = "SELECT ?p (COUNT(DISTINCT ?x) AS ?n) (AVG(?s) AS ?avg) { ?x e:in ?p ; e:size ?s } GROUP BY ?p HAVING(SUM(?s) > 4) ORDER BY ?p";
    insta::assert_snapshot!(graph.shown(count, 0).await, @r#"
    members count_distinct(?x)=2 of Some(2): a, b | a in l; a size 5
    members avg(?s)=4 of Some(2): a 5, b 3 | a in l; a size 5
    members sum(?s)=8 of Some(2): a 5, b 3 | a in l; a size 5
    condition greater(sum(?s)=8, 4)=true true
    rank Some(1) by l tied false
    "#);
    insta::assert_snapshot!(graph.shown("SELECT (MAX(?s) AS ?m) { ?x e:size ?s }", 0).await, @r#"members max(?s)=5 of Some(3): a 5, b 3, c 3 | a size 5"#);
    insta::assert_snapshot!(graph.shown("SELECT (COUNT(*) AS ?n) { ?x a e:Village }", 0).await, @r#"
    members count()=0 of Some(0):  | 
    absent ?x <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <Village> .
    "#);
    insta::assert_snapshot!(graph.shown("SELECT (GROUP_CONCAT(?t; SEPARATOR = \", \") AS ?all) { ?x a e:Town BIND(STR(?x) AS ?t) }", 0).await, @r#"members group_concat(?t)=http://e/c, http://e/b, http://e/a of Some(3): http://e/a, http://e/b, http://e/c | a http://www.w3.org/1999/02/22-rdf-syntax-ns#type Town; t is str(a)=http://e/a = http://e/a"#);
    insta::assert_snapshot!(graph.shown("SELECT (SUM(?s * 2) AS ?all) (SAMPLE(?x) AS ?one) { ?x e:size ?s }", 0).await, @r#"
    members sum(multiply(?s, 2))=22 of Some(3): a 10, b 6, c 6 | a size 5
    members sample(?x)=c of Some(3): a, b, c | a size 5
    "#);
}

#[tokio::test]
async fn orders_tell_the_place_and_ties() {
    let graph = Graph::turtle(TOWNS);
    let first = "SELECT ?x { ?x e:size ?s } ORDER BY ?s LIMIT 1";
    insta::assert_snapshot!(graph.shown(first, 0).await, @r#"
    c size 3
    rank Some(1) by 3 tied true
    "#);
    let most = "SELECT ?p { ?x e:in ?p } GROUP BY ?p ORDER BY DESC(COUNT(?x)) LIMIT 1";
    insta::assert_snapshot!(graph.shown(most, 0).await, @r#"
    members count(?x)=2 of Some(2): c, l | c in k
    rank Some(1) by count(?x)=2 down tied true
    "#);
    let inner = "SELECT ?y { { SELECT ?x { ?x e:size ?s } ORDER BY DESC(?s) LIMIT 1 } ?x e:in ?y }";
    insta::assert_snapshot!(graph.shown(inner, 0).await, @r#"
    a size 5
    rank Some(1) by 5 down tied false
    a in l
    "#);
}

#[tokio::test]
async fn comparisons_with_an_average_are_told() {
    let graph = Graph::turtle(TOWNS);
    let query = "SELECT ?x { ?x e:size ?s { SELECT (AVG(?t) AS ?all) { ?y e:size ?t } } FILTER(?s > ?all) }";
    insta::assert_snapshot!(graph.shown(query, 0).await, @r#"
    a size 5
    members avg(?t)=3.666666666666666666 of Some(3): a 5, b 3, c 3 | a size 5
    condition greater(5, 3.666666666666666666)=true true
    "#);
}

#[tokio::test]
async fn yes_and_no_are_told() {
    let graph = Graph::turtle(TOWNS);
    insta::assert_snapshot!(graph.shown("ASK { e:a e:in ?x . ?x e:in e:k }", 0).await, @r#"
    a in l
    l in k
    "#);
    insta::assert_snapshot!(graph.shown("ASK { e:a e:in ?x . ?x e:in e:zz }", 0).await, @r#"absent <a> <in> ?x . ?x <in> <zz> ."#);
    let few = "ASK { { SELECT (COUNT(?x) AS ?n) { ?x a e:Town } } FILTER(?n > 5) }";
    insta::assert_snapshot!(graph.shown(few, 0).await, @r#"
    members count(?x)=3 of Some(3): a, b, c | a http://www.w3.org/1999/02/22-rdf-syntax-ns#type Town
    condition greater(3, 5)=false false
    "#);
    insta::assert_snapshot!(graph.shown("CONSTRUCT { ?x a ?y } { ?x a ?y }", 0).await, @r#"note NotRows"#);
}

#[tokio::test]
async fn a_row_that_is_gone_is_told_as_gone() {
    let graph = Graph::turtle(TOWNS);
    let values = |name: &str, value: Term| Known::from([(name.to_owned(), Some(value))]);
    let query = checked("SELECT ?x { ?x a e:Town }");
    let wanted = Wanted::Row { values: values("x", iri("zz")), place: 0 };
    assert_eq!(prove(&query, &wanted, &graph).await.notes, [Note::Gone]);
    let query = checked("SELECT (COUNT(?x) AS ?n) { ?x a e:Town }");
    let wanted = Wanted::Row { values: values("n", oxrdf::Literal::from(7).into()), place: 0 };
    let proof = prove(&query, &wanted, &graph).await;
    assert_eq!(proof.notes, [Note::Changed]);
    assert!(matches!(&proof.parts[0], Part::Members(members) if members.total == Some(3)), "{proof:?}");
}

#[tokio::test]
async fn the_graphs_of_the_query_are_asked() {
    let [Term::NamedNode(a), Term::NamedNode(p), Term::NamedNode(g)] = [iri("a"), iri("p"), iri("g")] else {
        panic!()
    };
    let named = Quad::new(a.clone(), p.clone(), iri("b"), g);
    let graph = Graph::of([named, Quad::new(a, p, iri("c"), oxrdf::GraphName::DefaultGraph)].into_iter());
    let query = "SELECT (COUNT(?y) AS ?n) FROM e:g { ?x e:p ?y FILTER(STRLEN(STR(?y)) > 1) }";
    insta::assert_snapshot!(graph.shown(query, 0).await, @r#"members count(?y)=1 of Some(1): b | a p b; condition greater(strlen(str(b)=http://e/b)=10, 1)=true true"#);
    let ways = "SELECT ?y FROM e:g { e:a e:p+ ?y }";
    insta::assert_snapshot!(graph.shown(ways, 0).await, @r#"path path_many(p) true: a p b"#);
    let inside = "SELECT ?y { GRAPH ?g { e:a e:p ?y } }";
    insta::assert_snapshot!(graph.shown(inside, 0).await, @r#"a p b"#);
}

#[tokio::test]
async fn nameless_nodes_are_found_again() {
    let graph = Graph::turtle("e:a e:has [ e:v 1 ] . e:b e:has [ e:v 2 ] .");
    let count = "SELECT ?x (COUNT(?v) AS ?n) { ?y e:has ?x . ?x e:v ?v } GROUP BY ?x ORDER BY SUM(?v)";
    insta::assert_snapshot!(graph.shown(count, 1).await, @r#"
    members count(?v)=1 of Some(1): 2 | b has _; _ v 2
    members sum(?v)=2 of Some(1): 2 | b has _; _ v 2
    rank Some(2) by sum(?v)=2 tied false
    "#);
    insta::assert_snapshot!(graph.shown("SELECT ?x { ?y e:has ?x } ORDER BY ?y", 1).await, @r#"
    b has _
    rank Some(2) by b tied false
    "#);
}

/// The deepest queries allowed are proved on a stack of normal size.
#[tokio::test]
async fn deep_queries_do_not_end_the_program() {
    let graph = Graph::turtle(TOWNS);
    let chain = |part: &dyn Fn(usize) -> String, count: usize| (0..count).map(part).collect::<String>();
    let nested = |open: &str, count: usize| format!("{}{}", open.repeat(count), "}".repeat(count));
    let queries = [
        format!("SELECT ?x {{ ?x e:size ?s {} }}", chain(&|at| format!("BIND(?s + {at} AS ?v{at}) "), 100)),
        format!(
            "SELECT ?x {{ ?x e:size ?s {} }}",
            chain(&|at| format!("OPTIONAL {{ ?x e:p{at} ?o{at} }} "), 30)
        ),
        format!("SELECT ?x {{ ?x e:size ?s {} }}", nested("OPTIONAL { ?x e:in ?l ", 15)),
        format!(
            "SELECT ?x {{ ?x e:size ?s FILTER({}) }}",
            chain(&|at| format!("?s != {} && ", at + 10), 120) + "true"
        ),
        format!(
            "SELECT ?x {{ ?x e:size ?s FILTER({}) }}",
            chain(&|at| format!("?s = {at} || "), 120) + "false"
        ),
        format!("SELECT ?x {{ {} ?x e:size ?s {} }}", "{ SELECT ?x { ".repeat(12), "} }".repeat(12)),
        format!(
            "SELECT ?x {{ {} }}",
            chain(&|at| format!("{{ ?x e:p{at} ?y }} UNION "), 30) + "{ ?x e:size ?y }"
        ),
        format!("SELECT ?x {{ ?x ({}) ?y }}", chain(&|at| format!("e:p{at}|"), 12) + "e:size"),
    ];
    for text in queries {
        let query = checked(&text);
        let proof = graph.proof(&query, 0).await;
        // If too many queries would be needed, a note says so.
        let said = !proof.parts.is_empty() || proof.notes.contains(&Note::TooMuch);
        assert!(said, "{proof:?}\n{text}");
        assert!(!query.outline().is_empty());
    }
}

#[tokio::test]
async fn what_is_written_means_the_same() {
    let graph = Graph::turtle(TOWNS);
    for text in [
        "SELECT ?x ?n { ?x e:size ?s BIND((?s + 1) * 2 AS ?n) FILTER(!(?s = 3 && ?n > 1)) }",
        "SELECT ?x { { ?x e:size ?s FILTER(?s > 3) } ?x e:in ?y }",
        "SELECT ?x ?m { ?x a e:Town OPTIONAL { { ?x e:mayor ?m FILTER(?m = e:m) } } FILTER(!BOUND(?m)) }",
        "SELECT ?p (COUNT(*) AS ?n) { ?x e:in ?p } GROUP BY ?p HAVING(COUNT(*) > 1) ORDER BY DESC(?n) LIMIT 2",
        "SELECT ?x { ?x e:size ?s } ORDER BY DESC(-?s) LIMIT 1 OFFSET 1",
        "SELECT ?x { ?x e:in ?p { ?p e:in ?q OPTIONAL { ?q e:in ?r } } }",
    ] {
        let query = checked(text);
        let crate::query::algebra::Node::Pattern(pattern) =
            crate::query::algebra::walk(query.algebra()).next().unwrap().0
        else {
            panic!()
        };
        let again = checked(&SparqlWriter::default().select(&opened(pattern)));
        let rows = |answer: Answer| match answer.results {
            Results::Solutions(solutions) => {
                let mut rows: Vec<String> = solutions.rows.iter().map(|row| format!("{row:?}")).collect();
                rows.sort();
                rows
            }
            _ => panic!("no rows"),
        };
        assert_eq!(rows(graph.run(&query).await), rows(graph.run(&again).await), "{text}\n{}", again.text());
    }
}

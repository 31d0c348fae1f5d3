//! A query through a view gives what it gives over the graph without the hidden triples.

use super::{HiddenTerms, View, ViewEndpoint};
use crate::{
    Answer, EmbeddedStore, Limits, Prefixes, QueryError, QueryPolicy, Results, SparqlEndpoint, check,
};
use oxrdf::{BlankNode, GraphName, Literal, NamedNode, NamedOrBlankNode, Quad, Term};
use proptest::prelude::*;
use std::sync::Arc;
use std::time::Duration;

const LIMITS: Limits =
    Limits { timeout: Duration::from_secs(20), max_rows: 1_000_000, max_bytes: usize::MAX };

/// What is hidden: a property, a thing and a namespace.
fn hidden() -> HiddenTerms {
    let terms = ["http://e/pay", "http://e/h"].map(str::to_owned);
    HiddenTerms::new(terms, ["http://hid/".to_owned()])
}

fn only_terms() -> HiddenTerms {
    HiddenTerms::new(["http://e/pay", "http://e/h"].map(str::to_owned), [])
}

fn store(quads: &[Quad]) -> Arc<EmbeddedStore> {
    let store = EmbeddedStore::in_memory().unwrap();
    store.load_quads(quads.iter().cloned()).unwrap();
    Arc::new(store)
}

fn is_seen(quad: &Quad, hidden: &HiddenTerms) -> bool {
    let terms = [Term::from(quad.subject.clone()), quad.predicate.clone().into(), quad.object.clone()];
    !terms.iter().any(|term| matches!(term, Term::NamedNode(node) if hidden.hides(node.as_str())))
}

fn prefixes() -> Prefixes {
    let mut prefixes = Prefixes::default();
    prefixes.insert("e", "http://e/");
    prefixes.insert("hid", "http://hid/");
    prefixes
}

async fn ask(endpoint: &dyn SparqlEndpoint, query: &str) -> Result<Answer, QueryError> {
    let query = check(query, &prefixes(), &QueryPolicy::default())?;
    endpoint.query(&query, LIMITS).await
}

/// The rows or triples of an answer in an order of their own.
fn content(answer: Answer) -> Vec<String> {
    let mut rows: Vec<String> = match answer.results {
        Results::Boolean(truth) => vec![truth.to_string()],
        Results::Graph(triples) => triples.iter().map(ToString::to_string).collect(),
        Results::Solutions(solutions) => {
            let cell = |term: &Option<Term>| term.as_ref().map_or("-".to_owned(), ToString::to_string);
            let row = |row: &Vec<Option<Term>>| row.iter().map(cell).collect::<Vec<_>>().join(" ");
            solutions.rows.iter().map(row).collect()
        }
    };
    rows.sort();
    rows
}

fn named(iri: &str) -> NamedNode {
    NamedNode::new_unchecked(iri)
}

fn quad(subject: &str, predicate: &str, object: impl Into<Term>) -> Quad {
    Quad::new(named(subject), named(predicate), object, GraphName::DefaultGraph)
}

/// Two people with their pay, of which one has a hidden friend.
fn people() -> Vec<Quad> {
    let thing = |iri: &str| Term::from(named(iri));
    vec![
        quad("http://e/a", "http://e/pay", Literal::from(5000)),
        quad("http://e/b", "http://e/pay", Literal::from(7000)),
        quad("http://e/a", "http://e/knows", thing("http://e/h")),
        quad("http://e/h", "http://e/knows", thing("http://e/b")),
        quad("http://e/a", "http://e/likes", thing("http://e/b")),
        quad("http://e/b", "http://e/likes", thing("http://e/c")),
        quad("http://e/pay", "http://e/label", Literal::from("Pay")),
        quad("http://e/a", "http://hid/note", Literal::from("secret")),
        quad("http://e/b", "http://e/kind", thing("http://hid/Spy")),
    ]
}

fn people_seen() -> Arc<dyn SparqlEndpoint> {
    ViewEndpoint::over(store(&people()), View::without(hidden()))
}

#[tokio::test]
async fn what_is_hidden_is_not_found_in_any_way() {
    let (seen, plain) = (people_seen(), {
        let quads: Vec<Quad> = people().into_iter().filter(|quad| is_seen(quad, &hidden())).collect();
        store(&quads)
    });
    for query in [
        "SELECT ?o { ?s ?p ?o }",
        "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
        "SELECT (SUM(?o) AS ?n) (GROUP_CONCAT(STR(?p)) AS ?all) { ?s ?p ?o }",
        "SELECT DISTINCT ?p { [] ?p [] }",
        "ASK { e:a ?p 5000 }",
        "ASK { ?x ?p ?o FILTER(STRENDS(STR(?p), \"pay\")) }",
        "SELECT ?o { BIND(IRI(CONCAT(\"http://e/\", \"pay\")) AS ?p) ?s ?p ?o }",
        "SELECT ?o { ?s ?p ?o { SELECT ?p { ?a ?p ?b } } }",
        "SELECT ?x { e:b (e:likes|^e:likes)/?p ?x }",
        "SELECT ?x { e:a e:knows/e:knows ?x }",
        "SELECT DISTINCT ?x ?y { ?x (e:likes/e:likes)|(e:knows/e:knows)|e:likes ?y }",
        "SELECT ?x { ?x e:likes* ?y }",
        "SELECT ?x { ?x e:likes? ?x }",
        "ASK { 5000 e:likes* 5000 }",
        "ASK { ?x e:likes? 5000 }",
        "SELECT ?x { { ?x e:likes* ?y } UNION { ?x (e:likes?)+ ?x } }",
        "SELECT ?x ?n { ?x e:likes ?y OPTIONAL { ?x ?p ?n } }",
        "SELECT ?x { ?x e:likes ?y MINUS { ?x ?p 5000 } }",
        "SELECT ?x { ?x e:likes ?y FILTER NOT EXISTS { ?x ?p 5000 } }",
        "SELECT ?x { ?x e:likes ?y FILTER(EXISTS { [] ?x [] } || EXISTS { ?x ?p 7000 }) }",
        "SELECT ?x ?e { ?x e:likes ?y BIND(EXISTS { ?x ?p 7000 } AS ?e) }",
        "SELECT ?x { ?x e:likes ?y } ORDER BY EXISTS { ?x ?p 7000 }",
        "SELECT (COUNT(DISTINCT *) AS ?n) { ?s e:likes [] }",
        "CONSTRUCT { ?s e:found ?o } { ?s ?p ?o }",
        "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o } ORDER BY ?o LIMIT 100",
        "DESCRIBE e:a",
        "DESCRIBE ?x ?y { ?x e:likes ?y }",
        "DESCRIBE *  { ?x ?p ?o }",
        "SELECT ?s { ?s ?p ?o } GROUP BY ?s HAVING(COUNT(*) > 1)",
        "SELECT (MAX(?n) AS ?most) { { SELECT ?s (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?s } }",
        "BASE <http://e/> SELECT ?o { ?s ?p ?o FILTER(?p != IRI(\"likes\")) }",
    ] {
        let found = ask(seen.as_ref(), query).await.map(content);
        // An engine may describe more than the triples of which a thing is the subject.
        assert_eq!(found, ask(plain.as_ref(), query).await.map(content), "{query}");
    }
}

#[tokio::test]
async fn naming_it_is_refused_without_saying_what_it_is() {
    let seen = people_seen();
    for query in [
        "SELECT ?o { ?s e:pay ?o }",
        "SELECT ?o { ?s e:likes|e:pay ?o }",
        "SELECT ?o { ?s (e:likes/e:pay)* ?o }",
        "SELECT ?o { ?s !e:pay ?o }",
        "SELECT ?o { ?s !(e:likes) ?o }",
        "SELECT ?o { e:h ?p ?o }",
        "SELECT ?o { ?o a hid:Spy }",
        "SELECT ?o { VALUES ?p { e:pay } ?s ?p ?o }",
        "SELECT ?o { ?s ?p ?o FILTER(?p = e:pay) }",
        "SELECT ?o { ?s ?p ?o FILTER(STR(?p) = \"http://e/pay\") }",
        "CONSTRUCT { ?s e:pay ?o } { ?s ?p ?o }",
        "DESCRIBE e:pay",
        "SELECT ?o { GRAPH hid:g { ?s ?p ?o } }",
        "SELECT ?x { e:a e:knows+ ?x }",
        "SELECT ?x { e:a (e:knows/e:likes)* ?x }",
        "SELECT ?x { e:a (e:likes|(^e:knows/e:likes))+ ?x }",
    ] {
        let error = ask(seen.as_ref(), query).await.unwrap_err();
        assert!(matches!(error, QueryError::Refused { .. }), "{query}: {error}");
        let words = error.to_string();
        assert!(!words.contains("pay") && !words.contains("hid"), "{query}: {words}");
    }
}

#[tokio::test]
async fn paths_of_any_length_go_on_where_nothing_hidden_is_in_their_middle() {
    let seen = people_seen();
    let found = ask(seen.as_ref(), "SELECT ?x { e:a e:likes+ ?x }").await.map(content);
    assert_eq!(found.unwrap(), ["<http://e/b>", "<http://e/c>"]);
    let open = ViewEndpoint::over(store(&people()), View::without(only_terms()));
    let found = ask(open.as_ref(), "SELECT ?x { e:a !(e:likes) ?x }").await.map(content);
    assert_eq!(found.unwrap(), ["\"secret\""]);
}

#[tokio::test]
async fn literals_and_blank_nodes_are_seen() {
    let mut quads = people();
    let blank = BlankNode::new_unchecked("b1");
    quads.push(quad("http://e/a", "http://e/at", blank.clone()));
    quads.push(Quad::new(blank, named("http://e/city"), Literal::from("X"), GraphName::DefaultGraph));
    let seen = ViewEndpoint::over(store(&quads), View::without(hidden()));
    let found = ask(seen.as_ref(), "SELECT ?c { e:a e:at [ ?p ?c ] }").await.map(content);
    assert_eq!(found.unwrap(), ["\"X\""]);
}

#[tokio::test]
async fn only_the_graphs_of_a_dataset_are_asked() {
    let in_graph = |graph: &str, quad: Quad| Quad { graph_name: named(graph).into(), ..quad };
    let quads = [
        in_graph("http://e/open", quad("http://e/a", "http://e/p", named("http://e/b"))),
        in_graph("http://e/also", quad("http://e/b", "http://e/p", named("http://e/c"))),
        in_graph("http://e/closed", quad("http://e/c", "http://e/p", named("http://e/secret"))),
        quad("http://e/c", "http://e/p", named("http://e/default")),
    ];
    let store = EmbeddedStore::in_memory().unwrap().with_union_default_graph(false);
    store.load_quads(quads.into_iter()).unwrap();
    let graphs = ["http://e/open", "http://e/also"].map(str::to_owned);
    let seen = ViewEndpoint::over(Arc::new(store), View::of_graphs(&graphs));
    for (query, rows) in [
        ("SELECT ?o { ?s e:p ?o }", vec!["<http://e/b>", "<http://e/c>"]),
        ("SELECT ?o { e:a e:p+ ?o }", vec!["<http://e/b>", "<http://e/c>"]),
        ("SELECT ?o FROM e:open { ?s e:p ?o }", vec!["<http://e/b>"]),
        ("SELECT ?g { GRAPH ?g { ?s ?p ?o } }", vec!["<http://e/also>", "<http://e/open>"]),
        ("SELECT ?o { GRAPH e:also { ?s ?p ?o } }", vec!["<http://e/c>"]),
        ("ASK { e:c ?p ?o }", vec!["false"]),
        ("DESCRIBE e:c", vec![]),
        ("DESCRIBE e:a", vec!["<http://e/a> <http://e/p> <http://e/b>"]),
        (
            "CONSTRUCT { ?s e:q ?o } { ?s ?p ?o FILTER(?o = e:b) }",
            vec!["<http://e/a> <http://e/q> <http://e/b>"],
        ),
    ] {
        let policy = QueryPolicy { from: vec!["*".to_owned()], ..QueryPolicy::default() };
        let checked = check(query, &prefixes(), &policy).unwrap();
        assert_eq!(seen.query(&checked, LIMITS).await.map(content).unwrap(), rows, "{query}");
    }
    let policy =
        QueryPolicy { from: vec!["*".to_owned()], service: vec!["*".to_owned()], ..QueryPolicy::default() };
    for query in [
        "SELECT ?o FROM e:closed { ?s e:p ?o }",
        "SELECT ?o FROM NAMED e:closed { GRAPH ?g { ?s e:p ?o } }",
        "SELECT ?o { GRAPH e:closed { ?s e:p ?o } }",
        "SELECT ?o { ?s e:p ?o FILTER EXISTS { GRAPH e:closed { ?x e:p ?y } } }",
        "SELECT ?o { SERVICE <http://e/sparql> { ?s e:p ?o } }",
    ] {
        let checked = check(query, &prefixes(), &policy).unwrap();
        let error = seen.query(&checked, LIMITS).await.unwrap_err();
        assert!(matches!(error, QueryError::Refused { .. }), "{query}: {error}");
    }
}

#[tokio::test]
async fn hidden_names_of_graphs_are_not_found() {
    let in_graph = |graph: &str| Quad {
        graph_name: named(graph).into(),
        ..quad("http://e/a", "http://e/p", named("http://e/b"))
    };
    let quads = [in_graph("http://e/g"), in_graph("http://hid/g")];
    let seen = ViewEndpoint::over(store(&quads), View::without(hidden()));
    for query in ["SELECT ?g { GRAPH ?g { ?s ?p ?o } }", "SELECT ?g { GRAPH ?g {} }"] {
        assert_eq!(ask(seen.as_ref(), query).await.map(content).unwrap(), ["<http://e/g>"], "{query}");
    }
}

#[test]
fn where_nothing_is_hidden_nothing_is_rewritten() {
    let inner: Arc<dyn SparqlEndpoint> = store(&people());
    let same = ViewEndpoint::over(inner.clone(), View::default());
    assert!(Arc::ptr_eq(&inner, &same));
}

/// An engine that repeats the query in its message.
struct Echo;

#[async_trait::async_trait]
impl SparqlEndpoint for Echo {
    async fn query(&self, query: &crate::CheckedQuery, _: Limits) -> Result<Answer, QueryError> {
        Err(QueryError::Rejected { message: format!("cannot run {}", query.text()) })
    }

    fn name(&self) -> &str {
        "echo"
    }
}

#[tokio::test]
async fn messages_of_an_engine_do_not_repeat_what_is_hidden() {
    let seen = ViewEndpoint::over(Arc::new(Echo), View::without(hidden()));
    let words = ask(seen.as_ref(), "SELECT ?o { ?s ?p ?o }").await.unwrap_err().to_string();
    assert!(!words.contains("pay") && !words.contains("hid/"), "{words}");
}

const THINGS: [&str; 6] =
    ["http://e/a", "http://e/b", "http://e/c", "http://e/h", "http://hid/s", "http://e/p"];
const PROPERTIES: [&str; 4] = ["http://e/p", "http://e/q", "http://e/pay", "http://hid/r"];

fn any_object() -> impl Strategy<Value = Term> {
    prop_oneof![
        6 => prop::sample::select(THINGS.to_vec()).prop_map(|iri| named(iri).into()),
        2 => (0..3).prop_map(|n| Literal::from(n).into()),
        1 => Just(BlankNode::new_unchecked("n").into()),
    ]
}

fn any_quad() -> impl Strategy<Value = Quad> {
    let subject = prop_oneof![
        6 => prop::sample::select(THINGS.to_vec()).prop_map(|iri| NamedOrBlankNode::from(named(iri))),
        1 => Just(NamedOrBlankNode::from(BlankNode::new_unchecked("n"))),
    ];
    let graph = prop_oneof![
        2 => Just(GraphName::DefaultGraph),
        1 => prop::sample::select(vec!["http://e/g", "http://e/g2"]).prop_map(|iri| named(iri).into()),
    ];
    (subject, prop::sample::select(PROPERTIES.to_vec()), any_object(), graph)
        .prop_map(|(subject, property, object, graph)| Quad::new(subject, named(property), object, graph))
}

fn any_triple() -> impl Strategy<Value = String> {
    let ends = vec!["?x", "?y", "?z", "[]", "e:a", "e:b", "?x", "?y"];
    let predicates = vec![
        "e:p",
        "e:q",
        "?p",
        "?x",
        "e:p/e:q",
        "^e:p/e:p",
        "e:p|e:q",
        "e:p*",
        "e:p+",
        "e:q?",
        "(e:p|^e:q)*",
        "!(e:p)",
        "!(e:p|^e:q)",
        "(e:p/e:q)*",
        "e:p?/e:q?",
        "^(e:p*)",
        "(e:q?)+",
    ];
    let end = prop::sample::select(ends);
    (end.clone(), prop::sample::select(predicates), end).prop_map(|(s, p, o)| format!("{s} {p} {o} ."))
}

fn any_group() -> impl Strategy<Value = String> {
    let triples = prop::collection::vec(any_triple(), 1..3).prop_map(|all| all.join(" "));
    triples.prop_recursive(2, 8, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            pair.clone().prop_map(|(a, b)| format!("{{ {a} }} UNION {{ {b} }}")),
            pair.clone().prop_map(|(a, b)| format!("{a} OPTIONAL {{ {b} }}")),
            pair.clone().prop_map(|(a, b)| format!("{a} OPTIONAL {{ {b} FILTER(?x != ?y) }}")),
            pair.clone().prop_map(|(a, b)| format!("{a} MINUS {{ {b} }}")),
            pair.clone().prop_map(|(a, b)| format!("{a} FILTER EXISTS {{ {b} }}")),
            pair.clone().prop_map(|(a, b)| format!("{a} FILTER NOT EXISTS {{ {b} }}")),
            pair.clone().prop_map(|(a, b)| format!("{a} BIND(EXISTS {{ {b} }} AS ?e)")),
            pair.prop_map(|(a, b)| format!("{a} {{ {b} }}")),
            inner.clone().prop_map(|a| format!("GRAPH ?g {{ {a} }}")),
            inner.clone().prop_map(|a| format!("GRAPH e:g {{ {a} }}")),
            inner.clone().prop_map(|a| format!("{{ SELECT ?x (COUNT(*) AS ?n) {{ {a} }} GROUP BY ?x }}")),
            inner.clone().prop_map(|a| format!("{{ SELECT (COUNT(DISTINCT ?x) AS ?n) {{ {a} }} }}")),
            inner
                .clone()
                .prop_map(|a| format!("BIND(IRI(CONCAT(\"http://e/\", \"pay\")) AS ?w) {a} ?z ?w ?v .")),
            inner.prop_map(|a| format!("VALUES ?x {{ e:a e:b }} {a}")),
        ]
    })
}

fn any_query() -> impl Strategy<Value = String> {
    let forms = vec![
        "SELECT *",
        "SELECT DISTINCT ?x ?y",
        "SELECT (COUNT(*) AS ?many)",
        "ASK",
        "CONSTRUCT { ?x ?p ?y }",
    ];
    (prop::sample::select(forms), any_group()).prop_map(|(form, group)| format!("{form} WHERE {{ {group} }}"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn as_if_the_triples_were_not_there(
        quads in prop::collection::vec(any_quad(), 0..14), query in any_query(), all in any::<bool>(),
    ) {
        let hidden = if all { hidden() } else { only_terms() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let left: Vec<Quad> = quads.iter().filter(|quad| is_seen(quad, &hidden)).cloned().collect();
        let seen = ViewEndpoint::over(store(&quads), View::without(hidden.clone()));
        runtime.block_on(async {
            let found = match ask(seen.as_ref(), &query).await {
                // Some queries bind a variable twice.
                Err(QueryError::Refused { .. } | QueryError::Syntax { .. }) => return Ok(()),
                found => found.unwrap(),
            };
            let expected = ask(store(&left).as_ref(), &query).await.unwrap();
            prop_assert_eq!(content(found), content(expected), "{}", query);
            Ok(())
        })?;
    }
}

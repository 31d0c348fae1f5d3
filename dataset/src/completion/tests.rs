use super::*;
use crate::testing::{TestGraph, graph_of};

const BAYS: &str = r#"
@prefix b: <http://bays.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
b:Boat a rdfs:Class ; rdfs:label "boat" .
b:Boatyard a rdfs:Class ; rdfs:label "boatyard" .
b:Bay a rdfs:Class ; rdfs:label "bay" .
b:builtIn rdfs:label "built in" .
b:builtBy rdfs:label "built by" .
b:owner rdfs:label "owner" .
b:boat1 a b:Boat ; rdfs:label "Lynx" ; b:builtIn b:yard1 ; b:owner b:p1, b:p2, b:p3 ; b:length 12 .
b:boat2 a b:Boat ; rdfs:label "Heron" ; b:builtIn b:yard1 ; b:builtBy b:p3 ; b:owner b:p1, b:p3 .
b:boat3 a b:Boat ; rdfs:label "Tern" ; b:builtIn b:yard2 ; b:owner b:p3 .
b:yard1 a b:Boatyard ; rdfs:label "Lyndale Yard" ; b:at b:bay1 .
b:yard2 a b:Boatyard ; rdfs:label "Old Yard" ; b:at b:bay1 .
b:bay1 a b:Bay ; rdfs:label "Lynn Bay" ; b:owner b:p4 .
b:p1 rdfs:label "Lyn Hale" . b:p2 rdfs:label "Lynda Moor" . b:p3 rdfs:label "Evelyn Lynn" . b:p4 rdfs:label "Lyn Marsh" .
"#;

async fn bays() -> TestGraph {
    graph_of("bays", BAYS).await
}

/// What can stand at the cursor `¦`, with the numbers of solutions.
async fn completed(graph: &TestGraph, query: &str) -> Result<Option<Vec<String>>, PatternError> {
    let (before, after) = query.split_once('¦').unwrap();
    let (query, at) = (format!("{before}{after}"), before.chars().count());
    let found = graph.dataset.complete_term(&query, at, 5, Duration::from_secs(20)).await?;
    Ok(found.map(|completions| {
        let hits = completions.found.hits.iter().map(|hit| match &hit.term {
            Term::NamedNode(node) => format!("{} {}", completions.written(node.as_str()), hit.solutions),
            other => format!("{other} {}", hit.solutions),
        });
        hits.collect()
    }))
}

async fn lines(query: &str) -> Vec<String> {
    completed(&bays().await, &format!("PREFIX b: <http://bays.example/> {query}")).await.unwrap().unwrap()
}

#[tokio::test]
async fn the_triple_patterns_around_say_what_can_stand_at_the_cursor() {
    let predicates = "SELECT * { ?boat a b:Boat . ?boat ¦ }";
    assert_eq!(
        lines(predicates).await,
        ["b:owner 6", "b:builtIn 3", "rdf:type 3", "rdfs:label 3", "b:builtBy 1"]
    );
    assert_eq!(lines("SELECT * { ?x b:at ?bay ; a ¦ }").await, ["b:Boatyard 2"]);
    let owners = "SELECT * { ?boat b:owner ¦ ; a b:Boat }";
    assert_eq!(lines(owners).await, ["b:p3 3", "b:p1 2", "b:p2 1"]);
    assert_eq!(lines("SELECT * { ¦ b:owner ?o . ?o b:none ?n }").await, Vec::<String>::new());
}

#[tokio::test]
async fn beginnings_of_names_go_before_numbers_of_solutions() {
    // "bui" begins the names of two properties; yards have neither.
    assert_eq!(lines("SELECT * { ?boat a b:Boat ; bui¦ }").await, ["b:builtIn 3", "b:builtBy 1"]);
    assert_eq!(lines("SELECT * { ?yard a b:Boatyard ; bui¦ }").await, Vec::<String>::new());
    assert_eq!(lines("SELECT * { ?x b:owner ?o . ?x a b:bo¦ }").await, ["b:Boat 6"]);
    // The bay's owner is called like this, too, and owns no boat; "Evelyn Lynn" has it within the name.
    assert_eq!(lines("SELECT * { ?b a b:Boat ; b:owner Lyn¦ }").await, ["b:p1 2", "b:p2 1", "b:p3 3"]);
    assert_eq!(lines("SELECT * { ?b a b:Boat ; b:owner lyn_h¦ }").await, ["b:p1 2", "b:p3 3", "b:p2 1"]);
}

#[tokio::test]
async fn a_prefix_keeps_to_its_namespace() {
    assert_eq!(
        lines("SELECT * { ?boat a b:Boat ; b:¦ }").await,
        ["b:owner 6", "b:builtIn 3", "b:builtBy 1", "b:length 1"]
    );
    assert_eq!(lines("SELECT * { ?boat a b:Boat ; rdfs:¦ }").await, ["rdfs:label 3"]);
    assert_eq!(lines("SELECT * { ?boat a b:Boat ; rdfs:own¦ }").await, Vec::<String>::new());
    assert_eq!(lines("SELECT * { ?boat a b:Boat ; unknown:own¦ }").await, ["b:owner 6"]);
}

#[tokio::test]
async fn where_no_term_is_written_nothing_is_asked() {
    let graph = bays().await;
    for query in ["SELECT ¦", "SELECT * { ?x a <http://bays.example/Boat> ¦", "SELECT * { ?x a \"Bo¦"] {
        assert_eq!(completed(&graph, query).await.unwrap(), None, "{query}");
    }
    let long = format!("SELECT * {{ {} ?x ¦", "?x a ?y . ".repeat(3_000));
    assert_eq!(completed(&graph, &long).await.unwrap(), None);
}

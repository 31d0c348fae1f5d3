//! Numbers in units other than the graph's, durations in several parts, unknown units.

use super::graph::Graph;
use crate::Confidence;

/// Tunnels with lengths in metres, walks with times in text, acids with strengths.
const TUNNELS: &str = r#"
    :Tunnel rdfs:label "tunnel"@en . :length rdfs:label "length in metres"@en . :Walk rdfs:label "walk"@en . :duration rdfs:label "walking time"@en .
    :Acid rdfs:label "acid"@en . :strength rdfs:label "strength"@en . :Vat rdfs:label "vat"@en . :capacity rdfs:label "capacity"@en .
    :t1 a :Tunnel ; rdfs:label "Crow Tunnel" ; :length 2400 . :t2 a :Tunnel ; rdfs:label "Mole Tunnel" ; :length 800 .
    :w1 a :Walk ; rdfs:label "Moor Loop" ; :duration "1 h 10 min" . :w2 a :Walk ; rdfs:label "Dune Loop" ; :duration "45 min" .
    :w3 a :Walk ; rdfs:label "Ridge Loop" ; :duration "3 h" .
    :a1 a :Acid ; rdfs:label "Sour" ; :strength [ :value 4 ; :unit "grains" ] . :a2 a :Acid ; rdfs:label "Sharp" ; :strength [ :value 9 ; :unit "grains" ] .
    :v1 a :Vat ; rdfs:label "Old Vat" ; :capacity "900 l" . :v2 a :Vat ; rdfs:label "New Vat" ; :capacity "20 hl" .
"#;

#[test]
fn numbers_in_another_unit_are_sure() {
    let graph = Graph::of(TUNNELS);
    for (question, rows) in [
        ("Which tunnels are longer than 2 km?", vec!["t1"]),
        ("Which tunnels are longer than 700 metres?", vec!["t1", "t2"]),
    ] {
        assert_eq!(graph.ask(question, "en"), rows, "{question}");
        assert_eq!(graph.confidence(question, "en"), Confidence::Sure, "{question}");
    }
    let unconverted = "SELECT ?t { ?t a :Tunnel ; :length ?l FILTER(?l > 2) }";
    assert!(!graph.ledger("Which tunnels are longer than 2 km?", unconverted).is_full());
}

#[test]
fn lengths_of_time_are_added_up() {
    let graph = Graph::of(TUNNELS);
    assert_eq!(graph.ask("Which walk has the shortest walking time?", "en"), ["w2"]);
    assert_eq!(graph.ask("Which walks have a walking time of more than 1 hour?", "en"), ["w1", "w3"]);
    assert_eq!(graph.ask("Which walks have a walking time of less than 75 minutes?", "en"), ["w1", "w2"]);
}

#[test]
fn litres_and_hectolitres_are_compared() {
    let graph = Graph::of(TUNNELS);
    assert_eq!(graph.ask("Which vat has the largest capacity?", "en"), ["v2"]);
}

#[test]
fn one_unknown_unit_is_not_converted() {
    assert_eq!(Graph::of(TUNNELS).ask("Which acid has the highest strength?", "en"), ["a2"]);
}

//! Lists in queries: their linking properties need no word, but a position in a list does.

use super::graph::Graph;
use crate::Confidence;

/// Rides with lists of huts.
const RIDES: &str = r#"
    :Ride rdfs:label "ride"@en . :Hut rdfs:label "hut"@en . :huts rdfs:label "huts"@en .
    :r1 a :Ride ; rdfs:label "Ride 3" ; :huts ( :h1 :h2 :h3 ) .
    :r2 a :Ride ; rdfs:label "Ride 5" ; :huts ( :h4 :h2 ) .
    :h1 a :Hut ; rdfs:label "Black Barn" . :h2 a :Hut ; rdfs:label "Alm House" . :h3 a :Hut ; rdfs:label "Tarn" . :h4 a :Hut ; rdfs:label "Scree" .
"#;

#[test]
fn members_of_lists_are_sure() {
    let graph = Graph::of(RIDES);
    for (question, rows) in [
        ("Which huts does Ride 3 have?", vec!["h1", "h2", "h3"]),
        ("How many huts does Ride 5 have?", vec!["2"]),
        ("Which rides have Alm House?", vec!["r1", "r2"]),
        ("Which ride has the most huts?", vec!["r1"]),
        ("What is the first hut of Ride 5?", vec!["h4"]),
    ] {
        assert_eq!(graph.ask(question, "en"), rows, "{question}");
        assert_eq!(graph.confidence(question, "en"), Confidence::Sure, "{question}");
    }
}

#[test]
fn a_place_in_a_list_needs_a_word() {
    let graph = Graph::of(RIDES);
    let rdf = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#";
    let query = format!("SELECT ?h {{ :r2 :huts/{rdf}first> ?h }}");
    assert!(graph.ledger("What is the first hut of Ride 5?", &query).is_full());
    assert!(!graph.ledger("What is the second hut of Ride 5?", &query).is_full());
    assert!(!graph.ledger("Which huts does Ride 5 have?", &query).is_full());
}

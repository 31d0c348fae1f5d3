//! Comparisons with numbers, and with counts.

use crate::tests::graph::{Graph, HARBOURS};

#[test]
fn numbers_and_units_bound_measures() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "en",
        &[
            ("ships over 100 meters", &["osprey", "tern"]),
            ("Which ships are longer than 100 m?", &["osprey", "tern"]),
            ("ships that are at least 90 m long", &["osprey", "petrel", "tern"]),
            ("ships between 50 and 100 meters long", &["petrel", "plover"]),
            ("Which ships have more crew than average?", &["petrel", "tern"]),
            ("ships longer than the average", &["osprey", "tern"]),
            ("Are there more than 3 ships?", &["true"]),
            ("Are there more than 30 ships?", &["false"]),
        ],
    );
}

const FERRIES: &str = r#"
:Line rdfs:label "ferry line"@en, "Fährlinie"@de . :Trip rdfs:label "trip"@en, "Fahrt"@de . :line rdfs:label "ferry line"@en . :berths rdfs:label "berths"@en .
:blue a :Line ; rdfs:label "Blue Line" . :red a :Line ; rdfs:label "Red Line" .
:b1 a :Trip ; :line :blue ; :berths 100 . :b2 a :Trip ; :line :blue ; :berths 150 . :r1 a :Trip ; :line :red ; :berths 220 .
"#;

#[test]
fn a_number_counts_the_noun_behind_it() {
    let graph = Graph::of(FERRIES);
    graph.answers(
        "en",
        &[
            ("Which ferry lines have at least 2 trips?", &["blue"]),
            ("Which ferry lines have fewer than 2 trips?", &["red"]),
            ("Which ferry line has the most berths?", &["blue"]),
            ("Which trip has the most berths?", &["r1"]),
            ("Which ferry lines have more than 240 berths in total?", &["blue"]),
        ],
    );
    graph.answers("de", &[("Welche Fährlinien haben mindestens 2 Fahrten?", &["blue"])]);
}

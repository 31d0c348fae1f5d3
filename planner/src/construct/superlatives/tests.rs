//! The first or greatest of a set, and words that only seem to ask for it.

use crate::tests::graph::{Graph, HARBOURS, LAND, LIBRARY, PORTS, WARDS};

#[test]
fn an_order_by_time_is_by_no_number() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "en",
        &[
            ("Which is the oldest regatta?", &["spring"]),
            ("the second oldest regatta", &["autumn"]),
            ("Which regattas are older than the Autumn Cup?", &["spring"]),
            ("the second longest ship by tonnage", &["osprey"]),
        ],
    );
}

/// Fell runners, their races, and when they first won.
const RACES: &str = r#"
:Runner rdfs:label "runner"@en . :Race rdfs:label "race"@en . :winner rdfs:label "winner"@en . :firstWin rdfs:label "first win"@en .
:laps rdfs:label "laps"@en .
:a a :Runner ; rdfs:label "Abe" . :b a :Runner ; rdfs:label "Bea" .
:r1 a :Race ; :winner :a ; :firstWin "1990-01-01"^^xsd:date ; :laps 9 . :r2 a :Race ; :winner :a ; :firstWin "1991-01-01"^^xsd:date ; :laps 1 .
:r3 a :Race ; :winner :b ; :firstWin "2015-01-01"^^xsd:date ; :laps 2 .
"#;

#[test]
fn most_of_a_time_is_never_the_latest() {
    let graph = Graph::of(RACES);
    assert_ne!(graph.ask("Which runner has the most first wins?", "en"), ["b"]);
    assert_eq!(graph.ask("Which race has the most laps?", "en"), ["r1"]);
    assert_eq!(graph.ask("Which race has the latest first win?", "en"), ["r3"]);
}

#[test]
fn superlatives_count_and_group() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "en",
        &[
            ("What is the longest ship?", &["osprey", "tern"]),
            ("the two ships with the largest crew", &["petrel", "tern"]),
            ("Which ship won the most regattas?", &["tern"]),
            ("For each harbour, the ship with the largest tonnage", &["eastquay osprey", "northport tern"]),
            ("Which vessel was launched first?", &["petrel"]),
        ],
    );
}

#[test]
fn whoever_has_the_most_is_asked_for() {
    let graph = Graph::of(WARDS);
    graph.answers(
        "en",
        &[
            ("Who earns the most?", &["dov"]),
            ("Which nurse earns the least?", &["eli"]),
            ("Who has the highest wage?", &["dov"]),
            ("What is the highest wage?", &["4000"]),
        ],
    );
    graph.answers("de", &[("Wer verdient am meisten?", &["dov"])]);
    graph.answers("es", &[("¿Quién gana más?", &["dov"])]);
    graph.answers("fr", &[("Qui gagne le plus ?", &["dov"])]);
}

#[test]
fn the_first_ones_by_an_attribute() {
    let graph = Graph::of(PORTS);
    graph.answers(
        "en",
        &[
            ("top 2 ships by length", &["s1", "s3"]),
            ("bottom 2 ships by length", &["s1", "s2"]),
            ("Which ship is longer, Aurora or Corona?", &["s3"]),
        ],
    );
}

#[test]
fn the_largest_country_is_a_country_by_its_area() {
    let graph = Graph::of(LAND);
    graph.answers("en", &[("What is the second largest country in Vast?", &["cland"])]);
}

#[test]
fn a_word_of_a_columns_name_is_no_superlative() {
    let graph = Graph::of(LIBRARY);
    graph.answers(
        "en",
        &[
            ("last names of writers", &["Lind", "Moss", "Park", "Roth"]),
            ("Show the first and last names of writers in Oslo", &["Ada Lind", "Cleo Park"]),
            ("What is the last name of the oldest writer?", &["Moss"]),
        ],
    );
}

#[test]
fn what_an_adjective_measures_is_said_behind_it() {
    let graph = Graph::of(LIBRARY);
    graph.answers("en", &[("What is the title of the largest book by pages?", &["Iron Coast"])]);
}

//! Rows per group, and numbers over all.

use crate::tests::graph::{Graph, HARBOURS, LIBRARY};

#[test]
fn rows_for_years_are_not_rows_for_days() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "en",
        &[
            ("How many ships were launched each year?", &["1984 1", "1999 2", "2011 1"]),
            ("number of ships launched per year", &["1984 1", "1999 2", "2011 1"]),
            ("How many ships does each captain have?", &["otto 1", "ruth 2"]),
        ],
    );
    graph.answers("de", &[("Wie viele Kapitäne wurden pro Jahr geboren?", &["1950 2", "1962 1"])]);
}

#[test]
fn numbers_for_each() {
    let graph = Graph::of(LIBRARY);
    graph.answers(
        "en",
        &[
            ("Show the number of books for each genre", &["manual 2", "novel 3", "poetry 1"]),
            (
                "What is the average number of pages for each genre?",
                &["manual 165", "novel 310", "poetry 95"],
            ),
            ("How many books are there of the genre novel?", &["3"]),
            ("How many books are there?", &["6"]),
        ],
    );
}

#[test]
fn rows_for_decades_and_centuries() {
    let graph = Graph::of(
        r#":Lamp rdfs:label "lamp"@en . :made rdfs:label "year made"@en .
        :a a :Lamp ; rdfs:label "Arc" ; :made "1951"^^xsd:gYear . :b a :Lamp ; rdfs:label "Bow" ; :made "1958"^^xsd:gYear .
        :c a :Lamp ; rdfs:label "Cob" ; :made "1900"^^xsd:gYear ."#,
    );
    assert_eq!(graph.rows("How many lamps per decade?", "en"), ["1900 1", "1950 2"]);
    assert_eq!(graph.rows("How many lamps per century?", "en"), ["19 1", "20 2"]);
    assert_eq!(graph.rows("lamps per decade", "en"), ["1900 1", "1950 2"]);
}

#[test]
fn things_for_each_are_counted_unless_they_are_asked_for() {
    let graph = Graph::of(LIBRARY);
    assert_eq!(graph.rows("books per genre", "en"), ["novel 3", "manual 2", "poetry 1"]);
    assert_eq!(graph.rows("books by genre", "en"), ["novel 3", "manual 2", "poetry 1"]);
    assert_eq!(graph.rows("Which books are there for each genre?", "en").len(), 6);
    assert_eq!(graph.rows("List the books for each genre", "en").len(), 6);
}

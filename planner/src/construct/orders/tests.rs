//! Ordered rows, and the first of them.

use crate::tests::graph::{Graph, LIBRARY};

#[test]
fn sorted_by_what_stands_behind_a_preposition() {
    let graph = Graph::of(LIBRARY);
    graph.answers(
        "en",
        &[
            ("Sort the last names of writers by age in descending order.", &["Lind", "Moss", "Park", "Roth"]),
            ("last names of writers, oldest first", &["Lind", "Moss", "Park", "Roth"]),
        ],
    );
}

#[test]
fn rows_come_in_their_order() {
    let graph = Graph::of(LIBRARY);
    assert_eq!(graph.rows("last names of writers, oldest first", "en"), ["Moss", "Park", "Lind", "Roth"]);
    assert_eq!(
        graph.rows("Sort the last names of writers by age in ascending order.", "en"),
        ["Roth", "Lind", "Park", "Moss"]
    );
}

#[test]
fn the_first_one_is_no_order() {
    let graph = Graph::of(LIBRARY);
    graph.answers("en", &[("What is the last name of the oldest writer?", &["Moss"])]);
}

#[test]
fn what_stands_behind_by_sorts_things() {
    let graph = Graph::of(
        r#":Lamp rdfs:label "lamp"@en . :height rdfs:label "height"@en . :maker rdfs:label "maker"@en . :made rdfs:label "year made"@en .
        :a a :Lamp ; rdfs:label "Arc" ; :height 30 ; :made "1950"^^xsd:gYear ; :maker :m .
        :b a :Lamp ; rdfs:label "Bow" ; :height 50 ; :made "1940"^^xsd:gYear ; :maker :m . :m rdfs:label "Ada Moss" ."#,
    );
    assert_eq!(graph.rows("list lamps by height", "en"), ["b", "a"], "the greatest first");
    assert_eq!(graph.rows("lamps by year made", "en"), ["b", "a"], "times as they went");
    assert_eq!(graph.ask("lamps by Ada Moss", "en"), ["a", "b"], "a name is a condition");
}

//! Counts of things, and numbers that things have.

use crate::tests::graph::{Graph, PORTS};

#[test]
fn a_count_is_of_all_unless_each_is_said() {
    let graph = Graph::of(PORTS);
    graph.answers(
        "en",
        &[
            ("How many ships have the home port Westhaven?", &["2"]),
            ("number of ships for each harbour", &["h1 2", "h2 1"]),
        ],
    );
}

#[test]
fn a_number_that_a_thing_has_is_not_counted() {
    let graph = Graph::of(PORTS);
    graph.answers("en", &[("What is the length of the Aurora?", &["120"])]);
}

//! Bounds and negated bounds.

use crate::tests::graph::{Graph, HARBOURS, LIBRARY};

#[test]
fn a_negated_comparison_is_the_opposite_one() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "en",
        &[
            ("Which ships are not longer than 90?", &["petrel", "plover"]),
            ("ships with a crew size not greater than 28", &["osprey", "plover"]),
            ("ships with a length not under 120", &["osprey", "tern"]),
            ("Which ships are longer than 90?", &["osprey", "tern"]),
        ],
    );
}

#[test]
fn comparisons_that_are_denied() {
    let graph = Graph::of(LIBRARY);
    graph.answers(
        "en",
        &[
            ("last names of writers whose age is not higher than 34", &["Lind", "Roth"]),
            ("last names of writers whose age is higher than 34", &["Moss", "Park"]),
        ],
    );
}

//! Bounds that enclose what they bound, and measures that are only asked for.

use crate::tests::graph::{Graph, LIBRARY};

#[test]
fn bounds_around_nouns() {
    let graph = Graph::of(LIBRARY);
    graph.answers(
        "en",
        &[
            ("last names of writers above age 40", &["Moss", "Park"]),
            ("How many writers under age 40 are there?", &["2"]),
        ],
    );
}

#[test]
fn what_is_asked_for_is_not_bounded() {
    let graph = Graph::of(LIBRARY);
    graph.answers("en", &[("What is the age of the writer Moss?", &["51"])]);
}

//! All, most and none of something, in questions of yes or no and in others.

mod only;

use crate::tests::graph::{Graph, HARBOURS};

#[test]
fn all_and_most_are_compared_with_the_whole() {
    let graph = Graph::of(HARBOURS);
    graph.answers("en", &[("Are all ships insured?", &["false"]), ("Are most ships insured?", &["true"])]);
}

#[test]
fn all_in_another_question_adds_nothing() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "en",
        &[
            ("Show all ships that are insured", &["osprey", "petrel", "plover"]),
            ("Is the Petrel insured?", &["true"]),
        ],
    );
}

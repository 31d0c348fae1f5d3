//! How the form of a question affects its answer.

use crate::Confidence;
use crate::tests::graph::{Graph, HARBOURS, LAND, PORTS};

#[test]
fn who_is_not_answered_by_a_number_for_sure() {
    let graph = Graph::of(HARBOURS);
    assert_eq!(graph.confidence("Who is the crew size of the Petrel?", "en"), Confidence::Guess);
    assert_eq!(graph.ask("Who is the captain of the Petrel?", "en"), ["ruth"]);
}

#[test]
fn which_thing_is_no_value() {
    let graph = Graph::of(PORTS);
    graph.answers(
        "en",
        &[
            ("Which ship was built first?", &["s2"]),
            ("Which year was the Aurora built?", &["1990"]),
            ("Which ship is the longest?", &["s3"]),
        ],
    );
}

#[test]
fn what_countries_do_not_have_is_not_taken_from_their_towns_for_sure() {
    let graph = Graph::of(LAND);
    let question = "Which countries were founded after 1950?";
    let sure = graph.is_sure(question, "en");
    assert!(!sure || graph.ask(question, "en") == ["aland"], "{:?}", graph.ask(question, "en"));
    assert_eq!(graph.ask("Which towns were founded after 1950?", "en"), ["btown"]);
}

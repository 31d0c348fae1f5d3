//! Members joined to two things, and those joined to one of them.

use crate::tests::graph::{Graph, HARBOURS};

#[test]
fn both_are_meant() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "en",
        &[
            ("Which ship won both the Autumn Cup and the Winter Cup?", &["tern"]),
            ("Which captains won both the Spring Cup and the Winter Cup?", &[]),
        ],
    );
}

#[test]
fn one_of_two_is_enough_where_it_is_said() {
    let graph = Graph::of(HARBOURS);
    graph.answers("en", &[("Which ships won the Spring Cup or the Autumn Cup?", &["petrel", "tern"])]);
}

//! The top of each group, and the top of all.

use crate::tests::graph::{Graph, WARDS};

#[test]
fn the_first_few_of_each_group() {
    let graph = Graph::of(WARDS);
    graph.answers(
        "en",
        &[
            ("the two best paid nurses per ward", &["north amy", "north bea", "south cid", "south dov"]),
            ("For each ward, the nurse with the highest wage", &["north bea", "south dov"]),
        ],
    );
}

#[test]
fn without_groups_they_are_the_first_of_all() {
    let graph = Graph::of(WARDS);
    graph.answers("en", &[("the two best paid nurses", &["bea", "dov"])]);
}

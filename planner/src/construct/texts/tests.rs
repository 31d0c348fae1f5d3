//! Text within names, and whole names.

use crate::tests::graph::{Graph, HARBOURS};

#[test]
fn a_part_of_a_name_is_enough_where_it_is_said() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "en",
        &[
            ("Which harbours start with N?", &["northport"]),
            ("ships whose name contains \"etr\"", &["petrel"]),
        ],
    );
}

#[test]
fn a_name_is_the_whole_name() {
    let graph = Graph::of(HARBOURS);
    graph.answers("en", &[("ships of Northport", &["petrel", "tern"])]);
}

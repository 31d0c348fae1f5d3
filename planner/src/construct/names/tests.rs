//! Names that are asked for, and things that are named.

use crate::tests::graph::{Graph, HARBOURS};

#[test]
fn the_name_of_a_thing_is_a_text() {
    let graph = Graph::of(HARBOURS);
    graph.answers("en", &[("What is the name of the captain of the Petrel?", &["ruth"])]);
}

#[test]
fn a_command_to_name_things_asks_for_them() {
    let graph = Graph::of(HARBOURS);
    graph.answers("en", &[("Name the harbours", &["eastquay", "northport"])]);
}

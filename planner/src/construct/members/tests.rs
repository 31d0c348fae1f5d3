//! Whether a thing is a member of a class.

use crate::tests::graph::{Graph, PORTS};

#[test]
fn whether_a_thing_is_of_a_class_is_asked_of_its_types() {
    let graph = Graph::of(PORTS);
    graph.answers(
        "en",
        &[
            ("Is the Aurora a ship?", &["true"]),
            ("Is the Aurora a harbour?", &["false"]),
            ("Is Ida Storm a captain?", &["true"]),
            ("Is Westhaven a captain?", &["false"]),
        ],
    );
}

#[test]
fn things_that_are_asked_for_are_no_members() {
    let graph = Graph::of(PORTS);
    graph.answers("en", &[("Which ships have the captain Ida Storm?", &["s1"])]);
}

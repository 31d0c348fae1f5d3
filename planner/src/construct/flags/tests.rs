//! Flags that are true and flags that are false.

use crate::tests::graph::{Graph, HARBOURS, LIBRARY};

#[test]
fn what_is_true_or_false_is_said_without_a_value() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "en",
        &[
            ("Which ships are insured?", &["osprey", "petrel", "plover"]),
            ("ships that are not insured", &["tern"]),
        ],
    );
}

#[test]
fn texts_that_say_yes_or_no() {
    let graph = Graph::of(LIBRARY);
    graph.answers(
        "en",
        &[
            ("last names of members that are active", &["Bo", "Ek"]),
            ("last names of members that are not active", &["Ny"]),
        ],
    );
}

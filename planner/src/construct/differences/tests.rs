//! Differences between two things, and which of them is greater.

use crate::tests::graph::{Graph, HARBOURS};

#[test]
fn differences_and_quantities_are_worked_out() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "en",
        &[
            ("How much longer is the Tern than the Petrel?", &["30"]),
            ("What is the difference in tonnage between the Tern and the Petrel?", &["4000"]),
            ("How much older is Ruth Vance than Otto Brandt?", &["12"]),
            ("How long is the Petrel?", &["90"]),
            ("Which regatta lasted the longest?", &["autumn"]),
        ],
    );
}

#[test]
fn which_one_is_greater_is_no_difference() {
    let graph = Graph::of(HARBOURS);
    graph.answers("en", &[("Which ship is longer, the Tern or the Petrel?", &["tern"])]);
}

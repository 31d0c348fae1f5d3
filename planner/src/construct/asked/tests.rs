//! Measures that are asked for, and what is asked for in other ways.

use crate::tests::graph::{Graph, HARBOURS};

#[test]
fn an_adjective_asks_for_its_measure() {
    let graph = Graph::of(HARBOURS);
    graph.answers("en", &[("How long is the Petrel?", &["90"]), ("How wide is the Tern?", &["18"])]);
    graph.answers("de", &[("Wie lang ist die Petrel?", &["90"])]);
}

#[test]
fn what_is_counted_or_ranked_is_no_measure() {
    let graph = Graph::of(HARBOURS);
    graph.answers("en", &[("How many ships are there?", &["4"]), ("Which ship is the widest?", &["tern"])]);
}

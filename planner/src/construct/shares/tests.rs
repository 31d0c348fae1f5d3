//! Shares of a whole, and counts of a part.

use crate::tests::graph::{Graph, HARBOURS};

#[test]
fn a_percentage_is_of_the_whole() {
    let graph = Graph::of(HARBOURS);
    graph.answers("en", &[("What percentage of the ships are insured?", &["75"])]);
}

#[test]
fn a_number_is_of_the_part() {
    let graph = Graph::of(HARBOURS);
    graph.answers("en", &[("How many ships are insured?", &["3"])]);
}

//! Requested years, and whole dates.

use crate::tests::graph::{Graph, HARBOURS};

#[test]
fn years_are_answered_when_years_are_asked_for() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "en",
        &[
            ("In what year was Ruth Vance born?", &["1950"]),
            ("What year was the Petrel launched?", &["1984"]),
            ("When was the Petrel launched?", &["1984-05-02"]),
            ("On what date was Ruth Vance born?", &["1950-03-10"]),
        ],
    );
    graph.answers("de", &[("In welchem Jahr wurde Ruth Vance geboren?", &["1950"])]);
}

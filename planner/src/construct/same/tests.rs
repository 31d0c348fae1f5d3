//! Values shared with another thing, and the shared values themselves.

use crate::tests::graph::{Graph, HARBOURS};

#[test]
fn what_is_the_same_is_found() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "en",
        &[
            ("Which ships have the same home harbour as the Petrel?", &["tern"]),
            ("Which ships were launched in the same year as the Tern?", &["osprey"]),
            ("Which captains were born in the same year as Ruth Vance?", &["ines"]),
            ("ships with the same captain as the Petrel", &["osprey"]),
        ],
    );
}

#[test]
fn what_is_had_is_no_comparison() {
    let graph = Graph::of(HARBOURS);
    graph.answers("en", &[("What is the home harbour of the Petrel?", &["northport"])]);
}

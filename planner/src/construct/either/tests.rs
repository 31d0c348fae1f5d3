//! Either of two bounds, and a single one.

use crate::tests::graph::{Graph, LIBRARY};

#[test]
fn two_bounds_with_or_between_them() {
    let graph = Graph::of(LIBRARY);
    graph.answers(
        "en",
        &[
            ("Show the titles of books with pages below 100 or above 350", &["Iron Coast", "River Songs"]),
            ("last names of writers above age 40", &["Moss", "Park"]),
        ],
    );
}

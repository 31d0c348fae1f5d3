//! Columns next to the requested set, and columns that are repeated.

use crate::tests::graph::{Graph, LIBRARY, PORTS, WARDS};

#[test]
fn what_is_asked_may_stand_behind_the_verb() {
    let graph = Graph::of(WARDS);
    graph.answers(
        "en",
        &[
            ("North Ward has how many nurses?", &["2"]),
            ("Does North Ward have nurses?", &["true"]),
            ("Amy Holt has which wage?", &["3000"]),
        ],
    );
}

#[test]
fn members_beside_what_not_all_of_them_have() {
    let graph = Graph::of(PORTS);
    graph.answers("en", &[("List the ships with their captains", &["s1 c1", "s2 ", "s3 c2"])]);
}

#[test]
fn columns_that_a_second_sentence_says() {
    let graph = Graph::of(LIBRARY);
    graph.answers(
        "en",
        &[
            ("Which book has the most pages? Give me the title.", &["Iron Coast"]),
            (
                "How many books are there for each genre? List the genre and the count.",
                &["manual 2", "novel 3", "poetry 1"],
            ),
            (
                "Which writers are older than 40? Show the last name and the city.",
                &["Moss Bergen", "Park Oslo"],
            ),
        ],
    );
}

#[test]
fn the_greatest_with_what_else_it_has() {
    let graph = Graph::of(LIBRARY);
    graph.answers(
        "en",
        &[
            ("What is the maximum number of pages and the title of the novel books?", &["400 Iron Coast"]),
            (
                "What is the maximum number of pages for each genre?",
                &["manual 180", "novel 400", "poetry 95"],
            ),
        ],
    );
}

#[test]
fn numbers_that_members_are_ranked_by() {
    let graph = Graph::of(LIBRARY);
    graph.answers(
        "en",
        &[
            ("What is the city with the most writers and how many does it have?", &["Oslo 2"]),
            ("What is the city with the most writers?", &["Oslo"]),
        ],
    );
}

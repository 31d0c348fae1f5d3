//! Adjacent sets: intersections, and paths between them.

use crate::tests::graph::{Graph, LAND, LIBRARY};

#[test]
fn the_last_noun_of_a_compound_is_asked_for() {
    let graph = Graph::of(LIBRARY);
    graph.answers(
        "en",
        &[("How many book writers are there?", &["3"]), ("How many novel books are there?", &["3"])],
    );
}

#[test]
fn ways_end_with_a_step_that_the_named_thing_has() {
    let graph = Graph::of(LAND);
    graph.answers(
        "en",
        &[
            ("What is the largest lake in Vast?", &["l3"]),
            ("What is the longest river in Slim?", &["r2"]),
            ("Which lakes are in Vast?", &["l1", "l3"]),
            ("Which lakes are in Bland?", &["l2"]),
        ],
    );
}

#[test]
fn in_a_place_is_by_places_rather_than_by_people() {
    let graph = Graph::of(LAND);
    graph.answers(
        "en",
        &[
            ("Which concerts are in Atown?", &["c1"]),
            ("Show me the concerts in Btown", &["c2"]),
            ("Which concerts have a singer born in Atown?", &["c2"]),
        ],
    );
}

#[test]
fn what_nothing_is_said_of_is_not_of_a_class_that_is_asked_for() {
    let graph = Graph::of(LAND);
    graph.answers(
        "en",
        &[
            ("Which country was Kim Bahr born in?", &["cland"]),
            ("Where was Kim Bahr born?", &["ctown"]),
            ("In which town was Ida Noll born?", &["btown"]),
        ],
    );
}

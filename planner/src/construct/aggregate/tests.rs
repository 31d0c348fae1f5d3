//! Aggregates of many numbers, and the numbers themselves.

use crate::tests::graph::{Graph, WARDS};

#[test]
fn averages_and_totals_stand_inside_superlatives_and_bounds() {
    let graph = Graph::of(WARDS);
    graph.answers(
        "en",
        &[
            ("Which ward has the highest average wage?", &["north"]),
            ("Which ward has the highest total wage?", &["south"]),
            ("Which ward has the highest wage?", &["south"]),
            ("Which wards have an average wage above 2800?", &["north"]),
            ("What is the highest average wage of a ward?", &["3250"]),
            ("total wages per ward", &["north 6500", "south 7500"]),
        ],
    );
    graph.answers(
        "de",
        &[
            ("Wie hoch ist der Gesamtlohn pro Station?", &["north 6500", "south 7500"]),
            ("Welche Station hat den höchsten Durchschnittslohn?", &["north"]),
            ("Gesamtlohn pro Station", &["north 6500", "south 7500"]),
        ],
    );
    graph.answers("es", &[("¿Qué sala tiene el salario medio más alto?", &["north"])]);
    graph.answers("fr", &[("Quel service a le salaire moyen le plus élevé ?", &["north"])]);
}

#[test]
fn numbers_of_each_are_averaged() {
    let graph = Graph::of(WARDS);
    graph.answers(
        "en",
        &[
            ("What is the average number of nurses per ward?", &["2.5"]),
            ("How many nurses does a ward have on average?", &["2.5"]),
            ("How many nurses does each ward have?", &["north 2", "south 3"]),
        ],
    );
    graph.answers("de", &[("Wie viele Krankenschwestern hat eine Station im Durchschnitt?", &["2.5"])]);
}

#[test]
fn a_number_of_one_is_not_added_up() {
    let graph = Graph::of(WARDS);
    graph.answers("en", &[("What is the wage of Amy Holt?", &["3000"])]);
}

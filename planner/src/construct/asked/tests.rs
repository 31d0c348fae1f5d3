//! Requested measures, and questions that ask in other ways.

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

#[test]
fn how_much_something_is_asks_for_its_price() {
    let graph = Graph::of(
        r#":Cake rdfs:label "cake"@en . :price rdfs:label "price"@en . :weight rdfs:label "weight"@en .
        :a a :Cake ; rdfs:label "Plum Ring" ; :price 14.5 ; :weight 900 . :b a :Cake ; rdfs:label "Nut Ring" ; :price 12.0 ; :weight 700 ."#,
    );
    graph.answers(
        "en",
        &[("How much is the Plum Ring?", &["14.5"]), ("How much are the cakes?", &["12", "14.5"])],
    );
    graph.answers("it", &[("Quanto costa Plum Ring?", &["14.5"])]);
    graph.answers(
        "en",
        &[("How many cakes are there?", &["2"]), ("How much does the Plum Ring weigh?", &["900"])],
    );
}

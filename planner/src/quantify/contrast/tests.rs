//! Things done with one object and never with another.

use crate::tests::graph::Graph;

const CANTEEN: &str = r#"
:Guest rdfs:label "guest"@en . :Order rdfs:label "order"@en . :Dish rdfs:label "dish"@en .
:guest rdfs:label "guest"@en . :dish rdfs:label "dish"@en .
:ada a :Guest ; rdfs:label "Ada Lind" . :bo a :Guest ; rdfs:label "Bo Rask" . :cy a :Guest ; rdfs:label "Cy Holm" .
:soup a :Dish ; rdfs:label "Soup" . :stew a :Dish ; rdfs:label "Stew" .
:o1 a :Order ; :guest :ada ; :dish :soup . :o2 a :Order ; :guest :ada ; :dish :stew .
:o3 a :Order ; :guest :bo ; :dish :soup . :o4 a :Order ; :guest :cy ; :dish :stew .
:o5 a :Order ; :guest :bo ; :dish :soup .
"#;

#[test]
fn what_somebody_never_did_is_left_out_over_all_that_they_did() {
    let graph = Graph::of(CANTEEN);
    assert_eq!(graph.ask("Which guests ordered Soup but not Stew?", "en"), ["bo"]);
    assert_eq!(graph.ask("Which guests ordered Stew but not Soup?", "en"), ["cy"]);
}

#[test]
fn of_the_deeds_themselves_each_is_looked_at_alone() {
    let graph = Graph::of(CANTEEN);
    assert_eq!(graph.ask("Which orders have the dish Soup but not Stew?", "en"), ["o1", "o3", "o5"]);
}

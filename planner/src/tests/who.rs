//! Agents: the one the property is named after, and nobody else who happens to be related.

use super::graph::Graph;
use crate::Confidence;

/// Mills with builders, millers and addresses.
const MILLS: &str = r#"
    :Mill rdfs:label "mill"@en . :Miller rdfs:label "miller"@en . :Workshop rdfs:label "workshop"@en . :builder rdfs:label "builder"@en .
    :headMiller rdfs:label "head miller"@en . :address rdfs:label "address"@en . :town rdfs:label "town"@en . :country rdfs:label "country"@en .
    :m1 a :Mill ; rdfs:label "Grey Mill" ; :builder :w1 ; :headMiller :p1 ; :address [ :town "Lorn" ] ; :country :no .
    :m2 a :Mill ; rdfs:label "Lee Mill" ; :builder :w2 ; :headMiller :p2 ; :address [ :town "Brae" ] ; :country :se .
    :w1 a :Workshop ; rdfs:label "Dale & Sons" . :w2 a :Workshop ; rdfs:label "Nym Ltd" .
    :p1 a :Miller ; rdfs:label "Ada Lund" . :p2 a :Miller ; rdfs:label "Per Holt" .
    :no rdfs:label "Norway" . :se rdfs:label "Sweden" .
    :Walker rdfs:label "walker"@en . :born rdfs:label "born"@en . :died rdfs:label "died"@en .
    :k1 a :Walker ; rdfs:label "Ina Vik" ; :born "1900-05-01"^^xsd:date ; :died "1950-03-01"^^xsd:date .
"#;

#[test]
fn who_built_it_is_the_builder() {
    let graph = Graph::of(MILLS);
    assert_eq!(graph.ask("Who built Grey Mill?", "en"), ["w1"]);
    assert_eq!(graph.confidence("Who built Grey Mill?", "en"), Confidence::Sure);
}

#[test]
fn who_owns_it_is_not_whoever_is_there() {
    assert_ne!(Graph::of(MILLS).confidence("Who owns Grey Mill?", "en"), Confidence::Sure);
}

#[test]
fn a_town_within_an_address_and_a_country_are_where_something_is() {
    let graph = Graph::of(MILLS);
    for (question, rows) in
        [("In which town is Lee Mill?", vec!["Brae"]), ("Which mills are in Norway?", vec!["m1"])]
    {
        assert_eq!(graph.ask(question, "en"), rows, "{question}");
        assert_eq!(graph.confidence(question, "en"), Confidence::Sure, "{question}");
    }
}

#[test]
fn an_age_then_is_not_in_doubt_for_the_age_today() {
    let graph = Graph::of(MILLS);
    let question = "How old was Ina Vik when she died?";
    assert_eq!(graph.ask(question, "en"), ["49"]);
    assert_eq!(graph.confidence(question, "en"), Confidence::Sure);
    let today = "SELECT (YEAR(NOW()) - YEAR(?b) AS ?n) { :k1 :born ?b ; :died ?d }";
    assert!(!graph.ledger(question, today).is_full());
}

//! Members without something.

use crate::tests::graph::{Graph, HARBOURS};

/// Roads lead from village to village; villages, mills and wells are all places.
const VILLAGES: &str = r#"
:Village rdfs:label "village"@en ; rdfs:subClassOf :Place . :Mill rdfs:label "mill"@en ; rdfs:subClassOf :Place .
:Well rdfs:label "well"@en ; rdfs:subClassOf :Place . :Place rdfs:label "place"@en .
:leadsTo rdfs:label "leads to"@en . :standsIn rdfs:label "stands in"@en .
:alm a :Village ; rdfs:label "Alm" ; :leadsTo :bro, :cor . :bro a :Village ; rdfs:label "Bro" ; :leadsTo :alm, :dun .
:cor a :Village ; rdfs:label "Cor" ; :leadsTo :alm . :dun a :Village ; rdfs:label "Dun" ; :leadsTo :bro .
:m1 a :Mill ; rdfs:label "Old Wheel" ; :standsIn :alm . :m2 a :Mill ; rdfs:label "New Wheel" ; :standsIn :cor .
:w1 a :Well ; rdfs:label "Deep One" ; :standsIn :dun .
"#;

#[test]
fn classes_are_joined_by_what_leads_to_them_and_not_only_to_classes_above() {
    let graph = Graph::of(VILLAGES);
    assert_eq!(graph.ask("Which villages have no mill?", "en"), ["bro", "dun"]);
    assert_eq!(graph.ask("Which villages have a well?", "en"), ["dun"]);
    assert_eq!(graph.ask("Which villages lead to no village?", "en"), [""; 0]);
}

#[test]
fn whoever_lacks_something_is_asked_for() {
    let graph = Graph::of(HARBOURS);
    graph.answers("en", &[("Which ships have no captain?", &["plover"])]);
}

//! Owners of something, and what they own.

use crate::tests::graph::Graph;

const FAMILY: &str = r#"
:Person rdfs:label "person"@en . :child rdfs:label "child"@en .
:ada a :Person ; rdfs:label "Ada Lind" ; :child :bo , :cy . :bo a :Person ; rdfs:label "Bo Lind" ; :child :di .
:cy a :Person ; rdfs:label "Cy Lind" . :di a :Person ; rdfs:label "Di Lind" .
"#;

#[test]
fn who_has_some_is_asked_for() {
    let graph = Graph::of(FAMILY);
    graph.answers("en", &[("Who has children?", &["ada", "bo"])]);
}

#[test]
fn what_somebody_has_is_asked_for() {
    let graph = Graph::of(FAMILY);
    graph.answers("en", &[("Who are the children of Ada Lind?", &["bo", "cy"])]);
}

//! Those that have one thing and no other, and those that have it.

use crate::tests::graph::Graph;

const CHOIR: &str = r#"
:Singer rdfs:label "singer"@en . :Composer rdfs:label "composer"@en . :sings rdfs:label "sings"@en .
:ida a :Singer ; rdfs:label "Ida Noll" ; :sings :reger . :jon a :Singer ; rdfs:label "Jon Reyl" ; :sings :reger , :schein .
:reger a :Composer ; rdfs:label "Reger" . :schein a :Composer ; rdfs:label "Schein" .
"#;

#[test]
fn only_means_no_other() {
    let graph = Graph::of(CHOIR);
    graph.answers("en", &[("Which singers sing only Reger?", &["ida"])]);
}

#[test]
fn without_the_word_others_do_not_matter() {
    let graph = Graph::of(CHOIR);
    graph.answers("en", &[("Which singers sing Reger?", &["ida", "jon"])]);
}

//! All, most and none, in yes/no questions and in others.

use crate::tests::graph::{Graph, HARBOURS};

#[test]
fn all_and_most_are_compared_with_the_whole() {
    let graph = Graph::of(HARBOURS);
    graph.answers("en", &[("Are all ships insured?", &["false"]), ("Are most ships insured?", &["true"])]);
}

#[test]
fn all_in_another_question_adds_nothing() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "en",
        &[
            ("Show all ships that are insured", &["osprey", "petrel", "plover"]),
            ("Is the Petrel insured?", &["true"]),
        ],
    );
}

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

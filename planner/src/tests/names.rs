//! Names: their spelling, and which of several things of one name is meant.

use crate::Confidence;
use crate::tests::graph::{Graph, LIBRARY};

#[test]
fn names_in_lower_case_are_names_where_the_graph_or_the_whole_question_writes_so() {
    let graph = r#"
@prefix : <http://valleys.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:mills a rdfs:Class . :valleys a rdfs:Class . :wheels rdfs:label "wheels" . :ref-valley rdfs:label "ref-valley" . :valleyname rdfs:label "valleyname" .
:m1 a :mills ; :wheels 3 ; :ref-valley :v1 . :m2 a :mills ; :wheels 5 ; :ref-valley :v1 . :m3 a :mills ; :wheels 4 ; :ref-valley :v2 .
:v1 a :valleys ; :valleyname "underhill" . :v2 a :valleys ; :valleyname "Overlea" .
"#;
    let graph = Graph::of(graph);
    for (question, wanted) in [
        ("How many mills are there in underhill?", "2"),
        ("how many mills are there in overlea?", "1"),
        ("How many mills are there in Overlea?", "1"),
    ] {
        assert_eq!(graph.ask(question, "en"), [wanted], "{question}");
    }
}

#[test]
fn names_of_initials() {
    let graph = Graph::of(LIBRARY);
    graph.answers("en", &[("What is the number of words per minute of the writer Moss?", &["70"])]);
}

#[test]
fn a_word_that_is_the_name_of_a_class_is_not_taken_for_its_relatives() {
    let graph = r#"
@prefix : <http://peaks.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:Mountain rdfs:label "mountain"@en . :Mountaineer rdfs:label "mountaineer"@en . :Country rdfs:label "country"@en .
:height rdfs:label "height"@en . :climber rdfs:label "climber"@en . :country rdfs:label "in country"@en .
:m1 a :Mountain ; rdfs:label "Kelt"@en ; :height 900 ; :country :c1 . :m2 a :Mountain ; rdfs:label "Orn"@en ; skos:altLabel "The Horn"@en ; :country :c2 .
:p1 a :Mountaineer ; rdfs:label "Eva Lind"@en ; :country :c1 . :p2 a :Mountaineer ; rdfs:label "Jo Berg"@en ; :country :c2 .
:c1 a :Country ; rdfs:label "Iceland"@en , "Island"@de . :c2 a :Country ; rdfs:label "Norway"@en , "Norwegen"@de .
"#;
    let graph = Graph::of(graph);
    for (question, wanted) in [
        ("Which mountains are in Norway?", vec!["m2"]),
        ("Which mountaineers are in Iceland?", vec!["p1"]),
        ("Which mountains have no height?", vec!["m2"]),
    ] {
        assert_eq!(graph.ask(question, "en"), wanted, "{question}");
    }
    // German for Iceland, but a common noun here.
    let found = graph.ask("What is the largest island?", "en");
    assert!(!found.iter().any(|row| row == "m1" || row == "p1"), "{found:?}");
}

#[test]
fn an_answer_for_one_of_several_namesakes_is_no_more_likely_than_any_of_them() {
    let song =
        |number: usize| format!(":s{number} a :Song ; rdfs:label 'Tides' ; :year {} .\n", 1990 + number);
    let graph = |songs: usize| {
        let prefixes =
            "@prefix : <http://songs.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n";
        Graph::of(&(0..songs).map(song).fold(prefixes.to_owned(), |all, one| all + &one))
    };
    let question = "What is the year of Tides?";
    assert_eq!(graph(1).confidence(question, "en"), Confidence::Sure);
    assert_eq!(graph(3).confidence(question, "en"), Confidence::Guess);
}

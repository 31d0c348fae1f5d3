//! People: titles, ages, what "which" asks for, and function words of other languages.

use super::graph::Graph;
use crate::Confidence;

const CLINIC: &str = r#"
:Doctor a rdfs:Class ; rdfs:label "doctor"@en . :Patient a rdfs:Class ; rdfs:label "patient"@en . :Ward a rdfs:Class ; rdfs:label "ward"@en .
:Town a rdfs:Class ; rdfs:label "town"@en .
:born rdfs:label "birth date"@en . :died rdfs:label "death date"@en . :birthPlace rdfs:label "birth place"@en . :deathPlace rdfs:label "death place"@en .
:worksIn rdfs:label "works in"@en . :site rdfs:label "located in"@en . :floor rdfs:label "floor"@en .
:d1 a :Doctor ; rdfs:label "Dr. Ada Lind"@en ; :born "1960-03-01"^^xsd:date ; :worksIn :w1 ; :birthPlace :t1 .
:p1 a :Patient ; rdfs:label "Ada Lind"@en ; :born "1990-05-05"^^xsd:date ; :birthPlace :t2 .
:d2 a :Doctor ; rdfs:label "Dr. Bo Kern"@en ; :born "1950-06-30"^^xsd:date ; :died "2010-06-29"^^xsd:date ; :worksIn :w2 ; :birthPlace :t1 ; :deathPlace :t2 .
:w1 a :Ward ; rdfs:label "Cardiology"@en ; :site "Main Building" ; :floor 2 .
:w3 a :Ward ; rdfs:label "Radiology"@en .
:w2 a :Ward ; rdfs:label "Surgery"@en ; :site "Garden House" ; :floor 1 .
:t1 a :Town ; rdfs:label "Ulm"@en . :t2 a :Town ; rdfs:label "Bern"@en .
"#;

fn answers(questions: &[(&str, &str, &[&str])]) {
    let graph = Graph::of(CLINIC);
    for (question, language, wanted) in questions {
        assert_eq!(graph.ask(question, language), *wanted, "{question}");
    }
}

#[test]
fn a_title_is_part_of_a_name_that_has_it() {
    answers(&[
        ("When was Dr. Ada Lind born?", "en", &["1960-03-01"]),
        ("When was Ada Lind born?", "en", &["1990-05-05"]),
        ("When was Bo Kern born?", "en", &["1950-06-30"]),
    ]);
}

#[test]
fn who_has_died_was_as_old_as_then() {
    answers(&[("How old was Dr. Bo Kern?", "en", &["59"]), ("Wie alt wurde Bo Kern?", "de", &["59"])]);
    // Somebody who has not died gets older every year.
    let graph = Graph::of(CLINIC);
    assert!(graph.ask("How old is Ada Lind?", "en")[0].parse::<u32>().unwrap() >= 36);
}

#[test]
fn a_word_that_only_another_language_leaves_out_says_something() {
    answers(&[("Where did Bo Kern die?", "en", &["t2"]), ("Wo wurde die Bo Kern geboren?", "de", &["t1"])]);
}

#[test]
fn what_which_asks_for_is_a_kind_and_no_name() {
    let graph = Graph::of(CLINIC);
    let question = "In which building is the ward where Dr. Bo Kern works?";
    let found = graph.ask(question, "en");
    assert!(found == ["Garden House"] || graph.confidence(question, "en") != Confidence::Sure, "{found:?}");
    assert_eq!(graph.ask("Which ward is in the Main Building?", "en"), ["w1"]);
}

#[test]
fn things_are_not_compared_by_what_one_of_them_lacks() {
    let graph = Graph::of(CLINIC);
    let sure = |question: &str, language: &str| graph.confidence(question, language) == Confidence::Sure;
    assert_eq!(graph.ask("Who is older, Dr. Ada Lind or Dr. Bo Kern?", "en"), ["d2"]);
    assert!(!sure("Which is on a higher floor, Cardiology or Radiology?", "en"));
    assert!(!sure("Is Cardiology on a higher floor than Radiology?", "en"));
    assert!(sure("Which is on a higher floor, Cardiology or Surgery?", "en"));
    assert!(!sure("¿Cuánto pesa la doctora Ada Lind?", "es"));
}

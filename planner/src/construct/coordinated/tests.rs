//! Two questions in one: both are answered, or the omitted one lowers the confidence.

use crate::Confidence;
use crate::tests::graph::Graph;

const STABLE: &str = r#"
:Horse a rdfs:Class ; rdfs:label "horse"@en , "Pferd"@de .
:Rider a rdfs:Class ; rdfs:label "rider"@en , "Reiter"@de .
:Barn a rdfs:Class ; rdfs:label "barn"@en , "Scheune"@de .
:birthDate rdfs:label "birth date"@en , "Geburtsdatum"@de . :weight rdfs:label "weight"@en , "Gewicht"@de .
:mother rdfs:label "mother"@en , "Mutter"@de . :barn rdfs:label "barn"@en , "Scheune"@de .
:rider rdfs:label "rider"@en , "Reiter"@de . :diet rdfs:label "diet"@en .
:area rdfs:label "area"@en . :inhabitants rdfs:label "inhabitants"@en .
:h1 a :Horse ; rdfs:label "Bella" ; :birthDate "2010-04-01"^^xsd:date ; :weight 480 ; :barn :b1 ; :rider :r1 .
:h2 a :Horse ; rdfs:label "Castor" ; :birthDate "2016-06-12"^^xsd:date ; :weight 510 ; :barn :b2 ; :mother :h1 .
:h3 a :Horse ; rdfs:label "Dorado" ; :birthDate "2018-09-30"^^xsd:date ; :weight 395 ; :barn :b1 ; :mother :h1 .
:r1 a :Rider ; rdfs:label "Nora Feld" ; :birthDate "1990-01-05"^^xsd:date . :r2 a :Rider ; rdfs:label "Otto Berg" .
:b1 a :Barn ; rdfs:label "North Barn" ; :area 300 . :b2 a :Barn ; rdfs:label "South Barn" ; :area 250 .
"#;

fn answers(questions: &[(&str, &str, &[&str])]) {
    let graph = Graph::of(STABLE);
    for (question, language, wanted) in questions {
        assert_eq!(graph.ask(question, language), *wanted, "{question}");
    }
}

#[test]
fn two_attributes_of_one_thing_are_one_row() {
    answers(&[
        ("When was Castor born and how much does he weigh?", "en", &["2016-06-12 510"]),
        ("Who is the mother of Castor and in which barn does Castor live?", "en", &["h1 b2"]),
        ("Wer ist die Mutter von Castor und in welcher Scheune lebt Castor?", "de", &["h1 b2"]),
        ("Which horses have the mother Bella and how heavy are they?", "en", &["h2 510", "h3 395"]),
        ("What is the weight of Dorado, and what is its birth date?", "en", &["395 2018-09-30"]),
    ]);
}

#[test]
fn one_attribute_or_two_things_are_no_halves() {
    answers(&[
        ("When was Castor born?", "en", &["2016-06-12"]),
        ("What is the weight of Castor and Dorado?", "en", &["395", "510"]),
        ("Which horses have the mother Bella and weigh more than 400?", "en", &["h2"]),
    ]);
}

#[test]
fn a_half_or_a_verb_without_a_place_takes_confidence_away() {
    let graph = Graph::of(STABLE);
    let sure = |question: &str| graph.confidence(question, "en") == Confidence::Sure;
    assert!(sure("What is the weight of Castor?"));
    assert!(!sure("What is the weight of Castor and who shot the sheriff?"));
    assert!(!sure("What do the horses neigh?"));
}

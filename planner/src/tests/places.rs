//! Places and what is in them: ways that end at the very thing, and conditions of what the question asks for rather than of something
//! else.

use super::graph::Graph;
use crate::Confidence;

const LAND: &str = r#"
:Lake a rdfs:Class ; rdfs:label "lake"@en . :River a rdfs:Class ; rdfs:label "river"@en . :Land a rdfs:Class ; rdfs:label "country"@en .
:Continent a rdfs:Class ; rdfs:label "continent"@en . :Town a rdfs:Class ; rdfs:label "town"@en . :Hall a rdfs:Class ; rdfs:label "hall"@en .
:Concert a rdfs:Class ; rdfs:label "concert"@en . :Singer a rdfs:Class ; rdfs:label "singer"@en . :Person a rdfs:Class ; rdfs:label "person"@en .
:Singer rdfs:subClassOf :Person .
:inCountry rdfs:label "located in country"@en . :continent rdfs:label "continent"@en . :area rdfs:label "area"@en . :length rdfs:label "length"@en .
:founded rdfs:label "founding year"@en . :independent rdfs:label "independence date"@en . :capital rdfs:label "capital"@en .
:inhabitants rdfs:label "inhabitants"@en . :town rdfs:label "town"@en . :hall rdfs:label "hall"@en . :singer rdfs:label "singer"@en .
:birthPlace rdfs:label "birth place"@en .
:vast a :Continent ; rdfs:label "Vast"@en . :slim a :Continent ; rdfs:label "Slim"@en .
:aland a :Land ; rdfs:label "Aland"@en ; :continent :vast ; :area 900 ; :inhabitants 9000 ; :independent "1960-01-01"^^xsd:date ; :capital :atown .
:bland a :Land ; rdfs:label "Bland"@en ; :continent :slim ; :area 500 ; :inhabitants 40 ; :independent "1890-01-01"^^xsd:date ; :capital :btown .
:cland a :Land ; rdfs:label "Cland"@en ; :continent :vast ; :area 700 ; :inhabitants 7000 ; :independent "1901-01-01"^^xsd:date ; :capital :ctown .
:atown a :Town ; rdfs:label "Atown"@en ; :inCountry :aland ; :founded 1200 ; :inhabitants 300 .
:btown a :Town ; rdfs:label "Btown"@en ; :inCountry :bland ; :founded 1970 ; :inhabitants 30 .
:ctown a :Town ; rdfs:label "Ctown"@en ; :inCountry :cland ; :founded 1500 ; :inhabitants 5000 .
:dtown a :Town ; rdfs:label "Dtown"@en ; :inCountry :cland ; :founded 1800 ; :inhabitants 10 .
:l1 a :Lake ; rdfs:label "Deep Lake"@en ; :inCountry :aland ; :area 20 . :l2 a :Lake ; rdfs:label "Long Lake"@en ; :inCountry :bland ; :area 90 .
:l3 a :Lake ; rdfs:label "Blue Lake"@en ; :inCountry :cland ; :area 60 .
:r1 a :River ; rdfs:label "Arna"@en ; :inCountry :aland ; :length 100 . :r2 a :River ; rdfs:label "Bela"@en ; :inCountry :bland ; :length 300 .
:h1 a :Hall ; rdfs:label "Old Hall"@en ; :town :atown . :h2 a :Hall ; rdfs:label "New Hall"@en ; :town :btown .
:c1 a :Concert ; rdfs:label "Opening"@en ; :hall :h1 ; :singer :s1 . :c2 a :Concert ; rdfs:label "Finale"@en ; :hall :h2 ; :singer :s2 .
:s1 a :Singer ; rdfs:label "Ida Noll"@en ; :birthPlace :btown . :s2 a :Singer ; rdfs:label "Jon Reyl"@en ; :birthPlace :atown .
:s3 rdfs:label "Kim Bahr"@en ; :birthPlace :ctown .
"#;

fn answers(questions: &[(&str, &[&str])]) {
    let graph = Graph::of(LAND);
    for (question, wanted) in questions {
        assert_eq!(graph.ask(question, "en"), *wanted, "{question}");
    }
}

#[test]
fn ways_end_with_a_step_that_the_named_thing_has() {
    answers(&[
        ("What is the largest lake in Vast?", &["l3"]),
        ("What is the longest river in Slim?", &["r2"]),
        ("Which lakes are in Vast?", &["l1", "l3"]),
        ("Which lakes are in Bland?", &["l2"]),
    ]);
}

#[test]
fn in_a_place_is_by_places_rather_than_by_people() {
    answers(&[
        ("Which concerts are in Atown?", &["c1"]),
        ("Show me the concerts in Btown", &["c2"]),
        ("Which concerts have a singer born in Atown?", &["c2"]),
    ]);
}

#[test]
fn capitals_with_many_inhabitants_have_them_themselves() {
    answers(&[
        ("Which capitals have more than 1000 inhabitants?", &["ctown"]),
        ("What are the inhabitants of the capital of Aland?", &["300"]),
        ("What is the capital of Cland?", &["ctown"]),
    ]);
}

#[test]
fn the_largest_country_is_a_country_by_its_area() {
    answers(&[("What is the second largest country in Vast?", &["cland"])]);
}

#[test]
fn what_countries_do_not_have_is_not_taken_from_their_towns_for_sure() {
    let graph = Graph::of(LAND);
    let question = "Which countries were founded after 1950?";
    let sure = graph.confidence(question, "en") == Confidence::Sure;
    assert!(!sure || graph.ask(question, "en") == ["aland"], "{:?}", graph.ask(question, "en"));
    assert_eq!(graph.ask("Which towns were founded after 1950?", "en"), ["btown"]);
}

#[test]
fn what_nothing_is_said_of_is_not_of_a_class_that_is_asked_for() {
    answers(&[
        ("Which country was Kim Bahr born in?", &["cland"]),
        ("Where was Kim Bahr born?", &["ctown"]),
        ("In which town was Ida Noll born?", &["btown"]),
    ]);
}

//! Periods, and numbers that are not periods.

use crate::tests::graph::{Graph, HARBOURS};

#[test]
fn years_of_few_digits_are_years_behind_a_preposition_of_time() {
    let graph = Graph::of(
        r#"
:Poet rdfs:label "poet"@en, "Dichter"@de . :birth rdfs:label "birth year"@en, "Geburtsjahr"@de . :death rdfs:label "death year"@en .
:a a :Poet ; rdfs:label "Aper" ; :birth "-0062"^^xsd:gYear ; :death "0014"^^xsd:gYear . :b a :Poet ; rdfs:label "Balbus" ; :birth "0012"^^xsd:gYear ; :death "0041"^^xsd:gYear .
"#,
    );
    graph.answers(
        "en",
        &[
            ("Which poets died after 37?", &["b"]),
            ("Which poets were born before Christ?", &["a"]),
            ("How old was Aper when he died?", &["76"]),
        ],
    );
    graph.answers("de", &[("Welche Dichter wurden vor Christus geboren?", &["a"])]);
}

#[test]
fn a_time_that_no_word_names_is_one_that_members_have() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "en",
        &[
            ("ships launched in May", &["petrel", "plover"]),
            ("ships launched in 1999", &["osprey", "tern"]),
            ("ships launched in March", &[]),
        ],
    );
}

#[test]
fn a_number_of_a_measure_is_no_year() {
    let graph = Graph::of(HARBOURS);
    graph.answers("en", &[("ships with a tonnage over 1999", &["osprey", "petrel", "tern"])]);
}

#[test]
fn where_something_is_comes_before_where_something_was_done() {
    let graph = Graph::of(
        r#":Lamp rdfs:label "lamp"@en . :Place rdfs:label "place"@en . :Room rdfs:label "room"@en .
        :placeMade rdfs:label "place made"@en ; rdfs:range :Place . :room rdfs:label "room"@en ; rdfs:range :Room .
        :a a :Lamp ; rdfs:label "Arc" ; :placeMade :p ; :room :r . :p a :Place ; rdfs:label "Arlen" . :r a :Room ; rdfs:label "Red Room" ."#,
    );
    graph.answers("en", &[("Where is Arc?", &["r"]), ("Where was Arc made?", &["p"])]);
}

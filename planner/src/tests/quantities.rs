//! Amounts per thing, orders of all rows, flags and numbers with "have", unknown names.

use super::graph::Graph;
use crate::Confidence;

/// A camp: tents with places, guests who pay bills, guides who were trained by others.
const CAMP: &str = r#"
:Tent a rdfs:Class ; rdfs:label "tent"@en , "Zelt"@de . :Guest a rdfs:Class ; rdfs:label "guest"@en , "Gast"@de .
:Bill a rdfs:Class ; rdfs:label "bill"@en , "Rechnung"@de . :Guide a rdfs:Class ; rdfs:label "guide"@en .
:places rdfs:label "places"@en . :heated rdfs:label "heated"@en . :stove rdfs:label "stove"@en . :free rdfs:label "free places"@en .
:payer rdfs:label "payer"@en . :amount rdfs:label "amount"@en , "Betrag"@de . :born rdfs:label "born"@en . :wage rdfs:label "wage"@en .
:red a :Tent ; rdfs:label "Red Tent" ; :places 4 ; :stove true ; :free 0 . :blue a :Tent ; rdfs:label "Blue Tent" ; :places 8 ; :stove false ; :free 3 .
:grey a :Tent ; rdfs:label "Grey Tent" ; :places 6 ; :stove true ; :free 2 .
:ann a :Guest ; rdfs:label "Ann" ; :born "1990-02-01"^^xsd:date ; :wage 50 . :bob a :Guest ; rdfs:label "Bob" ; :born "1970-03-01"^^xsd:date ; :wage 30 .
:b1 a :Bill ; :payer :ann ; :amount 10 . :b2 a :Bill ; :payer :ann ; :amount 25 . :b3 a :Bill ; :payer :bob ; :amount 20 .
"#;

#[test]
fn of_several_amounts_of_each_their_sum_is_asked() {
    let graph = Graph::of(CAMP);
    assert_eq!(graph.ask("How much did each guest pay?", "en"), ["ann 35", "bob 20"]);
    // A single number per thing is not summed.
    assert_eq!(graph.ask("How many places does each tent have?", "en"), ["blue 8", "grey 6", "red 4"]);
}

#[test]
fn first_behind_an_adjective_sorts_all_rows() {
    let graph = Graph::of(CAMP);
    assert_eq!(graph.rows("List the tents by places, largest first.", "en"), ["blue", "grey", "red"]);
    assert_eq!(graph.rows("List the guests, youngest first.", "en"), ["ann", "bob"]);
    assert_eq!(graph.rows("List the guests by born, oldest first.", "en"), ["bob", "ann"]);
    // Only the largest one.
    assert_eq!(graph.rows("Which tent has the largest number of places?", "en"), ["blue"]);
}

#[test]
fn flags_and_numbers_are_had_where_there_is_some() {
    let graph = Graph::of(CAMP);
    assert_eq!(graph.ask("Does the Blue Tent have a stove?", "en"), ["false"]);
    assert_eq!(graph.ask("Does the Red Tent have a stove?", "en"), ["true"]);
    assert_eq!(graph.ask("Do all tents have a stove?", "en"), ["false"]);
    assert_eq!(graph.ask("Which tents have no free places?", "en"), ["red"]);
    assert_eq!(graph.ask("Which tents have a stove?", "en"), ["grey", "red"]);
}

#[test]
fn a_name_that_nothing_bears_is_not_there() {
    let graph = Graph::of(CAMP);
    assert_eq!(graph.ask("Is there a tent called Black Tent?", "en"), ["false"]);
    assert_eq!(graph.ask("Is there a tent called Grey Tent?", "en"), ["true"]);
    assert_eq!(graph.confidence("Is there a tent called Grey Tent?", "en"), Confidence::Sure);
}

#[test]
fn what_lies_between_two_numbers_is_asked_in_several_ways() {
    let graph = Graph::of(CAMP);
    assert_eq!(graph.ask("How much more does Ann earn than Bob?", "en"), ["20"]);
    assert_eq!(graph.ask("What is the wage difference between Ann and Bob?", "en"), ["20"]);
    assert_eq!(graph.ask("How much does Ann earn?", "en"), ["50"]);
}

#[test]
fn numbers_bound_what_is_asked_for_and_not_the_one_thing_that_is_named() {
    let graph = Graph::of(
        r#"
        :Inn rdfs:label "inn"@en . :Valley rdfs:label "valley"@en . :guests rdfs:label "guests"@en . :lies rdfs:label "lies in"@en .
        :oberau a :Valley ; rdfs:label "Oberau" ; :guests 900 .
        :stag a :Inn ; rdfs:label "The Stag" ; :lies :oberau ; :guests 40 .
        :swan a :Inn ; rdfs:label "The Swan" ; :lies :oberau ; :guests 90 .
        "#,
    );
    // Both inns are in a valley with more guests than that.
    assert_eq!(graph.rows("Which inns in Oberau have more than 50 guests?", "en"), ["swan"]);
    assert_eq!(graph.rows("Which inns in Oberau have more than 20 guests?", "en").len(), 2);
    // For the thing itself, the number is a bound.
    assert_eq!(graph.ask("Does Oberau have more than 500 guests?", "en"), ["true"]);
}

//! Agents and patients, in the passive, under negation and with "nobody"; every member of a set after a preposition.

use super::graph::Graph;
use crate::{Confidence, Doubt};

/// A stage: players who admire others, were trained by others, and appear in plays.
const STAGE: &str = r#"
:Player a rdfs:Class ; rdfs:label "player"@en , "Spieler"@de . :Play a rdfs:Class ; rdfs:label "play"@en , "Stück"@de .
:admires rdfs:label "admires"@en , "bewundert"@de . :trainedBy rdfs:label "trained by"@en . :performedBy rdfs:label "performed by"@en .
:supplierOf rdfs:label "supplier of"@en . :mentors rdfs:label "mentors"@en .
:ada a :Player ; rdfs:label "Ada Lund" ; :admires :bo ; :mentors :bo .
:bo a :Player ; rdfs:label "Bo Kern" ; :trainedBy :ada ; :admires :cy ; :supplierOf :cy .
:cy a :Player ; rdfs:label "Cy Moor" ; :trainedBy :ada .
:night a :Play ; rdfs:label "Night" ; :performedBy :ada , :bo . :day a :Play ; rdfs:label "Day" ; :performedBy :ada .
"#;

#[test]
fn nobody_may_do_or_suffer_it() {
    let graph = Graph::of(STAGE);
    assert_eq!(graph.ask("Who admires nobody?", "en"), ["cy"]);
    assert_eq!(graph.ask("Who is admired by nobody?", "en"), ["ada"]);
    assert_eq!(graph.ask("Which players have trained nobody?", "en"), ["bo", "cy"]);
    assert_eq!(graph.ask("Which players were trained by nobody?", "en"), ["ada"]);
    assert_eq!(graph.ask("Wer bewundert niemanden?", "de"), ["cy"]);
    assert_eq!(graph.ask("Who admires Cy Moor?", "en"), ["bo"]);
}

#[test]
fn yes_or_no_keeps_the_direction() {
    let graph = Graph::of(STAGE);
    assert_eq!(graph.ask("Does Ada Lund admire Bo Kern?", "en"), ["true"]);
    assert_eq!(graph.ask("Does Bo Kern admire Ada Lund?", "en"), ["false"]);
    assert_eq!(graph.ask("Was Bo Kern trained by Ada Lund?", "en"), ["true"]);
    assert_eq!(graph.ask("Was Ada Lund trained by Bo Kern?", "en"), ["false"]);
    assert_eq!(graph.ask("Is Bo Kern admired by Ada Lund?", "en"), ["true"]);
    assert_eq!(graph.ask("Is Ada Lund admired by Bo Kern?", "en"), ["false"]);
}

#[test]
fn whom_something_is_done_to_is_not_who_does_it() {
    let graph = Graph::of(STAGE);
    assert_eq!(graph.ask("Whom does Bo Kern admire?", "en"), ["cy"]);
    assert_eq!(graph.ask("Wen bewundert Bo Kern?", "de"), ["cy"]);
    assert_eq!(graph.ask("Wer bewundert Bo Kern?", "de"), ["ada"]);
}

#[test]
fn who_has_a_supplier_is_supplied() {
    let graph = Graph::of(STAGE);
    assert_eq!(graph.ask("Who has no supplier?", "en"), ["ada", "bo"]);
    assert_eq!(graph.ask("Is Bo Kern a supplier of Cy Moor?", "en"), ["true"]);
    assert_eq!(graph.ask("Is Cy Moor a supplier of Bo Kern?", "en"), ["false"]);
}

#[test]
fn every_one_is_reached_behind_a_preposition() {
    let graph = Graph::of(STAGE);
    assert_eq!(graph.ask("Which player performed in every play?", "en"), ["ada"]);
    assert_eq!(graph.confidence("Which player performed in every play?", "en"), Confidence::Sure);
    assert_eq!(graph.ask("Which players performed in Night?", "en"), ["ada", "bo"]);
}

#[test]
fn a_passive_that_is_turned_round_is_a_doubt() {
    let graph = Graph::of(STAGE);
    let turned = |question: &str, query: &str| {
        graph.ledger(question, query).doubts.iter().any(|doubt| matches!(doubt, Doubt::Turned(_)))
    };
    let question = "Was Bo Kern admired by Ada Lund?";
    assert!(turned(question, "ASK { :bo :admires :ada }"));
    assert!(!turned(question, "ASK { :ada :admires :bo }"));
}

#[test]
fn a_word_that_may_be_a_verb_or_several_persons_is_not_sure() {
    let graph = Graph::of(STAGE);
    assert_ne!(graph.confidence("Who has no mentor?", "en"), Confidence::Sure);
    assert_eq!(graph.confidence("Who mentors Bo Kern?", "en"), Confidence::Sure);
}

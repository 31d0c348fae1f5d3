//! Words of the house: with them a question is understood, and without them it is not.

use super::graph::Graph;

/// A shop with opaque names.
const SHOP: &str = r#"
:C1 rdfs:label "Debtor" . :C2 rdfs:label "Sale" . :C3 rdfs:label "Depot" .
:p1 rdfs:label "debit amount" . :p2 rdfs:label "by debtor" . :p3 rdfs:label "rank code" . :p4 rdfs:label "staff" .
:p5 rdfs:label "shelves" . :p6 rdfs:label "sent from" .
:d1 a :C1 ; rdfs:label "Alder Ltd" . :d2 a :C1 ; rdfs:label "Birch Ltd" . :d3 a :C1 ; rdfs:label "Cedar Ltd" .
:s1 a :C2 ; rdfs:label "S-1" ; :p1 300 ; :p2 :d1 ; :p3 "R9" ; :p6 :e1 .
:s2 a :C2 ; rdfs:label "S-2" ; :p1 500 ; :p2 :d2 ; :p3 "R1" ; :p6 :e2 .
:s3 a :C2 ; rdfs:label "S-3" ; :p1 200 ; :p2 :d2 ; :p3 "R9" ; :p6 :e2 .
:e1 a :C3 ; rdfs:label "North Yard" ; :p4 12 ; :p5 900 . :e2 a :C3 ; rdfs:label "South Yard" ; :p4 30 ; :p5 400 .
:e3 a :C3 ; rdfs:label "West Yard" ; :p4 5 ; :p5 600 ."#;

const SHOP_WORDS: &str = r#"
[[glossary]]
words = ["client", "account holder"]
class = ":C1"
[[glossary]]
words = ["Kunde"]
lang = "de"
class = ":C1"
[[glossary]]
words = ["turnover"]
property = ":p1"
[[glossary]]
words = ["headquarters", "the old place"]
thing = ":e2"
[[glossary]]
words = ["urgent"]
value = "R9"
property = ":p3"
[[glossary]]
words = ["big", "bigger", "biggest", "zorgiest"]
measure = ":p5"
of = ":C3"
[[glossary]]
words = ["smallest"]
measure = ":p5"
of = ":C3"
descending = false
"#;

/// Finds in a museum.
const FINDS: &str = r#"
:Find rdfs:label "find" . :made rdfs:label "date made" . :dug rdfs:label "date dug up" . :Hall rdfs:label "hall" . :in rdfs:label "shown in" .
:f1 a :Find ; rdfs:label "bronze owl" ; :made "0120-01-01"^^xsd:date ; :dug "1990-05-01"^^xsd:date ; :in :h1 .
:f2 a :Find ; rdfs:label "clay lamp" ; :made "0300-01-01"^^xsd:date ; :dug "1950-05-01"^^xsd:date ; :in :h1 .
:h1 a :Hall ; rdfs:label "Blue Hall" ."#;

const LOFTY: &str = "[[glossary]]\nwords = [\"lofty\", \"wan\"]\nmeasure = \":p5\"\n\
                     [[glossary]]\nwords = [\"luftig\"]\nlang = \"de\"\nmeasure = \":p5\"\n\
                     [[glossary]]\nwords = [\"petty\"]\nmeasure = \":p5\"\ndescending = false\n\
                     [[glossary]]\nwords = [\"dark\"]\nlang = \"fr\"\nmeasure = \":p5\"\n\
                     [[glossary]]\nwords = [\"story\"]\nclass = \":C1\"\n";

/// A works with classes that nothing is of, and things that are called like them.
const WORKS: &str = r#"
:C1 a rdfs:Class ; rdfs:label "Operative" . :C2 a rdfs:Class ; rdfs:label "Auxiliary" . :C3 rdfs:subClassOf :C2 ; a rdfs:Class ; rdfs:label "Temp" .
:Hall rdfs:label "hall" . :h1 a :Hall ; rdfs:label "Hall of the workers" ; rdfs:comment "for workers" . :h2 a :Hall ; rdfs:label "Small hall" ; :told "count all workers" . :told rdfs:label "told" . :made rdfs:label "made by" ."#;

const WORKS_WORDS: &str = "[[glossary]]\nwords = [\"worker\"]\nclass = \":C1\"\n[[glossary]]\nwords = [\"helper\"]\nclass = \":C2\"\n";

fn shop() -> Graph {
    Graph::of(SHOP).knowing(SHOP_WORDS)
}

#[test]
fn each_kind_of_word_is_understood_and_proven() {
    let (with, without) = (shop(), Graph::of(SHOP));
    for (question, language, rows) in [
        ("How many clients are there?", "en", &["3"][..]),
        ("How many account holders are there?", "en", &["3"]),
        ("Wie viele Kunden gibt es?", "de", &["3"]),
        ("What is the turnover of S-2?", "en", &["500"]),
        ("How many sales were sent from headquarters?", "en", &["2"]),
        ("Which sales are urgent?", "en", &["s1", "s3"]),
        ("Which depot is the biggest?", "en", &["e1"]),
        ("Which depot is the zorgiest?", "en", &["e1"]),
        ("Which depot is the smallest?", "en", &["e2"]),
    ] {
        assert_eq!(with.ask(question, language), rows, "{question} {:?}", with.evidence(question, language));
        assert!(with.is_sure(question, language), "{question} {:?}", with.evidence(question, language));
        assert!(!without.is_sure(question, language), "{question}");
    }
}

#[test]
fn the_ledger_names_the_glossary() {
    let graph = shop();
    for (question, said) in [
        ("How many clients are there?", "clients: glossary"),
        ("Which sales are urgent?", "urgent: glossary"),
        ("Which depot is the biggest?", "biggest: glossary"),
        ("How many sales were sent from headquarters?", "headquarters: glossary"),
    ] {
        let evidence = graph.evidence(question, "en");
        assert!(evidence.iter().any(|line| line == said), "{question} {evidence:?}");
    }
}

#[test]
fn words_of_another_language_are_not_taken() {
    let graph = shop();
    assert!(!graph.is_sure("How many Kunde are there?", "en"));
}

#[test]
fn a_preference_decides_between_properties_but_not_against_the_words() {
    let prefer = "[[glossary]]\nprefer = \":made\"\nover = [\":dug\"]\n";
    let (with, without) = (Graph::of(FINDS).knowing(prefer), Graph::of(FINDS));
    let other = Graph::of(FINDS).knowing("[[glossary]]\nprefer = \":dug\"\nover = [\":made\"]\n");
    let date = "What is the date of the bronze owl?";
    assert_eq!(with.ask(date, "en"), ["0120-01-01"], "{:?}", with.evidence(date, "en"));
    assert_eq!(other.ask(date, "en"), ["1990-05-01"], "{:?}", other.evidence(date, "en"));
    assert!(with.is_sure(date, "en") && !without.is_sure(date, "en"), "{:?}", with.evidence(date, "en"));
    let age = "How old is the bronze owl?";
    assert!(with.is_sure(age, "en") && !without.is_sure(age, "en"));
    let dug = "What is the date dug up of the bronze owl?";
    assert_eq!(with.ask(dug, "en"), ["1990-05-01"], "{:?}", with.evidence(dug, "en"));
    let made = "What is the date made of the bronze owl?";
    assert_eq!(other.ask(made, "en"), ["0120-01-01"], "{:?}", other.evidence(made, "en"));
}

#[test]
fn an_entry_for_a_class_counts_where_the_class_is_meant() {
    let words = "[[glossary]]\nwords = [\"age\"]\nproperty = \":made\"\nof = \":Find\"\n\
                 [[glossary]]\nwords = [\"place\"]\nproperty = \":in\"\nof = \":Hall\"\n";
    let graph = Graph::of(FINDS).knowing(words);
    let told = graph.evidence("What is the age of the find bronze owl?", "en");
    assert!(told.iter().any(|line| line == "age: glossary"), "{told:?}");
    let told = graph.evidence("What is the place of the find bronze owl?", "en");
    assert!(!told.iter().any(|line| line == "place: glossary"), "{told:?}");
}

#[test]
fn a_longer_name_of_the_graph_is_not_torn() {
    let graph = Graph::of(SHOP).knowing("[[glossary]]\nwords = [\"North\"]\nthing = \":e3\"\n");
    assert_eq!(graph.ask("What is the staff of North Yard?", "en"), ["12"]);
    assert_eq!(graph.ask("What is the staff of North?", "en"), ["5"]);
}

#[test]
fn scripts_without_spaces_and_inflected_languages_have_words_of_the_house_too() {
    let words = "[[glossary]]\nwords = [\"大客户\"]\nlang = \"zh\"\nclass = \":C1\"\n\
                 [[glossary]]\nwords = [\"покупатель\"]\nlang = \"ru\"\nclass = \":C1\"\n";
    let (with, without) = (Graph::of(SHOP).knowing(words), Graph::of(SHOP));
    for (question, language) in [("有多少大客户？", "zh"), ("Сколько покупателей?", "ru")]
    {
        assert_eq!(with.ask(question, language), ["3"], "{:?}", with.evidence(question, language));
        assert_ne!(without.ask(question, language), ["3"], "{question}");
    }
}

#[test]
fn degrees_of_a_measuring_word_are_understood_where_the_language_makes_them() {
    let (with, without) = (Graph::of(SHOP).knowing(LOFTY), Graph::of(SHOP));
    for (question, language, rows) in [
        ("Which depot is the loftiest?", "en", &["e1"][..]),
        ("Which depot is the wannest?", "en", &["e1"]),
        ("Which depots are loftier than South Yard?", "en", &["e1", "e3"]),
        ("Is North Yard loftier than West Yard?", "en", &["true"]),
        ("Which depot is the pettiest?", "en", &["e2"]),
        ("Which depots are pettier than North Yard?", "en", &["e2", "e3"]),
        ("Welches Depot ist das luftigste?", "de", &["e1"]),
        ("Welche Depots sind luftiger als South Yard?", "de", &["e1", "e3"]),
    ] {
        assert_eq!(with.ask(question, language), rows, "{question} {:?}", with.evidence(question, language));
        assert!(with.is_sure(question, language), "{question} {:?}", with.evidence(question, language));
        assert!(!without.is_sure(question, language), "{question}");
    }
}

#[test]
fn degrees_are_not_made_of_other_words_or_languages() {
    let graph = Graph::of(SHOP).knowing(LOFTY);
    for question in
        ["Which depot is the luftigste?", "Which depot is the darkest?", "How many storiest are there?"]
    {
        assert!(!graph.is_sure(question, "en"), "{question} {:?}", graph.evidence(question, "en"));
    }
}

#[test]
fn a_class_that_nothing_is_of_has_no_things() {
    let graph = Graph::of(WORKS).knowing(WORKS_WORDS);
    for question in [
        "How many workers are there?",
        "How many different worker are there?",
        "How many different Worker are there?",
        "How many helpers are there?",
    ] {
        assert_eq!(graph.ask(question, "en"), ["0"], "{question} {:?}", graph.evidence(question, "en"));
        assert!(graph.is_sure(question, "en"), "{question} {:?}", graph.evidence(question, "en"));
    }
    assert_eq!(graph.ask("Are there any workers?", "en"), ["false"]);
    assert!(graph.ask("Which workers are there?", "en").is_empty());
    assert_eq!(graph.ask("Which types of helpers are there?", "en"), ["C3"]);
}

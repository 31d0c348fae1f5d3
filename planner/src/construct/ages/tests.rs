//! Ages until today or until another time, and questions that ask for dates.

use crate::tests::graph::{Graph, HARBOURS};

#[test]
fn ages_are_counted_until_what_is_said() {
    let graph = Graph::of(HARBOURS);
    graph.answers(
        "en",
        &[
            ("How old was Ruth Vance when she died?", &["59"]),
            ("How old was Otto Brandt in 1982?", &["20"]),
            ("How old was Otto Brandt at the time of the Spring Cup?", &["38"]),
        ],
    );
}

const RULERS: &str = r#"
:Ruler rdfs:label "ruler"@en, "Herrscher"@de, "gobernante"@es, "souverain"@fr . :Mint rdfs:label "mint"@en . :Coin rdfs:label "coin"@en .
:birthYear rdfs:label "birth year"@en, "Geburtsjahr"@de, "año de nacimiento"@es, "année de naissance"@fr . :deathYear rdfs:label "death year"@en .
:founded rdfs:label "founded"@en . :output rdfs:label "output"@en . :date rdfs:label "date"@en .
:orin a :Ruler ; rdfs:label "Orin Vale" ; :birthYear 1950 ; :deathYear 2001 .
:pell a :Ruler ; rdfs:label "Pell Ward" ; :birthYear 1960 ; :deathYear 1999 . :quin a :Ruler ; rdfs:label "Quin Xan" ; :birthYear 1961 .
:east a :Mint ; rdfs:label "East Mint" ; :founded "1850"^^xsd:gYear ; :output 1200 . :west a :Mint ; rdfs:label "West Mint" ; :founded "1990-05"^^xsd:gYearMonth ; :output 1500 .
:c1 a :Coin ; rdfs:label "Obol" ; :date "-0043-03-15"^^xsd:date . :c2 a :Coin ; rdfs:label "Ducat" ; :date "1701"^^xsd:gYear .
:c3 a :Coin ; rdfs:label "Thaler" ; :date "1650-02"^^xsd:gYearMonth . :c4 a :Coin ; rdfs:label "Groat" ; :date "about 1650" .
"#;

#[test]
fn ages_are_told_from_years_and_months_alone() {
    let graph = Graph::of(RULERS);
    graph.answers(
        "en",
        &[
            ("How old was Orin Vale when he died?", &["51"]),
            ("Who lived the longest?", &["orin"]),
            ("Who is the oldest ruler?", &["orin"]),
            ("Which is the oldest mint?", &["east"]),
            ("Which mints are older than 100 years?", &["east"]),
            ("Which is the newest coin?", &["c2"]),
            ("Which is the oldest coin?", &["c1"]),
            ("Which coins date from before 1660?", &["c1", "c3"]),
        ],
    );
    for (language, question) in [
        ("en", "How old is Quin Xan?"),
        ("de", "Wie alt ist Quin Xan?"),
        ("es", "¿Qué edad tiene Quin Xan?"),
        ("fr", "Quel âge a Quin Xan ?"),
        ("en", "How old is the East Mint?"),
    ] {
        let found = graph.ask(question, language);
        let age = found.first().and_then(|age| age.parse::<i32>().ok());
        assert!(found.len() == 1 && age.is_some_and(|age| age > 60), "{question}: {found:?}");
    }
}

#[test]
fn a_birth_is_no_age() {
    let graph = Graph::of(HARBOURS);
    graph.answers("en", &[("When was Ruth Vance born?", &["1950-03-10"])]);
}

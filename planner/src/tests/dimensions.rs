//! Dimensions: what is compared and ordered has a measure of that kind; units are converted; ages are told from years alone; averages
//! and totals of what things have several of.

use super::graph::Graph;
use crate::Confidence;

fn check(graph: &Graph, cases: &[(&str, &str, &[&str])]) {
    let failed: Vec<String> = cases
        .iter()
        .map(|(language, question, wanted)| (question, wanted, graph.ask(question, language)))
        .filter(|(_, wanted, got)| got != *wanted)
        .map(|(question, wanted, got)| format!("{question}\n  wanted {wanted:?}\n  got    {got:?}"))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Nurses have a wage and a date on which they were hired, and nothing else that could be compared.
const WARDS: &str = r#"
:Nurse rdfs:label "nurse"@en, "Krankenschwester"@de, "enfermera"@es, "infirmière"@fr .
:Ward rdfs:label "ward"@en, "Station"@de, "sala"@es, "service"@fr .
:wage rdfs:label "wage"@en, "Lohn"@de, "salario"@es, "salaire"@fr . :hired rdfs:label "hire date"@en .
:ward rdfs:label "ward"@en, "Station"@de, "sala"@es, "service"@fr .
:amy a :Nurse ; rdfs:label "Amy Holt" ; :wage 3000 ; :hired "2010-02-01"^^xsd:date ; :ward :north .
:bea a :Nurse ; rdfs:label "Bea Kord" ; :wage 3500 ; :hired "2015-02-01"^^xsd:date ; :ward :north .
:cid a :Nurse ; rdfs:label "Cid Lorm" ; :wage 2500 ; :hired "2020-02-01"^^xsd:date ; :ward :south .
:dov a :Nurse ; rdfs:label "Dov Marn" ; :wage 4000 ; :hired "2021-02-01"^^xsd:date ; :ward :south .
:eli a :Nurse ; rdfs:label "Eli Nurt" ; :wage 1000 ; :hired "2021-03-01"^^xsd:date ; :ward :south .
:north a :Ward ; rdfs:label "North Ward" . :south a :Ward ; rdfs:label "South Ward" .
"#;

#[test]
fn the_only_number_there_is_makes_nobody_taller_or_older() {
    let graph = Graph::of(WARDS);
    for (language, question) in [
        ("en", "Who is taller than Amy Holt?"),
        ("en", "How heavy is Bea Kord?"),
        ("en", "Who is the oldest nurse?"),
        ("en", "How old is Amy Holt?"),
        ("en", "Which nurses are over 60?"),
        ("de", "Wer ist größer als Amy Holt?"),
        ("es", "¿Quién es más alto que Amy Holt?"),
        ("fr", "Qui est plus grand que Amy Holt ?"),
    ] {
        assert_eq!(graph.confidence(question, language), Confidence::Guess, "{question}");
    }
    for question in ["Who is the newest nurse?", "Who has the highest wage?", "Who is the best paid nurse?"] {
        assert_eq!(graph.confidence(question, "en"), Confidence::Sure, "{question}");
    }
}

#[test]
fn whoever_has_the_most_is_asked_for() {
    let graph = Graph::of(WARDS);
    check(
        &graph,
        &[
            ("en", "Who earns the most?", &["dov"]),
            ("en", "Which nurse earns the least?", &["eli"]),
            ("en", "Who has the highest wage?", &["dov"]),
            ("en", "What is the highest wage?", &["4000"]),
            ("de", "Wer verdient am meisten?", &["dov"]),
            ("es", "¿Quién gana más?", &["dov"]),
            ("fr", "Qui gagne le plus ?", &["dov"]),
        ],
    );
}

#[test]
fn averages_and_totals_stand_inside_superlatives_and_bounds() {
    let graph = Graph::of(WARDS);
    check(
        &graph,
        &[
            ("en", "Which ward has the highest average wage?", &["north"]),
            ("en", "Which ward has the highest total wage?", &["south"]),
            ("en", "Which ward has the highest wage?", &["south"]),
            ("en", "Which wards have an average wage above 2800?", &["north"]),
            ("en", "What is the highest average wage of a ward?", &["3250"]),
            ("de", "Wie hoch ist der Gesamtlohn pro Station?", &["north 6500", "south 7500"]),
            ("en", "total wages per ward", &["north 6500", "south 7500"]),
            ("de", "Welche Station hat den höchsten Durchschnittslohn?", &["north"]),
            ("de", "Gesamtlohn pro Station", &["north 6500", "south 7500"]),
            ("es", "¿Qué sala tiene el salario medio más alto?", &["north"]),
            ("fr", "Quel service a le salaire moyen le plus élevé ?", &["north"]),
        ],
    );
}

#[test]
fn numbers_of_each_are_averaged() {
    let graph = Graph::of(WARDS);
    check(
        &graph,
        &[
            ("en", "What is the average number of nurses per ward?", &["2.5"]),
            ("en", "How many nurses does a ward have on average?", &["2.5"]),
            ("en", "How many nurses does each ward have?", &["north 2", "south 3"]),
            ("de", "Wie viele Krankenschwestern hat eine Station im Durchschnitt?", &["2.5"]),
        ],
    );
}

#[test]
fn the_first_few_of_each_group() {
    let graph = Graph::of(WARDS);
    check(
        &graph,
        &[
            (
                "en",
                "the two best paid nurses per ward",
                &["north amy", "north bea", "south cid", "south dov"],
            ),
            ("en", "For each ward, the nurse with the highest wage", &["north bea", "south dov"]),
        ],
    );
}

const FERRIES: &str = r#"
:Line rdfs:label "ferry line"@en, "Fährlinie"@de . :Trip rdfs:label "trip"@en, "Fahrt"@de . :line rdfs:label "ferry line"@en . :berths rdfs:label "berths"@en .
:blue a :Line ; rdfs:label "Blue Line" . :red a :Line ; rdfs:label "Red Line" .
:b1 a :Trip ; :line :blue ; :berths 100 . :b2 a :Trip ; :line :blue ; :berths 150 . :r1 a :Trip ; :line :red ; :berths 220 .
"#;

#[test]
fn a_number_counts_the_noun_behind_it() {
    let graph = Graph::of(FERRIES);
    check(
        &graph,
        &[
            ("en", "Which ferry lines have at least 2 trips?", &["blue"]),
            ("en", "Which ferry lines have fewer than 2 trips?", &["red"]),
            ("en", "Which ferry line has the most berths?", &["blue"]),
            ("en", "Which trip has the most berths?", &["r1"]),
            ("en", "Which ferry lines have more than 240 berths in total?", &["blue"]),
            ("de", "Welche Fährlinien haben mindestens 2 Fahrten?", &["blue"]),
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
    check(
        &graph,
        &[
            ("en", "How old was Orin Vale when he died?", &["51"]),
            ("en", "Who lived the longest?", &["orin"]),
            ("en", "Who is the oldest ruler?", &["orin"]),
            ("en", "Which is the oldest mint?", &["east"]),
            ("en", "Which mints are older than 100 years?", &["east"]),
            ("en", "Which is the newest coin?", &["c2"]),
            ("en", "Which is the oldest coin?", &["c1"]),
            ("en", "Which coins date from before 1660?", &["c1", "c3"]),
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

/// Stones with masses in several units, prices and heights in texts; trails with a length in kilometres and times with datatypes.
const QUARRY: &str = r#"
@prefix qudt: <http://qudt.org/schema/qudt/> . @prefix unit: <http://qudt.org/vocab/unit/> .
:Stone rdfs:label "stone"@en, "Stein"@de, "piedra"@es, "pierre"@fr . :Trail rdfs:label "trail"@en .
:mass rdfs:label "mass"@en, "Masse"@de, "masa"@es, "masse"@fr . :price rdfs:label "price"@en, "Preis"@de . :height rdfs:label "height"@en .
:span rdfs:label "length (km)"@en . :walking rdfs:label "duration"@en .
:agate a :Stone ; rdfs:label "Agate" ; :mass [ qudt:numericValue 0.5 ; qudt:unit unit:KiloGM ] ; :price "1,200 EUR" ; :height "12.5 cm" .
:basalt a :Stone ; rdfs:label "Basalt" ; :mass [ qudt:numericValue 700 ; qudt:unit unit:GM ] ; :price "900 EUR" ; :height "80 mm" .
:chert a :Stone ; rdfs:label "Chert" ; :mass [ qudt:numericValue 0.001 ; qudt:unit unit:TONNE ] ; :price "15,000 EUR" ; :height "0.3 m" .
:alm a :Trail ; rdfs:label "Alm Loop" ; :span 3.5 ; :walking "90"^^:minute . :bro a :Trail ; rdfs:label "Bro Way" ; :span 12 ; :walking "3"^^:hour .
"#;

#[test]
fn numbers_are_compared_in_one_unit() {
    let graph = Graph::of(QUARRY);
    check(
        &graph,
        &[
            ("en", "Which stone is the heaviest?", &["chert"]),
            ("en", "Which stones weigh more than 600 g?", &["basalt", "chert"]),
            ("en", "stones with a mass of at least 1 kg", &["chert"]),
            ("en", "Is the Agate heavier than the Basalt?", &["false"]),
            ("en", "Which stone has the lowest mass?", &["agate"]),
            ("en", "Which stone is the most expensive?", &["chert"]),
            ("en", "Which stones cost more than 1000 EUR?", &["agate", "chert"]),
            ("en", "stones taller than 100 mm", &["agate", "chert"]),
            ("en", "What is the price of the Agate?", &["1,200 EUR"]),
            ("en", "Which trails are longer than 5000 m?", &["bro"]),
            ("en", "trails longer than 3 km", &["alm", "bro"]),
            ("en", "trails with a duration over 2 hours", &["bro"]),
            ("de", "Welche Steine wiegen mehr als 600 g?", &["basalt", "chert"]),
            ("es", "¿Cuál es la piedra más pesada?", &["chert"]),
            ("fr", "Quelles pierres pèsent plus de 600 grammes ?", &["basalt", "chert"]),
        ],
    );
}

/// Prices in two currencies, which nothing converts.
const STALLS: &str = r#"
@prefix schema: <http://schema.org/> .
:Rug rdfs:label "rug"@en . :price rdfs:label "price"@en .
:red a :Rug ; rdfs:label "Red Rug" ; :price [ a schema:MonetaryAmount ; schema:value 90 ; schema:currency "EUR" ] .
:old a :Rug ; rdfs:label "Old Rug" ; :price [ a schema:MonetaryAmount ; schema:value 8000 ; schema:currency "JPY" ] .
"#;

#[test]
fn what_cannot_be_converted_is_not_compared_for_sure() {
    let graph = Graph::of(STALLS);
    assert_ne!(graph.confidence("Which rug is the most expensive?", "en"), Confidence::Sure);
    assert_ne!(graph.confidence("Which rugs cost more than 100?", "en"), Confidence::Sure);
    assert_eq!(Graph::of(QUARRY).confidence("Which stone is the most expensive?", "en"), Confidence::Sure);
}

/// Songs with durations, and singers whose birth is told as exactly as it is known.
const SONGS: &str = r#"
:Song rdfs:label "song"@en, "Lied"@de . :duration rdfs:label "duration"@en, "Dauer"@de . :plays rdfs:label "plays"@en . :Singer rdfs:label "singer"@en . :birthDate rdfs:label "birth date"@en .
:long a :Song ; rdfs:label "Long Song" ; :duration "PT4M30S"^^xsd:duration ; :plays 100 . :short a :Song ; rdfs:label "Short Song" ; :duration "PT50S"^^xsd:duration ; :plays 900 .
:epic a :Song ; rdfs:label "Epic Song" ; :duration "PT1H"^^xsd:duration ; :plays 50 .
:eva a :Singer ; rdfs:label "Eva Jung" ; :birthDate "1960-05" . :fay a :Singer ; rdfs:label "Fay Kerr" ; :birthDate "1985" . :gus a :Singer ; rdfs:label "Gus Lau" ; :birthDate "1999-12-31" .
"#;

#[test]
fn durations_are_compared_by_their_length() {
    let graph = Graph::of(SONGS);
    check(
        &graph,
        &[
            ("en", "Which song is the longest?", &["epic"]),
            ("en", "songs longer than 1 minute", &["epic", "long"]),
            ("en", "Is the Long Song longer than the Short Song?", &["true"]),
            ("en", "Which song has the most plays?", &["short"]),
            ("de", "Welches Lied ist am kürzesten?", &["short"]),
        ],
    );
}

#[test]
fn dates_as_exact_as_they_are_known() {
    let graph = Graph::of(SONGS);
    check(
        &graph,
        &[
            ("en", "Who is the oldest singer?", &["eva"]),
            ("en", "singers older than 50", &["eva"]),
            ("en", "Who is younger than Fay Kerr?", &["gus"]),
            ("en", "What is the birth date of Eva Jung?", &["1960-05"]),
        ],
    );
}

#[test]
fn years_of_few_digits_are_years_behind_a_preposition_of_time() {
    let graph = Graph::of(
        r#"
:Poet rdfs:label "poet"@en, "Dichter"@de . :birth rdfs:label "birth year"@en, "Geburtsjahr"@de . :death rdfs:label "death year"@en .
:a a :Poet ; rdfs:label "Aper" ; :birth "-0062"^^xsd:gYear ; :death "0014"^^xsd:gYear . :b a :Poet ; rdfs:label "Balbus" ; :birth "0012"^^xsd:gYear ; :death "0041"^^xsd:gYear .
"#,
    );
    check(
        &graph,
        &[
            ("en", "Which poets died after 37?", &["b"]),
            ("en", "Which poets were born before Christ?", &["a"]),
            ("de", "Welche Dichter wurden vor Christus geboren?", &["a"]),
            ("en", "How old was Aper when he died?", &["76"]),
        ],
    );
}

#[test]
fn what_is_asked_may_stand_behind_the_verb() {
    let graph = Graph::of(WARDS);
    check(
        &graph,
        &[
            ("en", "North Ward has how many nurses?", &["2"]),
            ("en", "Does North Ward have nurses?", &["true"]),
            ("en", "Amy Holt has which wage?", &["3000"]),
        ],
    );
}

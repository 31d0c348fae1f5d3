//! Numbers converted to one unit, and numbers that cannot be converted.

use super::*;
use crate::Confidence;
use crate::tests::graph::Graph;

#[test]
fn numbers_are_converted_without_exponents() {
    assert_eq!(plain(2.2 * 0.01), "0.022");
    assert_eq!(plain(1e9), "1000000000");
    assert_eq!(times(&Operand::Number(Rc::from("1000")), 0.001), Operand::Number(Rc::from("1")));
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
    graph.answers(
        "en",
        &[
            ("Which stone is the heaviest?", &["chert"]),
            ("Which stones weigh more than 600 g?", &["basalt", "chert"]),
            ("stones with a mass of at least 1 kg", &["chert"]),
            ("Is the Agate heavier than the Basalt?", &["false"]),
            ("Which stone has the lowest mass?", &["agate"]),
            ("Which stone is the most expensive?", &["chert"]),
            ("Which stones cost more than 1000 EUR?", &["agate", "chert"]),
            ("stones taller than 100 mm", &["agate", "chert"]),
            ("What is the price of the Agate?", &["1,200 EUR"]),
            ("Which trails are longer than 5000 m?", &["bro"]),
            ("trails longer than 3 km", &["alm", "bro"]),
            ("trails with a duration over 2 hours", &["bro"]),
        ],
    );
    graph.answers("de", &[("Welche Steine wiegen mehr als 600 g?", &["basalt", "chert"])]);
    graph.answers("es", &[("¿Cuál es la piedra más pesada?", &["chert"])]);
    graph.answers("fr", &[("Quelles pierres pèsent plus de 600 grammes ?", &["basalt", "chert"])]);
}

/// Prices in two currencies, which cannot be converted.
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

/// Songs with durations, and singers whose birth is given to the precision that is known.
const SONGS: &str = r#"
:Song rdfs:label "song"@en, "Lied"@de . :duration rdfs:label "duration"@en, "Dauer"@de . :plays rdfs:label "plays"@en . :Singer rdfs:label "singer"@en . :birthDate rdfs:label "birth date"@en .
:long a :Song ; rdfs:label "Long Song" ; :duration "PT4M30S"^^xsd:duration ; :plays 100 . :short a :Song ; rdfs:label "Short Song" ; :duration "PT50S"^^xsd:duration ; :plays 900 .
:epic a :Song ; rdfs:label "Epic Song" ; :duration "PT1H"^^xsd:duration ; :plays 50 .
:eva a :Singer ; rdfs:label "Eva Jung" ; :birthDate "1960-05" . :fay a :Singer ; rdfs:label "Fay Kerr" ; :birthDate "1985" . :gus a :Singer ; rdfs:label "Gus Lau" ; :birthDate "1999-12-31" .
"#;

#[test]
fn durations_are_compared_by_their_length() {
    let graph = Graph::of(SONGS);
    graph.answers(
        "en",
        &[
            ("Which song is the longest?", &["epic"]),
            ("songs longer than 1 minute", &["epic", "long"]),
            ("Is the Long Song longer than the Short Song?", &["true"]),
            ("Which song has the most plays?", &["short"]),
        ],
    );
    graph.answers("de", &[("Welches Lied ist am kürzesten?", &["short"])]);
}

#[test]
fn dates_as_exact_as_they_are_known() {
    let graph = Graph::of(SONGS);
    graph.answers(
        "en",
        &[
            ("Who is the oldest singer?", &["eva"]),
            ("singers older than 50", &["eva"]),
            ("Who is younger than Fay Kerr?", &["gus"]),
            ("What is the birth date of Eva Jung?", &["1960-05"]),
        ],
    );
}

//! Words in languages other than the graph's: translations, compounds, separable verbs, adjectives after their nouns.

use super::graph::Graph;

const WORKS: &str = r#"
:Worker rdfs:label "worker"@en . :Department rdfs:label "department"@en . :Category rdfs:label "product category"@en .
:Product rdfs:label "product"@en . :Town rdfs:label "town"@en .
:department rdfs:label "department"@en . :expertise rdfs:label "area of expertise"@en . :salary rdfs:label "salary"@en .
:birthPlace rdfs:label "birth place"@en . :birthDate rdfs:label "birth date"@en . :deathDate rdfs:label "death date"@en .
:category rdfs:label "product category"@en . :length rdfs:label "length"@en . :head rdfs:label "department head"@en .

:ana a :Worker ; rdfs:label "Ana Ruiz"@en ; :department :d1 ; :expertise :pump ; :salary 4000 ; :birthPlace :lund ;
  :birthDate "1940-02-01"^^xsd:date ; :deathDate "2011-05-09"^^xsd:date .
:ben a :Worker ; rdfs:label "Ben Olsen"@en ; :department :d1 ; :expertise :valve ; :salary 5200 ; :birthPlace :bergen ;
  :birthDate "1961-12-24"^^xsd:date .
:cleo a :Worker ; rdfs:label "Cleo Marsh"@en ; :department :d2 ; :expertise :valve ; :salary 4700 ; :birthPlace :lund ;
  :birthDate "1975-07-30"^^xsd:date .
:d1 a :Department ; rdfs:label "Quality Control"@en ; :head :ana . :d2 a :Department ; rdfs:label "Logistics"@en ; :head :cleo .
:pump a :Category ; rdfs:label "Pump"@en . :valve a :Category ; rdfs:label "Valve"@en .
:x1 a :Product ; rdfs:label "Orca 20"@en ; :category :pump ; :length 40 .
:x2 a :Product ; rdfs:label "Orca 30"@en ; :category :pump ; :length 60 .
:x3 a :Product ; rdfs:label "Lynx"@en ; :category :valve ; :length 20 .
:lund a :Town ; rdfs:label "Lund"@en . :bergen a :Town ; rdfs:label "Bergen"@en .
"#;

fn check(cases: &[(&str, &str, &[&str])]) {
    let graph = Graph::of(WORKS);
    let failed: Vec<String> = cases
        .iter()
        .map(|(language, question, wanted)| (question, wanted, graph.ask(question, language)))
        .filter(|(_, wanted, got)| got != *wanted)
        .map(|(question, wanted, got)| format!("{question}\n  wanted {wanted:?}\n  got    {got:?}"))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn verbs_stand_apart_from_their_particles() {
    check(&[("de", "Wer kennt sich mit Ventilen aus?", &["ben", "cleo"])]);
}

#[test]
fn common_nouns_name_things_in_the_graphs_language() {
    check(&[
        ("de", "Welche Produkte haben die Kategorie Pumpe?", &["x1", "x2"]),
        ("es", "¿Qué productos tienen la categoría bomba?", &["x1", "x2"]),
        ("de", "Wer arbeitet in der Abteilung Qualitätskontrolle?", &["ana", "ben"]),
    ]);
}

#[test]
fn compounds_are_read_by_their_parts() {
    check(&[
        ("de", "Welche Produktkategorie hat Lynx?", &["valve"]),
        ("de", "Wie viele Produkte gibt es je Produktkategorie?", &["pump 2", "valve 1"]),
    ]);
}

#[test]
fn what_stands_behind_a_bare_of_says_the_kind() {
    check(&[
        ("es", "¿Cuál es el lugar de nacimiento de Ana Ruiz?", &["lund"]),
        ("en", "What is the place of birth of Ben Olsen?", &["bergen"]),
        ("fr", "Quel est le lieu de naissance de Ben Olsen ?", &["bergen"]),
        // With an article it belongs to another thing.
        ("en", "Who is the head of the department Logistics?", &["cleo"]),
    ]);
}

#[test]
fn question_words_say_the_kind_of_an_attribute() {
    check(&[
        ("es", "¿Cuándo murió Ana Ruiz?", &["2011-05-09"]),
        ("de", "Wann starb Ana Ruiz?", &["2011-05-09"]),
        ("de", "Wo wurde Ben Olsen geboren?", &["bergen"]),
        ("de", "Wer wurde in Bergen geboren?", &["ben"]),
        ("en", "When was Ben Olsen born?", &["1961-12-24"]),
    ]);
}

#[test]
fn adjectives_stand_behind_their_nouns() {
    check(&[
        ("es", "¿Cuál es la longitud media de los productos?", &["40"]),
        ("es", "los dos trabajadores con el salario más alto", &["ben", "cleo"]),
    ]);
}

#[test]
fn a_preposition_of_the_agent_parts_counts_into_groups() {
    check(&[
        ("en", "Number of workers by department", &["d1 2", "d2 1"]),
        ("es", "Número de trabajadores por departamento", &["d1 2", "d2 1"]),
        ("de", "Anzahl der Produkte nach Kategorie", &["pump 2", "valve 1"]),
    ]);
}

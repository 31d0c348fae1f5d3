//! Inflected names and nouns, and comparatives directly followed by a name: languages that use endings where others use small
//! words.

use super::graph::Graph;

const LAKES: &str = r#"
:Lake rdfs:label "озеро"@ru . :Town rdfs:label "город"@ru . :Person rdfs:label "человек"@ru . :Film rdfs:label "фильм"@ru .
:depth rdfs:label "глубина"@ru . :near rdfs:label "озеро"@ru . :head rdfs:label "мэр"@ru . :founded rdfs:label "год основания"@ru .
:born rdfs:label "дата рождения"@ru . :minutes rdfs:label "продолжительность"@ru . :director rdfs:label "режиссёр"@ru .
:mirra a :Lake ; rdfs:label "Мирра"@ru ; :depth 40 . :glub a :Lake ; rdfs:label "Глубь"@ru ; :depth 95 .
:white a :Lake ; rdfs:label "Белое"@ru ; :depth 12 .
:kamen a :Town ; rdfs:label "Каменка"@ru ; :near :mirra ; :head :rodin ; :founded 988 .
:novy a :Town ; rdfs:label "Новый Бор"@ru ; :near :glub ; :head :lada ; :founded 1871 .
:rodin a :Person ; rdfs:label "Павел Родин"@ru ; :born "1960-02-01"^^xsd:date .
:lada a :Person ; rdfs:label "Лада Яркая"@ru ; :born "1975-08-09"^^xsd:date .
:film a :Film ; rdfs:label "Снегопад"@ru ; :minutes 80 ; :director :lada . :long a :Film ; rdfs:label "Долгий путь"@ru ; :minutes 150 ; :director :rodin .
"#;

#[test]
fn names_are_found_in_every_case() {
    Graph::of(LAKES).answers(
        "ru",
        &[
            ("Какова глубина Мирры?", &["40"]),
            ("Кто мэр Нового Бора?", &["lada"]),
            ("Когда родился Павел Родин?", &["1960-02-01"]),
            ("Дата рождения Павла Родина", &["1960-02-01"]),
            ("Какие фильмы сняты Ладой Яркой?", &["film"]),
            ("Какова глубина Белого?", &["12"]),
        ],
    );
}

#[test]
fn a_name_that_is_written_just_so_is_meant_before_one_in_another_form() {
    let graph = Graph::of(
        r#":depth rdfs:label "глубина"@ru . :Lake rdfs:label "озеро"@ru .
:a a :Lake ; rdfs:label "Ольга"@ru ; :depth 1 . :b a :Lake ; rdfs:label "Ольги"@ru ; :depth 2 ."#,
    );
    assert_eq!(graph.ask("Глубина озера Ольги", "ru"), ["2"]);
    assert_eq!(graph.ask("Глубина озера Ольга", "ru"), ["1"]);
}

#[test]
fn a_comparative_is_set_against_the_name_or_number_behind_it() {
    Graph::of(LAKES).answers(
        "ru",
        &[
            ("Какие озёра глубже Мирры?", &["glub"]),
            ("Какие озёра глубже, чем Мирра?", &["glub"]),
            ("Какие фильмы длиннее 100 минут?", &["long"]),
            ("Какие фильмы короче «Долгого пути»?", &["film"]),
        ],
    );
}

#[test]
fn a_word_behind_digits_makes_them_a_year() {
    Graph::of(LAKES).answers(
        "ru",
        &[
            ("Какие города основаны в 988 году?", &["kamen"]),
            ("Какие города основаны до 1000 года?", &["kamen"]),
            ("Кто родился после 1970 года?", &["lada"]),
            // Without that word, a number is just a number.
            ("У каких озёр глубина больше 50?", &["glub"]),
        ],
    );
}

#[test]
fn what_the_graph_does_not_know_is_not_sure() {
    let graph = Graph::of(LAKES);
    assert!(!graph.is_sure("Какова глубина Байкала?", "ru"));
    assert!(!graph.is_sure("Кто жена Павла Родина?", "ru"));
    assert!(graph.is_sure("Кто мэр Каменки?", "ru"));
}

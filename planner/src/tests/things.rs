//! Things that are answered by themselves, with what is listed beside them.

use super::Graph;

const HARBOURS: &str = r#"
@prefix : <http://harbour.test/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Ship rdfs:label "ship"@en . :Harbour rdfs:label "harbour"@en . :Captain rdfs:label "captain"@en .
:captain rdfs:label "captain"@en . :length rdfs:label "length"@en . :homePort rdfs:label "home port"@en .
:built rdfs:label "year built"@en .
:s1 a :Ship ; rdfs:label "Aurora" ; :length 120 ; :built 1990 ; :homePort :h1 ; :captain :c1 .
:s2 a :Ship ; rdfs:label "Borealis" ; :length 80 ; :built 1985 ; :homePort :h1 .
:s3 a :Ship ; rdfs:label "Corona" ; :length 200 ; :built 2004 ; :homePort :h2 ; :captain :c2 .
:h1 a :Harbour ; rdfs:label "Westhaven" . :h2 a :Harbour ; rdfs:label "Eastquay" .
:c1 a :Captain ; rdfs:label "Ida Storm" . :c2 a :Captain ; rdfs:label "Jon Reed" .
"#;

async fn answers(questions: &[(&str, &[&str])]) {
    let graph = Graph::of(HARBOURS).await.expect("the graph is indexed");
    for (question, wanted) in questions {
        let found = graph.ask(question).await.expect("the index can be read");
        assert_eq!(found, *wanted, "{question}");
    }
}

#[tokio::test]
async fn things_are_no_rows_of_tables() {
    answers(&[("Which ships are longer than 100?", &["s1", "s3"]), ("List all harbours", &["h1", "h2"])])
        .await;
}

#[tokio::test]
async fn the_first_ones_by_an_attribute() {
    answers(&[
        ("top 2 ships by length", &["s1", "s3"]),
        ("bottom 2 ships by length", &["s1", "s2"]),
        ("Which ship is longer, Aurora or Corona?", &["s3"]),
    ])
    .await;
}

#[tokio::test]
async fn which_thing_is_no_value() {
    answers(&[
        ("Which ship was built first?", &["s2"]),
        ("Which year was the Aurora built?", &["1990"]),
        ("Which ship is the longest?", &["s3"]),
    ])
    .await;
}

#[tokio::test]
async fn members_beside_what_not_all_of_them_have() {
    answers(&[("List the ships with their captains", &["s1 | c1", "s2 | ", "s3 | c2"])]).await;
}

#[tokio::test]
async fn a_count_is_of_all_unless_each_is_said() {
    answers(&[
        ("How many ships have the home port Westhaven?", &["2"]),
        ("number of ships for each harbour", &["h1 | 2", "h2 | 1"]),
    ])
    .await;
}

#[tokio::test]
async fn kinds_of_a_class_are_the_classes_below_it() {
    let ontology = r#"
@prefix : <http://devices.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
:Device a owl:Class ; rdfs:label "device" . :Sensor a owl:Class ; rdfs:label "sensor" ; rdfs:subClassOf :Device .
:Camera a owl:Class ; rdfs:label "camera" ; rdfs:subClassOf :Sensor . :Scale a owl:Class ; rdfs:label "scale" ; rdfs:subClassOf :Sensor .
:Room a owl:Class ; rdfs:label "room" . :r1 a :Room ; rdfs:label "Hall" . :r2 a :Room ; rdfs:label "Attic" .
"#;
    let graph = Graph::of(ontology).await.expect("the graph is indexed");
    for (question, wanted) in [
        ("What are the types of sensors?", vec!["Camera", "Scale"]),
        ("Which kinds of devices are there?", vec!["Sensor"]),
        ("Which rooms are there?", vec!["r1", "r2"]),
    ] {
        assert_eq!(graph.ask(question).await.expect("the index can be read"), wanted, "{question}");
    }
}

#[tokio::test]
async fn whether_a_thing_is_of_a_class_is_asked_of_its_types() {
    answers(&[
        ("Is the Aurora a ship?", &["Boolean(true)"]),
        ("Is the Aurora a harbour?", &["Boolean(false)"]),
        ("Is Ida Storm a captain?", &["Boolean(true)"]),
        ("Is Westhaven a captain?", &["Boolean(false)"]),
    ])
    .await;
}

#[tokio::test]
async fn a_word_that_is_the_name_of_a_class_is_not_taken_for_its_relatives() {
    let graph = r#"
@prefix : <http://peaks.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:Mountain rdfs:label "mountain"@en . :Mountaineer rdfs:label "mountaineer"@en . :Country rdfs:label "country"@en .
:height rdfs:label "height"@en . :climber rdfs:label "climber"@en . :country rdfs:label "in country"@en .
:m1 a :Mountain ; rdfs:label "Kelt"@en ; :height 900 ; :country :c1 . :m2 a :Mountain ; rdfs:label "Orn"@en ; skos:altLabel "The Horn"@en ; :country :c2 .
:p1 a :Mountaineer ; rdfs:label "Eva Lind"@en ; :country :c1 . :p2 a :Mountaineer ; rdfs:label "Jo Berg"@en ; :country :c2 .
:c1 a :Country ; rdfs:label "Iceland"@en , "Island"@de . :c2 a :Country ; rdfs:label "Norway"@en , "Norwegen"@de .
"#;
    let graph = Graph::of(graph).await.expect("the graph is indexed");
    for (question, wanted) in [
        ("Which mountains are in Norway?", vec!["m2"]),
        ("Which mountaineers are in Iceland?", vec!["p1"]),
        ("Which mountains have no height?", vec!["m2"]),
    ] {
        assert_eq!(graph.ask(question).await.expect("the index can be read"), wanted, "{question}");
    }
    // What German calls Iceland is a common noun here.
    let found = graph.ask("What is the largest island?").await.expect("the index can be read");
    assert!(!found.iter().any(|row| row == "m1" || row == "p1"), "{found:?}");
}

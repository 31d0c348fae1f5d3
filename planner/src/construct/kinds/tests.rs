//! Subclasses of a class, and its members.

use crate::tests::graph::Graph;

#[test]
fn kinds_of_a_class_are_the_classes_below_it() {
    let ontology = r#"
@prefix : <http://devices.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
:Device a owl:Class ; rdfs:label "device" . :Sensor a owl:Class ; rdfs:label "sensor" ; rdfs:subClassOf :Device .
:Camera a owl:Class ; rdfs:label "camera" ; rdfs:subClassOf :Sensor . :Scale a owl:Class ; rdfs:label "scale" ; rdfs:subClassOf :Sensor .
:Room a owl:Class ; rdfs:label "room" . :r1 a :Room ; rdfs:label "Hall" . :r2 a :Room ; rdfs:label "Attic" .
"#;
    let graph = Graph::of(ontology);
    for (question, wanted) in [
        ("What are the types of sensors?", vec!["Camera", "Scale"]),
        ("Which kinds of devices are there?", vec!["Sensor"]),
        ("Which rooms are there?", vec!["r1", "r2"]),
    ] {
        assert_eq!(graph.ask(question, "en"), wanted, "{question}");
    }
}

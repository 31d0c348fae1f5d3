//! Entries: long ones begin with what the question speaks of and fold the rest; classes show what their instances have
//! and how they are defined.

use super::*;

/// A ship with many properties, and one with few.
fn ships() -> String {
    let mut graph = "@prefix s: <http://ships.example/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        s:launchDate rdfs:label \"date of launch\"@en . s:homePort rdfs:label \"home port\"@en .
        s:skiff a s:Ship ; rdfs:label \"Skiff\" ; s:length 4 .
        s:argo a s:Ship ; rdfs:label \"Argo\" ; s:launchDate \"1987-03-01\"^^xsd:date ; s:homePort s:bay ;
          s:portrait <http://ships.example/argo.jpg> "
        .to_owned();
    for number in 10..40 {
        graph.push_str(&format!("; s:measure{number} {number} , {number}.5 ; s:note{number} \"n\" "));
    }
    graph.push_str(". s:bay rdfs:label \"North Bay\" .");
    graph
}

async fn entry(graph: &TestGraph, arguments: serde_json::Value, question: &str) -> String {
    let dataset = graph.dataset.for_language("en");
    let workspace = Workspace::of(question);
    let (timeout, features) = (Duration::from_secs(20), AgentFeatures::default());
    let context =
        ToolContext { dataset: &dataset, timeout, features, max_chars: 6_000, workspace: &workspace };
    let arguments = Arguments::parse(&arguments.to_string()).unwrap();
    find("get_entry").unwrap().call(&arguments, &context).await.text
}

fn line_of(text: &str, part: &str) -> Option<usize> {
    text.lines().position(|line| line.contains(part) && line.starts_with("  s:"))
}

#[tokio::test]
async fn a_long_entry_begins_with_what_is_asked_and_folds_the_rest_by_kind() {
    let graph = graph_of("ships", &ships()).await;
    let argo = json!({"iri": "s:argo"});
    let asked = entry(&graph, argo.clone(), "What is the home port of Argo?").await;
    assert_eq!(line_of(&asked, "s:homePort"), Some(3), "{asked}");
    assert!(asked.contains("Without their values"), "{asked}");
    assert!(asked.contains(" numbers: s:measure"), "{asked}");
    let topic = entry(&graph, json!({"iri": "s:argo", "topic": "launch"}), "").await;
    assert!(line_of(&topic, "s:launchDate").unwrap() < line_of(&topic, "s:note").unwrap(), "{topic}");
    assert!(asked.chars().count() < 2_600, "{} characters", asked.chars().count());
}

#[tokio::test]
async fn a_short_entry_is_shown_whole() {
    let graph = graph_of("ships", &ships()).await;
    let skiff = entry(&graph, json!({"iri": "s:skiff"}), "How long is it?").await;
    insta::assert_snapshot!(skiff, @r#"
    s:skiff "Skiff"
      rdf:type s:Ship
      rdfs:label "Skiff"
      s:length 4
    "#);
}

#[tokio::test]
async fn a_class_shows_what_its_instances_have_and_how_it_is_defined() {
    let graph = graph_of(
        "ferries",
        "@prefix s: <http://ships.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        s:Ferry a owl:Class ; rdfs:subClassOf s:Ship , [ a owl:Restriction ; owl:onProperty s:deck ; owl:minCardinality 1 ] ,
            [ a owl:Restriction ; owl:onProperty s:carries ; owl:someValuesFrom s:Car ] ;
          owl:equivalentClass [ a owl:Class ; owl:unionOf ( s:CarFerry s:TrainFerry ) ] .
        s:Ship a owl:Class . s:Car a owl:Class . s:CarFerry a owl:Class . s:TrainFerry a owl:Class .
        s:f1 a s:Ferry ; s:deck s:d1 ; s:length 40 . s:f2 a s:Ferry ; s:deck s:d2 .",
    )
    .await;
    insta::assert_snapshot!(entry(&graph, json!({"iri": "s:Ferry"}), "").await, @r"
    s:Ferry
      is a class; its instances have s:deck, s:length
      by definition has s:carries: some s:Car
      by definition has s:deck: at least 1
      is the union of s:CarFerry, s:TrainFerry
      rdf:type owl:Class
      owl:equivalentClass [blank node]
      rdfs:subClassOf [blank node], [blank node], s:Ship
      is rdf:type of 2, e.g. s:f2
    ");
    let instance = entry(&graph, json!({"iri": "s:f1"}), "").await;
    assert!(!instance.contains("by definition"), "{instance}");
}

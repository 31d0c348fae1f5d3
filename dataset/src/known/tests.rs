use super::*;
use crate::testing::{TestGraph, graph_knowing};
use crate::{PatternSearch, prefixes_of};
use eruca_indexer::SchemaKind;
use std::time::Duration;

const TIME: Duration = Duration::from_secs(20);

const CLINIC: &str = r#"
@prefix c: <http://clinic.example/> . @prefix s: <http://secret.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
c:Nurse rdfs:label "nurse" . c:Ward rdfs:label "ward" . s:Case rdfs:label "case" . c:wage rdfs:label "wage" . c:works rdfs:label "works in" .
c:anna a c:Nurse ; rdfs:label "Anna" ; c:wage 4000 ; c:works c:east . c:ben a c:Nurse ; rdfs:label "Ben" ; c:wage 3000 ; c:works c:east .
c:east a c:Ward ; rdfs:label "East" ; c:keyword "blue door" . s:case7 a s:Case ; rdfs:label "Case Seven" ; s:about c:anna .
c:carl a s:Case, c:Nurse ; rdfs:label "Carl" ."#;

const HIDDEN: &str = r#"
[hidden]
terms = ["c:wage", "c:keyword"]
namespaces = ["http://secret.example/"]

[[glossary]]
words = ["pay"]
property = "c:wage"

[[glossary]]
words = ["carer"]
class = "c:Nurse"
"#;

async fn clinic() -> TestGraph {
    graph_knowing("clinic", CLINIC, HIDDEN).await
}

async fn cells(dataset: &Dataset, query: &str) -> Vec<String> {
    let query = dataset.check(query).unwrap();
    let answer = dataset.run(&query, TIME).await.unwrap();
    let Results::Solutions(solutions) = &answer.results else { return Vec::new() };
    solutions.rows.iter().flatten().flatten().map(ToString::to_string).collect()
}

#[tokio::test]
async fn hidden_terms_are_in_no_card_and_no_search() {
    let graph = clinic().await;
    let dataset = &graph.dataset;
    let card = format!("{:?}", dataset.index.card);
    assert!(!card.contains("clinic.example/wage") && !card.contains("secret.example/Case"), "{card}");
    assert!(dataset.find_properties("wage", 10).await.unwrap().hits.is_empty());
    assert!(dataset.find_classes("case", 10).await.unwrap().hits.is_empty());
    assert!(dataset.find_entities("Case Seven", None, 10).await.unwrap().hits.is_empty());
    assert!(dataset.complete_entities("Case Sev", 10).await.unwrap().is_empty());
    assert!(dataset.complete_schema(SchemaKind::Property, "wag", 10).is_empty());
    assert!(dataset.index.values.search("blue door", None, 5).unwrap().is_empty());
    let carl = dataset.entity("http://clinic.example/carl").await.unwrap().unwrap();
    assert_eq!(carl.types, ["http://clinic.example/Nurse"]);
    let search = PatternSearch {
        pattern: "?n ?p ?o",
        variable: "p",
        text: None,
        unfinished: false,
        namespace: None,
        limit: 50,
    };
    let found = dataset.search_in(search, TIME).await.unwrap();
    let shown: Vec<String> = found.hits.iter().map(|hit| hit.term.to_string()).collect();
    assert!(
        !shown.is_empty() && !shown.iter().any(|term| dataset.hides(term.trim_matches(['<', '>']))),
        "{shown:?}"
    );
}

#[tokio::test]
async fn queries_that_name_hidden_terms_are_refused_and_rows_with_them_are_left_out() {
    let graph = clinic().await;
    let dataset = &graph.dataset;
    for query in [
        "SELECT ?w { ?n c:wage ?w }",
        "SELECT ?w { ?n <http://clinic.example/wage> ?w }",
        "SELECT ?w { ?n c:works/^c:works/c:wage ?w }",
        "SELECT ?w { ?n ?p ?w FILTER(STR(?p) = \"http://clinic.example/wage\") }",
        "SELECT ?w { ?n ?p ?w FILTER(STRSTARTS(STR(?p), \"http://secret.example/\")) }",
        "DESCRIBE <http://secret.example/case7>",
        "ASK { ?x a <http://secret.example/Case> }",
    ] {
        let error = dataset.check(query).unwrap_err();
        assert!(matches!(error, QueryError::Refused { .. }), "{query}: {error}");
    }
    let all = cells(dataset, "SELECT ?s ?p ?o { ?s ?p ?o }").await;
    assert!(
        all.iter().any(|cell| cell.contains("works")) && !all.iter().any(|cell| cell.contains("wage")),
        "{all:?}"
    );
    assert!(!all.iter().any(|cell| cell.contains("secret")), "{all:?}");
    let texts = cells(dataset, "SELECT (STR(?p) AS ?t) { ?s ?p ?o }").await;
    assert!(!texts.iter().any(|cell| cell.contains("wage")), "{texts:?}");
}

#[tokio::test]
async fn entries_about_hidden_terms_say_nothing() {
    let graph = clinic().await;
    let words: Vec<&String> =
        graph.dataset.knowledge().glossary.iter().flat_map(|entry| &entry.words).collect();
    assert_eq!(words, ["carer"]);
    let question = graph.dataset.read("What is the pay of the carer Anna?");
    let named = graph.dataset.link(&question, None).unwrap();
    assert!(named.terms.iter().any(|term| term.iri.ends_with("Nurse")));
    assert!(!format!("{named:?}").contains("clinic.example/wage"));
}

#[tokio::test]
async fn entries_that_are_not_used_are_counted_with_their_reasons() {
    let pattern = |text: &str| format!("[[glossary]]\nwords = [\"pH\"]\npattern = \"{text}\"\n");
    let all = [
        "?this c:works ?w",
        "?this c:wage ?w",
        "?this c:wagge ?w",
        "?this a c:Nurze",
        "?this c:works <http://other.example/a>",
    ];
    let file: String = all.iter().map(|text| pattern(text)).collect();
    let graph = graph_knowing("clinic", CLINIC, &format!("{file}[hidden]\nterms = [\"c:wage\"]\n")).await;
    let folder = graph.dataset.knowledge().folder().unwrap();
    let written = Knowledge::read(folder, &prefixes_of(&graph.dataset.index)).unwrap();
    assert_eq!(unused_entries(&written, &graph.dataset.index), 3);
    assert_eq!(hidden_entries(&written), ["all.toml line 4: names what is hidden, so it is not used"]);
    let told = knowledge_warnings(&written, &graph.dataset.index).join("; ");
    assert!(
        told.contains("line 7: the graph has no property")
            && told.contains("line 10: the graph has no class"),
        "{told}"
    );
    let used = &graph.dataset.knowledge().glossary;
    let Some(Meaning::Pattern(pattern)) = used.first().map(|entry| &entry.meaning) else {
        panic!("{used:?}")
    };
    assert_eq!((used.len(), graph.dataset.schema_name(pattern.name())), (2, "pH".to_owned()));
}

#[tokio::test]
async fn terms_that_the_graph_does_not_have_are_told_with_the_nearest() {
    let file = "[[glossary]]\nwords = [\"carer\"]\nclass = \"c:Nurze\"\n\n[[glossary]]\nwords = [\"Eve\"]\nthing = \"c:eve\"\n\n\
                [[notes]]\ntext = \"Wages are monthly.\"\nabout = \"c:wages\"\n";
    let graph = graph_knowing("clinic", CLINIC, file).await;
    let index = &graph.dataset.index;
    let folder = graph.dataset.knowledge().folder().unwrap();
    let written = Knowledge::read(folder, &prefixes_of(index)).unwrap();
    assert_eq!(
        knowledge_warnings(&written, index),
        [
            "all.toml line 1: the graph has no class <http://clinic.example/Nurze>; did you mean <http://clinic.example/Nurse>?",
            "all.toml line 5: the graph has no term <http://clinic.example/eve>",
            "all.toml line 9: the graph has no term <http://clinic.example/wages>; did you mean <http://clinic.example/wage>?",
        ]
    );
    assert_eq!(unused_entries(&written, index), 2);
    assert!(graph.dataset.knowledge().glossary.is_empty());
}

#[tokio::test]
async fn searches_and_completions_know_the_words_of_the_house() {
    let words = "[[glossary]]\nwords = [\"carer\"]\nclass = \"c:Nurse\"\n\n[[glossary]]\nwords = [\"pay\"]\nproperty = \"c:wage\"\n\n\
                 [[glossary]]\nwords = [\"the sunny place\"]\nthing = \"c:east\"\n";
    let graph = graph_knowing("clinic", CLINIC, words).await;
    let dataset = &graph.dataset;
    let classes = dataset.find_classes("carers", 3).await.unwrap();
    assert!(classes.hits[0].iri.ends_with("Nurse") && classes.hits[0].fit >= 1.0);
    let properties = dataset.find_properties("Pay", 3).await.unwrap();
    assert!(properties.hits[0].iri.ends_with("wage"));
    let things = dataset.find_entities("the sunny place", None, 3).await.unwrap();
    assert!(things.hits[0].record.iri.ends_with("east"));
    assert_eq!(dataset.complete_schema(SchemaKind::Class, "car", 5)[0].iri, "http://clinic.example/Nurse");
    assert_eq!(dataset.complete_entities("the sun", 5).await.unwrap()[0].iri, "http://clinic.example/east");
    assert!(dataset.find_classes("sailor", 3).await.unwrap().hits.iter().all(|hit| hit.fit < 1.0));
}

//! A Wikibase without labels, with and without an endpoint that has them.

use super::*;
use crate::extract::Space;
use crate::vocabulary::GivenVocabulary;
use async_trait::async_trait;
use eruca_sparql::{Answer, CheckedQuery, EmbeddedStore, QueryError};
use oxrdfio::{RdfFormat, RdfParser};

const GRAPH: &str = "
@prefix wd: <https://wiki.example/entity/> . @prefix wdt: <https://wiki.example/prop/direct/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
wd:Q1 rdfs:label \"Grete\"@en ; wdt:P1 wd:Q2 ; wdt:P2 wd:Q3 .
wd:Q3 rdfs:label \"town\"@en .
";

fn builder(folder: &std::path::Path) -> GraphBuilder {
    let mut builder = GraphBuilder::new(400, &GivenVocabulary::default(), Space::new(folder)).unwrap();
    for quad in quads(GRAPH) {
        builder.add(&quad).unwrap();
    }
    builder
}

fn quads(turtle: &str) -> Vec<Quad> {
    RdfParser::from_format(RdfFormat::Turtle).for_slice(turtle.as_bytes()).map(Result::unwrap).collect()
}

struct Down;

#[async_trait]
impl SparqlEndpoint for Down {
    async fn query(&self, _query: &CheckedQuery, _limits: Limits) -> Result<Answer, QueryError> {
        Err(QueryError::Unavailable { message: "HTTP 503: gone for lunch".to_owned() })
    }

    fn name(&self) -> &str {
        "down"
    }
}

#[tokio::test]
async fn missing_names_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let notes = complete(&mut builder(folder.path()), None, &[], |_| true).await.unwrap();
    insta::assert_snapshot!(notes.join("\n"), @"without a label in these files, so that no word finds them: 2 properties (P1, P2 …) and 1 other things (Q2 …); add a file with their labels (rdfs:label), or an endpoint that has them");
}

#[tokio::test]
async fn missing_names_are_asked_of_the_endpoint() {
    let folder = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::in_memory().unwrap();
    let more = "@prefix wd: <https://wiki.example/entity/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        wd:P1 rdfs:label \"mayor\"@en , \"maire\"@fr . wd:P2 rdfs:label \"home\"@en . wd:Q2 rdfs:label \"Otto\"@mul .";
    store.load_quads(quads(more).into_iter()).unwrap();
    let mut builder = builder(folder.path());
    assert!(complete(&mut builder, Some(&store), &["de".to_owned()], |_| true).await.unwrap().is_empty());
    let graph = builder.finish().unwrap();
    assert!(graph.find("https://wiki.example/entity/Q2").is_some());
    assert_eq!(graph.triple_count(), 7, "two labels and two claims, and three labels of the endpoint");
}

#[tokio::test]
async fn an_endpoint_that_fails_leaves_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let notes = complete(&mut builder(folder.path()), Some(&Down), &[], |_| true).await.unwrap().join("\n");
    assert!(notes.contains("2 properties (P1, P2 …) and 1 other things (Q2 …)"), "{notes}");
    assert!(notes.contains("gone for lunch"), "{notes}");
}

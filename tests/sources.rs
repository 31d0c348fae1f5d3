//! Files that are not what their names say, and the JSON of a Wikibase: the index and the store read the same.

use eruca::agent_features::AgentFeatures;
use eruca::service::Service;
use eruca::startup;
use eruca::tools::{Arguments, ToolContext, Workspace, find};
use eruca_indexer::NoProgress;
use eruca_testing::scripted::Setup;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Two items and a property, as a dump has them.
const DUMP: &str = r#"[
{"type":"item","id":"Q1","labels":{"en":{"language":"en","value":"Red Harbour"}},"descriptions":{},"aliases":{},"claims":{"P1":[{"mainsnak":{"snaktype":"value","property":"P1","datatype":"wikibase-item","datavalue":{"value":{"entity-type":"item","numeric-id":2,"id":"Q2"},"type":"wikibase-entityid"}},"type":"statement","id":"Q1$A","rank":"normal"}]},"sitelinks":{}},
{"type":"item","id":"Q2","labels":{"en":{"language":"en","value":"North Coast"}},"descriptions":{},"aliases":{},"claims":{},"sitelinks":{}},
{"type":"property","datatype":"wikibase-item","id":"P1","labels":{"en":{"language":"en","value":"lies at"}},"descriptions":{},"aliases":{},"claims":{}}
]
"#;

fn packed(text: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

async fn service(file: &Path) -> Arc<Service> {
    let toml = format!("[[datasets]]\nid = \"it\"\nfiles = [{}]", json!(file));
    startup::open_service(&Setup::new(&toml).settings, &NoProgress).await.unwrap()
}

/// What a query says, as a model sees it.
async fn asked(service: &Service, query: &str) -> String {
    let dataset = service.dataset("it").unwrap();
    let context = ToolContext {
        dataset: &dataset,
        timeout: Duration::from_secs(20),
        features: AgentFeatures::default(),
        max_chars: 6_000,
        workspace: Workspace::EMPTY,
    };
    let arguments = Arguments::parse(&json!({ "query": query }).to_string()).unwrap();
    find("execute_sparql").unwrap().call(&arguments, &context).await.text
}

#[tokio::test]
async fn a_dump_of_a_wikibase_is_indexed_and_asked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dump.json.gz");
    std::fs::write(&file, packed(DUMP)).unwrap();
    let service = service(&file).await;
    let dataset = service.dataset("it").unwrap();
    let item = dataset.index.entities.get("http://www.wikidata.org/entity/Q1").unwrap().unwrap();
    assert_eq!(item.labels[0].text, "Red Harbour");
    let query = "SELECT ?name WHERE { ?x rdfs:label \"Red Harbour\"@en ; wdt:P1/rdfs:label ?name }";
    let seen = asked(&service, query).await;
    assert!(seen.contains("North Coast"), "{seen}");
}

#[tokio::test]
async fn the_store_reads_a_file_with_a_wrong_name_as_the_index_does() {
    let folder = tempfile::tempdir().unwrap();
    let turtle = "@prefix e: <http://e.x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
                  e:a a e:Pier ; rdfs:label \"Long Pier\" .";
    for (name, bytes) in [("graph.owl", turtle.as_bytes().to_vec()), ("graph.nt", packed(turtle))] {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        let service = service(&file).await;
        let dataset = service.dataset("it").unwrap();
        assert!(dataset.index.entities.get("http://e.x/a").unwrap().is_some(), "{name}");
        assert!(
            dataset.index.manifest.notes.is_empty(),
            "nothing is missing: {:?}",
            dataset.index.manifest.notes
        );
        let seen = asked(&service, "SELECT ?name WHERE { ?x rdfs:label ?name }").await;
        assert!(seen.contains("Long Pier"), "{name}: {seen}");
    }
}

/// The store as well: what it holds is asked here.
#[tokio::test]
async fn a_file_in_another_encoding_is_read_alike_by_index_and_store() {
    let folder = tempfile::tempdir().unwrap();
    let xml = |encoding: &str| {
        format!(
            "<?xml version='1.0' encoding='{encoding}'?>\n<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
             xmlns:rdfs='http://www.w3.org/2000/01/rdf-schema#'>\n<rdf:Description rdf:about='http://e.x/a'>\
             <rdfs:label>M\u{fc}hle</rdfs:label></rdf:Description></rdf:RDF>"
        )
    };
    let wide: Vec<u8> =
        format!("\u{feff}{}", xml("UTF-16")).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let narrow = xml("windows-1252").chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    for (name, bytes) in [("wide.rdf", wide), ("narrow.owl", narrow)] {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        let service = service(&file).await;
        let dataset = service.dataset("it").unwrap();
        let found = dataset.index.entities.get("http://e.x/a").unwrap().unwrap();
        assert_eq!(found.labels[0].text, "M\u{fc}hle", "{name}");
        let seen = asked(&service, "SELECT ?name WHERE { ?x rdfs:label ?name }").await;
        assert!(seen.contains("M\u{fc}hle"), "{name}: {seen}");
    }
}

//! Indexes of what somebody sees from whom something is hidden.

use super::*;
use crate::hidden::{Hides, LeftOut};
use eruca_store::StoredGraph;

const STAFF: &str = "@prefix : <http://e.x/> .\n@prefix s: <http://secret.x/> .\n\
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
    :Clerk a rdfs:Class .\n\
    :ann a :Clerk ; rdfs:label \"Ann Low\" ; :room \"north wing\" ; :boss :eve .\n\
    :bob a :Clerk ; rdfs:label \"Bob High\" ; :room \"south wing\" ; :boss :ann .\n\
    :eve a :Clerk ; rdfs:label \"Eve Dark\" ; :room \"cellar\" ; s:file \"red\" .\n";

fn hides(terms: &'static [&'static str]) -> LeftOut {
    let hides: Hides = Arc::new(move |iri: &str| terms.iter().any(|term| iri.starts_with(term)));
    LeftOut { seal: "abc123".to_owned(), from: "guests".to_owned(), hides }
}

async fn built(workshop: &Workshop, text: &str, terms: &'static [&'static str]) -> BuildSummary {
    let file = workshop.folder.path().join("staff.ttl");
    fs::write(&file, text).unwrap();
    let (files, folder) = ([file], workshop.index());
    let hidden = move |_: &Prefixes| vec![hides(terms)];
    build(&BuildOptions { hidden: &hidden, ..BuildOptions::new(&files, &folder) }, &NoProgress).await.unwrap()
}

async fn seen(workshop: &Workshop, whole: &DatasetIndex) -> Option<DatasetIndex> {
    let folder = workshop.index();
    let options = OpenOptions {
        folder: &folder,
        embedder: None,
        schema_in: None,
        names_in: None,
        build_command: COMMAND,
    };
    whole.without("abc123", options).await.unwrap()
}

#[tokio::test]
async fn counts_samples_names_and_the_graph_are_without_what_is_hidden() {
    let workshop = Workshop::new();
    let summary = built(&workshop, STAFF, &["http://e.x/eve", "http://secret.x/"]).await;
    assert_eq!(summary.triples, 13);
    assert_eq!(summary.seen, [("guests".to_owned(), 8)]);
    let whole = workshop.open().await.unwrap();
    let seen = seen(&workshop, &whole).await.unwrap();
    let counts = |index: &DatasetIndex| {
        let class = index.card.class("http://e.x/Clerk").unwrap().instances;
        let rooms = index.card.property("http://e.x/room").unwrap().usage;
        (class, rooms, index.card.triples, index.values.search("cellar", None, 5).unwrap().len())
    };
    assert_eq!(counts(&whole), (3, 3, 13, 1));
    assert_eq!(counts(&seen), (2, 2, 8, 0));
    assert_eq!(seen.entities.search("Eve Dark", None, 5).unwrap().len(), 0);
    assert!(!seen.entities.has_word("dark") && whole.entities.has_word("dark"));
    let card = serde_json::to_string(&seen.card).unwrap();
    assert!(!card.contains("cellar") && !card.contains("eve"), "{card}");
    let triples =
        |index: &DatasetIndex| StoredGraph::open(index.stored_graph.as_ref().unwrap()).unwrap().triples();
    assert_eq!((triples(&whole), triples(&seen)), (13, 8));
    assert_eq!(seen.manifest.without.as_deref(), Some("abc123"));
}

#[tokio::test]
async fn it_is_replaced_with_the_whole_index_and_kept_while_it_is_open() {
    let workshop = Workshop::new();
    built(&workshop, STAFF, &["http://e.x/eve"]).await;
    let whole = workshop.open().await.unwrap();
    let first = seen(&workshop, &whole).await.unwrap();
    drop(whole);
    assert_eq!(first.outdated_now(), None);
    built(&workshop, STAFF, &["http://e.x/bob"]).await;
    assert!(matches!(first.outdated_now(), Some(Outdated::Newer { .. })));
    let graph = first.stored_graph.clone().unwrap();
    assert!(graph.exists(), "it is open");
    drop(first);
    assert!(!graph.exists(), "nobody uses it any more");
    let whole = workshop.open().await.unwrap();
    assert!(seen(&workshop, &whole).await.unwrap().entities.get("http://e.x/bob").unwrap().is_none());
}

#[tokio::test]
async fn nothing_may_be_left_and_without_anything_hidden_there_is_none() {
    let workshop = Workshop::new();
    let summary = built(&workshop, STAFF, &["http://"]).await;
    assert_eq!(summary.seen, [("guests".to_owned(), 0)]);
    let whole = workshop.open().await.unwrap();
    let nothing = seen(&workshop, &whole).await.unwrap();
    assert_eq!((nothing.card.triples, nothing.card.classes.len()), (0, 0));
    workshop.build("staff.ttl", STAFF).await.unwrap();
    let whole = workshop.open().await.unwrap();
    assert!(seen(&workshop, &whole).await.is_none());
}

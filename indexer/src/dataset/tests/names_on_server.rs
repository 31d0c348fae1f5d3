//! Indexes whose entities and values are on a Qdrant server: built, opened, replaced, and what happens when a build fails.

use super::*;
use crate::build::IndexTarget;
use crate::hidden::{Hides, LeftOut};
use crate::qdrant::QdrantOptions;
use crate::qdrant::stand_in::InMemoryQdrant;
use crate::texts::{TextQuery, TextSources};
use std::time::Duration;

const FARM: &str = "@prefix : <http://e.x/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
    :Barn a rdfs:Class .\n:Field a rdfs:Class .\n\
    :b1 a :Barn ; rdfs:label \"Long Barn\"@en, \"Lange Scheune\"@de ; :roof \"slate\", \"tin\" .\n\
    :b2 a :Barn ; rdfs:label \"Tithe Barn\" ; :roof \"thatch\" ; rdfs:comment \"next to the mill pond\" .\n\
    :f1 a :Field ; rdfs:label \"Long Acre\" ; :beside :b1, :b2 .\n";

pub(super) fn server_of(url: &str) -> QdrantOptions {
    QdrantOptions {
        url: url.to_owned(),
        api_key: None,
        collection: "eruca-farm".to_owned(),
        timeout: Duration::from_secs(20),
        search_timeout: Duration::from_secs(20),
        shard_number: None,
        replication_factor: None,
    }
}

async fn built(
    workshop: &Workshop,
    text: &str,
    server: &QdrantOptions,
    texts: Option<&TextSources>,
) -> Result<BuildSummary, BuildError> {
    let file = workshop.folder.path().join("farm.ttl");
    fs::write(&file, text).unwrap();
    let (files, folder) = ([file], workshop.index());
    let names_target = IndexTarget::Qdrant(server.clone());
    let options = BuildOptions { names_target, texts, ..BuildOptions::new(&files, &folder) };
    build(&options, &NoProgress).await
}

pub(super) async fn opened(
    workshop: &Workshop,
    server: Option<&QdrantOptions>,
) -> Result<DatasetIndex, OpenError> {
    let (folder, names_in) = (workshop.index(), server.cloned());
    let options =
        OpenOptions { folder: &folder, embedder: None, schema_in: None, names_in, build_command: COMMAND };
    DatasetIndex::open(options).await
}

fn collections(server: &InMemoryQdrant) -> Vec<String> {
    server.state().collections.keys().cloned().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_found_and_the_folder_has_none() {
    let (server, workshop) = (InMemoryQdrant::start(), Workshop::new());
    let options = server_of(&server.url);
    let summary = built(&workshop, FARM, &options, None).await.unwrap();
    assert_eq!((summary.entities, summary.values), (3, 3));
    let index = opened(&workshop, Some(&options)).await.unwrap();
    assert_eq!(entities(&index, "long barn", None), ["b1", "b2", "f1"]);
    assert_eq!(entities(&index, "scheune", None), ["b1"]);
    assert_eq!(entities(&index, "long", Some("http://e.x/Field")), ["f1"]);
    assert_eq!(entities(&index, "pond", None), ["b2"]);
    let best: Vec<String> =
        index.entities.best_of_class("http://e.x/Barn", 5).unwrap().into_iter().map(|e| e.iri).collect();
    assert_eq!(best, ["http://e.x/b1", "http://e.x/b2"]);
    assert_eq!(values(&index, "slate", None)[0].0, "roof");
    assert!(values(&index, "slate", Some("http://e.x/beside")).is_empty());
    let version = workshop.version();
    assert!(!version.join(ENTITIES).exists() && !version.join(VALUES).exists());
    index.check_names().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_build_takes_the_place_of_the_one_before_for_both_that_are_open() {
    let (server, workshop) = (InMemoryQdrant::start(), Workshop::new());
    let options = server_of(&server.url);
    built(&workshop, FARM, &options, None).await.unwrap();
    let before = opened(&workshop, Some(&options)).await.unwrap();
    let first = collections(&server);
    built(&workshop, &FARM.replace("Tithe Barn", "Great Barn"), &options, None).await.unwrap();
    let second = collections(&server);
    assert_eq!((first.len(), second.len()), (1, 1));
    assert_ne!(first, second);
    let after = opened(&workshop, Some(&options)).await.unwrap();
    assert_eq!(entities(&after, "great barn", None)[0], "b2");
    // The collection of the version that is still open is gone: the alias leads on.
    assert_eq!(entities(&before, "great barn", None)[0], "b2");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_that_fails_leaves_no_collection_and_the_old_names_in_use() {
    let (server, workshop) = (InMemoryQdrant::start(), Workshop::new());
    let options = server_of(&server.url);
    built(&workshop, FARM, &options, None).await.unwrap();
    let before = collections(&server);
    built(&workshop, "this is no Turtle", &options, None).await.unwrap_err();
    assert_eq!(collections(&server), before);
    let index = opened(&workshop, Some(&options)).await.unwrap();
    assert_eq!(entities(&index, "tithe barn", None)[0], "b2");
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_are_linked_to_things_whose_names_are_on_the_server() {
    let (server, workshop) = (InMemoryQdrant::start(), Workshop::new());
    let options = server_of(&server.url);
    let note = workshop.folder.path().join("note.md");
    fs::write(&note, "The Tithe Barn was built of oak.").unwrap();
    let texts = TextSources { files: vec![note], ..TextSources::default() };
    assert_eq!(built(&workshop, FARM, &options, Some(&texts)).await.unwrap().passages, 1);
    let index = opened(&workshop, Some(&options)).await.unwrap();
    let query = TextQuery { text: "oak", about: &[], name: None, only_about: false, limit: 3 };
    let hits = index.texts.as_ref().unwrap().search(&query).await.unwrap();
    assert_eq!(hits[0].passage.things, ["http://e.x/b2"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_hidden_from_somebody_has_names_of_its_own() {
    let (server, workshop) = (InMemoryQdrant::start(), Workshop::new());
    let options = server_of(&server.url);
    let file = workshop.folder.path().join("farm.ttl");
    fs::write(&file, FARM).unwrap();
    let (files, folder) = ([file], workshop.index());
    let hides: Hides = Arc::new(|iri: &str| iri == "http://e.x/b2");
    let hidden = |_: &Prefixes| {
        vec![LeftOut { seal: "s1".to_owned(), from: "guests".to_owned(), hides: hides.clone() }]
    };
    let names_target = IndexTarget::Qdrant(options.clone());
    let wanted = BuildOptions { names_target, hidden: &hidden, ..BuildOptions::new(&files, &folder) };
    build(&wanted, &NoProgress).await.unwrap();
    assert_eq!(collections(&server).len(), 2);
    let whole = opened(&workshop, Some(&options)).await.unwrap();
    let open = OpenOptions {
        folder: &folder,
        embedder: None,
        schema_in: None,
        names_in: Some(options),
        build_command: COMMAND,
    };
    let seen = whole.without("s1", open).await.unwrap().unwrap();
    assert_eq!(entities(&whole, "tithe barn", None)[0], "b2");
    assert!(!entities(&seen, "tithe barn", None).contains(&"b2".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_opened_only_where_its_names_are() {
    let (server, workshop) = (InMemoryQdrant::start(), Workshop::new());
    let options = server_of(&server.url);
    built(&workshop, FARM, &options, None).await.unwrap();
    let error = opened(&workshop, None).await.err().unwrap().to_string();
    assert!(error.contains("set [entity_index] backend = \"qdrant\""), "{error}");
    server.state().collections.clear();
    server.state().aliases.clear();
    let error = opened(&workshop, Some(&options)).await.err().unwrap().to_string();
    assert!(error.contains("it has no collection") && error.contains("run `eruca index`"), "{error}");
    workshop.build("farm.ttl", FARM).await.unwrap();
    let error = opened(&workshop, Some(&options)).await.err().unwrap().to_string();
    assert!(error.contains("they are in the index folder") && error.contains(COMMAND), "{error}");
}

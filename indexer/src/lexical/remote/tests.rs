//! Names on a server, beside the same names in a folder: on a stand-in, and on a real server if `ERUCA_TEST_QDRANT_URL` names one.

use super::*;
use crate::health::IntegrityAlarm;
use crate::lexical::sample::{Thing, document, write};
use crate::lexical::writer::PreparedDocument;
use crate::lexical::{NameHit, NameIndex, NameQuery};
use crate::qdrant::NewCollection;
use crate::qdrant::stand_in::{InMemoryQdrant, RealQdrant};
use eruca_language::is_function_word;
use std::time::Duration;

/// Names of a village archive: namesakes, words in another order, function words, compounds, codes.
const NAMES: [(&str, u64); 24] = [
    ("Old Mill", 40),
    ("The Old Mill of Farrow", 12),
    ("Mill Lane", 7),
    ("Mill, Old", 3),
    ("Millbrook", 9),
    ("Farrow", 200),
    ("Farrow", 5),
    ("Farow Bridge", 2),
    ("Harrow", 30),
    ("La Paz", 80),
    ("Paz", 90),
    ("Anna Lindqvist", 4),
    ("Anna Lindquist", 6),
    ("Lindqvist, Karl", 11),
    ("Karl Lund", 1),
    ("wind-speed meter", 3),
    ("windspeed", 2),
    ("GreenHarbour", 8),
    ("Green Harbour Lighthouse", 15),
    ("MX-20", 1),
    ("MX-2", 2),
    ("Transformer Station North", 3),
    ("Transformers", 2),
    ("Størsjö", 6),
];

/// What is said about each of them.
const PROSE: &str = "A place or a person in the archive of the parish";

/// What newcomers type: names as they are, parts, misspelt ones, joined and split ones, beginnings, nothing known.
const ASKED: [&str; 29] = [
    "Old Mill",
    "old mill",
    "mill old",
    "mill",
    "the mill of Farrow",
    "Farrow",
    "farow",
    "harow",
    "la paz",
    "Paz",
    "Anna Lindqvist",
    "Ana Lindqvist",
    "Lindqist",
    "Karl",
    "wind speed",
    "windspeed",
    "green harbour",
    "GreenHarbor",
    "greenharbour lighthouse",
    "MX-20",
    "MX 2",
    "Transformr Station",
    "transformers",
    "storsjo",
    "oldmill",
    "Xyzzy",
    "",
    "parish",
    "Lindqvist of the parish",
];

fn options(url: &str) -> QdrantOptions {
    QdrantOptions {
        url: url.to_owned(),
        api_key: None,
        collection: format!("eruca-test-{}", uuid::Uuid::new_v4().simple()),
        timeout: Duration::from_secs(30),
        search_timeout: Duration::from_secs(30),
        shard_number: None,
        replication_factor: None,
    }
}

fn things(names: &[(&str, u64)]) -> Vec<(String, u64)> {
    names.iter().map(|(name, uses)| ((*name).to_owned(), *uses)).collect()
}

/// Writes names as a build does; the writer waits, so that it has a thread of its own.
async fn written(options: &QdrantOptions, things: &[(String, u64)]) -> (OpenNames, NewCollection) {
    let folder = tempfile::tempdir().unwrap();
    let (upload, new) = NamesUpload::start(options, folder.path()).await.unwrap();
    let documents: Vec<PreparedDocument> = things
        .iter()
        .enumerate()
        .map(|thing| PreparedDocument::new(document(thing, Some(PROSE))).unwrap())
        .collect();
    let write = move || {
        let mut writer = RemoteNamesWriter::new(&upload, Part::Entities, None);
        documents.iter().for_each(|document| writer.push(document).unwrap());
        writer.finish().unwrap()
    };
    let count = tokio::task::spawn_blocking(write).await.unwrap();
    assert_eq!(count, things.len() as u64);
    (OpenNames::open(options, new.name()).await.unwrap(), new)
}

/// Runs a comparison on the stand-in, and on a real server if there is one.
async fn on_each_server(scenario: impl AsyncFn(&QdrantOptions)) {
    let server = InMemoryQdrant::start();
    scenario(&options(&server.url)).await;
    match RealQdrant::from_environment() {
        Some(real) => scenario(&QdrantOptions { api_key: real.api_key, ..options(&real.url) }).await,
        None => RealQdrant::say_skipped(),
    }
}

fn query(text: &str) -> NameQuery<'_> {
    NameQuery { lenient: true, ignored: &is_function_word, ..NameQuery::new(text, 6) }
}

fn shown(hits: Vec<NameHit<Thing>>) -> Vec<(String, i64)> {
    hits.into_iter().map(|hit| (hit.record.0, (hit.score * 100.0).round() as i64)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_is_found_as_in_a_folder() {
    on_each_server(async |options| {
        let things = things(&NAMES);
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &things, Some(PROSE));
        let local = NameIndex::open(folder.path(), &IntegrityAlarm::default()).unwrap();
        let (open, new) = written(options, &things).await;
        let remote = open.part(Part::Entities, things.len() as u64);
        for text in ASKED {
            for strict in [false, true] {
                let query = NameQuery { strict, ..query(text) };
                let (here, there) = (local.search(&query).unwrap(), remote.search(&query).unwrap());
                assert_eq!(shown(there), shown(here), "{text}, strict: {strict}");
            }
            let class = NameQuery { filters: vec!["f1".to_owned()], ..query(text) };
            assert_eq!(
                shown(remote.search(&class).unwrap()),
                shown(local.search(&class).unwrap()),
                "{text} in f1"
            );
            assert_eq!(
                remote.namesakes(&query(text)).unwrap(),
                local.namesakes(&query(text)).unwrap(),
                "{text}"
            );
        }
        let names = |found: Vec<Thing>| found.into_iter().map(|thing| thing.0).collect::<Vec<_>>();
        for text in ["o", "mil", "old m", "green har", "lindq", "transformers", "zz"] {
            let (here, there) = (local.complete(text, 3).unwrap(), remote.complete(text, 3).unwrap());
            assert_eq!(names(there), names(here), "{text}");
        }
        let best = |found: Vec<Thing>| found.first().map(|thing| thing.1);
        assert_eq!(best(remote.best_with("f2", 3).unwrap()), best(local.best_with("f2", 3).unwrap()));
        assert_eq!(remote.get::<Thing>("5").unwrap().unwrap().0, "Farrow");
        assert!(remote.get::<Thing>("99").unwrap().is_none());
        assert!(remote.has_word("lighthouse") && !remote.has_word("lighthous"));
        new.discard().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_fails_fails_the_search_and_is_asked_again() {
    let server = InMemoryQdrant::start();
    let options = QdrantOptions { search_timeout: Duration::from_millis(100), ..options(&server.url) };
    let (open, _new) = written(&options, &things(&NAMES)).await;
    let remote = open.part(Part::Entities, NAMES.len() as u64);
    server.state().down = true;
    let error = remote.search::<Thing>(&query("Old Mill")).unwrap_err().to_string();
    assert!(error.contains("the Qdrant server at") && error.contains("moved"), "{error}");
    let refused = server.state().refused;
    assert!(refused > 1, "{refused}");
    // It is left alone for a while, and asked again when it answers a check.
    assert!(remote.search::<Thing>(&query("Old Mill")).is_err());
    assert_eq!(server.state().refused, refused);
    server.state().down = false;
    open.check().await.unwrap();
    assert_eq!(shown(remote.search(&query("Old Mill")).unwrap())[0].0, "Old Mill");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_without_an_answer_is_made_again() {
    let server = InMemoryQdrant::start();
    let options = QdrantOptions { search_timeout: Duration::from_millis(400), ..options(&server.url) };
    let (open, _new) = written(&options, &things(&NAMES)).await;
    let remote = open.part(Part::Entities, NAMES.len() as u64);
    server.state().silent = true;
    let found = std::thread::scope(|scope| {
        let search = scope.spawn(|| remote.search::<Thing>(&query("Old Mill")));
        // As when a proxy has noticed that a node is gone, and another one is asked.
        while server.state().queries == 0 {
            std::thread::yield_now();
        }
        server.state().silent = false;
        search.join().unwrap()
    });
    assert_eq!(shown(found.unwrap())[0].0, "Old Mill");
    assert!(server.state().queries > 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_found_is_not_asked_for_again() {
    let server = InMemoryQdrant::start();
    let (open, _new) = written(&options(&server.url), &things(&NAMES)).await;
    let remote = open.part(Part::Entities, NAMES.len() as u64);
    let first = shown(remote.search(&query("Ana Lindqvist")).unwrap());
    let asked = server.state().queries;
    assert_eq!(shown(remote.search(&query("Ana Lindqvist")).unwrap()), first);
    assert_eq!(server.state().queries, asked);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_server_ends_the_build() {
    let server = InMemoryQdrant::start();
    let options = options(&server.url);
    let folder = tempfile::tempdir().unwrap();
    let (upload, _new) = NamesUpload::start(&options, folder.path()).await.unwrap();
    let refused =
        qdrant_client::qdrant::PointStruct::new("no uuid", Vec::<f32>::new(), qdrant_client::Payload::new());
    let write = move || upload.send(vec![refused]).and_then(|()| upload.finish());
    let error = tokio::task::spawn_blocking(write).await.unwrap().unwrap_err().to_string();
    assert!(error.contains("vector name") || error.contains("UUID"), "{error}");
}

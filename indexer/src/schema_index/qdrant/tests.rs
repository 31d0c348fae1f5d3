//! The index on the stand-in: the scenarios for any server, and faults that only the stand-in can produce on demand.

mod parity;
mod passages;
mod real_server;
mod scenarios;

use super::*;
use crate::qdrant::stand_in::{AliasFault, InMemoryQdrant};
use scenarios::{collections, every_scenario, everything, open, options, parts, words, write, write_shop};
use std::time::Duration;

/// Runs the scenario on a server of its own.
async fn on_a_stand_in(scenario: impl AsyncFn(&QdrantOptions)) {
    let server = InMemoryQdrant::start();
    scenario(&options(&server.url)).await;
}

every_scenario!(on_a_stand_in);

#[tokio::test]
async fn batches_are_no_larger_than_said() {
    let server = InMemoryQdrant::start();
    server.state().upserts_left = Some(3);
    write(&options(&server.url), &parts(UPSERT_BATCH * 2 + 1), None).await.unwrap();
    assert_eq!(server.state().upserts_left, Some(0));
}

#[tokio::test]
async fn the_collection_is_made_as_configured() {
    let server = InMemoryQdrant::start();
    let options =
        QdrantOptions { shard_number: Some(2), replication_factor: Some(3), ..options(&server.url) };
    write_shop(&options).await;

    let state = server.state();
    let (name, collection) = state.collections.first_key_value().unwrap();
    assert_eq!(state.aliases.get(&options.collection), Some(name));
    let suffix = name.strip_prefix(&format!("{}-", options.collection)).unwrap();
    assert!(Uuid::try_parse(suffix).is_ok() && !suffix.contains('-'), "{name}");
    assert_eq!((collection.shard_number, collection.replication_factor), (Some(2), Some(3)));
    assert_eq!(collection.indexed, [KIND]);
    assert_eq!(collection.sparse.as_ref().unwrap().map[WORDS].modifier(), Modifier::Idf);
    let id = Uuid::new_v5(&Uuid::NAMESPACE_URL, b"property http://example.org/price").to_string();
    let mut payload: Vec<(&str, String)> = collection.points[&id]
        .payload
        .iter()
        .map(|(field, value)| (field.as_str(), value.to_string()))
        .collect();
    payload.sort();
    assert_eq!(
        payload,
        [
            ("iri", "\"http://example.org/price\"".to_owned()),
            ("kind", "\"property\"".to_owned()),
            ("names", "[\"price\",\"Preis\"]".to_owned()),
            ("text", "\"of product\"".to_owned()),
            ("usage", "7".to_owned()),
        ]
    );
}

#[tokio::test]
async fn a_failing_upsert_leaves_the_old_collection_in_use() {
    let server = InMemoryQdrant::start();
    let options = options(&server.url);
    write_shop(&options).await;
    let before = collections(&options).await;
    server.state().upserts_left = Some(1);

    let error = write(&options, &parts(UPSERT_BATCH + 1), None).await.unwrap_err().to_string();

    let expected = format!(
        "the Qdrant server at {} failed: No space left on device: WAL buffer size exceeds",
        server.url
    );
    assert_eq!(error, expected);
    assert_eq!(collections(&options).await, before);
    let index = open(&options).await.unwrap();
    assert_eq!(words(&index, SchemaKind::Class, "product").await, ["Product"]);
}

#[tokio::test]
async fn a_refused_switch_leaves_the_alias_where_it_was_and_both_collections() {
    let server = InMemoryQdrant::start();
    let options = options(&server.url);
    write_shop(&options).await;
    server.state().alias_fault = Some(AliasFault::Refused);
    let folder = tempfile::tempdir().unwrap();
    let new = QdrantSchemaIndex::write(&options, folder.path(), &parts(1), None).await.unwrap();
    let name = new.name().to_owned();
    new.publish().await;
    let index = QdrantSchemaIndex::open(&options, &name, &everything()).await.unwrap();
    assert_eq!(words(&index, SchemaKind::Class, "part").await, ["Part000"], "for who opens it now");
    let former = open(&options).await.unwrap();
    assert_eq!(words(&former, SchemaKind::Class, "product").await, ["Product"], "for who has it open");
}

#[tokio::test]
async fn a_switch_whose_confirmation_is_lost_counts() {
    let server = InMemoryQdrant::start();
    let options = options(&server.url);
    write_shop(&options).await;
    server.state().alias_fault = Some(AliasFault::ConfirmationLost);
    write(&options, &parts(1), None).await.unwrap();
    let index = open(&options).await.unwrap();
    assert_eq!(words(&index, SchemaKind::Class, "part").await, ["Part000"]);
    assert_eq!(collections(&options).await.len(), 1);
}

#[tokio::test]
async fn questions_without_words_ask_nobody() {
    let server = InMemoryQdrant::start();
    let options = options(&server.url);
    write_shop(&options).await;
    let index = open(&options).await.unwrap();
    assert!(index.lexical(SchemaKind::Class, " ?! ", 10).await.unwrap().is_empty());
    assert!(index.lexical(SchemaKind::Class, "product", 0).await.unwrap().is_empty());
    assert!(index.dense(SchemaKind::Class, &[], 10).await.unwrap().is_empty());
    assert_eq!(server.state().queries, 0);
}

#[tokio::test]
async fn the_api_key_is_sent_and_a_wrong_one_not_repeated() {
    let server = InMemoryQdrant::start();
    server.state().api_key = Some("right".to_owned());
    let right = QdrantOptions { api_key: Some("right".into()), ..options(&server.url) };
    write_shop(&right).await;
    let wrong = QdrantOptions { api_key: Some("wr0ng".into()), ..right };
    let error = open(&wrong).await.err().unwrap();
    assert!(error.to_string().contains("access denied; check the API key"), "{error}");
    assert!(!format!("{error:?} {wrong:?}").contains("wr0ng"));
}

#[tokio::test]
async fn while_the_server_fails_names_are_searched_and_it_is_left_alone() {
    let server = InMemoryQdrant::start();
    let options = options(&server.url);
    write_shop(&options).await;
    let mut index = open(&options).await.unwrap();
    server.state().down = true;
    assert_eq!(words(&index, SchemaKind::Class, "product").await, ["Product"]);
    let refused = server.state().refused;
    assert_eq!(words(&index, SchemaKind::Property, "wieght").await, ["weight_g"]);
    assert_eq!(words(&index, SchemaKind::Property, "person").await, Vec::<&str>::new());
    assert!(index.dense(SchemaKind::Class, &[1.0, 0.0, 0.0], 5).await.is_err());
    assert_eq!(server.state().refused, refused, "it is left alone for a while");
    let error = index.check().await.unwrap_err().to_string();
    assert!(error.ends_with("failed: the service is being moved"), "{error}");

    server.state().down = false;
    words(&index, SchemaKind::Class, "product").await;
    assert_eq!(server.state().queries, 0);
    index.check().await.unwrap();
    words(&index, SchemaKind::Class, "product").await;
    assert_eq!(server.state().queries, 1, "it is asked again when a check has found it well");

    server.state().down = true;
    index.requests.pause.length = Duration::ZERO;
    words(&index, SchemaKind::Class, "product").await;
    server.state().down = false;
    words(&index, SchemaKind::Class, "product").await;
    assert_eq!(server.state().queries, 2, "or after the pause");
}

#[tokio::test]
async fn a_search_does_not_wait_for_a_server_that_keeps_silent() {
    let server = InMemoryQdrant::start();
    let options = QdrantOptions { search_timeout: Duration::from_millis(50), ..options(&server.url) };
    write_shop(&options).await;
    let mut index = open(&options).await.unwrap();
    server.state().silent = true;
    assert_eq!(words(&index, SchemaKind::Class, "product").await, ["Product"], "by its name");
    index.check().await.unwrap();
    assert_eq!(words(&index, SchemaKind::Property, "price").await, ["price"]);
    assert_eq!(server.state().queries, 1, "it is left alone for a while, though other calls are answered");
    index.requests.pause.length = Duration::ZERO;
    let error = index.dense(SchemaKind::Class, &[1.0, 0.0, 0.0], 5).await.unwrap_err().to_string();
    assert!(error.ends_with("failed: no answer within 0.05 s"), "{error}");
}

#[tokio::test]
async fn a_server_that_is_down_is_told_in_few_words() {
    // A port that was free a moment ago, so nothing listens there.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}");
    let options = QdrantOptions { search_timeout: Duration::from_millis(50), ..options(&url) };
    let expected =
        format!("the Qdrant server at {} failed: it cannot be reached: Connection refused", options.url);
    assert_eq!(open(&options).await.err().unwrap().to_string(), expected);
    let error = write(&options, &[], None).await.unwrap_err().to_string();
    assert_eq!(error, expected);
}

#[tokio::test]
async fn a_server_that_does_not_speak_grpc_is_told_in_few_words() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        std::io::Write::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
            .unwrap();
    });
    let options = QdrantOptions { search_timeout: Duration::from_millis(50), ..options(&url) };
    let error = open(&options).await.err().unwrap().to_string();
    server.join().unwrap();
    assert!(error.contains("it cannot be reached") && error.len() < 200, "{error}");
}

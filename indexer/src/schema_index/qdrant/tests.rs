//! The index against the stand-in. What does not depend on faults runs against a real server too, when
//! `ERUCA_TEST_QDRANT_URL` (and perhaps `ERUCA_TEST_QDRANT_API_KEY`) names one.

use super::stand_in::{AliasFault, InMemoryQdrant};
use super::*;
use qdrant_client::Qdrant;
use qdrant_client::qdrant::CreateCollectionBuilder;
use secrecy::ExposeSecret;

pub(super) fn options(url: &str) -> QdrantOptions {
    QdrantOptions {
        url: url.to_owned(),
        api_key: None,
        collection: format!("eruca-test-{}", Uuid::new_v4().simple()),
        timeout: Duration::from_secs(30),
        shard_number: None,
        replication_factor: None,
    }
}

/// Writes and publishes, as a build does.
async fn write(
    options: &QdrantOptions,
    documents: &[SchemaDocument],
    vectors: Option<&[Vec<f32>]>,
) -> Result<(), SchemaIndexError> {
    let folder = tempfile::tempdir().unwrap();
    QdrantSchemaIndex::write(options, folder.path(), documents, vectors).await?.publish().await;
    Ok(())
}

/// All documents of these tests, of which a card would tell.
fn everything() -> Vec<SchemaDocument> {
    shop().0.into_iter().chain(parts(2)).collect()
}

/// Opens what the alias points to.
async fn open(options: &QdrantOptions) -> Result<QdrantSchemaIndex, SchemaIndexError> {
    QdrantSchemaIndex::open(options, &options.collection, &everything()).await
}

fn document(kind: SchemaKind, iri: &str, names: &[&str], text: &str) -> SchemaDocument {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    SchemaDocument { iri: format!("http://example.org/{iri}"), kind, names, text: text.to_owned(), usage: 7 }
}

/// Classes and properties with vectors: the first axis is about money, the second about people.
fn shop() -> (Vec<SchemaDocument>, Vec<Vec<f32>>) {
    use SchemaKind::{Class, Property};
    let rows = [
        (document(Class, "Product", &["product", "Produkt"], "Something with a price."), vec![1.0, 0.1, 0.0]),
        (document(Class, "Person", &["person"], "Somebody who works here."), vec![0.0, 2.0, 0.0]),
        (document(Property, "price", &["price", "Preis"], "of product"), vec![3.0, 0.0, 0.0]),
        (document(Property, "weight_g", &["weight g"], "of product"), vec![0.2, 0.0, 0.9]),
        (document(Property, "releaseDate", &["release date"], "of product"), vec![0.0, 0.0, 1.0]),
        (document(Property, "email", &["email"], "of person"), vec![0.0, 1.0, 0.5]),
    ];
    rows.into_iter().unzip()
}

/// Enough documents for three batches, alike but for their numbers.
fn parts(count: usize) -> Vec<SchemaDocument> {
    let part = |at| document(SchemaKind::Class, &format!("Part{at:03}"), &[&format!("part {at}")], "");
    (0..count).map(part).collect()
}

fn local_names(hits: &[LegHit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.iri.rsplit('/').next().unwrap()).collect()
}

async fn write_shop(options: &QdrantOptions) {
    let (documents, vectors) = shop();
    write(options, &documents, Some(&vectors)).await.unwrap();
}

async fn words(index: &QdrantSchemaIndex, kind: SchemaKind, text: &str) -> Vec<String> {
    let hits = index.lexical(kind, text, 10).await.unwrap();
    local_names(&hits).into_iter().map(str::to_owned).collect()
}

/// The collections made for the alias, by the server's own account.
async fn collections(options: &QdrantOptions) -> Vec<String> {
    let listed = client(options).list_collections().await.unwrap().collections;
    let names = listed.into_iter().map(|collection| collection.name);
    names.filter(|name| name.starts_with(&options.collection)).collect()
}

fn client(options: &QdrantOptions) -> Qdrant {
    let key = options.api_key.as_ref().map(|key| key.expose_secret().to_owned());
    Qdrant::from_url(&options.url).api_key(key).skip_compatibility_check().build().unwrap()
}

async fn finds_by_words_and_by_meaning(options: &QdrantOptions) {
    write_shop(options).await;
    let index = open(options).await.unwrap();
    assert!(index.has_vectors());

    let hits = index.lexical(SchemaKind::Class, "product price", 10).await.unwrap();
    assert_eq!(local_names(&hits), ["Product"], "of the kind asked for only");
    assert!(hits[0].score > 0.0);
    assert_eq!(words(&index, SchemaKind::Property, "How heavy is it?").await, ["weight_g"]);
    assert_eq!(words(&index, SchemaKind::Property, "Welchen Preis hat das?").await, ["price"]);
    assert_eq!(words(&index, SchemaKind::Property, "price of the product").await[0], "price");
    assert_eq!(words(&index, SchemaKind::Property, "e-mail").await, ["email"]);
    assert_eq!(words(&index, SchemaKind::Class, "nonsense").await, Vec::<&str>::new());

    let hits = index.dense(SchemaKind::Property, &[2.0, 0.0, 0.0], 2).await.unwrap();
    assert_eq!(local_names(&hits), ["price", "weight_g"]);
    assert!((hits[0].score - 1.0).abs() < 1e-5, "cosine, whatever the length: {}", hits[0].score);
}

async fn a_rebuild_replaces_the_collection(options: &QdrantOptions) {
    write_shop(options).await;
    let before = collections(options).await;
    let open_meanwhile = open(options).await.unwrap();

    let planet = [document(SchemaKind::Class, "Planet", &["planet"], "")];
    write(options, &planet, None).await.unwrap();

    let after = collections(options).await;
    assert_eq!((before.len(), after.len()), (1, 1));
    assert_ne!(before, after);
    assert_eq!(words(&open_meanwhile, SchemaKind::Class, "planet").await, ["Planet"]);
    let index = open(options).await.unwrap();
    assert!(!index.has_vectors());
    assert_eq!(words(&index, SchemaKind::Class, "product").await, Vec::<&str>::new());
    assert!(index.dense(SchemaKind::Class, &[1.0, 0.0, 0.0], 5).await.unwrap().is_empty());
}

async fn equal_scores_go_by_iri(options: &QdrantOptions) {
    let mut twins = parts(12);
    twins.reverse();
    write(options, &twins, Some(&vec![vec![1.0, 0.0]; 12])).await.unwrap();
    let index = open(options).await.unwrap();
    let first = ["Part000", "Part001", "Part002", "Part003"];
    assert_eq!(local_names(&index.lexical(SchemaKind::Class, "part", 4).await.unwrap()), first);
    assert_eq!(local_names(&index.dense(SchemaKind::Class, &[1.0, 0.0], 4).await.unwrap()), first);
}

async fn a_missing_alias_says_what_to_run(options: &QdrantOptions) {
    let error = open(options).await.err().unwrap().to_string();
    let expected = format!(
        "the Qdrant server at {} failed: it has no collection '{}'; run `eruca index`",
        options.url, options.collection
    );
    assert_eq!(error, expected);
}

#[tokio::test]
async fn finds_in_the_stand_in() {
    finds_by_words_and_by_meaning(&options(&InMemoryQdrant::start().url)).await;
}

#[tokio::test]
async fn rebuilds_in_the_stand_in() {
    let server = InMemoryQdrant::start();
    a_rebuild_replaces_the_collection(&options(&server.url)).await;
}

#[tokio::test]
async fn orders_in_the_stand_in() {
    let server = InMemoryQdrant::start();
    equal_scores_go_by_iri(&options(&server.url)).await;
}

#[tokio::test]
async fn misses_in_the_stand_in() {
    let server = InMemoryQdrant::start();
    a_missing_alias_says_what_to_run(&options(&server.url)).await;
}

#[tokio::test]
async fn a_real_server_does_the_same() {
    let Ok(url) = std::env::var("ERUCA_TEST_QDRANT_URL") else {
        println!("skipped: ERUCA_TEST_QDRANT_URL is not set");
        return;
    };
    let key = std::env::var("ERUCA_TEST_QDRANT_API_KEY").ok().map(SecretString::from);
    let fresh = || QdrantOptions { api_key: key.clone(), ..options(&url) };
    let runs = [fresh(), fresh(), fresh()];
    finds_by_words_and_by_meaning(&runs[0]).await;
    a_rebuild_replaces_the_collection(&runs[1]).await;
    equal_scores_go_by_iri(&runs[2]).await;
    a_missing_alias_says_what_to_run(&fresh()).await;
    for run in &runs {
        for name in collections(run).await {
            client(run).delete_collection(name).await.unwrap();
        }
    }
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
async fn large_indexes_go_in_batches() {
    let server = InMemoryQdrant::start();
    let options = options(&server.url);
    server.state().upserts_left = Some(3);
    write(&options, &parts(UPSERT_BATCH * 2 + 1), None).await.unwrap();
    assert_eq!(server.state().upserts_left, Some(0));
    let index = open(&options).await.unwrap();
    assert_eq!(words(&index, SchemaKind::Class, "512").await, ["Part512"]);
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
async fn a_crash_before_the_folder_is_published_changes_nothing() {
    let server = InMemoryQdrant::start();
    let options = options(&server.url);
    let folder = tempfile::tempdir().unwrap();
    let first = QdrantSchemaIndex::write(&options, folder.path(), &parts(1), None).await.unwrap();
    let published = first.name().to_owned();
    first.publish().await;
    // The program dies after the collection was filled.
    let (documents, _) = shop();
    drop(QdrantSchemaIndex::write(&options, folder.path(), &documents, None).await.unwrap());
    for name in [&published, &options.collection] {
        let index = QdrantSchemaIndex::open(&options, name, &everything()).await.unwrap();
        assert_eq!(words(&index, SchemaKind::Class, "part").await, ["Part000"]);
    }
    assert_eq!(collections(&options).await.len(), 2, "the new one is left behind");
    let next = QdrantSchemaIndex::write(&options, folder.path(), &parts(2), None).await.unwrap();
    let name = next.name().to_owned();
    next.publish().await;
    assert_eq!(collections(&options).await, [name], "until the next build");
}

#[tokio::test]
async fn a_crash_before_the_alias_is_switched_leaves_folder_and_collection_in_step() {
    let server = InMemoryQdrant::start();
    let options = options(&server.url);
    let folder = tempfile::tempdir().unwrap();
    QdrantSchemaIndex::write(&options, folder.path(), &parts(1), None).await.unwrap().publish().await;
    let (documents, _) = shop();
    let new = QdrantSchemaIndex::write(&options, folder.path(), &documents, None).await.unwrap();
    // The folder that names it is published, and the program dies.
    let name = new.name().to_owned();
    drop(new);
    let index = QdrantSchemaIndex::open(&options, &name, &everything()).await.unwrap();
    assert_eq!(words(&index, SchemaKind::Class, "product").await, ["Product"]);
    let next = QdrantSchemaIndex::write(&options, folder.path(), &parts(2), None).await.unwrap();
    next.publish().await;
    assert_eq!(collections(&options).await.len(), 1);
    assert_eq!(
        words(&index, SchemaKind::Class, "part").await,
        ["Part000", "Part001"],
        "by the alias, when its own is gone"
    );
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
async fn collections_of_another_origin_are_kept() {
    let server = InMemoryQdrant::start();
    let options = options(&server.url);
    let foreign = format!("{}-by-hand", options.collection);
    client(&options).create_collection(CreateCollectionBuilder::new(&foreign)).await.unwrap();
    client(&options).create_alias(CreateAliasBuilder::new(&foreign, &options.collection)).await.unwrap();
    write_shop(&options).await;
    assert!(collections(&options).await.contains(&foreign));

    let taken = QdrantOptions { collection: foreign, ..options };
    write(&taken, &parts(1), None).await.unwrap();
    let all = collections(&taken).await;
    assert!(all.contains(&taken.collection), "an alias cannot take a collection's name: {all:?}");
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
async fn malformed_vectors_are_refused() {
    let server = InMemoryQdrant::start();
    let options = options(&server.url);
    let (documents, mut vectors) = shop();
    vectors[4].push(0.5);
    let error = write(&options, &documents, Some(&vectors)).await.unwrap_err().to_string();
    assert!(error.ends_with("Vector dimension error: expected dim: 3, got 4"), "{error}");
    let error = write(&options, &documents, Some(&vectors[..2])).await.unwrap_err().to_string();
    assert!(error.ends_with("2 vectors were given for 6 documents"), "{error}");
    assert!(server.state().collections.is_empty());
}

#[tokio::test]
async fn a_server_that_is_down_is_told_in_few_words() {
    // A port that was free a moment ago: nobody listens there.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let options = options(&format!("http://127.0.0.1:{port}"));
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
    let error = open(&options(&url)).await.err().unwrap().to_string();
    server.join().unwrap();
    assert!(error.contains("it cannot be reached") && error.len() < 200, "{error}");
}

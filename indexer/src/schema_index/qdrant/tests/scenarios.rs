//! Behaviour of the index on any server: the scenarios that `tests` runs against the stand-in and `real_server` against
//! a real one, and their helpers.

pub(super) use super::passages::{
    passages_found_are_those_of_the_folder, passages_of_another_build_are_not_searched,
    schema_and_passages_are_replaced_in_one_step,
};
use super::*;
use qdrant_client::Qdrant;
use qdrant_client::qdrant::{CreateAliasBuilder, CreateCollectionBuilder};
use secrecy::ExposeSecret;
use std::time::Duration;

/// A test for each scenario; `$on` provides a server for it.
macro_rules! every_scenario {
    ($on:ident) => {
        every_scenario!($on:
            finds_by_words_and_by_meaning,
            a_rebuild_replaces_the_collection,
            a_search_never_fails_while_the_index_is_built_anew,
            equal_scores_go_by_iri,
            a_missing_alias_says_what_to_run,
            large_indexes_go_in_batches,
            a_crash_before_the_folder_is_published_changes_nothing,
            a_crash_before_the_alias_is_switched_leaves_folder_and_collection_in_step,
            collections_of_another_origin_are_kept,
            malformed_vectors_are_refused,
            passages_found_are_those_of_the_folder,
            schema_and_passages_are_replaced_in_one_step,
            passages_of_another_build_are_not_searched,
        );
    };
    ($on:ident: $($scenario:ident,)+) => {
        $(
            #[tokio::test]
            async fn $scenario() {
                $on(crate::schema_index::qdrant::tests::scenarios::$scenario).await;
            }
        )+
    };
}
pub(super) use every_scenario;

pub(super) fn options(url: &str) -> QdrantOptions {
    QdrantOptions {
        url: url.to_owned(),
        api_key: None,
        collection: format!("eruca-test-{}", Uuid::new_v4().simple()),
        timeout: Duration::from_secs(30),
        search_timeout: Duration::from_secs(30),
        shard_number: None,
        replication_factor: None,
    }
}

/// Writes and publishes an index, as a build does.
pub(super) async fn write(
    options: &QdrantOptions,
    documents: &[SchemaDocument],
    vectors: Option<&[Vec<f32>]>,
) -> Result<(), SchemaIndexError> {
    let folder = tempfile::tempdir().unwrap();
    QdrantSchemaIndex::write(options, folder.path(), documents, vectors).await?.publish().await;
    Ok(())
}

/// All documents of these tests, as a card would yield them.
pub(super) fn everything() -> Vec<SchemaDocument> {
    shop().0.into_iter().chain(parts(2)).collect()
}

/// Opens the collection that the alias points to.
pub(super) async fn open(options: &QdrantOptions) -> Result<QdrantSchemaIndex, SchemaIndexError> {
    QdrantSchemaIndex::open(options, &options.collection, &everything()).await
}

pub(super) fn document(kind: SchemaKind, iri: &str, names: &[&str], text: &str) -> SchemaDocument {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    SchemaDocument { iri: format!("http://example.org/{iri}"), kind, names, text: text.to_owned(), usage: 7 }
}

/// Classes and properties with vectors: the first axis is about money, the second about people.
pub(super) fn shop() -> (Vec<SchemaDocument>, Vec<Vec<f32>>) {
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

/// Enough documents for three batches, which differ only by number.
pub(super) fn parts(count: usize) -> Vec<SchemaDocument> {
    let part = |at| document(SchemaKind::Class, &format!("Part{at:03}"), &[&format!("part {at}")], "");
    (0..count).map(part).collect()
}

pub(super) fn local_names(hits: &[LegHit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.iri.rsplit('/').next().unwrap()).collect()
}

pub(super) async fn write_shop(options: &QdrantOptions) {
    let (documents, vectors) = shop();
    write(options, &documents, Some(&vectors)).await.unwrap();
}

pub(super) async fn words(index: &QdrantSchemaIndex, kind: SchemaKind, text: &str) -> Vec<String> {
    let hits = index.lexical(kind, text, 10).await.unwrap();
    local_names(&hits).into_iter().map(str::to_owned).collect()
}

/// The collections created for the alias, as listed by the server.
pub(super) async fn collections(options: &QdrantOptions) -> Vec<String> {
    let listed = client(options).list_collections().await.unwrap().collections;
    let names = listed.into_iter().map(|collection| collection.name);
    names.filter(|name| name.starts_with(&options.collection)).collect()
}

pub(super) fn client(options: &QdrantOptions) -> Qdrant {
    let key = options.api_key.as_ref().map(|key| key.expose_secret().to_owned());
    Qdrant::from_url(&options.url).api_key(key).skip_compatibility_check().build().unwrap()
}

pub(super) async fn finds_by_words_and_by_meaning(options: &QdrantOptions) {
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

pub(super) async fn a_rebuild_replaces_the_collection(options: &QdrantOptions) {
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

pub(super) async fn equal_scores_go_by_iri(options: &QdrantOptions) {
    let mut twins = parts(12);
    twins.reverse();
    write(options, &twins, Some(&vec![vec![1.0, 0.0]; 12])).await.unwrap();
    let index = open(options).await.unwrap();
    let first = ["Part000", "Part001", "Part002", "Part003"];
    assert_eq!(local_names(&index.lexical(SchemaKind::Class, "part", 4).await.unwrap()), first);
    assert_eq!(local_names(&index.dense(SchemaKind::Class, &[1.0, 0.0], 4).await.unwrap()), first);
}

pub(super) async fn a_missing_alias_says_what_to_run(options: &QdrantOptions) {
    let error = open(options).await.err().unwrap().to_string();
    let expected = format!(
        "the Qdrant server at {} failed: it has no collection '{}'; run `eruca index`",
        options.url, options.collection
    );
    assert_eq!(error, expected);
}

pub(super) async fn large_indexes_go_in_batches(options: &QdrantOptions) {
    write(options, &parts(UPSERT_BATCH * 2 + 1), None).await.unwrap();
    let index = open(options).await.unwrap();
    assert_eq!(words(&index, SchemaKind::Class, "512").await, ["Part512"]);
}

pub(super) async fn a_crash_before_the_folder_is_published_changes_nothing(options: &QdrantOptions) {
    let folder = tempfile::tempdir().unwrap();
    let first = QdrantSchemaIndex::write(options, folder.path(), &parts(1), None).await.unwrap();
    let published = first.name().to_owned();
    first.publish().await;
    // The program is killed after the collection was filled.
    let (documents, _) = shop();
    drop(QdrantSchemaIndex::write(options, folder.path(), &documents, None).await.unwrap());
    for name in [&published, &options.collection] {
        let index = QdrantSchemaIndex::open(options, name, &everything()).await.unwrap();
        assert_eq!(words(&index, SchemaKind::Class, "part").await, ["Part000"]);
    }
    assert_eq!(collections(options).await.len(), 2, "the new one is left behind");
    let next = QdrantSchemaIndex::write(options, folder.path(), &parts(2), None).await.unwrap();
    let name = next.name().to_owned();
    next.publish().await;
    assert_eq!(collections(options).await, [name], "until the next build");
}

pub(super) async fn a_crash_before_the_alias_is_switched_leaves_folder_and_collection_in_step(
    options: &QdrantOptions,
) {
    let folder = tempfile::tempdir().unwrap();
    QdrantSchemaIndex::write(options, folder.path(), &parts(1), None).await.unwrap().publish().await;
    let (documents, _) = shop();
    let new = QdrantSchemaIndex::write(options, folder.path(), &documents, None).await.unwrap();
    // The folder that names it is published, then the program is killed.
    let name = new.name().to_owned();
    drop(new);
    let index = QdrantSchemaIndex::open(options, &name, &everything()).await.unwrap();
    assert_eq!(words(&index, SchemaKind::Class, "product").await, ["Product"]);
    let next = QdrantSchemaIndex::write(options, folder.path(), &parts(2), None).await.unwrap();
    next.publish().await;
    assert_eq!(collections(options).await.len(), 1);
    assert_eq!(
        words(&index, SchemaKind::Class, "part").await,
        ["Part000", "Part001"],
        "by the alias, when its own is gone"
    );
}

pub(super) async fn collections_of_another_origin_are_kept(options: &QdrantOptions) {
    let foreign = format!("{}-by-hand", options.collection);
    client(options).create_collection(CreateCollectionBuilder::new(&foreign)).await.unwrap();
    client(options).create_alias(CreateAliasBuilder::new(&foreign, &options.collection)).await.unwrap();
    write_shop(options).await;
    assert!(collections(options).await.contains(&foreign));

    let taken = QdrantOptions { collection: foreign, ..options.clone() };
    write(&taken, &parts(1), None).await.unwrap();
    let all = collections(&taken).await;
    assert!(all.contains(&taken.collection), "an alias cannot take a collection's name: {all:?}");
}

pub(super) async fn malformed_vectors_are_refused(options: &QdrantOptions) {
    let (documents, mut vectors) = shop();
    vectors[4].push(0.5);
    let error = write(options, &documents, Some(&vectors)).await.unwrap_err().to_string();
    assert!(error.ends_with("Vector dimension error: expected dim: 3, got 4 for vector 'dense'"), "{error}");
    let error = write(options, &documents, Some(&vectors[..2])).await.unwrap_err().to_string();
    assert!(error.ends_with("2 vectors were given for 6 documents"), "{error}");
    assert!(collections(options).await.is_empty());
}

pub(super) async fn a_search_never_fails_while_the_index_is_built_anew(options: &QdrantOptions) {
    write_shop(options).await;
    let index = open(options).await.unwrap();
    let rebuilt = std::sync::atomic::AtomicBool::new(false);
    let rebuild = async {
        for _ in 0..5 {
            write_shop(options).await;
        }
        rebuilt.store(true, std::sync::atomic::Ordering::Relaxed);
    };
    let search = async {
        while !rebuilt.load(std::sync::atomic::Ordering::Relaxed) {
            assert_eq!(words(&index, SchemaKind::Class, "product").await, ["Product"]);
        }
    };
    tokio::join!(rebuild, search);
}

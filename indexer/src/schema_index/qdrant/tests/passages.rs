//! Vectors of passages on any server: what is found, and how they are replaced.

use super::parity::Letters;
use super::scenarios::{client, collections, options};
use super::*;
use crate::build::{BuildError, BuildOptions, IndexTarget, build};
use crate::dataset::{DatasetIndex, OpenError, OpenOptions};
use crate::embedding::Embedder;
use crate::progress::NoProgress;
use crate::qdrant::stand_in::InMemoryQdrant;
use crate::texts::{TextQuery, TextSources};
use std::fs;
use std::sync::Arc;
use tempfile::TempDir;

const GRAPH: &str = "@prefix : <http://e.x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:mill a :Mill ; rdfs:label \"Old Mill\"@en . :bridge a :Bridge ; rdfs:label \"Stone Bridge\"@en .";

const MILL: [&str; 4] = [
    "The Old Mill burned down when lightning struck.",
    "Its wheel was sold to a museum of the capital.",
    "Nobody knows who laid the foundation stone of the Old Mill.",
    "Flour from here went to every bakery in the valley.",
];
const BRIDGE: [&str; 3] = [
    "Five arches carry the Stone Bridge across the water.",
    "The flood of that spring destroyed two of them.",
    "A toll was levied for carts until the railway came.",
];

/// A graph with texts, and its index.
struct Library {
    folder: TempDir,
    sources: TextSources,
}

impl Library {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let docs = folder.path().join("docs");
        fs::create_dir(&docs).unwrap();
        fs::write(folder.path().join("graph.ttl"), GRAPH).unwrap();
        for (name, sentences) in [("Old Mill", &MILL[..]), ("Stone Bridge", &BRIDGE[..])] {
            for (number, sentence) in sentences.iter().enumerate() {
                let text = format!("# {name}\n\n{sentence}\n");
                fs::write(docs.join(format!("{name} {number}.md")), text).unwrap();
            }
        }
        fs::write(docs.join("other.txt"), "A mill in the next valley ground barley, and it had no wheel.")
            .unwrap();
        Self { folder, sources: TextSources { files: vec![docs], ..TextSources::default() } }
    }

    async fn build(&self, target: IndexTarget) -> Result<(), BuildError> {
        let (file, folder) = ([self.folder.path().join("graph.ttl")], self.folder.path().join("index"));
        let options = BuildOptions {
            texts: Some(&self.sources),
            embedder: Some(&Letters),
            schema_target: target,
            ..BuildOptions::new(&file, &folder)
        };
        build(&options, &NoProgress).await.map(drop)
    }

    async fn open(&self, qdrant: Option<&QdrantOptions>) -> Result<DatasetIndex, OpenError> {
        let (folder, embedder) = (self.folder.path().join("index"), Arc::new(Letters) as Arc<dyn Embedder>);
        let schema_in = qdrant.cloned();
        let options = OpenOptions {
            folder: &folder,
            embedder: Some(embedder),
            schema_in,
            names_in: None,
            build_command: "",
        };
        DatasetIndex::open(options).await
    }

    async fn on(options: &QdrantOptions) -> (Self, DatasetIndex) {
        let library = Self::new();
        library.build(IndexTarget::Qdrant(options.clone())).await.unwrap();
        let index = library.open(Some(options)).await.unwrap();
        (library, index)
    }
}

/// The passages found, in the order of their texts.
async fn found(index: &DatasetIndex, query: TextQuery<'_>) -> Vec<String> {
    let hits = index.texts.as_ref().unwrap().search(&TextQuery { limit: 3, ..query }).await.unwrap();
    let mut found: Vec<String> = hits.into_iter().map(|hit| hit.passage.text).collect();
    found.sort();
    found
}

pub(super) async fn passages_found_are_those_of_the_folder(options: &QdrantOptions) {
    let local = Library::new();
    local.build(IndexTarget::Folder).await.unwrap();
    let (_library, remote) = Library::on(options).await;
    let local = local.open(None).await.unwrap();
    let texts = remote.texts.as_ref().unwrap();
    assert_eq!(texts.describe(), "bm25+dense (letters)");
    texts.check().await.unwrap();
    let mill = vec!["http://e.x/mill".to_owned()];
    for text in ["burning", "lightnings strike", "inundation, floods", "bakeries", "mills", "museums", "toll"]
    {
        let all = TextQuery { text, ..TextQuery::default() };
        let first = TextQuery { about: &mill, ..all };
        let only = TextQuery { only_about: true, ..first };
        let named = TextQuery { name: Some("valley"), only_about: true, ..all };
        for query in [all, first, only, named] {
            assert_eq!(found(&remote, query).await, found(&local, query).await, "{query:?}");
        }
        let about_mill = found(&remote, only).await;
        assert!(about_mill.len() == 3 && about_mill.iter().all(|text| MILL.contains(&text.as_str())));
        assert_eq!(found(&remote, named).await.len(), 2, "one of the mill and one of no thing");
    }
}

pub(super) async fn schema_and_passages_are_replaced_in_one_step(options: &QdrantOptions) {
    let (mut library, _) = Library::on(options).await;
    let before = collections(options).await;
    let aliases = client(options).list_aliases().await.unwrap().aliases;
    let mut aliases: Vec<String> = aliases.into_iter().map(|alias| alias.alias_name).collect();
    aliases.retain(|alias| alias.starts_with(&options.collection));
    aliases.sort();
    assert_eq!(aliases, [options.collection.clone(), format!("{}~texts", options.collection)]);

    library.build(IndexTarget::Qdrant(options.clone())).await.unwrap();
    let after = collections(options).await;
    assert_eq!((before.len(), after.len()), (2, 2));
    assert!(after.iter().all(|name| !before.contains(name)), "{before:?} {after:?}");
    let index = library.open(Some(options)).await.unwrap();
    assert!(!found(&index, TextQuery { text: "burning", ..TextQuery::default() }).await.is_empty());

    library.sources.vectors = false;
    library.build(IndexTarget::Qdrant(options.clone())).await.unwrap();
    assert_eq!(collections(options).await.len(), 1, "that of the passages is gone with its texts' vectors");
    assert!(!library.open(Some(options)).await.unwrap().texts.unwrap().has_vectors());
}

pub(super) async fn passages_of_another_build_are_not_searched(options: &QdrantOptions) {
    let (library, former) = Library::on(options).await;
    let asked = TextQuery { text: "millstones", ..TextQuery::default() };
    assert_eq!(found(&former, asked).await.len(), 3);
    library.build(IndexTarget::Qdrant(options.clone())).await.unwrap();
    assert!(found(&former, asked).await.is_empty(), "no passage has the word, and its vectors are gone");
    assert_eq!(found(&former, TextQuery { text: "bakery", ..asked }).await, [MILL[3]]);
    assert!(former.texts.as_ref().unwrap().check().await.is_err());

    let now = library.open(Some(options)).await.unwrap();
    let collection = now.manifest.texts.unwrap().vectors.unwrap().collection.unwrap();
    client(options).delete_collection(&collection).await.unwrap();
    let told = library.open(Some(options)).await.err().unwrap().to_string();
    assert!(told.contains("the vectors of the texts") && told.contains(&collection), "{told}");
    assert!(told.ends_with("run `eruca index`"), "{told}");
}

#[tokio::test]
async fn many_passages_are_filtered_by_what_they_are_about() {
    let server = InMemoryQdrant::start();
    let options = options(&server.url);
    let folder = tempfile::tempdir().unwrap();
    let new = NewPassages::start(&options, folder.path(), 2).await.unwrap();
    let things = [vec!["http://e.x/mill".to_owned()], vec!["http://e.x/bridge".to_owned()]];
    let all =
        (0..1_002).map(|number| ((number, things[number as usize % 2].as_slice()), vec![1.0, number as f32]));
    new.add(all).await.unwrap();
    let new = new.finish();
    let passages = QdrantPassages::open(&options, new.name(), 1_002).await.unwrap();
    let numbers: Vec<u32> = (0..1_001).collect();
    let near = async |things: &[String]| {
        let found =
            passages.nearest(&[1.0, 0.0], Some(Among { numbers: &numbers, things }), 3).await.unwrap();
        found.into_iter().take(3).map(|(number, _)| number).collect::<Vec<_>>()
    };
    assert_eq!(near(&things[1]).await, [1, 3, 5]);
    assert_eq!(near(&[]).await, [0, 1, 2], "without things, by number");
}

#[tokio::test]
async fn a_build_whose_passages_are_refused_leaves_the_old_index() {
    let server = InMemoryQdrant::start();
    let options = options(&server.url);
    let (library, _) = Library::on(&options).await;
    let before = collections(&options).await;
    server.state().upserts_left = Some(1);
    assert!(matches!(
        library.build(IndexTarget::Qdrant(options.clone())).await,
        Err(BuildError::TextVectors(_))
    ));
    assert_eq!(collections(&options).await, before);
    library.open(Some(&options)).await.unwrap();
}

#[tokio::test]
async fn while_the_server_fails_texts_are_found_by_words() {
    let server = InMemoryQdrant::start();
    let options = options(&server.url);
    let (_library, index) = Library::on(&options).await;
    server.state().down = true;
    assert_eq!(found(&index, TextQuery { text: "bakery", ..TextQuery::default() }).await, [MILL[3]]);
    let told = index.texts.as_ref().unwrap().check().await.unwrap_err().to_string();
    assert!(told.ends_with("failed: the service is being moved"), "{told}");
}

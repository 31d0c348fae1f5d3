//! Texts beside a small graph: built, opened, searched, and compared with what is configured.

use super::*;
use crate::build::{BuildError, BuildOptions, BuildSummary, build};
use crate::dataset::{DatasetIndex, OpenError, OpenOptions};
use crate::embedding::Embedder;
use crate::progress::NoProgress;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

const GRAPH: &str = r#"@prefix : <http://e.x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:mill a :Mill ; rdfs:label "Old Mill"@en ; :built 1720 ;
    rdfs:comment "The mill stands below the castle and ground the grain of the valley until the great flood took its wheel away."@en .
:flood a :Event ; rdfs:label "Great Flood"@en .
:a a :Person ; rdfs:label "John Smith" . :b a :Person ; rdfs:label "John Smith" .
:c :shape "POLYGON((1 2, 3 4, 5 6, 7 8, 9 10, 11 12, 13 14, 15 16, 17 18, 19 20, 21 22, 23 24))" .
[] rdfs:comment "A thing without a name has a long comment as well, which nobody could be shown as the source of it." ."#;

mod meaning;

struct Workshop {
    folder: TempDir,
    sources: TextSources,
    embedder: Option<Arc<dyn Embedder>>,
}

impl Workshop {
    fn new(documents: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let docs = folder.path().join("docs");
        fs::create_dir(&docs).unwrap();
        for (name, text) in documents {
            fs::write(docs.join(name), text).unwrap();
        }
        let files = if documents.is_empty() { Vec::new() } else { vec![docs] };
        Self { folder, sources: TextSources { files, ..TextSources::default() }, embedder: None }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    async fn build(&self) -> Result<BuildSummary, BuildError> {
        let (file, folder) = ([self.path("graph.ttl")], self.path("index"));
        fs::write(&file[0], GRAPH).unwrap();
        let options = BuildOptions {
            texts: Some(&self.sources),
            embedder: self.embedder.as_deref(),
            ..BuildOptions::new(&file, &folder)
        };
        build(&options, &NoProgress).await
    }

    async fn open(&self) -> DatasetIndex {
        self.opened().await.unwrap()
    }

    async fn opened(&self) -> Result<DatasetIndex, OpenError> {
        let (folder, embedder) = (self.path("index"), self.embedder.clone());
        let options = OpenOptions {
            folder: &folder,
            embedder,
            schema_in: None,
            names_in: None,
            build_command: "eruca index",
        };
        DatasetIndex::open(options).await
    }

    /// The folder of the current version.
    fn version(&self) -> PathBuf {
        let name = fs::read_to_string(self.path("index/current")).unwrap();
        self.path("index").join(name.trim())
    }

    async fn texts(&self) -> TextIndex {
        self.build().await.unwrap();
        self.open().await.texts.unwrap()
    }
}

async fn found(texts: &TextIndex, query: TextQuery<'_>) -> Vec<(String, Vec<String>)> {
    let hits = texts.search(&TextQuery { limit: 5, ..query }).await.unwrap();
    hits.into_iter().map(|hit| (hit.passage.text, hit.passage.things)).collect()
}

fn words(text: &str) -> TextQuery<'_> {
    TextQuery { text, ..TextQuery::default() }
}

#[tokio::test]
async fn documents_are_linked_by_title_name_and_iri() {
    let workshop = Workshop::new(&[
        ("report.md", "# Old Mill\n\nIt burned down in 1840, when lightning struck the roof.\n"),
        ("flood.txt", "In spring the Great Flood reached the town. John Smith drew it."),
        ("link.html", "<p>The ruin <a href='http://e.x/mill'>here</a> is closed in winter.</p>"),
    ]);
    let texts = workshop.texts().await;
    let mill = vec!["http://e.x/mill".to_owned()];
    let burned = found(&texts, words("Why did it burn down after lightning?")).await;
    assert_eq!(
        burned[0],
        ("It burned down in 1840, when lightning struck the roof.".to_owned(), mill.clone())
    );
    // A name that two people have links to neither.
    let flood = found(&texts, words("Which flood reached the town?")).await;
    assert_eq!(flood[0].1, ["http://e.x/flood"]);
    assert_eq!(found(&texts, words("closed in winter")).await[0].1, mill);
    assert!(found(&texts, words("submarine")).await.is_empty());
}

#[tokio::test]
async fn passages_about_a_thing_go_first_or_alone() {
    let workshop = Workshop::new(&[
        ("Old Mill.txt", "The roof is new."),
        ("castle.txt", "The roof of the castle is new, and the roof of its tower is old."),
    ]);
    let texts = workshop.texts().await;
    let about = vec!["http://e.x/mill".to_owned()];
    assert!(found(&texts, words("roof of a tower")).await[0].0.contains("castle"));
    let first = found(&texts, TextQuery { about: &about, ..words("roof of a tower") }).await;
    assert_eq!((first.len(), first[0].0.as_str()), (2, "The roof is new."));
    let alone = found(&texts, TextQuery { about: &about, only_about: true, ..words("roof") }).await;
    assert_eq!(alone.len(), 1);
    let named = found(&texts, TextQuery { name: Some("castle"), only_about: true, ..words("roof") }).await;
    assert_eq!(named.len(), 1);
    assert!(found(&texts, TextQuery { only_about: true, ..words("roof") }).await.is_empty());
}

#[tokio::test]
async fn long_literals_are_texts_and_other_data_is_not() {
    let mut workshop = Workshop::new(&[]);
    workshop.sources.literals_from = 60;
    assert_eq!(workshop.build().await.unwrap().passages, 1);
    let hits =
        workshop.open().await.texts.unwrap().search(&TextQuery { limit: 3, ..words("wheel") }).await.unwrap();
    let property = "http://www.w3.org/2000/01/rdf-schema#comment".to_owned();
    let (subject, language) = ("http://e.x/mill".to_owned(), "en".to_owned());
    assert_eq!(hits[0].passage.source, PassageSource::Literal { subject, property, language });
    assert!((hits[0].coverage - 1.0).abs() < f32::EPSILON);
}

#[tokio::test]
async fn a_mapping_links_by_iri_or_name_and_says_what_it_cannot() {
    let mut workshop = Workshop::new(&[("a.txt", "Nothing but stones."), ("b.txt", "Nothing but water.")]);
    fs::write(
        workshop.path("map.tsv"),
        "# file\tthing\na.txt\thttp://e.x/mill\nb.txt\tGreat Flood\nb.txt\tJohn Smith\n",
    )
    .unwrap();
    workshop.sources.mapping = Some(workshop.path("map.tsv"));
    let summary = workshop.build().await.unwrap();
    assert!(summary.notes.iter().any(|note| note.contains("'John Smith'")), "{:?}", summary.notes);
    let texts = workshop.open().await.texts.unwrap();
    assert_eq!(found(&texts, words("stones")).await[0].1, ["http://e.x/mill"]);
    assert_eq!(found(&texts, words("water")).await[0].1, ["http://e.x/flood"]);
    fs::write(workshop.path("map.tsv"), "a.txt http://e.x/mill\n").unwrap();
    let error = workshop.build().await.unwrap_err().to_string();
    assert!(error.contains("map.tsv") && error.contains("line 1"), "{error}");
}

#[tokio::test]
async fn what_cannot_be_read_is_told_and_costs_nothing_else() {
    let workshop = Workshop::new(&[("a.txt", "The wheel turns."), ("b.pdf", "%PDF-1.4 broken")]);
    let summary = workshop.build().await.unwrap();
    assert_eq!(summary.passages, 1);
    assert!(summary.notes.iter().any(|note| note.contains("b.pdf")), "{:?}", summary.notes);
    let many: Vec<(String, &str)> = (0..30).map(|number| (format!("{number}.pdf"), "broken")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let notes = Workshop::new(&many).build().await.unwrap().notes;
    assert_eq!((notes.len(), notes[10].as_str()), (11, "20 more notes on texts"));
    let missing = Workshop {
        sources: TextSources { files: vec!["nowhere/*.txt".into()], ..TextSources::default() },
        ..workshop
    };
    let error = missing.build().await.unwrap_err().to_string();
    assert!(error.contains("nowhere/*.txt"), "{error}");
}

#[tokio::test]
async fn an_index_knows_whether_its_texts_are_the_configured_ones() {
    let workshop = Workshop::new(&[("a.txt", "The wheel turns.")]);
    workshop.build().await.unwrap();
    let stamp = workshop.open().await.manifest.texts;
    let differs = |sources: &TextSources| TextsStamp::differs(stamp.as_ref(), sources, false);
    assert_eq!(differs(&workshop.sources), None);
    assert!(differs(&TextSources::default()).is_some());
    assert!(differs(&TextSources { literals_from: 9, ..workshop.sources.clone() }).is_some());
    assert!(TextsStamp::differs(None, &workshop.sources, false).is_some());
    assert_eq!(TextsStamp::differs(None, &TextSources::default(), false), None);
    fs::write(workshop.path("docs/a.txt"), "The wheel no longer turns at all.").unwrap();
    assert!(differs(&workshop.sources).unwrap().contains("changed"));
}

#[tokio::test]
async fn a_damaged_index_of_texts_is_refused() {
    let workshop = Workshop::new(&[("a.txt", "The wheel turns.")]);
    workshop.build().await.unwrap();
    fs::remove_file(workshop.version().join("texts/meta.json")).unwrap();
    let error = workshop.opened().await.err().unwrap().to_string();
    assert!(error.contains("damaged") && error.contains("eruca index"), "{error}");
}

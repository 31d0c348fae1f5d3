//! Small graphs, built and opened: what is found by name, and what happens to old and incomplete indexes.

use super::*;
use crate::build::{BuildError, BuildOptions, BuildSummary, build};
use crate::embedding::Meanings;
use crate::progress::NoProgress;
use crate::schema_index::SchemaKind;
use std::fs;
use std::sync::atomic::Ordering;
use tempfile::TempDir;

mod card;
mod damage;
mod names_on_server;
mod order;
mod parts;
mod seen;
mod space;

const COMMAND: &str = "eruca index --dataset 'mine'";

/// Prefixes that the graphs of these tests share.
const PREFIXES: &str = "@prefix : <http://e.x/> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n\
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n\
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n";

/// Files and an index in a temporary folder.
struct Workshop {
    folder: TempDir,
    naming: Vec<String>,
    embedder: Option<Arc<dyn Embedder>>,
}

impl Workshop {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), naming: Vec::new(), embedder: None }
    }

    fn with_embedder(embedder: Arc<dyn Embedder>) -> Self {
        Self { embedder: Some(embedder), ..Self::new() }
    }

    fn index(&self) -> PathBuf {
        self.folder.path().join("index")
    }

    /// Builds the index of one file; the extension of the name determines the format.
    async fn build(&self, name: &str, text: &str) -> Result<BuildSummary, BuildError> {
        let file = self.folder.path().join(name);
        fs::write(&file, text).unwrap();
        let (files, folder) = ([file], self.index());
        let options = BuildOptions {
            naming_properties: &self.naming,
            embedder: self.embedder.as_deref(),
            ..BuildOptions::new(&files, &folder)
        };
        build(&options, &NoProgress).await
    }

    async fn open(&self) -> Result<DatasetIndex, OpenError> {
        let folder = self.index();
        let embedder = self.embedder.clone();
        let options = OpenOptions {
            folder: &folder,
            embedder,
            schema_in: None,
            names_in: None,
            build_command: COMMAND,
        };
        DatasetIndex::open(options).await
    }

    /// The error when the index is opened.
    async fn mistake(&self) -> String {
        self.open().await.err().unwrap().to_string()
    }

    /// The folder of the current version.
    fn version(&self) -> PathBuf {
        match current(&self.index()) {
            Current::Version(folder) => folder,
            other => panic!("{other:?}"),
        }
    }

    /// Number of version folders, complete or not.
    fn versions(&self) -> usize {
        let entries = fs::read_dir(self.index()).unwrap().map(|entry| entry.unwrap().file_name());
        entries.filter(|name| name.to_string_lossy().starts_with("v-")).count()
    }
}

/// The index of a graph in Turtle.
async fn index_of(turtle: &str) -> (DatasetIndex, Workshop) {
    let workshop = Workshop::new();
    workshop.build("graph.ttl", &format!("{PREFIXES}{turtle}")).await.unwrap();
    (workshop.open().await.unwrap(), workshop)
}

/// Entities found, best first, without the tests' namespace.
fn entities(index: &DatasetIndex, text: &str, class: Option<&str>) -> Vec<String> {
    let hits = index.entities.search(text, class, 5).unwrap();
    hits.into_iter().map(|hit| hit.record.iri.trim_start_matches("http://e.x/").to_owned()).collect()
}

/// Values found, best first: property, text, language, count.
fn values(index: &DatasetIndex, text: &str, property: Option<&str>) -> Vec<(String, String, String, u32)> {
    let hits = index.values.search(text, property, 5).unwrap().into_iter().map(|hit| hit.record);
    hits.map(|v| (v.property.trim_start_matches("http://e.x/").to_owned(), v.text, v.language, v.count))
        .collect()
}

async fn schema(index: &DatasetIndex, kind: SchemaKind, text: &str) -> Vec<String> {
    let hits = index.schema.search(kind, text, 5).await.unwrap();
    hits.into_iter().map(|hit| hit.iri.trim_start_matches("http://e.x/").to_owned()).collect()
}

#[track_caller]
fn assert_first(index: &DatasetIndex, cases: &[(&str, &str)]) {
    for (text, wanted) in cases {
        let found = entities(index, text, None);
        assert_eq!(found.first().map(String::as_str), Some(*wanted), "{text}: {found:?}");
    }
}

#[tokio::test]
async fn names_are_found_with_and_without_language_tags() {
    let (index, _workshop) = index_of(
        ":c1 a :City ; rdfs:label \"Cologne\"@en , \"Köln\"@de ; skos:altLabel \"Colonia Agrippina\" .
         :c2 a :City ; rdfs:label \"Bonn\" ; skos:altLabel \"Bundesdorf\"@de .
         :c3 a :City ; skos:prefLabel \"東京\"@ja , \"Tokyo\"@en .",
    )
    .await;
    assert_first(
        &index,
        &[
            ("Cologne", "c1"),
            ("Köln", "c1"),
            ("Colonia", "c1"),
            ("Bonn", "c2"),
            ("Bundesdorf", "c2"),
            ("東京", "c3"),
        ],
    );
    let cologne = index.entities.get("http://e.x/c1").unwrap().unwrap();
    assert_eq!(cologne.labels.last().unwrap().text, "Colonia Agrippina", "alternative names stand last");
    assert_eq!(cologne.label(&["de".to_owned()]), "Köln");
    assert_eq!(cologne.label(&["en".to_owned(), "de".to_owned()]), "Cologne");
    assert_eq!(cologne.types, ["http://e.x/City"]);
    assert_eq!(index.entities.len(), 3);
    assert!(index.entities.get("http://e.x/c4").unwrap().is_none());
}

#[tokio::test]
async fn what_is_meant_is_found_beside_what_is_written() {
    let (index, _workshop) = index_of(
        ":a :p 1 ; rdfs:label \"Maroon\" . :b :p 1 ; rdfs:label \"Maroson\" . :c :p 1 ; rdfs:label \"GBP/BHD\" .
         :d :p 1 ; rdfs:label \"La Celeste\" . :e :p 1 ; rdfs:label \"Two by Two\" . :f :p 1 ; rdfs:label \"Two\" .",
    )
    .await;
    assert_eq!(entities(&index, "maroon", None), ["a", "b"], "a name that may be another one misspelt");
    assert_first(&index, &[("gbpbhd", "c"), ("lac eleste", "d"), ("by two two", "e")]);
}

#[tokio::test]
async fn properties_that_end_with_a_naming_word_name_things() {
    let (index, _workshop) = index_of(
        ":s1 a :Song ; :Song_Name \"Yellow Submarine\" ; :length 159 .
         :p1 a :Person ; :name \"Ada Lovelace\" ; :filename \"ada.txt\" .",
    )
    .await;
    assert_first(&index, &[("yellow submarine", "s1"), ("Lovelace", "p1")]);
    let naming = &index.card.naming_properties;
    assert_eq!(naming, &["http://e.x/name", "http://e.x/Song_Name"], "a filename is no name");
    assert_eq!(index.entities.get("http://e.x/p1").unwrap().unwrap().label(&[]), "Ada Lovelace");
}

#[tokio::test]
async fn configured_naming_properties_come_first() {
    let mut workshop = Workshop::new();
    workshop.naming = vec!["http://e.x/callsign".to_owned()];
    let graph = format!("{PREFIXES}:a a :Plane ; rdfs:label \"Boeing 747\" ; :callsign \"Speedbird\" .");
    workshop.build("graph.ttl", &graph).await.unwrap();
    let index = workshop.open().await.unwrap();
    assert_first(&index, &[("Speedbird", "a"), ("Boeing", "a")]);
    assert_eq!(index.entities.get("http://e.x/a").unwrap().unwrap().label(&[]), "Speedbird");
}

#[tokio::test]
async fn local_names_are_enough() {
    let (index, _workshop) = index_of(
        "<http://db/pets/student/stuid=1001> a <http://db/pets/student> ;
           <http://db/pets/student#first_name> \"Linda\" ; <http://db/pets/student#city_code> \"BAL\" .
         <http://db/pets/has_pet/stuid=1001;petid=2001> a <http://db/pets/has_pet> ;
           <http://db/pets/has_pet#ref-student> <http://db/pets/student/stuid=1001> .
         :hw-U990-5234138 a :LCDInductor . :S%C3%A3o_Paulo a :Place . :areaOfExpertise a owl:Class .",
    )
    .await;
    assert_first(
        &index,
        &[
            ("U990", "hw-U990-5234138"),
            ("U990-5234138", "hw-U990-5234138"),
            ("São Paulo", "S%C3%A3o_Paulo"),
            ("sao paulo", "S%C3%A3o_Paulo"),
            ("1001", "http://db/pets/student/stuid=1001"),
        ],
    );
    use SchemaKind::{Class, Property};
    for (kind, text, wanted) in [
        (Property, "first name", "http://db/pets/student#first_name"),
        (Property, "city code", "http://db/pets/student#city_code"),
        (Class, "students", "http://db/pets/student"),
        (Class, "pet", "http://db/pets/has_pet"),
        (Class, "inductor", "LCDInductor"),
        (Class, "expertise", "areaOfExpertise"),
    ] {
        let found = schema(&index, kind, text).await;
        assert_eq!(found.first().map(String::as_str), Some(wanted), "{text}: {found:?}");
    }
}

#[tokio::test]
async fn typos_plurals_accents_and_beginnings_are_found() {
    let (index, _workshop) = index_of(
        ":t a :Category ; rdfs:label \"Transducer\" . :s a :Category ; rdfs:label \"Switch\" .
         :b a :City ; rdfs:label \"Besançon\" . :g a :City ; rdfs:label \"Groß-Gerau\" .
         :l a :City ; rdfs:label \"Łódź\" . :m a :Part ; rdfs:label \"SkySync MechWave\" .
         :k a :Person ; rdfs:label \"Karen Brant\" . :h a :Person ; rdfs:label \"Heinrich Hoch\" .",
    )
    .await;
    assert_first(
        &index,
        &[
            ("transducr", "t"),  // typos: ignore
            ("Trasnducer", "t"), // typos: ignore
            ("transducers", "t"),
            ("TRANSDUC", "t"), // typos: ignore
            ("switches", "s"),
            ("besancon", "b"),
            ("gross gerau", "g"),
            ("lodz", "l"),
            ("sky sync", "m"),
            ("Ms. Brant", "k"),
            ("Heinrich's", "h"),
            ("hoch heinrich", "h"),
        ],
    );
    assert!(entities(&index, "zzzzz", None).is_empty());
    assert!(entities(&index, "", None).is_empty() && entities(&index, "?!", None).is_empty());
}

#[tokio::test]
async fn a_class_keeps_its_own_and_use_breaks_ties() {
    let (index, _workshop) = index_of(
        ":r1 a :River ; rdfs:label \"Orange\" . :f1 a :Fruit ; rdfs:label \"Orange\" .
         :c1 a :City ; rdfs:label \"Springfield\" . :c2 a :City ; rdfs:label \"Springfield\" .
         :a :near :c2 . :b :near :c2 . :c :near :c2 .",
    )
    .await;
    assert_eq!(entities(&index, "orange", Some("http://e.x/River")), ["r1"]);
    assert_eq!(entities(&index, "orange", Some("http://e.x/Fruit")), ["f1"]);
    assert!(entities(&index, "orange", Some("http://e.x/City")).is_empty());
    assert_eq!(entities(&index, "Springfield", None), ["c2", "c1"]);
}

#[tokio::test]
async fn short_texts_are_values_and_numbers_dates_and_prose_are_not() {
    let prose = "very long words about nothing ".repeat(10);
    let (index, _workshop) = index_of(&format!(
        ":a a :Shop ; rdfs:label \"Alpha\" ; :city \"Toulouse\" ; :motto \"Always open\"@en ; :size 12345 ;
           :since \"1999-01-01\"^^xsd:date ; :room \"4711\" ; :about \"{prose}\" .
         :b a :Shop ; :city \"Toulouse\" . :c a :Shop ; :city \"Nice\" . :d :twin \"Toulouse\" .",
    ))
    .await;
    let found = |text| values(&index, text, None);
    let row = |property: &str, text: &str, language: &str, count| {
        (property.to_owned(), text.to_owned(), language.to_owned(), count)
    };
    assert_eq!(found("toulouse"), [row("city", "Toulouse", "", 2), row("twin", "Toulouse", "", 1)]);
    assert_eq!(values(&index, "toulouse", Some("http://e.x/twin")), [row("twin", "Toulouse", "", 1)]);
    assert_eq!(found("always open"), [row("motto", "Always open", "en", 1)]);
    assert_eq!(found("4711"), [row("room", "4711", "", 1)], "a number that is a string");
    for text in ["12345", "1999", "very long words", "Alpha"] {
        assert!(found(text).is_empty(), "{text}: {:?}", found(text));
    }
    let class = index.values.search("Toulouse", None, 1).unwrap().remove(0).record.class;
    assert_eq!(class.as_deref(), Some("http://e.x/Shop"));
}

#[tokio::test]
async fn addresses_of_documents_are_no_entities() {
    let (index, _workshop) = index_of(
        ":a a :Person ; rdfs:label \"Ada\" ; :picture <http://e.x/ada.svg?color=%23fff&format=svg> ;
           :page <http://e.x/ada.HTML> ; :homepage <http://ada.example/> ; :knows :bob .
         <http://e.x/report.pdf> a :Report ; rdfs:label \"Yearly report\" .",
    )
    .await;
    for address in ["http://e.x/ada.svg?color=%23fff&format=svg", "http://e.x/ada.HTML"] {
        assert!(index.entities.get(address).unwrap().is_none(), "{address}");
    }
    for thing in ["http://e.x/report.pdf", "http://e.x/bob", "http://ada.example/"] {
        assert!(index.entities.get(thing).unwrap().is_some(), "{thing}");
    }
}

#[tokio::test]
async fn without_an_index_the_command_is_named() {
    let workshop = Workshop::new();
    let said = workshop.mistake().await;
    assert!(said.contains("there is no index") && said.contains(COMMAND), "{said}");
    assert!(!DatasetIndex::exists(&workshop.index()));
}

#[tokio::test]
async fn a_half_built_index_counts_as_none() {
    let workshop = Workshop::new();
    let half = workshop.index().join("v-half");
    fs::create_dir_all(half.join("entities")).unwrap();
    assert!(!DatasetIndex::exists(&workshop.index()));
    let said = workshop.mistake().await;
    assert!(said.contains("there is no index") && said.contains(COMMAND), "{said}");

    workshop.build("graph.ttl", &format!("{PREFIXES}:a rdfs:label \"Alpha\" .")).await.unwrap();
    assert!(half.exists(), "no build of this index is known to have made it");
    assert!(workshop.open().await.is_ok());
}

#[tokio::test]
async fn a_version_without_a_manifest_names_the_command() {
    let workshop = Workshop::new();
    workshop.build("graph.ttl", &format!("{PREFIXES}:a rdfs:label \"Alpha\" .")).await.unwrap();
    fs::remove_file(workshop.version().join("manifest.json")).unwrap();
    let said = workshop.mistake().await;
    assert!(said.contains("is damaged: manifest.json is missing") && said.contains(COMMAND), "{said}");
}

#[tokio::test]
async fn an_index_of_another_format_names_the_command() {
    let workshop = Workshop::new();
    workshop.build("graph.ttl", &format!("{PREFIXES}:a rdfs:label \"Alpha\" .")).await.unwrap();
    let manifest = workshop.version().join("manifest.json");
    // Another version may have other fields: the format alone must be enough.
    fs::write(&manifest, "{\"format\": \"eruca-index-99\", \"more\": true}").unwrap();
    let said = workshop.mistake().await;
    assert!(said.contains("'eruca-index-99'") && said.contains("'eruca-index-4'"), "{said}");
    assert!(said.contains(COMMAND), "{said}");
    fs::write(&manifest, "{}").unwrap();
    let said = workshop.mistake().await;
    assert!(said.contains("is damaged") && said.contains(COMMAND), "{said}");
}

#[tokio::test]
async fn a_new_build_replaces_the_old_one_and_a_failed_one_does_not() {
    let workshop = Workshop::new();
    let graph = |name: &str| format!("{PREFIXES}:{name} a :Thing ; rdfs:label \"{name}\" .");
    workshop.build("graph.ttl", &graph("alpha")).await.unwrap();
    let old = workshop.open().await.unwrap();
    workshop.build("graph.ttl", &graph("beta")).await.unwrap();
    let new = workshop.open().await.unwrap();
    assert_eq!((entities(&new, "alpha", None).len(), entities(&new, "beta", None).len()), (0, 1));
    assert_eq!(entities(&old, "alpha", None), ["alpha"], "who reads the old one may go on");
    assert_eq!(workshop.versions(), 2);
    assert_ne!(old.version, new.version);
    drop(old);
    assert_eq!(workshop.versions(), 1);

    assert!(matches!(workshop.build("graph.ttl", "broken").await, Err(BuildError::Source(_))));
    assert!(matches!(workshop.build("graph.ttl", "# nothing").await, Err(BuildError::Empty { .. })));
    let kept = workshop.open().await.unwrap();
    assert_eq!(entities(&kept, "beta", None), ["beta"]);
    assert_eq!(workshop.versions(), 1);
}

const STAFF: &str = ":wage a owl:DatatypeProperty ; rdfs:label \"wage\" .
    :age a owl:DatatypeProperty ; rdfs:label \"age\" . :car a owl:ObjectProperty ; rdfs:label \"vehicle\" .
    :p a :Person ; :wage 1000 ; :age 44 ; :car :c . :c a :Automobile .";

#[tokio::test]
async fn the_dense_leg_finds_by_meaning_and_both_legs_are_fused() {
    let meanings = Meanings::new("meanings", 64);
    let workshop = Workshop::with_embedder(meanings.clone());
    let summary = workshop.build("graph.ttl", &format!("{PREFIXES}{STAFF}")).await.unwrap();
    assert_eq!(summary.schema_search, "bm25+dense (meanings)");
    let index = workshop.open().await.unwrap();
    assert_eq!(index.schema.describe(), "bm25+dense (meanings)");
    for (text, wanted) in [("remuneration", "wage"), ("jalopy", "car"), ("stipends", "wage"), ("age", "age")]
    {
        let found = schema(&index, SchemaKind::Property, text).await;
        assert_eq!(found.first().map(String::as_str), Some(wanted), "{text}: {found:?}");
    }
    let hits = index.schema.search(SchemaKind::Property, "wage", 5).await.unwrap();
    // 1/61 from each of the two rankings, as it is first in both.
    assert!((hits[0].score - 2.0 / 61.0).abs() < 1e-6, "{hits:?}");
    assert!(hits[1].score < 1.0 / 61.0, "the dense leg alone: {hits:?}");
    let by_meaning = index.schema.search(SchemaKind::Class, "jalopy", 5).await.unwrap();
    assert_eq!((by_meaning[0].iri.as_str(), by_meaning[0].fit), ("http://e.x/Automobile", 0.0));

    meanings.fails.store(true, Ordering::Relaxed);
    assert_eq!(schema(&index, SchemaKind::Property, "wage").await, ["wage"], "words alone still work");
    assert!(schema(&index, SchemaKind::Property, "jalopy").await.is_empty());
}

#[tokio::test]
async fn an_index_and_its_embedding_model_belong_together() {
    let mut workshop = Workshop::new();
    workshop.build("graph.ttl", &format!("{PREFIXES}{STAFF}")).await.unwrap();
    workshop.embedder = Some(Meanings::new("meanings", 64));
    let said = workshop.mistake().await;
    assert!(said.contains("built with no embedding model") && said.contains("'meanings' (64 dim"), "{said}");
    assert!(said.contains(COMMAND), "{said}");

    workshop.build("graph.ttl", &format!("{PREFIXES}{STAFF}")).await.unwrap();
    assert!(workshop.open().await.is_ok());
    for (name, dimension) in [("meanings", 32), ("senses", 64)] {
        workshop.embedder = Some(Meanings::new(name, dimension));
        let said = workshop.mistake().await;
        assert!(said.contains(&format!("'{name}' ({dimension} dim")) && said.contains(COMMAND), "{said}");
    }
    workshop.embedder = None;
    let words = workshop.open().await.unwrap();
    assert_eq!(words.schema.describe(), "bm25");
    assert!(schema(&words, SchemaKind::Property, "jalopy").await.is_empty());
}

#[tokio::test]
async fn a_build_whose_model_fails_changes_nothing() {
    let meanings = Meanings::new("meanings", 64);
    let workshop = Workshop::with_embedder(meanings.clone());
    workshop.build("graph.ttl", &format!("{PREFIXES}{STAFF}")).await.unwrap();
    meanings.fails.store(true, Ordering::Relaxed);
    let failed = workshop.build("graph.ttl", &format!("{PREFIXES}:a rdfs:label \"Alpha\" .")).await;
    assert!(matches!(failed, Err(BuildError::Embedding(_))));
    assert_eq!(workshop.versions(), 1);
    assert!(!schema(&workshop.open().await.unwrap(), SchemaKind::Property, "wage").await.is_empty());
}

#[tokio::test]
async fn an_index_of_nothing_finds_nothing_and_is_never_damaged_or_outdated() {
    let prefixes: Prefixes = [("wd", "http://www.wikidata.org/entity/")].into_iter().collect();
    let index = DatasetIndex::empty(
        prefixes.clone(),
        Vec::new(),
        Vocabulary::default(),
        BuiltFrom::Files(Vec::new()),
    );
    assert_eq!(index.entities.search("Ada", None, 5).unwrap(), []);
    assert_eq!(index.entities.get("http://x/a").unwrap(), None);
    assert_eq!((index.entities.namesakes("Ada", None).unwrap(), index.entities.len()), (0, 0));
    assert_eq!(index.values.search("Ada", None, 5).unwrap(), []);
    assert_eq!(index.schema.search(SchemaKind::Class, "city", 5).await.unwrap(), []);
    index.examine();
    assert_eq!((index.damage(), index.outdated(), index.is_alarmed()), (None, None, false));
    assert_eq!((&index.card.prefixes, index.card.classes.len()), (&prefixes, 0));
}

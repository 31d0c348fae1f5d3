//! Indexes built in shares (`eruca index --part I/N`, then `--merge`): what they hold is what one build holds.

use super::names_on_server::{opened, server_of};
use super::*;
use crate::build::{IndexTarget, ShareError, ShareSummary, build_share, merge_shares};
use crate::extract::Share;
use crate::qdrant::QdrantOptions;
use crate::qdrant::stand_in::InMemoryQdrant;
use std::fmt::Write as _;
use std::time::Duration;

const ONTOLOGY: &str = "@prefix : <http://e.x/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
    @prefix owl: <http://www.w3.org/2002/07/owl#> .\n\
    :Building a owl:Class ; rdfs:label \"building\"@en .\n\
    :Barn a owl:Class ; rdfs:subClassOf :Building ; rdfs:label \"barn\"@en, \"Scheune\"@de ; rdfs:comment \"for hay\" .\n\
    :Mill rdfs:subClassOf :Building .\n\
    :roof a owl:DatatypeProperty ; rdfs:label \"roof\"@en ; rdfs:domain :Building .\n\
    :besides a owl:ObjectProperty ; rdfs:label \"is beside\"@en .\n\
    :unused a owl:ObjectProperty ; rdfs:label \"never used\" .\n\
    :note a owl:AnnotationProperty .\n:roof :note \"of a building\" .\n";

/// A graph with what the shares must agree on: types and superclasses, links both ways, lists, blank nodes, names by a property of
/// its own, values that several things have, and things that are objects alone.
fn farms(count: usize) -> String {
    let mut text = ONTOLOGY.to_owned();
    for number in 0..count {
        let class = ["Barn", "Mill", "Field"][number % 3];
        let other = (number * 7 + 3) % count;
        let _ = write!(
            text,
            ":t{number} a :{class} ; :plotName \"{class} number {number}\" ; :roof \"{}\"@en ; :besides :t{other} .\n\
             :t{other} :besides :t{number} .\n:t{number} :owner :o{} ; :area {} .\n",
            ["slate", "thatch", "tin"][number % 2],
            number % 5,
            number * 10,
        );
        if number % 4 == 0 {
            let _ = writeln!(
                text,
                ":t{number} :crops (\"rye\" \"oats\") ; :sold [ a :Sale ; :price {number} ] ."
            );
        }
    }
    text
}

async fn built_in(
    workshop: &Workshop,
    text: &str,
    server: &QdrantOptions,
    shares: u32,
) -> Result<BuildSummary, BuildError> {
    // The jobs come in any order.
    for share in Share::all(shares).collect::<Vec<_>>().into_iter().rev() {
        one_share(workshop, text, server, share).await?;
    }
    merged(workshop, server).await
}

async fn one_share(
    workshop: &Workshop,
    text: &str,
    server: &QdrantOptions,
    share: Share,
) -> Result<ShareSummary, BuildError> {
    let file = workshop.folder.path().join("farm.ttl");
    fs::write(&file, text).unwrap();
    let (files, folder) = ([file], workshop.index());
    build_share(&divided(&files, &folder, server), share, &NoProgress).await
}

async fn merged(workshop: &Workshop, server: &QdrantOptions) -> Result<BuildSummary, BuildError> {
    // The last job does not need the files of the graph.
    merge_shares(&divided(&[], &workshop.index(), server), &NoProgress).await
}

fn divided<'a>(files: &'a [PathBuf], folder: &'a Path, server: &QdrantOptions) -> BuildOptions<'a> {
    let names_target = IndexTarget::Qdrant(server.clone());
    BuildOptions { names_target, with_graph: false, ..BuildOptions::new(files, folder) }
}

async fn whole(workshop: &Workshop, text: &str, server: &QdrantOptions) -> BuildSummary {
    let file = workshop.folder.path().join("farm.ttl");
    fs::write(&file, text).unwrap();
    let (files, folder) = ([file], workshop.index());
    build(&divided(&files, &folder, server), &NoProgress).await.unwrap()
}

/// The card without samples: shares have others among the same objects.
fn counts(index: &DatasetIndex) -> serde_json::Value {
    let mut card = index.card.clone();
    for property in &mut card.properties {
        let collected = property.collected.iter_mut().flat_map(|collected| &mut collected.edges);
        property.edges.iter_mut().chain(collected).for_each(|edge| edge.samples.clear());
    }
    serde_json::to_value(card).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn shares_together_are_what_one_build_makes() {
    let server = InMemoryQdrant::start();
    let text = farms(60);
    let (one, in_one) = (server_of(&server.url), Workshop::new());
    let expected = whole(&in_one, &text, &one).await;
    let expected_index = opened(&in_one, Some(&one)).await.unwrap();
    for shares in [1, 3, 8] {
        let options = QdrantOptions { collection: format!("eruca-in-{shares}"), ..one.clone() };
        let in_shares = Workshop::new();
        let summary = built_in(&in_shares, &text, &options, shares).await.unwrap();
        let same = |summary: BuildSummary| BuildSummary {
            index: PathBuf::new(),
            elapsed: Duration::ZERO,
            ..summary
        };
        assert_eq!(same(summary), same(expected.clone()));
        let index = opened(&in_shares, Some(&options)).await.unwrap();
        assert_eq!(counts(&index), counts(&expected_index), "{shares} shares");
        for asked in ["barn number 12", "number 7", "scheune", "o3", "mil numbr 4", "slate", "building"] {
            for class in [None, Some("http://e.x/Mill")] {
                let found = |index: &DatasetIndex| index.entities.search(asked, class, 10).unwrap();
                assert_eq!(found(&index), found(&expected_index), "{asked} {class:?} in {shares} shares");
            }
            let found = |index: &DatasetIndex| values(index, asked, None);
            assert_eq!(found(&index), found(&expected_index), "{asked} in {shares} shares");
        }
        assert!(!in_shares.index().join("parts").read_dir().unwrap().any(|_| true), "no files are left");
        index.check_names().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_shares_are_named_and_the_rest_is_kept() {
    let (server, workshop) = (InMemoryQdrant::start(), Workshop::new());
    let (options, text) = (server_of(&server.url), farms(9));
    let error = merged(&workshop, &options).await.unwrap_err().to_string();
    assert!(error.contains("there are no parts") && error.contains("--part I/N"), "{error}");
    for share in ["3/4", "1/4"] {
        one_share(&workshop, &text, &options, share.parse().unwrap()).await.unwrap();
    }
    let error = merged(&workshop, &options).await.unwrap_err();
    assert!(matches!(&error, BuildError::Share(ShareError::Incomplete { found: 2, of: 4, .. })), "{error}");
    assert!(error.to_string().ends_with("missing: 2, 4"), "{error}");
    for share in ["2/4", "4/4", "4/4"] {
        one_share(&workshop, &text, &options, share.parse().unwrap()).await.unwrap();
    }
    merged(&workshop, &options).await.unwrap();
    let index = opened(&workshop, Some(&options)).await.unwrap();
    assert_eq!(entities(&index, "barn number 3", None)[0], "t3");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_build_in_shares_takes_the_place_of_the_one_before() {
    let (server, workshop) = (InMemoryQdrant::start(), Workshop::new());
    let options = server_of(&server.url);
    built_in(&workshop, &farms(9), &options, 2).await.unwrap();
    // One that is never completed.
    one_share(&workshop, &farms(12), &options, "1/2".parse().unwrap()).await.unwrap();
    let index = opened(&workshop, Some(&options)).await.unwrap();
    assert_eq!(entities(&index, "field number 8", None)[0], "t8");
    built_in(&workshop, &farms(6), &options, 3).await.unwrap();
    let index = opened(&workshop, Some(&options)).await.unwrap();
    assert!(!entities(&index, "field number 8", None).contains(&"t8".to_owned()));
    assert_eq!(server.state().collections.len(), 1, "those of earlier builds are gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_divided_is_refused_with_the_reason() {
    let (server, workshop) = (InMemoryQdrant::start(), Workshop::new());
    let file = workshop.folder.path().join("farm.ttl");
    fs::write(&file, farms(3)).unwrap();
    let (files, folder, server) = ([file], workshop.index(), server_of(&server.url));
    let share = "1/2".parse().unwrap();
    let own = BuildOptions { with_graph: true, ..divided(&files, &folder, &server) };
    let error = build_share(&own, share, &NoProgress).await.unwrap_err().to_string();
    assert!(error.contains("configure the endpoint"), "{error}");
    let local = BuildOptions { names_target: IndexTarget::Folder, ..divided(&files, &folder, &server) };
    let error = build_share(&local, share, &NoProgress).await.unwrap_err().to_string();
    assert!(error.contains("backend = \"qdrant\""), "{error}");
    let error = merge_shares(&local, &NoProgress).await.unwrap_err().to_string();
    assert!(error.contains("backend = \"qdrant\""), "{error}");
    assert!(!folder.exists(), "nothing was begun");
}

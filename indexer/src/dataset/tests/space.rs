//! The index does not depend on the memory available to its build.

use super::{PREFIXES, Workshop, assert_first};
use crate::build::{BuildError, BuildOptions, build_within};
use crate::extract::Space;
use crate::progress::NoProgress;
use std::fs;
use std::path::{Path, PathBuf};

/// People in cities, with names in two languages, shared values, duplicates and an ontology.
fn graph() -> String {
    let mut turtle = format!("{PREFIXES}:Person a owl:Class ; rdfs:label \"Person\" .\n");
    for n in 0..200 {
        let (city, job) = (n % 7, n % 11);
        turtle.push_str(&format!(
            ":p{n} a :Person ; rdfs:label \"Person {n}\"@en, \"Mensch {n}\"@de ; :job \"job {job}\" ; :age {n} ; \
             :livesIn :c{city} , :c{city} .\n:c{city} a :City ; skos:prefLabel \"City {city}\" ; :job \"job {city}\" .\n"
        ));
    }
    turtle
}

/// The folder of an index built with this many triples in memory at a time.
async fn built(workshop: &Workshop, triples_in_memory: usize) -> PathBuf {
    let space = |folder: &Path| Space { triples_in_memory, ..Space::new(folder) };
    built_within(workshop, space).await.unwrap();
    workshop.version()
}

async fn built_within(workshop: &Workshop, space: impl FnOnce(&Path) -> Space) -> Result<(), BuildError> {
    let file = workshop.folder.path().join("graph.ttl");
    fs::write(&file, graph()).unwrap();
    let (files, folder) = ([file], workshop.index());
    build_within(&BuildOptions::new(&files, &folder), space, &NoProgress).await.map(|_| ())
}

#[tokio::test]
async fn runs_on_disk_give_the_same_index_as_memory() {
    let (roomy, tight) = (Workshop::new(), Workshop::new());
    let (in_memory, spilled) = (built(&roomy, 1_000_000).await, built(&tight, 64).await);
    for file in
        ["card.json", "entities/rows.bin", "entities/names.fst", "values/rows.bin", "values/names.fst"]
    {
        let [one, other] = [&in_memory, &spilled].map(|folder| fs::read(folder.join(file)).unwrap());
        assert!(!one.is_empty() && one == other, "{file} differs");
    }
    assert!(!spilled.join("work").exists(), "files of the build are removed");
}

#[tokio::test]
async fn labels_beyond_the_bound_are_counted_and_the_preferred_ones_are_kept() {
    let workshop = Workshop::new();
    let mut graph = PREFIXES.to_owned();
    for number in 0..2_100 {
        graph.push_str(&format!(":a rdfs:label \"name {number}\"@fr .\n"));
    }
    graph.push_str(":a rdfs:label \"the English one\"@en .\n");
    let summary = workshop.build("graph.ttl", &graph).await.unwrap();
    assert!(summary.notes.iter().any(|note| note.contains("101 are left out")), "{:?}", summary.notes);
    let index = workshop.open().await.unwrap();
    assert_first(&index, &[("the English one", "a")]);
}

#[tokio::test]
async fn a_graph_with_too_many_literals_is_refused_in_plain_words() {
    let workshop = Workshop::new();
    let kept = built(&workshop, 1_000_000).await;
    let failed = built_within(&workshop, |folder| Space { numbers: 100, ..Space::new(folder) }).await;
    let Err(failed @ BuildError::TooMany(_)) = failed else { panic!("{failed:?}") };
    insta::assert_snapshot!(
        failed,
        @"the graph has more than 100 different literals, which is as many as one index can number; index a part of it, or leave out what nobody asks for (descriptions and names in languages that are not needed)"
    );
    assert_eq!(workshop.version(), kept, "the index that was there stays");
    assert!(kept.join("card.json").exists());
}

//! Small graphs for unit tests, of this package and of others by the feature `testing`: Turtle, indexed in a temporary folder, and queried in this process.

use super::{Dataset, DatasetNames, QueryRules, prefixes_of};
use eruca_indexer::embedding::Embedder;
use eruca_indexer::{BuildOptions, DatasetIndex, NoProgress, OpenOptions, build, read_quads};
use eruca_knowledge::Knowledge;
use eruca_sparql::{EmbeddedStore, Limits, QueryPolicy};
use std::sync::Arc;
use std::time::Duration;

/// A dataset with the folder of its index.
pub struct TestGraph {
    /// The dataset.
    pub dataset: Dataset,
    _folder: tempfile::TempDir,
}

/// Indexes a graph.
pub async fn graph_of(name: &str, turtle: &str) -> TestGraph {
    graph_knowing(name, turtle, "").await
}

/// The same with a file of what its owner knows of it; the prefixes of the graph are known in it.
pub async fn graph_knowing(name: &str, turtle: &str, file: &str) -> TestGraph {
    graph(name, turtle, file, None).await
}

/// A graph whose classes and properties have the vectors of a model.
pub async fn graph_embedded(name: &str, turtle: &str, embedder: Arc<dyn Embedder>) -> TestGraph {
    graph(name, turtle, "", Some(embedder)).await
}

async fn graph(name: &str, turtle: &str, file: &str, embedder: Option<Arc<dyn Embedder>>) -> TestGraph {
    let folder = tempfile::tempdir().unwrap();
    let files = [folder.path().join("graph.ttl")];
    std::fs::write(&files[0], turtle).unwrap();
    let at = folder.path().join("index");
    let options = BuildOptions { embedder: embedder.as_deref(), ..BuildOptions::new(&files, &at) };
    build(&options, &NoProgress).await.unwrap();
    let open =
        OpenOptions { folder: &at, embedder, schema_in: None, names_in: None, build_command: "this test" };
    let index = DatasetIndex::open(open).await.unwrap();
    let store = EmbeddedStore::in_memory().unwrap();
    let mut quads = Vec::new();
    read_quads(&files[0], false, &NoProgress, &mut |quad| quads.push(quad)).unwrap();
    store.load_quads(quads.into_iter()).unwrap();
    let limits = Limits { timeout: Duration::from_secs(20), max_rows: 1_000, max_bytes: 1 << 20 };
    let rules = QueryRules { limits, policy: QueryPolicy::default() };
    let known = folder.path().join("knowledge");
    std::fs::create_dir(&known).unwrap();
    std::fs::write(known.join("all.toml"), file).unwrap();
    let knowledge = Knowledge::read(&known, &prefixes_of(&index)).unwrap();
    let dataset = Dataset::knowing(DatasetNames::of(name), index, Arc::new(store), rules, knowledge);
    TestGraph { dataset, _folder: folder }
}

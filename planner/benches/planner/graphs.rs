//! Graphs of the sets: read once, indexed into a folder that is kept, and loaded into a store.

use anyhow::Context;
use async_trait::async_trait;
use eruca_indexer::{
    BuildOptions, DatasetIndex, NoProgress, OpenOptions, build, expand_patterns, read_quads,
};
use eruca_planner::Runner;
use eruca_sparql::{
    Answer, CheckedQuery, EmbeddedStore, Limits, Prefixes, QueryError, QueryPolicy, SparqlEndpoint, check,
};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::runtime::Runtime;

/// A set of questions to one graph.
#[derive(Debug, Clone, Deserialize)]
pub struct SetFile {
    /// Its name.
    pub set: String,
    /// Sets that share a graph.
    pub group: String,
    /// The graph's files.
    pub data: Vec<PathBuf>,
    /// The file of questions.
    pub questions: PathBuf,
}

/// A question of a set.
#[derive(Debug, Clone, Deserialize)]
pub struct QuestionLine {
    pub id: String,
    pub question: String,
    pub lang: String,
    pub sparql: Option<String>,
    #[serde(default)]
    pub missing: Vec<String>,
}

pub fn read_sets(file: &Path) -> anyhow::Result<Vec<SetFile>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    Ok(serde_json::from_str(&text)?)
}

pub fn read_questions(file: &Path) -> anyhow::Result<Vec<QuestionLine>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    text.lines().filter(|line| !line.is_empty()).map(|line| Ok(serde_json::from_str(line)?)).collect()
}

/// A graph ready to be asked.
pub struct Graph {
    pub index: DatasetIndex,
    store: EmbeddedStore,
    prefixes: Prefixes,
}

impl Graph {
    /// Indexes the files into a folder named after the group, unless that was done before, and loads them.
    pub fn open(runtime: &Runtime, group: &str, files: &[PathBuf]) -> anyhow::Result<Self> {
        let root = std::env::var_os("ERUCA_BENCH_INDEXES").map_or_else(std::env::temp_dir, PathBuf::from);
        let folder = root.join("eruca-planner-bench").join(name_of(group, files));
        Self::at(runtime, &folder, files)
    }

    /// The same in a folder of the caller's.
    pub fn at(runtime: &Runtime, folder: &Path, files: &[PathBuf]) -> anyhow::Result<Self> {
        if !DatasetIndex::exists(folder) {
            runtime.block_on(build(&options(files, folder), &NoProgress))?;
        }
        let open = OpenOptions {
            folder,
            embedder: None,
            schema_in: None,
            names_in: None,
            build_command: "this benchmark",
        };
        let index = runtime.block_on(DatasetIndex::open(open))?;
        let store = EmbeddedStore::in_memory()?.with_concurrency(2);
        for file in expand_patterns(files)? {
            let mut quads = Vec::new();
            read_quads(&file, true, &NoProgress, &mut |quad| quads.push(quad))?;
            store.load_quads(quads.into_iter())?;
        }
        let prefixes = Prefixes::well_known().merged(&index.card.prefixes);
        Ok(Self { index, store, prefixes })
    }

    /// A reference query, read with the graph's prefixes.
    pub fn checked(&self, query: &str) -> Option<CheckedQuery> {
        check(query, &self.prefixes, &QueryPolicy::default()).ok()
    }

    /// Runs a reference query.
    pub async fn gold(&self, query: &str) -> Result<Answer, QueryError> {
        Ok(self.run(query, Duration::from_secs(60)).await?.1)
    }
}

/// Groups may have several graphs.
fn name_of(group: &str, files: &[PathBuf]) -> String {
    let first =
        files.first().and_then(|file| file.file_name()).map(|name| name.to_string_lossy().into_owned());
    format!("{group}-{}", first.unwrap_or_default())
}

fn options<'a>(files: &'a [PathBuf], folder: &'a Path) -> BuildOptions<'a> {
    BuildOptions { skip_errors: true, ..BuildOptions::new(files, folder) }
}

#[async_trait]
impl Runner for Graph {
    async fn run(&self, query: &str, timeout: Duration) -> Result<(CheckedQuery, Answer), QueryError> {
        let query = check(query, &self.prefixes, &QueryPolicy::default())?;
        let limits = Limits { timeout, max_rows: 100_000, max_bytes: 64 << 20 };
        let answer = self.store.query(&query, limits).await?;
        Ok((query, answer))
    }
}

//! Questions to small graphs of our own, answered as a whole: index, reading, queries, judgement.

mod conditions;
mod dimensions;
pub(crate) mod graph;
mod halves;
mod languages;
mod long;
mod people;
mod places;
mod tables;
mod things;
mod traps2_lists;
mod traps2_units;
mod traps2_who;

use crate::question::Question;
use crate::{AllowedTime, Named, Runner, Weights, judge, mentions, readings};
use async_trait::async_trait;
use eruca_indexer::{DatasetIndex, NoProgress, OpenOptions, build, read_quads};
use eruca_sparql::{
    Answer, CheckedQuery, EmbeddedStore, Limits, Prefixes, QueryError, QueryPolicy, Results, SparqlEndpoint,
    Term, check,
};
use std::time::{Duration, Instant};

/// A graph that can be asked.
pub(super) struct Graph {
    index: DatasetIndex,
    store: EmbeddedStore,
    prefixes: Prefixes,
    _folder: tempfile::TempDir,
}

impl Graph {
    pub async fn of(turtle: &str) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let files = [folder.path().join("graph.ttl")];
        std::fs::write(&files[0], turtle)?;
        build(&graph::options(&files, &folder.path().join("index")), &NoProgress).await?;
        let index = folder.path().join("index");
        let open = OpenOptions { folder: &index, embedder: None, qdrant: None, build_command: "this test" };
        let index = DatasetIndex::open(open).await?;
        let store = EmbeddedStore::in_memory()?;
        let mut quads = Vec::new();
        read_quads(&files[0], false, &NoProgress, &mut |quad| quads.push(quad))?;
        store.load_quads(quads.into_iter())?;
        let prefixes = Prefixes::well_known().merged(&index.card.prefixes);
        Ok(Self { index, store, prefixes, _folder: folder })
    }

    /// The rows of the best answer, sorted: local names of things, texts of literals.
    pub async fn ask(&self, question: &str) -> anyhow::Result<Vec<String>> {
        let question = Question::read(question, &["en".to_owned()]);
        let (weights, start) = (Weights::default(), Instant::now());
        let found = mentions(&self.index, &question).map_err(|error| anyhow::anyhow!("{error}"))?;
        let found = readings(
            &self.index,
            &question,
            &Named::from(found),
            &weights,
            AllowedTime::until(start + Duration::from_secs(20)),
        );
        let judgement = judge(self, &question, &found, &weights, start + Duration::from_secs(60)).await;
        Ok(judgement.best().map(|best| rows(&best.answer)).unwrap_or_default())
    }
}

fn rows(answer: &Answer) -> Vec<String> {
    let Results::Solutions(solutions) = &answer.results else { return vec![format!("{:?}", answer.results)] };
    let cell = |term: &Option<Term>| term.as_ref().map_or_else(String::new, told);
    let mut rows: Vec<String> =
        solutions.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" | ")).collect();
    rows.sort();
    rows
}

fn told(term: &Term) -> String {
    match term {
        Term::NamedNode(iri) => eruca_sparql::local_name(iri.as_str()).to_owned(),
        Term::Literal(literal) => literal.value().trim_end_matches(".0").to_owned(),
        other => other.to_string(),
    }
}

#[async_trait]
impl Runner for Graph {
    async fn run(&self, query: &str, timeout: Duration) -> Result<(CheckedQuery, Answer), QueryError> {
        let query = check(query, &self.prefixes, &QueryPolicy::default())?;
        let limits = Limits { timeout, max_rows: 1_000, max_bytes: 1 << 20 };
        let answer = self.store.query(&query, limits).await?;
        Ok((query, answer))
    }
}

//! A graph from a text, indexed into a temporary folder and queried in memory; and the graphs that several tests share.

use crate::question::ParsedQuestion;
use crate::{
    AllowedTime, Auditor, Confidence, Glossary, Judgement, Ledger, Named, Runner, Weights, fetch_facts,
    judge, link_by, mentions, readings,
};
use async_trait::async_trait;
use eruca_indexer::{BuildOptions, DatasetIndex, NoProgress, OpenOptions, build, read_quads};
use eruca_knowledge::Knowledge;
use eruca_sparql::{
    Answer, CheckedQuery, EmbeddedStore, Limits, Prefixes, QueryError, QueryPolicy, Results, SparqlEndpoint,
    Term, check, local_name,
};
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// The file name of a graph in its folder.
const FILE: &str = "graph.ttl";
const TIME: Duration = Duration::from_secs(20);
const PREFIXES: &str = "@prefix : <https://example.org/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n";

/// Ships with their harbours, captains and regattas.
pub const HARBOURS: &str = include_str!("../../tests/data/harbours.ttl");
/// Nurses with a wage and a hiring date, and nothing else that could be compared.
pub const WARDS: &str = include_str!("../../tests/data/wards.ttl");
/// Ships, only some of which have a captain.
pub const PORTS: &str = include_str!("../../tests/data/ports.ttl");
/// Countries with their towns, lakes and rivers, and people who were born there.
pub const LAND: &str = include_str!("../../tests/data/land.ttl");
/// Tables of a relational database (W3C direct mapping).
pub const LIBRARY: &str = include_str!("../../tests/data/library.ttl");

/// A graph ready for questions.
pub struct Graph {
    runtime: Runtime,
    pub index: DatasetIndex,
    store: EmbeddedStore,
    glossary: Glossary,
    _folder: TempDir,
}

impl Graph {
    /// From Turtle with the prefixes `:`, `rdfs:` and `xsd:`.
    pub fn of(turtle: &str) -> Self {
        let runtime = Runtime::new().unwrap();
        let folder = TempDir::new().unwrap();
        let index = runtime.block_on(indexed(&format!("{PREFIXES}{turtle}"), folder.path()));
        let file = folder.path().join(FILE);
        let store = EmbeddedStore::in_memory().unwrap();
        let mut quads = Vec::new();
        read_quads(&file, true, &NoProgress, &mut |quad| quads.push(quad)).unwrap();
        store.load_quads(quads.into_iter()).unwrap();
        Self { runtime, index, store, glossary: Glossary::default(), _folder: folder }
    }

    /// The same with the words of the house, as a file of knowledge has them.
    pub fn knowing(self, file: &str) -> Self {
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("words.toml"), file).unwrap();
        let mut prefixes = Prefixes::well_known();
        prefixes.insert("", "https://example.org/");
        let known = Knowledge::read(folder.path(), &prefixes).unwrap();
        Self { glossary: Glossary::of(&known), ..self }
    }

    /// The best reading's ledger, as words with their grounds, and its doubts.
    pub fn evidence(&self, question: &str, language: &str) -> Vec<String> {
        let judgement = self.judgement(question, language);
        let Some(ledger) = judgement.best().and_then(|best| best.ledger.as_ref()) else { return Vec::new() };
        let entries = ledger.entries.iter().map(|entry| format!("{}: {}", entry.words, entry.right.key()));
        let doubts = ledger.doubts.iter().map(|doubt| format!("{}? {}", doubt.about(), doubt.key()));
        entries.chain(doubts).collect()
    }

    /// The sorted rows of the best answer, with local names of things and the texts of literals; or "true" or "false".
    pub fn ask(&self, question: &str, language: &str) -> Vec<String> {
        let mut rows = self.rows(question, language);
        rows.sort();
        rows
    }

    /// The same without sorting.
    pub fn rows(&self, question: &str, language: &str) -> Vec<String> {
        self.judgement(question, language).best().map_or_else(Vec::new, |best| rows(&best.answer))
    }

    /// Fails with all questions, in one language, that are not answered with these rows, in any order.
    pub fn answers(&self, language: &str, cases: &[(&str, &[&str])]) {
        let asked = cases.iter().map(|(question, wanted)| (question, wanted, self.ask(question, language)));
        let failed: Vec<String> = asked
            .filter(|(_, wanted, got)| got != *wanted)
            .map(|(question, wanted, got)| format!("{question}\n  wanted {wanted:?}\n  got    {got:?}"))
            .collect();
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }

    /// Whether the best answer is sure.
    pub fn is_sure(&self, question: &str, language: &str) -> bool {
        self.confidence(question, language) == Confidence::Sure
    }

    /// The confidence of the best answer.
    pub fn confidence(&self, question: &str, language: &str) -> Confidence {
        self.judgement(question, language).confidence()
    }

    fn judgement(&self, question: &str, language: &str) -> Judgement {
        let deadline = Instant::now() + TIME;
        let question = ParsedQuestion::read(question, &[language.to_owned()]);
        let weights = Weights::default();
        let mut named = match self.glossary.is_empty() {
            true => Named::from(mentions(&self.index, &question).unwrap()),
            false => link_by(&self.index, &self.glossary, &question, None).unwrap(),
        };
        self.runtime.block_on(fetch_facts(self, &mut named.mentions, TIME));
        let found = readings(&self.index, &question, &named, &weights, AllowedTime::until(deadline));
        let judgement = self.runtime.block_on(judge(self, &found, &weights, deadline));
        judgement.audited(&Auditor::new(&self.index, &question, &named), &weights, &[])
    }

    /// The ledger of any query for a question, given without prefixes.
    pub fn ledger(&self, question: &str, query: &str) -> Ledger {
        let question = ParsedQuestion::read(question, &["en".to_owned()]);
        let mut known = mentions(&self.index, &question).unwrap();
        self.runtime.block_on(fetch_facts(self, &mut known, TIME));
        let named = Named::from(known);
        let text = format!("PREFIX : <https://example.org/> {query}");
        let (query, answer) = self.runtime.block_on(self.run(&text, TIME)).unwrap();
        Auditor::new(&self.index, &question, &named).ledger(&query, Some(&answer))
    }
}

/// The index of a Turtle graph, written into a subfolder.
pub async fn indexed(turtle: &str, folder: &Path) -> DatasetIndex {
    let (file, at) = (folder.join(FILE), folder.join("index"));
    std::fs::write(&file, turtle).unwrap();
    build(&BuildOptions::new(std::slice::from_ref(&file), &at), &NoProgress).await.unwrap();
    let open = OpenOptions {
        folder: &at,
        embedder: None,
        schema_in: None,
        names_in: None,
        build_command: "this test",
    };
    DatasetIndex::open(open).await.unwrap()
}

fn rows(answer: &Answer) -> Vec<String> {
    match &answer.results {
        Results::Boolean(holds) => vec![holds.to_string()],
        Results::Solutions(solutions) => {
            let row = |row: &Vec<Option<Term>>| row.iter().map(told).collect::<Vec<_>>().join(" ");
            solutions.rows.iter().map(row).collect()
        }
        Results::Graph(_) => Vec::new(),
    }
}

fn told(term: &Option<Term>) -> String {
    match term {
        Some(Term::NamedNode(node)) => local_name(node.as_str()).to_owned(),
        Some(Term::Literal(literal)) => literal.value().trim_end_matches(".0").to_owned(),
        _ => String::new(),
    }
}

#[async_trait]
impl Runner for Graph {
    async fn run(&self, query: &str, timeout: Duration) -> Result<(CheckedQuery, Answer), QueryError> {
        let query = check(query, &Prefixes::well_known(), &QueryPolicy::default())?;
        let limits = Limits { timeout, max_rows: 10_000, max_bytes: 1 << 20 };
        let answer = self.store.query(&query, limits).await?;
        Ok((query, answer))
    }
}

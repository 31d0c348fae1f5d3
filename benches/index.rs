//! Building, opening and searching indexes, and one whole question with a model that answers at once.
//!
//! `cargo bench --bench index`, with criterion's filters and options behind `--`. The whole question is asked of the first
//! dataset of the configuration that `ERUCA_BENCH_CONFIG` names, else of the demo.
#![allow(dead_code, reason = "the shared modules serve other benchmarks too")]
#![allow(missing_docs, reason = "criterion's macros make public items")]

mod support;

use async_trait::async_trait;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use eruca::config::Settings;
use eruca::llm::{ChatModel, ChatRequest, Completion, Message, ModelError, ToolCall, Usage};
use eruca::service::Question;
use eruca::startup;
use eruca::trace::Silent;
use eruca_indexer::{BuildOptions, DatasetIndex, NoProgress, OpenOptions, SchemaKind, build};
use std::fmt::Write;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use support::graph::{Asking, Graph, Random};
use tempfile::TempDir;
use tokio::runtime::Runtime;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const SEED: u64 = 7;
const SMALL: usize = 10_000;
const MIDDLE: usize = 100_000;
const SCHEMA_SIZES: [usize; 3] = [300, 10_000, 100_000];
const HITS: usize = 10;

struct Bench {
    folder: TempDir,
    runtime: Runtime,
}

impl Bench {
    fn new() -> Outcome<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(Self { folder: tempfile::tempdir()?, runtime })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn graph(&self, entities: usize) -> Outcome<(Graph, PathBuf, u64)> {
        let (graph, file) = (Graph::new(entities, SEED), self.path("graph.nt"));
        let mut text = Vec::new();
        let triples = graph.write(&mut text)?;
        std::fs::write(&file, text)?;
        Ok((graph, file, triples))
    }

    fn build(&self, file: &Path, index: &Path) -> Outcome<()> {
        let files = [file.to_owned()];
        self.runtime.block_on(build(&BuildOptions::new(&files, index), &NoProgress))?;
        Ok(())
    }

    fn open(&self, folder: &Path) -> Outcome<DatasetIndex> {
        let options = OpenOptions {
            folder,
            embedder: None,
            schema_in: None,
            names_in: None,
            build_command: "this benchmark",
        };
        Ok(self.runtime.block_on(DatasetIndex::open(options))?)
    }
}

fn index_build(criterion: &mut Criterion) -> Outcome<()> {
    let bench = Bench::new()?;
    let (_, file, triples) = bench.graph(SMALL)?;
    let mut group = criterion.benchmark_group("build");
    group.sample_size(10).throughput(Throughput::Elements(triples));
    group.bench_function(BenchmarkId::new("triples", SMALL), |b| {
        b.iter(|| bench.build(&file, &bench.path("index")));
    });
    group.finish();
    Ok(())
}

fn entity_search(criterion: &mut Criterion) -> Outcome<()> {
    let bench = Bench::new()?;
    let (graph, file, _) = bench.graph(MIDDLE)?;
    bench.build(&file, &bench.path("index"))?;
    let index = bench.open(&bench.path("index"))?;
    criterion.bench_function("open", |b| b.iter(|| bench.open(&bench.path("index"))));
    let mut group = criterion.benchmark_group("entities");
    for asking in Asking::ALL {
        let questions = asking.questions(&graph, 500);
        let mut next = questions.iter().cycle();
        group.bench_function(BenchmarkId::new(asking.name(), MIDDLE), |b| {
            b.iter(|| {
                let Some((text, class)) = next.next() else { return Ok(0) };
                index.entities.search(black_box(text), class.as_deref(), HITS).map(|hits| hits.len())
            });
        });
    }
    group.finish();
    Ok(())
}

/// An ontology of so many classes and properties, each with a name of one to three words.
fn ontology(terms: usize) -> Outcome<String> {
    let graph = Graph::new(terms, SEED);
    let mut text = String::new();
    for number in 0..terms {
        let kind = if number % 2 == 0 { "Class" } else { "ObjectProperty" };
        let (iri, name) = (format!("http://bench.example/onto/T{number}"), graph.entity(number).name);
        writeln!(
            text,
            "<{iri}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#{kind}> .\n\
             <{iri}> <http://www.w3.org/2000/01/rdf-schema#label> \"{name}\" ."
        )?;
    }
    Ok(text)
}

fn schema_search(criterion: &mut Criterion) -> Outcome<()> {
    let mut group = criterion.benchmark_group("schema");
    for terms in SCHEMA_SIZES {
        let bench = Bench::new()?;
        let file = bench.path("ontology.nt");
        std::fs::write(&file, ontology(terms)?)?;
        bench.build(&file, &bench.path("index"))?;
        let index = bench.open(&bench.path("index"))?;
        let (graph, mut random) = (Graph::new(terms, SEED), Random::new(1));
        let names: Vec<String> = (0..500).map(|_| graph.entity(random.below(terms)).name).collect();
        let mut next = names.iter().cycle();
        group.bench_function(BenchmarkId::new("terms", terms), |b| {
            b.iter(|| {
                let name = next.next().map(String::as_str).unwrap_or_default();
                let found =
                    bench.runtime.block_on(index.schema.search(SchemaKind::Class, black_box(name), HITS));
                found.map(|hits| hits.len())
            });
        });
    }
    group.finish();
    Ok(())
}

/// Looks an entity up, then runs a query, then gives it as its answer: three turns, each at once.
struct Instant;

#[async_trait]
impl ChatModel for Instant {
    async fn complete(&self, request: &ChatRequest) -> Result<Completion, ModelError> {
        const QUERY: &str = "SELECT ?s WHERE { ?s a ?class } LIMIT 5";
        let said =
            request.messages.iter().filter(|message| matches!(message, Message::Assistant { .. })).count();
        let (name, arguments) = match said {
            0 => ("search_entity", r#"{"query": "Toulouse"}"#.to_owned()),
            1 => ("execute_sparql", format!(r#"{{"query": "{QUERY}"}}"#)),
            _ => ("answer", format!(r#"{{"query": "{QUERY}"}}"#)),
        };
        let call = ToolCall { id: format!("call-{said}"), name: name.to_owned(), arguments };
        Ok(Completion { text: None, calls: vec![call], usage: Usage::default(), cut: false, attempts: 1 })
    }

    fn name(&self) -> &str {
        "instant"
    }
}

fn whole_question(criterion: &mut Criterion) -> Outcome<()> {
    let bench = Bench::new()?;
    let own = bench.path("eruca.toml");
    std::fs::write(&own, "[index]\nfolder = \"index\"\n")?;
    let file = std::env::var_os("ERUCA_BENCH_CONFIG").map_or(own, PathBuf::from);
    let mut settings = Settings::load_from(Some(&file), bench.folder.path(), &[])?;
    // A remembered answer would be all that is measured.
    settings.cache.answers = 0;
    let dataset = settings.datasets.first().map(|dataset| dataset.id.clone()).unwrap_or_default();
    let opened = startup::open_service_with(&settings, Arc::new(Instant), &NoProgress);
    let service = bench.runtime.block_on(opened)?;
    let question = Question { dataset, text: "Which things are in Toulouse?".to_owned() };
    criterion.bench_function("question of three turns", |b| {
        b.iter(|| bench.runtime.block_on(service.answer(&question, &Silent)).is_ok());
    });
    Ok(())
}

/// Runs a benchmark; a failure to set it up is said, not measured.
fn run(criterion: &mut Criterion, bench: fn(&mut Criterion) -> Outcome<()>) {
    if let Err(error) = bench(criterion) {
        std::process::exit(i32::from(
            std::io::Write::write_all(
                &mut std::io::stderr(),
                format!("the benchmark cannot run: {error}\n").as_bytes(),
            )
            .is_ok(),
        ));
    }
}

fn all(criterion: &mut Criterion) {
    for bench in [index_build, entity_search, schema_search, whole_question] {
        run(criterion, bench);
    }
}

criterion_group!(benches, all);
criterion_main!(benches);

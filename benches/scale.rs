//! A graph of any size: generated, indexed, searched, each in a process of its own so that memory can be told.
//!
//! ```sh
//! cargo bench --bench scale -- generate 1000000 GRAPH.nt[.zst]
//! cargo bench --bench scale -- build GRAPH.nt[.zst] INDEX
//! cargo bench --bench scale -- search INDEX 1000000
//! ```
#![allow(dead_code, reason = "the shared modules serve other benchmarks too")]

mod support;

use anyhow::Context;
use eruca_indexer::{BuildOptions, DatasetIndex, OpenOptions, SchemaTarget, build};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use support::graph::{Asking, Graph};
use support::measure::{cpu_seconds, memory_mib, peak_memory_mib, percentile, thread_cpu};
use support::stages::Stages;

const SEED: u64 = 20_261_121;
const QUESTIONS: usize = 1_000;
const CLIENTS: [usize; 2] = [1, 16];
const OPENINGS: usize = 11;
const HITS: usize = 10;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["generate", entities, file] => generate(entities.parse()?, Path::new(file)),
        ["build", file, index] => build_index(Path::new(file), Path::new(index)),
        ["search", index, entities] => search(Path::new(index), &Graph::new(entities.parse()?, SEED)),
        _ => say("SKIPPED: cargo bench --bench scale -- generate N FILE | build FILE INDEX | search INDEX N"),
    }
}

fn say(line: impl std::fmt::Display) -> anyhow::Result<()> {
    writeln!(std::io::stdout(), "{line}")?;
    Ok(())
}

fn generate(entities: usize, path: &Path) -> anyhow::Result<()> {
    let file = BufWriter::with_capacity(1 << 20, File::create(path).context(path.display().to_string())?);
    let graph = Graph::new(entities, SEED);
    let triples = if path.extension().is_some_and(|ending| ending == "zst") {
        let mut packed = zstd::stream::write::Encoder::new(file, 1)?;
        let triples = graph.write(&mut packed)?;
        packed.finish()?.flush()?;
        triples
    } else {
        let mut file = file;
        let triples = graph.write(&mut file)?;
        file.flush()?;
        triples
    };
    say(format!("{entities} entities, {triples} triples"))
}

fn build_index(file: &Path, index: &Path) -> anyhow::Result<()> {
    let options = BuildOptions {
        files: &[file.to_owned()],
        origin: None,
        prefixes: &[],
        folder: index,
        vocabulary: eruca_indexer::vocabulary::Given::default(),
        languages: &[],
        names_from: None,
        naming_properties: &[],
        skip_errors: false,
        max_value_chars: 120,
        embedder: None,
        schema_target: SchemaTarget::Folder,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let summary = runtime.block_on(build(&options, &Stages::default()))?;
    let (seconds, cpu) = (summary.elapsed.as_secs_f64(), cpu_seconds());
    say(format!(
        "build: {} entities, {} values, {} triples in {seconds:.1} s ({cpu:.1} s CPU): {:.0} entities/s, {:.0} triples/s, peak {} MiB",
        summary.entities,
        summary.values,
        summary.triples,
        summary.entities as f64 / seconds,
        summary.triples as f64 / seconds,
        peak_memory_mib()
    ))
}

fn search(folder: &Path, graph: &Graph) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let open = || {
        let options = OpenOptions { folder, embedder: None, qdrant: None, build_command: "this benchmark" };
        runtime.block_on(DatasetIndex::open(options))
    };
    let index = open()?;
    let mut openings = Vec::new();
    for _ in 0..OPENINGS {
        let start = Instant::now();
        drop(open()?);
        openings.push(start.elapsed());
    }
    say(format!("open: p50 {:.2} ms", percentile(&mut openings, 0.5)))?;
    for asking in Asking::ALL {
        let questions = asking.questions(graph, QUESTIONS);
        ask(&index, &questions)?;
        for clients in CLIENTS {
            let (mut wall, mut cpu) = ask_at_once(&index, &questions, clients)?;
            let [p50, p99] =
                [0.5, 0.99].map(|share| (percentile(&mut wall, share), percentile(&mut cpu, share)));
            say(format!(
                "{} at {clients} clients: p50 {:.2} ms ({:.2} CPU), p99 {:.2} ms ({:.2} CPU)",
                asking.name(),
                p50.0,
                p50.1,
                p99.0,
                p99.1
            ))?;
        }
    }
    let (own, mapped) = memory_mib();
    say(format!("memory: {own} MiB own, {mapped} MiB mapped files, peak {} MiB", peak_memory_mib()))
}

type Times = (Vec<Duration>, Vec<Duration>);

/// Asks everything once; wall-clock and processor time of each search.
fn ask(index: &DatasetIndex, questions: &[(String, Option<String>)]) -> anyhow::Result<Times> {
    let (mut wall, mut cpu) = (Vec::new(), Vec::new());
    for (text, class) in questions {
        let (start, before) = (Instant::now(), thread_cpu());
        index.entities.search(text, class.as_deref(), HITS)?;
        wall.push(start.elapsed());
        cpu.push(thread_cpu() - before);
    }
    Ok((wall, cpu))
}

fn ask_at_once(
    index: &DatasetIndex,
    questions: &[(String, Option<String>)],
    clients: usize,
) -> anyhow::Result<Times> {
    let mut all = (Vec::new(), Vec::new());
    let done = std::thread::scope(|scope| {
        let running: Vec<_> = (0..clients).map(|_| scope.spawn(|| ask(index, questions))).collect();
        running.into_iter().map(std::thread::ScopedJoinHandle::join).collect::<Vec<_>>()
    });
    for client in done {
        let (wall, cpu) = client.map_err(|_| anyhow::anyhow!("a client panicked"))??;
        all.0.extend(wall);
        all.1.extend(cpu);
    }
    Ok(all)
}

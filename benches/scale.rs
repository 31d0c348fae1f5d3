//! A graph of any size: generated, indexed, searched, each in a process of its own so that memory can be told.
//!
//! ```sh
//! cargo bench --bench scale -- generate 1000000 GRAPH.nt[.zst]
//! cargo bench --bench scale -- build GRAPH.nt[.zst] INDEX
//! cargo bench --bench scale -- search INDEX 1000000
//! cargo bench --bench scale -- generate-wikibase 1000000 GRAPH.nt[.zst] [truthy]
//! cargo bench --bench scale -- search-wikibase INDEX 1000000
//! ```
//! `ERUCA_BENCH_QDRANT_URL` has the names on a server (`support::server`). With the variable `MISSED` set, names of a Wikibase without a right hit among the first three are told. A Wikibase is written as a full dump, or as a truthy one, without the nodes of statements.
#![allow(dead_code, reason = "the shared modules serve other benchmarks too")]

mod support;

use anyhow::Context;
use eruca_indexer::{BuildOptions, DatasetIndex, Entity, EntityHit, OpenOptions, build};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use support::graph::{Asking, Graph};
use support::measure::{cpu_seconds, memory_mib, peak_memory_mib, percentile, thread_cpu};
use support::server::{names_server, names_target};
use support::stages::Stages;
use support::wikibase::{Wikibase, ask, dump::Extent};

const SEED: u64 = 20_261_121;
const QUESTIONS: usize = 1_000;
const CLIENTS: [usize; 2] = [1, 16];
const OPENINGS: usize = 11;
const HITS: usize = 10;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["generate", entities, file] => {
            let graph = Graph::new(entities.parse()?, SEED);
            generate(Path::new(file), |out| graph.write(out))
        }
        ["generate-wikibase", items, file] => generate_wikibase(items, file, Extent::Full),
        ["generate-wikibase", items, file, "truthy"] => generate_wikibase(items, file, Extent::Truthy),
        ["build", file, index] => build_index(Path::new(file), Path::new(index)),
        ["search", index, entities] => search(Path::new(index), &Graph::new(entities.parse()?, SEED)),
        ["search-wikibase", index, items] => {
            search_wikibase(Path::new(index), &Wikibase::new(items.parse()?, SEED))
        }
        _ => say(
            "SKIPPED: cargo bench --bench scale -- generate N FILE | generate-wikibase N FILE [truthy] | build FILE INDEX | \
             search INDEX N | search-wikibase INDEX N",
        ),
    }
}

fn say(line: impl std::fmt::Display) -> anyhow::Result<()> {
    writeln!(std::io::stdout(), "{line}")?;
    Ok(())
}

fn generate_wikibase(items: &str, file: &str, extent: Extent) -> anyhow::Result<()> {
    let graph = Wikibase::new(items.parse()?, SEED);
    generate(Path::new(file), |out| graph.write(extent, out))
}

fn generate(path: &Path, write: impl FnOnce(&mut dyn Write) -> std::io::Result<u64>) -> anyhow::Result<()> {
    let start = Instant::now();
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path).context(path.display().to_string())?);
    let triples = if path.extension().is_some_and(|ending| ending == "zst") {
        let mut packed = zstd::stream::write::Encoder::new(file, 1)?;
        let triples = write(&mut packed)?;
        packed.finish()?.flush()?;
        triples
    } else {
        let triples = write(&mut file)?;
        file.flush()?;
        triples
    };
    say(format!("{triples} triples in {:.1} s", start.elapsed().as_secs_f64()))
}

fn build_index(file: &Path, index: &Path) -> anyhow::Result<()> {
    let files = [file.to_owned()];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let options = BuildOptions {
        names_target: names_target(index),
        with_graph: names_server(index).is_none(),
        ..BuildOptions::new(&files, index)
    };
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

fn open(folder: &Path) -> anyhow::Result<DatasetIndex> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let options = OpenOptions {
        folder,
        embedder: None,
        schema_in: None,
        names_in: names_server(folder),
        build_command: "this benchmark",
    };
    Ok(runtime.block_on(DatasetIndex::open(options))?)
}

fn search(folder: &Path, graph: &Graph) -> anyhow::Result<()> {
    let index = open(folder)?;
    let mut openings = Vec::new();
    for _ in 0..OPENINGS {
        let start = Instant::now();
        drop(open(folder)?);
        openings.push(start.elapsed());
    }
    say(format!("open: p50 {:.2} ms", percentile(&mut openings, 0.5)))?;
    for asking in Asking::ALL {
        let questions = asking.questions(graph, QUESTIONS);
        ask(&index, &questions)?;
        for clients in CLIENTS {
            let (mut wall, mut cpu) = ask_at_once(&index, &questions, clients)?;
            say(format!("{} at {clients} clients: {}", asking.name(), told(&mut wall, &mut cpu)))?;
        }
    }
    say_memory()
}

fn told(wall: &mut [Duration], cpu: &mut [Duration]) -> String {
    let [p50, p99] = [0.5, 0.99].map(|share| (percentile(wall, share), percentile(cpu, share)));
    format!("p50 {:.2} ms ({:.2} CPU), p99 {:.2} ms ({:.2} CPU)", p50.0, p50.1, p99.0, p99.1)
}

fn say_memory() -> anyhow::Result<()> {
    let (own, mapped) = memory_mib();
    say(format!("memory: {own} MiB own, {mapped} MiB mapped files, peak {} MiB", peak_memory_mib()))
}

/// Asks for the names of a Wikibase: how often what is right is first, or among the first three, and how long it takes.
fn search_wikibase(folder: &Path, graph: &Wikibase) -> anyhow::Result<()> {
    let index = open(folder)?;
    let tell_missed = std::env::var_os("MISSED").is_some();
    for asking in ask::Asking::all() {
        let questions = asking.questions(graph, QUESTIONS);
        let (mut wall, mut cpu, mut first, mut third) = (Vec::new(), Vec::new(), 0, 0);
        for question in &questions {
            // The first time brings the pages of the files into memory.
            index.entities.search(&question.text, None, HITS)?;
            let (start, before) = (Instant::now(), thread_cpu());
            let hits = index.entities.search(&question.text, None, HITS)?;
            wall.push(start.elapsed());
            cpu.push(thread_cpu() - before);
            let at = hits.iter().position(|hit| is_right(question, &hit.record));
            first += usize::from(at == Some(0));
            third += usize::from(at.is_some_and(|at| at < 3));
            if tell_missed && at.is_none_or(|at| at >= 3) {
                let right = index.entities.get(&Wikibase::item_iri(question.item))?;
                tell_missed_one(&question.text, right.as_ref(), &hits)?;
            }
        }
        let share = |count: usize| count as f64 / questions.len().max(1) as f64;
        say(format!(
            "{} ({}): recall@1 {:.3}, @3 {:.3}, {}",
            asking.name(),
            questions.len(),
            share(first),
            share(third),
            told(&mut wall, &mut cpu)
        ))?;
    }
    say_memory()
}

fn tell_missed_one(text: &str, right: Option<&Entity>, hits: &[EntityHit]) -> anyhow::Result<()> {
    say(format!("\n{text}: {right:?}"))?;
    hits.iter().take(3).try_for_each(|hit| say(format!("    {:?} {:?}", hit.score, hit.record)))
}

fn is_right(question: &ask::Question, entity: &Entity) -> bool {
    let named = |name: &String| entity.labels.iter().any(|label| label.text == *name);
    entity.iri == Wikibase::item_iri(question.item) || question.name.as_ref().is_some_and(named)
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

//! Entity search on real labels: recall at ten for each kind of mention, times, and the speed of the build.
//!
//! ```sh
//! cargo bench --bench labels -- LABELS.nt[.gz] MENTIONS.jsonl INDEX [--keep]
//! ```
//! A line of the mentions is `{"mention": "…", "variant": "…", "gold": [N, …]}`; N stands for the entity
//! `http://ex.org/e/N`. With `--keep` an index that is there already is searched without being built anew.
//! `ERUCA_BENCH_QDRANT_URL` has the names on a server (`support::server`); what it has told is remembered, so that the times are those of
//! the first round. With the variable `MISSED` set, mentions without a right hit are told.
#![allow(dead_code, reason = "the shared modules serve other benchmarks too")]

mod support;

use anyhow::{Context, anyhow};
use eruca_indexer::{BuildOptions, DatasetIndex, OpenOptions, build};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use support::measure::{cpu_seconds, memory_mib, peak_memory_mib, percentile, thread_cpu};
use support::server::{names_server, names_target};
use support::stages::Stages;

const ENTITY: &str = "http://ex.org/e/";
/// Hits looked at.
const AT: usize = 10;
/// All mentions are asked so many times; the first round warms the files up.
const ROUNDS: usize = 4;

#[derive(Deserialize)]
struct Mention {
    mention: String,
    variant: String,
    gold: Vec<u64>,
}

/// What became of the mentions of one kind.
#[derive(Default)]
struct Kind {
    asked: usize,
    /// Mentions with a right entity among the hits.
    hit: usize,
    /// Sum of the shares of right entities (at most ten) among the hits.
    recall: f64,
    times: Vec<Duration>,
    cpu: Vec<Duration>,
}

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let keep = arguments.iter().any(|a| a == "--keep");
    let paths: Vec<PathBuf> = arguments.iter().filter(|a| !a.starts_with("--")).map(PathBuf::from).collect();
    let [labels, mentions, index] = paths.as_slice() else {
        writeln!(
            std::io::stderr(),
            "SKIPPED: cargo bench --bench labels -- LABELS.nt[.gz] MENTIONS.jsonl INDEX [--keep]"
        )?;
        return Ok(());
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    if !(keep && DatasetIndex::exists(index)) {
        runtime.block_on(build_index(labels, index))?;
    }
    let options = OpenOptions {
        folder: index,
        embedder: None,
        schema_in: None,
        names_in: names_server(index),
        build_command: "this benchmark",
    };
    let opened = runtime.block_on(DatasetIndex::open(options))?;
    search(&opened, &read_mentions(mentions)?, names_server(index).is_some())
}

async fn build_index(labels: &Path, index: &Path) -> anyhow::Result<()> {
    let cpu = cpu_seconds();
    let files = [labels.to_owned()];
    let options = BuildOptions { names_target: names_target(index), ..BuildOptions::new(&files, index) };
    let summary = build(&options, &Stages::default()).await?;
    let (seconds, cpu) = (summary.elapsed.as_secs_f64(), cpu_seconds() - cpu);
    writeln!(
        std::io::stdout(),
        "build: {} entities, {} triples in {seconds:.1} s ({cpu:.1} s CPU): {:.0} entities/s, {:.0} triples/s, peak {} MiB",
        summary.entities,
        summary.triples,
        summary.entities as f64 / seconds,
        summary.triples as f64 / seconds,
        peak_memory_mib()
    )?;
    Ok(())
}

fn read_mentions(path: &Path) -> anyhow::Result<Vec<Mention>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    text.lines()
        .enumerate()
        .map(|(at, line)| {
            serde_json::from_str(line).map_err(|error| anyhow!("{}:{}: {error}", path.display(), at + 1))
        })
        .collect()
}

fn search(index: &DatasetIndex, mentions: &[Mention], on_server: bool) -> anyhow::Result<()> {
    let mut kinds: BTreeMap<&str, Kind> = BTreeMap::new();
    let missed = std::env::var_os("MISSED").is_some();
    let rounds = if on_server { 1 } else { ROUNDS };
    for round in 0..rounds {
        for mention in mentions {
            let (start, cpu) = (Instant::now(), thread_cpu());
            let hits = index.entities.search(&mention.mention, None, AT)?;
            let (time, cpu) = (start.elapsed(), thread_cpu() - cpu);
            let kind = kinds.entry(&mention.variant).or_default();
            if (round > 0) != on_server {
                kind.times.push(time);
                kind.cpu.push(cpu);
            }
            if round > 0 {
                continue;
            }
            let right = |iri: &str| {
                let number = iri.strip_prefix(ENTITY).and_then(|n| n.parse().ok());
                number.is_some_and(|n: u64| mention.gold.contains(&n))
            };
            let found = hits.iter().filter(|hit| right(&hit.record.iri)).count();
            kind.asked += 1;
            kind.hit += usize::from(found > 0);
            kind.recall += found as f64 / mention.gold.len().clamp(1, AT) as f64;
            if found == 0 && missed {
                let names: Vec<&str> = hits.iter().map(|hit| hit.record.label(&[])).collect();
                writeln!(
                    std::io::stderr(),
                    "missed {}: {} {:?}: {names:?}",
                    mention.variant,
                    mention.mention,
                    mention.gold.first()
                )?;
            }
        }
    }
    report(kinds)
}

fn report(kinds: BTreeMap<&str, Kind>) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    let (mut times, mut cpu) = (Vec::new(), Vec::new());
    for (name, mut kind) in kinds {
        let asked = kind.asked as f64;
        writeln!(
            out,
            "{name}: {} mentions, a right one in the first ten {:.3}, recall@10 {:.3}, {}",
            kind.asked,
            kind.hit as f64 / asked,
            kind.recall / asked,
            percentiles(&mut kind.times, &mut kind.cpu),
        )?;
        times.append(&mut kind.times);
        cpu.append(&mut kind.cpu);
    }
    let (own, mapped) = memory_mib();
    let percentiles = percentiles(&mut times, &mut cpu);
    writeln!(out, "all: {percentiles}; memory now {own} MiB own, {mapped} MiB mapped files")?;
    Ok(())
}

fn percentiles(times: &mut [Duration], cpu: &mut [Duration]) -> String {
    let [p50, p99] = [0.5, 0.99].map(|share| (percentile(times, share), percentile(cpu, share)));
    format!("p50 {:.2} ms ({:.2} CPU), p99 {:.2} ms ({:.2} CPU)", p50.0, p50.1, p99.0, p99.1)
}

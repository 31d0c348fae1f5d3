//! Several runs of the same questions: with and without something, in several ways, or repeated; compared at the end.

use super::benchmark::Benchmarked;
use super::compare::{named, print_leaderboard, write_tables};
use super::variants::Variant;
use crate::cli::CliError;
use eruca_eval::agreement::{RepeatAgreement, agreement, averaged};
use eruca_eval::record::Record;
use eruca_eval::report::write_board;
use eruca_eval::table::TableFormat;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Files in the folder of all runs.
const TABLES_FILE: &str = "tables.md";
const PAGE_FILE: &str = "comparison.html";
const AGREEMENT_FILE: &str = "agreement.json";

/// Runs each variant as often as asked, each in a folder of its own, and compares them.
pub(super) async fn run(
    benchmark: &Benchmarked,
    variants: &[Variant],
    repeats: usize,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let mut compared = Vec::with_capacity(variants.len());
    let mut agreements = serde_json::Map::new();
    for variant in variants {
        let folder = match variants {
            [_] => benchmark.folder.clone(),
            _ => benchmark.folder.join(&variant.name),
        };
        let all = repeated(benchmark, variant, &folder, repeats, out).await?;
        let found = agreement(&all.iter().map(Vec::as_slice).collect::<Vec<_>>());
        if let Some(found) = &found {
            print_agreement(&variant.name, found, out)?;
            agreements
                .insert(variant.name.clone(), serde_json::to_value(found).map_err(std::io::Error::from)?);
        }
        compared.push(averaged(&all));
    }
    let names: Vec<String> = variants.iter().map(|variant| variant.name.clone()).collect();
    if !agreements.is_empty() {
        let text = serde_json::to_string_pretty(&agreements).map_err(std::io::Error::from)?;
        write_file(&benchmark.folder.join(AGREEMENT_FILE), &(text + "\n"), out)?;
    }
    compare(&names, &compared, &benchmark.folder, out)
}

async fn repeated(
    benchmark: &Benchmarked,
    variant: &Variant,
    folder: &Path,
    repeats: usize,
    out: &mut dyn Write,
) -> Result<Vec<Vec<Record>>, CliError> {
    let folders: Vec<PathBuf> = match repeats {
        1 => vec![folder.to_owned()],
        _ => (1..=repeats).map(|number| folder.join(number.to_string())).collect(),
    };
    let mut all = Vec::with_capacity(repeats);
    for folder in folders {
        let ran = benchmark.run(variant, &folder).await?;
        writeln!(
            out,
            "{}: set_F {:.4} over {} questions, in {}",
            variant.name,
            ran.summary.official.set_f,
            ran.summary.questions,
            folder.display()
        )?;
        out.flush()?;
        all.push(ran.records);
    }
    Ok(all)
}

fn compare(
    names: &[String],
    records: &[Vec<Record>],
    folder: &Path,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let runs = named(names, records);
    if runs.len() > 1 {
        writeln!(out)?;
        print_leaderboard(&runs, TableFormat::Text, out)?;
    }
    let mut tables = Vec::new();
    write_tables(&runs, TableFormat::Markdown, &mut tables)?;
    if runs.len() > 1 {
        writeln!(tables, "### Pairs\n")?;
        print_leaderboard(&runs, TableFormat::Markdown, &mut tables)?;
    }
    let page = folder.join(PAGE_FILE);
    write_board(&page, &folder.display().to_string(), &runs)?;
    write_file(&folder.join(TABLES_FILE), &String::from_utf8_lossy(&tables), out)?;
    writeln!(out, "wrote        {}", page.display())?;
    Ok(())
}

fn print_agreement(name: &str, found: &RepeatAgreement, out: &mut dyn Write) -> Result<(), CliError> {
    let RepeatAgreement {
        repeats, set_f_mean, set_f_deviation, same, right_always, right_once, kappa, ..
    } = found;
    let kappa = kappa.map_or_else(String::new, |kappa| format!(", kappa {kappa:.3}"));
    writeln!(
        out,
        "{name}: {repeats} repeats, set_F {set_f_mean:.4} (deviation {set_f_deviation:.4}); the same result for {:.1} % of the \
         questions; right always {right_always:.3}, at least once {right_once:.3}{kappa}",
        same * 100.0
    )?;
    Ok(())
}

fn write_file(path: &Path, text: &str, out: &mut dyn Write) -> Result<(), CliError> {
    std::fs::write(path, text).map_err(|reason| CliError::Unwritten { path: path.to_owned(), reason })?;
    writeln!(out, "wrote        {}", path.display())?;
    Ok(())
}

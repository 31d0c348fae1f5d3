//! `eruca eval --compare`: two runs question by question, or several as a leaderboard.

use super::QUESTION_CHARS;
use crate::cli::CliError;
use crate::cli::text::{counted, one_line};
use clap::ValueEnum;
use eruca_eval::compare::{Comparison, MetricComparison, compare};
use eruca_eval::journal::read_records;
use eruca_eval::leaderboard::{Leaderboard, NamedRun, Standing, leaderboard, pair_table};
use eruca_eval::metrics::side::{Metric, SideFigures};
use eruca_eval::record::Record;
use eruca_eval::report::write_board;
use eruca_eval::resample::Measured;
use eruca_eval::table::{Table, TableFormat};
use eruca_eval::tables::{TitledTable, tables};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Formats of a leaderboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TableName {
    /// Columns for a terminal
    Text,
    /// A table of Markdown
    Markdown,
    /// Values separated by commas
    Csv,
    /// A tabular of LaTeX
    Latex,
}

impl From<TableName> for TableFormat {
    fn from(name: TableName) -> Self {
        match name {
            TableName::Text => Self::Text,
            TableName::Markdown => Self::Markdown,
            TableName::Csv => Self::Csv,
            TableName::Latex => Self::Latex,
        }
    }
}

/// Compares runs: two of them question by question unless a table is asked for, more of them as a table.
pub(super) fn compare_runs(
    folders: &[PathBuf],
    table: Option<TableName>,
    page: Option<&Path>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let records = read_all(folders)?;
    write_page(folders, &records, page)?;
    match (folders, records.as_slice(), table) {
        ([first, second], [a, b], None) => {
            writeln!(out, "A  {}\nB  {}", first.display(), second.display())?;
            print_comparison(&compare(a, b), out)
        }
        _ => {
            let (names, format) = (names(folders), table.unwrap_or(TableName::Text).into());
            print_leaderboard(&named(&names, &records), format, out)
        }
    }
}

/// Prints the tables of papers.
pub(super) fn print_tables(
    folders: &[PathBuf],
    table: Option<TableName>,
    page: Option<&Path>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let (names, records) = (names(folders), read_all(folders)?);
    write_page(folders, &records, page)?;
    write_tables(&named(&names, &records), table.unwrap_or(TableName::Text).into(), out)
}

/// Writes the tables of papers for some runs.
pub(super) fn write_tables(
    runs: &[NamedRun<'_>],
    format: TableFormat,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    for TitledTable { title, table } in tables(runs) {
        let title = one_line(&title, QUESTION_CHARS);
        match format {
            TableFormat::Text => writeln!(out, "{title}\n")?,
            TableFormat::Markdown => writeln!(out, "### {title}\n")?,
            TableFormat::Csv => writeln!(out, "# {title}")?,
            TableFormat::Latex => writeln!(out, "% {title}")?,
        }
        writeln!(out, "{}", table.written(format))?;
    }
    Ok(())
}

/// Writes runs as a page, if a file for it is named.
fn write_page(folders: &[PathBuf], records: &[Vec<Record>], page: Option<&Path>) -> Result<(), CliError> {
    let Some(path) = page else { return Ok(()) };
    let names = names(folders);
    Ok(write_board(path, &names.join(", "), &named(&names, records))?)
}

fn read_all(folders: &[PathBuf]) -> Result<Vec<Vec<Record>>, CliError> {
    Ok(folders.iter().map(|folder| read_records(folder)).collect::<Result<_, _>>()?)
}

fn names(folders: &[PathBuf]) -> Vec<String> {
    folders.iter().map(|folder| one_line(&folder.display().to_string(), QUESTION_CHARS)).collect()
}

/// Runs with their names.
pub(super) fn named<'a>(names: &'a [String], records: &'a [Vec<Record>]) -> Vec<NamedRun<'a>> {
    names.iter().zip(records).map(|(name, records)| (name.as_str(), records.as_slice())).collect()
}

/// Prints runs in order, and each pair of them compared.
pub(super) fn print_leaderboard(
    runs: &[NamedRun<'_>],
    format: TableFormat,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let board = leaderboard(runs);
    let Leaderboard { common, gold_unknown, left_out, standings, pairs } = &board;
    if standings.is_empty() && *gold_unknown > 0 {
        return Err(CliError::Arguments(
            "the gold answer of no question that all of these runs asked is known; eruca eval --check-gold says why",
        ));
    }
    if standings.is_empty() {
        return Err(CliError::Arguments(
            "no question was asked in all of these runs; compare runs of the same questions",
        ));
    }
    if format == TableFormat::Text {
        let questions = counted(*common as u64, "question", "questions");
        writeln!(out, "{questions} in all runs, {left_out} not in all of them are left out")?;
        print_unknown(*gold_unknown, out)?;
        writeln!(out)?;
    }
    write!(out, "{}", standing_table(standings).written(format))?;
    write!(out, "\n{}", pair_table(pairs).written(format))?;
    Ok(())
}

fn standing_table(standings: &[Standing]) -> Table {
    let side: Vec<Metric> = SideFigures::present(standings.iter().map(|one| &one.side));
    let first = ["run", "set_F", "95 %", "deviation", "row F1"];
    let last = ["calls", "tokens", "seconds", "cost"];
    let head = first.into_iter().chain(side.iter().map(|metric| metric.title)).chain(last);
    let row = |one: &Standing| {
        let Measured { mean, deviation, interval: [low, high] } = one.set_f;
        let or_dash = |mean: Option<f64>| mean.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.4}"));
        let mut row = vec![
            one.run.clone(),
            format!("{mean:.4}"),
            format!("{low:.3} to {high:.3}"),
            format!("{deviation:.3}"),
            or_dash(one.row_f1.map(|row| row.mean)),
        ];
        row.extend(side.iter().map(|metric| or_dash(one.side.mean(metric))));
        row.extend([
            format!("{:.2}", one.model_calls),
            format!("{:.0}", one.tokens),
            format!("{:.2}", one.seconds),
            or_dash(one.cost),
        ]);
        row
    };
    Table { head: head.map(str::to_owned).collect(), rows: standings.iter().map(row).collect() }
}

fn print_comparison(comparison: &Comparison, out: &mut dyn Write) -> Result<(), CliError> {
    let Comparison { common, gold_unknown, only_first, only_second, set_f, row_f1, side } = comparison;
    writeln!(
        out,
        "{} in both, {only_first} only in A, {only_second} only in B",
        counted(*common as u64, "question", "questions")
    )?;
    print_unknown(*gold_unknown, out)?;
    print_duel("set_F", set_f, out)?;
    print_duel("row F1", row_f1, out)?;
    for (title, duel) in side {
        print_duel(title, duel, out)?;
    }
    for (title, pairs) in [("A is better (set_F)", &set_f.wins), ("B is better (set_F)", &set_f.losses)] {
        if !pairs.is_empty() {
            writeln!(out, "\n{title}")?;
        }
        for pair in pairs {
            let question = one_line(&pair.question, QUESTION_CHARS);
            writeln!(
                out,
                "  {:.3} : {:.3}  {}  {question}",
                pair.first,
                pair.second,
                one_line(&pair.id, QUESTION_CHARS)
            )?;
        }
    }
    Ok(())
}

/// Prints how many common questions do not count.
fn print_unknown(questions: usize, out: &mut dyn Write) -> Result<(), CliError> {
    if questions > 0 {
        writeln!(out, "{questions} more are left out, since their gold answer is not known")?;
    }
    Ok(())
}

fn print_duel(name: &str, duel: &MetricComparison, out: &mut dyn Write) -> Result<(), CliError> {
    let MetricComparison { first, second, wins, losses, ties, p_value, bootstrap, t_test } = duel;
    if wins.len() + losses.len() + ties == 0 {
        writeln!(out, "{name:<7} no question has it in both")?;
        return Ok(());
    }
    writeln!(
        out,
        "{name:<7} A {first:.4}, B {second:.4}: A wins {}, loses {}, ties {ties}; sign test p = {p_value:.4}",
        wins.len(),
        losses.len()
    )?;
    let t_test = t_test.map_or_else(String::new, |p| format!(", t test p = {p:.4}"));
    writeln!(out, "        paired bootstrap p = {bootstrap:.4}{t_test}")?;
    Ok(())
}

//! `eruca eval --compare`: two runs question by question, or several as a leaderboard.

use super::QUESTION_CHARS;
use crate::cli::CliError;
use crate::cli::text::{counted, one_line};
use clap::ValueEnum;
use eruca_eval::compare::{Comparison, MetricComparison, compare};
use eruca_eval::leaderboard::{Leaderboard, NamedRun, RunPair, Standing, leaderboard};
use eruca_eval::record::{Record, read_records};
use eruca_eval::resample::Measured;
use eruca_eval::table::{Table, TableFormat};
use std::io::Write;
use std::path::PathBuf;

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
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let records = folders.iter().map(|folder| read_records(folder)).collect::<Result<Vec<_>, _>>()?;
    match (folders, records.as_slice(), table) {
        ([first, second], [a, b], None) => {
            writeln!(out, "A  {}\nB  {}", first.display(), second.display())?;
            print_comparison(&compare(a, b), out)
        }
        _ => print_leaderboard(folders, &records, table.unwrap_or(TableName::Text).into(), out),
    }
}

fn print_leaderboard(
    folders: &[PathBuf],
    records: &[Vec<Record>],
    format: TableFormat,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let names: Vec<String> =
        folders.iter().map(|folder| one_line(&folder.display().to_string(), QUESTION_CHARS)).collect();
    let runs: Vec<NamedRun<'_>> =
        names.iter().zip(records).map(|(name, records)| (name.as_str(), records.as_slice())).collect();
    let board = leaderboard(&runs);
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
    let head = ["run", "set_F", "95 %", "deviation", "row F1", "calls", "tokens", "seconds", "cost"];
    let row = |one: &Standing| {
        let Measured { mean, deviation, interval: [low, high] } = one.set_f;
        vec![
            one.run.clone(),
            format!("{mean:.4}"),
            format!("{low:.3} to {high:.3}"),
            format!("{deviation:.3}"),
            one.row_f1.map_or_else(|| "-".to_owned(), |row| format!("{:.4}", row.mean)),
            format!("{:.2}", one.model_calls),
            format!("{:.0}", one.tokens),
            format!("{:.2}", one.seconds),
            one.cost.map_or_else(|| "-".to_owned(), |cost| format!("{cost:.4}")),
        ]
    };
    Table { head: head.map(str::to_owned).to_vec(), rows: standings.iter().map(row).collect() }
}

fn pair_table(pairs: &[RunPair]) -> Table {
    let head =
        ["better", "than", "by", "wins", "losses", "ties", "sign p", "t p", "bootstrap p", "corrected"];
    let row = |pair: &RunPair| {
        let MetricComparison { first, second, wins, losses, ties, p_value, bootstrap, t_test } = &pair.set_f;
        vec![
            pair.first.clone(),
            pair.second.clone(),
            format!("{:.4}", first - second),
            wins.len().to_string(),
            losses.len().to_string(),
            ties.to_string(),
            format!("{p_value:.4}"),
            t_test.map_or_else(|| "-".to_owned(), |p| format!("{p:.4}")),
            format!("{bootstrap:.4}"),
            format!("{:.4}", pair.corrected),
        ]
    };
    Table { head: head.map(str::to_owned).to_vec(), rows: pairs.iter().map(row).collect() }
}

fn print_comparison(comparison: &Comparison, out: &mut dyn Write) -> Result<(), CliError> {
    let Comparison { common, gold_unknown, only_first, only_second, set_f, row_f1 } = comparison;
    writeln!(
        out,
        "{} in both, {only_first} only in A, {only_second} only in B",
        counted(*common as u64, "question", "questions")
    )?;
    print_unknown(*gold_unknown, out)?;
    print_duel("set_F", set_f, out)?;
    print_duel("row F1", row_f1, out)?;
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

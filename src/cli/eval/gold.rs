//! Where gold answers come from, and `--check-gold`: what becomes of every gold query.

use super::benchmark::{chosen_tasks, open};
use super::{EvalArgs, figures};
use crate::benchmark_adapter::BenchmarkAdapter;
use crate::cli::CliError;
use crate::cli::text::counted;
use crate::config::Settings;
use eruca_eval::accounts::{Account, Accounts, GOLD_FILE, OUTCOMES, accounts};
use eruca_eval::questions::read_questions;
use eruca_eval::select::Choice;
use std::convert::Infallible;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A source of gold answers, as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GoldArg {
    /// The gold queries are run.
    Run,
    /// The answers that the question file has stored.
    Stored,
    /// A file of result sets of the official client.
    File(PathBuf),
}

impl FromStr for GoldArg {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "run" => Self::Run,
            "stored" => Self::Stored,
            file => Self::File(file.into()),
        })
    }
}

impl GoldArg {
    /// The file, if it is one.
    pub(super) fn file(&self) -> Option<&Path> {
        if let Self::File(path) = self { Some(path) } else { None }
    }
}

/// Accounts for the gold of every question, and asks nothing.
pub(super) async fn check(
    args: EvalArgs,
    mut settings: Settings,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let EvalArgs { dataset, questions, lang, ids, limit, jobs, out: folder, .. } = args;
    // The argument parser guarantees a file.
    let file = read_questions(&questions.unwrap_or_default())?;
    let format = file.format;
    let tasks = chosen_tasks(file, &Choice { dataset, lang, ids, limit }, &settings)?;
    let system = BenchmarkAdapter(open(&mut settings, &tasks, jobs).await?);
    let found = accounts(&system, &tasks, jobs.get(), folder.as_deref()).await?;
    print_accounts(&found, format, out)?;
    if let Some(folder) = folder {
        writeln!(out, "wrote        {}", folder.join(GOLD_FILE).display())?;
    }
    Ok(())
}

/// Prints each question without a gold answer, then the counts.
fn print_accounts(found: &Accounts, format: &str, out: &mut dyn Write) -> io::Result<()> {
    for Account { id, sparql, reason, .. } in &found.all {
        if let Some(reason) = reason {
            figures::print_failure(id, sparql.as_deref(), reason, out)?;
        }
    }
    writeln!(out, "questions    {} ({format})", found.all.len())?;
    for (outcome, name) in OUTCOMES {
        let count = found.count(outcome);
        if count > 0 {
            let share = 100.0 * count as f64 / found.all.len().max(1) as f64;
            writeln!(out, "{name:<12} {count} ({share:.1} %)")?;
        }
    }
    writeln!(out, "stored       {}", counted(found.stored() as u64, "answer", "answers"))?;
    match &found.overlaps {
        Some(overlaps) => writeln!(out, "published    {}", overlaps.told()),
        None => Ok(()),
    }
}

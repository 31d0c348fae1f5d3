//! `eruca examples test`: runs all verified questions, and writes into their files which of them are set aside.

use super::{ExamplesError, QUESTION_CHARS, REASON_CHARS, Which, folder, opened, run_query};
use crate::cli::CliError;
use crate::cli::text::{counted, one_line};
use crate::config::Settings;
use clap::Args;
use eruca_dataset::Dataset;
use eruca_knowledge::questions::{Entry, Outcome, read_questions, record};
use std::io::Write;

/// Arguments of `eruca examples test`.
#[derive(Debug, Args)]
pub struct TestArgs {
    /// Whose questions.
    #[command(flatten)]
    pub which: Which,
    /// Take the results of queries that run as the right ones: nothing that runs stays set aside
    #[arg(long)]
    pub accept: bool,
}

/// What running a question has shown.
struct Tested {
    /// What stands in its file from now on.
    outcome: Option<Outcome>,
    aside: Option<String>,
}

pub(super) async fn run(args: TestArgs, settings: &Settings, out: &mut dyn Write) -> Result<(), CliError> {
    let (id, folder) = folder(&args.which, settings)?;
    let (questions, problems) = read_questions(&folder);
    let dataset = opened(&id, settings).await?;
    let mut aside = 0;
    for entry in questions.entries() {
        let tested = tested(&dataset, entry, args.accept).await;
        aside += usize::from(tested.aside.is_some());
        tell(entry, &tested, out)?;
        let same = entry.question.aside == tested.aside && entry.question.outcome == tested.outcome;
        if !same {
            let written = record(entry, tested.outcome.as_ref(), tested.aside.as_deref());
            written.map_err(ExamplesError::from)?;
        }
    }
    for problem in &problems {
        writeln!(out, "error: {}", one_line(&problem.to_string(), REASON_CHARS))?;
    }
    let all = questions.entries().len();
    writeln!(
        out,
        "{}: {} give what was verified",
        counted(all as u64, "verified question", "verified questions"),
        all - aside
    )?;
    match aside + problems.len() {
        0 => Ok(()),
        _ => Err(ExamplesError::Aside { aside, all, errors: problems.len() }.into()),
    }
}

/// Runs a question. One that was set aside counts again when it gives what was verified.
async fn tested(dataset: &Dataset, entry: &Entry, accept: bool) -> Tested {
    let known = entry.question.outcome.clone();
    match run_query(dataset, &entry.question.query).await {
        Err(reason) => {
            let aside = Some(one_line(&format!("the query does not run: {reason}"), REASON_CHARS));
            Tested { outcome: known, aside }
        }
        // Of a page that is refreshed other results are expected; what was verified stays on record.
        Ok(now) if entry.question.refresh.is_some() && !accept => {
            Tested { outcome: known.or(Some(now)), aside: None }
        }
        Ok(now) => match known.filter(|known| !accept && known.differs_from(&now)) {
            Some(known) => {
                let rows = if known.rows == now.rows { "other rows".to_owned() } else { rows(&now) };
                let aside = Some(format!("the result has changed from {} to {rows}", self::rows(&known)));
                Tested { outcome: Some(known), aside }
            }
            None => Tested { outcome: Some(now), aside: None },
        },
    }
}

fn rows(outcome: &Outcome) -> String {
    counted(outcome.rows as u64, "row", "rows")
}

fn tell(entry: &Entry, tested: &Tested, out: &mut dyn Write) -> Result<(), CliError> {
    let question = one_line(&entry.question.question, QUESTION_CHARS);
    match (&tested.aside, &entry.question.aside) {
        (Some(reason), _) => writeln!(out, "set aside: {question}: {}", one_line(reason, REASON_CHARS))?,
        (None, Some(_)) => writeln!(out, "counts again: {question}")?,
        (None, None) => {}
    }
    Ok(())
}

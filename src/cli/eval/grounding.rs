//! `eruca eval --grounding`: whether the terms of gold queries are found for the words of the questions. No model is asked.

use super::benchmark::keep_needed;
use super::{EvalArgs, QUESTION_CHARS};
use crate::benchmark_adapter::BenchmarkAdapter;
use crate::cli::text::{counted, one_line};
use crate::cli::{CliError, ids, progress as building};
use crate::config::Settings;
use crate::service::{ServiceError, Unopened};
use crate::startup;
use eruca_eval::grounding::compare::compare_grounding;
use eruca_eval::grounding::record::{GROUNDING_FILE, GroundingRecord, read_grounding, write_grounding};
use eruca_eval::grounding::run::GroundingRun;
use eruca_eval::grounding::summary::{
    GROUNDING_SUMMARY_FILE, GroundingSummary, summarize_grounding, write_grounding_summary,
};
use eruca_eval::grounding::tables::{comparison_table, lost_table, prompt_table, recall_table};
use eruca_eval::questions::read_questions;
use eruca_eval::report::{GROUNDING_REPORT_FILE, write_grounding_report};
use eruca_eval::select::{Choice, Datasets, Task, select};
use eruca_eval::table::{Table, TableFormat};
use indicatif::{ProgressBar, ProgressDrawTarget};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// The largest k.
const MAX_CUT: usize = 100;
/// Maximum length of a reason why a question was not measured.
const ERROR_CHARS: usize = 300;

/// A number of first hits.
pub(super) fn cut(text: &str) -> Result<usize, String> {
    let wrong =
        || format!("'{text}' is no number of first hits; write numbers from 1 to {MAX_CUT}, like 1,5,10");
    text.trim().parse().ok().filter(|cut| (1..=MAX_CUT).contains(cut)).ok_or_else(wrong)
}

/// Measures the grounding, or compares two such runs.
pub(super) async fn run(args: EvalArgs, settings: Settings, out: &mut dyn Write) -> Result<(), CliError> {
    let mut cuts = args.k.clone();
    cuts.sort_unstable();
    cuts.dedup();
    let format = args.table.map_or(TableFormat::Text, TableFormat::from);
    match &args.compare {
        Some(folders) => compare(folders, &cuts, format, out),
        None => measure(args, settings, &cuts, format, out).await,
    }
}

async fn measure(
    args: EvalArgs,
    mut settings: Settings,
    cuts: &[usize],
    format: TableFormat,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let EvalArgs { dataset, questions, lang, ids: chosen, limit, jobs, out: folder, .. } = args;
    // The argument parser guarantees both here.
    let (questions, folder) = (questions.unwrap_or_default(), folder.unwrap_or_default());
    let file = read_questions(&questions)?;
    let name = questions.file_name().unwrap_or(questions.as_os_str()).to_string_lossy();
    let title = format!("{name} ({})", file.format);
    let choice = Choice { dataset, lang, ids: chosen, limit };
    let find = |name: &str| settings.dataset(name).map(|dataset| dataset.id.clone());
    let tasks = select(file, &choice, &Datasets { ids: ids(&settings), find: &find })?;
    keep_needed(&mut settings, &tasks);
    let service = startup::open_service(&settings, building::to_stderr().as_ref()).await?;
    if let Some(Unopened { id, reason, .. }) = service.unopened().first().cloned() {
        return Err(ServiceError::NotOpened { dataset: id, reason, retry_after: None }.into());
    }
    let records = measured(&BenchmarkAdapter(Arc::clone(&service)), &tasks, cuts, jobs.get()).await;
    let summary = summarize_grounding(&records, cuts);
    write_grounding(&records, &folder)?;
    write_grounding_summary(&summary, &folder)?;
    write_grounding_report(&title, &summary, &records, &folder)?;
    if format == TableFormat::Text {
        print_head(&summary, &records, out)?;
    }
    print_tables(&[recall_table(&summary), prompt_table(&summary), lost_table(&summary)], format, out)?;
    if format == TableFormat::Text {
        for file in [GROUNDING_FILE, GROUNDING_SUMMARY_FILE, GROUNDING_REPORT_FILE] {
            writeln!(out, "wrote        {}", folder.join(file).display())?;
        }
    }
    Ok(())
}

async fn measured(
    grounder: &BenchmarkAdapter,
    tasks: &[Task],
    cuts: &[usize],
    jobs: usize,
) -> Vec<GroundingRecord> {
    let bar = ProgressBar::with_draw_target(Some(tasks.len() as u64), ProgressDrawTarget::stderr());
    let run = GroundingRun { grounder, tasks, cuts, jobs };
    let records = run.run(&|_| bar.inc(1)).await;
    // Ends the progress bar before anything is printed.
    bar.finish_and_clear();
    records
}

fn print_head(
    summary: &GroundingSummary,
    records: &[GroundingRecord],
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let GroundingSummary { questions, failed, without_terms, models, terms, .. } = summary;
    let asked = counted(*questions as u64, "question", "questions");
    writeln!(out, "{asked}: {failed} not measured, {without_terms} without terms to be found")?;
    let counts: Vec<String> = terms.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    writeln!(out, "terms        {}", counts.join(", "))?;
    match models.as_slice() {
        [] => writeln!(
            out,
            "vectors      none: words only ([embedding] names no model, or the index has no vectors)"
        )?,
        models => writeln!(out, "vectors      {}", one_line(&models.join(", "), QUESTION_CHARS))?,
    }
    for record in records {
        if let Some(error) = &record.error {
            let (id, error) = (one_line(&record.id, QUESTION_CHARS), one_line(error, ERROR_CHARS));
            writeln!(out, "not measured {id}: {error}")?;
        }
    }
    Ok(writeln!(out)?)
}

/// Prints tables with an empty line between them; those without rows are left out.
fn print_tables(tables: &[Table], format: TableFormat, out: &mut dyn Write) -> Result<(), CliError> {
    for table in tables.iter().filter(|table| !table.rows.is_empty()) {
        // Terms and names of models come from outside.
        let safe = |cells: &Vec<String>| cells.iter().map(|cell| one_line(cell, QUESTION_CHARS)).collect();
        let rows = table.rows.iter().map(safe).collect();
        writeln!(out, "{}", Table { head: table.head.clone(), rows }.written(format))?;
    }
    Ok(())
}

fn compare(
    folders: &[PathBuf],
    cuts: &[usize],
    format: TableFormat,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let [first, second] = folders else {
        return Err(CliError::Arguments("--grounding --compare takes two folders"));
    };
    let rows = compare_grounding(&read_grounding(first)?, &read_grounding(second)?, cuts);
    if rows.is_empty() {
        return Err(CliError::Arguments(
            "no term was looked for in both of these runs; compare runs of the same questions",
        ));
    }
    if format == TableFormat::Text {
        writeln!(out, "A  {}\nB  {}\n", first.display(), second.display())?;
    }
    print_tables(&[comparison_table(&rows)], format, out)
}

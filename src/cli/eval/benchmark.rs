//! Runs a benchmark and writes what came out of it.

use super::{EvalArgs, examples, figures, progress};
use crate::benchmark_adapter::BenchmarkAdapter;
use crate::cli::{CliError, ids, progress as building};
use crate::config::{CacheSettings, Settings};
use crate::service::{ServiceError, Unopened};
use crate::startup;
use eruca_eval::export::{WriteExport, answers as answers_of, write_qald, write_trec};
use eruca_eval::official::ResultSets;
use eruca_eval::questions::read_questions;
use eruca_eval::record::{RESULTS_FILE, Record};
use eruca_eval::report::{REPORT_FILE, write_report};
use eruca_eval::run::Benchmark;
use eruca_eval::select::{Choice, Datasets, Task, select};
use eruca_eval::summary::{SUMMARY_FILE, Summary, summarize, write_summary};
use eruca_eval::texts::TextAnswers;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

/// Asks the questions, scores the answers, and writes records, summary and report.
pub(super) async fn run(args: EvalArgs, mut settings: Settings, out: &mut dyn Write) -> Result<(), CliError> {
    let EvalArgs { dataset, questions, lang, gold, ids: chosen, limit, jobs, out: folder, .. } = args;
    let EvalArgs { answers, qald, trec, leak, threshold: wanted, .. } = args;
    // The argument parser guarantees both here.
    let (questions, folder) = (questions.unwrap_or_default(), folder.unwrap_or_default());
    let file = read_questions(&questions)?;
    let name = questions.file_name().unwrap_or(questions.as_os_str()).to_string_lossy();
    let title = format!("{name} ({})", file.format);
    let asked = file.questions.clone();
    let choice = Choice { dataset, lang, ids: chosen, limit };
    let find = |name: &str| settings.dataset(name).map(|dataset| dataset.id.clone());
    let tasks = select(file, &choice, &Datasets { ids: ids(&settings), find: &find })?;
    let gold = gold.map(|path| ResultSets::read(&path)).transpose()?;
    let texts = answers.as_deref().map(TextAnswers::read).transpose()?;
    keep_needed(&mut settings, &tasks);
    // A benchmark must query the model and the endpoint, not the caches.
    settings.cache = CacheSettings { answers: 0, results: 0, ..settings.cache };
    settings.server.max_concurrent_questions = settings.server.max_concurrent_questions.max(jobs.get());
    let service = startup::open_service(&settings, building::to_stderr().as_ref()).await?;
    // Questions about a graph that could not be opened would count as wrong answers.
    if let Some(Unopened { id, reason, .. }) = service.unopened().first().cloned() {
        return Err(ServiceError::NotOpened { dataset: id, reason }.into());
    }
    let datasets = tasks.iter().map(|task| task.dataset.clone()).collect();
    let examples = examples::control(&service, &datasets, &asked, leak);
    let system = BenchmarkAdapter(service);
    let run = Benchmark {
        system: &system,
        tasks: &tasks,
        gold: gold.as_ref(),
        texts: texts.as_ref(),
        jobs: jobs.get(),
        out: &folder,
    };
    let watcher = progress::to_stderr();
    let records = run.run(watcher.as_ref()).await?;
    // Ends the progress bar before anything is printed.
    drop(watcher);
    let summary = Summary { examples, ..summarize(&records) };
    write_summary(&summary, &folder)?;
    write_report(&title, &summary, &records, &folder)?;
    figures::print_gold_failures(&records, out)?;
    figures::print_summary(&summary, out)?;
    if let Some(wanted) = wanted {
        figures::print_threshold(&records, wanted, out)?;
    }
    for file in [RESULTS_FILE, SUMMARY_FILE, REPORT_FILE] {
        writeln!(out, "wrote        {}", folder.join(file).display())?;
    }
    export(&system, &records, jobs.get(), [(qald, write_qald as WriteExport), (trec, write_trec)], out).await
}

/// Writes the records in other formats, if files for them are named.
async fn export(
    system: &BenchmarkAdapter,
    records: &[Record],
    jobs: usize,
    formats: [(Option<PathBuf>, WriteExport); 2],
    out: &mut dyn Write,
) -> Result<(), CliError> {
    if formats.iter().all(|(path, _)| path.is_none()) {
        return Ok(());
    }
    let answers = answers_of(system, records, jobs).await;
    for (path, write) in formats {
        let Some(path) = path else { continue };
        write(&path, records, &answers)?;
        writeln!(out, "wrote        {}", path.display())?;
    }
    Ok(())
}

/// Drops the datasets that no question needs, so that they are not opened.
pub(super) fn keep_needed(settings: &mut Settings, tasks: &[Task]) {
    let needed: BTreeSet<&str> = tasks.iter().map(|task| task.dataset.as_str()).collect();
    settings.datasets.retain(|dataset| needed.contains(dataset.id.as_str()));
}

//! Runs a benchmark and writes what came out of it.

use super::gold::GoldArg;
use super::training::Training;
use super::variants::{Variant, variants};
use super::{EvalArgs, examples, figures, progress, several};
use crate::agent_features::AgentFeatures;
use crate::benchmark_adapter::{BaselineAdapter, BenchmarkAdapter};
use crate::cli::{CliError, ids, progress as building};
use crate::config::{CacheSettings, Settings};
use crate::service::{Service, ServiceError, Unopened};
use crate::startup;
use eruca_eval::System;
use eruca_eval::export::{WriteExport, answers as answers_of, write_qald, write_trec};
use eruca_eval::journal::RESULTS_FILE;
use eruca_eval::known::GoldSource;
use eruca_eval::official::ResultSets;
use eruca_eval::questions::{EvalQuestion, QuestionFile, read_questions};
use eruca_eval::record::Record;
use eruca_eval::report::{REPORT_FILE, write_report};
use eruca_eval::run::Benchmark;
use eruca_eval::select::{Choice, Datasets, Task, select};
use eruca_eval::summary::{SUMMARY_FILE, Summary, summarize, write_summary};
use eruca_eval::texts::TextAnswers;
use std::collections::BTreeSet;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Asks the questions in each way that is asked for, scores the answers, and writes records, summary and report.
pub(super) async fn run(args: EvalArgs, settings: Settings, out: &mut dyn Write) -> Result<(), CliError> {
    let training = Training::of(&args)?;
    let features = AgentFeatures { keeps_conversation: training.is_some(), ..settings.helps };
    let variants = variants(&args.without, &args.baseline, features)?;
    let benchmark = Benchmarked::prepare(&args, settings)?;
    let variant = match (variants.as_slice(), args.repeat.get()) {
        ([only], 1) => only,
        (variants, repeats) => return several::run(&benchmark, variants, repeats, out).await,
    };
    let Ran { system, records, summary } = benchmark.run(variant, &benchmark.folder).await?;
    figures::print_left_out(&records, out)?;
    figures::print_summary(&summary, out)?;
    figures::print_gold(&summary, out)?;
    if let Some(wanted) = args.threshold {
        figures::print_threshold(&records, wanted, out)?;
    }
    for file in [RESULTS_FILE, SUMMARY_FILE, REPORT_FILE] {
        writeln!(out, "wrote        {}", benchmark.folder.join(file).display())?;
    }
    if let Some(training) = training {
        training.write(&records, (&benchmark.folder, &benchmark.title), out)?;
    }
    let formats = [(args.qald, write_qald as WriteExport), (args.trec, write_trec)];
    export(system.as_ref(), &records, args.jobs.get(), formats, out).await
}

/// What all runs of a command have in common.
pub(super) struct Benchmarked {
    settings: Settings,
    title: String,
    /// All questions of the file.
    asked: Vec<EvalQuestion>,
    tasks: Vec<Task>,
    gold: GoldArg,
    sets: Option<ResultSets>,
    texts: Option<TextAnswers>,
    jobs: NonZeroUsize,
    leak: bool,
    names: bool,
    /// The folder of all results.
    pub(super) folder: PathBuf,
}

/// What came out of a run.
pub(super) struct Ran {
    system: Box<dyn System>,
    /// A record for each question.
    pub(super) records: Vec<Record>,
    /// Their figures.
    pub(super) summary: Summary,
}

impl Benchmarked {
    fn prepare(args: &EvalArgs, settings: Settings) -> Result<Self, CliError> {
        // The argument parser guarantees both here.
        let questions = args.questions.clone().unwrap_or_default();
        let folder = args.out.clone().unwrap_or_default();
        let file = read_questions(&questions)?;
        let name = questions.file_name().unwrap_or(questions.as_os_str()).to_string_lossy();
        let title = format!("{name} ({})", file.format);
        let asked = file.questions.clone();
        let EvalArgs { dataset, lang, ids: chosen, limit, .. } = args;
        let choice =
            Choice { dataset: dataset.clone(), lang: lang.clone(), ids: chosen.clone(), limit: *limit };
        let tasks = chosen_tasks(file, &choice, &settings)?;
        let gold = args.gold.clone().unwrap_or(GoldArg::Run);
        let sets = gold.file().map(ResultSets::read).transpose()?;
        let texts = args.answers.as_deref().map(TextAnswers::read).transpose()?;
        let (jobs, leak, names) = (args.jobs, args.leak, args.names);
        Ok(Self { settings, title, asked, tasks, gold, sets, texts, jobs, leak, names, folder })
    }

    fn gold(&self) -> GoldSource<'_> {
        match (&self.sets, &self.gold) {
            (Some(sets), _) => GoldSource::Sets(sets),
            (None, GoldArg::Stored) => GoldSource::Stored,
            (None, _) => GoldSource::Run,
        }
    }

    /// Asks the questions that are not in the folder yet, and writes records, summary and report into it.
    pub(super) async fn run(&self, variant: &Variant, folder: &Path) -> Result<Ran, CliError> {
        let mut settings = Settings { helps: variant.features, ..self.settings.clone() };
        let service = open(&mut settings, &self.tasks, self.jobs).await?;
        let datasets = self.tasks.iter().map(|task| task.dataset.clone()).collect();
        let examples = examples::control(&service, &datasets, &self.asked, self.leak);
        let adapter = BenchmarkAdapter(service);
        let system: Box<dyn System> = match variant.baseline {
            Some(baseline) => Box::new(BaselineAdapter { adapter, baseline }),
            None => Box::new(adapter),
        };
        let watcher = progress::to_stderr();
        let benchmark = Benchmark {
            system: system.as_ref(),
            tasks: &self.tasks,
            gold: self.gold(),
            texts: self.texts.as_ref(),
            names: self.names,
            jobs: self.jobs.get(),
            out: folder,
        };
        let records = benchmark.run(watcher.as_ref()).await?;
        // Ends the progress bar before anything is printed.
        drop(watcher);
        let summary = Summary { examples, ..summarize(&records) };
        write_summary(&summary, folder)?;
        write_report(&self.title, &summary, &records, folder)?;
        Ok(Ran { system, records, summary })
    }
}

/// The tasks of a file for the configured datasets.
pub(super) fn chosen_tasks(
    file: QuestionFile,
    choice: &Choice,
    settings: &Settings,
) -> Result<Vec<Task>, CliError> {
    let find = |name: &str| settings.dataset(name).map(|dataset| dataset.id.clone());
    Ok(select(file, choice, &Datasets { ids: ids(settings), find: &find })?)
}

/// Opens the datasets that the tasks need.
pub(super) async fn open(
    settings: &mut Settings,
    tasks: &[Task],
    jobs: NonZeroUsize,
) -> Result<Arc<Service>, CliError> {
    keep_needed(settings, tasks);
    // A benchmark must query the model and the endpoint, not the caches.
    settings.cache = CacheSettings { answers: 0, results: 0, ..settings.cache };
    settings.server.max_concurrent_questions = settings.server.max_concurrent_questions.max(jobs.get());
    let service = startup::open_service(settings, building::to_stderr().as_ref()).await?;
    // Questions about a graph that could not be opened would count as wrong answers.
    if let Some(Unopened { id, reason, .. }) = service.unopened().first().cloned() {
        return Err(ServiceError::NotOpened { dataset: id, reason, retry_after: None }.into());
    }
    Ok(service)
}

/// Writes the records in other formats, if files for them are named.
async fn export(
    system: &dyn System,
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

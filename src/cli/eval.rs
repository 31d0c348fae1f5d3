//! `eruca eval`: benchmarks, published result sets, and comparisons of runs.

use super::eval_compare::{TableName, compare_runs};
use super::text::{counted, one_line};
use super::{CliError, ConfigArgs, eval_examples, eval_progress, ids, progress};
use crate::benchmark_adapter::BenchmarkAdapter;
use crate::config::{CacheSettings, Settings};
use crate::service::{ServiceError, Unopened};
use crate::startup;
use clap::Args;
use eruca_eval::export::{WriteExport, answers as answers_of, write_qald, write_trec};
use eruca_eval::official::{ResultSets, evaluate};
use eruca_eval::questions::{EvalQuestion, read_questions};
use eruca_eval::record::{RESULTS_FILE, Record};
use eruca_eval::reliability::ALL;
use eruca_eval::report::{REPORT_FILE, write_report};
use eruca_eval::resample::Measured;
use eruca_eval::run::Benchmark;
use eruca_eval::select::{Choice, Datasets, Task, select};
use eruca_eval::summary::{SUMMARY_FILE, Summary, summarize, write_summary};
use eruca_eval::texts::TextAnswers;
use eruca_eval::trust::{Kept, coverage, threshold};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Longest question in a comparison, in characters.
pub(super) const QUESTION_CHARS: usize = 80;
/// Maximum lengths in characters of a gold query and its error as printed; the records contain them in full.
const QUERY_CHARS: usize = 500;
const ERROR_CHARS: usize = 300;

/// Arguments of `eruca eval`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  eruca eval --questions examples/questions.jsonl --out runs/demo
  eruca eval --dataset corporate --questions ck25.yml --lang en --gold true_result_set.json --jobs 4 --out runs/ck25
  eruca eval --questions spider.jsonl --ids s4s-dev-0,s4s-dev-7 --out runs/two
  eruca eval --questions qald_10.json --lang en --out runs/qald --qald answers.json --trec answers.run
  eruca eval --questions ck25.yml --answers texts.jsonl --out runs/texts
  eruca eval --score pred_result_set.json --gold true_result_set.json --questions ck25.yml
  eruca eval --compare runs/before runs/after
  eruca eval --compare runs/a runs/b runs/c --table latex
  eruca eval --questions mine.jsonl --out runs/mine --threshold 0.95

Question files: TEXT2SPARQL YAML, QALD JSON, LC-QuAD 1.0 and 2.0 JSON, SPINACH JSON, or JSONL with
{\"id\", \"question\", \"lang\", \"sparql\", \"kg\", \"features\"} on each line; the format is recognised by the content.
Answers in words (--answers) are lines of {\"id\", \"answers\": [TEXT, ...]}: each text is linked to the graph and scored.
Verified questions that the benchmark asks (the same id or query, or nearly the same words) are left out.
A run can be stopped and started again: questions that are in --out already are not asked again.
In --out: results.jsonl (every question with its trace), summary.json, report.html (opens from disk).")]
pub struct EvalArgs {
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Dataset to ask, by id or alias [default: what the file names, or the only one]
    #[arg(long, value_name = "ID")]
    pub dataset: Option<String>,
    /// Questions to ask; with --score it only says where the order matters
    #[arg(long, value_name = "FILE", required_unless_present_any = ["score", "compare"])]
    pub questions: Option<PathBuf>,
    /// Only questions in this language
    #[arg(long, value_name = "LANG")]
    pub lang: Option<String>,
    /// Gold result sets of the official client, instead of running the gold queries
    #[arg(long, value_name = "RESULTSET")]
    pub gold: Option<PathBuf>,
    /// Score these answers in words of another system, instead of asking
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// Also write the questions with queries and answers as QALD-JSON, for GERBIL QA
    #[arg(long, value_name = "FILE")]
    pub qald: Option<PathBuf>,
    /// Also write the answers as a run file of TREC, for trec_eval
    #[arg(long, value_name = "FILE")]
    pub trec: Option<PathBuf>,
    /// Only questions with these ids
    #[arg(long, value_name = "ID,ID", value_delimiter = ',')]
    pub ids: Vec<String>,
    /// Only the first N questions
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Questions answered at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
    /// Folder of the results; continued if it has some
    #[arg(long, value_name = "DIR", required_unless_present_any = ["score", "compare"])]
    pub out: Option<PathBuf>,
    /// Use verified questions although the benchmark asks them, to show what that would make
    #[arg(long)]
    pub leak: bool,
    /// Score predicted result sets of the official client against --gold; prints its JSON
    #[arg(long, value_name = "RESULTSET", requires = "gold")]
    #[arg(conflicts_with_all = ["dataset", "ids", "limit", "jobs", "out", "lang", "answers", "qald", "trec"])]
    pub score: Option<PathBuf>,
    /// With --score: leave out questions with an empty gold set, as newer versions of the client do
    #[arg(long, requires = "score")]
    pub skip_empty_gold: bool,
    /// Compare runs: two by wins and losses, more as a table with each pair tested
    #[arg(long, num_args = 2..=20, value_name = "DIR")]
    #[arg(conflicts_with_all = ["dataset", "questions", "gold", "ids", "limit", "jobs", "out", "lang", "score"])]
    #[arg(conflicts_with_all = ["answers", "qald", "trec"])]
    pub compare: Option<Vec<PathBuf>>,
    /// With --compare: the runs as a table in this format
    #[arg(long, value_name = "FORMAT", requires = "compare", conflicts_with_all = ["questions", "score"])]
    pub table: Option<TableName>,
    /// Say from which probability on at least this share of the answers is right, like 0.95
    #[arg(long, value_name = "SHARE", value_parser = share, conflicts_with_all = ["compare", "score"])]
    pub threshold: Option<f64>,
}

fn share(text: &str) -> Result<f64, String> {
    let wrong = || format!("'{text}' is no share; write a number from 0 to 1, like 0.95");
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(wrong)
}

/// Runs a benchmark, scores result sets, or compares runs.
///
/// # Errors
/// When a file cannot be read or written, or a dataset is unknown or cannot be opened.
pub async fn run(args: EvalArgs, settings: Settings, out: &mut dyn Write) -> Result<(), CliError> {
    match (&args.compare, &args.score, &args.gold) {
        (Some(folders), _, _) => compare_runs(folders, args.table, out),
        (None, Some(predicted), Some(gold)) => {
            score(predicted, gold, args.questions.as_deref(), args.skip_empty_gold, out)
        }
        _ => benchmark(args, settings, out).await,
    }
}

async fn benchmark(args: EvalArgs, mut settings: Settings, out: &mut dyn Write) -> Result<(), CliError> {
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
    let service = startup::open_service(&settings, progress::to_stderr().as_ref()).await?;
    // Questions about a graph that could not be opened would count as wrong answers.
    if let Some(Unopened { id, reason, .. }) = service.unopened().first().cloned() {
        return Err(ServiceError::NotOpened { dataset: id, reason }.into());
    }
    let datasets = tasks.iter().map(|task| task.dataset.clone()).collect();
    let examples = eval_examples::control(&service, &datasets, &asked, leak);
    let system = BenchmarkAdapter(service);
    let run = Benchmark {
        system: &system,
        tasks: &tasks,
        gold: gold.as_ref(),
        texts: texts.as_ref(),
        jobs: jobs.get(),
        out: &folder,
    };
    let watcher = eval_progress::to_stderr();
    let records = run.run(watcher.as_ref()).await?;
    // Ends the progress bar before anything is printed.
    drop(watcher);
    let summary = Summary { examples, ..summarize(&records) };
    write_summary(&summary, &folder)?;
    write_report(&title, &summary, &records, &folder)?;
    print_gold_failures(&records, out)?;
    print_summary(&summary, out)?;
    if let Some(wanted) = wanted {
        print_threshold(&records, wanted, out)?;
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
fn keep_needed(settings: &mut Settings, tasks: &[Task]) {
    let needed: BTreeSet<&str> = tasks.iter().map(|task| task.dataset.as_str()).collect();
    settings.datasets.retain(|dataset| needed.contains(dataset.id.as_str()));
}

/// Prints gold queries that failed and count as empty: most likely the question file or the graph is at fault, not
/// an answer.
fn print_gold_failures(records: &[Record], out: &mut dyn Write) -> io::Result<()> {
    for Record { id, gold, .. } in records {
        let Some(error) = &gold.error else { continue };
        let (id, error) = (one_line(id, QUESTION_CHARS), one_line(error, ERROR_CHARS));
        writeln!(out, "gold query of question {id} failed: {error}")?;
        if let Some(query) = &gold.sparql {
            writeln!(out, "  {}", one_line(query, QUERY_CHARS))?;
        }
    }
    Ok(())
}

fn print_summary(summary: &Summary, out: &mut dyn Write) -> Result<(), CliError> {
    let official = &summary.official;
    let or_dash = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"));
    writeln!(out, "questions    {} ({} without an answer)", summary.questions, summary.failed)?;
    writeln!(out, "set_P        {:.4}", official.set_p)?;
    writeln!(out, "set_recall   {:.4}", official.set_recall)?;
    writeln!(
        out,
        "set_F        {:.4} ({:.4} where one can score: {} cannot be won)",
        official.set_f, summary.set_f_winnable, summary.unwinnable
    )?;
    if let Some(Measured { deviation, interval: [low, high], .. }) = summary.set_f_measured {
        writeln!(out, "             95 % interval {low:.3} to {high:.3}, standard deviation {deviation:.3}")?;
    }
    if let Some(combined) = summary.combined {
        writeln!(out, "set_F_ndcg   {combined:.4}")?;
    }
    writeln!(
        out,
        "row F1, EM   {}, {} over {}",
        or_dash(summary.rows.row_f1),
        or_dash(summary.rows.row_em),
        counted(summary.rows.questions as u64, "question", "questions")
    )?;
    if let Some(examples) = &summary.examples {
        writeln!(out, "examples     {}", eval_examples::told(examples))?;
    }
    if summary.gold_failed > 0 {
        writeln!(out, "gold failed  {} (counted as empty)", summary.gold_failed)?;
    }
    writeln!(out, "model calls  {:.2} a question", summary.model_calls.mean)?;
    writeln!(out, "tokens       {:.0} a question", summary.tokens.mean)?;
    if let Some(cost) = summary.cost {
        writeln!(out, "cost         {:.4} a question, {:.2} in all", cost.per_question.mean, cost.total)?;
    }
    writeln!(out, "seconds      {:.2} a question, {:.2} at most", summary.seconds.mean, summary.seconds.max)?;
    print_reliability(summary, out)
}

/// Prints where to stop trusting answers.
fn print_threshold(records: &[Record], wanted: f64, out: &mut dyn Write) -> io::Result<()> {
    let curve = coverage(records);
    match threshold(&curve, wanted) {
        Some(Kept { probability, answers, coverage, right }) => writeln!(
            out,
            "threshold    {probability:.3}: {} ({:.0} %) have it or more, {right:.3} of them right",
            counted(answers as u64, "answer", "answers"),
            coverage * 100.0
        ),
        None => writeln!(out, "threshold    none: at no probability are {wanted} of the answers right"),
    }
}

/// Prints how many answers of each confidence level are right.
fn print_reliability(summary: &Summary, out: &mut dyn Write) -> Result<(), CliError> {
    // With a single answerer, its table equals the total.
    let several = summary.reliability.len() > 2;
    for (by, table) in summary.reliability.iter().filter(|(by, _)| several || by.as_str() != ALL) {
        let answers = counted(table.answers as u64, "answer", "answers");
        writeln!(out, "confidence   {by}: {answers}, expected calibration error {:.3}", table.ece)?;
        for row in &table.levels {
            writeln!(
                out,
                "             {:<7} {:>5}  told {:.2}  right {:.2}",
                row.name, row.answers, row.probability, row.right
            )?;
        }
    }
    Ok(())
}

fn score(
    predicted: &Path,
    gold: &Path,
    questions: Option<&Path>,
    skip_empty_gold: bool,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let mut gold = ResultSets::read(gold)?;
    if let Some(questions) = questions {
        let questions = read_questions(questions)?.questions;
        let ordered = questions.into_iter().filter(EvalQuestion::order_matters);
        gold.require_order(ordered.map(|question| question.id));
    }
    let evaluation = evaluate(&gold, &ResultSets::read(predicted)?, skip_empty_gold)?;
    serde_json::to_writer_pretty(&mut *out, &evaluation.to_json()).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

//! `eruca eval`: benchmarks, published result sets, and comparisons of runs.
//!
//! Each kind of run has a module of its own; this one has the arguments, and says which is meant.

mod benchmark;
mod compare;
mod examples;
mod figures;
mod gold;
mod grounding;
mod progress;
mod several;
mod training;
mod variants;

use super::{CliError, ConfigArgs};
use crate::config::Settings;
use clap::{ArgGroup, Args};
use compare::{TableName, compare_runs, print_tables};
use eruca_eval::official::{ResultSets, evaluate};
use eruca_eval::pairs::{SparqlResults, has_sparql_results, score_pairs};
use eruca_eval::questions::{EvalQuestion, read_questions};
use eruca_language::{fallback, language};
use gold::GoldArg;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use variants::BaselineName;

/// Longest question in a comparison, in characters.
const QUESTION_CHARS: usize = 80;

/// Arguments of `eruca eval`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("tabled").args(["compare", "grounding", "tables"]).multiple(true))]
#[command(after_help = "Examples:
  eruca eval --questions examples/questions.jsonl --out runs/demo
  eruca eval --dataset corporate --questions ck25.yml --lang en --gold true_result_set.json --jobs 4 --out runs/ck25
  eruca eval --questions spider.jsonl --ids s4s-dev-0,s4s-dev-7 --out runs/two
  eruca eval --questions qald_10.json --lang en --out runs/qald --qald answers.json --trec answers.run
  eruca eval --questions qald_10.json --gold stored --out runs/published
  eruca eval --questions spinach.json --dataset wikidata --check-gold
  eruca eval --questions ck25.yml --answers texts.jsonl --out runs/texts
  eruca eval --score pred_result_set.json --gold true_result_set.json --questions ck25.yml
  eruca eval --compare runs/before runs/after
  eruca eval --compare runs/a runs/b runs/c --table latex
  eruca eval --questions mine.jsonl --out runs/mine --threshold 0.95
  eruca eval --questions mine.jsonl --out runs/worth --without helps,tools
  eruca eval --questions mine.jsonl --out runs/agent --baseline model,card,passages,agent --repeat 3
  eruca eval --tables runs/a runs/b --table markdown
  eruca eval --questions train.jsonl --out runs/train --export-training chats.jsonl --held-out test.jsonl
  eruca eval --grounding --questions ck25.yml --out runs/grounding
  eruca eval --grounding --compare runs/words runs/vectors
  eruca eval --new --count 30                        questions made from your graph; you judge the answers

Question files: TEXT2SPARQL YAML, QALD, LC-QuAD 1.0 and 2.0, SPINACH, WikiWebQuestions, RuBQ, MCWQ, KQA Pro
and Mintaka JSON, lines of SimpleQuestions-Wikidata, or JSONL (also of GRASP and Spider4SPARQL) with
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
    #[arg(long, value_name = "FILE", required_unless_present_any = ["score", "compare", "tables", "new"])]
    pub questions: Option<PathBuf>,
    /// Only questions in this language
    #[arg(long, value_name = "LANG")]
    pub lang: Option<String>,
    /// Where gold answers come from: `run` runs the gold queries, `stored` takes the answers in the question file, a file has result
    /// sets of the official client [default: run]
    #[arg(long, value_name = "run|stored|FILE")]
    pub gold: Option<GoldArg>,
    /// Ask nothing: say of each question what its gold query gives, and why some give nothing
    #[arg(long, requires = "questions")]
    #[arg(conflicts_with_all = ["score", "compare", "gold", "answers", "qald", "trec", "threshold", "leak"])]
    pub check_gold: bool,
    /// Score these answers in words of another system, instead of asking
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// Also score with labels counting for the things whose labels they are, beside the strict scores
    #[arg(long, conflicts_with_all = ["score", "compare"])]
    pub names: bool,
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
    #[arg(long, value_name = "DIR", required_unless_present_any = ["score", "compare", "tables", "check_gold", "new"])]
    pub out: Option<PathBuf>,
    /// Use verified questions although the benchmark asks them, to show what that would make
    #[arg(long)]
    pub leak: bool,
    /// Also run without each of these, and compare: switches of [helps], tools, or all of a kind (helps, tools)
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    pub without: Vec<String>,
    /// Ask the same model in other ways, and compare
    #[arg(long, value_name = "WAY,WAY", value_delimiter = ',')]
    pub baseline: Vec<BaselineName>,
    /// Ask every question N times, and say how far the answers agree
    #[arg(long, value_name = "N", default_value = "1")]
    pub repeat: NonZeroUsize,
    /// Also write the conversations of good runs as training data
    #[arg(long, value_name = "FILE", conflicts_with_all = ["leak", "answers", "without", "baseline"])]
    pub export_training: Option<PathBuf>,
    /// With --export-training: the least set_F of a good run
    #[arg(long, value_name = "SCORE", default_value = "1", value_parser = share, requires = "export_training")]
    pub training_score: f64,
    /// With --export-training: files of questions that measure, and must not be learned
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "export_training")]
    pub held_out: Vec<PathBuf>,
    /// The tables of papers for these runs: scores by group, effort, tools, turns, ends, mistakes
    #[arg(long, num_args = 1..=20, value_name = "DIR", conflicts_with_all = ["compare", "score", "questions", "out"])]
    pub tables: Option<Vec<PathBuf>>,
    /// Score predicted result sets of the official client against --gold and print its JSON; or SPARQL results, by all metrics
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
    /// With --compare, --tables or --grounding: tables in this format
    #[arg(long, value_name = "FORMAT", requires = "tabled", conflicts_with = "score")]
    pub table: Option<TableName>,
    /// With --compare and --tables: also write the runs as a page, with plots
    #[arg(long, value_name = "FILE", conflicts_with_all = ["questions", "score"])]
    pub page: Option<PathBuf>,
    /// Say from which probability on at least this share of the answers is right, like 0.95
    #[arg(long, value_name = "SHARE", value_parser = share, conflicts_with_all = ["compare", "score"])]
    pub threshold: Option<f64>,
    /// Look for the terms of the gold queries by the words of the questions, and answer nothing: recall at k, and where terms are lost
    #[arg(long)]
    #[arg(conflicts_with_all = ["gold", "answers", "qald", "trec", "leak", "score", "threshold"])]
    pub grounding: bool,
    /// With --grounding: the numbers of first hits
    #[arg(long, value_name = "K,K", value_delimiter = ',', value_parser = grounding::cut, default_value = "1,5,10,20")]
    #[arg(requires = "grounding")]
    pub k: Vec<usize>,
    /// Make questions from the graph, and judge the answers: y, n, or c for a correction; kept beside the configuration
    #[arg(long, conflicts_with_all = ["questions", "gold", "answers", "qald", "trec", "ids", "limit", "jobs", "out"])]
    #[arg(conflicts_with_all = ["leak", "score", "compare", "threshold", "tables", "grounding", "without", "baseline"])]
    #[arg(conflicts_with_all = ["export_training", "check_gold", "names"])]
    pub new: bool,
    /// With --new: how many questions there shall be, with those judged before [default: 30]
    #[arg(long, value_name = "N", requires = "new")]
    pub count: Option<NonZeroUsize>,
    /// With --new: another number makes other questions
    #[arg(long, value_name = "N", requires = "new")]
    pub seed: Option<u64>,
    /// With --new: who judges [default: the name of the account]
    #[arg(long, value_name = "NAME", requires = "new")]
    pub by: Option<String>,
    /// With --new: show the query of each answer, too
    #[arg(short, long, requires = "new")]
    pub verbose: bool,
}

pub(super) fn share(text: &str) -> Result<f64, String> {
    let wrong = || format!("'{text}' is no share; write a number from 0 to 1, like 0.95");
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(wrong)
}

/// Runs a benchmark, scores result sets, or compares runs.
///
/// # Errors
/// When a file cannot be read or written, or a dataset is unknown or cannot be opened.
pub async fn run(args: EvalArgs, settings: Settings, out: &mut dyn Write) -> Result<(), CliError> {
    if let Some(folders) = &args.tables {
        return print_tables(folders, args.table, args.page.as_deref(), out);
    }
    if args.grounding {
        return grounding::run(args, settings, out).await;
    }
    if args.new {
        return super::test_set::judge(args, settings, out).await;
    }
    match (&args.compare, &args.score, &args.gold) {
        (Some(folders), _, _) => compare_runs(folders, args.table, args.page.as_deref(), out),
        (None, Some(predicted), Some(gold)) if has_sparql_results(predicted) => {
            score_results(predicted, gold.file().ok_or(NO_SETS)?, &args, out)
        }
        (None, Some(predicted), Some(gold)) => {
            let gold = gold.file().ok_or(NO_SETS)?;
            score(predicted, gold, args.questions.as_deref(), args.skip_empty_gold, out)
        }
        _ if args.check_gold => gold::check(args, settings, out).await,
        _ => benchmark::run(args, settings, out).await,
    }
}

/// The error for a source of gold that `--score` cannot use.
const NO_SETS: CliError = CliError::Arguments(
    "--score asks no dataset; name a file of result sets of the official client with --gold",
);

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

/// Scores SPARQL results by all metrics, as JSON.
fn score_results(
    predicted: &Path,
    gold: &Path,
    args: &EvalArgs,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let questions = args.questions.as_deref().map(read_questions).transpose()?;
    let questions = questions.map(|file| file.questions).unwrap_or_default();
    let language = questions.iter().find_map(|question| language(question.lang.as_deref()?));
    let ordered = questions.iter().filter(|question| question.order_matters());
    let ordered = ordered.map(|question| question.id.clone()).collect();
    let (gold, predicted) = (SparqlResults::read(gold)?, SparqlResults::read(predicted)?);
    let scores = score_pairs(&gold, &predicted, &ordered, language.unwrap_or_else(fallback))?;
    serde_json::to_writer_pretty(&mut *out, &scores).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

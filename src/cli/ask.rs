//! `eruca ask`: questions, answered here: one, a conversation, or those of standard input.

use super::each_line::{self, Form};
use super::insight::{alternatives, doubts};
use super::steps::StepPrinter;
use super::text::safe_lines;
use super::trust::is_trusted;
use super::{CliError, ConfigArgs, Ending, ids, progress, table, talk, unknown_dataset};
use crate::config::{DatasetSettings, Settings};
use crate::http::dto::{AnswerDto, ResultsDto};
use crate::service::{Answered, Question};
use crate::startup;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use std::collections::BTreeMap;
use std::io::Write;

/// In the place of a question: they come from standard input.
const STANDARD_INPUT: &str = "-";

/// Arguments of `eruca ask`.
#[derive(Debug, Args)]
#[command(override_usage = "eruca ask [OPTIONS] <QUESTION>
       eruca ask [OPTIONS] -
       eruca ask [OPTIONS] --interactive [DATASET]")]
#[command(after_help = "Examples:
  eruca ask \"What is the capital of France?\"
  eruca ask --show-results \"Which rivers flow through Germany?\"
  eruca ask --json --dataset demo \"How many countries are there?\" | jq .query
  eruca ask -i                                       a conversation; :help lists its commands
  eruca ask --json - < questions.txt                 a question per line, an object per line

The query goes to stdout, the steps go to stderr. In a conversation, and for questions from standard
input, the answer comes in words. Warnings alone are logged, unless RUST_LOG is set.

Exit codes: 0 answered, 1 an error, or a question without an answer, 2 wrong arguments, 3 answered,
but no answer deserves trust: a guess, a name that the graph does not know, or a query that did not run.")]
pub struct AskArgs {
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Dataset to ask, by id or alias [default: the only one]
    #[arg(long, value_name = "ID")]
    pub dataset: Option<String>,
    /// Print one JSON document, as /text2sparql?trace=true sends it; for questions from standard input one
    /// object per line: the run, as /ask sends it, and whether it deserves trust
    #[arg(long, conflicts_with_all = ["show_results", "interactive"])]
    pub json: bool,
    /// Print the query's results after the query
    #[arg(long, conflicts_with = "interactive")]
    pub show_results: bool,
    /// Talk: questions may follow from those before
    #[arg(short, long, conflicts_with = "stdin")]
    pub interactive: bool,
    /// Answer each line of standard input, as `-` does
    #[arg(long)]
    pub stdin: bool,
    /// The question in plain language; `-` for those of standard input
    #[arg(value_name = "QUESTION", value_parser = NonEmptyStringValueParser::new())]
    #[arg(required_unless_present_any = ["interactive", "stdin"])]
    pub question: Option<String>,
}

/// What is to be answered.
enum Asked {
    One(String),
    Lines,
    Conversation,
}

/// Answers one question or several.
///
/// # Errors
/// When the dataset is unknown or cannot be opened, or a question cannot be answered.
pub async fn run(args: AskArgs, settings: Settings, out: &mut dyn Write) -> Result<Ending, CliError> {
    let AskArgs { config: _, dataset, json, show_results, interactive, stdin, question } = args;
    let (dataset, asked) = match (question, interactive, stdin) {
        (Some(named), true, _) if dataset.is_none() => (Some(named), Asked::Conversation),
        (None, true, _) => (dataset, Asked::Conversation),
        (Some(_), true, _) => return Err(CliError::Arguments("name the dataset of a conversation once")),
        (None, false, _) => (dataset, Asked::Lines),
        (Some(question), false, false) if question == STANDARD_INPUT => (dataset, Asked::Lines),
        (Some(question), false, false) => (dataset, Asked::One(question)),
        (Some(_), false, true) => {
            return Err(CliError::Arguments("a question and --stdin do not go together"));
        }
    };
    let chosen = choose(&settings, dataset.as_deref())?.id.clone();
    match asked {
        Asked::Conversation => talk::run(&settings, &chosen, out).await.map(|()| Ending::Done),
        Asked::Lines => {
            let progress = progress::to_stderr();
            let service = startup::open_dataset_service(&settings, &chosen, progress.as_ref()).await?;
            let form = match (json, show_results) {
                (true, _) => Form::Json,
                (false, true) => Form::Results,
                (false, false) => Form::Text,
            };
            each_line::run(&service, &chosen, form, out).await
        }
        Asked::One(text) => {
            let question = Question { dataset: dataset.unwrap_or_else(|| chosen.clone()), text };
            one(&settings, &chosen, question, (json, show_results), out).await
        }
    }
}

async fn one(
    settings: &Settings,
    dataset: &str,
    question: Question,
    (json, show_results): (bool, bool),
    out: &mut dyn Write,
) -> Result<Ending, CliError> {
    let progress = progress::to_stderr();
    let service = startup::open_dataset_service(settings, dataset, progress.as_ref()).await?;
    let steps = StepPrinter::to_stderr();
    let answered = service.answer(&question, &steps).await?;
    steps.finish(&answered.trace, !show_results);
    let trusted = is_trusted(&answered.trace, answered.results.as_ref());
    match json {
        true => write_json(question, answered, out)?,
        false => {
            let names = if show_results { service.names(&answered).await } else { BTreeMap::new() };
            write_query(&answered, show_results, &names, out)?;
        }
    }
    Ok(if trusted { Ending::Done } else { Ending::NothingToTrust })
}

fn choose<'a>(settings: &'a Settings, asked: Option<&str>) -> Result<&'a DatasetSettings, CliError> {
    match (asked, settings.datasets.as_slice()) {
        (Some(asked), _) => settings.dataset(asked).ok_or_else(|| unknown_dataset(settings, asked)),
        (None, [only]) => Ok(only),
        (None, _) => Err(CliError::WhichDataset { known: ids(settings) }),
    }
}

fn write_json(question: Question, answered: Answered, out: &mut dyn Write) -> Result<(), CliError> {
    let answer = AnswerDto::new(question, answered, true);
    serde_json::to_writer_pretty(&mut *out, &answer).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

fn write_query(
    answered: &Answered,
    show_results: bool,
    names: &BTreeMap<String, String>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    // A model's query may hold anything; what a terminal would obey is left out.
    writeln!(out, "{}", safe_lines(answered.query.trim_end()))?;
    if show_results {
        let results = match &answered.results {
            Some(answer) => table::render(&ResultsDto::from(answer), names),
            None => "(the query was not run while answering)\n".to_owned(),
        };
        write!(out, "\n{results}")?;
        write_insight(answered, out)?;
    }
    Ok(())
}

/// How far the answer is to be believed, what was not understood, and what else may have been meant.
fn write_insight(answered: &Answered, out: &mut dyn Write) -> Result<(), CliError> {
    let Some(insight) = &answered.trace.insight else { return Ok(()) };
    writeln!(out)?;
    for line in doubts(insight) {
        writeln!(out, "{line}")?;
    }
    let others = alternatives(insight);
    if !others.is_empty() {
        writeln!(out, "other readings:")?;
    }
    for line in others {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

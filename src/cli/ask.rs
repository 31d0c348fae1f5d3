//! `eruca ask`: one question, answered here.

use super::insight::{alternatives, doubts};
use super::steps::StepPrinter;
use super::{CliError, ConfigArgs, ids, progress, table, unknown_dataset};
use crate::config::{DatasetSettings, Settings};
use crate::http::dto::{AnswerDto, ResultsDto};
use crate::lines::steers;
use crate::service::{Answered, Question};
use crate::startup;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use std::collections::BTreeMap;
use std::io::Write;

/// Arguments of `eruca ask`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  eruca ask \"What is the capital of France?\"
  eruca ask --show-results \"Which rivers flow through Germany?\"
  eruca ask --json --dataset demo \"How many countries are there?\" | jq .query

The query goes to stdout, the steps go to stderr. Warnings alone are logged, unless RUST_LOG is set.")]
pub struct AskArgs {
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Dataset to ask, by id or alias [default: the only one]
    #[arg(long, value_name = "ID")]
    pub dataset: Option<String>,
    /// Print one JSON document, as /text2sparql?trace=true sends it
    #[arg(long, conflicts_with = "show_results")]
    pub json: bool,
    /// Print the query's results after the query
    #[arg(long)]
    pub show_results: bool,
    /// The question in plain language
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub question: String,
}

/// Answers one question.
///
/// # Errors
/// When the dataset is unknown or cannot be opened, or the question cannot be answered.
pub async fn run(args: AskArgs, settings: Settings, out: &mut dyn Write) -> Result<(), CliError> {
    let AskArgs { config: _, dataset, json, show_results, question } = args;
    let chosen = choose(&settings, dataset.as_deref())?;
    let question = Question { dataset: dataset.unwrap_or_else(|| chosen.id.clone()), text: question };
    let service =
        startup::open_dataset_service(&settings, &chosen.id, progress::to_stderr().as_ref()).await?;
    let steps = StepPrinter::to_stderr();
    let answered = service.answer(&question, &steps).await?;
    steps.finish(&answered.trace);
    match json {
        true => write_json(question, answered, out),
        false => {
            let names = if show_results { service.names(&answered).await } else { BTreeMap::new() };
            write_query(&answered, show_results, &names, out)
        }
    }
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
    let shown: String =
        answered.query.trim_end().chars().filter(|c| !steers(*c) || matches!(c, '\n' | '\t')).collect();
    writeln!(out, "{shown}")?;
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

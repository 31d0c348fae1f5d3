//! `eruca examples`: verified questions, added, imported, listed, removed and tested from the command line.
//!
//! Every question is checked and run against its dataset before it is written into a file. Uses start-up for the dataset, the files
//! of `eruca-knowledge`, and the readers of question files of `eruca-eval`.

mod add;
mod import;
mod test;

use super::graph::configured_or_only;
use super::text::{counted, one_line};
use super::{CliError, ConfigArgs, progress};
use crate::config::Settings;
use crate::startup;
use clap::{Args, Subcommand};
use eruca_dataset::Dataset;
use eruca_knowledge::questions::{
    EditError, Outcome, QueryFileError, Questions, VerifiedQuestion, outcome, read_questions, remove,
};
use eruca_sparql::Prefixes;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use time::OffsetDateTime;

/// Longest question, reason and name in a line, in characters.
const QUESTION_CHARS: usize = 200;
const REASON_CHARS: usize = 300;
const NAME_CHARS: usize = 60;
/// Variables with the name of the account, where `--by` is not given.
const ACCOUNT: [&str; 3] = ["USER", "LOGNAME", "USERNAME"];

/// Arguments of `eruca examples`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  eruca examples add \"Who leads Sales?\" --query leads.rq --by Ada
  eruca examples add \"Who leads Sales?\" --query leads.rq --parameter \"Sales=ex:Sales\"
  eruca examples add \"Who leads Sales?\" --query leads.rq --name leader --view table --refresh 1h
  eruca examples import ck25.yml questions.jsonl queries/
  eruca examples list
  eruca examples remove \"Who leads Sales?\"
  eruca examples test                                run all; what has changed is set aside

A verified question is answered by its query at once; near ones are shown to the model. They are kept in
knowledge/DATASET/questions/*.toml beside the configuration, made for version control.")]
pub struct ExamplesArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: ExamplesCommand,
}

/// What to do with verified questions.
#[derive(Debug, Subcommand)]
pub enum ExamplesCommand {
    /// Check and run a question with its query, and add it
    Add(add::AddArgs),
    /// Add the questions of files: YAML of the TEXT2SPARQL challenge, QALD, JSONL, .rq and .sparql
    Import(import::ImportArgs),
    /// List all, with who has verified them and what they gave
    List(Which),
    /// Remove a question
    Remove(RemoveArgs),
    /// Run all, and set aside what does not run or gives another result
    Test(test::TestArgs),
}

/// Whose questions.
#[derive(Debug, Args)]
pub struct Which {
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Dataset, by id or alias [default: the only one]
    #[arg(long, value_name = "ID")]
    pub dataset: Option<String>,
}

/// Who has verified questions.
#[derive(Debug, Args)]
pub struct By {
    /// Who has checked the query [default: the name of the account]
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
}

/// Arguments of `eruca examples remove`.
#[derive(Debug, Args)]
pub struct RemoveArgs {
    /// Whose questions.
    #[command(flatten)]
    pub which: Which,
    /// The question; case, accents and punctuation do not matter
    pub question: String,
}

/// Why a command on verified questions failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExamplesError {
    /// The dataset has no folder for them.
    #[error(
        "dataset '{dataset}' has no folder for verified questions; write it into a configuration (`eruca init`) first"
    )]
    NoFolder {
        /// The dataset's id.
        dataset: String,
    },
    /// Nobody is named.
    #[error("nobody is named who has checked the query; --by NAME does")]
    NoName,
    /// A question cannot be added.
    #[error("the question '{question}' is not added: {reason}")]
    Rejected {
        /// The question.
        question: String,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// There is no such question.
    #[error("there is no verified question '{question}'; `eruca examples list` shows all")]
    Unknown {
        /// The question.
        question: String,
    },
    /// Some questions of files were not added.
    #[error(
        "{failed} of {all} questions were not imported; the lines that begin with 'not imported' say why"
    )]
    NotImported {
        /// Questions that were not added.
        failed: usize,
        /// Questions of the files.
        all: usize,
    },
    /// Some questions do not give what they gave.
    #[error(
        "{aside} of {all} verified questions are set aside, and {errors} errors are in their files; the lines above say why. Correct them, or take the new results: eruca examples test --accept"
    )]
    Aside {
        /// Questions that are set aside.
        aside: usize,
        /// All of them.
        all: usize,
        /// Errors in the files.
        errors: usize,
    },
    /// A file with a query cannot be used.
    #[error(transparent)]
    QueryFile(#[from] QueryFileError),
    /// A file of questions cannot be changed.
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl ExamplesArgs {
    /// Where settings come from.
    #[must_use]
    pub fn config(&self) -> &ConfigArgs {
        let which = match &self.command {
            ExamplesCommand::Add(args) => &args.which,
            ExamplesCommand::Import(args) => &args.which,
            ExamplesCommand::List(which) => which,
            ExamplesCommand::Remove(args) => &args.which,
            ExamplesCommand::Test(args) => &args.which,
        };
        &which.config
    }
}

/// Does what is asked with the verified questions of a dataset.
///
/// # Errors
/// When the dataset or a file cannot be used, or questions are not as they should be.
pub async fn run(args: ExamplesArgs, settings: Settings, out: &mut dyn Write) -> Result<(), CliError> {
    match args.command {
        ExamplesCommand::Add(args) => add::run(args, &settings, out).await,
        ExamplesCommand::Import(args) => import::run(args, &settings, out).await,
        ExamplesCommand::List(which) => list(&which, &settings, out),
        ExamplesCommand::Remove(args) => remove_one(&args, &settings, out),
        ExamplesCommand::Test(args) => test::run(args, &settings, out).await,
    }
}

/// The id of the dataset and the folder of its questions.
fn folder(which: &Which, settings: &Settings) -> Result<(String, PathBuf), CliError> {
    let id = configured_or_only(settings, which.dataset.as_deref())?;
    let dataset = settings.dataset(&id);
    let folder = dataset.and_then(startup::questions_folder);
    Ok((id.clone(), folder.ok_or(ExamplesError::NoFolder { dataset: id })?))
}

/// The opened dataset.
async fn opened(id: &str, settings: &Settings) -> Result<Arc<Dataset>, CliError> {
    let service = startup::open_dataset_service(settings, id, progress::to_stderr().as_ref()).await?;
    service.dataset(id).ok_or_else(|| super::unknown_dataset(settings, id))
}

fn list(which: &Which, settings: &Settings, out: &mut dyn Write) -> Result<(), CliError> {
    let (_, folder) = folder(which, settings)?;
    let (questions, problems) = read_questions(&folder);
    for entry in questions.entries() {
        let VerifiedQuestion { question, name, by, at, outcome, aside, .. } = &entry.question;
        let rows = outcome.as_ref().map(|known| counted(known.rows as u64, "row", "rows"));
        let aside = aside.as_ref().map(|reason| format!("set aside: {}", one_line(reason, REASON_CHARS)));
        let file = entry.file.file_name().map(|name| name.to_string_lossy().into_owned());
        let by = Some(format!("{}, {at}", one_line(by, NAME_CHARS)));
        let page = name.as_ref().map(|name| format!("/q/{name}"));
        let details: Vec<String> = [by, rows, page, file, aside].into_iter().flatten().collect();
        writeln!(out, "{}\t{}", one_line(question, QUESTION_CHARS), details.join("\t"))?;
    }
    for problem in &problems {
        writeln!(out, "error: {}", one_line(&problem.to_string(), REASON_CHARS))?;
    }
    if questions.is_empty() && problems.is_empty() {
        writeln!(
            out,
            "no question is verified yet; `eruca examples add` adds one to '{}'",
            folder.display()
        )?;
    }
    Ok(())
}

fn remove_one(args: &RemoveArgs, settings: &Settings, out: &mut dyn Write) -> Result<(), CliError> {
    let (_, folder) = folder(&args.which, settings)?;
    let (questions, _) = read_questions(&folder);
    let entry = questions.find(&args.question);
    let entry = entry.ok_or_else(|| ExamplesError::Unknown { question: args.question.clone() })?;
    remove(entry).map_err(ExamplesError::from)?;
    writeln!(out, "removed from {}", entry.file.display())?;
    Ok(())
}

/// The name of the account.
pub(super) fn account() -> Option<String> {
    ACCOUNT.iter().find_map(|name| std::env::var(name).ok())
}

/// The name of who has checked queries.
fn author(by: &By) -> Result<String, ExamplesError> {
    let name = by.by.clone().or_else(account).filter(|name| !name.trim().is_empty());
    name.ok_or(ExamplesError::NoName)
}

/// Today's date.
pub(super) fn today() -> String {
    let date = OffsetDateTime::now_utc().date();
    format!("{:04}-{:02}-{:02}", date.year(), u8::from(date.month()), date.day())
}

/// A question that is new, whose query runs, with what it gave, and the names in it that others may replace.
///
/// # Errors
/// What is wrong and what to do, as a part of a sentence.
async fn verified(
    dataset: &Dataset,
    known: &Questions,
    mut question: VerifiedQuestion,
) -> Result<VerifiedQuestion, String> {
    question.check()?;
    if let Some(entry) = known.find(&question.question) {
        return Err(format!("it is in {} already; remove it there first", entry.file.display()));
    }
    if let Some(other) = question.name.as_deref().and_then(|name| known.named(name)) {
        let other = one_line(&other.question, QUESTION_CHARS);
        return Err(format!("the question '{other}' has the same name; choose another --name"));
    }
    let checked = dataset.check(&question.query).map_err(|error| error.to_string())?;
    if question.parameters.is_empty() {
        question.parameters = dataset.parameters_of(&question.question, &checked);
    }
    for parameter in &question.parameters {
        let term = dataset
            .term(&parameter.value)
            .ok_or_else(|| format!("'{}' is neither an IRI nor a literal in quotes", parameter.value))?;
        if checked.with_terms(&[(term.clone(), term)], &Prefixes::default()).is_none() {
            return Err(format!(
                "'{}' is not in the query, so that nothing can take its place",
                parameter.value
            ));
        }
    }
    let outcome = Some(run_query(dataset, &question.query).await?);
    Ok(VerifiedQuestion { outcome, ..question })
}

/// What a query gives now; nothing of it comes from a cache.
async fn run_query(dataset: &Dataset, query: &str) -> Result<Outcome, String> {
    let checked = dataset.check(query).map_err(|error| error.to_string())?;
    let answer = dataset.endpoint.query(&checked, dataset.rules.limits).await;
    answer.map(|answer| outcome(&answer)).map_err(|error| error.to_string())
}

/// What a question gave, for people.
fn rows_of(question: &VerifiedQuestion) -> String {
    let rows = question.outcome.as_ref().map_or(0, |known| known.rows);
    match rows {
        0 => "0 rows; is that the answer?".to_owned(),
        rows => counted(rows as u64, "row", "rows"),
    }
}

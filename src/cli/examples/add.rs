//! `eruca examples add`: one question with its query.

use super::{By, ExamplesError, Which, author, folder, opened, rows_of, today, verified};
use crate::cli::CliError;
use crate::cli::files::STANDARD_INPUT;
use crate::config::Settings;
use clap::Args;
use eruca_knowledge::questions::{
    MAX_QUERY_BYTES, Parameter, QueryFileError, VerifiedQuestion, add, is_slug, parse_duration,
    read_questions,
};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file for questions that were added one by one.
const FILE: &str = "questions.toml";

/// Arguments of `eruca examples add`.
#[derive(Debug, Args)]
pub struct AddArgs {
    /// Whose questions.
    #[command(flatten)]
    pub which: Which,
    /// Who has verified them.
    #[command(flatten)]
    pub by: By,
    /// The question
    pub question: String,
    /// File with the query; - for standard input
    #[arg(long, value_name = "FILE", required_unless_present = "sparql")]
    pub query: Option<PathBuf>,
    /// The query itself
    #[arg(long, value_name = "TEXT", conflicts_with = "query")]
    pub sparql: Option<String>,
    /// Language of the question, as a tag like en
    #[arg(long, value_name = "LANG")]
    pub lang: Option<String>,
    /// What else there is to say
    #[arg(long, value_name = "TEXT")]
    pub comment: Option<String>,
    /// A name in the question that others may replace, and the IRI or literal that stands for it in the query; with
    /// ` as KEY`, its name in the address of the page
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    pub parameter: Vec<Parameter>,
    /// How it is shown as a page of its own
    #[command(flatten)]
    pub page: PageArgs,
}

/// How a question is shown as a page of its own.
#[derive(Debug, Args)]
pub struct PageArgs {
    /// A short name, under which the question is a page of its own at /q/NAME
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The view in which the page shows it, like table, bars, time or map
    #[arg(long, value_name = "VIEW", requires = "name")]
    pub view: Option<String>,
    /// How long the page shows a result before the query is run again, like 10m or 1h
    #[arg(long, value_name = "TIME", requires = "name", value_parser = parse_duration)]
    pub refresh: Option<Duration>,
    /// Show an older result while the query is run again
    #[arg(long, requires = "name")]
    pub stale: bool,
}

fn parameter(text: &str) -> Result<Parameter, &'static str> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, like \"Sales=ex:Sales\"")?;
    let named = value.rsplit_once(" as ").filter(|(_, alias)| is_slug(alias.trim()));
    let (value, alias) = named.map_or((value, None), |(value, alias)| (value, Some(alias.trim().to_owned())));
    Ok(Parameter { name: name.trim().to_owned(), value: value.trim().to_owned(), alias })
}

pub(super) async fn run(args: AddArgs, settings: &Settings, out: &mut dyn Write) -> Result<(), CliError> {
    let AddArgs { which, by, question, query, sparql, lang, comment, parameter, page } = args;
    let PageArgs { name, view, refresh, stale } = page;
    let (id, folder) = folder(&which, settings)?;
    let query = match (sparql, query) {
        (Some(text), _) => text,
        (None, Some(file)) => read(&file)?,
        (None, None) => String::new(),
    };
    let new = VerifiedQuestion {
        question: question.trim().to_owned(),
        name,
        view,
        refresh,
        stale,
        lang: lang.map(|tag| tag.to_lowercase()),
        query: query.trim().to_owned(),
        by: author(&by)?,
        at: today(),
        comment,
        parameters: parameter,
        ..VerifiedQuestion::default()
    };
    let dataset = opened(&id, settings).await?;
    let (known, _) = read_questions(&folder);
    let new = verified(&dataset, &known, new).await;
    let new = new.map_err(|reason| ExamplesError::Rejected { question: question.clone(), reason })?;
    let file = add(&folder, FILE, std::slice::from_ref(&new)).map_err(ExamplesError::from)?;
    writeln!(out, "added to {}: {}", file.display(), rows_of(&new))?;
    Ok(())
}

/// The text of a file or of standard input, as far as a query may be long; a longer one is refused later.
fn read(file: &Path) -> Result<String, ExamplesError> {
    let limit = MAX_QUERY_BYTES as u64 + 1;
    let mut text = Vec::new();
    let read = match file.as_os_str() == STANDARD_INPUT {
        true => io::stdin().lock().take(limit).read_to_end(&mut text),
        false => File::open(file).and_then(|file| file.take(limit).read_to_end(&mut text)),
    };
    let unreadable = |source| QueryFileError::Unreadable { file: file.to_owned(), source };
    read.map_err(unreadable)?;
    String::from_utf8(text).map_err(io::Error::other).map_err(|source| unreadable(source).into())
}

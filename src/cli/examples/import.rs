//! `eruca examples import`: the questions of files.

use super::{
    By, ExamplesError, QUESTION_CHARS, REASON_CHARS, Which, author, folder, opened, today, verified,
};
use crate::cli::CliError;
use crate::cli::text::one_line;
use crate::config::Settings;
use clap::Args;
use eruca_eval::questions::read_questions as read_benchmark;
use eruca_knowledge::questions::{
    Entry, Questions, VerifiedQuestion, add, question_key, read_query_file, read_questions,
};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Endings of files with one query each.
const QUERY_FILES: [&str; 2] = ["rq", "sparql"];
/// Files of a folder that are read.
const MAX_FILES: usize = 10_000;

/// Arguments of `eruca examples import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Whose questions.
    #[command(flatten)]
    pub which: Which,
    /// Who has verified them.
    #[command(flatten)]
    pub by: By,
    /// Only questions in this language; of files that tell no language, their language
    #[arg(long, value_name = "LANG")]
    pub lang: Option<String>,
    /// Files of questions, .rq and .sparql files with the question in a comment above the query, and folders of these
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}

/// Counts of one import.
#[derive(Default)]
struct Counts {
    all: usize,
    failed: usize,
    known: usize,
}

pub(super) async fn run(args: ImportArgs, settings: &Settings, out: &mut dyn Write) -> Result<(), CliError> {
    let ImportArgs { which, by, lang, files } = args;
    let (id, folder) = folder(&which, settings)?;
    let like = VerifiedQuestion {
        by: author(&by)?,
        at: today(),
        lang: lang.map(|tag| tag.to_lowercase()),
        ..VerifiedQuestion::default()
    };
    let dataset = opened(&id, settings).await?;
    let mut counts = Counts::default();
    for path in &files {
        let (known, _) = read_questions(&folder);
        let mut seen = keys(&known);
        let mut new = Vec::new();
        for question in read(path, &like)? {
            counts.all += 1;
            if !seen.insert(question_key(&question.question)) {
                counts.known += 1;
                continue;
            }
            let name = one_line(&question.question, QUESTION_CHARS);
            match verified(&dataset, &known, question).await {
                Ok(question) => new.push(question),
                Err(reason) => {
                    counts.failed += 1;
                    writeln!(out, "not imported: {name}: {}", one_line(&reason, REASON_CHARS))?;
                }
            }
        }
        if !new.is_empty() {
            let file = add(&folder, &file_name(path), &new).map_err(ExamplesError::from)?;
            writeln!(out, "added to {}: {}", file.display(), new.len())?;
        }
    }
    let Counts { all, failed, known } = counts;
    writeln!(out, "{} of {all} questions were added; {known} were there already", all - failed - known)?;
    if failed > 0 { Err(ExamplesError::NotImported { failed, all }.into()) } else { Ok(()) }
}

fn keys(known: &Questions) -> BTreeSet<String> {
    known.entries().iter().map(|Entry { question, .. }| question_key(&question.question)).collect()
}

/// The questions of a file or folder that have a query, in the wanted language.
fn read(path: &Path, like: &VerifiedQuestion) -> Result<Vec<VerifiedQuestion>, CliError> {
    if path.is_dir() {
        let failed = |reason| CliError::Folder { folder: path.to_owned(), reason };
        let listed = std::fs::read_dir(path).map_err(failed)?;
        let mut files: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| is_query_file(file));
        files.sort_unstable();
        files.truncate(MAX_FILES);
        let read = files.iter().map(|file| of_query_file(file, like));
        return read.collect();
    }
    if is_query_file(path) {
        return Ok(vec![of_query_file(path, like)?]);
    }
    let wanted = |lang: Option<&String>| match (&like.lang, lang) {
        (Some(wanted), Some(lang)) => wanted.eq_ignore_ascii_case(lang),
        _ => true,
    };
    let questions = read_benchmark(path)?.questions.into_iter();
    let questions = questions.filter(|question| wanted(question.lang.as_ref())).filter_map(|question| {
        Some(VerifiedQuestion {
            id: Some(question.id),
            question: question.text.trim().to_owned(),
            lang: question.lang.or_else(|| like.lang.clone()).map(|tag| tag.to_lowercase()),
            query: question.sparql?.trim().to_owned(),
            ..like.clone()
        })
    });
    Ok(questions.collect())
}

fn is_query_file(file: &Path) -> bool {
    file.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| QUERY_FILES.contains(&ending))
}

fn of_query_file(file: &Path, like: &VerifiedQuestion) -> Result<VerifiedQuestion, CliError> {
    let (question, query) = read_query_file(file).map_err(ExamplesError::from)?;
    Ok(VerifiedQuestion { question, query, ..like.clone() })
}

/// The name of the file for what was imported from another.
fn file_name(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let name: String = stem.chars().map(plain).take(60).collect();
    let name = name.trim_matches('-');
    format!("{}.toml", if name.is_empty() { "imported" } else { name })
}

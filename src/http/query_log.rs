//! The query log: a line of JSON for each question, and for each query that was run for a page of a verified one, one file per day. `eruca eval` accepts its lines as questions.

use super::failing::Failing;
use crate::config::LogSettings;
use crate::lines::JsonLines;
use crate::own_folder::{self, Kind, Proof};
use crate::service::{Outcome, Question, ServiceError};
use crate::trace::AnsweredBy;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tracing_appender::rolling::{Builder, RollingFileAppender, Rotation};

/// Files are named `questions.2026-01-31.jsonl`.
const PREFIX: &str = "questions";
const SUFFIX: &str = "jsonl";
/// The folder of the query log; several services may share one.
const KIND: Kind = Kind { marker: ".eruca-questions", proves: proof };
/// Maximum length of a line that is read.
const MAX_LINE: u64 = 1 << 20;
/// Maximum size of what is read of a file.
const MAX_READ: u64 = 64 << 20;

/// Why the query log cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("the query log cannot be written in '{}': {reason}; check [log] questions_folder", folder.display())]
pub struct QueryLogError {
    folder: PathBuf,
    reason: String,
}

/// Writes the query log.
pub struct QueryLog {
    file: Mutex<RollingFileAppender>,
    failing: Failing,
}

/// A question as received.
#[derive(Clone, Copy)]
pub(super) struct AskedQuestion<'a> {
    /// The id of the request.
    pub(super) id: &'a str,
    /// The name of the key sent with it.
    pub(super) key: Option<&'a str>,
    /// The role of its client.
    pub(super) role: Option<&'a str>,
    /// Who a proxy says that its client is.
    pub(super) user: Option<&'a str>,
    /// The question.
    pub(super) question: &'a Question,
}

/// A query that was run for a page of a verified question.
#[derive(Debug, Clone, Copy)]
pub(super) struct RanBoard<'a> {
    /// The name of the question.
    pub(super) name: &'a str,
    /// The dataset's id.
    pub(super) dataset: &'a str,
    /// The query with the names that were chosen.
    pub(super) query: &'a str,
    /// The number of rows, or why there are none.
    pub(super) outcome: Result<usize, &'static str>,
}

/// A line of the log; `id`, `question`, `sparql` and `kg` have the same names as in question files.
#[derive(Serialize)]
struct QueryLogLine<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<&'a str>,
    time: String,
    question: &'a str,
    /// The name in the address, where a page has run the query.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<&'a str>,
    kg: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sparql: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answered_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<usize>,
    model_calls: u32,
    tokens: u64,
    seconds: f64,
}

/// Fields that every line of the log has.
#[derive(Deserialize)]
#[expect(dead_code, reason = "that these are there is what counts")]
struct ProvedLine {
    id: String,
    time: String,
    question: String,
    kg: String,
    model_calls: u32,
    tokens: u64,
    seconds: f64,
}

/// Whether a file belongs to the log, judged by its name and first line. The file of a day without questions is empty.
fn proof(path: &Path) -> Proof {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let date = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX)).unwrap_or_default();
    let is_dated = date.len() > 2 && date.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
    let mut line = Vec::new();
    let read =
        File::open(path).and_then(|file| BufReader::new(file.take(MAX_LINE)).read_until(b'\n', &mut line));
    match read {
        Ok(0) if is_dated => Proof::Empty,
        Ok(_) if is_dated && serde_json::from_slice::<ProvedLine>(&line).is_ok() => Proof::Own,
        _ => Proof::Foreign,
    }
}

/// A question of the log.
#[derive(Deserialize)]
struct LoggedQuestion {
    question: String,
    kg: String,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    board: Option<String>,
}

impl LoggedQuestion {
    /// Whether somebody has asked it about a dataset and got an answer.
    fn is_asked(&self, dataset: &str) -> bool {
        self.kg == dataset && self.error.is_none() && self.board.is_none()
    }
}

/// The last questions about a dataset that have an answer in the log of a folder, the newest first, each once.
pub(super) fn recent(folder: &Path, dataset: &str, most: usize) -> Vec<String> {
    let entries =
        std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = entries.filter(|path| matches!(proof(path), Proof::Own)).collect();
    files.sort();
    let mut found: Vec<String> = Vec::new();
    for path in files.into_iter().rev() {
        let Ok(file) = File::open(path) else { continue };
        let lines = BufReader::new(file.take(MAX_READ)).lines().map_while(Result::ok);
        let read = |line: String| serde_json::from_str::<LoggedQuestion>(&line).ok();
        let asked = lines.filter_map(read).filter(|one| one.is_asked(dataset));
        let asked: Vec<String> = asked.map(|one| one.question).collect();
        for question in asked.into_iter().rev() {
            if found.len() < most && !found.contains(&question) {
                found.push(question);
            }
        }
    }
    found
}

impl QueryLog {
    /// Opens the log, if one is configured.
    ///
    /// # Errors
    /// When its folder cannot be created or written, or it does not belong to Eruca.
    pub fn open(settings: &LogSettings) -> Result<Option<Self>, QueryLogError> {
        let Some(folder) = &settings.questions_folder else { return Ok(None) };
        let file = Self::file(folder, settings.questions_files)
            .map_err(|reason| QueryLogError { folder: folder.clone(), reason })?;
        Ok(Some(Self { file: Mutex::new(file), failing: Failing::default() }))
    }

    fn file(folder: &Path, files: usize) -> Result<RollingFileAppender, String> {
        own_folder::claim(folder, KIND).map_err(|error| error.to_string())?;
        Builder::new()
            .rotation(Rotation::DAILY)
            .filename_prefix(PREFIX)
            .filename_suffix(SUFFIX)
            .max_log_files(files)
            .build(folder)
            .map_err(|error| error.to_string())
    }

    /// Why the last question could not be written, if writing failed.
    pub(super) fn failing(&self) -> Option<String> {
        self.failing.reason()
    }

    /// Appends a question. If the query log cannot be written, the service log reports it, and the question is answered anyway.
    pub(super) fn append(&self, asked: AskedQuestion<'_>, outcome: &Outcome, elapsed: Duration) {
        self.write(&QueryLogLine::new(asked, outcome, elapsed));
    }

    /// Appends a query that was run for a page of a verified question.
    pub(super) fn append_board(&self, asked: AskedQuestion<'_>, ran: &RanBoard<'_>, elapsed: Duration) {
        self.write(&QueryLogLine::of_board(asked, ran, elapsed));
    }

    fn write(&self, line: &QueryLogLine<'_>) {
        let line = serde_json::to_vec(line);
        let written = line.map_err(std::io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            JsonLines(&mut *self.file.lock().unwrap_or_else(PoisonError::into_inner)).write_all(&line)
        });
        if let Err(error) = self.failing.record(written) {
            tracing::error!(%error, "the query log cannot be written");
        }
    }
}

impl<'a> QueryLogLine<'a> {
    fn new(asked: AskedQuestion<'a>, outcome: &'a Outcome, elapsed: Duration) -> Self {
        let AskedQuestion { id, key, role, user, question } = asked;
        let answered = outcome.as_ref().ok();
        let trace = answered.map(|answered| &answered.trace);
        Self {
            id,
            key,
            role,
            user,
            time: OffsetDateTime::now_utc().format(&Rfc3339).unwrap_or_default(),
            question: &question.text,
            board: None,
            kg: answered.map_or(&question.dataset, |answered| &answered.dataset_id),
            sparql: answered.map(|answered| answered.query.as_str()),
            error: outcome.as_ref().err().map(ServiceError::code),
            answered_by: trace.map(|trace| super::metrics::answered_by(trace.answered_by)),
            rows: answered.and_then(|answered| answered.results.as_ref()).map(|answer| answer.row_count()),
            model_calls: trace.map_or(0, |trace| trace.model_calls),
            tokens: trace.map_or(0, |trace| trace.usage.total()),
            seconds: elapsed.as_secs_f64(),
        }
    }

    fn of_board(asked: AskedQuestion<'a>, ran: &RanBoard<'a>, elapsed: Duration) -> Self {
        let AskedQuestion { id, key, role, user, question } = asked;
        let rows = ran.outcome.ok();
        Self {
            id,
            key,
            role,
            user,
            time: OffsetDateTime::now_utc().format(&Rfc3339).unwrap_or_default(),
            question: &question.text,
            board: Some(ran.name),
            kg: ran.dataset,
            sparql: Some(ran.query),
            error: ran.outcome.err(),
            answered_by: rows.map(|_| super::metrics::answered_by(AnsweredBy::Verified)),
            rows,
            model_calls: 0,
            tokens: 0,
            seconds: elapsed.as_secs_f64(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn open(folder: &Path) -> Result<RollingFileAppender, String> {
        QueryLog::file(folder, 2)
    }

    #[test]
    fn files_of_others_are_not_removed_whatever_they_are_named() {
        let folder = tempfile::tempdir().unwrap();
        for day in 1..=28 {
            fs::write(folder.path().join(format!("questions.2020-01-{day:02}.jsonl")), "mine\n").unwrap();
        }
        let said = open(folder.path()).err().unwrap();
        assert!(said.contains("is not Eruca's") && said.contains("questions.2020-01-"), "{said}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 28);
    }

    #[test]
    fn logs_of_an_earlier_version_are_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let question = Question { text: "Who?".to_owned(), dataset: "demo".to_owned() };
        let asked = AskedQuestion { id: "x", key: None, role: None, user: None, question: &question };
        let mut line =
            serde_json::to_vec(&QueryLogLine::new(asked, &Err(ServiceError::Cancelled), Duration::ZERO))
                .unwrap();
        line.push(b'\n');
        for day in 1..=5 {
            fs::write(folder.path().join(format!("questions.2020-01-{day:02}.jsonl")), &line).unwrap();
        }
        drop(open(folder.path()).unwrap());
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let logs = names.filter(|name| name != KIND.marker).count();
        assert_eq!(logs, 2, "the old ones give way");
        open(folder.path()).unwrap();
    }
}

//! The query log: a line of JSON for each question, a file per day. Its lines are questions for `eruca eval`.

use crate::config::LogSettings;
use crate::lines::JsonLines;
use crate::service::{Answered, Question, ServiceError};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tracing_appender::rolling::{Builder, RollingFileAppender, Rotation};

/// Why the query log cannot be kept.
#[derive(Debug, thiserror::Error)]
#[error("the query log cannot be written in '{}': {reason}; check [log] questions_folder", folder.display())]
pub struct QueryLogError {
    folder: PathBuf,
    reason: String,
}

/// Appends to the query log.
pub struct QueryLog(Mutex<RollingFileAppender>);

/// A question as it came.
#[derive(Clone, Copy)]
pub(super) struct AskedQuestion<'a> {
    /// The id of the request.
    pub(super) id: &'a str,
    /// The name of the key that came with it.
    pub(super) key: Option<&'a str>,
    /// The question.
    pub(super) question: &'a Question,
}

/// A line of the log; `id`, `question`, `sparql` and `kg` are named as in question files.
#[derive(Serialize)]
struct QueryLogLine<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
    time: String,
    question: &'a str,
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

impl QueryLog {
    /// Opens the log that the settings name, if they name one.
    ///
    /// # Errors
    /// When its folder cannot be made or written.
    pub fn open(settings: &LogSettings) -> Result<Option<Self>, QueryLogError> {
        let Some(folder) = &settings.questions_folder else { return Ok(None) };
        let file = Self::file(folder, settings.questions_files)
            .map_err(|reason| QueryLogError { folder: folder.clone(), reason })?;
        Ok(Some(Self(Mutex::new(file))))
    }

    fn file(folder: &Path, files: usize) -> Result<RollingFileAppender, String> {
        std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        Builder::new()
            .rotation(Rotation::DAILY)
            .filename_prefix("questions")
            .filename_suffix("jsonl")
            .max_log_files(files)
            .build(folder)
            .map_err(|error| error.to_string())
    }

    /// Appends a question. If the query log cannot be written, the service log says so, and the answer is given all the same.
    pub(super) fn append(
        &self,
        asked: AskedQuestion<'_>,
        outcome: &Result<Answered, ServiceError>,
        elapsed: Duration,
    ) {
        let line = serde_json::to_vec(&QueryLogLine::new(asked, outcome, elapsed));
        let written = line.map_err(std::io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            JsonLines(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)).write_all(&line)
        });
        if let Err(error) = written {
            tracing::error!(%error, "the query log cannot be written");
        }
    }
}

impl<'a> QueryLogLine<'a> {
    fn new(asked: AskedQuestion<'a>, outcome: &'a Result<Answered, ServiceError>, elapsed: Duration) -> Self {
        let AskedQuestion { id, key, question } = asked;
        let answered = outcome.as_ref().ok();
        let trace = answered.map(|answered| &answered.trace);
        Self {
            id,
            key,
            time: OffsetDateTime::now_utc().format(&Rfc3339).unwrap_or_default(),
            question: &question.text,
            kg: answered.map_or(&question.dataset, |answered| &answered.dataset_id),
            sparql: answered.map(|answered| answered.query.as_str()),
            error: outcome.as_ref().err().map(super::error::code),
            answered_by: trace.map(|trace| super::metrics::answered_by(trace.answered_by)),
            rows: answered.and_then(|answered| answered.results.as_ref()).map(|answer| answer.row_count()),
            model_calls: trace.map_or(0, |trace| trace.model_calls),
            tokens: trace.map_or(0, |trace| trace.usage.total()),
            seconds: elapsed.as_secs_f64(),
        }
    }
}

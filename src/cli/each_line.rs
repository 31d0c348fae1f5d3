//! `eruca ask -`: a question per line of standard input, an answer per line of standard output, for scripts.
//!
//! Each question is independent, and each answer is printed before the next question is read.

use super::text::one_line;
use super::trust::deserves;
use super::{CliError, Ending, table};
use crate::lines::JsonLines;
use crate::service::{Ask, Question, Run, RunState, Service, ServiceError};
use eruca_api::{self as api, Results};
use serde::Serialize;
use std::io::Write;
use std::sync::Arc;

/// Longest line of text, in characters.
const LINE_CHARS: usize = 10_000;

/// The output format of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineFormat {
    /// A sentence.
    Text,
    /// A sentence followed by the results.
    Results,
    /// A JSON object.
    Json,
}

/// An answer as a line of JSON.
#[derive(Serialize)]
struct AnswerLine {
    #[serde(flatten)]
    run: api::Run,
    /// Whether the answer should be trusted.
    trusted: bool,
}

/// Answers all questions of standard input.
///
/// # Errors
/// When standard input cannot be read or `out` cannot be written, and at the end if a question had no answer.
pub(super) async fn run(
    service: &Arc<Service>,
    dataset: &str,
    form: LineFormat,
    out: &mut dyn Write,
) -> Result<Ending, CliError> {
    let (mut asked, mut failed, mut trusted) = (0_usize, 0_usize, 0_usize);
    while let Some(line) = super::stdin::next_line().await? {
        if line.trim().is_empty() {
            continue;
        }
        let run = answer(service, dataset, line.trim()).await;
        let trust = deserves(&run);
        asked += 1;
        failed += usize::from(run.state != RunState::Done);
        trusted += usize::from(trust);
        write(run, trust, form, out)?;
        out.flush()?;
    }
    match (asked, failed, trusted) {
        (_, 1.., _) => Err(CliError::Unanswered { asked, failed }),
        (1.., 0, 0) => Ok(Ending::Nothing),
        _ => Ok(Ending::Done),
    }
}

/// The run of one question; a question refused by the service becomes a failed run.
async fn answer(service: &Arc<Service>, dataset: &str, text: &str) -> Run {
    let question = Question { dataset: dataset.to_owned(), text: text.to_owned() };
    match service.ask(Ask::alone(question)) {
        Ok(handle) => {
            let _reader = handle.read(0);
            // The run itself contains the outcome.
            let _outcome = handle.finished().await;
            handle.run()
        }
        Err(error) => {
            let mut run = Run::begin(dataset.to_owned(), text.to_owned(), String::new());
            run.state = RunState::Failed(error);
            run
        }
    }
}

fn write(run: Run, trusted: bool, form: LineFormat, out: &mut dyn Write) -> Result<(), CliError> {
    if form == LineFormat::Json {
        return json_line(run, trusted, out);
    }
    writeln!(out, "{}", one_line(&sentence(&run), LINE_CHARS))?;
    if let (LineFormat::Results, Some(rows)) = (form, &run.rows) {
        writeln!(out, "{}", table::render(&Results::from(&rows.page), &rows.labels))?;
    }
    Ok(())
}

/// Writes a run as a JSON object on a line of its own.
pub(super) fn json_line(run: Run, trusted: bool, out: &mut dyn Write) -> Result<(), CliError> {
    let mut line =
        serde_json::to_vec(&AnswerLine { run: run.into(), trusted }).map_err(std::io::Error::from)?;
    line.push(b'\n');
    // Graphs may contain any text, including control characters for terminals.
    Ok(JsonLines(out).write_all(&line)?)
}

/// The answer in words, or the reason why there is none.
fn sentence(run: &Run) -> String {
    match (&run.state, &run.answer) {
        (RunState::Failed(error), _) => format!("(no answer: {error})"),
        (RunState::Cancelled | RunState::Running, _) => format!("(no answer: {})", ServiceError::Cancelled),
        (RunState::Done, Some(words)) => words.text.clone(),
        (RunState::Done, None) => "(no answer: the query was not run)".to_owned(),
    }
}

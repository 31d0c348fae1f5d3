//! One question with its whole run: in words with the rows on a terminal, or as a JSON object.
//!
//! Uses the service, and the display of answers in a conversation.

use super::each_line::json_line;
use super::steps::StepPrinter;
use super::talk::shown;
use super::trust::deserves;
use super::{CliError, Ending};
use crate::service::{Ask, Event, Run, RunHandle, Service, ServiceError};
use crate::trace::Observer;
use eruca_api::AnswerStyle;
use std::io::Write;
use std::sync::Arc;

/// How a run is printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutputForm {
    /// As a JSON object for programs.
    pub json: bool,
    /// With the query below the answer.
    pub query: bool,
    /// With the steps and notes on stderr; JSON output always has them there.
    pub verbose: bool,
    /// With an article in the place of the sentence.
    pub style: AnswerStyle,
}

/// Answers a question and prints its run.
///
/// # Errors
/// When there is no answer, or `out` cannot be written.
pub(super) async fn run(
    service: &Arc<Service>,
    ask: Ask,
    form: OutputForm,
    out: &mut dyn Write,
) -> Result<Ending, CliError> {
    let handle = service.ask(Ask { style: form.style, ..ask })?;
    let steps = (form.json || form.verbose).then(StepPrinter::to_stderr);
    let run = followed(&handle, steps.as_ref()).await?;
    if let (Some(steps), Some(trace)) = (&steps, &run.trace) {
        steps.finish(trace, true);
    }
    let ending = if deserves(&run) { Ending::Done } else { Ending::Nothing };
    if form.json {
        json_line(run, ending == Ending::Done, out)?;
        return Ok(ending);
    }
    write!(out, "{}", shown::answer(&run, "--query shows it", "--results csv gives all"))?;
    if form.query {
        write!(out, "\n{}", shown::query(&run))?;
    }
    Ok(ending)
}

/// Waits for the run to finish, printing its steps on the way.
async fn followed(handle: &Arc<RunHandle>, steps: Option<&StepPrinter>) -> Result<Run, ServiceError> {
    let mut reader = handle.read(0);
    while let Some((_, event)) = reader.next().await {
        if let (Event::Step(step), Some(steps)) = (&*event, steps) {
            steps.step(step);
        }
    }
    handle.finished().await.map(|_| handle.run())
}

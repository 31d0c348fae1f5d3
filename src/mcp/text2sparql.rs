//! `text2sparql`: a question, answered by the agent or the planner, with progress notifications for every step.

use super::arguments::CallArguments;
use super::host::{Caller, Host};
use super::output::{done, failed, said};
use super::progress::{MAX_SILENCE, ProgressReport};
use super::tables;
use crate::service::{Ask, Event, EventReader, Question, RunHandle, RunState, Service, Wanted};
use rmcp::model::CallToolResult;
use rmcp::service::{RequestContext, RoleServer};
use std::sync::Arc;
use std::time::Duration;

/// Time limit for a question if the client does not specify one. Including the final look-up of labels and the
/// verbalization, the best answer arrives within 50 s.
const USUAL_TIME: Duration = Duration::from_secs(40);

/// Answers a question.
pub(super) async fn answer(
    host: &Arc<dyn Host>,
    caller: Caller,
    given: &CallArguments,
    context: &RequestContext<RoleServer>,
) -> CallToolResult {
    let ask = ask(host.service(), given);
    let begun = ask.and_then(|ask| host.ask(caller, ask).map_err(|error| said(&error)));
    let (handle, reader) = match begun {
        Ok(begun) => begun,
        Err(message) => return failed(message),
    };
    tokio::select! {
        () = follow(reader, ProgressReport::of(context)) => ended(host.service(), &handle),
        // The client no longer reads, so the work ends.
        () = context.ct.cancelled() => failed("cancelled"),
    }
}

fn ask(service: &Service, given: &CallArguments) -> Result<Ask, String> {
    let question = Question { text: given.text("question")?, dataset: given.dataset_of_question(service)? };
    let deadline = Some(given.seconds("deadline_seconds")?.unwrap_or(USUAL_TIME));
    let wanted = if given.flag("claims")? { Wanted::Claims } else { Wanted::Words };
    let style = given.style()?;
    Ok(Ask { deadline, wanted, style, ..Ask::alone(question) })
}

/// Reports every step until the end, and sends keep-alive notifications in between.
async fn follow(mut reader: EventReader, mut progress: ProgressReport) {
    loop {
        match tokio::time::timeout(MAX_SILENCE, reader.next()).await {
            Ok(Some((_, event))) => {
                if let Event::Step(step) = event.as_ref() {
                    progress.step(step).await;
                }
            }
            Ok(None) => return,
            Err(_) => progress.alive().await,
        }
    }
}

fn ended(service: &Service, handle: &RunHandle) -> CallToolResult {
    let run = handle.run();
    match (&run.state, tables::answered(service, &run)) {
        (RunState::Failed(error), _) => failed(said(error)),
        (_, Some(answered)) => done(&answered),
        (RunState::Running | RunState::Done | RunState::Cancelled, None) => {
            failed("the work was ended before there was an answer; ask again")
        }
    }
}

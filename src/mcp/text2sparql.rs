//! `text2sparql`: a question, answered by the agent or the planner, with progress notifications for every step. Where several
//! properties may be meant, the person at the client is asked once, if the client can, and the question is asked again.

use super::arguments::CallArguments;
use super::elicit::{self, Way};
use super::host::{Caller, Host};
use super::output::{done, failed, said};
use super::progress::{MAX_SILENCE, ProgressReport};
use super::tables;
use crate::service::{Ask, Event, EventReader, Question, Run, RunId, RunState, Service, Wanted};
use eruca_api::Clarify;
use rmcp::model::{CallToolResponse, CallToolResult, InputResponses};
use rmcp::service::{RequestContext, RoleServer};
use std::sync::Arc;
use std::time::Duration;

/// Time limit for a question if the client does not specify one. Including the final look-up of labels and the
/// verbalization, the best answer arrives within 50 s. A person has as long to choose.
const USUAL_TIME: Duration = Duration::from_secs(40);

/// A call of the tool.
pub(super) struct QuestionCall<'a> {
    pub(super) host: &'a Arc<dyn Host>,
    pub(super) caller: Caller,
    pub(super) context: &'a RequestContext<RoleServer>,
}

/// What a client sends that was told to ask its person and calls again.
#[derive(Default)]
pub(super) struct CalledAgain {
    pub(super) said: Option<InputResponses>,
    pub(super) state: Option<String>,
}

impl QuestionCall<'_> {
    /// Answers a question. The call is ended if the client no longer waits.
    pub(super) async fn answer(&self, given: &CallArguments, again: CalledAgain) -> CallToolResponse {
        let answering = async {
            let ask = ask(self.host.service(), given)?;
            match again.said {
                Some(said) => self.chosen_before(ask, said, again.state).await.map(Into::into),
                None => self.asked(ask).await,
            }
        };
        tokio::select! {
            answered = answering => answered.unwrap_or_else(|message: String| failed(message).into()),
            // The client no longer reads, so the work ends.
            () = self.context.ct.cancelled() => failed("cancelled").into(),
        }
    }

    /// Answers a question, and once more if the person chooses another property.
    async fn asked(&self, ask: Ask) -> Result<CallToolResponse, String> {
        let run = self.run(ask.clone()).await?;
        let first = || ended(self.host.service(), &run);
        let open = run.clarify.as_ref().filter(|clarify| clarify.is_open());
        let Some((clarify, way)) = open.zip(Way::of(self.context)) else { return Ok(first().into()) };
        let Some(form) = elicit::form(&run.question, clarify) else { return Ok(first().into()) };
        let time = self.host.service().time_allowed(&ask);
        let said = match way {
            Way::Again => return Ok(elicit::input_required(form, run.id.to_string()).into()),
            Way::Connection(connection) => self.while_alive(elicit::over(&connection, form, time)).await,
            Way::Transport(person) => {
                let form = serde_json::to_value(form).unwrap_or_default();
                self.while_alive(person.ask(form, time)).await.and_then(elicit::said)
            }
        };
        let chosen = said.and_then(|said| Some(elicit::chosen(clarify, &said)?.iri.clone()));
        Ok(self.with_choice(ask, clarify, chosen).await.unwrap_or_else(first).into())
    }

    /// Answers a question whose person was asked by the client itself.
    async fn chosen_before(
        &self,
        ask: Ask,
        mut said: InputResponses,
        state: Option<String>,
    ) -> Result<CallToolResult, String> {
        let id = state.and_then(|state| RunId::parse(&state));
        let known = match id {
            Some(id) => self.host.answered(id).await.filter(|run| run.question == ask.question.text),
            None => None,
        };
        // Without the answer before, it is not known what was chosen from. Nobody is asked twice.
        let Some((clarify, run)) = known.and_then(|run| Some((run.clarify.clone()?, run))) else {
            return Ok(ended(self.host.service(), &self.run(ask).await?));
        };
        let said = said.remove(elicit::CHOICE).and_then(elicit::said);
        let chosen = said.and_then(|said| Some(elicit::chosen(&clarify, &said)?.iri.clone()));
        let again = self.with_choice(ask, &clarify, chosen).await;
        Ok(again.unwrap_or_else(|| ended(self.host.service(), &run)))
    }

    /// The answer with a chosen property; `None` if nothing was chosen, or there is no second answer now: the first one says
    /// how to choose.
    async fn with_choice(
        &self,
        mut ask: Ask,
        clarify: &Clarify,
        chosen: Option<String>,
    ) -> Option<CallToolResult> {
        let chosen = chosen?;
        self.host.admit(&self.caller).ok()?;
        ask.prefers.retain(|known| clarify.options.iter().all(|option| option.iri != *known));
        ask.prefers.push(chosen);
        let run = self.run(ask).await.ok().filter(|run| run.state == RunState::Done)?;
        Some(ended(self.host.service(), &run))
    }

    /// The run of a question, which has ended.
    async fn run(&self, ask: Ask) -> Result<Run, String> {
        let (handle, reader) = self.host.ask(self.caller.clone(), ask).map_err(|error| said(&error))?;
        follow(reader, ProgressReport::of(self.context)).await;
        Ok(handle.run())
    }

    /// Sends word of progress while something is waited for.
    async fn while_alive<T>(&self, waiting: impl Future<Output = T>) -> T {
        let mut progress = ProgressReport::of(self.context);
        let mut waiting = std::pin::pin!(waiting);
        loop {
            match tokio::time::timeout(MAX_SILENCE, &mut waiting).await {
                Ok(done) => return done,
                Err(_) => progress.alive().await,
            }
        }
    }
}

fn ask(service: &Service, given: &CallArguments) -> Result<Ask, String> {
    let question = Question { text: given.text("question")?, dataset: given.dataset_of_question(service)? };
    let deadline = Some(given.seconds("deadline_seconds")?.unwrap_or(USUAL_TIME));
    let wanted = if given.flag("claims")? { Wanted::Claims } else { Wanted::Words };
    let (style, prefers) = (given.style()?, given.prefers()?);
    Ok(Ask { deadline, wanted, style, prefers, ..Ask::alone(question) })
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

fn ended(service: &Service, run: &Run) -> CallToolResult {
    match (&run.state, tables::answered(service, run)) {
        (RunState::Failed(error), _) => failed(said(error)),
        (_, Some(answered)) => done(&answered),
        (RunState::Running | RunState::Done | RunState::Cancelled, None) => {
            failed("the work was ended before there was an answer; ask again")
        }
    }
}

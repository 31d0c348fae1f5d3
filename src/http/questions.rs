//! The questions of all routes start and end here: each is kept as a run if more than its query is wanted, and recorded once in
//! the log, the metrics and the query log. Queries that are run for pages of verified questions are recorded here as well.

use super::App;
use super::error::code_of_board;
use super::query_log::{AskedQuestion, RanBoard};
use super::request_id::id_of;
use super::roles::user_of;
use crate::service::boards::{FilledPage, Told};
use crate::service::{Ask, EventReader, Outcome, Question, RunHandle, ServiceError, Wanted};
use actix_web::HttpRequest;
use eruca_sparql::Answer;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tracing::Instrument;

/// The client that asks a question.
#[derive(Debug, Clone)]
pub(super) struct Asker {
    /// The id of the request.
    pub(super) id: String,
    /// The name of the key sent with it.
    pub(super) key: Option<String>,
    /// Who a proxy says that its client is.
    pub(super) user: Option<String>,
}

impl Asker {
    /// The sender of a request.
    pub(super) fn of(request: &HttpRequest, key: Option<&str>) -> Self {
        Self { id: id_of(request), key: key.map(str::to_owned), user: user_of(request) }
    }
}

/// A question being answered.
pub(super) struct RunningQuestion {
    pub(super) handle: Arc<RunHandle>,
    /// The work continues as long as there is a reader.
    pub(super) reader: EventReader,
    recorded: JoinHandle<()>,
}

impl RunningQuestion {
    /// Resolves when the run is finished and recorded.
    ///
    /// # Errors
    /// The error if the question has no answer.
    pub(super) async fn finished(self) -> Outcome {
        let Self { handle, reader, recorded } = self;
        // Recording fails only when the program ends.
        let _recorded = recorded.await;
        let outcome = handle.finished().await;
        drop(reader);
        outcome
    }
}

impl App {
    /// Starts answering a question. It is recorded whatever the outcome.
    ///
    /// # Errors
    /// When the question is not well-formed or the dataset is unknown.
    pub(super) fn begin(self: &Arc<Self>, ask: Ask, asker: Asker) -> Result<RunningQuestion, ServiceError> {
        let (started, question, is_kept) = (Instant::now(), ask.question.clone(), ask.wanted > Wanted::Query);
        let seals = self.seals();
        let handle = match self.service.ask(ask) {
            Ok(handle) => handle,
            Err(error) => {
                self.record(&asker, &question, &Err(error.clone()), started.elapsed());
                return Err(error);
            }
        };
        // From here on, the run has a reader.
        let reader = handle.read(0);
        if is_kept {
            self.runs.begin(&handle, seals);
        }
        let (app, run) = (self.clone(), handle.clone());
        let recording = async move {
            let outcome = run.finished().await;
            app.record(&asker, &question, &outcome, started.elapsed());
            if is_kept {
                tokio::spawn(async move { app.runs.finish(&run).await });
            }
        };
        Ok(RunningQuestion { handle, reader, recorded: tokio::spawn(recording.in_current_span()) })
    }

    /// Records a query that is run for a page, once it has been run.
    pub(super) fn recording(self: &Arc<Self>, asker: Asker, page: &FilledPage) -> Told {
        let (app, page) = (self.clone(), page.clone());
        Box::new(move |outcome, elapsed| {
            let ran = RanBoard {
                name: page.question.name.as_deref().unwrap_or_default(),
                dataset: page.dataset_id(),
                query: page.query(),
                outcome: outcome.map(Answer::row_count).map_err(code_of_board),
            };
            app.metrics.count_board(&ran, asker.key.as_deref(), elapsed);
            if let Some(query_log) = &app.query_log {
                let question = Question { dataset: ran.dataset.to_owned(), text: page.text.clone() };
                query_log.append_board(app.asked(&asker, &question), &ran, elapsed);
            }
        })
    }

    /// A question with who asks it.
    fn asked<'a>(&'a self, asker: &'a Asker, question: &'a Question) -> AskedQuestion<'a> {
        let (key, user, role) = (asker.key.as_deref(), asker.user.as_deref(), self.role.as_deref());
        AskedQuestion { id: &asker.id, key, role, user, question }
    }

    /// Records the outcome of a question.
    fn record(&self, asker: &Asker, question: &Question, outcome: &Outcome, elapsed: Duration) {
        let asked = self.asked(asker, question);
        log(question, elapsed, outcome);
        self.metrics.count(outcome, asked.key, elapsed);
        if let Some(query_log) = &self.query_log {
            query_log.append(asked, outcome, elapsed);
        }
    }
}

fn log(question: &Question, elapsed: Duration, outcome: &Outcome) {
    let millis = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    let dataset = &question.dataset;
    match outcome {
        Ok(answered) => {
            let steps = answered.trace.steps.len();
            tracing::info!(dataset, millis, steps, answered_by = ?answered.trace.answered_by, "answered");
        }
        Err(error @ ServiceError::Panicked { reason: _, steps }) => {
            let steps: Vec<_> = steps.iter().map(|step| &step.kind).collect();
            tracing::error!(dataset, millis, %error, ?steps, "not answered");
        }
        Err(error @ (ServiceError::IndexDamaged { .. } | ServiceError::Internal(_))) => {
            tracing::error!(dataset, millis, %error, "not answered");
        }
        Err(
            error @ (ServiceError::Invalid { .. }
            | ServiceError::NotOpened { .. }
            | ServiceError::NotReloaded { .. }
            | ServiceError::UnknownDataset { .. }
            | ServiceError::Overloaded { .. }
            | ServiceError::EndpointDown { .. }
            | ServiceError::NamesDown { .. }
            | ServiceError::QueryFailed { .. }
            | ServiceError::NoSuchRow { .. }
            | ServiceError::Cancelled),
        ) => tracing::warn!(dataset, millis, %error, "not answered"),
    }
}

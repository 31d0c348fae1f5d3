//! What a question is asked with, and how it is begun: the work belongs to the service, goes on as long as somebody reads, and
//! emits events.

use super::follow::PastQuestion;
use super::pipeline::Pipeline;
use super::run::Run;
use super::run_handle::{Event, Outcome, RunHandle};
use super::types::{Question, ServiceError};
use super::{Service, fault};
use crate::trace::Observer;
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tracing::Instrument;

/// A question with how it is to be answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The question.
    pub question: Question,
    /// What was asked before, the newest last.
    pub history: Vec<PastQuestion>,
    /// The language of labels and words; that of the question without one.
    pub lang: Option<String>,
    /// The language of the reader, for a question that does not tell its own.
    pub reader: Option<String>,
    /// Properties, by IRI, that the reader prefers where another would do as well: the choices of earlier answers.
    pub prefers: Vec<String>,
    /// Time for the question, if it is less than the configured one.
    pub deadline: Option<Duration>,
    /// How much of the answer is wanted.
    pub wanted: Wanted,
    /// Whether other readings are told.
    pub alternatives: bool,
}

/// How much of an answer is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// The query with its results.
    Query,
    /// Its rows as well, with names for people, or why there are none.
    Rows,
    /// And the answer in words.
    Words,
}

impl Ask {
    /// A question by itself, with its answer in words and other readings.
    pub fn alone(question: Question) -> Self {
        Self {
            question,
            history: Vec::new(),
            lang: None,
            reader: None,
            prefers: Vec::new(),
            deadline: None,
            wanted: Wanted::Words,
            alternatives: true,
        }
    }

    /// A question by itself, of which the query alone is wanted.
    pub fn query(question: Question) -> Self {
        Self { wanted: Wanted::Query, ..Self::alone(question) }
    }
}

impl Service {
    /// Begins to answer a question. The work ends early when all readers have gone for a while; so does work that nobody
    /// has begun to read.
    ///
    /// # Errors
    /// When the question is not well-formed or the dataset is unknown; every other failure is an event.
    pub fn ask(self: &Arc<Self>, ask: Ask) -> Result<Arc<RunHandle>, ServiceError> {
        let dataset = self.validate(&ask.question)?;
        // Until the question is parsed.
        let lang = ask.lang.as_deref().unwrap_or(dataset.reader().tag()).to_owned();
        let mut run = Run::begin(dataset.id.clone(), ask.question.text.clone(), lang);
        run.alternatives = ask.alternatives;
        let handle = RunHandle::begin(run);
        let pipeline = Pipeline { service: self.clone(), dataset, ask, handle: handle.clone() };
        tokio::spawn(supervise(pipeline).in_current_span());
        Ok(handle)
    }

    /// Answers a question with a query. `observer` sees every step as it happens.
    ///
    /// # Errors
    /// When the question is not well-formed, the dataset unknown, the service full or stopping, or the
    /// endpoint down; never because a model failed. A panic is an error of this question alone.
    pub async fn answer(self: &Arc<Self>, question: &Question, observer: &dyn Observer) -> Outcome {
        let handle = self.ask(Ask::query(question.clone()))?;
        let mut reader = handle.read(0);
        while let Some((_, event)) = reader.next().await {
            if let Event::Step(step) = &*event {
                observer.step(step);
            }
        }
        handle.finished().await
    }
}

/// Does the work on the threads for it, and ends the run whatever its outcome.
async fn supervise(pipeline: Pipeline) {
    let (service, handle) = (pipeline.service.clone(), pipeline.handle.clone());
    // Whatever happens to one question, the caller goes on, and so do the questions of others.
    let work = AssertUnwindSafe(service.cpu_pool.run(pipeline.answer())).catch_unwind();
    let outcome = tokio::select! {
        outcome = work => outcome.unwrap_or_else(|panic| Err(fault(panic.as_ref(), handle.steps()))),
        () = handle.abandoned() => Err(ServiceError::Cancelled),
    };
    handle.end(outcome);
}

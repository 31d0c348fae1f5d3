//! The parameters of a question and the start of its run. The work is owned by the service, continues as long as
//! there is a reader, and emits events.

use super::follow::PastQuestion;
use super::learn::with_meanings;
use super::pipeline::Pipeline;
use super::route::{Chosen, Targets};
use super::run::Run;
use super::run_handle::{Event, Outcome, RunHandle};
use super::test_set::without_leaks;
use super::types::{Answered, Question, ServiceError};
use super::{Service, fault};
use crate::trace::{Observer, Step, StepKind};
use eruca_api::{AnswerStyle, Correction};
use eruca_language::fallback;
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tracing::Instrument;

/// Maximum number of properties that a reader prefers.
pub const MAX_PREFERS: usize = 200;
/// Maximum length of an IRI from a reader in bytes.
pub const MAX_IRI: usize = 2_000;

/// A question with its options.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The question.
    pub question: Question,
    /// Earlier questions, oldest first.
    pub history: Vec<PastQuestion>,
    /// The language of labels and text; defaults to that of the question.
    pub lang: Option<String>,
    /// The reader's language, for questions whose language cannot be detected.
    pub reader: Option<String>,
    /// IRIs of properties that the reader prefers among equally good ones, from choices in earlier answers.
    pub prefers: Vec<String>,
    /// What words of this question mean to its reader.
    pub meanings: Vec<Correction>,
    /// Time limit for the question, if shorter than the configured one.
    pub deadline: Option<Duration>,
    /// How much of the answer is wanted.
    pub wanted: Wanted,
    /// Whether the answer in words comes with an article.
    pub style: AnswerStyle,
    /// Whether alternative readings are returned.
    pub alternatives: bool,
    /// Whether it is a test: verified questions that are nearly this one are left out, and no earlier answer is taken.
    pub test: bool,
}

/// How much of an answer is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// The query with its results.
    Query,
    /// Also its rows with labels, or the reason why there are none.
    Rows,
    /// Also the answer in natural language.
    Words,
    /// Also the triples that support each of its sentences.
    Claims,
}

impl Ask {
    /// A standalone question, with a verbalized answer and alternative readings.
    pub fn alone(question: Question) -> Self {
        Self {
            question,
            history: Vec::new(),
            lang: None,
            reader: None,
            prefers: Vec::new(),
            meanings: Vec::new(),
            deadline: None,
            wanted: Wanted::Words,
            style: AnswerStyle::Short,
            alternatives: true,
            test: false,
        }
    }

    /// A standalone question for which only the query is wanted.
    pub fn query(question: Question) -> Self {
        Self { wanted: Wanted::Query, ..Self::alone(question) }
    }
}

impl Service {
    /// Starts answering a question. The work is cancelled once there have been no readers for a while, or if nobody
    /// starts reading.
    ///
    /// # Errors
    /// If the question is invalid or the dataset is unknown; all other failures are reported as events.
    pub fn ask(self: &Arc<Self>, ask: Ask) -> Result<Arc<RunHandle>, ServiceError> {
        self.within_bounds(&ask.question)?;
        let targets = self.targets(ask.question.dataset.trim())?;
        // Both may change: the language once the question is parsed, the dataset where one is chosen.
        let reader = targets.first().map_or_else(fallback, |first| first.reader());
        let dataset = match &targets {
            Targets::One(only) => only.id.clone(),
            Targets::Named(_) | Targets::Open(_) => ask.question.dataset.clone(),
        };
        let lang = ask.lang.as_deref().unwrap_or(reader.tag()).to_owned();
        let mut run = Run::begin(dataset, ask.question.text.clone(), lang);
        run.alternatives = ask.alternatives;
        let handle = RunHandle::begin(run);
        let asked = Asked { service: self.clone(), targets, ask, handle: handle.clone() };
        tokio::spawn(supervise(asked).in_current_span());
        Ok(handle)
    }

    /// Answers a question with a query. `observer` is called for every step as it happens.
    ///
    /// # Errors
    /// If the question is invalid, the dataset is unknown, the service is overloaded or stopping, or the endpoint is
    /// down; never because a model failed. A panic becomes an error of this question only.
    pub async fn answer(self: &Arc<Self>, question: &Question, observer: &dyn Observer) -> Outcome {
        self.answer_to(Ask::query(question.clone()), observer).await
    }

    /// The same to a question with its options.
    ///
    /// # Errors
    /// As `answer`.
    pub async fn answer_to(self: &Arc<Self>, ask: Ask, observer: &dyn Observer) -> Outcome {
        let handle = self.ask(ask)?;
        let mut reader = handle.read(0);
        while let Some((_, event)) = reader.next().await {
            if let Event::Step(step) = &*event {
                observer.step(step);
            }
        }
        handle.finished().await
    }
}

/// A question before its dataset is known for good.
struct Asked {
    service: Arc<Service>,
    targets: Targets,
    ask: Ask,
    handle: Arc<RunHandle>,
}

impl Asked {
    /// Chooses the dataset, and answers.
    async fn answer(self) -> Result<Answered, ServiceError> {
        let Self { service, targets, mut ask, handle } = self;
        let chosen = service.chosen(targets, &ask, service.time_of(&ask)).await;
        let nothing = || ServiceError::Internal("there is no dataset to choose".to_owned());
        let Chosen { dataset, note, left_out } = chosen.ok_or_else(nothing)?;
        let dataset = if ask.test { without_leaks(&dataset, &ask.question.text) } else { dataset };
        let (dataset, unused) = with_meanings(&dataset, &ask.meanings);
        for note in note.iter().chain(&left_out).chain(&unused) {
            let kind = StepKind::Controller { note: note.clone() };
            handle.step(&Step { at: Duration::ZERO, elapsed: Duration::ZERO, kind });
        }
        ask.question.dataset.clone_from(&dataset.id);
        handle.amend(|run| run.dataset.clone_from(&dataset.id));
        Pipeline { service, dataset, ask, handle, left_out }.answer().await
    }
}

/// Runs the work on the CPU pool and ends the run whatever the outcome.
async fn supervise(asked: Asked) {
    let (service, handle) = (asked.service.clone(), asked.handle.clone());
    // A panic must not affect the caller or other questions.
    let work = AssertUnwindSafe(service.cpu_pool.run(asked.answer())).catch_unwind();
    let outcome = tokio::select! {
        outcome = work => outcome.unwrap_or_else(|panic| Err(fault(panic.as_ref(), handle.steps()))),
        () = handle.abandoned() => Err(ServiceError::Cancelled),
    };
    handle.end(outcome);
}

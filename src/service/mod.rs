//! Answers questions: finds the dataset, keeps the limits, gives each question its time and its place in the queue.
//!
//! What the HTTP layer and the command line call. Knows the agent, the planner and the datasets; nothing of
//! wire formats.

mod again;
mod agent_insight;
mod answering;
mod ask;
mod asking;
mod attempt;
pub mod browse;
mod caches;
mod confidence;
mod emptiness;
mod evidence;
mod explore;
mod fallback;
mod follow;
mod index;
pub mod link;
mod named;
mod orient;
mod planned;
mod query;
mod queue;
mod readiness;
mod reload;
mod richer;
mod run;
mod served;
mod shown;
mod similar;
mod types;

pub use crate::cache::CacheFigures;
pub use crate::words::{AnswerColumn, TextPart, Words, WordsKind};
pub use ask::Ask;
pub use asking::{Asking, Event, EventReader, QuestionReading};
pub use caches::{AnswerCache, Caches};
pub use explore::{Cells, ExplorationTool, Explored, QueryTried, exploration_tools};
pub use follow::PastQuestion;
pub use query::WrittenQuery;
pub use queue::Load;
pub use reload::{DatasetSource, Reload};
pub use run::{Dropped, Empty, PAGE_ROWS, ReadWord, Rows, Run, RunId, RunState};
pub use served::Unopened;
pub use similar::Similar;
pub use types::{Answered, DatasetSummary, PartHealth, PartState, Question, Readiness, ServiceError};

use follow::Among;
use index::{check_index, confirm_index, outdated};
use queue::{Place, Queue};
use reload::Reloading;
use served::Served;

use crate::agent::{Budget, Earlier};
use crate::dataset::Dataset;
use crate::helps::Helps;
use crate::llm::{ChatModel, Prices};
use crate::trace::{Observer, Recorder, Silent, Step};
use crate::work::Workers;
use eruca_planner::question::Question as Asked;
use eruca_sparql::one_line;
use futures_util::FutureExt;
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The message of a panic is cut to this length: it may contain data of a graph.
const MAX_PANIC_CHARS: usize = 200;
/// When to try again where there is no room: questions take seconds, looks less.
const RETRY_QUESTIONS: Duration = Duration::from_secs(5);
const RETRY_LOOKS: Duration = Duration::from_secs(1);
/// Longest name of a dataset: an IRI.
const MAX_DATASET_CHARS: usize = 2_000;

/// Limits of the service.
#[derive(Debug, Clone, Copy)]
pub struct ServiceLimits {
    /// Questions answered at once.
    pub max_concurrent_questions: usize,
    /// Further questions that may wait for their turn.
    pub max_waiting_questions: usize,
    /// Characters of a question.
    pub max_question_chars: usize,
    /// Time for one question.
    pub deadline: Duration,
    /// What one run of the agent may spend.
    pub budget: Budget,
    /// Feature switches of the agent.
    pub helps: Helps,
    /// What the model's tokens cost, if it is known.
    pub prices: Option<Prices>,
}

/// Answers questions about its datasets. Shared by all requests.
pub struct Service {
    served: Served,
    reloading: Reloading,
    model: Option<Arc<dyn ChatModel>>,
    limits: ServiceLimits,
    queue: Queue,
    /// Room for those who look around: as many as ask questions.
    looks: Queue,
    caches: Caches,
    seen: readiness::LastLooks,
    workers: Arc<Workers>,
    examples: browse::Examples,
    /// What was found wrong at start, in words for people.
    degraded: Vec<String>,
}

impl Service {
    /// A service over opened datasets. Without a model the planner answers. `degraded` says what did not
    /// start as configured.
    pub fn new(
        datasets: Vec<Arc<Dataset>>,
        model: Option<Arc<dyn ChatModel>>,
        limits: ServiceLimits,
        degraded: Vec<String>,
        caches: Caches,
    ) -> Self {
        let room = |retry_after| {
            Queue::new(limits.max_concurrent_questions, limits.max_waiting_questions, retry_after)
        };
        let (queue, looks) = (room(RETRY_QUESTIONS), room(RETRY_LOOKS));
        let (seen, workers) = (readiness::LastLooks::default(), Arc::new(Workers::start()));
        // The words of the languages are read now rather than with the first question.
        let _known = eruca_language::languages().count();
        let examples = browse::Examples::default();
        let (served, reloading) = (Served::new(datasets), Reloading::default());
        Self { served, reloading, model, limits, queue, looks, caches, seen, workers, examples, degraded }
    }

    /// How useful the caches have been.
    pub fn caches(&self) -> Vec<CacheFigures> {
        self.caches.figures()
    }

    /// How busy the service is.
    pub fn load(&self) -> Load {
        self.queue.load()
    }

    /// What is off or weaker than it could be, in words for people.
    pub fn degraded(&self) -> Vec<String> {
        let mut parts = self.degraded.clone();
        for dataset in &self.served.now().opened {
            parts.extend_from_slice(dataset.notes());
            parts.extend(outdated(dataset, self.reloading.failure(&dataset.id)));
        }
        if self.model.is_none() {
            parts.push(
                "no chat model is configured ([llm] base_url and model): the planner answers".to_owned(),
            );
        }
        parts
    }

    /// Answers a question. `observer` sees every step as it happens.
    ///
    /// # Errors
    /// When the question is not well-formed, the dataset unknown, the service full or stopping, or the
    /// endpoint down; never because a model failed. A panic is an error of this question alone.
    pub async fn answer(
        &self,
        question: &Question,
        observer: &dyn Observer,
    ) -> Result<Answered, ServiceError> {
        let dataset = self.validate(question)?;
        let time = QuestionTime::from_now(self.limits.deadline);
        let posed = Posed {
            question,
            read: None,
            earlier: &[],
            time,
            place: None,
            among: &Among::default(),
            again: None,
            prefers: &[],
        };
        self.answer_posed(&dataset, posed, observer).await
    }

    /// A question has one dataset from its beginning to its end, even if that is replaced meanwhile.
    async fn answer_posed(
        &self,
        dataset: &Arc<Dataset>,
        posed: Posed<'_>,
        observer: &dyn Observer,
    ) -> Result<Answered, ServiceError> {
        let started = Instant::now();
        if let Some(answered) = self.remembered(dataset, posed, started) {
            answered.trace.steps.iter().for_each(|step| observer.step(step));
            return Ok(answered);
        }
        // The deadline begins with the request: waiting in the queue is part of it.
        let place = Arc::new(self.queue.enter(posed.time.allowed / 2).await?);
        let mut recorder = Recorder::start(observer);
        // Whatever happens to one question, the caller goes on, and so do the questions of others.
        let placed = Posed { place: Some(&place), ..posed };
        let answering = AssertUnwindSafe(self.answer_checked(dataset, placed, &mut recorder));
        let answered = answering.catch_unwind().await;
        answered.unwrap_or_else(|panic| Err(fault(panic.as_ref(), recorder.take_steps())))
    }

    async fn answer_checked(
        &self,
        dataset: &Arc<Dataset>,
        posed: Posed<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<Answered, ServiceError> {
        check_index(dataset).await?;
        let answered = self.answer_anew(dataset, posed, recorder).await;
        confirm_index(dataset).await?;
        let answered = answered?;
        if posed.stands_alone() {
            self.caches.keep(dataset, posed.question, &answered);
        }
        Ok(answered)
    }

    /// The answer to the same question; a model that hears of other questions may answer it in another way.
    fn remembered(&self, dataset: &Dataset, posed: Posed<'_>, started: Instant) -> Option<Answered> {
        posed.stands_alone().then(|| self.caches.answer(dataset, posed.question, started.elapsed())).flatten()
    }

    /// The names of the things in an answer, for people.
    pub async fn names(&self, answered: &Answered) -> BTreeMap<String, String> {
        match (self.dataset(&answered.dataset_id), &answered.results) {
            (Some(dataset), Some(answer)) => shown::labels(&dataset, answer).await,
            _ => BTreeMap::new(),
        }
    }

    /// [`answer`](Self::answer) on the threads for work: for callers whose own thread serves others.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub async fn answer_apart(self: &Arc<Self>, question: &Question) -> Result<Answered, ServiceError> {
        let (service, question) = (self.clone(), question.clone());
        self.workers.run(async move { service.answer(&question, &Silent).await }).await
    }

    fn validate(&self, question: &Question) -> Result<Arc<Dataset>, ServiceError> {
        self.within_bounds(question)?;
        self.find(question.dataset.trim())
    }

    fn within_bounds(&self, question: &Question) -> Result<(), ServiceError> {
        let bounds = [
            ("dataset", &question.dataset, MAX_DATASET_CHARS),
            ("question", &question.text, self.limits.max_question_chars),
        ];
        for (field, text, max) in bounds {
            if text.trim().is_empty() {
                return Err(ServiceError::Invalid { field, message: format!("{field} is empty") });
            }
            if text.chars().count() > max {
                return Err(ServiceError::Invalid {
                    field,
                    message: format!("{field} is longer than {max} characters"),
                });
            }
        }
        Ok(())
    }
}

/// A question as it is answered.
#[derive(Clone, Copy)]
struct Posed<'a> {
    question: &'a Question,
    /// The same, where it was read before.
    read: Option<&'a Arc<Asked>>,
    /// Questions before it, for a model.
    earlier: &'a [Earlier],
    time: QuestionTime,
    /// Its place among the questions, once it has one.
    place: Option<&'a Arc<Place>>,
    /// The things that it is asked of.
    among: &'a Among,
    /// The query of an earlier answer that is wanted again.
    again: Option<&'a str>,
    /// Properties, by IRI, that the reader prefers where another would do as well.
    prefers: &'a [String],
}

impl Posed<'_> {
    /// Whether its words are all that its answer depends on.
    fn stands_alone(&self) -> bool {
        self.earlier.is_empty() && self.among.is_all() && self.again.is_none() && self.prefers.is_empty()
    }
}

/// The time of one question.
#[derive(Debug, Clone, Copy)]
struct QuestionTime {
    /// All of it.
    allowed: Duration,
    /// When it is over.
    deadline: Instant,
}

impl QuestionTime {
    fn from_now(allowed: Duration) -> Self {
        Self { allowed, deadline: Instant::now() + allowed }
    }

    fn left(self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}

/// What a panic while answering becomes, with the steps that were done.
fn fault(panic: &(dyn Any + Send), steps: Vec<Step>) -> ServiceError {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason was given");
    ServiceError::Panicked { reason: one_line(said, MAX_PANIC_CHARS), steps }
}

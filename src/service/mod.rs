//! Answers questions: finds the dataset, keeps the limits, reads the question once, runs the agent or the planner.
//!
//! What the HTTP layer and the command line call. Knows the agent, the planner and the datasets; nothing of
//! wire formats.

mod again;
mod ask;
mod asking;
mod attempt;
pub mod browse;
mod caches;
mod emptiness;
mod explore;
mod fallback;
mod follow;
mod index;
mod labelled;
pub mod link;
mod planned;
mod query;
mod queue;
mod readiness;
mod run;
mod shown;
mod types;
mod unopened;

pub use crate::cache::CacheFigures;
pub use crate::words::{Column, Part as TextPart, Words};
pub use ask::Ask;
pub use asking::{Asking, Event, EventReader, Reading};
pub use caches::{AnswerCache, Caches};
pub use explore::{Cells, ExplorationTool, Explored, QueryTried, exploration_tools};
pub use follow::Past;
pub use labelled::with_labels;
pub use query::WrittenQuery;
pub use queue::Load;
pub use run::{Dropped, Empty, PAGE_ROWS, ReadWord, Rows, Run, RunId, RunState};
pub use types::{Answered, DatasetSummary, PartState, Question, Readiness, ServiceError, State};
pub use unopened::Unopened;

use attempt::{Attempt, is_broken};
use index::{check_index, confirm_index, outdated};
use planned::{Planned, drafts, plan};
use queue::Queue;

use crate::agent::{Budget, Draft, Earlier, Task, run_agent};
use crate::dataset::Dataset;
use crate::grounding::{Grounding, ground};
use crate::helps::Helps;
use crate::llm::{ChatModel, Prices};
use crate::trace::{AnsweredBy, Observer, Recorder, Silent, Step, StepKind, Trace};
use crate::work::Workers;
use eruca_planner::question::Question as Asked;
use eruca_sparql::{Answer, Limits, QueryError, Results, Solutions, one_line};
use futures_util::FutureExt;
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tracing::Instrument;

/// Time kept back for the planner when the agent comes to the end of its time.
const PLANNER_TIME: Duration = Duration::from_secs(5);
/// The planner keeps the deadline itself; only when it does not, it is no longer waited for after this.
const PLANNER_GRACE: Duration = Duration::from_secs(1);
/// Time for the first look whether an endpoint answers.
const ENDPOINT_CHECK_TIME: Duration = Duration::from_secs(10);
/// The message of a panic is cut to this length: it may contain data of a graph.
const MAX_PANIC_CHARS: usize = 200;
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
    datasets: Vec<Arc<Dataset>>,
    unopened: Vec<Unopened>,
    model: Option<Arc<dyn ChatModel>>,
    limits: ServiceLimits,
    queue: Queue,
    caches: Caches,
    seen: readiness::Seen,
    workers: Workers,
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
        let queue = Queue::new(limits.max_concurrent_questions, limits.max_waiting_questions);
        let (seen, workers) = (readiness::Seen::default(), Workers::start());
        // The words of the languages are read now rather than with the first question.
        let _known = eruca_indexer::language::languages().count();
        let examples = browse::Examples::default();
        let unopened = Vec::new();
        Self { datasets, unopened, model, limits, queue, caches, seen, workers, examples, degraded }
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
        parts.extend(self.datasets.iter().filter_map(|dataset| outdated(dataset)));
        if self.model.is_none() {
            parts.push(
                "no chat model is configured ([llm] base_url and model): the planner answers".to_owned(),
            );
        }
        parts
    }

    /// The dataset with this id or alias.
    pub fn dataset(&self, name: &str) -> Option<Arc<Dataset>> {
        let named =
            |dataset: &&Arc<Dataset>| dataset.id == name || dataset.aliases.iter().any(|alias| alias == name);
        self.datasets.iter().find(named).cloned()
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
        let time = Time::from_now(self.limits.deadline);
        self.answer_posed(Posed { question, read: None, earlier: &[], time }, observer).await
    }

    async fn answer_posed(
        &self,
        posed: Posed<'_>,
        observer: &dyn Observer,
    ) -> Result<Answered, ServiceError> {
        let dataset = self.validate(posed.question)?;
        let started = Instant::now();
        if let Some(answered) = self.remembered(&dataset, posed, started) {
            answered.trace.steps.iter().for_each(|step| observer.step(step));
            return Ok(answered);
        }
        // The deadline begins with the request: waiting in the queue is part of it.
        let _place = self.queue.enter(posed.time.allowed / 2).await?;
        let mut recorder = Recorder::start(observer);
        // Whatever happens to one question, the caller goes on, and so do the questions of others.
        let answering = AssertUnwindSafe(self.answer_checked(&dataset, posed, &mut recorder));
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
        if posed.earlier.is_empty() {
            self.caches.keep(dataset, posed.question, &answered);
        }
        Ok(answered)
    }

    /// The answer to the same question; a model that hears of other questions may answer it in another way.
    fn remembered(&self, dataset: &Dataset, posed: Posed<'_>, started: Instant) -> Option<Answered> {
        let alone = posed.earlier.is_empty();
        alone.then(|| self.caches.answer(dataset, posed.question, started.elapsed())).flatten()
    }

    async fn answer_anew(
        &self,
        dataset: &Arc<Dataset>,
        posed: Posed<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<Answered, ServiceError> {
        // Read once, for all that comes.
        let read = || Arc::new(dataset.read(&posed.question.text));
        let (time, question) = (posed.time, &posed.read.cloned().unwrap_or_else(read));
        let dataset = &Arc::new(dataset.asked(question));
        let (grounding, ()) =
            tokio::try_join!(self.ground(dataset, question, time), self.check_endpoint(dataset, time))?;
        let grounding = grounding.unwrap_or_else(|| {
            recorder.note(
                "looking up the words of the question took too long; the question goes on without them",
            );
            Grounding::default()
        });
        let observation = grounding.text(dataset, true);
        recorder.record(Duration::ZERO, StepKind::Grounding { observation });
        let mut run = self.run(dataset, (posed, question), &grounding, recorder).await;
        if self.limits.helps.answer_form && run.by == AnsweredBy::Agent {
            run.fit(dataset, question, time.deadline, recorder).await;
        }
        self.conclude(dataset, run, recorder)
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
        self.find(question.dataset.trim())
    }

    /// Whether the endpoint answers at all: without it no query can be verified, and the asker should know why.
    async fn check_endpoint(&self, dataset: &Dataset, time: Time) -> Result<(), ServiceError> {
        let patience = ENDPOINT_CHECK_TIME.min(time.allowed / 4);
        match ask_endpoint(dataset, patience).await {
            Err(QueryError::Unavailable { message }) => Err(ServiceError::EndpointDown {
                dataset: dataset.id.clone(),
                endpoint: dataset.endpoint.name().to_owned(),
                reason: message,
            }),
            // Anything else says that something is there.
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// What the words of the question may mean; `None` when that is not found out in time.
    async fn ground(
        &self,
        dataset: &Arc<Dataset>,
        question: &Arc<Asked>,
        time: Time,
    ) -> Result<Option<Grounding>, ServiceError> {
        let (dataset, question) = (dataset.clone(), question.clone());
        let grounding = async move { ground(&dataset, &question).await };
        let grounding = grounding.instrument(tracing::info_span!("grounding"));
        let found = self.workers.within(time.allowed / 3, grounding).await;
        found.transpose().map_err(|error| ServiceError::Internal(error.to_string()))
    }

    /// The agent if there is a model; the planner if there is none or the agent has no query to give.
    async fn run(
        &self,
        dataset: &Arc<Dataset>,
        (posed, question): (Posed<'_>, &Arc<Asked>),
        grounding: &Grounding,
        recorder: &mut Recorder<'_>,
    ) -> Attempt {
        let (time, mut run) = (posed.time, Attempt::new(self.degraded()));
        if let Some(model) = &self.model {
            let kept_back = PLANNER_TIME.min(time.allowed / 10);
            let deadline = time.deadline.checked_sub(kept_back).unwrap_or(time.deadline);
            let drafts = self.drafts(dataset, question, grounding, deadline, recorder).await;
            let task = Task {
                drafts: &drafts,
                earlier: posed.earlier,
                text: &posed.question.text,
                question,
                dataset,
                workers: &self.workers,
                grounding,
                model: model.as_ref(),
                budget: self.limits.budget,
                helps: self.limits.helps,
                deadline,
            };
            run.take(run_agent(&task, recorder).await, model.name());
        }
        if run.best.as_ref().is_none_or(is_broken) {
            let since = recorder.elapsed();
            let mut planned = self.plan(dataset, question, grounding, time.deadline).await;
            let readings = std::mem::take(&mut planned.readings);
            recorder.record(since, StepKind::Planner { readings });
            run.take_plan(planned);
        }
        run
    }

    /// What the planner gives the agent to begin with.
    async fn drafts(
        &self,
        dataset: &Arc<Dataset>,
        question: &Arc<Asked>,
        grounding: &Grounding,
        deadline: Instant,
        recorder: &mut Recorder<'_>,
    ) -> Vec<Draft> {
        if !self.limits.helps.drafts {
            return Vec::new();
        }
        let since = recorder.elapsed();
        let (owned, asked, named) = (dataset.clone(), question.clone(), grounding.named.clone());
        let found = async move {
            let found = drafts(&owned, &asked, &named, deadline).await;
            for answer in found.iter().filter_map(|draft| draft.run.result.as_ref().ok()) {
                owned.fetch_names_of(answer).await;
            }
            found
        };
        let time = deadline.saturating_duration_since(Instant::now()) / 4;
        let found = self.workers.within(time, found).await.unwrap_or_default();
        if !found.is_empty() {
            let readings = found.iter().map(|draft| {
                let rows = draft.run.result.as_ref().map_or(0, Answer::row_count);
                format!("draft for the model: {}; {rows} rows", draft.reading)
            });
            recorder.record(since, StepKind::Planner { readings: readings.collect() });
        }
        found
    }

    /// The planner's answer, within the deadline.
    async fn plan(
        &self,
        dataset: &Arc<Dataset>,
        question: &Arc<Asked>,
        grounding: &Grounding,
        deadline: Instant,
    ) -> Planned {
        let (dataset, question, named) = (dataset.clone(), question.clone(), grounding.named.clone());
        let planned = async move { plan(&dataset, &question, &named, deadline).await };
        let planned = planned.instrument(tracing::info_span!("planner"));
        let time = deadline.saturating_duration_since(Instant::now()) + PLANNER_GRACE;
        self.workers.within(time, planned).await.unwrap_or_else(Planned::late)
    }

    fn conclude(
        &self,
        dataset: &Dataset,
        run: Attempt,
        recorder: &mut Recorder<'_>,
    ) -> Result<Answered, ServiceError> {
        let Attempt { stop, model, calls, usage, by, best, form: _, absence, insight, degraded } = run;
        let Some(best) = best else {
            return Err(ServiceError::Internal("no valid query could be made for the question".to_owned()));
        };
        let elapsed = recorder.elapsed();
        let steps = recorder.take_steps();
        let cost = self.limits.prices.filter(|_| calls > 0).map(|prices| prices.cost(&usage));
        let insight = insight.filter(|_| by == AnsweredBy::Planner || absence.is_some());
        let trace = Trace {
            answered_by: by,
            stop,
            model,
            degraded,
            insight,
            not_in_graph: absence,
            steps,
            model_calls: calls,
            usage,
            cost,
            elapsed,
        };
        let results = best.result.ok();
        let results = if trace.not_in_graph.is_some() { results.map(without_zeros) } else { results };
        let query = best.query.text().to_owned();
        Ok(Answered { dataset_id: dataset.id.clone(), query, results, trace })
    }
}

/// The answer of a query that shows what the graph lacks: the zero of an aggregate over nothing is no value.
fn without_zeros(answer: Answer) -> Answer {
    let is_zero = answer.is_zero_aggregate();
    let Answer { results, incomplete, elapsed } = answer;
    let results = match results {
        Results::Solutions(found) if is_zero => Results::Solutions(Solutions { rows: Vec::new(), ..found }),
        other => other,
    };
    Answer { results, incomplete, elapsed }
}

/// A question as it is answered.
#[derive(Clone, Copy)]
struct Posed<'a> {
    question: &'a Question,
    /// The same, where it was read before.
    read: Option<&'a Arc<Asked>>,
    /// Questions before it, for a model.
    earlier: &'a [Earlier],
    time: Time,
}

/// The time of one question.
#[derive(Debug, Clone, Copy)]
struct Time {
    /// All of it.
    allowed: Duration,
    /// When it is over.
    deadline: Instant,
}

impl Time {
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

async fn ask_endpoint(dataset: &Dataset, time: Duration) -> Result<Answer, QueryError> {
    let query = dataset.check("ASK { ?s ?p ?o }")?;
    // Not by way of the dataset, which may remember what the endpoint said when it was there.
    dataset.endpoint.query(&query, Limits { timeout: time, ..dataset.rules.limits }).await
}

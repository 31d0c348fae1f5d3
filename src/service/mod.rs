//! Answers questions: finds the dataset, enforces the limits, and gives each question its deadline and its place in
//! the queue.
//!
//! This is the API for the HTTP layer and the command line. It knows the agent, the planner and the datasets, but no
//! wire formats.
//!
//! A question uses one version of its dataset, index and graph from start to finish, whatever is built and opened
//! meanwhile (test: `tests/reload.rs`). A panic while answering becomes an error of that question alone, with the
//! steps before it; this relies on unwinding (test: `tests/panics.rs`). Errors are invalid parameters, an unknown
//! dataset, overload, an endpoint that is down, and internal faults. Conditions that only degrade the service are
//! listed by [`Service::degraded`] and reported at start, in `/health`, `/ready` and every trace: no embedding model,
//! no chat model, an index of other files or of another endpoint than is configured, an index that was replaced or
//! removed since it was opened.

mod ablation;
mod again;
mod agent_insight;
mod article;
mod ask;
mod attempt;
mod baseline;
pub mod boards;
pub mod browse;
mod caches;
mod cite;
mod claims;
mod clarify;
mod confidence;
mod drafts;
mod emptiness;
mod evidence;
mod explore;
mod fallback;
mod first_prompt;
mod follow;
mod graph;
mod index;
mod learn;
mod lent;
pub mod link;
mod model_words;
mod named;
mod orient;
mod parse;
mod pipeline;
mod planned;
mod query;
mod queue;
mod readiness;
mod reload;
mod richer;
mod route;
mod run;
mod run_handle;
mod served;
mod shown;
mod similar;
mod solve;
pub mod test_set;
mod tried;
mod types;
mod verbalize;
mod verified;
mod wire;

pub use crate::agent::{Baseline, BaselineReply};
pub use ablation::{leave_out, optional_tools};
pub use ask::{Ask, MAX_IRI, MAX_PREFERS, Wanted};
pub use baseline::{BaselineAnswer, BaselineError};
pub use caches::{AnswerCache, Caches};
pub use eruca_dataset::cache::CacheFigures;
pub use explore::{Cells, ExplorationTool, Explored, QueryTried, exploration_tools};
pub use first_prompt::FirstPrompt;
pub use follow::PastQuestion;
pub use learn::{DecideError, Decider, RECENT_QUESTIONS, proposal_shown};
pub use query::WrittenQuery;
pub use queue::Load;
pub use reload::DatasetSource;
pub use route::AUTO;
pub use run::{AnswerPage, PAGE_ROWS, Run, RunId, RunState};
pub use run_handle::{Event, EventReader, Outcome, RunHandle};
pub use served::Unopened;
pub use types::{Answered, Question, ServiceError};

use index::outdated;
use queue::Queue;
use reload::Reloading;
use served::Served;

use crate::agent::Budget;
use crate::agent_features::AgentFeatures;
use crate::cpu_pool::CpuPool;
use crate::llm::{ChatModel, Prices};
use crate::trace::Step;
use eruca_dataset::Dataset;
use eruca_sparql::one_line;
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Panic messages are truncated to this many characters, because they may contain graph data.
const MAX_PANIC_CHARS: usize = 200;
/// Suggested retry delay when overloaded: questions take seconds, browsing requests less.
const RETRY_QUESTIONS: Duration = Duration::from_secs(5);
const RETRY_LOOKS: Duration = Duration::from_secs(1);
/// Maximum length, in characters, of a dataset name; it may be an IRI.
const MAX_DATASET_CHARS: usize = 2_000;

/// Limits of the service.
#[derive(Debug, Clone, Copy)]
pub struct ServiceLimits {
    /// Questions answered concurrently.
    pub max_concurrent_questions: usize,
    /// Questions that may wait in the queue.
    pub max_waiting_questions: usize,
    /// Maximum length of a question, in characters.
    pub max_question_chars: usize,
    /// Time limit for one question.
    pub deadline: Duration,
    /// Budget of one agent run.
    pub budget: Budget,
    /// Feature switches of the agent.
    pub features: AgentFeatures,
    /// Token prices of the model, if known.
    pub prices: Option<Prices>,
}

/// Answers questions about its datasets. Shared by all requests.
pub struct Service {
    served: Served,
    reloading: Reloading,
    model: Option<Arc<dyn ChatModel>>,
    limits: ServiceLimits,
    queue: Arc<Queue>,
    /// Queue for browsing requests, as large as the one for questions.
    looks: Arc<Queue>,
    caches: Caches,
    seen: readiness::LastLooks,
    cpu_pool: Arc<CpuPool>,
    examples: browse::Examples,
    results: boards::Results,
    /// Problems found at start, as messages for people.
    degraded: Vec<String>,
    /// What those see who have a role, by its id.
    roles: Vec<(String, Arc<Self>)>,
}

impl Service {
    /// A service over open datasets. Without a model, the planner answers. `degraded` lists what did not start as
    /// configured.
    pub fn new(
        datasets: Vec<Arc<Dataset>>,
        model: Option<Arc<dyn ChatModel>>,
        limits: ServiceLimits,
        degraded: Vec<String>,
        caches: Caches,
    ) -> Self {
        let room = |retry_after| {
            Arc::new(Queue::new(limits.max_concurrent_questions, limits.max_waiting_questions, retry_after))
        };
        let (queue, looks) = (room(RETRY_QUESTIONS), room(RETRY_LOOKS));
        let (seen, cpu_pool) = (readiness::LastLooks::default(), Arc::new(CpuPool::start()));
        // Load the language packs now rather than with the first question.
        let _known = eruca_language::languages().count();
        let examples = browse::Examples::default();
        let (served, reloading) = (Served::new(datasets), Reloading::default());
        let results = boards::Results::default();
        let roles = Vec::new();
        Self {
            served,
            reloading,
            model,
            limits,
            queue,
            looks,
            caches,
            seen,
            cpu_pool,
            examples,
            results,
            degraded,
            roles,
        }
    }

    /// A service over other datasets that shares model, threads and the places for questions with this one, and nothing else.
    #[must_use]
    pub fn beside(&self, datasets: Vec<Arc<Dataset>>, caches: Caches) -> Self {
        Self {
            served: Served::new(datasets),
            reloading: Reloading::default(),
            model: self.model.clone(),
            limits: self.limits,
            queue: self.queue.clone(),
            looks: self.looks.clone(),
            caches,
            seen: readiness::LastLooks::default(),
            cpu_pool: self.cpu_pool.clone(),
            examples: browse::Examples::default(),
            results: boards::Results::default(),
            degraded: self.degraded.clone(),
            roles: Vec::new(),
        }
    }

    /// The same with services for those who have a role.
    #[must_use]
    pub fn with_roles(self, roles: Vec<(String, Arc<Self>)>) -> Self {
        Self { roles, ..self }
    }

    /// The services for those who have a role, by its id.
    pub fn roles(&self) -> &[(String, Arc<Self>)] {
        &self.roles
    }

    /// Usage statistics of the caches.
    pub fn caches(&self) -> Vec<CacheFigures> {
        self.caches.figures()
    }

    /// The current load of the question queue.
    pub fn load(&self) -> Load {
        self.queue.load()
    }

    /// What is currently degraded, as messages for people.
    pub fn degraded(&self) -> Vec<String> {
        let mut parts = self.degraded.clone();
        for dataset in &self.served.now().opened {
            parts.extend_from_slice(dataset.notes());
            parts.extend(dataset.questions().problems().iter().map(ToString::to_string));
            parts.extend(outdated(dataset, self.reloading.failure(&dataset.id)));
        }
        if self.model.is_none() {
            parts.push(
                "no chat model is configured ([llm] base_url and model): the planner answers".to_owned(),
            );
        }
        parts
    }

    /// The labels of the entities in an answer.
    pub async fn names(&self, answered: &Answered) -> BTreeMap<String, String> {
        match (self.dataset(&answered.dataset_id), &answered.results) {
            (Some(dataset), Some(answer)) => shown::labels(&dataset, answer).await,
            _ => BTreeMap::new(),
        }
    }

    /// The time limit of a question: at most the configured one.
    fn time_of(&self, ask: &Ask) -> QuestionTime {
        QuestionTime::from_now(self.time_allowed(ask))
    }

    /// The time that a question may take: its own limit, if it is below the configured one.
    pub fn time_allowed(&self, ask: &Ask) -> Duration {
        let configured = self.limits.deadline;
        ask.deadline.unwrap_or(configured).min(configured)
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

/// The time limit of one question.
#[derive(Debug, Clone, Copy)]
struct QuestionTime {
    /// The total duration allowed.
    allowed: Duration,
    /// The end of that time.
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

/// The error for a panic while answering, with the steps done so far.
fn fault(panic: &(dyn Any + Send), steps: Vec<Step>) -> ServiceError {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason was given");
    ServiceError::Panicked { reason: one_line(said, MAX_PANIC_CHARS), steps }
}

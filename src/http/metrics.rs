//! Metrics in the OpenMetrics text format, for Prometheus: counted from the traces of answered questions, and
//! the queries that were run for pages of verified questions.

use super::query_log::RanBoard;
use crate::service::{CacheFigures, Load, Outcome, ServiceError};
use crate::trace::{AnsweredBy, StepKind, Trace};
use eruca_dataset::ID_SEPARATOR;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use std::time::Duration;

/// The content type of [`Metrics::text`].
pub(super) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Bucket bounds in seconds: from an index look-up to the default deadline.
const SECONDS: [f64; 14] =
    [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 20.0, 40.0, 80.0, 150.0, 300.0];

/// The outcome of a page's query that has given a result.
const ANSWERED: &str = "answered";

type Histograms = Family<[(&'static str, String); 1], Histogram, fn() -> Histogram>;

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OutcomeLabels {
    dataset: String,
    outcome: &'static str,
    /// The name of the client's key; no label if no key is required.
    #[prometheus(flatten)]
    key: Vec<(&'static str, String)>,
}

impl OutcomeLabels {
    fn new(dataset: String, outcome: &'static str, key: Option<&str>) -> Self {
        let key = key.map(|name| ("key", name.to_owned())).into_iter().collect();
        Self { dataset, outcome, key }
    }
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Cached {
    cache: &'static str,
    outcome: &'static str,
}

/// All metrics of a service.
pub(super) struct Metrics {
    registry: Registry,
    questions: Family<OutcomeLabels, Counter>,
    question_seconds: Histograms,
    board_queries: Family<OutcomeLabels, Counter>,
    board_seconds: Histograms,
    stage_seconds: Histograms,
    model_calls: Family<[(&'static str, String); 1], Counter>,
    tokens: Family<[(&'static str, &'static str); 1], Counter>,
    running: Gauge,
    waiting: Gauge,
    cache: Family<Cached, Counter>,
}

impl Metrics {
    pub(super) fn new() -> Self {
        let histograms = || Histograms::new_with_constructor(|| Histogram::new(SECONDS));
        let mut metrics = Self {
            registry: Registry::with_prefix("eruca"),
            questions: Family::default(),
            question_seconds: histograms(),
            board_queries: Family::default(),
            board_seconds: histograms(),
            stage_seconds: histograms(),
            model_calls: Family::default(),
            tokens: Family::default(),
            running: Gauge::default(),
            waiting: Gauge::default(),
            cache: Family::default(),
        };
        metrics.register();
        metrics
    }

    fn register(&mut self) {
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        let registry = &mut self.registry;
        registry.register("build", "The version that runs", version);
        registry.register(
            "questions",
            "Questions by what answered them, or why they were not answered",
            self.questions.clone(),
        );
        let (whole, stage) = (self.question_seconds.clone(), self.stage_seconds.clone());
        registry.register_with_unit("question", "Time of answered questions", Unit::Seconds, whole);
        registry.register_with_unit("stage", "Time of the parts of answered questions", Unit::Seconds, stage);
        registry.register(
            "board_queries",
            "Queries that were run for pages of verified questions, by what came of them",
            self.board_queries.clone(),
        );
        let board = self.board_seconds.clone();
        registry.register_with_unit("board_query", "Time of queries for pages", Unit::Seconds, board);
        registry.register("model_calls", "Completions requested from the model", self.model_calls.clone());
        registry.register("tokens", "Tokens of prompts and completions", self.tokens.clone());
        registry.register("questions_running", "Questions that are being answered", self.running.clone());
        registry.register("questions_waiting", "Questions that wait for their turn", self.waiting.clone());
        registry.register("cache_requests", "Look-ups in the caches", self.cache.clone());
    }

    /// Counts a question. Unknown datasets share one label: clients could invent any number of them.
    pub(super) fn count(&self, outcome: &Outcome, key: Option<&str>, seconds: Duration) {
        let (dataset, outcome) = match outcome {
            Ok(answered) => {
                let dataset = label_of(&answered.dataset_id);
                self.count_trace(&dataset, &answered.trace);
                let label = [("dataset", dataset.clone())];
                self.question_seconds.get_or_create(&label).observe(seconds.as_secs_f64());
                (dataset, answered_by(answered.trace.answered_by))
            }
            Err(error @ ServiceError::EndpointDown { dataset, .. }) => (label_of(dataset), error.code()),
            Err(error) => (String::new(), error.code()),
        };
        self.questions.get_or_create(&OutcomeLabels::new(dataset, outcome, key)).inc();
    }

    /// Counts a query that was run for a page of a verified question.
    pub(super) fn count_board(&self, ran: &RanBoard<'_>, key: Option<&str>, seconds: Duration) {
        let (dataset, outcome) = (ran.dataset.to_owned(), ran.outcome.err().unwrap_or(ANSWERED));
        if ran.outcome.is_ok() {
            let label = [("dataset", dataset.clone())];
            self.board_seconds.get_or_create(&label).observe(seconds.as_secs_f64());
        }
        self.board_queries.get_or_create(&OutcomeLabels::new(dataset, outcome, key)).inc();
    }

    fn count_trace(&self, dataset: &str, trace: &Trace) {
        self.model_calls.get_or_create(&[("dataset", dataset.to_owned())]).inc_by(trace.model_calls.into());
        let usage = &trace.usage;
        let kinds = [
            ("prompt", usage.prompt_tokens),
            ("cached", usage.cached_tokens),
            ("completion", usage.completion_tokens),
        ];
        for (kind, tokens) in kinds {
            self.tokens.get_or_create(&[("kind", kind)]).inc_by(tokens);
        }
        for step in &trace.steps {
            if let Some(stage) = stage(&step.kind) {
                let label = [("stage", stage.to_owned())];
                self.stage_seconds.get_or_create(&label).observe(step.elapsed.as_secs_f64());
            }
        }
    }

    /// All metrics as text. Values counted elsewhere are read now.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn text(&self, load: Load, caches: &[CacheFigures]) -> Result<String, std::fmt::Error> {
        self.running.set(i64::try_from(load.running).unwrap_or(i64::MAX));
        self.waiting.set(i64::try_from(load.waiting).unwrap_or(i64::MAX));
        for CacheFigures { name: cache, hits, misses } in caches {
            for (outcome, count) in [("hit", hits), ("miss", misses)] {
                let counter = self.cache.get_or_create(&Cached { cache, outcome });
                counter.inc_by(count.saturating_sub(counter.get()));
            }
        }
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

pub(super) fn answered_by(by: AnsweredBy) -> &'static str {
    match by {
        AnsweredBy::Agent => "agent",
        AnsweredBy::Planner => "planner",
        AnsweredBy::Verified => "verified",
    }
}

fn stage(kind: &StepKind) -> Option<&'static str> {
    match kind {
        StepKind::Grounding { .. } => Some("grounding"),
        StepKind::Model { .. } => Some("model"),
        StepKind::Tool { .. } => Some("tool"),
        StepKind::Planner { .. } => Some("planner"),
        StepKind::Rewrite { .. } | StepKind::Controller { .. } => None,
    }
}
/// The label of a dataset. Lists share one: clients could make any number of them.
fn label_of(dataset: &str) -> String {
    if dataset.contains(ID_SEPARATOR) { "several".to_owned() } else { dataset.to_owned() }
}

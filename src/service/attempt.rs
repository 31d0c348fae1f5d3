//! The state of a question while it is being answered: the results of the agent and of the planner, and the shape of
//! the answer.

use super::lent::LentAnswer;
use super::planned::Planned;
use crate::agent::{AgentOutcome, Draft, RunSigns};
use crate::form::{AnswerForm, Fitted, StatedForm, fit};
use crate::llm::Usage;
use crate::tools::Computation;
use crate::trace::{AnsweredBy, Insight, Recorder, StopReason};
use eruca_api::Verified;
use eruca_dataset::{Dataset, RunQuery};
use eruca_indexer::texts::Passage;
use eruca_planner::question::ParsedQuestion;
use eruca_sparql::{QueryError, WorkingGraph};
use serde_json::Value;
use std::sync::Arc;
use std::time::Instant;

/// The state of a question so far.
pub(super) struct Attempt {
    pub(super) stop: StopReason,
    pub(super) model: Option<String>,
    pub(super) calls: u32,
    pub(super) usage: Usage,
    pub(super) by: AnsweredBy,
    pub(super) best: Option<RunQuery>,
    pub(super) form: StatedForm,
    /// What the graph lacks, according to the model.
    pub(super) absence: Option<String>,
    /// What the model computed, if that is its answer.
    pub(super) computed: Option<Computation>,
    /// The triples that the model remembered.
    pub(super) memory: WorkingGraph,
    /// Passages of texts that the model cites.
    pub(super) cited: Vec<Arc<Passage>>,
    /// The conversation with the model, if it is kept.
    pub(super) conversation: Option<Value>,
    pub(super) insight: Option<Insight>,
    /// The verified question whose query it is.
    pub(super) verified: Option<Verified>,
    /// The planner's drafts that were given to the agent.
    pub(super) drafts: Vec<Draft>,
    /// Signs from the agent's run.
    pub(super) signs: RunSigns,
    pub(super) degraded: Vec<String>,
}

impl Attempt {
    /// An empty attempt.
    pub(super) fn new(degraded: Vec<String>) -> Self {
        Self {
            stop: StopReason::NoModel,
            model: None,
            calls: 0,
            usage: Usage::default(),
            by: AnsweredBy::Planner,
            best: None,
            form: StatedForm::default(),
            absence: None,
            computed: None,
            cited: Vec::new(),
            memory: WorkingGraph::EMPTY,
            conversation: None,
            insight: None,
            verified: None,
            drafts: Vec::new(),
            signs: RunSigns::default(),
            degraded,
        }
    }

    pub(super) fn take(&mut self, outcome: AgentOutcome, model: &str) {
        let AgentOutcome {
            best,
            form,
            absence,
            computed,
            memory,
            cited,
            signs,
            stop,
            model_calls,
            usage,
            conversation,
            failure,
        } = outcome;
        (self.form, self.absence, self.computed, self.signs) = (form, absence, computed, signs);
        (self.memory, self.cited, self.conversation) = (memory, cited, conversation);
        self.degraded.extend(failure.map(|error| error.to_string()));
        (self.stop, self.calls, self.usage, self.best) = (stop, model_calls, usage, best);
        self.model = Some(model.to_owned());
        self.by = AnsweredBy::Agent;
    }

    /// Takes over the planner's answer; the agent's result is kept if the planner has nothing better.
    pub(super) fn take_plan(&mut self, planned: Planned) {
        let Planned { best, insight, readings: _ } = planned;
        let better = best.as_ref().is_some_and(|best| best.result.is_ok()) || self.best.is_none();
        if better {
            if self.by == AnsweredBy::Agent {
                self.degraded.push("the chat model found no query that runs: the planner answers".to_owned());
            }
            self.by = AnsweredBy::Planner;
            (self.best, self.insight) = (best, insight);
        }
    }

    /// Takes over the answer by the query of a near verified question.
    pub(super) fn take_lent(&mut self, lent: LentAnswer) {
        let LentAnswer { best, insight, verified } = lent;
        (self.by, self.best) = (AnsweredBy::Verified, Some(best));
        (self.insight, self.verified) = (Some(insight), Some(verified));
    }

    /// Adapts the agent's best query to the shape that the question asks for. Queries showing that the graph lacks
    /// data are left unchanged, and so are those from which the answer was computed.
    pub(super) async fn fit(
        &mut self,
        dataset: &Dataset,
        question: &ParsedQuestion,
        deadline: Instant,
        recorder: &Recorder<'_>,
    ) {
        if self.absence.is_some() || self.computed.is_some() {
            return;
        }
        let Some(best) = self.best.take() else { return };
        let form = AnswerForm::read(question).stated_as(self.form.clone());
        let Fitted { run, changes } = fit(&form, best, dataset, deadline).await;
        for change in changes {
            recorder.rewrite(change);
        }
        self.best = Some(run);
    }
}

/// Whether the endpoint rejects the query. A query that timed out or hit an endpoint failure may still be right, and
/// a model's query is a better guess than the planner's.
pub(super) fn is_broken(run: &RunQuery) -> bool {
    match &run.result {
        Ok(_)
        | Err(
            QueryError::Timeout { .. }
            | QueryError::TooLarge { .. }
            | QueryError::RateLimited { .. }
            | QueryError::Unavailable { .. },
        ) => false,
        Err(_) => true,
    }
}

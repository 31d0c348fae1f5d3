//! What became of a question so far: what the agent came to, what the planner, and the form of the answer.

use super::planned::Planned;
use crate::agent::{AgentOutcome, Draft, RunSigns};
use crate::form::{AnswerForm, Fitted, StatedForm, fit};
use crate::llm::Usage;
use crate::trace::{AnsweredBy, Insight, Recorder, StopReason};
use eruca_dataset::{Dataset, RunQuery};
use eruca_planner::question::ParsedQuestion;
use eruca_sparql::QueryError;
use std::time::Instant;

/// What became of a question so far.
pub(super) struct Attempt {
    pub(super) stop: StopReason,
    pub(super) model: Option<String>,
    pub(super) calls: u32,
    pub(super) usage: Usage,
    pub(super) by: AnsweredBy,
    pub(super) best: Option<RunQuery>,
    pub(super) form: StatedForm,
    /// What the graph lacks, as the model says.
    pub(super) absence: Option<String>,
    pub(super) insight: Option<Insight>,
    /// What the planner gave the agent to begin with.
    pub(super) drafts: Vec<Draft>,
    /// What the agent's run says of its answer.
    pub(super) signs: RunSigns,
    pub(super) degraded: Vec<String>,
}

impl Attempt {
    /// Nothing yet.
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
            insight: None,
            drafts: Vec::new(),
            signs: RunSigns::default(),
            degraded,
        }
    }

    pub(super) fn take(&mut self, outcome: AgentOutcome, model: &str) {
        let AgentOutcome { best, form, absence, signs, stop, model_calls, usage, failure } = outcome;
        (self.form, self.absence, self.signs) = (form, absence, signs);
        self.degraded.extend(failure.map(|error| error.to_string()));
        (self.stop, self.calls, self.usage, self.best) = (stop, model_calls, usage, best);
        self.model = Some(model.to_owned());
        self.by = AnsweredBy::Agent;
    }

    /// Takes the planner's answer. What the agent had is kept if the planner has nothing better.
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

    /// Brings the agent's best query to the form that the question asks for. One that shows what the graph lacks has none.
    pub(super) async fn fit(
        &mut self,
        dataset: &Dataset,
        question: &ParsedQuestion,
        deadline: Instant,
        recorder: &Recorder<'_>,
    ) {
        if self.absence.is_some() {
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

/// Whether a query is no answer: the endpoint refuses it. One that ran out of time, or met an endpoint in trouble, may
/// well be right, and a model's query is a better guess than the planner's.
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

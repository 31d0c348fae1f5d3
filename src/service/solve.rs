//! From a question that stands alone to its query: the words are linked, then the agent answers, or the planner in its place, and
//! the answer is brought to the form that the question asks for.

use super::agent_insight::AgentAnswer;
use super::attempt::{Attempt, is_broken};
use super::drafts::drafts;
use super::named::{self, named_alone};
use super::orient::holdings;
use super::pipeline::QuestionContext;
use super::planned::{Planned, ToPlan, plan};
use super::queue::Place;
use super::{Answered, QuestionTime, Service, ServiceError};
use crate::agent::{AgentTask, Draft, run_agent};
use crate::cpu_pool::CpuPool;
use crate::grounding::{Grounding, ground};
use crate::trace::{AnsweredBy, Insight, NO_RESULT, Recorder, StepKind, StopReason, Trace};
use eruca_dataset::{Dataset, RunQuery};
use eruca_planner::question::ParsedQuestion;
use eruca_planner::{AllowedTime, LinkError, Named, is_too_long, link};
use eruca_sparql::{Answer, Limits, QueryError, Results, Solutions};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tracing::Instrument;

/// Time kept back for the planner when the agent comes to the end of its time.
const PLANNER_TIME: Duration = Duration::from_secs(5);
/// The planner keeps the deadline itself; only when it does not, it is no longer waited for after this.
const PLANNER_GRACE: Duration = Duration::from_secs(1);
/// Time for the first look whether an endpoint answers.
pub(super) const ENDPOINT_CHECK_TIME: Duration = Duration::from_secs(10);

impl Service {
    /// Finds the query of a question, with its results.
    pub(super) async fn solve(
        &self,
        dataset: &Dataset,
        context: &QuestionContext,
        place: &Arc<Place>,
        recorder: &Recorder<'_>,
    ) -> Result<Answered, ServiceError> {
        let (time, question) = (context.time, &context.parsed);
        let dataset = &Arc::new(dataset.asked(question));
        let (grounding, ()) =
            tokio::try_join!(self.ground(dataset, question, time), check_endpoint(dataset.clone(), time))?;
        let grounding = grounding.unwrap_or_else(|| {
            recorder.note(
                "looking up the words of the question took too long; the question goes on without them",
            );
            Grounding::default()
        });
        let observation = grounding.text(dataset, true);
        recorder.record(Duration::ZERO, StepKind::Grounding { observation });
        let linked = Linked { service: self, dataset, context, place, grounding: &grounding, recorder };
        let mut attempt = linked.attempt().await;
        if self.limits.features.answer_form && attempt.by == AnsweredBy::Agent {
            attempt.fit(dataset, question, time.deadline, recorder).await;
        }
        if attempt.by == AnsweredBy::Agent && attempt.absence.is_none() {
            attempt.insight = linked.insight(&attempt).await;
        }
        self.conclude(dataset, attempt, recorder)
    }

    /// What the words of the question may mean; `None` when that is not found out in time.
    async fn ground(
        &self,
        dataset: &Arc<Dataset>,
        question: &Arc<ParsedQuestion>,
        time: QuestionTime,
    ) -> Result<Option<Grounding>, ServiceError> {
        // The planner does not read it, and nobody else is there who would.
        if self.model.is_none() && is_too_long(question) {
            return Ok(Some(Grounding::default()));
        }
        let (cpu_pool, dataset, question) = (self.cpu_pool.clone(), dataset.clone(), question.clone());
        let until = Instant::now() + time.allowed / 3;
        let grounding = async move {
            let (index, asked) = (dataset.clone(), question.clone());
            let named = cpu_pool
                .at_length(move |turns| link(&index.index, &asked, Some(AllowedTime::new(until, turns))));
            let named = named.await?;
            Ok(cpu_pool.in_turns(async move { ground(&dataset, &question, named).await }).await)
        };
        let grounding = grounding.instrument(tracing::info_span!("grounding"));
        let found = tokio::time::timeout(time.allowed / 3, grounding).await.ok();
        found.transpose().map_err(|error: LinkError| ServiceError::Internal(error.to_string()))
    }

    /// The answer, its steps left out: the handle of the run has them.
    fn conclude(
        &self,
        dataset: &Dataset,
        attempt: Attempt,
        recorder: &Recorder<'_>,
    ) -> Result<Answered, ServiceError> {
        let Attempt { stop, model, calls, usage, by, best, absence, insight, mut degraded, .. } = attempt;
        let Some(best) = best else {
            return Err(ServiceError::Internal("no valid query could be made for the question".to_owned()));
        };
        degraded.extend(best.result.as_ref().err().map(|error| format!("{NO_RESULT}: {error}")));
        let elapsed = recorder.elapsed();
        let cost = self.limits.prices.filter(|_| calls > 0).map(|prices| prices.cost(&usage));
        let trace = Trace {
            dataset_id: dataset.id.clone(),
            answered_by: by,
            stop,
            model,
            degraded,
            insight,
            not_in_graph: absence,
            steps: Vec::new(),
            model_calls: calls,
            usage,
            cost,
            elapsed,
            results: None,
        };
        let results = best.result.ok();
        let results = if trace.not_in_graph.is_some() { results.map(without_zeros) } else { results };
        let query = best.query.text().to_owned();
        Ok(Answered { dataset_id: dataset.id.clone(), query, results, trace })
    }
}

/// A question whose words have been looked up.
struct Linked<'a> {
    service: &'a Service,
    dataset: &'a Arc<Dataset>,
    context: &'a QuestionContext,
    place: &'a Arc<Place>,
    grounding: &'a Grounding,
    recorder: &'a Recorder<'a>,
}

impl Linked<'_> {
    /// The agent if there is a model; the planner if there is none or the agent has no query to give.
    async fn attempt(&self) -> Attempt {
        let mut attempt = Attempt::new(self.service.degraded());
        if let Some(best) = self.asked_again().await {
            attempt.best = Some(best);
            attempt.stop = StopReason::AskedAgain;
            return attempt;
        }
        let named = if self.context.among.is_all() { self.named_alone().await } else { None };
        if let Some(named) = named {
            attempt.take_plan(named);
            attempt.stop = StopReason::OnlyNamed;
            return attempt;
        }
        if let Some(held) = self.holdings().await {
            attempt.take_plan(held);
            attempt.stop = StopReason::AskedForHelp;
            return attempt;
        }
        self.agent(&mut attempt).await;
        if attempt.best.as_ref().is_none_or(is_broken) {
            let since = self.recorder.elapsed();
            let mut planned = self.plan().await;
            let readings = std::mem::take(&mut planned.readings);
            self.recorder.record(since, StepKind::Planner { readings });
            attempt.take_plan(planned);
        }
        attempt
    }

    /// Lets the agent answer, if there is a model.
    async fn agent(&self, attempt: &mut Attempt) {
        let Self { service, dataset, context, grounding, recorder, place: _ } = self;
        let Some(model) = &service.model else { return };
        let time = context.time;
        let kept_back = PLANNER_TIME.min(time.allowed / 10);
        let deadline = time.deadline.checked_sub(kept_back).unwrap_or(time.deadline);
        let drafts = self.drafts(deadline).await;
        let task = AgentTask {
            drafts: &drafts,
            earlier: &context.earlier,
            text: &context.question.text,
            question: &context.parsed,
            dataset,
            cpu_pool: &service.cpu_pool,
            grounding,
            model: model.as_ref(),
            budget: service.limits.budget,
            features: service.limits.features,
            deadline,
        };
        attempt.take(run_agent(&task, recorder).await, model.name());
        attempt.drafts = drafts;
    }

    /// What is said of the things of a question that only names them. A model may know better what a misspelt one means.
    async fn named_alone(&self) -> Option<Planned> {
        let since = self.recorder.elapsed();
        let (cpu_pool, dataset, question, named) = self.owned();
        let name = named_alone(&cpu_pool, &dataset, &question, &named).await?;
        if self.service.model.is_some() && !name.exact {
            return None;
        }
        let mut planned = named::told(&dataset, &question, &name, self.context.time.deadline).await?;
        self.recorder.record(since, StepKind::Planner { readings: std::mem::take(&mut planned.readings) });
        Some(planned)
    }

    /// The query of an earlier answer, run again.
    async fn asked_again(&self) -> Option<RunQuery> {
        let query = self.dataset.check(&self.context.again.as_ref()?.0).ok()?;
        let left = self.context.time.deadline.saturating_duration_since(Instant::now());
        let answer = self.dataset.run(&query, left).await.ok()?;
        Some(RunQuery { query, result: Ok(answer) })
    }

    /// What the graph holds, where nothing is asked but what can be asked.
    async fn holdings(&self) -> Option<Planned> {
        if !self.context.parsed.asks_for_help() || !self.dataset.is_indexed() {
            return None;
        }
        let since = self.recorder.elapsed();
        let mut held = holdings(self.dataset, &self.context.parsed, self.context.time.deadline).await?;
        self.recorder.record(since, StepKind::Planner { readings: std::mem::take(&mut held.readings) });
        Some(held)
    }

    /// How far the agent's answer is to be believed, and why.
    async fn insight(&self, attempt: &Attempt) -> Option<Insight> {
        let answer = AgentAnswer {
            cpu_pool: &self.service.cpu_pool,
            dataset: self.dataset,
            question: &self.context.parsed,
            named: &self.grounding.named,
            run: attempt.best.as_ref()?,
            drafts: &attempt.drafts,
            signs: &attempt.signs,
            stop: attempt.stop,
            deadline: self.context.time.deadline,
        };
        Some(answer.insight().await)
    }

    /// What the planner gives the agent to begin with.
    async fn drafts(&self, deadline: Instant) -> Vec<Draft> {
        if !self.service.limits.features.drafts {
            return Vec::new();
        }
        let since = self.recorder.elapsed();
        let (cpu_pool, owned, asked, named) = self.owned();
        let found = async move {
            let found = drafts(&cpu_pool, &owned, &asked, &named, deadline).await;
            for answer in found.iter().filter_map(|draft| draft.run.result.as_ref().ok()) {
                owned.fetch_names_of(answer).await;
            }
            found
        };
        let time = deadline.saturating_duration_since(Instant::now()) / 4;
        let found = tokio::time::timeout(time, self.service.cpu_pool.in_turns(found)).await;
        let found = found.unwrap_or_default();
        if !found.is_empty() {
            let readings = found.iter().map(|draft| {
                let rows = draft.run.result.as_deref().map_or(0, Answer::row_count);
                format!("draft for the model: {}; {rows} rows", draft.reading)
            });
            self.recorder.record(since, StepKind::Planner { readings: readings.collect() });
        }
        found
    }

    /// What the planner looks at, by itself, so that it can go to another thread.
    fn owned(&self) -> (Arc<CpuPool>, Arc<Dataset>, Arc<ParsedQuestion>, Named) {
        let (cpu_pool, named) = (self.service.cpu_pool.clone(), self.grounding.named.clone());
        (cpu_pool, self.dataset.clone(), self.context.parsed.clone(), named)
    }

    /// The planner's answer, within the deadline.
    async fn plan(&self) -> Planned {
        let deadline = self.context.time.deadline;
        let (cpu_pool, dataset, question, named) = self.owned();
        let (place, among) = (self.place.clone(), self.context.among.clone());
        let asked = ToPlan { question, named, among, prefers: self.context.prefers.clone() };
        let planned = async move { plan(&cpu_pool, Some(&*place), &dataset, &asked, deadline).await };
        let planned = planned.instrument(tracing::info_span!("planner"));
        let time = deadline.saturating_duration_since(Instant::now()) + PLANNER_GRACE;
        let planned = tokio::time::timeout(time, self.service.cpu_pool.in_turns(planned)).await;
        planned.unwrap_or_else(|_| Planned::late())
    }
}

/// The answer of a query that shows what the graph lacks: the zero of an aggregate over nothing is no value.
fn without_zeros(answer: Arc<Answer>) -> Arc<Answer> {
    match &answer.results {
        Results::Solutions(found) if answer.is_zero_aggregate() => {
            let variables = found.variables.clone();
            let results = Results::Solutions(Solutions { variables, rows: Vec::new() });
            Arc::new(Answer { results, incomplete: answer.incomplete.clone(), elapsed: answer.elapsed })
        }
        _ => answer,
    }
}

/// Whether the endpoint answers at all: without it no query can be verified, and the asker should know why.
async fn check_endpoint(dataset: Arc<Dataset>, time: QuestionTime) -> Result<(), ServiceError> {
    let patience = ENDPOINT_CHECK_TIME.min(time.allowed / 4);
    let asked = dataset.clone();
    match CpuPool::apart(async move { ask_endpoint(&asked, patience).await }).await {
        Err(QueryError::Unavailable { message }) => Err(ServiceError::EndpointDown {
            dataset: dataset.id.clone(),
            endpoint: dataset.endpoint.name().to_owned(),
            reason: message,
        }),
        // Anything else says that something is there.
        Ok(_) | Err(_) => Ok(()),
    }
}

pub(super) async fn ask_endpoint(dataset: &Dataset, time: Duration) -> Result<Answer, QueryError> {
    let query = dataset.check("ASK { ?s ?p ?o }")?;
    // Not by way of the dataset, which may remember what the endpoint said when it was there.
    dataset.endpoint.query(&query, Limits { timeout: time, ..dataset.rules.limits }).await
}

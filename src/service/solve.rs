//! Finds the query of a standalone question: its words are linked, then the agent answers, or the planner in its
//! place, and the answer is adapted to the shape that the question asks for.

use super::agent_insight::AgentAnswer;
use super::attempt::{Attempt, is_broken};
use super::cite::citations;
use super::drafts::drafts;
use super::lent::{Lent, LentAnswer, lent};
use super::named::{self, named_alone};
use super::orient::holdings;
use super::pipeline::QuestionContext;
use super::planned::{Planned, ToPlan, plan};
use super::queue::Place;
use super::{Answered, QuestionTime, Service, ServiceError};
use crate::agent::{AgentTask, Draft, Example, OtherGraph, run_agent};
use crate::agent_features::AgentFeatures;
use crate::cpu_pool::CpuPool;
use crate::grounding::{Grounding, ground};
use crate::trace::{AnsweredBy, Insight, NO_RESULT, Recorder, StepKind, StopReason, Trace};
use eruca_api::{Citation, Computed, Confidence};
use eruca_dataset::{Dataset, RunQuery};
use eruca_planner::question::ParsedQuestion;
use eruca_planner::{AllowedTime, LinkError, Named, is_too_long};
use eruca_sparql::{Answer, Limits, QueryError, Results, Solutions};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::OnceCell;
use tracing::Instrument;

/// Time reserved for the planner in case the agent runs out of time.
const PLANNER_TIME: Duration = Duration::from_secs(5);
/// The planner respects the deadline itself; if it fails to, waiting stops after this.
const PLANNER_GRACE: Duration = Duration::from_secs(1);
/// Time limit for the initial check whether an endpoint responds.
pub(super) const ENDPOINT_CHECK_TIME: Duration = Duration::from_secs(10);

impl Service {
    /// Finds the query of a question, and its results.
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
        let others = self.others(dataset, context, recorder).await?;
        let linked = Linked {
            service: self,
            dataset,
            others: &others,
            context,
            place,
            grounding: &grounding,
            recorder,
            near: OnceCell::new(),
        };
        let mut attempt = linked.attempt().await;
        let asked = attempt.best.as_ref().map_or_else(|| dataset.clone(), |best| dataset.asked_by(best));
        let joins = asked.is_several();
        if self.limits.features.answer_form && attempt.by == AnsweredBy::Agent && !joins {
            attempt.fit(&asked, question, time.deadline, recorder).await;
        }
        if attempt.by == AnsweredBy::Agent && attempt.absence.is_none() {
            attempt.insight = linked.insight(&attempt, &asked).await;
        }
        let citations = citations(&attempt, &context.question.text, &grounding, dataset).await;
        self.conclude(&asked, attempt, citations, recorder)
    }

    /// The other datasets that a question may be about, with what its words may mean in them.
    async fn others(
        &self,
        dataset: &Arc<Dataset>,
        context: &QuestionContext,
        recorder: &Recorder<'_>,
    ) -> Result<Vec<OtherGraph>, ServiceError> {
        let mut others = Vec::new();
        for member in dataset.other_members() {
            let Some(turned) = dataset.with_home(&member.id) else { continue };
            let grounding = self.ground(member, &context.parsed, context.time).await?.unwrap_or_default();
            let observation = format!("{}: {}", member.id, grounding.text(member, true));
            recorder.record(Duration::ZERO, StepKind::Grounding { observation });
            others.push(OtherGraph { dataset: turned, grounding });
        }
        Ok(others)
    }

    /// Candidate meanings for the words of the question; `None` on a timeout.
    pub(super) async fn ground(
        &self,
        dataset: &Arc<Dataset>,
        question: &Arc<ParsedQuestion>,
        time: QuestionTime,
    ) -> Result<Option<Grounding>, ServiceError> {
        // The planner skips such questions, and there is no model that could use the result.
        if self.model.is_none() && is_too_long(question) {
            return Ok(Some(Grounding::default()));
        }
        let (cpu_pool, dataset, question) = (self.cpu_pool.clone(), dataset.clone(), question.clone());
        let until = Instant::now() + time.allowed / 3;
        let grounding = async move {
            let (index, asked) = (dataset.clone(), question.clone());
            let named =
                cpu_pool.at_length(move |turns| index.link(&asked, Some(AllowedTime::new(until, turns))));
            let named = named.await?;
            Ok(cpu_pool.in_turns(async move { ground(&dataset, &question, named).await }).await)
        };
        let grounding = grounding.instrument(tracing::info_span!("grounding"));
        let found = tokio::time::timeout(time.allowed / 3, grounding).await.ok();
        found.transpose().map_err(|LinkError(error)| ServiceError::of_names(&error))
    }

    /// The answer without its steps, which the handle of the run has.
    pub(super) fn conclude(
        &self,
        dataset: &Dataset,
        attempt: Attempt,
        citations: Vec<Citation>,
        recorder: &Recorder<'_>,
    ) -> Result<Answered, ServiceError> {
        let Attempt {
            stop,
            model,
            calls,
            usage,
            by,
            best,
            absence,
            computed,
            memory,
            insight,
            verified,
            conversation,
            mut degraded,
            ..
        } = attempt;
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
            verified,
            not_in_graph: absence,
            computed: computed.map(|computed| with_names(Arc::unwrap_or_clone(computed), dataset)),
            citations,
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
        Ok(Answered { dataset_id: dataset.id.clone(), query, results, trace, memory, conversation })
    }
}

/// A question whose words have been linked.
struct Linked<'a> {
    service: &'a Service,
    dataset: &'a Arc<Dataset>,
    others: &'a [OtherGraph],
    context: &'a QuestionContext,
    place: &'a Arc<Place>,
    grounding: &'a Grounding,
    recorder: &'a Recorder<'a>,
    /// Verified questions near to this one, looked up at most once.
    near: OnceCell<Vec<Lent>>,
}

impl Linked<'_> {
    /// Runs the agent if there is a model; the planner if there is none or the agent has no query.
    async fn attempt(&self) -> Attempt {
        let mut attempt = Attempt::new(self.service.degraded());
        attempt.degraded.extend_from_slice(&self.context.left_out);
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
            let lent = self.lent_answer(&planned).await;
            attempt.take_plan(planned);
            if let Some(lent) = lent {
                self.recorder.note(lent.verified.text.clone());
                attempt.take_lent(lent);
            }
        }
        attempt
    }

    /// Runs the agent, if there is a model.
    async fn agent(&self, attempt: &mut Attempt) {
        let Self { service, dataset, others, context, grounding, recorder, .. } = self;
        let Some(model) = &service.model else { return };
        let time = context.time;
        let kept_back = PLANNER_TIME.min(time.allowed / 10);
        let deadline = time.deadline.checked_sub(kept_back).unwrap_or(time.deadline);
        let drafts = self.drafts(deadline).await;
        let examples = self.examples().await;
        let task = AgentTask {
            drafts: &drafts,
            examples: &examples,
            earlier: &context.earlier,
            text: &context.question.text,
            question: &context.parsed,
            dataset,
            others,
            cpu_pool: &service.cpu_pool,
            grounding,
            model: model.as_ref(),
            budget: service.limits.budget,
            features: AgentFeatures {
                texts: service.limits.features.texts && dataset.has_texts(),
                ..service.limits.features
            },
            deadline,
        };
        attempt.take(run_agent(&task, recorder).await, model.name());
        attempt.drafts = drafts;
    }

    /// Verified questions near to this one.
    async fn examples(&self) -> Vec<Example> {
        let near = self.lent().await;
        if !near.is_empty() {
            self.recorder.note(format!("{} near verified questions are shown to the model", near.len()));
        }
        near.iter().map(Lent::example).collect()
    }

    async fn lent(&self) -> &[Lent] {
        let look_up = async || {
            let (cpu_pool, dataset, question, named) = self.owned();
            lent(&cpu_pool, &dataset, &self.context.question.text, &question, &named).await
        };
        self.near.get_or_init(look_up).await
    }

    /// The answer by the query of a near verified question, if the planner's is less well founded.
    async fn lent_answer(&self, planned: &Planned) -> Option<LentAnswer> {
        let is_sure = planned.insight.as_ref().is_some_and(|known| known.confidence == Confidence::Sure);
        if is_sure || !self.context.among.is_all() {
            return None;
        }
        let lent = (self.lent().await, planned.insight.as_ref());
        let Self { service, dataset, context, grounding, .. } = self;
        let deadline = context.time.deadline;
        service.lent_answer(dataset, &context.parsed, &grounding.named, lent, deadline).await
    }

    /// The facts about entities that the question only names. Misspelled names are left to a model, if there is one.
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

    /// Runs the query of an earlier answer again.
    async fn asked_again(&self) -> Option<RunQuery> {
        let query = self.dataset.check(&self.context.again.as_ref()?.0).ok()?;
        let left = self.context.time.deadline.saturating_duration_since(Instant::now());
        let answer = self.dataset.run(&query, left).await.ok()?;
        Some(RunQuery::new(query, Ok(answer)))
    }

    /// What the graph contains, if the question only asks what can be asked.
    async fn holdings(&self) -> Option<Planned> {
        if !self.context.parsed.asks_for_help() || !self.dataset.is_indexed() {
            return None;
        }
        let since = self.recorder.elapsed();
        let mut held = holdings(self.dataset, &self.context.parsed, self.context.time.deadline).await?;
        self.recorder.record(since, StepKind::Planner { readings: std::mem::take(&mut held.readings) });
        Some(held)
    }

    /// The confidence of the agent's answer, with reasons.
    async fn insight(&self, attempt: &Attempt, asked: &Arc<Dataset>) -> Option<Insight> {
        let other = self.others.iter().find(|other| !asked.is_several() && other.id() == asked.id);
        let answer = AgentAnswer {
            cpu_pool: &self.service.cpu_pool,
            dataset: asked,
            question: &self.context.parsed,
            named: &other.map_or(self.grounding, |other| &other.grounding).named,
            run: attempt.best.as_ref()?,
            drafts: &attempt.drafts,
            signs: &attempt.signs,
            stop: attempt.stop,
            deadline: self.context.time.deadline,
        };
        let insight = answer.insight().await;
        let insight = if asked.is_several() { answer.of_several(insight) } else { insight };
        Some(if attempt.computed.is_some() { answer.of_program(insight) } else { insight })
    }

    /// The planner's drafts for the agent.
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

    /// The planner's inputs, owned so that they can move to another thread.
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
        planned
            .unwrap_or_else(|_| Planned::late(self.dataset, &self.context.parsed, self.context.time.allowed))
    }
}

/// The same with the names of the entities in its rows.
fn with_names(computed: Computed, dataset: &Dataset) -> Computed {
    let name = |iri: &str| Some((iri.to_owned(), dataset.label(iri)?));
    let names = computed.addresses().into_iter().filter_map(name).collect();
    Computed { names, ..computed }
}

/// Drops the zero of an aggregate over nothing: for a query that shows what the graph lacks, it is not a value.
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

/// Checks whether the endpoint responds: without it no query can be verified, and the user should know why.
async fn check_endpoint(dataset: Arc<Dataset>, time: QuestionTime) -> Result<(), ServiceError> {
    let patience = ENDPOINT_CHECK_TIME.min(time.allowed / 4);
    let asked = dataset.clone();
    match CpuPool::apart(async move { ask_endpoint(&asked, patience).await }).await {
        Err(QueryError::Unavailable { message }) => Err(ServiceError::EndpointDown {
            dataset: dataset.id.clone(),
            endpoint: dataset.endpoint.name().to_owned(),
            reason: message,
        }),
        // Any other error means that the server responds.
        Ok(_) | Err(_) => Ok(()),
    }
}

pub(super) async fn ask_endpoint(dataset: &Dataset, time: Duration) -> Result<Answer, QueryError> {
    let query = dataset.check("ASK { ?s ?p ?o }")?;
    // Bypasses the dataset, which may have cached an earlier response.
    dataset.endpoint.query(&query, Limits { timeout: time, ..dataset.rules.limits }).await
}

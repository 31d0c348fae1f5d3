//! Executes the steps of an [`AgentRun`]: model calls and tool calls, within the deadline, recorded in the trace.

use super::budget::Budget;
use super::candidates::RunSigns;
use super::earlier::Earlier;
use super::examples::Example;
use super::planned_call::{CallPlan, PlannedCall, RunRules};
use super::prompt;
use super::run::{AgentRun, NextStep};
use super::several::{self, OtherGraph};
use super::text_calls::MAX_CALLS;
use crate::agent_features::{AgentFeatures, ModelProfile};
use crate::cpu_pool::CpuPool;
use crate::form::{AnswerForm, StatedForm, differences};
use crate::grounding::Grounding;
use crate::llm::{ChatModel, ChatRequest, Completion, ModelError, Usage, conversation};
use crate::tools::{
    self, Arguments, Computation, Observation, ObservationKind, OpenPoint, ToolContext, Workspace,
};
use crate::trace::{Recorder, StepKind, StopReason, ToolCall};
use eruca_dataset::{Dataset, RunQuery};
use eruca_indexer::texts::Passage;
use eruca_planner::question::ParsedQuestion;
use eruca_planner::{Auditor, Confidence, Doubt};
use eruca_sparql::WorkingGraph;
use futures_util::future::join_all;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tracing::Instrument;

/// With less time left than this, no new step is started.
const MIN_TIME: Duration = Duration::from_millis(300);

/// Maximum number of characters of the entry in the first prompt, and the time for reading it.
const MAX_ENTRY_CHARS: usize = 2_400;
const ENTRY_TIME: Duration = Duration::from_secs(2);

/// Concurrent calls per question: all questions share the slots for queries.
const PARALLEL_CALLS: usize = 2;

/// A query that ran before the model was asked.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The query, with its result.
    pub run: RunQuery,
    /// The interpretation of the question.
    pub reading: String,
    /// Confidence in that interpretation.
    pub confidence: Confidence,
    /// Description of the rows and columns.
    pub returns: String,
    /// Words of the question that the query does not use.
    pub unused: Vec<String>,
    /// Why it is not proven, one sentence per doubt.
    pub doubts: Vec<String>,
    /// For a superlative: whether others tie with the result.
    pub tied: Option<bool>,
}

/// A question with everything that is needed to answer it.
#[derive(Clone, Copy)]
pub struct AgentTask<'a> {
    /// The question as the user asked it.
    pub text: &'a str,
    /// The parsed question.
    pub question: &'a ParsedQuestion,
    /// The dataset to query.
    pub dataset: &'a Arc<Dataset>,
    /// The other datasets that the question may be about; `dataset` is then all of them as one.
    pub others: &'a [OtherGraph],
    /// Thread pool for CPU-bound work.
    pub cpu_pool: &'a CpuPool,
    /// What the words of the question may refer to.
    pub grounding: &'a Grounding,
    /// The model to ask.
    pub model: &'a dyn ChatModel,
    /// The budget of the run.
    pub budget: Budget,
    /// Features that help the model besides the tools.
    pub features: AgentFeatures,
    /// Queries to start with.
    pub drafts: &'a [Draft],
    /// Verified questions near to this one.
    pub examples: &'a [Example],
    /// Earlier questions of the same conversation, newest last.
    pub earlier: &'a [Earlier],
    /// When the run must have ended.
    pub deadline: Instant,
}

/// The outcome of a run.
#[derive(Debug)]
pub struct AgentOutcome {
    /// The best query that has run, if any has.
    pub best: Option<RunQuery>,
    /// The form of the answer, as far as the model stated it.
    pub form: StatedForm,
    /// What the graph lacks, if the model says that it does not contain the answer.
    pub absence: Option<String>,
    /// What the model computed, if it says that this is the answer.
    pub computed: Option<Computation>,
    /// The triples that the model remembered.
    pub memory: WorkingGraph,
    /// Passages of texts that the model cites.
    pub cited: Vec<Arc<Passage>>,
    /// Signs of how reliable the answer is.
    pub signs: RunSigns,
    /// Why the run ended.
    pub stop: StopReason,
    /// Completions requested from the model.
    pub model_calls: u32,
    /// Tokens spent.
    pub usage: Usage,
    /// The conversation, if it is kept.
    pub conversation: Option<Value>,
    /// What the model's failure was, if it failed.
    pub failure: Option<ModelError>,
}

/// Answers a question. Always returns before the deadline, with the best query so far.
pub async fn run_agent(task: &AgentTask<'_>, recorder: &Recorder<'_>) -> AgentOutcome {
    let entry = if task.others.is_empty() && prompt::is_long(task) { entry(task).await } else { None };
    let mut workspace = Workspace::of(task.text);
    let kept = kept_drafts(task, &mut workspace);
    let opening = prompt::opening(task, entry.as_deref(), &kept);
    let rules = Rules { task, form: AnswerForm::read(task.question) };
    let mut run = AgentRun::new(opening, task.budget, task.features, &rules)
        .with_anchors(anchors(task))
        .with_drafts(task.drafts.iter().map(|draft| draft.run.clone()).collect());
    let mut failure = None;
    let short = &task.shortened();
    let mut task = task;
    let stop = loop {
        if time_left(task) < MIN_TIME {
            run.out_of_time();
        }
        match run.next_step() {
            NextStep::CallModel(messages) => {
                let request = ChatRequest::new(
                    messages,
                    tools::specs(task.features, &several::ids(task)),
                    time_left(task),
                );
                match call_model(task, &request, recorder).await {
                    Ok(completion) => run.replied(&completion),
                    Err(ModelError::Timeout(_)) if time_left(task) < MIN_TIME => run.out_of_time(),
                    Err(error) => {
                        recorder.note(error.to_string());
                        task = short;
                        if is_begun_anew(&mut run, task, &error, &kept) {
                            recorder.note("the conversation is begun anew, with less to read");
                        } else {
                            failure = Some(error);
                            run.model_failed();
                        }
                    }
                }
            }
            NextStep::CallTools(calls) => {
                run.observed(call_tools(task, &calls, &mut workspace, recorder).await);
                run.take_notes().into_iter().for_each(|note| recorder.note(note));
            }
            NextStep::Done(reason) => break reason,
        }
    };
    let (model_calls, usage) = run.spent();
    AgentOutcome {
        best: run.best().map(|candidate| candidate.run.clone()),
        form: run.stated_form().clone(),
        absence: run.absence().map(str::to_owned),
        computed: run.computed().and_then(|name| workspace.computation(name)).cloned(),
        memory: workspace.memory().clone(),
        cited: run.cited().iter().filter_map(|name| workspace.passage(name)).cloned().collect(),
        signs: run.signs(),
        stop,
        model_calls,
        usage,
        conversation: task
            .features
            .keeps_conversation
            .then(|| conversation(run.messages(), &tools::specs(task.features, &several::ids(task)))),
        failure,
    }
}

impl AgentTask<'_> {
    /// The same for a model that cannot read as much.
    fn shortened(&self) -> Self {
        let features = AgentFeatures { profile: ModelProfile::Small, ..self.features };
        Self { budget: self.budget.shortened(), features, ..*self }
    }
}

/// After a failure: whether the conversation was only too long, and goes on from a shorter opening.
fn is_begun_anew(
    run: &mut AgentRun<'_>,
    short: &AgentTask<'_>,
    failure: &ModelError,
    kept: &[Option<String>],
) -> bool {
    matches!(failure, ModelError::TooLong { .. })
        && run.begin_anew(prompt::opening(short, None, kept), short.budget, short.features)
}

/// [`RunRules`] for the dataset and the question.
struct Rules<'a> {
    task: &'a AgentTask<'a>,
    form: AnswerForm,
}

impl RunRules for Rules<'_> {
    fn key(&self, text: &str) -> Option<String> {
        self.task.dataset.check(text).ok().map(|query| query.key())
    }

    fn at(&self, arguments: &Arguments) -> Option<String> {
        Some(several::named(self.task, arguments).ok()??.id().to_owned())
    }

    fn differences(&self, stated: &StatedForm, run: &RunQuery) -> Vec<String> {
        differences(&self.form.clone().stated_as(stated.clone()), run, self.task.dataset)
    }

    fn narrows(&self, run: &RunQuery) -> Vec<OpenPoint> {
        let AgentTask { dataset, question, grounding, .. } = self.task;
        if run.at.is_some() || run.query.calls_services() {
            return Vec::new();
        }
        let auditor = Auditor::new(&dataset.index, question, &grounding.named);
        let ledger = auditor.ledger(&run.query, None);
        let usages = run.query.model().usages(&dataset.vocabulary().type_property);
        // A class alone does not show that anything is left out.
        let beside = |class: &str| {
            usages.iter().any(|usage| {
                usage.classes.iter().any(|own| own == class) && !(usage.has.is_empty() && usage.is.is_empty())
            })
        };
        let doubts = ledger.doubts.iter().filter(|doubt| beside(doubt.about()));
        doubts.filter_map(|doubt| narrowed(dataset, doubt)).collect()
    }

    fn reading(&self, run: &RunQuery) -> Option<String> {
        tools::reading(&run.query, self.task.dataset)
    }
}

/// An open point for a class in a query that excludes other possible readings of the question.
fn narrowed(dataset: &Dataset, doubt: &Doubt) -> Option<OpenPoint> {
    let name = |class: &str| dataset.named(class);
    let (kind, text) = match doubt {
        Doubt::Narrow(class) => (
            "narrow",
            format!(
                "Other classes are called like {} and are no subclasses of it: its query leaves their instances out. If the \
                 question means them too, ask for all of these classes.",
                name(class)
            ),
        ),
        Doubt::Unsaid(class) if dataset.index.card.class(class).is_some() => (
            "unsaid",
            format!(
                "No word of the question asks for the class {}, and it leaves out at least half of what the query finds \
                 without it.",
                name(class)
            ),
        ),
        _ => return None,
    };
    Some(OpenPoint { kind, text })
}

/// What the graph says about the entity that the question names.
async fn entry(task: &AgentTask<'_>) -> Option<String> {
    let (dataset, time) = (task.dataset.clone(), ENTRY_TIME.min(time_left(task) / 8));
    let (grounding, question) = (task.grounding.clone(), task.question.clone());
    let entry = async move {
        let iri = grounding.thing(&dataset, &question, time / 2).await?;
        tools::short_entry(&dataset, &iri, &question.text, time, MAX_ENTRY_CHARS).await
    };
    task.cpu_pool.within(time, entry).await.flatten()
}

/// For each name in the question that matches a name in the graph exactly: the IRIs and values it may stand for.
fn anchors(task: &AgentTask<'_>) -> Vec<Vec<String>> {
    let others = task.others.iter().map(|other| &other.grounding);
    let names = std::iter::once(task.grounding).chain(others).flat_map(Grounding::names);
    let sure = names.filter(|mention| mention.is_same_name());
    let names = sure.map(|mention| {
        let entities = mention.entities.iter().map(|hit| hit.record.iri.clone());
        entities.chain(mention.values.iter().map(|hit| hit.record.text.clone())).collect()
    });
    names.collect()
}

fn time_left(task: &AgentTask<'_>) -> Duration {
    task.deadline.saturating_duration_since(Instant::now())
}

async fn call_model(
    task: &AgentTask<'_>,
    request: &ChatRequest,
    recorder: &Recorder<'_>,
) -> Result<Completion, ModelError> {
    let since = recorder.elapsed();
    // The model observes the timeout itself; the outer timeout holds even if it does not.
    let asked = task.model.complete(request).instrument(tracing::info_span!("model"));
    let reply = tokio::time::timeout(request.timeout, asked).await;
    let completion = reply.unwrap_or(Err(ModelError::Timeout(request.timeout)))?;
    let made = completion.calls.iter().take(MAX_CALLS);
    let calls =
        made.map(|call| ToolCall { name: call.name.clone(), arguments: call.arguments.clone() }).collect();
    recorder
        .record(since, StepKind::Model { thought: completion.text.clone(), calls, usage: completion.usage });
    if completion.calls.len() > MAX_CALLS {
        recorder
            .note(format!("the model made {} calls at once; {MAX_CALLS} are done", completion.calls.len()));
    }
    Ok(completion)
}

async fn call_tools(
    task: &AgentTask<'_>,
    calls: &[PlannedCall],
    workspace: &mut Workspace,
    recorder: &Recorder<'_>,
) -> Vec<Observation> {
    let since = recorder.elapsed();
    let places = Semaphore::new(PARALLEL_CALLS);
    // What the calls of a turn bring gets its names in their order, whichever ends first.
    let seen: &Workspace = workspace;
    let in_turn = async |planned| {
        // The semaphore is never closed.
        let _place = places.acquire().await;
        call_tool(task, planned, seen).await
    };
    let observations = join_all(calls.iter().map(in_turn)).await;
    let keep = |(planned, observation): (&PlannedCall, Observation)| match planned.ends_run() {
        true => observation,
        false => keep(observation, task.features, workspace),
    };
    let observations: Vec<Observation> = calls.iter().zip(observations).map(keep).collect();
    for (planned, observation) in calls.iter().zip(&observations) {
        let kind = StepKind::Tool {
            name: planned.call.name.clone(),
            arguments: planned.call.arguments.clone(),
            outcome: observation.kind.as_str().into(),
            observation: observation.text.clone(),
        };
        recorder.record(since, kind);
    }
    observations
}

/// The names under which the results of the drafts are kept for later calls.
fn kept_drafts(task: &AgentTask<'_>, workspace: &mut Workspace) -> Vec<Option<String>> {
    let keep = |draft: &Draft| if task.features.keeps_results() { workspace.keep(&draft.run) } else { None };
    task.drafts.iter().map(keep).collect()
}

/// Keeps what a call brought for later calls, and says under which name.
fn keep(observation: Observation, features: AgentFeatures, workspace: &mut Workspace) -> Observation {
    let note = match (&observation.brought, &observation.run) {
        (Some(brought), _) => workspace.take(brought),
        (None, Some(run)) if features.keeps_results() => {
            workspace.keep(run).map(|name| format!("(kept as {name})"))
        }
        (None, _) => None,
    };
    observation.noting(note)
}

async fn call_tool(task: &AgentTask<'_>, planned: &PlannedCall, workspace: &Workspace) -> Observation {
    let observation = match &planned.plan {
        CallPlan::Known(observation) => observation.as_ref().clone(),
        CallPlan::Run(tool, arguments) => {
            let other = match several::named(task, arguments) {
                Ok(other) => other,
                Err(reason) => return Observation::bad_call(reason),
            };
            let dataset = other.map_or(task.dataset, |other| &other.dataset).clone();
            let timeout = time_left(task);
            let (tool, arguments, features) = (*tool, arguments.clone(), task.features);
            let at = other.map(|other| other.id().to_owned());
            let max_chars = task.budget.observation_chars;
            let workspace = workspace.clone();
            let late = || {
                Observation::new(
                    ObservationKind::QueryFailed("timeout"),
                    "The time for this question is over.",
                )
            };
            let called = async move {
                let context =
                    ToolContext { dataset: &dataset, timeout, features, max_chars, workspace: &workspace };
                let mut observation = tool.call(&arguments, &context).await;
                if let Some(run) = &mut observation.run {
                    run.at = at;
                }
                observation
            };
            let called = called.instrument(tracing::info_span!("tool", name = tool.name()));
            task.cpu_pool.within(timeout, called).await.unwrap_or_else(late)
        }
    };
    observation.shortened(task.budget.observation_chars)
}

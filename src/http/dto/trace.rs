//! How a query came about, on the wire.

use super::ResultsDto;
use crate::llm::Usage;
use crate::trace::{AnsweredBy, Step, StepKind, StopReason, Trace};
use eruca_sparql::Answer;
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// How the query came about.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Trace)]
pub struct TraceDto {
    /// The id of the dataset that was asked (not the alias).
    pub dataset_id: String,
    /// Who stated the query.
    pub answered_by: AnsweredByDto,
    /// Why the run ended.
    pub stop_reason: StopReasonDto,
    /// The chat model's name, if one was asked.
    pub model: Option<String>,
    /// What did not work as configured, in words for people.
    pub degraded: Vec<String>,
    /// Completions asked for.
    pub model_calls: u32,
    /// Tokens spent in all.
    pub tokens: TokensDto,
    /// What they cost, in the currency of the configured prices; absent without prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Wall-clock time of the whole run, in milliseconds.
    pub elapsed_ms: f64,
    /// The steps in order.
    pub steps: Vec<StepDto>,
    /// The query's results, if it was run while answering.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<ResultsDto>,
}

/// Who stated the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AnsweredBy)]
pub enum AnsweredByDto {
    /// The agent with a chat model.
    Agent,
    /// The planner, without a chat model.
    Planner,
}

/// Why the run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = StopReason)]
pub enum StopReasonDto {
    /// The model stated its final query.
    Answered,
    /// The model wrote its final query as text.
    AnsweredAsText,
    /// The deadline came; the best query so far was taken.
    Deadline,
    /// The allowed model calls or tokens were used up; the best query so far was taken.
    Budget,
    /// The model failed for good; the best query so far or the planner's was taken.
    ModelFailed,
    /// No chat model is configured: the planner answered.
    NoModel,
}

/// Tokens spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Tokens)]
pub struct TokensDto {
    /// Of the prompts.
    pub prompt: u64,
    /// Part of the prompts that the model's server had in its cache.
    pub cached: u64,
    /// Of the completions.
    pub completion: u64,
    /// True when at least one count is an estimate.
    pub estimated: bool,
}

/// One step of the run.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Step)]
pub struct StepDto {
    /// Time from the start of the run, in milliseconds.
    pub at_ms: f64,
    /// How long the step took, in milliseconds.
    pub elapsed_ms: f64,
    /// What was done.
    #[serde(flatten)]
    pub kind: StepKindDto,
}

/// What a step did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[schema(as = StepKind)]
pub enum StepKindDto {
    /// Candidates looked up before the first model call.
    Grounding {
        /// What was found.
        observation: String,
    },
    /// One model call.
    Model {
        /// The model's free text.
        thought: Option<String>,
        /// The tools called.
        calls: Vec<ToolCallDto>,
        /// Tokens of this call.
        tokens: TokensDto,
    },
    /// One tool call.
    Tool {
        /// The tool.
        name: String,
        /// The arguments as the model wrote them.
        arguments: String,
        /// The kind of outcome: `ok`, `empty`, `truncated`, `syntax_error`, ...
        outcome: &'static str,
        /// What the model was shown.
        observation: String,
    },
    /// The planner's work.
    Planner {
        /// What it read in the question and why it chose the query.
        readings: Vec<String>,
    },
    /// An edit that brought the final query to the form of the answer.
    Rewrite {
        /// What was changed.
        change: String,
    },
    /// A decision of the controller.
    Controller {
        /// What was decided and why.
        note: String,
    },
}

/// A tool call of the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ToolCall)]
pub struct ToolCallDto {
    /// The tool.
    pub name: String,
    /// The arguments as the model wrote them.
    pub arguments: String,
}

impl TraceDto {
    /// The story of one question with the results of its final query.
    pub fn new(dataset_id: String, trace: Trace, results: Option<&Answer>) -> Self {
        let Trace { answered_by, stop, model, degraded, steps, model_calls, usage, cost, elapsed } = trace;
        Self {
            dataset_id,
            answered_by: answered_by.into(),
            stop_reason: stop.into(),
            model,
            degraded,
            model_calls,
            tokens: usage.into(),
            cost,
            elapsed_ms: millis(elapsed),
            steps: steps.into_iter().map(StepDto::from).collect(),
            results: results.map(ResultsDto::from),
        }
    }
}

/// Milliseconds to the microsecond; further digits are noise.
fn millis(duration: Duration) -> f64 {
    duration.as_micros() as f64 / 1000.0
}

impl From<AnsweredBy> for AnsweredByDto {
    fn from(by: AnsweredBy) -> Self {
        match by {
            AnsweredBy::Agent => Self::Agent,
            AnsweredBy::Planner => Self::Planner,
        }
    }
}

impl From<StopReason> for StopReasonDto {
    fn from(reason: StopReason) -> Self {
        match reason {
            StopReason::Answered => Self::Answered,
            StopReason::AnsweredAsText => Self::AnsweredAsText,
            StopReason::Deadline => Self::Deadline,
            StopReason::Budget => Self::Budget,
            StopReason::ModelFailed => Self::ModelFailed,
            StopReason::NoModel => Self::NoModel,
        }
    }
}

impl From<Usage> for TokensDto {
    fn from(usage: Usage) -> Self {
        let Usage { prompt_tokens, cached_tokens, completion_tokens, estimated } = usage;
        Self { prompt: prompt_tokens, cached: cached_tokens, completion: completion_tokens, estimated }
    }
}

impl From<Step> for StepDto {
    fn from(step: Step) -> Self {
        let Step { at, elapsed, kind } = step;
        Self { at_ms: millis(at), elapsed_ms: millis(elapsed), kind: kind.into() }
    }
}

impl From<StepKind> for StepKindDto {
    fn from(kind: StepKind) -> Self {
        match kind {
            StepKind::Grounding { observation } => Self::Grounding { observation },
            StepKind::Model { thought, calls, usage } => {
                let calls = calls.into_iter().map(|(name, arguments)| ToolCallDto { name, arguments });
                Self::Model { thought, calls: calls.collect(), tokens: usage.into() }
            }
            StepKind::Tool { name, arguments, outcome, observation } => {
                Self::Tool { name, arguments, outcome, observation }
            }
            StepKind::Planner { readings } => Self::Planner { readings },
            StepKind::Rewrite { change } => Self::Rewrite { change },
            StepKind::Controller { note } => Self::Controller { note },
        }
    }
}

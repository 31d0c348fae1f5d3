//! How a query came about, on the wire.

use super::ResultsDto;
use crate::llm::Usage;
use crate::trace::{
    Alternative, AnsweredBy, Because, Choice, Chosen, Doubtful, Insight, Step, StepKind, StopReason, Trace,
};
use eruca_planner::Confidence;
use eruca_sparql::Answer;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::time::Duration;
use utoipa::ToSchema;

/// How the query came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
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
    /// What is known of the answer; absent where a model says that the graph does not contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub insight: Option<InsightDto>,
    /// What the graph lacks, if the model says that it does not contain the answer. The query then returns nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_in_graph: Option<String>,
    /// Completions requested from the model.
    pub model_calls: u32,
    /// Tokens spent in all.
    pub tokens: TokensDto,
    /// What they cost, in the currency of the configured prices; absent without prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Wall-clock time of the whole run, in milliseconds.
    pub elapsed_ms: f64,
    /// The steps in order.
    pub steps: Vec<StepDto>,
    /// The query's results, if it was run while answering.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub results: Option<ResultsDto>,
}

/// What is known of an answer, the planner's or the agent's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Insight)]
pub struct InsightDto {
    /// How reliable the answer is.
    pub confidence: ConfidenceDto,
    /// The probability that it is exactly right, from 0 to 1.
    pub probability: f64,
    /// How the question was read, in words; of a model's query all of its conditions.
    pub reading: String,
    /// Words of the question that were not used in the query.
    pub unused: Vec<String>,
    /// Names in the question that the graph does not know.
    pub not_found: Vec<String>,
    /// IRIs of the things that the question names without asking anything else about them: the answer is what is said of them.
    #[serde(default)]
    pub about: Vec<String>,
    /// The words of the question with what they stand for in the query, in their order.
    #[serde(default)]
    pub because: Vec<BecauseDto>,
    /// What keeps the answer from being proven. A planner's answer with any is never `sure`; a model's is when enough else speaks for it.
    #[serde(default)]
    pub doubts: Vec<DoubtDto>,
    /// Other readings with other results, the likeliest first.
    pub alternatives: Vec<AlternativeDto>,
}

/// Words of the question and the part of the query that they stand for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Because)]
pub struct BecauseDto {
    /// The words.
    pub words: String,
    /// The name of the class, property, thing or value; absent where the words ask for a form of the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The part: `term`, `thing`, `value`, `comparison`, `order`, `count`, `computed`, `negation`, `alternatives`, `group`, `form`.
    pub part: String,
    /// The right: `exact`, `lemma`, `synonym`, `translation`, `type`, `dimension`, `form`; no proof by themselves are `name-part`,
    /// `related`, `typo`, `outdone`.
    pub right: String,
    /// Both in a sentence.
    pub text: String,
}

/// Something that nothing accounts for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Doubt)]
pub struct DoubtDto {
    /// The kind: `unused`, `weak`, `form`, `dimension`, `turned`, `unsaid`, `not-returned`, `narrow`, `nameless`, `empty`, `rival`;
    /// of a model's answer also `unsure`, `not-run`, `stopped`, `tie`, `partial`, `cut`.
    pub kind: String,
    /// The words of the question or the name that it is about; empty where it is about the answer.
    pub about: String,
    /// Both in a sentence.
    pub text: String,
}

impl From<Because> for BecauseDto {
    fn from(because: Because) -> Self {
        let Because { words, name, part, right, weak: _, text } = because;
        Self { words, name, part: part.to_owned(), right: right.to_owned(), text }
    }
}

impl From<Doubtful> for DoubtDto {
    fn from(doubt: Doubtful) -> Self {
        let Doubtful { kind, about, text } = doubt;
        Self { kind: kind.to_owned(), about, text }
    }
}

/// How reliable an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Confidence)]
pub enum ConfidenceDto {
    /// Right in at least 85 of 100 cases.
    Sure,
    /// Rather right than wrong.
    Likely,
    /// It may well be wrong.
    Guess,
}

/// Another reading of the question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Alternative)]
pub struct AlternativeDto {
    /// How the question was read, in words.
    pub reading: String,
    /// Its query.
    pub query: String,
    /// Rows that it returned.
    pub rows: usize,
    /// The properties by which alone it differs from the answer, if that is so: a choice for the reader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<ChoiceDto>,
}

/// Two properties of which either may be meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Choice)]
pub struct ChoiceDto {
    /// The one of the answer.
    pub taken: ChosenDto,
    /// The one of the other reading; sent as `prefers` of /ask, it goes before.
    pub instead: ChosenDto,
}

/// A property with its name for the reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Chosen)]
pub struct ChosenDto {
    /// The IRI.
    pub iri: String,
    /// The name.
    pub name: String,
}

impl From<Choice> for ChoiceDto {
    fn from(Choice { taken, instead }: Choice) -> Self {
        let of = |Chosen { iri, name }: Chosen| ChosenDto { iri, name };
        Self { taken: of(taken), instead: of(instead) }
    }
}

/// Who stated the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AnsweredBy)]
pub enum AnsweredByDto {
    /// The agent with a chat model.
    Agent,
    /// The planner, without a chat model.
    Planner,
}

/// Why the run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
    /// The model says that the graph does not contain the answer.
    NotInGraph,
    /// No chat model is configured: the planner answered.
    NoModel,
    /// The last answer was asked for again, in another way: its query was run again, and no model asked.
    AskedAgain,
    /// Nothing is asked but what can be asked: what the graph holds was told, and no model asked.
    AskedForHelp,
    /// The question only names something: what is said of it was looked up, and no model asked.
    OnlyNamed,
}

/// Tokens spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
        outcome: Cow<'static, str>,
        /// What the model was shown.
        observation: String,
    },
    /// The planner's work.
    Planner {
        /// How it read the question and why it chose the query.
        readings: Vec<String>,
    },
    /// An edit that made the final query fit the form of the answer.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
        let Trace {
            answered_by,
            stop,
            model,
            degraded,
            insight,
            not_in_graph,
            steps,
            model_calls,
            usage,
            cost,
            elapsed,
        } = trace;
        Self {
            dataset_id,
            answered_by: answered_by.into(),
            stop_reason: stop.into(),
            model,
            degraded,
            insight: insight.map(InsightDto::from),
            not_in_graph,
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
pub(super) fn millis(duration: Duration) -> f64 {
    duration.as_micros() as f64 / 1000.0
}

impl From<Insight> for InsightDto {
    fn from(insight: Insight) -> Self {
        let confidence = insight.confidence().into();
        let Insight { probability, reading, evidence, unused, not_found, about, alternatives, signs: _ } =
            insight;
        let because = evidence.because.into_iter().map(BecauseDto::from).collect();
        let doubts = evidence.doubts.into_iter().map(DoubtDto::from).collect();
        let alternatives = alternatives.into_iter().map(AlternativeDto::from).collect();
        let probability = (f64::from(probability) * 1000.0).round() / 1000.0;
        Self { confidence, probability, reading, unused, not_found, about, because, doubts, alternatives }
    }
}

impl From<Confidence> for ConfidenceDto {
    fn from(confidence: Confidence) -> Self {
        match confidence {
            Confidence::Sure => Self::Sure,
            Confidence::Likely => Self::Likely,
            Confidence::Guess => Self::Guess,
        }
    }
}

impl From<Alternative> for AlternativeDto {
    fn from(alternative: Alternative) -> Self {
        let Alternative { reading, query, rows, choice } = alternative;
        Self { reading, query, rows, choice: choice.map(ChoiceDto::from) }
    }
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
            StopReason::NotInGraph => Self::NotInGraph,
            StopReason::NoModel => Self::NoModel,
            StopReason::AskedAgain => Self::AskedAgain,
            StopReason::AskedForHelp => Self::AskedForHelp,
            StopReason::OnlyNamed => Self::OnlyNamed,
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
                Self::Tool { name, arguments, outcome: outcome.into(), observation }
            }
            StepKind::Planner { readings } => Self::Planner { readings },
            StepKind::Rewrite { change } => Self::Rewrite { change },
            StepKind::Controller { note } => Self::Controller { note },
        }
    }
}

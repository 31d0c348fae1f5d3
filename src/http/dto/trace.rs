//! How a query came about, on the wire.

use super::ResultsDto;
use crate::llm::Usage;
use crate::trace::{
    Alternative, AnsweredBy, Because, Doubtful, Evidence, Insight, Step, StopReason, Trace, millis,
};
use eruca_planner::Confidence;
use eruca_sparql::Answer;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How the query came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Trace)]
pub struct TraceDto {
    /// The id of the dataset that was asked (not the alias).
    pub dataset_id: String,
    /// Who stated the query.
    pub answered_by: AnsweredBy,
    /// Why the run ended.
    pub stop_reason: StopReason,
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
    pub tokens: Usage,
    /// What they cost, in the currency of the configured prices; absent without prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Wall-clock time of the whole run, in milliseconds.
    pub elapsed_ms: f64,
    /// The steps in order.
    pub steps: Vec<Step>,
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
    pub because: Vec<Because>,
    /// What keeps the answer from being proven. A planner's answer with any is never `sure`; a model's is when enough else speaks for it.
    #[serde(default)]
    pub doubts: Vec<Doubtful>,
    /// Other readings with other results, the likeliest first.
    pub alternatives: Vec<Alternative>,
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
            answered_by,
            stop_reason: stop,
            model,
            degraded,
            insight: insight.map(InsightDto::from),
            not_in_graph,
            model_calls,
            tokens: usage,
            cost,
            elapsed_ms: millis::of(elapsed),
            steps,
            results: results.map(ResultsDto::from),
        }
    }
}

impl From<Insight> for InsightDto {
    fn from(insight: Insight) -> Self {
        let confidence = insight.confidence().into();
        let Insight { probability, reading, evidence, unused, not_found, about, alternatives, signs: _ } =
            insight;
        let Evidence { because, doubts } = evidence;
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

//! What is sent to /ask, and the events that come back.

use super::BeliefDto;
use crate::http::dto::trace::InsightDto;
use crate::service::{QuestionReading, ReadWord};
use crate::why::QueryPart;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A question with how it is to be answered.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Ask, example = json!({"dataset": "demo", "question": "What is the capital of France?"}))]
pub struct AskDto {
    /// The dataset's id or one of its aliases; see /datasets. Where there is one dataset alone, it need not be named.
    #[serde(default)]
    pub dataset: Option<String>,
    /// The question in plain language.
    pub question: String,
    /// What was asked before, the newest last; so that "And in Italy?" is a question.
    #[serde(default)]
    pub history: Vec<PastDto>,
    /// The language of labels and words, as a tag like `de`; that of the question without it.
    #[serde(default)]
    pub lang: Option<String>,
    /// The language of the reader, for a question that does not tell its own: a name alone, say.
    #[serde(default)]
    pub reader: Option<String>,
    /// Properties, by IRI, that are meant where another would do as well: those that the reader chose before, from `choice` of
    /// an alternative.
    #[serde(default)]
    pub prefers: Vec<String>,
    /// Whether the answer is also given in words.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub answer: bool,
    /// Whether other readings are returned.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub alternatives: bool,
    /// Seconds for the question; at most what is configured.
    #[serde(default)]
    pub deadline_seconds: Option<f64>,
}

fn yes() -> bool {
    true
}

/// An earlier question: a run that is kept, or the question itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Past)]
pub struct PastDto {
    /// The name of its run.
    #[serde(default)]
    pub run: Option<String>,
    /// The question, where there is no run.
    #[serde(default)]
    pub question: Option<String>,
    /// The query that answered it.
    #[serde(default)]
    pub query: Option<String>,
}

/// How a question was read.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Reading)]
pub struct ReadingDto {
    /// The language of labels and words.
    pub lang: String,
    /// The question that stands alone.
    pub asked: String,
    /// What was taken from earlier questions, in words.
    pub taken_over: Vec<String>,
    /// How the question was read, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// How reliable the answer is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<BeliefDto>,
    /// The words of the question, once it is known which found a place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<ReadWord>,
}

impl From<QuestionReading> for ReadingDto {
    fn from(reading: QuestionReading) -> Self {
        let QuestionReading { lang, asked, taken_over, insight, words } = reading;
        let insight = insight.map(InsightDto::from);
        let confidence = insight
            .as_ref()
            .map(|known| BeliefDto { name: known.confidence, probability: known.probability });
        Self { lang, asked, taken_over, reading: insight.map(|known| known.reading), confidence, words }
    }
}

/// The final query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Query)]
pub struct QueryDto {
    /// The query.
    pub query: String,
    /// The same part by part, in words.
    pub explanation: Vec<QueryPart>,
}

/// A piece of the answer's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Token)]
pub struct TokenDto {
    /// The piece.
    pub text: String,
}

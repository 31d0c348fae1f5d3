//! Request bodies of /ask and /link.

use crate::service::link::{DEFAULT_LINKS, Linking};
use eruca_api::{AnswerStyle, Correction, LinkText};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A question with how it is to be answered.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Ask, example = json!({"dataset": "demo", "question": "What is the capital of France?"}))]
pub struct AskDto {
    /// The dataset's id or one of its aliases; see /datasets. Where there is one dataset alone, it need not be named. `auto` for the
    /// one that has names for most words of the question.
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
    /// What words of this question mean to its reader, in place of what they would mean; for this question alone. What the graph
    /// does not have is left out, and a step says so.
    #[serde(default)]
    pub meanings: Vec<Correction>,
    /// Whether the answer is also given in words.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub answer: bool,
    /// Whether each sentence of the answer comes with the triples that support it (`claims` of the run). Looking them up takes
    /// up to 5 s more.
    #[serde(default)]
    pub claims: bool,
    /// `article` for an answer with sections and sources besides the short one (`article` of the run). It takes up to 20 s more.
    #[serde(default)]
    pub style: AnswerStyle,
    /// Whether other readings are returned.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub alternatives: bool,
    /// Seconds for the question; at most what is configured.
    #[serde(default)]
    pub deadline_seconds: Option<f64>,
    /// Whether it is a test of what Eruca finds by itself: verified questions that are nearly this one are left out, and no earlier
    /// answer is taken.
    #[serde(default)]
    pub test: bool,
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

/// A piece of the answer's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Token)]
pub struct TokenDto {
    /// The piece.
    pub text: String,
}

/// Texts whose things are searched: `texts` alone, or `items` with their classes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Linking, example = json!({"dataset": "demo", "texts": ["Paris", "1990-03-02"]}))]
pub struct LinkingDto {
    /// The dataset's id or one of its aliases.
    pub dataset: String,
    /// Texts, each with up to 200 characters; with `items` at most 100.
    #[serde(default)]
    pub texts: Vec<String>,
    /// Texts with what they name.
    #[serde(default)]
    pub items: Vec<LinkText>,
    /// The language of labels.
    #[serde(default)]
    pub lang: Option<String>,
    /// Links wanted of each text: 1 to 20.
    #[serde(default = "usual")]
    #[schema(default = 5)]
    pub limit: usize,
}

fn usual() -> usize {
    DEFAULT_LINKS
}

impl From<LinkingDto> for Linking {
    fn from(asked: LinkingDto) -> Self {
        let LinkingDto { dataset, texts, items, lang, limit } = asked;
        let plain = texts.into_iter().map(|text| LinkText { text, class: None });
        Self { dataset, texts: plain.chain(items).collect(), lang, limit }
    }
}

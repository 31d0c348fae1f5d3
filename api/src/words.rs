//! Answers in words, queries in words, and how the words of a question were read.

use crate::{Belief, href};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An answer in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Answer)]
pub struct Words {
    /// The whole text.
    pub text: String,
    /// The same in parts.
    pub parts: Vec<PartOfText>,
    /// Its language.
    pub lang: String,
    /// `reading` when it is made of the reading and the rows, `model` when a chat model wrote it.
    #[schema(value_type = String)]
    pub by: WordedBy,
    /// Names in a model's text that are in no verified row.
    pub unverified: Vec<String>,
    /// `answer`, `empty`, `not_in_graph` or `doubt`.
    #[schema(value_type = String)]
    pub kind: WordsKind,
}

/// A part of an answer's text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct PartOfText {
    /// The text.
    pub text: String,
    /// What it names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iri: Option<String>,
    /// Where that lives: an address of the web.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// The name of the citation that it is: it comes from a text, and not from the graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cites: Option<String>,
    /// Whether it is a question that may be asked next.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks: bool,
}

impl PartOfText {
    /// The name of a thing.
    pub fn of_thing(text: String, iri: String) -> Self {
        Self { text, href: href(&iri), iri: Some(iri), ..Self::default() }
    }

    /// Whether it is nothing but text.
    pub fn is_plain(&self) -> bool {
        self.iri.is_none() && !self.asks
    }
}

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WordsKind {
    /// An answer.
    Answer,
    /// Nothing was found.
    Empty,
    /// The graph does not know what was asked for.
    NotInGraph,
    /// An answer that is hardly to be trusted.
    Doubt,
}

/// Who has worded a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WordedBy {
    /// The reading and the rows.
    Reading,
    /// A chat model.
    Model,
}

/// How a question was read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Reading {
    /// The dataset that the query is for, once it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    /// The language of labels and words.
    pub lang: String,
    /// The question that stands alone.
    pub asked: String,
    /// What was taken from earlier questions, in words.
    pub taken_over: Vec<String>,
    /// How the question was read, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// How reliable the answer is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Belief>,
    /// The words of the question, once it is known which found a place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<ReadWord>,
}

/// A word of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Word)]
pub struct ReadWord {
    /// As it was written.
    pub text: String,
    /// Whether the query uses it, as far as is known.
    pub used: bool,
}

/// Words of a question, and a name that is written alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Similar {
    /// The words as they stand in the question that was made complete.
    pub words: String,
    /// The name as the graph writes it.
    pub name: String,
}

/// The final query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Query {
    /// The query.
    pub query: String,
    /// The same part by part, in words.
    pub explanation: Vec<QueryPart>,
}

/// A part of a query in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Explained)]
pub struct QueryPart {
    /// The part.
    pub sparql: String,
    /// What it says.
    pub words: String,
}

/// Why a query returned nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Empty {
    /// The reason, in words.
    pub reason: String,
    /// Conditions without which there are rows.
    pub drop: Vec<Dropped>,
}

/// A query without one of its conditions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Dropped {
    /// The condition, in words.
    pub condition: String,
    /// The query without it.
    pub query: String,
    /// Rows that it returns.
    pub rows: usize,
}

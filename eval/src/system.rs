//! The system under test from a benchmark's view: it answers questions, runs queries and links texts to its graph.

use super::record::RunFigures;
use async_trait::async_trait;
use eruca_sparql::{Answer, Limits, QueryError};
use serde_json::Value;

/// Maximum number of things whose labels are asked for at once.
pub const MAX_LABELLED: usize = 500;

/// Answers questions, and knows the graphs they are about.
#[async_trait]
pub trait System: Send + Sync {
    /// The answer to a question, or why there is none.
    async fn answer(&self, dataset: &str, question: &str) -> Result<SystemAnswer, Unanswered>;

    /// The results of a query over a dataset; `None` if the dataset does not exist.
    async fn query(&self, dataset: &str, query: &str, limits: Limits) -> Option<Result<Answer, QueryError>>;

    /// The links of texts in a dataset, in order; or why they cannot be looked up.
    async fn link(&self, dataset: &str, texts: &[String]) -> Result<Vec<LinkedText>, String>;

    /// The labels of things in a dataset, in all languages: those that it knows. At most [`MAX_LABELLED`] are asked for at once.
    async fn labels(&self, dataset: &str, iris: &[&str]) -> Vec<(String, Vec<String>)>;

    /// Results in the form used in records: the first rows and the row count.
    fn shown(&self, answer: &Answer) -> Value;

    /// Results in the SPARQL 1.1 JSON format; a graph as a table.
    fn exported(&self, answer: &Answer) -> Value;
}

/// An answer and the effort it took.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemAnswer {
    /// The answer itself.
    pub said: Said,
    /// The effort it took.
    pub figures: RunFigures,
    /// The complete trace.
    pub trace: Value,
    /// The conversation with the model, if it is kept.
    pub conversation: Option<Value>,
}

/// What a system answers with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// The query that answers the question.
    Query(String),
    /// The answers in words.
    Texts(Vec<String>),
}

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Unanswered {
    /// The reason as text.
    pub reason: String,
    /// The steps before it, if an internal error ended them.
    pub trace: Option<Value>,
}

/// What a text refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedText {
    /// The text.
    pub text: String,
    /// The IRI of the best-known thing of this name.
    pub iri: Option<String>,
    /// The literal value, if the text is one.
    pub value: Option<WrittenValue>,
}

/// A literal value given as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenValue {
    /// Its type.
    pub kind: MemberKind,
    /// Its RDF lexical form.
    pub value: String,
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberKind {
    /// A number.
    Number,
    /// A year.
    Year,
    /// A month of a year.
    Month,
    /// A day.
    Date,
    /// A truth value.
    Boolean,
}

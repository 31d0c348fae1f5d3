//! What is benchmarked, as a benchmark sees it: it answers questions, runs queries and links texts to its graph.

use super::record::RunFigures;
use async_trait::async_trait;
use eruca_sparql::{Answer, Limits, QueryError};
use serde_json::Value;

/// Answers questions, and knows the graphs that they are about.
#[async_trait]
pub trait System: Send + Sync {
    /// The answer to a question; or why there is none.
    async fn answer(&self, dataset: &str, question: &str) -> Result<SystemAnswer, Unanswered>;

    /// The results of a query over a dataset; `None` without such a dataset.
    async fn query(&self, dataset: &str, query: &str, limits: Limits) -> Option<Result<Answer, QueryError>>;

    /// What texts name in a dataset, in their order; or why they cannot be looked up.
    async fn link(&self, dataset: &str, texts: &[String]) -> Result<Vec<LinkedText>, String>;

    /// Results in the form in which records keep them: the first rows and their number.
    fn shown(&self, answer: &Answer) -> Value;

    /// Results in the JSON format of SPARQL 1.1; a graph as a table.
    fn exported(&self, answer: &Answer) -> Value;
}

/// An answer, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemAnswer {
    /// The query that answers the question.
    pub query: String,
    /// What it took.
    pub figures: RunFigures,
    /// The whole trace.
    pub trace: Value,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Unanswered {
    /// The reason, in words.
    pub reason: String,
    /// The steps before it, where a fault of the system ended them.
    pub trace: Option<Value>,
}

/// What a text names or writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedText {
    /// The text.
    pub text: String,
    /// The best known thing that is called so, by its IRI.
    pub iri: Option<String>,
    /// The value that it writes, if it is one.
    pub value: Option<WrittenValue>,
}

/// A value that a text writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenValue {
    /// What it is.
    pub kind: MemberKind,
    /// The value as RDF writes it.
    pub value: String,
}

/// What a value is.
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

//! Types used only by the HTTP interface: requests, formats of other platforms, configuration of the page. All others
//! are in `eruca-api`.
//!
//! Conversions destructure every field, so that a new one cannot be forgotten here.

mod ask;
mod page;
mod qald;

pub use ask::{AskDto, LinkingDto, PastDto, TokenDto};
pub use page::{DatasetNameDto, PageAbilitiesDto, PageConfigDto, TilesDto};
pub use qald::{
    QaldDto, QaldQueryDto, QaldQuestionDto, QaldTextDto, SparqlHeadDto, SparqlJsonDto, SparqlRowsDto,
    SparqlTermDto,
};

use crate::service::{Answered, Question};
use eruca_api::{Results, Trace};
use serde::Serialize;
use utoipa::ToSchema;

/// The answer to a question: the question again, and the query that answers it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Text2SparqlAnswer, example = json!({
    "dataset": "demo",
    "question": "What is the capital of France?",
    "query": "SELECT ?capital WHERE { <https://eruca.dev/demo/resource/France> <https://eruca.dev/demo/ontology#capital> ?capital }"
}))]
pub struct AnswerDto {
    /// The dataset exactly as the request named it.
    pub dataset: String,
    /// The question exactly as it was asked.
    pub question: String,
    /// The SPARQL query that answers the question: checked, read-only, self-contained.
    pub query: String,
    /// How the query came about; only with `trace=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
}

impl AnswerDto {
    /// The answer to `question`, optionally with its trace and results.
    pub fn new(question: Question, answered: Answered, with_trace: bool) -> Self {
        let Question { dataset, text } = question;
        let Answered { dataset_id: _, query, results, trace, memory: _, conversation: _ } = answered;
        let results = results.as_deref().map(Results::from);
        Self { dataset, question: text, query, trace: with_trace.then_some(Trace { results, ..trace }) }
    }
}

/// That the service is alive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Health)]
pub struct HealthDto {
    /// Always "ok": otherwise the service does not answer.
    pub status: &'static str,
    /// The version of Eruca.
    pub version: &'static str,
    /// What is off or replaced by something weaker, in words for people; absent without a key for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degraded: Option<Vec<String>>,
}

/// Wrong parameters, in the form of FastAPI's 422 responses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = HTTPValidationError)]
pub struct HttpValidationError {
    /// Every parameter that is wrong.
    pub detail: Vec<ValidationError>,
}

/// What is wrong with one parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ValidationError {
    /// Where: "query" and the parameter's name, or "body" and the way to the field.
    pub loc: Vec<String>,
    /// What is wrong, in words for people.
    pub msg: String,
    /// What is wrong, for programs: `missing`, `string_too_short`, `string_too_long`, `bool_parsing`, ...
    #[serde(rename = "type")]
    pub kind: &'static str,
}

impl ValidationError {
    /// An error in the query parameter `name`.
    pub fn of_query(name: &str, msg: &str, kind: &'static str) -> Self {
        Self { loc: vec!["query".to_owned(), name.to_owned()], msg: msg.to_owned(), kind }
    }

    /// An error in a part of the body.
    pub fn of_body(path: &[&str], msg: &str, kind: &'static str) -> Self {
        let loc = std::iter::once("body").chain(path.iter().copied()).map(str::to_owned);
        Self { loc: loc.collect(), msg: msg.to_owned(), kind }
    }

    /// The query parameter `name` is missing.
    pub fn missing(name: &str) -> Self {
        Self::of_query(name, "Field required", "missing")
    }
}

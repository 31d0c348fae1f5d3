//! What goes over the wire: plain structures for JSON, made from the service's types and nothing else.
//!
//! Conversions take every field apart, so that a new one cannot be forgotten here.

mod ask;
mod browse;
mod link;
mod page;
mod qald;
mod results;
mod rows;
mod run;
mod trace;
mod why;

pub use ask::{AskDto, PastDto, QueryDto, ReadingDto, TokenDto};
pub use browse::{
    CardDto, ClassDto, ClassPropertyDto, EdgeDto, EntryDto, FactDto, HitDto, HitsDto, LanguageDto,
    NamedIriDto, NodeDto, PlacesDto, PropertyDto, SchemaDto,
};
pub use link::{LinkDto, LinkTextDto, LinkedDto, LinkedTextsDto, LinkingDto, LiteralDto};
pub use page::{DatasetNameDto, PageAbilitiesDto, PageConfigDto, TilesDto};
pub use qald::{
    QaldDto, QaldQueryDto, QaldQuestionDto, QaldTextDto, SparqlHeadDto, SparqlJsonDto, SparqlRowsDto,
    SparqlTermDto,
};
pub use results::{ResultsDto, TermDto, incomplete};
pub use rows::{ColumnDto, RowsDto, ShownTermDto, TableDto, href};
pub use run::{BeliefDto, PartOfTextDto, RunDto, RunStateDto, WordsDto};
pub use trace::{ConfidenceDto, InsightDto, TraceDto};

pub use why::{ReasonDto, WhyDto};

use crate::service::{Answered, DatasetSummary, PartState, Question, Readiness, Reload};
use crate::trace::millis;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
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
    pub trace: Option<TraceDto>,
}

impl AnswerDto {
    /// The answer to `question`, with the whole story or without.
    pub fn new(question: Question, answered: Answered, with_trace: bool) -> Self {
        let Question { dataset, text } = question;
        let Answered { dataset_id, query, results, trace } = answered;
        let trace = with_trace.then(|| TraceDto::new(dataset_id, trace, results.as_deref()));
        Self { dataset, question: text, query, trace }
    }
}

/// The datasets that can be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Datasets)]
pub struct DatasetsDto {
    /// Every dataset, in the order of the configuration.
    pub datasets: Vec<DatasetSummary>,
}

/// What became of a wish to open a dataset anew.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReloadDto {
    /// The dataset's id.
    pub dataset: String,
    /// Whether another index was opened; `false` when the current one was open already.
    pub reloaded: bool,
    /// Triples of the index that answers now.
    pub triples: u64,
    /// Time that the opening took, milliseconds.
    pub elapsed_ms: f64,
}

impl From<Reload> for ReloadDto {
    fn from(reload: Reload) -> Self {
        let Reload { dataset, changed, triples, elapsed } = reload;
        Self { dataset, reloaded: changed, triples, elapsed_ms: millis::of(elapsed) }
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

/// Whether questions can be answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Readiness)]
pub struct ReadinessDto {
    /// False when at least one part is down.
    pub ready: bool,
    /// Every part with its state; absent without a key for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<PartState>>,
}

impl ReadinessDto {
    /// The readiness, with the parts or without.
    pub fn new(readiness: Readiness, with_parts: bool) -> Self {
        let Readiness { ready, parts } = readiness;
        Self { ready, parts: with_parts.then_some(parts) }
    }
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
    /// Something wrong with the query parameter `name`.
    pub fn of_query(name: &str, msg: &str, kind: &'static str) -> Self {
        Self { loc: vec!["query".to_owned(), name.to_owned()], msg: msg.to_owned(), kind }
    }

    /// Something wrong with a part of the body.
    pub fn of_body(path: &[&str], msg: &str, kind: &'static str) -> Self {
        let loc = std::iter::once("body").chain(path.iter().copied()).map(str::to_owned);
        Self { loc: loc.collect(), msg: msg.to_owned(), kind }
    }

    /// The query parameter `name` is missing.
    pub fn missing(name: &str) -> Self {
        Self::of_query(name, "Field required", "missing")
    }
}

/// Any other error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorBody {
    /// What happened and what to do, in words for people.
    pub detail: String,
    /// What happened, for programs: `unknown_dataset`, `overloaded`, `endpoint_down`, ...
    pub code: Cow<'static, str>,
    /// The ids that exist, when an unknown dataset was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datasets: Option<Vec<String>>,
    /// The line of a query that cannot be parsed, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column there, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}

impl ErrorBody {
    /// What happened, for people and for programs.
    pub fn new(detail: String, code: &'static str) -> Self {
        Self { detail, code: code.into(), datasets: None, line: None, column: None }
    }
}

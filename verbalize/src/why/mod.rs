//! Explains in natural language, without a model, why a row is in the answer and what each part of a query means.
//!
//! ```text
//! CheckedQuery, row ─► eruca_sparql::proof (what makes it a row) ─► parts ─► words ─► Why
//! CheckedQuery      ─► eruca_sparql::proof (outline)             ─► clauses ─► words ─► QueryPart
//! ```
//! Uses `dataset` for the endpoint and entity labels, and `variable_labels` for variable names; independent of models
//! and HTTP. The phrases are in the language packs (`explain.txt`).

mod clauses;
mod names;
mod parts;
mod words;

use eruca_api::{QueryPart, Why};
use eruca_dataset::{Dataset, ProofEndpoint, wanted};
use eruca_language::{Language, fallback, language};
use eruca_sparql::proof::prove;
use eruca_sparql::{Answer, CheckedQuery};
use names::ReasonNames;
use std::time::Duration;
use words::Wording;

/// The language-pack table with the phrases.
const TABLE: &str = "explain";

/// Why no explanation can be given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WhyError {
    /// The row index is out of range.
    #[error("the answer has {rows} rows; row {row} is none of them")]
    NoSuchRow {
        /// Zero-based row index.
        row: usize,
        /// Number of rows in the answer.
        rows: usize,
    },
}

/// Explains why a row is in the answer, within a time limit. Uses the first of the dataset's preferred languages.
///
/// # Errors
/// [`WhyError::NoSuchRow`] if the answer has no such row. Parts that cannot be determined are noted in the result
/// instead.
pub async fn why(
    dataset: &Dataset,
    query: &CheckedQuery,
    answer: &Answer,
    row: usize,
    timeout: Duration,
) -> Result<Why, WhyError> {
    let wanted = wanted(answer, row).ok_or(WhyError::NoSuchRow { row, rows: answer.row_count() })?;
    let language = dataset.languages.first().and_then(|tag| language(tag)).unwrap_or_else(fallback);
    let names = ReasonNames::of(dataset, query, language);
    let wording = Wording { dataset, language, names: &names, beside_query: false };
    let endpoint = ProofEndpoint::new(dataset, timeout);
    let proof = prove(query, &wanted, &endpoint).await;
    Ok(wording.why(row, &wanted, &proof))
}

/// Explains each part of a query in natural language.
#[must_use]
pub fn explained(dataset: &Dataset, query: &CheckedQuery, language: &'static Language) -> Vec<QueryPart> {
    let names = ReasonNames::of(dataset, query, language);
    Wording { dataset, language, names: &names, beside_query: true }.outline(&query.outline())
}

/// The conditions of a query in natural language, for finding those that another query lacks.
pub struct Conditions<'a> {
    dataset: &'a Dataset,
    language: &'static Language,
    names: ReasonNames,
    all: Vec<QueryPart>,
}

impl<'a> Conditions<'a> {
    /// The conditions of `query`.
    #[must_use]
    pub fn of(dataset: &'a Dataset, query: &CheckedQuery, language: &'static Language) -> Self {
        let none =
            Self { dataset, language, names: ReasonNames::of(dataset, query, language), all: Vec::new() };
        let all = none.wording().outline(&query.outline());
        Self { all, ..none }
    }

    /// The conditions that `fewer` lacks, as one phrase; `None` if there are none.
    #[must_use]
    pub fn beyond(&self, fewer: &CheckedQuery) -> Option<String> {
        let left = self.wording().outline(&fewer.outline());
        let gone = self.all.iter().filter(|part| !left.iter().any(|other| other.words == part.words));
        let gone: Vec<String> = gone.map(|part| part.words.clone()).collect();
        (!gone.is_empty()).then(|| self.wording().list(&gone, "list_and"))
    }

    fn wording(&self) -> Wording<'_> {
        Wording { dataset: self.dataset, language: self.language, names: &self.names, beside_query: false }
    }
}

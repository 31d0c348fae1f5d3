//! Pages of verified questions: found by their names, filled with the names that are chosen, run as verified questions are, and
//! kept in memory until they are to be run again. No model and no planner is asked.
//!
//! ```text
//! names ─► find ─► fill (choices, one checked query) ─► kept (a result and its age) ─► rows
//! ```

mod candidates;
mod fill;
mod find;
mod kept;
mod rows;

pub use fill::FilledPage;
pub(super) use kept::Results;
pub use kept::{Clock, KeptResult, ServedResult, Told};

use super::ServiceError;
use super::browse::BrowseError;
use eruca_api::BoardCandidate;
use eruca_sparql::QueryError;

/// What is asked of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AskedPage {
    /// The name of the question.
    pub name: String,
    /// The dataset, where several have a question with this name.
    pub dataset: Option<String>,
    /// The language of the reader.
    pub lang: Option<String>,
    /// The names that are chosen, by the names of the parameters in the address.
    pub choices: Vec<(String, String)>,
}

/// Why a page cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    /// There is no question and no board with this name.
    #[error(
        "there is no verified question or board with the name '{name}'; the questions that have one are listed at /q, and by eruca examples list"
    )]
    Unknown {
        /// The name.
        name: String,
    },
    /// Several datasets have it.
    #[error("several datasets have something with the name '{name}'; say which, with dataset={}", datasets.join(" or dataset="))]
    Several {
        /// The name.
        name: String,
        /// Their ids.
        datasets: Vec<String>,
    },
    /// Too many questions at once.
    #[error("at most {most} questions can be on one page")]
    TooMany {
        /// How many can be.
        most: usize,
    },
    /// The question has no such parameter.
    #[error(
        "the question '{name}' has no parameter '{parameter}'; {}",
        if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) }
    )]
    NoParameter {
        /// The name of the question.
        name: String,
        /// The name of the parameter.
        parameter: String,
        /// The names of those that it has.
        known: Vec<String>,
    },
    /// Nothing of the right kind is called so.
    #[error("nothing of the right kind is called '{value}'; choose another {parameter}")]
    UnknownValue {
        /// The name of the parameter.
        parameter: String,
        /// The value.
        value: String,
        /// What may be meant.
        candidates: Vec<BoardCandidate>,
    },
    /// Several are.
    #[error("several things of the right kind are called '{value}'; choose one of them as {parameter}")]
    AmbiguousValue {
        /// The name of the parameter.
        parameter: String,
        /// The value.
        value: String,
        /// These.
        candidates: Vec<BoardCandidate>,
    },
    /// An error of the service.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The query is refused or fails.
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl From<BrowseError> for BoardError {
    fn from(error: BrowseError) -> Self {
        match error {
            BrowseError::Service(error) => error.into(),
            BrowseError::Query(error) => error.into(),
        }
    }
}

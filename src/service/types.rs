//! Questions, answers and errors of the service.

use crate::trace::{Step, Trace};
use eruca_api::ErrorBody;
use eruca_sparql::Answer;
use std::sync::Arc;
use std::time::Duration;

/// A question to a dataset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The dataset's id or one of its aliases.
    pub dataset: String,
    /// The question in plain language.
    pub text: String,
}

/// The answer to a question.
#[derive(Debug, Clone)]
pub struct Answered {
    /// The id of the dataset that was asked (not the alias).
    pub dataset_id: String,
    /// The final query: checked, read-only, self-contained.
    pub query: String,
    /// The final query's results if it was run while answering, cut at the configured limits.
    pub results: Option<Arc<Answer>>,
    /// How it came about.
    pub trace: Trace,
}

/// Why a question could not be answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ServiceError {
    /// A parameter is missing, empty or too long.
    #[error("{message}")]
    Invalid {
        /// `dataset` or `question`.
        field: &'static str,
        /// What is wrong and what is allowed.
        message: String,
    },
    /// No dataset has this id or alias.
    #[error("there is no dataset '{asked}'; known datasets: {}", known.join(", "))]
    UnknownDataset {
        /// What was asked for.
        asked: String,
        /// The ids that exist.
        known: Vec<String>,
    },
    /// The dataset is configured, and could not be opened when the service started.
    #[error(
        "dataset '{dataset}' is not served, because it could not be opened: {reason}; reload it (POST /datasets/{dataset}/reload) or restart the service when that is fixed"
    )]
    NotOpened {
        /// The dataset's id.
        dataset: String,
        /// Why it could not be opened, and what to do.
        reason: String,
    },
    /// The dataset could not be opened anew. If it was open before, that is served as before.
    #[error("dataset '{dataset}' cannot be opened anew: {reason}")]
    NotReloaded {
        /// The dataset's id.
        dataset: String,
        /// Why it could not be opened, and what to do.
        reason: String,
    },
    /// As many questions as configured are being answered, or as many look around, and as many wait.
    #[error(
        "{limit} requests of this kind are being answered and {waiting} may wait already; try again in {} s",
        retry_after.as_secs()
    )]
    Overloaded {
        /// Requests answered at once.
        limit: usize,
        /// Requests that may wait for their turn.
        waiting: usize,
        /// When to try again.
        retry_after: Duration,
    },
    /// The dataset's endpoint does not answer.
    #[error("the SPARQL endpoint {endpoint} of dataset '{dataset}' does not answer: {reason}")]
    EndpointDown {
        /// The dataset's id.
        dataset: String,
        /// The endpoint's name.
        endpoint: String,
        /// The endpoint's own words or the connection's failure.
        reason: String,
    },
    /// The index of the dataset is damaged: what is found in it cannot be trusted.
    #[error(
        "the index of dataset '{dataset}' is damaged: {reason}; build it again with: {command}; the new one is used at once"
    )]
    IndexDamaged {
        /// The dataset's id.
        dataset: String,
        /// The file, and what is wrong with it.
        reason: String,
        /// The command that builds it anew.
        command: String,
    },
    /// The work on the question broke off in a panic: a fault of Eruca, of which other questions see nothing.
    #[error(
        "a fault of Eruca ended the work on this question after {}: {reason}; other questions are answered. Please report it with the question and the steps",
        match steps.len() { 1 => "1 step".to_owned(), steps => format!("{steps} steps") }
    )]
    Panicked {
        /// The words of the panic, on one line.
        reason: String,
        /// What was done before.
        steps: Vec<Step>,
    },
    /// The endpoint refused a query that was run again, or did not come to its end.
    #[error("the query could not be run: {reason}")]
    QueryFailed {
        /// The endpoint's own words, or the limit that was reached.
        reason: String,
    },
    /// A row that the answer does not have.
    #[error("{reason}")]
    NoSuchRow {
        /// Which rows there are.
        reason: String,
    },
    /// The work was ended before there was an answer: nobody waited for it any longer, or the service stops.
    #[error("the work on this question was ended before there was an answer; ask again")]
    Cancelled,
    /// A fault of Eruca itself.
    #[error("internal error: {0}")]
    Internal(String),
}

impl ServiceError {
    /// What happened, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "invalid_parameter",
            Self::UnknownDataset { .. } => "unknown_dataset",
            Self::NotOpened { .. } => "dataset_not_opened",
            Self::NotReloaded { .. } => "dataset_not_reloaded",
            Self::Overloaded { .. } => "overloaded",
            Self::EndpointDown { .. } => "endpoint_down",
            Self::IndexDamaged { .. } => "index_damaged",
            Self::QueryFailed { .. } => "query_failed",
            Self::NoSuchRow { .. } => "no_such_row",
            Self::Cancelled => "cancelled",
            Self::Panicked { .. } | Self::Internal(_) => "internal",
        }
    }

    /// What clients are told.
    pub fn body(&self) -> ErrorBody {
        match self {
            // What failed inside is for the log; clients could neither use it nor should they see it.
            Self::Panicked { .. } | Self::Internal(_) => {
                ErrorBody::new("internal error; the service's log has the cause".to_owned(), self.code())
            }
            Self::UnknownDataset { asked: _, known } => {
                ErrorBody { datasets: Some(known.clone()), ..ErrorBody::new(self.to_string(), self.code()) }
            }
            _ => ErrorBody::new(self.to_string(), self.code()),
        }
    }
}

//! Questions, answers and errors of the service.

use crate::trace::{Step, Trace};
use eruca_api::ErrorBody;
use eruca_indexer::{LexicalError, NAMES_PAUSE};
use eruca_sparql::{Answer, WorkingGraph};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// A question to a dataset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The dataset's id or one of its aliases.
    pub dataset: String,
    /// The question in natural language.
    pub text: String,
}

/// The answer to a question.
#[derive(Debug, Clone)]
pub struct Answered {
    /// The id of the dataset that was asked (not the alias).
    pub dataset_id: String,
    /// The final query: checked, read-only, self-contained.
    pub query: String,
    /// The results, if the query was run while answering; truncated at the configured limits.
    pub results: Option<Arc<Answer>>,
    /// How the query was found.
    pub trace: Trace,
    /// The triples that the model remembered on its way.
    pub memory: WorkingGraph,
    /// The conversation with the model in the format of OpenAI's API, if it is kept ([`AgentFeatures::keeps_conversation`]).
    ///
    /// [`AgentFeatures::keeps_conversation`]: crate::agent_features::AgentFeatures::keeps_conversation
    pub conversation: Option<Value>,
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
        /// The requested name.
        asked: String,
        /// The known ids.
        known: Vec<String>,
    },
    /// The dataset is configured but could not be opened.
    #[error(
        "dataset '{dataset}' is not served, because it could not be opened: {reason}; {}",
        match retry_after {
            Some(after) => format!("it is tried again in {} s, and at once by POST /datasets/{dataset}/reload", after.as_secs()),
            None => format!("reload it (POST /datasets/{dataset}/reload) or restart the service when that is fixed"),
        }
    )]
    NotOpened {
        /// The dataset's id.
        dataset: String,
        /// Why it could not be opened, and what to do.
        reason: String,
        /// When it is tried again, if that happens by itself.
        retry_after: Option<Duration>,
    },
    /// The dataset could not be reopened. If it was open before, it is still served.
    #[error("dataset '{dataset}' cannot be opened anew: {reason}")]
    NotReloaded {
        /// The dataset's id.
        dataset: String,
        /// Why it could not be opened, and what to do.
        reason: String,
    },
    /// The concurrency limit for questions or for browsing is reached, and the queue is full.
    #[error(
        "{limit} requests of this kind are being answered and {waiting} may wait already; try again in {} s",
        retry_after.as_secs()
    )]
    Overloaded {
        /// Requests answered at once.
        limit: usize,
        /// Requests that may wait in the queue.
        waiting: usize,
        /// Suggested retry delay.
        retry_after: Duration,
    },
    /// The dataset's endpoint does not respond.
    #[error("the SPARQL endpoint {endpoint} of dataset '{dataset}' does not answer: {reason}")]
    EndpointDown {
        /// The dataset's id.
        dataset: String,
        /// The endpoint's name.
        endpoint: String,
        /// The endpoint's message or the connection error.
        reason: String,
    },
    /// The names of entities and values are on a server that fails.
    #[error("names cannot be searched: {reason}; try again in {} s", retry_after.as_secs())]
    NamesDown {
        /// The server, and what is wrong with it.
        reason: String,
        /// When the server is asked again.
        retry_after: Duration,
    },
    /// The index of the dataset is damaged, so results from it cannot be trusted.
    #[error(
        "the index of dataset '{dataset}' is damaged: {reason}; build it again with: {command}; the new one is used at once"
    )]
    IndexDamaged {
        /// The dataset's id.
        dataset: String,
        /// The file, and what is wrong with it.
        reason: String,
        /// The command that rebuilds it.
        command: String,
    },
    /// A panic while answering: an internal fault that does not affect other questions.
    #[error(
        "a fault of Eruca ended the work on this question after {}: {reason}; other questions are answered. Please report it with the question and the steps",
        match steps.len() { 1 => "1 step".to_owned(), steps => format!("{steps} steps") }
    )]
    Panicked {
        /// The panic message, on one line.
        reason: String,
        /// The steps done before.
        steps: Vec<Step>,
    },
    /// The endpoint rejected a query that was run again, or did not finish it.
    #[error("the query could not be run: {reason}")]
    QueryFailed {
        /// The endpoint's message, or the limit that was reached.
        reason: String,
    },
    /// The answer does not have the requested row.
    #[error("{reason}")]
    NoSuchRow {
        /// Which rows there are.
        reason: String,
    },
    /// Cancelled before there was an answer, because there were no readers or the service is stopping.
    #[error("the work on this question was ended before there was an answer; ask again")]
    Cancelled,
    /// An internal fault.
    #[error("internal error: {0}")]
    Internal(String),
}

impl ServiceError {
    /// The machine-readable error code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "invalid_parameter",
            Self::UnknownDataset { .. } => "unknown_dataset",
            Self::NotOpened { .. } => "dataset_not_opened",
            Self::NotReloaded { .. } => "dataset_not_reloaded",
            Self::Overloaded { .. } => "overloaded",
            Self::EndpointDown { .. } => "endpoint_down",
            Self::NamesDown { .. } => "names_down",
            Self::IndexDamaged { .. } => "index_damaged",
            Self::QueryFailed { .. } => "query_failed",
            Self::NoSuchRow { .. } => "no_such_row",
            Self::Cancelled => "cancelled",
            Self::Panicked { .. } | Self::Internal(_) => "internal",
        }
    }

    /// The error of a search for names. A server may answer again; files do not mend themselves.
    pub(super) fn of_names(error: &LexicalError) -> Self {
        match error {
            LexicalError::Server(failure) => {
                Self::NamesDown { reason: failure.to_string(), retry_after: NAMES_PAUSE }
            }
            other => Self::Internal(format!("the index cannot be searched: {other}")),
        }
    }

    /// The error body sent to clients.
    pub fn body(&self) -> ErrorBody {
        match self {
            // Internal details belong in the log; clients could not use them and should not see them.
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

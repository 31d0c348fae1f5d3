//! Requests, answers and errors of the service, free of any wire format.

use crate::trace::{Step, Trace};
use eruca_sparql::Answer;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use utoipa::ToSchema;

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

/// A dataset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Dataset)]
pub struct DatasetSummary {
    /// The id by which questions address it.
    pub id: String,
    /// Further ids.
    pub aliases: Vec<String>,
    /// The name for people.
    pub name: String,
    /// Where queries run: the endpoint's URL or "embedded store".
    pub endpoint: String,
    /// The endpoint's engine as it was recognised, by its name in the setting `dialect`; "plain" while it is not known.
    pub dialect: &'static str,
    /// Triples seen when the index was built.
    pub triples: u64,
    /// Indexed entities.
    pub entities: u64,
    /// Classes, declared or used.
    pub classes: u64,
    /// Properties, declared or used.
    pub properties: u64,
    /// Languages of the labels, most frequent first.
    pub languages: Vec<String>,
    /// How classes and properties are searched.
    pub schema_search: String,
}

/// The state of one part of the system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Part)]
pub struct PartState {
    /// The part.
    pub part: String,
    /// Its state.
    pub state: PartHealth,
    /// Why, in words for people.
    pub detail: String,
}

/// The state of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = State)]
pub enum PartHealth {
    /// Works as configured.
    Ok,
    /// Off or replaced by something weaker; questions are answered all the same.
    Degraded,
    /// Questions that need it fail.
    Down,
}

/// Whether questions can be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readiness {
    /// False when at least one part is down.
    pub ready: bool,
    /// Every part with its state.
    pub parts: Vec<PartState>,
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

//! Typed errors of queries and loads, so that callers can act on them.
//!
//! All other modules of this package return these; uses `fence`, and `outgoing` to round.

use crate::fence::quoted;
use crate::outgoing::seconds;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Maximum characters of an endpoint's message shown to a model.
const MAX_WORDS: usize = 400;

/// Why a query failed.
///
/// Messages are short and keep the parser's or the endpoint's own words, because people and models read them.
#[derive(Debug, Clone, thiserror::Error, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum QueryError {
    /// The text is not valid SPARQL 1.1, or the endpoint's parser rejects it.
    #[error("syntax error{}: {message}", position(*line, *column, near.as_deref()))]
    Syntax {
        /// Line in the given text, from 1.
        line: Option<usize>,
        /// Column in characters, from 1.
        column: Option<usize>,
        /// The token at that position.
        near: Option<String>,
        /// The problem, at most about 200 characters.
        message: String,
    },
    /// A prefixed name uses a prefix that neither the query nor the dataset declares.
    #[error("unknown prefix `{prefix}:`; declare it with PREFIX or write the full IRI in <>")]
    UnknownPrefix {
        /// The prefix without the colon.
        prefix: String,
    },
    /// The query is refused without being run: not read-only, SERVICE or FROM not allowed, too long or too deeply nested.
    #[error("query refused: {reason}")]
    Refused {
        /// What is not allowed, and what is.
        reason: String,
    },
    /// The query exceeded its time limit, or the endpoint's own.
    #[error("{}; make the query simpler or more selective", too_late(*after))]
    Timeout {
        /// The elapsed time.
        after: Duration,
    },
    /// The endpoint asks for fewer queries (rate limit).
    #[error("the endpoint limits the rate of queries: {message}{}", ask_again(*retry_after))]
    RateLimited {
        /// The wait that the endpoint asks for.
        retry_after: Option<Duration>,
        /// The endpoint's message.
        message: String,
    },
    /// The endpoint cannot be reached, or fails without blaming the query.
    #[error("the endpoint is not available: {message}")]
    Unavailable {
        /// The message of the endpoint or the connection.
        message: String,
    },
    /// The endpoint refuses because the result or its estimated cost is too large.
    #[error("the endpoint finds the query too large: {message}")]
    TooLarge {
        /// The endpoint's message.
        message: String,
    },
    /// Any other error of the endpoint about this query.
    #[error("the endpoint rejected the query: {message}")]
    Rejected {
        /// The endpoint's message.
        message: String,
    },
}

impl QueryError {
    /// A stable name of the variant, for logs, traces and observations.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Syntax { .. } => "syntax_error",
            Self::UnknownPrefix { .. } => "unknown_prefix",
            Self::Refused { .. } => "refused",
            Self::Timeout { .. } => "timeout",
            Self::RateLimited { .. } => "rate_limited",
            Self::Unavailable { .. } => "endpoint_down",
            Self::TooLarge { .. } => "too_large",
            Self::Rejected { .. } => "rejected",
        }
    }

    /// The message for a model, with the endpoint's words quoted. For errors returned by an endpoint; errors of the check are
    /// already in our own words.
    #[must_use]
    pub fn told_to_models(&self) -> String {
        self.clone().with_words(|words| quoted(words, MAX_WORDS)).to_string()
    }

    /// The same error with the endpoint's message changed.
    pub(crate) fn with_words(self, change: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Syntax { line, column, near, message } => {
                Self::Syntax { line, column, near: near.map(|near| change(&near)), message: change(&message) }
            }
            Self::RateLimited { retry_after, message } => {
                Self::RateLimited { retry_after, message: change(&message) }
            }
            Self::Unavailable { message } => Self::Unavailable { message: change(&message) },
            Self::TooLarge { message } => Self::TooLarge { message: change(&message) },
            Self::Rejected { message } => Self::Rejected { message: change(&message) },
            other @ (Self::UnknownPrefix { .. } | Self::Refused { .. } | Self::Timeout { .. }) => other,
        }
    }

    /// Whether the same query may succeed later.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::RateLimited { .. } | Self::Unavailable { .. })
    }
}

/// When the same query may be sent again.
fn ask_again(retry_after: Option<Duration>) -> String {
    let wait = retry_after.filter(|wait| !wait.is_zero());
    wait.map_or_else(String::new, |wait| format!("; ask again in {} s", seconds(wait)))
}

/// An engine may reject a query at once because it estimates that it would take too long.
fn too_late(after: Duration) -> String {
    match after.as_secs_f64() {
        seconds if seconds < 0.25 => "no answer within the endpoint's own time".to_owned(),
        seconds => format!("no answer within {seconds:.1} s"),
    }
}

fn position(line: Option<usize>, column: Option<usize>, near: Option<&str>) -> String {
    let mut text = String::new();
    if let Some(line) = line {
        text.push_str(&format!(" at line {line}"));
        if let Some(column) = column {
            text.push_str(&format!(", column {column}"));
        }
    }
    if let Some(near) = near {
        text.push_str(&format!(" near `{near}`"));
    }
    text
}

/// Why the embedded store could not be opened, loaded or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The graph cannot be opened: its files are missing, damaged or in another format version.
    #[error("cannot open the graph in {location}: {reason}; build its index again")]
    Open {
        /// The folder, or "in memory".
        location: String,
        /// The store's error message.
        reason: String,
    },
    /// Reading or writing failed; nothing of the load is kept.
    #[error("the embedded store failed while {action}: {reason}")]
    Storage {
        /// The action that failed.
        action: &'static str,
        /// The store's error message.
        reason: String,
    },
    /// The store process cannot be started, or has exited.
    #[error(
        "the process of the embedded store failed while {action}: {reason}; the system may allow no more processes or \
         memory. With [sparql] worker_processes = false queries run on threads of this program"
    )]
    Process {
        /// The action that failed.
        action: &'static str,
        /// The system's error message.
        reason: String,
    },
    /// The store process cannot load its graph.
    #[error("{reason}")]
    Refused {
        /// Its error message.
        reason: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_say_what_where_and_what_to_do() {
        let syntax = QueryError::Syntax {
            line: Some(2),
            column: Some(7),
            near: Some("FILTR".into()),
            message: "expected `}`".into(),
        };
        assert_eq!(syntax.to_string(), "syntax error at line 2, column 7 near `FILTR`: expected `}`");
        let prefix = QueryError::UnknownPrefix { prefix: "pv".into() };
        assert_eq!(
            prefix.to_string(),
            "unknown prefix `pv:`; declare it with PREFIX or write the full IRI in <>"
        );
        let limited = |retry_after| QueryError::RateLimited { retry_after, message: "slow down".into() };
        let wait = Some(Duration::from_millis(119_001));
        assert_eq!(
            limited(wait).to_string(),
            "the endpoint limits the rate of queries: slow down; ask again in 120 s"
        );
        assert!(limited(None).to_string().ends_with("slow down"));
    }

    #[test]
    fn only_load_and_connection_problems_are_transient() {
        let down = QueryError::Unavailable { message: String::new() };
        let timeout = QueryError::Timeout { after: Duration::from_secs(1) };
        assert!(down.is_transient());
        assert!(!timeout.is_transient());
        assert_eq!((down.kind(), timeout.kind()), ("endpoint_down", "timeout"));
    }
}

//! Errors of the search of a Wikibase: what happened, where, and what to do.

use std::time::Duration;

/// Why a look-up failed. A question is answered without it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WikibaseApiError {
    /// No connection, no TLS, a redirect that is not followed, an interrupted connection.
    #[error("the search at {server} cannot be reached: {reason}")]
    Unreachable {
        /// Scheme, host and port.
        server: String,
        /// What went wrong.
        reason: String,
    },
    /// The time is up.
    #[error("the search at {server} gave no answer within {:.1} s", after.as_secs_f64())]
    Timeout {
        /// Scheme, host and port.
        server: String,
        /// The timeout.
        after: Duration,
    },
    /// It asks for fewer requests, or is overloaded.
    #[error("the search at {server} asks to wait{}: {reason}", seconds(*wait))]
    Busy {
        /// Scheme, host and port.
        server: String,
        /// For how long, if it says so.
        wait: Option<Duration>,
        /// Its message.
        reason: String,
    },
    /// The API rejects the request.
    #[error("the search at {server} refuses the request ({code}): {reason}")]
    Refused {
        /// Scheme, host and port.
        server: String,
        /// Its error code, like `param-illegal`.
        code: String,
        /// Its message.
        reason: String,
    },
    /// A status other than success.
    #[error("the search at {server} fails with HTTP status {status}: {reason}{}", hint(*status))]
    Status {
        /// Scheme, host and port.
        server: String,
        /// The status.
        status: u16,
        /// The beginning of the body.
        reason: String,
    },
    /// The response is not one of this kind of search.
    #[error("what answers at {server} is not the search that is configured there: it sends {found}")]
    OtherContent {
        /// Scheme, host and port.
        server: String,
        /// What it sends instead.
        found: String,
    },
    /// The response is too long.
    #[error("the search at {server} sends more than {bytes} bytes for one request")]
    TooLong {
        /// Scheme, host and port.
        server: String,
        /// Number of bytes that were read.
        bytes: usize,
    },
}

impl WikibaseApiError {
    /// Whether the same look-up may succeed later.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::Timeout { .. } | Self::Busy { .. } => true,
            Self::Status { status, .. } => *status >= 500,
            Self::Refused { .. } | Self::OtherContent { .. } | Self::TooLong { .. } => false,
        }
    }
}

fn seconds(wait: Option<Duration>) -> String {
    wait.map_or_else(String::new, |wait| format!(" {} s", wait.as_secs_f64().ceil()))
}

/// Public services refuse clients that do not identify their operator.
fn hint(status: u16) -> &'static str {
    match status {
        403 => "; public services want to know whom to write to: set contact under [outgoing]",
        404 => "; check wikibase_api and vector_search of the dataset",
        _ => "",
    }
}

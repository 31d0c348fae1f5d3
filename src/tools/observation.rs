//! What a tool saw: text for the model and a kind for the controller and the trace.

use crate::dataset::{LookupError, RunQuery};
use eruca_sparql::quoted;

/// Characters of a server's words.
const MAX_WORDS: usize = 400;

/// The kind of an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObservationKind {
    /// Something was found.
    Ok,
    /// Found, but the result is cut.
    Truncated,
    /// Nothing was found, or a COUNT over nothing.
    Empty,
    /// The query failed; the word is [`QueryError::kind`]'s.
    QueryFailed(&'static str),
    /// The call itself was wrong: arguments, unknown IRI, unknown tool.
    BadCall,
    /// The same call was made before.
    Repeated,
    /// The index failed.
    Failed,
}

impl ObservationKind {
    /// The word used in traces.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Truncated => "truncated",
            Self::Empty => "empty",
            Self::QueryFailed(kind) => kind,
            Self::BadCall => "bad_call",
            Self::Repeated => "repeated",
            Self::Failed => "failed",
        }
    }
}

/// What is open in a query that gave something: the answer may be another one until a model has thought of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenPoint {
    /// The kind, as it stands in traces: `tie`, `partial`, `narrow`, `unsaid`.
    pub kind: &'static str,
    /// What it is, in a sentence or two for a model.
    pub text: String,
}

/// What a tool saw.
#[derive(Debug, Clone)]
pub struct Observation {
    /// The kind.
    pub kind: ObservationKind,
    /// The text for the model.
    pub text: String,
    /// The query that was run, if one was.
    pub run: Option<RunQuery>,
    /// What is open in that query.
    pub open: Vec<OpenPoint>,
}

impl Observation {
    /// An observation without a query.
    pub fn new(kind: ObservationKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), run: None, open: Vec::new() }
    }

    /// The same with a note behind it, if there is one.
    #[must_use]
    pub fn noting(mut self, note: Option<String>) -> Self {
        if let Some(note) = note {
            self.text.push_str(&format!("\n{note}"));
        }
        self
    }

    /// A wrong call; `reason` is a sentence that says what to change.
    pub fn bad_call(reason: impl Into<String>) -> Self {
        Self::new(ObservationKind::BadCall, reason)
    }

    /// A failure of Eruca's own parts; the model can only go another way.
    pub fn failed(part: &str, error: &dyn std::fmt::Display) -> Self {
        tracing::error!(part, %error, "a tool failed");
        Self::new(ObservationKind::Failed, format!("{part} is not available now; try something else"))
    }

    /// A look-up that failed: what of it is the server's fault is told, with another way.
    pub fn lookup_failed(error: &LookupError) -> Self {
        match error {
            LookupError::Entities(error) => Self::failed("the entity index", error),
            LookupError::Schema(error) => Self::failed("the schema index", error),
            LookupError::Live(error) => {
                tracing::warn!(%error, "a look-up failed");
                let text = format!(
                    "The search failed: {}. Go on with the IRIs that you have seen, find the thing by its exact \
                     name in a query (?x rdfs:label \"Name\"@en), or look it up again later.",
                    quoted(&error.to_string(), MAX_WORDS)
                );
                Self::new(ObservationKind::Failed, text)
            }
        }
    }

    /// The text cut at `limit` characters, with a note of what was cut.
    pub fn shortened(mut self, limit: usize) -> Self {
        if let Some((end, _)) = self.text.char_indices().nth(limit) {
            let cut = self.text[end..].chars().count();
            self.text.truncate(end);
            self.text.push_str(&format!("\n… ({cut} more characters cut; ask for less)"));
        }
        self
    }
}

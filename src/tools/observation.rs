//! The result of a tool call: a text for the model, and a kind for the controller and the trace.

use super::workspace::Brought;
use eruca_dataset::{LookupError, RunQuery};
use eruca_sparql::quoted;

/// Maximum length of a server's message in characters.
const MAX_WORDS: usize = 400;

/// The kind of an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObservationKind {
    /// Something was found.
    Ok,
    /// Something was found, but the result is cut.
    Truncated,
    /// Nothing was found, or a COUNT is zero.
    Empty,
    /// The query failed, with [`QueryError::kind`].
    QueryFailed(&'static str),
    /// The call itself was wrong: arguments, unknown IRI, unknown tool.
    BadCall,
    /// The same call was made before.
    Repeated,
    /// The index failed.
    Failed,
}

impl ObservationKind {
    /// The name used in traces.
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

/// A reason to doubt a query that returned something; the model should consider it before the answer is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenPoint {
    /// The kind, as used in traces: `tie`, `partial`, `narrow`, `unsaid`.
    pub kind: &'static str,
    /// The description, a sentence or two for a model.
    pub text: String,
}

/// The result of a tool call.
#[derive(Debug, Clone)]
pub struct Observation {
    /// The kind.
    pub kind: ObservationKind,
    /// The text for the model.
    pub text: String,
    /// The query that was run, if one was.
    pub run: Option<RunQuery>,
    /// Open points of that query.
    pub open: Vec<OpenPoint>,
    /// What it brings for later calls beside the rows of that query.
    pub brought: Option<Brought>,
}

impl Observation {
    /// An observation without a query.
    pub fn new(kind: ObservationKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), run: None, open: Vec::new(), brought: None }
    }

    /// The same with something for later calls.
    #[must_use]
    pub fn bringing(self, brought: Brought) -> Self {
        Self { brought: Some(brought), ..self }
    }

    /// The same with a note appended, if there is one.
    #[must_use]
    pub fn noting(mut self, note: Option<String>) -> Self {
        if let Some(note) = note {
            self.text.push_str(&format!("\n{note}"));
        }
        self
    }

    /// An invalid call; `reason` is a sentence that says what to change.
    pub fn bad_call(reason: impl Into<String>) -> Self {
        Self::new(ObservationKind::BadCall, reason)
    }

    /// A failure inside Eruca; the model can only try something else.
    pub fn failed(part: &str, error: &dyn std::fmt::Display) -> Self {
        tracing::error!(part, %error, "a tool failed");
        Self::new(ObservationKind::Failed, format!("{part} is not available now; try something else"))
    }

    /// A failed look-up: reports failures of a server and suggests another way.
    pub fn lookup_failed(error: &LookupError) -> Self {
        match error {
            LookupError::Entities(error) => Self::failed("the entity index", error),
            LookupError::Texts(error) => Self::failed("the index of texts", error),
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

    /// The text cut to `limit` characters, with a note about what was cut.
    pub fn shortened(mut self, limit: usize) -> Self {
        if let Some((end, _)) = self.text.char_indices().nth(limit) {
            let cut = self.text[end..].chars().count();
            self.text.truncate(end);
            self.text.push_str(&format!("\n… ({cut} more characters cut; ask for less)"));
        }
        self
    }
}

//! Pages of verified questions: what they ask, the names that can be chosen, and their results.

use crate::{ErrorBody, Rows};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The pages that there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Boards {
    /// Boards first, then single questions.
    pub boards: Vec<BoardLink>,
}

/// A page that can be opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BoardLink {
    /// The name in the address.
    pub name: String,
    /// The title of a board; the question of a page of its own.
    pub title: String,
    /// The dataset that it is about.
    pub dataset: String,
    /// How many questions are on it.
    pub questions: usize,
    /// Where it is: a path of this service.
    pub path: String,
}

/// A page with verified questions, as yet without their results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BoardPage {
    /// The name or the names in the address.
    pub name: String,
    /// The title of a board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The questions on it.
    pub questions: Vec<BoardQuestion>,
    /// Names on it that no question has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// A verified question on a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BoardQuestion {
    /// The name.
    pub name: String,
    /// The id of its dataset.
    pub dataset: String,
    /// The question as it was verified.
    pub question: String,
    /// The language of the question, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// Who has verified it.
    pub by: String,
    /// When, as YYYY-MM-DD.
    pub at: String,
    /// What its owner says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The view that its owner wants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
    /// After how many seconds a page asks for the result again; absent where it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<u64>,
    /// Whether the query counts or groups.
    pub grouped: bool,
    /// The names in it that can be chosen.
    pub parameters: Vec<BoardParameter>,
}

/// A name in a question that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BoardParameter {
    /// Its name in the address.
    pub name: String,
    /// The name as it stands in the question.
    pub verified: String,
    /// Whether it is a number, of which there are no candidates.
    pub number: bool,
}

/// The result of a verified question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BoardResult {
    /// The name.
    pub name: String,
    /// The id of its dataset.
    pub dataset: String,
    /// The question with the names that were chosen.
    pub question: String,
    /// The names that were chosen.
    pub parameters: Vec<BoardChoice>,
    /// The rows, as the page of a run has them.
    pub rows: Rows,
    /// When the query was run (RFC 3339).
    pub made_at: String,
    /// Why an older result is shown: `refreshing` while the query is run again, or the code of what went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale: Option<ErrorBody>,
    /// Why parts of the graph may be missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// A name that was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BoardChoice {
    /// Its name in the address.
    pub name: String,
    /// What it is called.
    pub label: String,
    /// What stands for it in the address.
    pub value: String,
    /// Whether it is another one than in the verified question.
    pub other: bool,
}

/// Names that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BoardCandidates {
    /// The best first.
    pub candidates: Vec<BoardCandidate>,
}

/// A name that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BoardCandidate {
    /// What it is called.
    pub label: String,
    /// What stands for it in the address: its name, or its IRI where others are called so.
    pub value: String,
    /// What else is known of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

//! That an answer comes from a question that a person has verified.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The verified question by whose query an answer came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Verified {
    /// The question as it was verified.
    pub question: String,
    /// Who has verified it.
    pub by: String,
    /// When, as YYYY-MM-DD.
    pub at: String,
    /// What its owner says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Names of the question that stand in the places of others; with any, the answer is at most `likely`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<ReplacedName>,
    /// Whether the question is only near to the one that was verified, so that its query may answer something else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub near: bool,
    /// Whether the query gives another result than when it was verified.
    pub changed: bool,
    /// All of it in a sentence.
    pub text: String,
}

/// A name in the place of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReplacedName {
    /// The name in the verified question.
    pub verified: String,
    /// The name in its place.
    pub name: String,
    /// The IRI or literal that stands for it in the query.
    pub value: String,
}

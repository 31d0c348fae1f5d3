//! The ledger of evidence as it stands in traces and on the wire.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use utoipa::ToSchema;

/// What speaks for a query, word by word, and what does not; names of the graph and sentences in the language of the question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The words of the question with what they stand for, in their order.
    pub because: Vec<Because>,
    /// What is not accounted for.
    pub doubts: Vec<Doubtful>,
}

/// Words of the question and the part of the query that they stand for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Because {
    /// The words.
    pub words: String,
    /// The name of the class, property, thing or value; absent where the words ask for a form of the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The part: `term`, `thing`, `value`, `comparison`, `order`, `count`, `computed`, `negation`, `alternatives`, `group`, `form`.
    pub part: Cow<'static, str>,
    /// The right: `exact`, `lemma`, `synonym`, `translation`, `type`, `dimension`, `form`; no proof by themselves are `name-part`,
    /// `related`, `typo`, `outdone`.
    pub right: Cow<'static, str>,
    /// Whether the right is no proof by itself.
    #[serde(skip)]
    pub weak: bool,
    /// Both in a sentence.
    pub text: String,
}

/// Something that nothing accounts for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Doubt)]
pub struct Doubtful {
    /// The kind: `unused`, `weak`, `form`, `dimension`, `turned`, `unsaid`, `not-returned`, `narrow`, `nameless`, `empty`, `rival`;
    /// of a model's answer also `unsure`, `not-run`, `stopped`, `tie`, `partial`, `cut`.
    pub kind: Cow<'static, str>,
    /// The words of the question or the name that it is about; empty where it is about the answer.
    pub about: String,
    /// Both in a sentence.
    pub text: String,
}

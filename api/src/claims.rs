//! What supports each sentence of an answer in words.

use crate::ShownTerm;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What supports the sentences of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Claims {
    /// The sentences in order; none where there is no answer in words.
    pub claims: Vec<Claim>,
}

/// A sentence of an answer in words with what was found in the graph for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Claim {
    /// The sentence.
    pub text: String,
    /// What was found for it.
    pub support: ClaimSupport,
    /// Whether what was found supports all of it; absent where there is nothing to support, or there was no time to look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supported: Option<bool>,
    /// The rows that it speaks of, from 0; at most five.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<usize>,
    /// The triples of the graph that make these rows results: subject, predicate, object; at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub triples: Vec<Vec<ShownTerm>>,
    /// Further triples that do.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: usize,
    /// Of a number over many: the solutions that it was counted or reckoned over. The triples are then some of theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<usize>,
    /// Names and numbers in the sentence that are in no row and in no triple.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unverified: Vec<String>,
}

/// What was found for a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimSupport {
    /// Triples that make its rows results.
    Triples,
    /// A number over many solutions, with some of their triples.
    Count,
    /// That what was searched is not there.
    Absence,
    /// A program over the rows; the triples are of the first of them.
    Computed,
    /// Nothing.
    None,
    /// There was no time to look.
    Late,
    /// It says nothing of the graph, but of the answer.
    Remark,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

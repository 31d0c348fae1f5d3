//! Errors, for people and for programs.

use crate::BoardCandidate;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use utoipa::ToSchema;

/// Any other error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorBody {
    /// What happened and what to do, in words for people.
    pub detail: String,
    /// What happened, for programs: `unknown_dataset`, `overloaded`, `endpoint_down`, ...
    pub code: Cow<'static, str>,
    /// The ids that exist, when an unknown dataset was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datasets: Option<Vec<String>>,
    /// The line of a query that cannot be parsed, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column there, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The parameter of a verified question's page whose value is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// What may be meant by it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<BoardCandidate>,
}

impl ErrorBody {
    /// What happened, for people and for programs.
    pub fn new(detail: String, code: &'static str) -> Self {
        Self {
            detail,
            code: code.into(),
            datasets: None,
            line: None,
            column: None,
            parameter: None,
            candidates: Vec::new(),
        }
    }
}

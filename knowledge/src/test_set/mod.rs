//! The test set of a dataset: questions whose answers a person has judged, a line of JSON each, in a file beside the verified questions.
//!
//! ```text
//! tests.jsonl ─► read (bounds, problems) ─► TestQuestion ─► judged anew ─► put (one line changed, all others as they were)
//! ```
//! These are not the verified questions: those are answered by their query, so that asking them would show nothing. Nothing here is
//! ever an example for an answer. `eruca eval --questions` reads the same file.

mod file;
#[cfg(test)]
mod tests;

pub use file::{MAX_TESTS, TESTS_FILE, TestSetError, put, read};

use crate::questions::question_key;
use serde::{Deserialize, Serialize};
use siphasher::sip::SipHasher13;
use std::hash::Hasher;

/// The feature of questions that the owner has written.
pub const OWN: &str = "own";

/// A question with what a person said of its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestQuestion {
    /// Its id in the file.
    pub id: String,
    /// The question.
    pub question: String,
    /// The tag of its language, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// The right query, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sparql: Option<String>,
    /// How it is built: the construct.
    #[serde(default)]
    pub features: Vec<String>,
    /// What was said of the answer.
    pub judged: Judged,
    /// Who said it.
    #[serde(default)]
    pub by: String,
    /// When, as YYYY-MM-DD.
    #[serde(default)]
    pub date: String,
    /// How reliable the answer was said to be, as a word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
    /// The query of an answer that was wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
}

/// What a person said of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judged {
    /// It was right.
    Right,
    /// It was wrong, or there was none.
    Wrong,
}

impl TestQuestion {
    /// The id of a question that the owner has written: the same for the same words.
    #[must_use]
    pub fn own_id(question: &str) -> String {
        id_of(&[OWN, &question_key(question)])
    }

    /// How the question is built.
    #[must_use]
    pub fn construct(&self) -> &str {
        self.features.first().map_or(OWN, String::as_str)
    }
}

/// An id that is the same for the same texts.
#[must_use]
pub fn id_of(texts: &[&str]) -> String {
    let mut hasher = SipHasher13::new();
    for text in texts {
        hasher.write_usize(text.len());
        hasher.write(text.as_bytes());
    }
    format!("{:016x}", hasher.finish())
}

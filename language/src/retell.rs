//! Templates that turn a question into the beginning of its answer: "What is {x}" > "{x} is {value}".

use super::Language;
use super::template::Template;
use crate::text::fold;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// The type of answer for which a rephrasing applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RetoldForm {
    /// A count.
    Count,
    /// One thing or value.
    One,
    /// Several.
    Many,
    /// A number with a unit.
    Unit,
    /// Any number.
    Number,
    /// A day or a point in time.
    Day,
    /// A year.
    Year,
}

/// A part of a question pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RetoldPart {
    /// One of these folded words.
    Words(Vec<String>),
    /// One or more words, stored under this name.
    Slot(String),
}

/// A rule that turns questions of one pattern into statements.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retelling {
    /// The type of answer.
    pub form: RetoldForm,
    /// The whole question.
    #[serde(deserialize_with = "pattern")]
    pub pattern: Vec<RetoldPart>,
    /// The sentence; none if such questions cannot be rephrased well.
    #[serde(default)]
    pub sentence: Option<Template>,
}

/// Parses a pattern, whose parts are separated by spaces.
fn pattern<'de, D: Deserializer<'de>>(text: D) -> Result<Vec<RetoldPart>, D::Error> {
    let text = String::deserialize(text)?;
    let parts: Option<_> = text.split_whitespace().map(part).collect();
    parts.ok_or_else(|| D::Error::custom(format!("a place of {text:?} has no name, or no end")))
}

fn part(text: &str) -> Option<RetoldPart> {
    match text.strip_prefix('{') {
        Some(slot) => {
            let name = slot.strip_suffix('}').filter(|name| !name.is_empty())?;
            Some(RetoldPart::Slot(name.to_owned()))
        }
        None => Some(RetoldPart::Words(text.split('/').map(fold).collect())),
    }
}

impl Language {
    /// The rephrasing rules, in the order in which they are tried.
    pub fn retellings(&self) -> &[Retelling] {
        &self.sentences().retell
    }
}

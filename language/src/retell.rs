//! How a question becomes the beginning of its answer: "What is {x}" > "{x} is {value}".

use super::Language;
use super::template::Template;
use crate::text::fold;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// What answer a question must have to be rephrased in this way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RetoldForm {
    /// A number of things.
    Count,
    /// One thing or value.
    One,
    /// Several things.
    Many,
    /// A number with a unit.
    Unit,
    /// Any number.
    Number,
    /// A day, or a moment.
    Day,
    /// A year.
    Year,
}

/// A part of a question's pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RetoldPart {
    /// One of these folded words.
    Words(Vec<String>),
    /// One word or more, kept by this name.
    Slot(String),
}

/// How questions of one shape become statements.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retelling {
    /// For which answers.
    pub form: RetoldForm,
    /// The whole question.
    #[serde(deserialize_with = "pattern")]
    pub pattern: Vec<RetoldPart>,
    /// The sentence; nothing where such questions cannot be rephrased well.
    #[serde(default)]
    pub sentence: Option<Template>,
}

/// The parts of a pattern, which have spaces between them.
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
    /// The ways to rephrase questions, in the order in which they are tried.
    pub fn retellings(&self) -> &[Retelling] {
        &self.sentences().retell
    }
}

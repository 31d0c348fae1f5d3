//! The files as they are written: their keys and types.

use serde::Deserialize;
use toml::{Spanned, Value};

/// A file; its entries are read one by one, so that each mistake is told.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct File {
    pub(crate) glossary: Vec<Spanned<Value>>,
    pub(crate) notes: Vec<Spanned<Value>>,
    pub(crate) hidden: Option<Spanned<Value>>,
    pub(crate) boards: Vec<Spanned<Value>>,
}

/// An entry of the glossary.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) words: Vec<String>,
    pub(crate) lang: Option<String>,
    pub(crate) class: Option<String>,
    pub(crate) property: Option<String>,
    pub(crate) thing: Option<String>,
    pub(crate) value: Option<String>,
    pub(crate) pattern: Option<String>,
    pub(crate) of: Option<String>,
    pub(crate) measure: Option<String>,
    pub(crate) descending: Option<bool>,
    pub(crate) unit: Option<String>,
    pub(crate) prefer: Option<String>,
    pub(crate) over: Vec<String>,
}

/// A note.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Note {
    pub(crate) text: String,
    pub(crate) about: Option<String>,
}

/// A board.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Board {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) questions: Vec<String>,
}

/// What is hidden.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Hidden {
    pub(crate) terms: Vec<String>,
    pub(crate) namespaces: Vec<String>,
}

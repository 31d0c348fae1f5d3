//! What texts name in a graph.

use crate::NamedIri;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A text, and what it names an instance of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkText {
    /// The text.
    pub text: String,
    /// A class: its IRI, its prefixed name or its name. Instances of its subclasses count as well.
    #[serde(default)]
    pub class: Option<String>,
}

/// What the texts name, in their order: those of `texts` first, then those of `items`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LinkedTexts {
    /// Each text with what was found.
    pub texts: Vec<Linked>,
}

/// What was found for a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Linked {
    /// The text.
    pub text: String,
    /// Things with that name, best first; empty when there is none. Namesakes have one score, and the best known comes first.
    pub links: Vec<Link>,
    /// The value that the text writes, if it is a number, a time or a truth value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub literal: Option<LiteralValue>,
}

/// A thing that a text may name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Link {
    /// Its IRI.
    pub iri: String,
    /// Its name in the reader's language.
    pub label: String,
    /// How near its nearest name is: 1 for its name itself, 0.95 for another of its names, less for a name that is spelt alike.
    #[serde(serialize_with = "crate::thousandths")]
    pub score: f64,
    /// `exact`, `alias` or `fuzzy`.
    #[serde(rename = "match")]
    #[schema(value_type = String)]
    pub by: NameMatch,
    /// The name that matched.
    pub matched: String,
    /// Its classes.
    pub classes: Vec<NamedIri>,
}

/// A value that a text writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LiteralValue {
    /// `number`, `date`, `month`, `year` or `boolean`.
    #[schema(value_type = String)]
    pub kind: LiteralKind,
    /// As a literal of the datatype is written.
    pub value: String,
    /// The datatype's IRI.
    pub datatype: String,
}

/// What a text has met of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NameMatch {
    /// Its name in one of the languages, or its IRI.
    Exact,
    /// Another of its names.
    Alias,
    /// A name that is spelt alike.
    Fuzzy,
}

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LiteralKind {
    /// A number.
    Number,
    /// A day.
    Date,
    /// A month of a year.
    Month,
    /// A year.
    Year,
    /// Yes or no.
    Boolean,
}

//! What a program computed over the rows of queries.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use utoipa::ToSchema;

/// The result of a program that a model wrote over the rows of its queries, with all that is needed to check it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Computed {
    /// The program, in Lua 5.4.
    pub program: String,
    /// The results that it read.
    pub inputs: Vec<ComputedInput>,
    /// The names of the columns; `value` for a single value or a list of values.
    pub columns: Vec<String>,
    /// The rows; each has a value per column.
    pub rows: Vec<Vec<ComputedValue>>,
    /// The names of the entities in the rows, by IRI.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, String>,
    /// Whether there were more rows than are kept.
    pub cut: bool,
    /// What the program printed, line by line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<String>,
}

/// A result that a program read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ComputedInput {
    /// Its name in the program.
    pub name: String,
    /// The query that returned it.
    pub query: String,
    /// Its number of rows.
    pub rows: usize,
    /// Whether rows are missing in it, so that what was computed may be wrong.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// Whether it comes from the working graph of the question and not from the dataset.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_memory: bool,
}

/// A value that a program returned; `null` for nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ComputedValue {
    /// A truth value.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// Any other number.
    Number(f64),
    /// A text, a date, or the IRI of an entity.
    Text(String),
    /// Nothing.
    Nothing(()),
}

impl Computed {
    /// The texts in the rows that may be IRIs, each once.
    pub fn addresses(&self) -> BTreeSet<&str> {
        let texts = self.rows.iter().flatten().filter_map(|value| match value {
            ComputedValue::Text(text) if text.contains("://") => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// The value, if it is a single one.
    pub fn value(&self) -> Option<&ComputedValue> {
        match (self.columns.as_slice(), self.rows.as_slice()) {
            ([_], [row]) => row.first(),
            _ => None,
        }
    }
}

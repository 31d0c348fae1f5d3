//! What was found for each question, a line each in the folder of a run.

use super::{Lost, TermKind};
use crate::EvalError;
use crate::error::read;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The name of the file with the records.
pub const GROUNDING_FILE: &str = "grounding.jsonl";

/// The number of different hits by search, kind and k.
pub type Hits = BTreeMap<String, BTreeMap<TermKind, BTreeMap<usize, usize>>>;

/// A question with its gold terms and what was found of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroundingRecord {
    /// The id of the question.
    pub id: String,
    /// The dataset.
    pub dataset: String,
    /// The question.
    pub question: String,
    /// Its language, if the file says.
    pub lang: Option<String>,
    /// The embedding model of the vectors that were searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why nothing was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How many different hits the searches gave.
    #[serde(default)]
    pub hits: Hits,
    /// The terms of the gold query.
    pub terms: Vec<FoundTerm>,
}

/// A gold term and where it was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundTerm {
    /// What it is.
    pub kind: TermKind,
    /// Its IRI, or the text of a value.
    pub term: String,
    /// Some of its names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The rank by search, from 1.
    pub ranks: BTreeMap<String, Option<usize>>,
    /// Whether the first prompt tells it of the words of the question.
    pub told: bool,
    /// Whether the first prompt shows it at all: there, or in what it shows of the graph.
    pub shown: bool,
    /// Where it was lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<Lost>,
}

/// Writes records into a folder, which is made if needed.
///
/// # Errors
/// When they cannot be written.
pub fn write_grounding(records: &[GroundingRecord], folder: &Path) -> Result<(), EvalError> {
    std::fs::create_dir_all(folder).map_err(|reason| EvalError::write(folder, reason))?;
    let path = folder.join(GROUNDING_FILE);
    let lines: Result<Vec<String>, serde_json::Error> = records.iter().map(serde_json::to_string).collect();
    let text = lines.map(|lines| lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    let written = text.map_err(std::io::Error::from).and_then(|text| std::fs::write(&path, text));
    written.map_err(|reason| EvalError::write(&path, reason))
}

/// Reads the records of a folder.
///
/// # Errors
/// When they cannot be read, or a line is no record.
pub fn read_grounding(folder: &Path) -> Result<Vec<GroundingRecord>, EvalError> {
    let path = folder.join(GROUNDING_FILE);
    let parsed = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| {
            let message = format!("not a record of `eruca eval --grounding`: {error}; run it again");
            EvalError::format(&path, Some(at + 1), message)
        })
    };
    read(&path)?.lines().enumerate().filter(|(_, line)| !line.is_empty()).map(parsed).collect()
}

//! Question files: one type for all published benchmark formats, which are detected by content.

mod formats;

use super::error::{EvalError, read};
use super::metrics::RESULT_ORDER_MATTERS;
use super::stored::StoredAnswer;
use std::collections::BTreeSet;
use std::path::Path;

/// A question with what is known about its answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EvalQuestion {
    /// Its id, including the language if a file has the same question in several.
    pub id: String,
    /// The question in plain language.
    pub text: String,
    /// The language of the text, if the file says.
    pub lang: Option<String>,
    /// The gold query, if the file has one.
    pub sparql: Option<String>,
    /// The graph it belongs to, if the file says.
    pub graph: Option<String>,
    /// The features that the file gives: SELECT, COUNT, RESULT_ORDER_MATTERS, ...
    pub features: Vec<String>,
    /// The answer that the file has stored, if it has one.
    pub stored: Option<StoredAnswer>,
}

impl EvalQuestion {
    /// Whether the answer is also scored by its order.
    pub fn order_matters(&self) -> bool {
        self.features.iter().any(|feature| feature == RESULT_ORDER_MATTERS)
    }

    /// The form of the gold query: ASK, COUNT, SELECT, CONSTRUCT, DESCRIBE, or "none" without one.
    pub fn form(&self) -> &'static str {
        self.sparql.as_deref().map_or("none", form)
    }
}

/// The questions of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionFile {
    /// The display name of the format.
    pub format: &'static str,
    /// The dataset that the file names for all its questions.
    pub dataset: Option<String>,
    /// The questions in the order of the file.
    pub questions: Vec<EvalQuestion>,
}

/// Reads a file of questions in any known format.
///
/// # Errors
/// When it cannot be read, has an unknown format, contains no questions, or has a duplicate id.
pub fn read_questions(path: &Path) -> Result<QuestionFile, EvalError> {
    let file = formats::parse(path, &read(path)?)?;
    if file.questions.is_empty() {
        return Err(EvalError::format(path, None, format!("no questions in this {} file", file.format)));
    }
    let mut ids = BTreeSet::new();
    match file.questions.iter().find(|question| !ids.insert(&question.id)) {
        Some(twice) => {
            let message = format!("the id '{}' occurs twice; ids must be unique", twice.id);
            Err(EvalError::format(path, None, message))
        }
        None => Ok(file),
    }
}

/// The form of a query by its first keyword; COUNT for a SELECT with a count in its projection.
fn form(query: &str) -> &'static str {
    let code = without_iris_and_comments(query).to_uppercase();
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':' && c != '?')
            .map(str::to_owned)
            .collect()
    };
    for word in words(&code) {
        match word.as_str() {
            "ASK" => return "ASK",
            "CONSTRUCT" => return "CONSTRUCT",
            "DESCRIBE" => return "DESCRIBE",
            "SELECT" => {
                let (_, rest) = code.split_once("SELECT").unwrap_or_default();
                let head = rest.split('{').next().unwrap_or_default();
                return if words(head).iter().any(|word| word == "COUNT") { "COUNT" } else { "SELECT" };
            }
            _ => {}
        }
    }
    "none"
}

fn without_iris_and_comments(query: &str) -> String {
    let mut code = String::with_capacity(query.len());
    let mut until = None;
    for c in query.chars() {
        match (until, c) {
            (Some(end), c) if c == end => until = None,
            (Some(_), _) => {}
            (None, '<') => until = Some('>'),
            (None, '#') => until = Some('\n'),
            (None, c) => code.push(c),
        }
        if until.is_none() && matches!(c, '>' | '\n') {
            code.push(' ');
        }
    }
    code
}

#[cfg(test)]
mod tests;

//! The JSON of the QALD challenges. A question's `answers` are results in the JSON format of SPARQL.

use super::{EXPECTED, Id, Query};
use crate::error::EvalError;
use crate::questions::{EvalQuestion, QuestionFile};
use crate::stored::StoredAnswer;
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

#[derive(Deserialize)]
struct Qald {
    questions: Vec<QaldQuestion>,
}

#[derive(Deserialize)]
struct QaldQuestion {
    id: Id,
    question: Vec<QaldText>,
    query: Option<Query>,
    #[serde(default)]
    answers: Value,
}

#[derive(Deserialize)]
struct QaldText {
    language: String,
    string: Option<String>,
}

/// Ids get the language as a suffix: `number-language`.
pub(super) fn qald(path: &Path, value: Value) -> Result<QuestionFile, EvalError> {
    let file: Qald = Deserialize::deserialize(value)
        .map_err(|error| EvalError::format(path, None, format!("not QALD JSON: {error}; {EXPECTED}")))?;
    let mut all = Vec::new();
    for question in file.questions {
        let id = question.id.text();
        let sparql = question.query.and_then(|query| query.sparql);
        let stored = StoredAnswer::read(&question.answers);
        for QaldText { language, string } in question.question {
            let Some(text) = string.filter(|text| !text.trim().is_empty()) else { continue };
            let (id, sparql, stored) = (format!("{id}-{language}"), sparql.clone(), stored.clone());
            let lang = Some(language);
            all.push(EvalQuestion { id, text, lang, sparql, stored, ..EvalQuestion::default() });
        }
    }
    Ok(QuestionFile { format: "QALD JSON", dataset: None, questions: all })
}

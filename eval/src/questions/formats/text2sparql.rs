//! The YAML of the TEXT2SPARQL challenges.

use super::{EXPECTED, Id, Query};
use crate::error::EvalError;
use crate::questions::{EvalQuestion, QuestionFile};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Deserialize)]
struct Yaml {
    dataset: YamlDataset,
    questions: Vec<YamlQuestion>,
}

#[derive(Deserialize)]
struct YamlDataset {
    id: String,
    prefix: Option<String>,
}

#[derive(Deserialize)]
struct YamlQuestion {
    id: Option<Id>,
    question: BTreeMap<String, String>,
    #[serde(default)]
    features: Vec<String>,
    query: Option<Query>,
}

/// Ids are built like those of the official client: `prefix:number-language`.
pub(super) fn yaml(path: &Path, text: &str) -> Result<QuestionFile, EvalError> {
    let file: Yaml = yaml_serde::from_str(text).map_err(|error| {
        let line = error.location().map(|location| location.line());
        EvalError::format(path, line, format!("{error}; {EXPECTED}"))
    })?;
    let Yaml { dataset, questions } = file;
    let prefix = dataset.prefix.map(|prefix| format!("{prefix}:")).unwrap_or_default();
    let mut all = Vec::new();
    for (number, question) in (1..).zip(questions) {
        let id = question.id.map_or_else(|| number.to_string(), Id::text);
        let sparql = question.query.and_then(|query| query.sparql);
        for (lang, text) in question.question {
            let id = format!("{prefix}{id}-{lang}");
            let (sparql, features) = (sparql.clone(), question.features.clone());
            let lang = Some(lang);
            all.push(EvalQuestion { id, text, lang, sparql, features, ..EvalQuestion::default() });
        }
    }
    Ok(QuestionFile { format: "TEXT2SPARQL YAML", dataset: Some(dataset.id), questions: all })
}

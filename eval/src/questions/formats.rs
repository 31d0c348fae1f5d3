//! The formats of question files.
//!
//! | Format | Told by | Published with |
//! | --- | --- | --- |
//! | TEXT2SPARQL YAML | not JSON | [text2sparql-client](https://github.com/AKSW/text2sparql-client) |
//! | QALD JSON | an object with `questions` | [QALD-9-plus](https://github.com/KGQA/QALD_9_plus) |
//! | LC-QuAD 1.0 | a list with `sparql_query` | [LC-QuAD](https://github.com/AskNowQA/LC-QuAD) |
//! | LC-QuAD 2.0 | a list with `sparql_wikidata` | [LC-QuAD 2.0](https://github.com/AskNowQA/LC-QuAD2.0) |
//! | SPINACH JSON | any other list | [SPINACH](https://github.com/stanford-oval/spinach) |
//! | JSONL | objects on lines | |
//!
//! Unknown keys are ignored, since benchmarks add their own notes. Optional keys are also ignored if their values have an
//! unexpected type.

use super::{EvalError, EvalQuestion, QuestionFile};
use serde::Deserialize;
use serde::Deserializer;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The message for a file in none of the formats.
const EXPECTED: &str = "expected TEXT2SPARQL YAML (dataset, questions), QALD JSON ({\"questions\": [...]}), LC-QuAD or SPINACH JSON (a list), or JSONL with {\"id\", \"question\", \"lang\", \"sparql\"} on each line";

pub(super) fn parse(path: &Path, text: &str) -> Result<QuestionFile, EvalError> {
    let text = text.trim_start_matches('\u{feff}');
    match text.trim_start().chars().next() {
        Some('[') => list(path, json(path, text)?),
        Some('{') => match serde_json::from_str::<Value>(text) {
            Ok(value) if value.get("questions").is_some() => qald(path, value),
            // Several lines are not a single document, and a single line may be a file with one question.
            _ => lines(path, text),
        },
        Some(_) => yaml(path, text),
        None => Err(EvalError::format(path, None, format!("the file is empty; {EXPECTED}"))),
    }
}

fn json<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, EvalError> {
    serde_json::from_str(text)
        .map_err(|error| EvalError::format(path, Some(error.line()), format!("{error}; {EXPECTED}")))
}

/// An id, given as a text or a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Number(i64),
    Text(String),
}

impl Id {
    fn text(self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text,
        }
    }
}

#[derive(Deserialize)]
struct Query {
    sparql: Option<String>,
}

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
fn yaml(path: &Path, text: &str) -> Result<QuestionFile, EvalError> {
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
            all.push(EvalQuestion { id, text, lang: Some(lang), sparql, graph: None, features });
        }
    }
    Ok(QuestionFile { format: "TEXT2SPARQL YAML", dataset: Some(dataset.id), questions: all })
}

#[derive(Deserialize)]
struct Qald {
    questions: Vec<QaldQuestion>,
}

#[derive(Deserialize)]
struct QaldQuestion {
    id: Id,
    question: Vec<QaldText>,
    query: Option<Query>,
}

#[derive(Deserialize)]
struct QaldText {
    language: String,
    string: Option<String>,
}

/// Ids get the language as a suffix: `number-language`.
fn qald(path: &Path, value: Value) -> Result<QuestionFile, EvalError> {
    let file: Qald = Deserialize::deserialize(value)
        .map_err(|error| EvalError::format(path, None, format!("not QALD JSON: {error}; {EXPECTED}")))?;
    let mut all = Vec::new();
    for question in file.questions {
        let id = question.id.text();
        let sparql = question.query.and_then(|query| query.sparql);
        for QaldText { language, string } in question.question {
            let Some(text) = string.filter(|text| !text.trim().is_empty()) else { continue };
            let (id, sparql) = (format!("{id}-{language}"), sparql.clone());
            let lang = Some(language);
            all.push(EvalQuestion { id, text, lang, sparql, ..EvalQuestion::default() });
        }
    }
    Ok(QuestionFile { format: "QALD JSON", dataset: None, questions: all })
}

/// A question in a list or line, with the field names of the benchmarks.
#[derive(Deserialize)]
struct Flat {
    id: Option<Id>,
    #[serde(rename = "_id")]
    other_id: Option<Id>,
    uid: Option<Id>,
    question: Option<String>,
    /// LC-QuAD 1.0's final wording.
    corrected_question: Option<String>,
    /// LC-QuAD 2.0 has questions without an original wording.
    paraphrased_question: Option<String>,
    #[serde(default, deserialize_with = "if_text")]
    lang: Option<String>,
    sparql: Option<String>,
    sparql_query: Option<String>,
    sparql_wikidata: Option<String>,
    sparql_dbpedia18: Option<String>,
    #[serde(default, deserialize_with = "if_text")]
    kg: Option<String>,
    /// The graph's file.
    #[serde(default, deserialize_with = "if_text")]
    data: Option<String>,
    #[serde(default, deserialize_with = "if_texts")]
    features: Vec<String>,
}

/// A text; none for a value of another type.
fn if_text<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    Ok(text_of(Value::deserialize(value)?))
}

/// The texts of a list; none for a value of another type.
fn if_texts<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    Ok(match Value::deserialize(value)? {
        Value::Array(values) => values.into_iter().filter_map(text_of).collect(),
        _ => Vec::new(),
    })
}

fn text_of(value: Value) -> Option<String> {
    if let Value::String(text) = value { Some(text) } else { None }
}

impl Flat {
    fn question(self, number: usize) -> Result<EvalQuestion, String> {
        let texts = [self.corrected_question, self.question, self.paraphrased_question];
        let text = texts.into_iter().flatten().find(|text| !text.trim().is_empty());
        let text = text.ok_or("no question; expected \"question\" (or LC-QuAD's \"corrected_question\")")?;
        let queries = [self.sparql, self.sparql_query, self.sparql_wikidata, self.sparql_dbpedia18];
        Ok(EvalQuestion {
            id: self.id.or(self.other_id).or(self.uid).map_or_else(|| number.to_string(), Id::text),
            text,
            lang: self.lang,
            sparql: queries.into_iter().flatten().find(|query| !query.trim().is_empty()),
            graph: self.kg.or(self.data),
            features: self.features,
        })
    }
}

fn list(path: &Path, items: Vec<Value>) -> Result<QuestionFile, EvalError> {
    let has = |key: &str| items.first().is_some_and(|item| item.get(key).is_some());
    let format = match (has("sparql_query"), has("sparql_wikidata") || has("sparql_dbpedia18")) {
        (true, _) => "LC-QuAD 1.0 JSON",
        (_, true) => "LC-QuAD 2.0 JSON",
        _ => "SPINACH JSON",
    };
    let mut questions = Vec::with_capacity(items.len());
    for (number, item) in (1..).zip(items) {
        let flat = Flat::deserialize(item).map_err(|error| error.to_string());
        let question = flat.and_then(|flat| flat.question(number));
        questions.push(question.map_err(|message| {
            EvalError::format(path, None, format!("question {number} of this {format} file: {message}"))
        })?);
    }
    Ok(QuestionFile { format, dataset: None, questions })
}

fn lines(path: &Path, text: &str) -> Result<QuestionFile, EvalError> {
    let mut questions = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let flat = serde_json::from_str::<Flat>(line).map_err(|error| format!("{error}; {EXPECTED}"));
        let question = flat.and_then(|flat| flat.question(number));
        questions.push(question.map_err(|message| EvalError::format(path, Some(number), message))?);
    }
    Ok(QuestionFile { format: "JSONL", dataset: None, questions })
}

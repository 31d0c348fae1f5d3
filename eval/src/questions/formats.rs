//! The formats of question files, one module each.
//!
//! | Format | Told by | Stored answers | Published with |
//! | --- | --- | --- | --- |
//! | TEXT2SPARQL YAML (DB25, CK25, CK26) | not JSON | | [text2sparql-client](https://github.com/AKSW/text2sparql-client) |
//! | QALD JSON | an object with `questions` | `answers`: results of SPARQL | [QALD-9-plus](https://github.com/KGQA/QALD_9_plus), [QALD-10](https://github.com/KGQA/QALD-10) |
//! | LC-QuAD 1.0 | a list with `sparql_query` | | [LC-QuAD](https://github.com/AskNowQA/LC-QuAD) |
//! | LC-QuAD 2.0 | a list with `sparql_wikidata` | `answer` | [LC-QuAD 2.0](https://github.com/AskNowQA/LC-QuAD2.0) |
//! | RuBQ | a list with `question_text` | `answers`: terms | [RuBQ](https://github.com/vladislavneon/RuBQ) |
//! | MCWQ | a list with `questionWithBrackets` | `expectedResponse` | [MCWQ](https://github.com/coastalcph/seq2sparql) |
//! | KQA Pro | a list with `choices` | `answer`: a name or a value | [KQA Pro](https://github.com/shijx12/KQAPro_Baselines) |
//! | Mintaka | a list with `translations` or `answerType` | `answer`: things and values | [Mintaka](https://github.com/amazon-science/mintaka) |
//! | WikiWebQuestions | a list with `utterance` | `results`: bindings | [WikiWebQuestions](https://github.com/stanford-oval/wikidata-emnlp23) |
//! | SPINACH JSON | any other list | `results`, `answers`, `gold_answer_tuple` | [SPINACH](https://github.com/stanford-oval/spinach) |
//! | SimpleQuestions-Wikidata | four columns with tabs | the object | [SimpleQuestions](https://github.com/askplatypus/wikidata-simplequestions) |
//! | JSONL (also Spider4SPARQL) | objects on lines | `results`, `answers`, `answer` | |
//! | JSONL of GRASP (also BIRD as SPARQL) | the same | `info.answers`, `info.results` | [GRASP](https://github.com/ad-freiburg/grasp) |
//!
//! Unknown keys are ignored, since benchmarks add their own notes. Optional keys are also ignored if their values have an
//! unexpected type.

mod flat;
mod kqa_pro;
mod mcwq;
mod mintaka;
mod qald;
mod rubq;
mod simple_questions;
mod text2sparql;

use super::{EvalError, EvalQuestion, QuestionFile};
use crate::stored::StoredAnswer;
use flat::flat;
use kqa_pro::{is_kqa_pro, kqa_pro};
use mcwq::{is_mcwq, mcwq};
use mintaka::{is_mintaka, mintaka};
use qald::qald;
use rubq::{is_rubq, rubq};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use simple_questions::{is_simple_questions, simple_questions};
use std::path::Path;
use text2sparql::yaml;

/// The message for a file in none of the formats.
const EXPECTED: &str = "expected TEXT2SPARQL YAML (dataset, questions), QALD JSON ({\"questions\": [...]}), a JSON list of LC-QuAD, SPINACH, WikiWebQuestions, RuBQ, MCWQ, KQA Pro or Mintaka, lines of SimpleQuestions-Wikidata (subject, property, object, question, with tabs between them), or JSONL with {\"id\", \"question\", \"lang\", \"sparql\"} on each line";

/// Reads the questions of an item of a list, given its number from 1.
type ReadItem = fn(Value, usize) -> Result<Vec<EvalQuestion>, String>;

/// A format whose files are lists.
struct ListFormat {
    name: &'static str,
    /// Whether the first item of a file shows it.
    told: fn(&Value) -> bool,
    read: ReadItem,
}

/// The first one that fits is taken.
const LISTS: [ListFormat; 8] = [
    ListFormat { name: "RuBQ JSON", told: is_rubq, read: rubq },
    ListFormat { name: "MCWQ JSON", told: is_mcwq, read: mcwq },
    ListFormat { name: "Mintaka JSON", told: is_mintaka, read: mintaka },
    ListFormat { name: "KQA Pro JSON", told: is_kqa_pro, read: kqa_pro },
    ListFormat { name: "LC-QuAD 1.0 JSON", told: |item| has(item, &["sparql_query"]), read: flat },
    ListFormat {
        name: "LC-QuAD 2.0 JSON",
        told: |item| has(item, &["sparql_wikidata", "sparql_dbpedia18"]),
        read: flat,
    },
    ListFormat { name: "WikiWebQuestions JSON", told: |item| has(item, &["utterance"]), read: flat },
    SPINACH,
];

/// Lists that show nothing else.
const SPINACH: ListFormat = ListFormat { name: "SPINACH JSON", told: |_| true, read: flat };

fn has(item: &Value, keys: &[&str]) -> bool {
    keys.iter().any(|key| item.get(key).is_some())
}

pub(super) fn parse(path: &Path, text: &str) -> Result<QuestionFile, EvalError> {
    let text = text.trim_start_matches('\u{feff}');
    match text.trim_start().chars().next() {
        Some('[') => list(path, json(path, text)?),
        Some('{') => match serde_json::from_str::<Value>(text) {
            Ok(value) if value.get("questions").is_some() => qald(path, value),
            // Several lines are not a single document, and a single line may be a file with one question.
            _ => lines(path, text),
        },
        Some(_) if is_simple_questions(text) => simple_questions(path, text),
        Some(_) => yaml(path, text),
        None => Err(EvalError::format(path, None, format!("the file is empty; {EXPECTED}"))),
    }
}

fn json<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, EvalError> {
    serde_json::from_str(text)
        .map_err(|error| EvalError::format(path, Some(error.line()), format!("{error}; {EXPECTED}")))
}

fn list(path: &Path, items: Vec<Value>) -> Result<QuestionFile, EvalError> {
    let first = items.first().unwrap_or(&Value::Null);
    let ListFormat { name, read, .. } = LISTS.iter().find(|format| (format.told)(first)).unwrap_or(&SPINACH);
    let mut questions = Vec::with_capacity(items.len());
    for (number, item) in (1..).zip(items) {
        let found = read(item, number).map_err(|message| {
            EvalError::format(path, None, format!("question {number} of this {name} file: {message}"))
        })?;
        questions.extend(found);
    }
    Ok(QuestionFile { format: name, dataset: None, questions })
}

fn lines(path: &Path, text: &str) -> Result<QuestionFile, EvalError> {
    let mut questions = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let item = serde_json::from_str(line).map_err(|error| format!("{error}; {EXPECTED}"));
        let found = item.and_then(|item| flat(item, number));
        questions.extend(found.map_err(|message| EvalError::format(path, Some(number), message))?);
    }
    Ok(QuestionFile { format: "JSONL", dataset: None, questions })
}

/// One question for each language; ids get the language as a suffix.
fn languages(
    id: &str,
    texts: impl IntoIterator<Item = (String, Option<String>)>,
    sparql: Option<String>,
    stored: Option<StoredAnswer>,
) -> Vec<EvalQuestion> {
    let sparql = sparql.filter(|query| !query.trim().is_empty());
    let question = |(lang, text): (String, Option<String>)| {
        let text = text.filter(|text| !text.trim().is_empty())?;
        let (id, sparql, stored) = (format!("{id}-{lang}"), sparql.clone(), stored.clone());
        Some(EvalQuestion { id, text, lang: Some(lang), sparql, stored, ..EvalQuestion::default() })
    };
    texts.into_iter().filter_map(question).collect()
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

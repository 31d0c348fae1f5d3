//! RuBQ: questions in Russian with their translations, and answers as terms with labels.

use super::{Id, if_text, languages};
use crate::questions::EvalQuestion;
use crate::stored::StoredAnswer;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Rubq {
    uid: Option<Id>,
    question_text: String,
    #[serde(default, deserialize_with = "if_text")]
    question_eng: Option<String>,
    #[serde(default, deserialize_with = "if_text")]
    query: Option<String>,
    #[serde(default)]
    answers: Value,
}

pub(super) fn is_rubq(item: &Value) -> bool {
    item.get("question_text").is_some()
}

pub(super) fn rubq(item: Value, number: usize) -> Result<Vec<EvalQuestion>, String> {
    let item = Rubq::deserialize(item).map_err(|error| error.to_string())?;
    let id = item.uid.map_or_else(|| number.to_string(), Id::text);
    let texts = [("ru".to_owned(), Some(item.question_text)), ("en".to_owned(), item.question_eng)];
    Ok(languages(&id, texts, item.query, StoredAnswer::read(&item.answers)))
}

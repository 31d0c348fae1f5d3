//! MCWQ, the compositional questions over Wikidata: names stand in brackets, and other languages under keys that end in their tag.

use super::{Id, if_text, languages};
use crate::questions::EvalQuestion;
use crate::stored::StoredAnswer;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The key of the question; those of translations have `_TAG` behind it.
const QUESTION: &str = "questionWithBrackets";
/// The language of the questions that were translated.
const ORIGINAL: &str = "en";
/// Marks before which no space stands.
const CLOSE: [&str; 6] = ["'s", "?", ",", ".", "!", ";"];

#[derive(Deserialize)]
struct Mcwq {
    id: Option<Id>,
    #[serde(default, deserialize_with = "if_text")]
    sparql: Option<String>,
    #[serde(default, deserialize_with = "if_text")]
    sparql_query: Option<String>,
    #[serde(default, rename = "expectedResponse")]
    expected: Value,
    #[serde(flatten)]
    others: Map<String, Value>,
}

pub(super) fn is_mcwq(item: &Value) -> bool {
    item.get(QUESTION).is_some()
}

pub(super) fn mcwq(item: Value, number: usize) -> Result<Vec<EvalQuestion>, String> {
    let item = Mcwq::deserialize(item).map_err(|error| error.to_string())?;
    let texts: Vec<(String, Option<String>)> = item
        .others
        .iter()
        .filter_map(|(key, value)| {
            let lang = key.strip_prefix(QUESTION)?;
            let lang = if lang.is_empty() { ORIGINAL } else { lang.strip_prefix('_')? };
            Some((lang.to_owned(), value.as_str().map(without_brackets)))
        })
        .collect();
    if texts.is_empty() {
        return Err(format!("no question; expected \"{QUESTION}\""));
    }
    let id = item.id.map_or_else(|| number.to_string(), Id::text);
    let sparql = item.sparql.or(item.sparql_query);
    Ok(languages(&id, texts, sparql, StoredAnswer::read(&item.expected)))
}

/// The question as people write it.
fn without_brackets(question: &str) -> String {
    let spaced = question.replace(['[', ']'], " ");
    let mut text = String::with_capacity(spaced.len());
    for word in spaced.split_whitespace() {
        if !text.is_empty() && !CLOSE.contains(&word) {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

//! Mintaka: questions in nine languages, without queries. Answers are things of Wikidata with labels, or values.

use super::simple_questions::is_number;
use super::{Id, languages};
use crate::questions::EvalQuestion;
use crate::stored::{StoredAnswer, plain};
use crate::texts::plain as text;
use eruca_sparql::{NamedNode, Prefixes, Term};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The language of the questions that were translated.
const ORIGINAL: &str = "en";

#[derive(Deserialize)]
struct Mintaka {
    id: Option<Id>,
    question: String,
    #[serde(default)]
    translations: BTreeMap<String, Option<String>>,
    #[serde(default)]
    answer: Value,
}

pub(super) fn is_mintaka(item: &Value) -> bool {
    item.get("translations").is_some() || item.pointer("/answer/answerType").is_some()
}

pub(super) fn mintaka(item: Value, number: usize) -> Result<Vec<EvalQuestion>, String> {
    let Mintaka { id, question, translations, answer } =
        Mintaka::deserialize(item).map_err(|error| error.to_string())?;
    let id = id.map_or_else(|| number.to_string(), Id::text);
    let texts = [(ORIGINAL.to_owned(), Some(question))].into_iter();
    let others = translations.into_iter().filter(|(lang, _)| lang != ORIGINAL);
    Ok(languages(&id, texts.chain(others), None, stored(&answer)))
}

fn stored(answer: &Value) -> Option<StoredAnswer> {
    let members = answer.get("answer")?.as_array()?;
    if members.iter().all(|member| !member.is_object()) {
        return StoredAnswer::read(answer.get("answer")?);
    }
    let prefixes = Prefixes::well_known();
    Some(StoredAnswer::column(
        members.iter().map(|member| thing(member, &prefixes)).collect::<Option<Vec<_>>>()?,
    ))
}

/// A thing by its number; without one, its name as a value.
fn thing(member: &Value, prefixes: &Prefixes) -> Option<Term> {
    let number = member.get("name").and_then(Value::as_str).filter(|name| is_number(name, &['Q']));
    let iri = number.and_then(|number| prefixes.expand(&format!("wd:{number}")));
    match iri.map(NamedNode::new) {
        Some(Ok(iri)) => Some(iri.into()),
        _ => label(member.get("label")?).map(|label| plain(&label)),
    }
}

/// A label, or one of those in several languages.
fn label(label: &Value) -> Option<String> {
    match label {
        Value::Object(by_language) => {
            by_language.get(ORIGINAL).and_then(text).or_else(|| by_language.values().find_map(text))
        }
        _ => text(label),
    }
}

//! Textual answers of systems that know no IRIs: linked to the graph, so that they can be scored like rows.
//!
//! A text counts as one member of a result: the thing of that name, or the text itself as a value. Of these two readings, the one
//! in the gold set is chosen, or the thing if neither is. Of several things with the same name, only the best known one counts,
//! so that vague answers have no advantage.

use super::error::{EvalError, read};
use super::metrics::ResultSet;
use super::system::{LinkedText, MemberKind, System, WrittenValue};
use eruca_language::text::name_key;
use eruca_sparql::{Answer, Literal, NamedNode, Results, Solutions, Term};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The column name of the answers.
const COLUMN: &str = "answer";
const EXPECTED: &str = "expected {\"id\": ID, \"answers\": [TEXT, ...]} on each line";

/// The answers of a system, by question id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextAnswers {
    path: PathBuf,
    answers: HashMap<String, Vec<String>>,
}

#[derive(Deserialize)]
struct TextsLine {
    id: Value,
    answers: Vec<Value>,
}

impl TextAnswers {
    /// Reads a JSONL file.
    ///
    /// # Errors
    /// When it cannot be read, a line is invalid, or an id occurs twice.
    pub fn read(path: &Path) -> Result<Self, EvalError> {
        let mut answers = HashMap::new();
        let text = read(path)?;
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |message: String| EvalError::format(path, Some(number), message);
            let line: TextsLine =
                serde_json::from_str(line).map_err(|error| wrong(format!("{error}; {EXPECTED}")))?;
            let texts = line.answers.iter().map(plain).collect::<Option<_>>();
            let (Some(id), Some(texts)) = (plain(&line.id), texts) else {
                return Err(wrong(EXPECTED.to_owned()));
            };
            if answers.insert(id.clone(), texts).is_some() {
                return Err(wrong(format!("the id '{id}' occurs twice")));
            }
        }
        Ok(Self { path: path.to_owned(), answers })
    }

    /// The answers to a question.
    pub(super) fn of(&self, id: &str) -> Option<&Vec<String>> {
        self.answers.get(id)
    }

    /// The error message for a question without answers.
    pub(super) fn missing(&self) -> String {
        format!("'{}' has no answers to this question", self.path.display())
    }
}

/// Texts, numbers and truth values as text.
pub(super) fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The answer that texts stand for, or why they cannot be looked up.
pub(super) async fn aligned(
    system: &dyn System,
    dataset: &str,
    texts: &[String],
    gold: &KnownGold<'_>,
) -> Result<Answer, String> {
    let started = Instant::now();
    let linked = system.link(dataset, texts).await?;
    Ok(answer(&linked, gold, started.elapsed()))
}

/// What is known about the right answer.
pub(super) struct KnownGold<'a> {
    /// Its members.
    pub(super) set: &'a ResultSet,
    /// Whether it is the answer of an ASK.
    pub(super) is_truth: bool,
}

fn answer(linked: &[LinkedText], gold: &KnownGold<'_>, elapsed: Duration) -> Answer {
    let truth = match linked {
        [LinkedText { value: Some(WrittenValue { kind: MemberKind::Boolean, value }), .. }] => {
            value.parse().ok()
        }
        _ => None,
    };
    let results = match truth.filter(|_| gold.is_truth) {
        Some(truth) => Results::Boolean(truth),
        None => {
            let rows = linked.iter().map(|linked| vec![Some(member(linked, gold.set))]).collect();
            Results::Solutions(Solutions { variables: vec![COLUMN.to_owned()], rows })
        }
    };
    Answer { results, incomplete: None, elapsed }
}

/// The member that a text stands for.
fn member(linked: &LinkedText, gold: &ResultSet) -> Term {
    let LinkedText { text, iri, value: literal } = linked;
    if let Some(iri) = iri {
        let same = || gold.keys().find(|member| is_value(text, literal.as_ref(), member));
        match same().filter(|_| !gold.contains_key(iri)) {
            Some(value) => return Literal::new_simple_literal(value).into(),
            None => return NamedNode::new_unchecked(iri).into(),
        }
    }
    let known = gold.keys().find(|member| is_value(text, literal.as_ref(), member));
    let written = || literal.as_ref().map_or(text.as_str(), |literal| literal.value.as_str());
    Literal::new_simple_literal(known.map_or_else(written, String::as_str)).into()
}

/// Whether a text denotes this member: the same words, the same number, the same day or year.
fn is_value(text: &str, literal: Option<&WrittenValue>, member: &str) -> bool {
    let (key, other) = (name_key(text), name_key(member));
    if !key.is_empty() && key == other && !member.contains("://") {
        return true;
    }
    let Some(WrittenValue { kind, value }) = literal else { return false };
    match kind {
        MemberKind::Number => same_number(value, member),
        MemberKind::Year => same_number(value, member) || is_time(&format!("{value}-01-01"), member),
        MemberKind::Date => is_time(value, member),
        MemberKind::Month => value == member || is_time(&format!("{value}-01"), member),
        MemberKind::Boolean => value == member,
    }
}

fn same_number(value: &str, member: &str) -> bool {
    match (value.parse::<f64>(), member.trim().parse::<f64>()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Whether a member is this day, with or without a time.
fn is_time(day: &str, member: &str) -> bool {
    member.strip_prefix(day).is_some_and(|rest| rest.is_empty() || rest.starts_with(['T', 'Z', '+', '-']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(text: &str, iri: Option<&str>, value: Option<(MemberKind, &str)>) -> LinkedText {
        let value = value.map(|(kind, value)| WrittenValue { kind, value: value.to_owned() });
        LinkedText { text: text.to_owned(), iri: iri.map(str::to_owned), value }
    }

    fn set(members: &[&str]) -> ResultSet {
        members.iter().map(|member| ((*member).to_owned(), 1)).collect()
    }

    fn stands_for(linked: &LinkedText, gold: &[&str]) -> String {
        member(linked, &set(gold)).to_string()
    }

    #[test]
    fn a_text_is_a_thing_unless_the_gold_set_has_it_as_a_value() {
        let paris = linked("Paris", Some("https://e.x/Paris"), None);
        assert_eq!(stands_for(&paris, &["https://e.x/Paris", "Paris"]), "<https://e.x/Paris>");
        assert_eq!(stands_for(&paris, &["Paris"]), "\"Paris\"");
        assert_eq!(stands_for(&paris, &["https://e.x/Berlin"]), "<https://e.x/Paris>");
        assert_eq!(stands_for(&linked("Nowhere", None, None), &["Paris"]), "\"Nowhere\"");
    }

    #[test]
    fn values_are_compared_as_what_they_are() {
        let number = linked("2,100,000", None, Some((MemberKind::Number, "2100000")));
        assert_eq!(stands_for(&number, &["2100000.0"]), "\"2100000.0\"");
        assert_eq!(stands_for(&number, &["21"]), "\"2100000\"");
        let day = linked("2 March 1990", None, Some((MemberKind::Date, "1990-03-02")));
        assert_eq!(stands_for(&day, &["1990-03-02T00:00:00Z"]), "\"1990-03-02T00:00:00Z\"");
        assert_eq!(stands_for(&day, &["1990-03-021"]), "\"1990-03-02\"");
        let year = linked("1990", None, Some((MemberKind::Year, "1990")));
        assert_eq!(stands_for(&year, &["1990-01-01T00:00:00Z"]), "\"1990-01-01T00:00:00Z\"");
    }

    #[test]
    fn a_truth_is_one_where_it_is_asked_for() {
        let yes = [linked("yes", None, Some((MemberKind::Boolean, "true")))];
        let told =
            |is_truth| answer(&yes, &KnownGold { set: &set(&["true"]), is_truth }, Duration::ZERO).results;
        assert_eq!(told(true), Results::Boolean(true));
        assert!(matches!(told(false), Results::Solutions(_)));
    }

    #[test]
    fn broken_lines_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers.jsonl");
        for (text, said) in [
            (
                "{\"id\": 1, \"answers\": [\"a\", 2, true]}\n\n{\"id\": 1, \"answers\": []}",
                "line 3: the id '1' occurs twice",
            ),
            ("{\"id\": 1, \"answers\": [[]]}", "line 1: expected"),
            ("{\"id\": 1}", "line 1: missing field `answers`"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = TextAnswers::read(&path).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        std::fs::write(&path, "{\"id\": 7, \"answers\": [\"a\", 2, true]}").unwrap();
        let read = TextAnswers::read(&path).unwrap();
        assert_eq!(read.of("7").unwrap(), &["a", "2", "true"]);
    }
}

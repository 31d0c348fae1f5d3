//! Runs in the formats of evaluation platforms: QALD-JSON (GERBIL QA) and run files of TREC (`trec_eval`).
//!
//! Records only contain the first rows of results, so queries are run again; a system's textual answers are taken from its
//! record.

use super::error::EvalError;
use super::record::Record;
use super::run::LIMITS;
use super::system::System;
use futures_util::StreamExt;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;
use std::path::Path;
use url::form_urlencoded::byte_serialize;

/// The language tag of questions in an unknown language.
const UNSAID: &str = "und";
/// The name of the run in run files.
const TAG: &str = "eruca";

/// A function that writes records with their answers, in the SPARQL JSON format, to a file.
pub type WriteExport = fn(&Path, &[Record], &[Option<Value>]) -> Result<(), EvalError>;

/// The answers of records, in order; `None` for records without one.
pub async fn answers(system: &dyn System, records: &[Record], jobs: usize) -> Vec<Option<Value>> {
    let all = records.iter().map(|record| async move {
        let Some(query) = &record.predicted.sparql else { return recorded(record) };
        let answer = system.query(&record.dataset, query, LIMITS).await?.ok()?;
        Some(system.exported(&answer))
    });
    futures_util::stream::iter(all).buffered(jobs).collect().await
}

/// The answer stored in the record itself.
fn recorded(record: &Record) -> Option<Value> {
    let results = record.predicted.results.as_ref()?;
    if let Some(boolean) = results.get("boolean").and_then(Value::as_bool) {
        return Some(json!({"head": {}, "boolean": boolean}));
    }
    let names: Vec<String> = serde_json::from_value(results.get("variables")?.clone()).ok()?;
    let row = |cells: &Value| -> Option<BTreeMap<String, Value>> {
        let cells = names.iter().cloned().zip(cells.as_array()?);
        Some(cells.filter_map(|(name, cell)| Some((name, term(cell)?))).collect())
    };
    let bindings: Vec<_> = results.get("rows")?.as_array()?.iter().filter_map(row).collect();
    Some(json!({"head": {"vars": names}, "results": {"bindings": bindings}}))
}

/// A cell of a record as an RDF term in the SPARQL JSON format.
fn term(cell: &Value) -> Option<Value> {
    let kind = match cell.get("type")?.as_str()? {
        kind @ ("uri" | "bnode") => kind,
        _ => "literal",
    };
    let mut term = Map::from_iter([("type".to_owned(), json!(kind))]);
    term.insert("value".to_owned(), json!(cell.get("value")?.as_str()?));
    for (kept, standard) in [("datatype", "datatype"), ("lang", "xml:lang")] {
        if let Some(text) = cell.get(kept).filter(|text| text.is_string()) {
            term.insert(standard.to_owned(), text.clone());
        }
    }
    Some(Value::Object(term))
}

/// Writes records with their answers as QALD-JSON.
///
/// # Errors
/// When the file cannot be written.
pub fn write_qald(path: &Path, records: &[Record], answers: &[Option<Value>]) -> Result<(), EvalError> {
    let ids = file_ids(records);
    let questions = records.iter().zip(answers).zip(ids).map(|((record, answer), id)| {
        let query = record.predicted.sparql.as_ref();
        json!({
            "id": id,
            "question": [{"language": record.lang.as_deref().unwrap_or(UNSAID), "string": record.question}],
            "query": query.map_or_else(|| json!({}), |query| json!({"sparql": query})),
            "answers": answer.as_slice(),
        })
    });
    let document = json!({"questions": questions.collect::<Vec<_>>()});
    let text =
        serde_json::to_string_pretty(&document).map_err(|error| EvalError::write(path, error.into()))?;
    std::fs::write(path, text + "\n").map_err(|reason| EvalError::write(path, reason))
}

/// The ids used in QALD files, without the suffix that is added for questions in several languages; unchanged if questions in
/// several languages were asked.
fn file_ids(records: &[Record]) -> Vec<String> {
    let short = |record: &Record| {
        let ending = record.lang.as_ref().map(|lang| format!("-{lang}"));
        let short = ending.and_then(|ending| record.id.strip_suffix(&ending));
        short.filter(|id| !id.is_empty()).unwrap_or(&record.id).to_owned()
    };
    let mut times: HashMap<String, usize> = HashMap::new();
    for record in records {
        *times.entry(short(record)).or_default() += 1;
    }
    let alone = |id: &String| times.get(id) == Some(&1);
    records
        .iter()
        .map(|record| Some(short(record)).filter(alone).unwrap_or_else(|| record.id.clone()))
        .collect()
}

/// Writes records with their answers as a run file: `question Q0 member rank score tag`.
///
/// # Errors
/// When the file cannot be written.
pub fn write_trec(path: &Path, records: &[Record], answers: &[Option<Value>]) -> Result<(), EvalError> {
    let mut text = String::new();
    for (record, answer) in records.iter().zip(answers) {
        let members = answer.as_ref().map(members).unwrap_or_default();
        let question = without_space(&record.id);
        for (rank, member) in (1..).zip(&members) {
            // Programs sort by score, so the first one gets the highest.
            let score = members.len() + 1 - rank;
            // Writing to a String cannot fail.
            let _written = writeln!(text, "{question} Q0 {member} {rank} {score} {TAG}");
        }
    }
    std::fs::write(path, text).map_err(|reason| EvalError::write(path, reason))
}

/// The distinct values of an answer in row order.
fn members(answer: &Value) -> Vec<String> {
    if let Some(boolean) = answer.get("boolean").and_then(Value::as_bool) {
        return vec![boolean.to_string()];
    }
    let list = |pointer: &str| answer.pointer(pointer).and_then(Value::as_array).into_iter().flatten();
    let mut seen = HashSet::new();
    let cells = list("/results/bindings")
        .flat_map(|row| list("/head/vars").filter_map(Value::as_str).filter_map(|name| row.get(name)));
    cells
        .filter_map(|term| term.get("value")?.as_str())
        .map(without_space)
        .filter(|member| seen.insert(member.clone()))
        .collect()
}

/// A text as a single field of a line; IRIs contain no spaces and stay unchanged.
fn without_space(text: &str) -> String {
    let breaks = |c: char| c.is_whitespace() || c.is_control();
    if text.is_empty() {
        return "%".to_owned();
    }
    if !text.contains(breaks) {
        return text.to_owned();
    }
    let mut written = String::with_capacity(text.len());
    for c in text.chars() {
        match breaks(c) || c == '%' {
            // The form encoding of a space (`+`) is not used here.
            true if c == ' ' => written.push_str("%20"),
            true => written.extend(byte_serialize(c.encode_utf8(&mut [0; 4]).as_bytes())),
            false => written.push(c),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;
    use serde_json::json;

    fn told(id: &str, lang: &str, results: Value) -> Record {
        let mut record = record(id, 1.0);
        (record.lang, record.predicted.sparql) = (Some(lang.to_owned()), None);
        record.predicted.results = Some(results);
        record
    }

    fn table() -> Value {
        let cell = |kind: &str, value: &str| json!({"type": kind, "value": value});
        json!({"variables": ["x", "l"], "row_count": 3, "rows": [
            [cell("uri", "https://e.x/a%20b"), cell("literal", "50 % off\n")],
            [cell("uri", "https://e.x/b"), null],
            [cell("uri", "https://e.x/a%20b"), {"type": "literal", "value": "Ö", "lang": "de"}]
        ]})
    }

    fn written(records: &[Record], write: WriteExport) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let answers: Vec<_> = records.iter().map(recorded).collect();
        write(&path, records, &answers).unwrap();
        std::fs::read_to_string(&path).unwrap()
    }

    #[test]
    fn a_run_file_has_each_member_once_and_no_spaces() {
        let records = [told("q 1", "en", table()), told("2", "en", json!({"boolean": false}))];
        assert_eq!(
            written(&records, write_trec),
            "q%201 Q0 https://e.x/a%20b 1 4 eruca\nq%201 Q0 50%20%25%20off%0A 2 3 eruca\n\
             q%201 Q0 https://e.x/b 3 2 eruca\nq%201 Q0 Ö 4 1 eruca\n2 Q0 false 1 1 eruca\n"
        );
    }

    #[test]
    fn qald_has_the_ids_of_its_files_and_answers_of_the_standard() {
        let records = [told("1-en", "en", table()), told("2-en", "en", json!({"boolean": true}))];
        let document: Value = serde_json::from_str(&written(&records, write_qald)).unwrap();
        assert_eq!(document["questions"][0]["id"], "1");
        assert_eq!(
            document["questions"][0]["question"],
            json!([{"language": "en", "string": "question 1-en"}])
        );
        assert_eq!(document["questions"][0]["answers"][0]["results"]["bindings"][2]["l"]["xml:lang"], "de");
        assert_eq!(document["questions"][1]["answers"], json!([{"head": {}, "boolean": true}]));
        let records = [told("1-en", "en", table()), told("1-de", "de", table())];
        let document: Value = serde_json::from_str(&written(&records, write_qald)).unwrap();
        assert_eq!(
            (&document["questions"][0]["id"], &document["questions"][1]["id"]),
            (&json!("1-en"), &json!("1-de"))
        );
    }
}

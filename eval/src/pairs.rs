//! Scores files of SPARQL results by all metrics, without any dataset: to compare with other scorers.
//!
//! A file is `{"ID": RESULTS, ...}`, with results in the [SPARQL 1.1 JSON format](https://www.w3.org/TR/sparql11-results-json/).
//! Result sets of the official client are no such files, and are scored by [`official`](super::official).

use super::error::{EvalError, read};
use super::metrics::result_set;
use super::metrics::score;
use super::metrics::side::{Compared, METRICS, SideFigures};
use super::metrics::words::shown_texts;
use super::official::averaged;
use super::record::Scores;
use super::rows::row_f1;
use eruca_language::Language;
use eruca_sparql::{Answer, BlankNode, Literal, NamedNode, Results, Solutions, Term};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

const EXPECTED: &str =
    "expected results in SPARQL's JSON format: {\"ID\": {\"head\": ..., \"results\": ...}, ...}";

/// Results by question.
#[derive(Debug, Clone, PartialEq)]
pub struct SparqlResults {
    path: PathBuf,
    /// Question ids with their results, in the order of the file.
    answers: Vec<(String, Answer)>,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    head: Head,
    boolean: Option<bool>,
    results: Option<Bindings>,
}

#[derive(Deserialize, Default)]
struct Head {
    #[serde(default)]
    vars: Vec<String>,
}

#[derive(Deserialize)]
struct Bindings {
    bindings: Vec<BTreeMap<String, Cell>>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(rename = "type")]
    kind: String,
    value: String,
    datatype: Option<String>,
    #[serde(rename = "xml:lang")]
    lang: Option<String>,
}

/// Whether a file has SPARQL results, by its first entry. What cannot be read or is no JSON has none.
pub fn has_sparql_results(path: &Path) -> bool {
    let entries = read(path).ok().and_then(|text| serde_json::from_str::<Map<String, Value>>(&text).ok());
    let is_results = |entry: &Value| {
        let has = |name: &str, test: fn(&Value) -> bool| entry.get(name).is_some_and(test);
        has("head", Value::is_object) || has("results", Value::is_object) || has("boolean", Value::is_boolean)
    };
    entries.is_some_and(|entries| entries.values().next().is_some_and(is_results))
}

impl SparqlResults {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read or has an invalid format.
    pub fn read(path: &Path) -> Result<Self, EvalError> {
        let entries: Map<String, Value> = serde_json::from_str(&read(path)?)
            .map_err(|error| EvalError::format(path, Some(error.line()), format!("{error}; {EXPECTED}")))?;
        let wrong = |id: &str, message: String| {
            EvalError::format(path, None, format!("'{id}': {message}; {EXPECTED}"))
        };
        let mut answers = Vec::with_capacity(entries.len());
        for (id, entry) in entries {
            let entry: Entry =
                serde_json::from_value(entry).map_err(|error| wrong(&id, error.to_string()))?;
            let results = results(entry).map_err(|message| wrong(&id, message))?;
            answers.push((id, Answer { results, incomplete: None, elapsed: Duration::ZERO }));
        }
        Ok(Self { path: path.to_owned(), answers })
    }

    fn of(&self, id: &str) -> Result<&Answer, EvalError> {
        let found = self.answers.iter().find(|(known, _)| known == id).map(|(_, answer)| answer);
        found.ok_or_else(|| EvalError::format(&self.path, None, format!("no results for question '{id}'")))
    }
}

fn results(entry: Entry) -> Result<Results, String> {
    let Entry { head, boolean, results } = entry;
    let bindings = match (boolean, results) {
        (Some(truth), None) => return Ok(Results::Boolean(truth)),
        (None, Some(Bindings { bindings })) => bindings,
        _ => return Err("either 'results' or 'boolean' is needed".to_owned()),
    };
    let mut rows = Vec::with_capacity(bindings.len());
    for mut binding in bindings {
        let cells = head.vars.iter().map(|name| binding.remove(name).map(term).transpose());
        rows.push(cells.collect::<Result<Vec<_>, _>>()?);
    }
    Ok(Results::Solutions(Solutions { variables: head.vars, rows }))
}

fn term(cell: Cell) -> Result<Term, String> {
    let Cell { kind, value, datatype, lang } = cell;
    Ok(match (kind.as_str(), datatype, lang) {
        ("uri", ..) => NamedNode::new_unchecked(value).into(),
        ("bnode", ..) => BlankNode::new_unchecked(value).into(),
        ("literal" | "typed-literal", _, Some(lang)) => {
            Literal::new_language_tagged_literal_unchecked(value, lang).into()
        }
        ("literal" | "typed-literal", Some(datatype), None) => {
            Literal::new_typed_literal(value, NamedNode::new_unchecked(datatype)).into()
        }
        ("literal" | "typed-literal", None, None) => Literal::new_simple_literal(value).into(),
        _ => return Err(format!("'{kind}' is no type of a term")),
    })
}

/// Scores every question of `predicted` by all metrics, with the means under `average`: the document to be written.
///
/// The answer in words that has the text score is the first literal of each row.
///
/// # Errors
/// When `gold` lacks one of the questions.
pub fn score_pairs(
    gold: &SparqlResults,
    predicted: &SparqlResults,
    ordered: &HashSet<String>,
    language: &Language,
) -> Result<Value, EvalError> {
    let mut all = Vec::with_capacity(predicted.answers.len());
    for (id, answer) in &predicted.answers {
        let order_matters = ordered.contains(id);
        let texts = shown_texts(answer);
        let compared = Compared {
            gold: gold.of(id)?,
            predicted: Some(answer),
            order_matters,
            has_rows: true,
            texts: Some(&texts),
            language,
            labels: None,
        };
        all.push((id.clone(), scores(&compared)));
    }
    let mut document: Map<String, Value> =
        all.iter().map(|(id, scores)| (id.clone(), shown(scores))).collect();
    document.insert("average".to_owned(), average(&all));
    Ok(Value::Object(document))
}

fn scores(compared: &Compared<'_>) -> Scores {
    let Compared { gold, predicted, order_matters, .. } = *compared;
    let gold_set = result_set(gold);
    let set = predicted.map(result_set).unwrap_or_default();
    Scores {
        official: score(&gold_set, &set, order_matters),
        unwinnable: gold_set.values().all(|relevance| *relevance <= 0),
        row_f1: row_f1(gold, predicted),
        side: compared.scores(),
    }
}

fn shown(scores: &Scores) -> Value {
    let mut shown = json!(scores);
    if let Some(fields) = shown.as_object_mut() {
        fields.insert("row_em".to_owned(), json!(scores.row_em()));
        if let Some(counts) = scores.side.qald {
            let measures = counts.measures();
            for (name, value) in
                [("qald_P", measures.precision), ("qald_R", measures.recall), ("qald_F", measures.f1)]
            {
                fields.insert(name.to_owned(), json!(value));
            }
        }
    }
    shown
}

fn average(all: &[(String, Scores)]) -> Value {
    let official = averaged(all.iter().map(|(id, scores)| (id.clone(), scores.official)).collect());
    let mut average = json!(official.mean);
    let figures = SideFigures::of(all.iter().map(|(_, scores)| scores));
    let mean = |values: Vec<f64>| (!values.is_empty()).then(|| super::stats::mean(&values));
    if let Some(fields) = average.as_object_mut() {
        fields.insert("set_F_ndcg".to_owned(), json!(official.combined));
        let row_f1 = mean(all.iter().filter_map(|(_, scores)| scores.row_f1).collect());
        let row_em = mean(all.iter().filter_map(|(_, scores)| scores.row_em()).collect());
        fields.insert("row_f1".to_owned(), json!(row_f1));
        fields.insert("row_em".to_owned(), json!(row_em));
        for metric in METRICS {
            if let Some(mean) = figures.mean(&metric) {
                fields.insert(metric.name.to_owned(), json!(mean));
            }
        }
        fields.insert("qald".to_owned(), json!(figures.qald));
    }
    average
}

#[cfg(test)]
mod tests;

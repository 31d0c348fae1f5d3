//! The record of one question: a line of `results.jsonl`.

use super::error::{EvalError, read};
use super::known::Provenance;
use super::metrics::OfficialScores;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The name of the record file in the output folder.
pub const RESULTS_FILE: &str = "results.jsonl";

/// One question with its complete outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The question's id.
    pub id: String,
    /// The id of the dataset asked.
    pub dataset: String,
    /// The question in plain language.
    pub question: String,
    /// Its language, if known.
    pub lang: Option<String>,
    /// The features that the file gives.
    pub features: Vec<String>,
    /// The form of the gold query.
    pub form: String,
    /// The gold answer.
    pub gold: Side,
    /// Where it comes from, and whether the published answer agrees with it.
    #[serde(default)]
    pub provenance: Provenance,
    /// The system's answer.
    pub predicted: Side,
    /// Its scores.
    pub scores: Scores,
    /// Effort of the run, unless there was no answer at all.
    pub run: Option<RunFigures>,
    /// Why there is no answer at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Another system's textual answers, if those were scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Vec<String>>,
    /// The whole trace as the HTTP service sends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Value>,
}

/// A query and its results.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Side {
    /// The query.
    pub sparql: Option<String>,
    /// Its results as the HTTP service sends them: the first rows and the row count. For a stored gold set, its members as a
    /// table with one column.
    pub results: Option<Value>,
    /// Why there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// All scores of one question.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Scores {
    /// The official scores.
    #[serde(flatten)]
    pub official: OfficialScores,
    /// Whether no system can score officially: the gold set is empty, or the gold query is an ASK with the answer false.
    pub unwinnable: bool,
    /// SPINACH's row-major F1; absent if the gold rows are unknown or there are none.
    pub row_f1: Option<f64>,
}

impl Scores {
    /// SPINACH's exact match: all rows found and none in excess.
    pub fn row_em(&self) -> Option<f64> {
        self.row_f1.map(|f1| if f1 == 1.0 { 1.0 } else { 0.0 })
    }
}

/// The effort of answering.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RunFigures {
    /// The component that produced the query: `agent`, `planner`, ...
    pub answered_by: String,
    /// Why the run ended: `answered`, `deadline`, ...
    pub stop_reason: String,
    /// The chat model, if one was asked.
    pub model: Option<String>,
    /// The reported confidence level: `sure`, `likely`, `guess`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
    /// The reported probability that it is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// The inputs of the probability, by name: with `scores`, a new model of it can be fitted.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub signs: BTreeMap<String, f64>,
    /// Completions requested from the model.
    pub model_calls: u32,
    /// Number of trace steps.
    pub steps: usize,
    /// Edits that brought the final query into the form of the answer.
    #[serde(default)]
    pub rewrites: Vec<String>,
    /// Decisions of the controller: repairs, the choice of a candidate.
    pub decisions: usize,
    /// Number of prompt tokens.
    pub prompt_tokens: u64,
    /// Prompt tokens served from the model server's cache.
    pub cached_tokens: u64,
    /// Number of completion tokens.
    pub completion_tokens: u64,
    /// Whether a token count is an estimate.
    pub tokens_estimated: bool,
    /// What the tokens cost, if the prices are configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Wall-clock time.
    pub seconds: f64,
}

impl Record {
    /// Whether the answer is exactly right: all rows and none in excess, additional columns allowed. `None` if the right answer
    /// is unknown.
    pub fn is_right(&self) -> Option<bool> {
        if self.gold.error.is_some() {
            return None;
        }
        if let Some(exact) = self.scores.row_em() {
            return Some(exact == 1.0);
        }
        if !self.scores.unwinnable {
            return Some(self.scores.official.set_f == 1.0);
        }
        // An empty gold set or a false ASK, which the official scores count as lost.
        let (gold, given) = (self.gold.results.as_ref()?, self.predicted.results.as_ref());
        let truth = |results: &Value| results.get("boolean").and_then(Value::as_bool);
        let rows = |results: &Value| results.get("row_count").and_then(Value::as_u64);
        Some(given.is_some_and(|given| match (truth(gold), truth(given)) {
            (Some(gold), Some(given)) => gold == given,
            (None, None) => rows(given) == Some(0),
            _ => false,
        }))
    }
}

impl RunFigures {
    /// Tokens of prompts and completions.
    pub fn tokens(&self) -> u64 {
        self.prompt_tokens + self.completion_tokens
    }
}

/// The records of a folder: the latest one per question, ordered by the questions' first lines.
///
/// # Errors
/// When there are none, or a line is not a record.
pub fn read_records(folder: &Path) -> Result<Vec<Record>, EvalError> {
    let path = folder.join(RESULTS_FILE);
    parse(&path, &read(&path)?)
}

fn parse(path: &Path, text: &str) -> Result<Vec<Record>, EvalError> {
    let mut records: Vec<Record> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let record: Record = serde_json::from_str(line).map_err(|error| {
            let message =
                format!("not a record of eruca eval: {error}; delete the line to ask its question again");
            EvalError::format(path, Some(number), message)
        })?;
        match places.get(&record.id).and_then(|place| records.get_mut(*place)) {
            Some(earlier) => *earlier = record,
            None => {
                places.insert(record.id.clone(), records.len());
                records.push(record);
            }
        }
    }
    Ok(records)
}

/// Appends records to a folder's file.
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
}

impl Journal {
    /// Opens the folder's file, creating both if needed, and returns the existing records. An incomplete last line is the result
    /// of a crash and is removed.
    ///
    /// # Errors
    /// When the file cannot be created or read, or one of its lines is not a record.
    pub fn open(folder: &Path) -> Result<(Self, Vec<Record>), EvalError> {
        let path = folder.join(RESULTS_FILE);
        std::fs::create_dir_all(folder).map_err(|reason| EvalError::write(folder, reason))?;
        let failed = |reason| EvalError::write(&path, reason);
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        let text = read(&path)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let (kept, torn) = text.split_at(whole);
        if !torn.is_empty() {
            file.set_len(whole as u64).map_err(failed)?;
        }
        let records = parse(&path, kept)?;
        Ok((Self { path, file: Mutex::new(file) }, records))
    }

    /// Appends a record as one line, in a single write.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&self, record: &Record) -> Result<(), EvalError> {
        let failed = |reason| EvalError::write(&self.path, reason);
        let mut line = serde_json::to_vec(record).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        // A panic of another writer leaves at worst an incomplete line, which the next start removes.
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line).map_err(failed)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A record with this score, for tests.
    pub(crate) fn record(id: &str, set_f: f64) -> Record {
        let official = OfficialScores { set_p: set_f, set_recall: set_f, set_f, ndcg: None };
        Record {
            id: id.to_owned(),
            dataset: "d".to_owned(),
            question: format!("question {id}"),
            lang: Some("en".to_owned()),
            features: vec!["SELECT".to_owned()],
            form: "SELECT".to_owned(),
            gold: Side::default(),
            provenance: Provenance::default(),
            predicted: Side { sparql: Some("ASK {}".to_owned()), ..Side::default() },
            scores: Scores { official, unwinnable: false, row_f1: Some(set_f) },
            run: Some(RunFigures { model_calls: 2, seconds: 1.5, ..RunFigures::default() }),
            error: None,
            answers: None,
            trace: None,
        }
    }

    #[test]
    fn the_journal_keeps_the_latest_and_forgets_a_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("new/out");
        let (journal, before) = Journal::open(&out).unwrap();
        assert!(before.is_empty());
        for (id, set_f) in [("a", 0.5), ("b", 1.0 / 3.0), ("a", 0.25)] {
            journal.append(&record(id, set_f)).unwrap();
        }
        drop(journal);
        let file = out.join(RESULTS_FILE);
        let whole = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("{whole}{{\"id\": \"c\", \"data")).unwrap();
        let (journal, records) = Journal::open(&out).unwrap();
        let found: Vec<(&str, f64)> =
            records.iter().map(|record| (record.id.as_str(), record.scores.official.set_f)).collect();
        assert_eq!(found, [("a", 0.25), ("b", 1.0 / 3.0)]);
        journal.append(&record("c", 1.0)).unwrap();
        assert_eq!(read_records(&out).unwrap().len(), 3);
    }

    #[test]
    fn right_is_what_gives_the_same_also_where_nothing_can_be_won() {
        assert_eq!((record("a", 1.0).is_right(), record("b", 0.9).is_right()), (Some(true), Some(false)));
        let mut lost = record("c", 0.0);
        (lost.scores.row_f1, lost.scores.unwinnable) = (None, true);
        let table =
            |rows: u64| Some(serde_json::json!({ "variables": ["x"], "rows": [], "row_count": rows }));
        lost.gold.results = table(0);
        assert_eq!(lost.is_right(), Some(false), "there is no result");
        lost.predicted.results = table(0);
        assert_eq!(lost.is_right(), Some(true));
        lost.predicted.results = table(2);
        assert_eq!(lost.is_right(), Some(false));
        lost.gold.error = Some("no such query".to_owned());
        assert_eq!(lost.is_right(), None);
    }

    #[test]
    fn a_line_that_is_no_record_is_told() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(RESULTS_FILE), "{}\n").unwrap();
        let error = read_records(folder.path()).unwrap_err().to_string();
        assert!(error.contains("results.jsonl', line 1: not a record"), "{error}");
    }
}

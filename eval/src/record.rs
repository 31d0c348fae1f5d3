//! The record of one question: a line of `results.jsonl`.

use super::known::Provenance;
use super::metrics::OfficialScores;
use super::metrics::side::SideScores;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

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
    /// The conversation with the model, if it is kept: `messages` and `tools` as OpenAI's API has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<Value>,
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
    /// The scores of other papers; records of earlier versions have none.
    #[serde(flatten)]
    pub side: SideScores,
}

/// The key of results without rows that tells equal ones.
const FINGERPRINT: &str = "fingerprint";

impl Side {
    /// The same without rows, with their fingerprint.
    fn without_rows(self) -> Self {
        let fingerprint = self.fingerprint();
        let slim = |mut results: Value| {
            if let Some(parts) = results.as_object_mut() {
                parts.insert("rows".to_owned(), json!([]));
                parts.insert(FINGERPRINT.to_owned(), json!(fingerprint));
            }
            results
        };
        Self { results: self.results.map(slim), ..self }
    }

    /// A number that is the same for equal results, as far as they are kept: the same rows in any order, whatever the columns are
    /// called.
    pub fn fingerprint(&self) -> u64 {
        let part = |key: &str| self.results.as_ref().and_then(|results| results.get(key));
        if let Some(known) = part(FINGERPRINT).and_then(Value::as_u64) {
            return known;
        }
        let mut hasher = DefaultHasher::new();
        (self.results.is_some(), part("boolean").and_then(Value::as_bool)).hash(&mut hasher);
        part("row_count").and_then(Value::as_u64).hash(&mut hasher);
        let mut rows: Vec<String> =
            part("rows").and_then(Value::as_array).into_iter().flatten().map(Value::to_string).collect();
        rows.sort_unstable();
        rows.hash(&mut hasher);
        hasher.finish()
    }
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

/// What figures need of the steps of a trace.
const SMALL_STEP: [&str; 3] = ["kind", "name", "outcome"];

impl Record {
    /// The same without what only readers need: rows, signs, the texts of the trace, and the conversation. Tens of thousands of records
    /// fit into memory so.
    #[must_use]
    pub fn slim(self) -> Self {
        let small = |step: &Value| -> Value {
            let kept = SMALL_STEP.iter().filter_map(|key| Some(((*key).to_owned(), step.get(key)?.clone())));
            Value::Object(kept.collect())
        };
        let steps = |trace: Value| {
            let steps = trace.get("steps").and_then(Value::as_array)?;
            Some(json!({"steps": steps.iter().map(small).collect::<Vec<_>>()}))
        };
        // Exports read the rows of answers in words from the record.
        let side = |side: Side| if self.answers.is_some() { side } else { side.without_rows() };
        Self {
            gold: side(self.gold),
            predicted: side(self.predicted),
            run: self.run.map(|run| RunFigures { signs: BTreeMap::new(), ..run }),
            trace: self.trace.and_then(steps),
            conversation: None,
            ..self
        }
    }

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
            scores: Scores { official, unwinnable: false, row_f1: Some(set_f), side: SideScores::default() },
            run: Some(RunFigures { model_calls: 2, seconds: 1.5, ..RunFigures::default() }),
            error: None,
            answers: None,
            trace: None,
            conversation: None,
        }
    }

    #[test]
    fn a_slim_record_tells_the_same_results() {
        let with = |rows: Value| {
            let mut record = record("a", 0.5);
            record.predicted.results = Some(json!({"variables": ["x"], "row_count": 2, "rows": rows}));
            record
        };
        let (one, same, other) = (with(json!([[1], [2]])), with(json!([[2], [1]])), with(json!([[1], [3]])));
        let slim = |record: &Record| record.clone().slim().slim().predicted;
        assert_eq!(slim(&one).fingerprint(), same.predicted.fingerprint());
        assert_ne!(slim(&one).fingerprint(), slim(&other).fingerprint());
        assert_eq!(slim(&one).results.unwrap()["rows"], json!([]));
        assert_eq!(one.clone().slim().is_right(), one.is_right());
        let mut words = one;
        words.answers = Some(Vec::new());
        assert_eq!(slim(&words).results.unwrap()["rows"], json!([[1], [2]]), "exports need them");
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
}

//! Scores published result sets like the official client's `evaluate`, without any dataset.

use super::error::{EvalError, read};
use super::metrics::{OfficialScores, ResultSet, score};
use super::stats::{exact_mean, mean};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The key in a result set file for the questions whose order matters.
const ORDER_REQUIRED: &str = "order_required";

/// Result sets by question, as `text2sparql query` writes them.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultSets {
    path: PathBuf,
    /// Question ids with their sets, in the order of the file.
    sets: Vec<(String, ResultSet)>,
    /// Ids of the questions that are also scored by nDCG.
    order_required: BTreeSet<String>,
}

impl ResultSets {
    /// Reads a result set file.
    ///
    /// # Errors
    /// When it cannot be read or has an invalid format.
    pub fn read(path: &Path) -> Result<Self, EvalError> {
        let entries: Map<String, Value> = serde_json::from_str(&read(path)?)
            .map_err(|error| EvalError::format(path, Some(error.line()), format!("{error}; {EXPECTED}")))?;
        let mut sets = Vec::with_capacity(entries.len());
        let mut order_required = BTreeSet::new();
        for (id, entry) in entries {
            let read = match id == ORDER_REQUIRED {
                true => serde_json::from_value(entry).map(|ids: BTreeSet<String>| order_required = ids),
                false => serde_json::from_value(entry).map(|set| sets.push((id.clone(), set))),
            };
            read.map_err(|error| EvalError::format(path, None, format!("'{id}': {error}; {EXPECTED}")))?;
        }
        Ok(Self { path: path.to_owned(), sets, order_required })
    }

    /// The set of a question.
    ///
    /// # Errors
    /// When the file has none for it.
    pub fn of(&self, id: &str) -> Result<&ResultSet, EvalError> {
        let found = self.sets.iter().find(|(known, _)| known == id).map(|(_, set)| set);
        found.ok_or_else(|| EvalError::format(&self.path, None, format!("no result set for question '{id}'")))
    }

    /// Adds questions that are scored by nDCG.
    pub fn require_order(&mut self, ids: impl IntoIterator<Item = String>) {
        self.order_required.extend(ids);
    }

    /// Whether a question is scored by nDCG.
    pub fn requires_order(&self, id: &str) -> bool {
        self.order_required.contains(id)
    }
}

const EXPECTED: &str = "expected a result set of the official client: {\"ID\": {\"VALUE\": 1, ...}, ...}";

/// The scores of every question and their means.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// Ids and scores in the order of the predicted file.
    pub questions: Vec<(String, OfficialScores)>,
    /// The means; that of nDCG over the questions whose order matters.
    pub mean: OfficialScores,
    /// The mean of nDCG where the order matters and F elsewhere, if it matters anywhere.
    pub combined: Option<f64>,
}

/// Scores every question of `predicted`.
///
/// Questions with an empty gold set score 0, as in the published evaluations of 2025. The client with a later `pytrec_eval`
/// (terrier 0.5.11) skips them, also when computing the mean: `leave_out_empty` does the same.
///
/// # Errors
/// When `gold` lacks one of the questions.
pub fn evaluate(
    gold: &ResultSets,
    predicted: &ResultSets,
    leave_out_empty: bool,
) -> Result<Evaluation, EvalError> {
    let mut questions = Vec::with_capacity(predicted.sets.len());
    for (id, set) in &predicted.sets {
        let wanted = gold.of(id)?;
        if !(leave_out_empty && wanted.is_empty()) {
            questions.push((id.clone(), score(wanted, set, gold.requires_order(id))));
        }
    }
    Ok(averaged(questions))
}

/// Adds the means to the scores of questions.
pub fn averaged(questions: Vec<(String, OfficialScores)>) -> Evaluation {
    let mean_of = |pick: fn(&OfficialScores) -> f64| {
        mean(&questions.iter().map(|(_, scores)| pick(scores)).collect::<Vec<_>>())
    };
    let ordered: Vec<f64> = questions.iter().filter_map(|(_, scores)| scores.ndcg).collect();
    let mean = OfficialScores {
        set_p: mean_of(|scores| scores.set_p),
        set_recall: mean_of(|scores| scores.set_recall),
        set_f: mean_of(|scores| scores.set_f),
        ndcg: (!ordered.is_empty()).then(|| mean(&ordered)),
    };
    let combined = mean.ndcg.is_some().then(|| {
        // The client averages over its table of results, which already contains the row of means.
        let rows = questions.iter().map(|(_, scores)| scores).chain([&mean]);
        exact_mean(&rows.map(|scores| scores.ndcg.unwrap_or(scores.set_f)).collect::<Vec<_>>())
    });
    Evaluation { questions, mean, combined }
}

impl Evaluation {
    /// The JSON document that `text2sparql evaluate` writes.
    pub fn to_json(&self) -> Value {
        let mut document = Map::new();
        for (id, scores) in &self.questions {
            document.insert(id.clone(), json!(scores));
        }
        let mut average = json!(self.mean);
        if let (Some(combined), Some(average)) = (self.combined, average.as_object_mut()) {
            average.insert("set_F_ndcg".to_owned(), json!(combined));
        }
        document.insert("average".to_owned(), average);
        Value::Object(document)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(text: &str) -> Result<ResultSets, EvalError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sets.json");
        std::fs::write(&path, text).unwrap();
        ResultSets::read(&path)
    }

    const GOLD: &str = r#"{"q:1": {"a": 1, "b": 1}, "q:2": {"a": 1}, "q:3": {}, "q:4": {"true": 0},
        "q:5": {"a": 1, "b": 1, "c": 1}, "order_required": ["q:1", "q:5"]}"#;
    const PREDICTED: &str = r#"{"q:1": {"a": 1, "b": 1, "c": 1}, "q:2": {"x": 1}, "q:3": {"x": 1},
        "q:4": {"true": 0}, "q:5": {"b": 1}}"#;

    #[test]
    fn the_document_is_that_of_the_client() {
        // Output of text2sparql-client with pytrec_eval-terrier 0.5.11 for these two files.
        let expected = json!({"q:1": {"set_P": 0.6666666666666666, "set_recall": 1.0, "set_F": 0.8, "ndcg": 0.6934264036172708}, "q:2": {"set_P": 0.0, "set_recall": 0.0, "set_F": 0.0}, "q:4": {"set_P": 0.0, "set_recall": 0.0, "set_F": 0.0}, "q:5": {"set_P": 1.0, "set_recall": 0.3333333333333333, "set_F": 0.5, "ndcg": 0.46927872602275644}, "average": {"set_P": 0.41666666666666663, "set_F": 0.325, "set_recall": 0.3333333333333333, "ndcg": 0.5813525648200136, "set_F_ndcg": 0.34881153889200817}});
        let evaluation = evaluate(&sets(GOLD).unwrap(), &sets(PREDICTED).unwrap(), true).unwrap();
        assert_eq!(evaluation.to_json(), expected);
    }

    #[test]
    fn empty_gold_counts_nothing_unless_left_out() {
        let evaluation = evaluate(&sets(GOLD).unwrap(), &sets(PREDICTED).unwrap(), false).unwrap();
        assert_eq!(evaluation.questions.len(), 5);
        assert_eq!(evaluation.mean.set_f, (0.8 + 0.5) / 5.0);
    }

    #[test]
    fn wrong_files_are_told() {
        let gold = sets(r#"{"q:1": {}}"#).unwrap();
        let missing = evaluate(&gold, &sets(PREDICTED).unwrap(), false).unwrap_err().to_string();
        assert!(missing.contains("no result set for question 'q:2'"), "{missing}");
        for wrong in ["[]", "{\n\"q:1\": 3}", "{\"q:1\": {\"a\": \"x\"}}", "{"] {
            let error = sets(wrong).unwrap_err().to_string();
            assert!(error.contains("sets.json'") && error.contains("expected a result set"), "{error}");
        }
    }
}

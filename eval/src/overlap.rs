//! How far the published answers of a benchmark agree with what its gold queries give on the graph at hand. Graphs change, and slices
//! of them lack things: where both differ, nobody can say which one is right.

use super::metrics::result_set;
use super::stats::mean;
use super::stored::StoredAnswer;
use eruca_sparql::{Answer, Results};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Whether two answers have the same values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// All of them.
    Equal,
    /// Some of them.
    Some,
    /// None of them.
    None,
}

/// How far the stored answer of a question agrees with the rows of its gold query.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Overlap {
    /// In one word.
    pub agreement: Agreement,
    /// The share of the values of either that both have (Jaccard 1901); 1 if both are empty.
    pub share: f64,
}

/// The same over many questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Overlaps {
    /// Questions with both answers.
    pub questions: usize,
    /// Those on which both are equal.
    pub equal: usize,
    /// Those on which they have something in common.
    pub some: usize,
    /// Those on which they have nothing in common.
    pub none: usize,
    /// The mean of the shares.
    pub share: f64,
}

/// Compares the rows of a gold query with the stored answer.
pub fn overlap(run: &Answer, stored: &StoredAnswer) -> Overlap {
    let (run, stored) = (values(run), values(&stored.answer()));
    let (common, all) = (run.intersection(&stored).count(), run.union(&stored).count());
    let agreement = match common {
        _ if common == all => Agreement::Equal,
        0 => Agreement::None,
        _ => Agreement::Some,
    };
    Overlap { agreement, share: if all == 0 { 1.0 } else { common as f64 / all as f64 } }
}

/// The values of an answer; those of ASK, which are one member of two relevances in the official sets, by their names.
fn values(answer: &Answer) -> BTreeSet<String> {
    match answer.results {
        Results::Boolean(truth) => BTreeSet::from([truth.to_string()]),
        _ => result_set(answer).into_keys().collect(),
    }
}

/// The counts and the mean; `None` for no question.
pub fn overlaps(found: &[Overlap]) -> Option<Overlaps> {
    let count = |agreement| found.iter().filter(|one| one.agreement == agreement).count();
    (!found.is_empty()).then(|| Overlaps {
        questions: found.len(),
        equal: count(Agreement::Equal),
        some: count(Agreement::Some),
        none: count(Agreement::None),
        share: mean(&found.iter().map(|one| one.share).collect::<Vec<_>>()),
    })
}

impl Overlaps {
    /// As people read it.
    pub fn told(&self) -> String {
        let Self { questions, equal, some, none, share } = self;
        format!(
            "{equal} equal, {some} in part, {none} with nothing in common, of {questions}; mean share {share:.3}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn stored(value: &Value) -> StoredAnswer {
        StoredAnswer::read_result(value).unwrap()
    }

    fn compared(run: &Value, published: &Value) -> (Agreement, f64) {
        let found = overlap(&stored(run).answer(), &stored(published));
        (found.agreement, found.share)
    }

    #[test]
    fn values_are_compared_as_sets() {
        assert_eq!(compared(&json!(["a", "b"]), &json!(["b", "a", "a"])), (Agreement::Equal, 1.0));
        assert_eq!(compared(&json!(["a", "b"]), &json!(["b", "c", "d"])), (Agreement::Some, 0.25));
        assert_eq!(compared(&json!(["a"]), &json!([])), (Agreement::None, 0.0));
        assert_eq!(compared(&json!([]), &json!([])), (Agreement::Equal, 1.0));
        assert_eq!(compared(&json!(true), &json!(false)), (Agreement::None, 0.0));
        assert_eq!(compared(&json!(false), &json!(false)), (Agreement::Equal, 1.0));
    }

    #[test]
    fn counts_and_the_mean_are_over_the_questions_with_both() {
        let shares = [(Agreement::Equal, 1.0), (Agreement::Some, 0.5), (Agreement::None, 0.0)];
        let found = overlaps(&shares.map(|(agreement, share)| Overlap { agreement, share })).unwrap();
        assert_eq!((found.questions, found.equal, found.some, found.none, found.share), (3, 1, 1, 1, 0.5));
        assert_eq!(overlaps(&[]), None);
    }
}

//! What is wrong with the answers that are not right: a class for each, told from results and queries alone. SPINACH (Liu et al. 2024)
//! and ARUQULA class errors by hand; these classes are coarser and the same for everybody.

use super::gold::runnable;
use super::record::Record;
use eruca_sparql::{Prefixes, QueryPolicy, check};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Longest query whose terms are compared, in bytes.
const MAX_QUERY: usize = 100_000;

/// What an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Exactly right.
    Right,
    /// The right values, in other rows: too few of them, or combined in another way.
    OtherRows,
    /// Only right values, and not all of them.
    TooFew,
    /// All right values, and others.
    TooMany,
    /// Some right values, and others.
    Partly,
    /// No right value.
    OtherValues,
    /// Rows in the place of yes or no, or the reverse; the wrong one of yes and no.
    OtherTruth,
    /// Nothing.
    Empty,
    /// The query does not run.
    Fails,
    /// There is no query.
    NoAnswer,
}

impl Outcome {
    /// All, the best first.
    pub const ALL: [Self; 10] = [
        Self::Right,
        Self::OtherRows,
        Self::TooFew,
        Self::TooMany,
        Self::Partly,
        Self::OtherValues,
        Self::OtherTruth,
        Self::Empty,
        Self::Fails,
        Self::NoAnswer,
    ];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::OtherRows => "other rows",
            Self::TooFew => "too few",
            Self::TooMany => "too many",
            Self::Partly => "partly",
            Self::OtherValues => "other values",
            Self::OtherTruth => "other truth",
            Self::Empty => "empty",
            Self::Fails => "fails",
            Self::NoAnswer => "no answer",
        }
    }
}

/// The answers of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counted {
    /// Number of answers.
    pub answers: usize,
    /// Those whose query has all IRIs of the gold query: things and properties were found, and something else is wrong.
    pub same_terms: usize,
    /// Those whose query lacks an IRI of the gold query.
    pub other_terms: usize,
}

/// Counts answers by what they are. Questions whose right answer is not known do not count.
pub fn mistakes(records: &[Record]) -> BTreeMap<Outcome, Counted> {
    let mut found: BTreeMap<Outcome, Counted> = BTreeMap::new();
    for record in records {
        let Some(outcome) = outcome(record) else { continue };
        let counted = found.entry(outcome).or_default();
        counted.answers += 1;
        match has_terms(record) {
            Some(true) => counted.same_terms += 1,
            Some(false) => counted.other_terms += 1,
            None => {}
        }
    }
    found
}

/// What an answer is; `None` if the right one is not known.
pub fn outcome(record: &Record) -> Option<Outcome> {
    if record.is_right()? {
        return Some(Outcome::Right);
    }
    let Some(given) = &record.predicted.results else {
        let is_query = record.predicted.sparql.is_some();
        return Some(if is_query { Outcome::Fails } else { Outcome::NoAnswer });
    };
    let truth = |results: Option<&Value>| results.and_then(|results| results.get("boolean")).is_some();
    if truth(Some(given)) || truth(record.gold.results.as_ref()) {
        return Some(Outcome::OtherTruth);
    }
    if given.get("row_count").and_then(Value::as_u64) == Some(0) {
        return Some(Outcome::Empty);
    }
    let official = &record.scores.official;
    Some(match (official.set_p, official.set_recall) {
        (0.0, _) | (_, 0.0) => Outcome::OtherValues,
        (1.0, 1.0) => Outcome::OtherRows,
        (1.0, _) => Outcome::TooFew,
        (_, 1.0) => Outcome::TooMany,
        _ => Outcome::Partly,
    })
}

/// Whether the query has all IRIs of the gold query; `None` if one of them cannot be read.
fn has_terms(record: &Record) -> Option<bool> {
    let gold = iris(record.gold.sparql.as_deref()?)?;
    Some(gold.is_subset(&iris(record.predicted.sparql.as_deref()?)?))
}

fn iris(query: &str) -> Option<BTreeSet<String>> {
    let anything = || vec!["*".to_owned()];
    let policy = QueryPolicy {
        service: anything(),
        from: anything(),
        functions: anything(),
        max_length: MAX_QUERY,
        ..QueryPolicy::default()
    };
    let query = check(&runnable(query).ok()?, &Prefixes::default(), &policy).ok()?;
    Some(query.model().iris.iter().cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;
    use serde_json::json;

    fn answered(p: f64, recall: f64, results: Value) -> Record {
        let mut record = record("a", 0.5);
        (record.scores.official.set_p, record.scores.official.set_recall) = (p, recall);
        record.predicted.results = Some(results);
        record
    }

    fn rows(count: u64) -> Value {
        json!({"variables": ["x"], "rows": [], "row_count": count})
    }

    #[test]
    fn each_answer_is_of_one_class() {
        let class = |p, recall, results| outcome(&answered(p, recall, results)).unwrap();
        assert_eq!(class(1.0, 0.5, rows(1)), Outcome::TooFew);
        assert_eq!(class(0.5, 1.0, rows(4)), Outcome::TooMany);
        assert_eq!(class(0.5, 0.5, rows(2)), Outcome::Partly);
        assert_eq!(class(0.0, 0.0, rows(2)), Outcome::OtherValues);
        assert_eq!(class(1.0, 1.0, rows(2)), Outcome::OtherRows);
        assert_eq!(class(0.0, 0.0, rows(0)), Outcome::Empty);
        assert_eq!(class(0.0, 0.0, json!({"boolean": true})), Outcome::OtherTruth);
        let mut failed = record("b", 0.0);
        assert_eq!(outcome(&failed), Some(Outcome::Fails));
        failed.predicted.sparql = None;
        assert_eq!(outcome(&failed), Some(Outcome::NoAnswer));
        failed.gold.error = Some("no such query".to_owned());
        assert_eq!(outcome(&failed), None);
        assert_eq!(outcome(&record("c", 1.0)), Some(Outcome::Right));
    }

    #[test]
    fn missing_terms_are_told_from_other_mistakes() {
        let with = |gold: &str, given: &str| {
            let mut record = answered(1.0, 0.5, rows(1));
            (record.gold.sparql, record.predicted.sparql) = (Some(gold.to_owned()), Some(given.to_owned()));
            record
        };
        let gold = "PREFIX : <https://e.x/> SELECT ?x { ?x :made :a }";
        let found = mistakes(&[
            with(gold, "SELECT ?x { ?x <https://e.x/made> <https://e.x/a> . ?x a <https://e.x/C> }"),
            with(gold, "SELECT ?x { ?x <https://e.x/makes> <https://e.x/a> }"),
            with("no query", "SELECT ?x { ?x ?p ?o }"),
            record("right", 1.0),
        ]);
        let few = found[&Outcome::TooFew];
        assert_eq!((few.answers, few.same_terms, few.other_terms), (3, 1, 1));
        assert_eq!(found[&Outcome::Right].answers, 1);
    }
}

//! GRASP's F1 over rows: relaxed (rows are assigned, columns beside the right ones are free) and strict (rows are equal or not).
//!
//! After `grasp/sparql/metrics.py` of [GRASP](https://github.com/ad-freiburg/grasp) (Walter and Bast, "GRASP: Generic Reasoning And
//! SPARQL Generation across Knowledge Graphs", 2025; package `grasp-rdf` 0.6.2):
//! - relaxed: a predicted row scores the share of the gold row's cells that it has, whatever their columns; the assignment with the
//!   largest sum is scored. Of more than 1,024 rows on one side, the strict score is taken instead;
//! - strict: rows are tuples in the order of their own result's columns, without unbound cells, and are counted as often as they
//!   occur. Names of columns do not matter, their order does;
//! - terms are equal if type, text, datatype and language are, so `1` and `1.0`, or `1` as two types, are not;
//! - two empty results score 1, an empty one and another 0. If one is the answer of an ASK, the other one is read as "has rows".
//!   The mean leaves out questions with an empty gold result;
//! - the worths of pairs and their sums have single precision, as the matrix of the scorer has.
//!
//! Where this differs: `xsd:string` equals no datatype, and `typed-literal`, which some engines write, is a literal.
//! The scorer knows no graphs; here triples are rows. The version of the paper (2025) works with single precision to the end, so its
//! scores may differ in the seventh digit.

use super::assignment::{Matrix, assign};
use super::table;
use crate::rows::{numbered, ratio};
use crate::stats::pairwise_sum;
use eruca_sparql::{Answer, Results, Solutions};
use std::collections::HashMap;

/// Most rows of either side that are assigned.
const MOST_ASSIGNED: usize = 1024;

/// The F1 of rows, by GRASP's two definitions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraspScores {
    /// Rows are assigned.
    pub relaxed: f64,
    /// Rows are equal or not.
    pub strict: f64,
}

/// Scores an answer against the gold answer. A missing answer scores 0.
pub fn grasp_scores(gold: &Answer, predicted: Option<&Answer>) -> GraspScores {
    let both = |score: f64| GraspScores { relaxed: score, strict: score };
    let Some(predicted) = predicted else { return both(0.0) };
    if let (Results::Boolean(_), _) | (_, Results::Boolean(_)) = (&gold.results, &predicted.results) {
        return both(f64::from(truth(gold) == truth(predicted)));
    }
    match (gold.is_empty(), predicted.is_empty()) {
        (true, true) => both(1.0),
        (false, false) => f1(&table(gold), &table(predicted)),
        _ => both(0.0),
    }
}

fn truth(answer: &Answer) -> bool {
    match answer.results {
        Results::Boolean(truth) => truth,
        Results::Solutions(_) | Results::Graph(_) => !answer.is_empty(),
    }
}

fn f1(gold: &Solutions, predicted: &Solutions) -> GraspScores {
    let mut numbers = HashMap::new();
    let mut gold = numbered(gold.rows.iter().map(|row| row.iter().flatten()), &mut numbers);
    let mut predicted = numbered(predicted.rows.iter().map(|row| row.iter().flatten()), &mut numbers);
    let strict = strict_f1(&gold, &predicted);
    if gold.len().max(predicted.len()) > MOST_ASSIGNED {
        return GraspScores { relaxed: strict, strict };
    }
    gold.iter_mut().chain(&mut predicted).for_each(|row| row.sort_unstable());
    GraspScores { relaxed: relaxed_f1(&gold, &predicted), strict }
}

fn strict_f1(gold: &[Vec<usize>], predicted: &[Vec<usize>]) -> f64 {
    let mut waiting: HashMap<&[usize], usize> = HashMap::new();
    for row in gold {
        *waiting.entry(row).or_default() += 1;
    }
    let found = predicted.iter().filter(|row| match waiting.get_mut(row.as_slice()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    });
    let found = found.count();
    harmonic(found as f64, predicted.len() as f64, gold.len() as f64)
}

fn relaxed_f1(gold: &[Vec<usize>], predicted: &[Vec<usize>]) -> f64 {
    let worth = Matrix::of(predicted.len(), gold.len(), |i, j| match (gold.get(j), predicted.get(i)) {
        (Some(gold), Some(predicted)) => f64::from(ratio(gold, predicted) as f32),
        _ => 0.0,
    });
    let pairs = assign(&worth);
    let held: Vec<f32> = pairs.iter().map(|(i, j)| worth.at(*i, *j) as f32).collect();
    let missing: Vec<f32> = held.iter().map(|worth| 1.0 - worth).collect();
    let found = f64::from(pairwise_sum(&held));
    let lost = f64::from(pairwise_sum(&missing)) + gold.len() as f64 - pairs.len() as f64;
    let excess = predicted.len() as f64 - pairs.len() as f64;
    harmonic(found, found + excess, found + lost)
}

/// The harmonic mean of precision and recall.
fn harmonic(found: f64, given: f64, wanted: f64) -> f64 {
    if found <= 0.0 {
        return 0.0;
    }
    let (precision, recall) = (found / given, found / wanted);
    2.0 * precision * recall / (precision + recall)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{boolean, table as words};
    use super::*;

    /// Relaxed and strict.
    fn scored(gold: &Answer, predicted: &Answer) -> (f64, f64) {
        let scores = grasp_scores(gold, Some(predicted));
        (scores.relaxed, scores.strict)
    }

    #[test]
    fn the_examples_of_grasp_s_own_tests() {
        let gold = words("x y z", &["a b -", "d e f"]);
        let (relaxed, strict) = scored(&gold, &words("x y z", &["a b c", "d e -"]));
        assert_eq!((relaxed, strict), (0.9090909179577153, 0.0), "single precision");
        let gold = words("x y", &["a b", "g h"]);
        assert_eq!(scored(&gold, &words("x y", &["a b", "c d", "e f"])), (0.5, 0.4));
        let gold = words("x y z", &["a b c", "d e f"]);
        assert_eq!(scored(&gold, &words("p q r s", &["c extra a b", "f e d more"])), (1.0, 0.0));
        let gold = words("x y", &["a b", "c d", "c d"]);
        assert_eq!(scored(&gold, &words("x y", &["a b", "a b", "c d"])).1, 0.6666666666666666);
    }

    #[test]
    fn many_rows_are_equal_or_not() {
        let rows = |range: std::ops::Range<u32>| range.map(|n| format!("{n} x")).collect::<Vec<_>>();
        let written = |rows: &[String]| words("x y", &rows.iter().map(String::as_str).collect::<Vec<_>>());
        let (gold, other) = (written(&rows(0..1025)), written(&rows(1000..1025)));
        let (relaxed, strict) = scored(&gold, &other);
        assert_eq!(relaxed, strict);
        let fewer = written(&rows(0..1000));
        assert!(scored(&fewer, &other).0 > 0.0, "each row has the x of another one");
        assert_eq!(scored(&fewer, &other).1, 0.0);
    }

    #[test]
    fn an_ask_is_compared_with_whether_there_are_rows() {
        assert_eq!(scored(&boolean(true), &words("x", &["a"])), (1.0, 1.0));
        assert_eq!(scored(&words("x", &[]), &boolean(false)), (1.0, 1.0));
        assert_eq!(scored(&boolean(false), &boolean(true)), (0.0, 0.0));
        assert_eq!(scored(&words("x", &[]), &words("x", &[])), (1.0, 1.0));
        assert_eq!(scored(&words("x", &["a"]), &words("x", &[])), (0.0, 0.0));
        assert_eq!(grasp_scores(&boolean(false), None).relaxed, 0.0);
    }
}

//! SPINACH's row-major F1: rows are matched one to one, additional columns are allowed.
//!
//! After `eval.py` of [SPINACH](https://github.com/stanford-oval/spinach) (Liu et al., 2024): a predicted row scores the share of
//! the gold row's values that it contains; the row assignment with the largest sum is scored. Columns of the gold result whose
//! names end in `Label` or `Description` do not count. An exact match is an F1 of 1. Questions with an empty gold result are
//! skipped, as in SPINACH.
//!
//! Sums are added in the order of NumPy, so scores of up to 2,250,000 pairs of rows equal those of `eval.py` to the last digit. Where
//! this differs: more pairs, of which identical rows are paired first; `xsd:string` equals no datatype, and `typed-literal`, which some
//! engines write, is a literal. A gold result without values scores 0 there (and logs an error), here too.

use super::metrics::assignment::{Matrix, assign};
use super::stats::pairwise_sum;
use eruca_sparql::{Answer, Results, Solutions, Term};
use std::collections::HashMap;

/// Suffixes of gold columns that do not count.
const FREE_COLUMNS: [&str; 2] = ["Label", "Description"];
/// Maximum number of row pairs for finding the best assignment; above, a row matches completely or not at all, since an
/// assignment of thousands of rows takes minutes.
const MAX_PAIRS: usize = 2_250_000;

/// The row-major F1, or `None` if the gold result has no rows. A missing answer scores 0.
pub fn row_f1(gold: &Answer, predicted: Option<&Answer>) -> Option<f64> {
    if gold.is_empty() {
        return None;
    }
    let predicted = predicted.map(|answer| &answer.results);
    Some(match (&gold.results, predicted) {
        (Results::Boolean(gold), Some(Results::Boolean(predicted))) => f64::from(gold == predicted),
        (Results::Solutions(gold), Some(Results::Solutions(predicted))) => {
            f1(&counted(gold), &every(predicted))
        }
        (Results::Graph(gold), Some(Results::Graph(predicted))) => {
            let found = gold.iter().filter(|triple| predicted.contains(triple)).count();
            2.0 * found as f64 / (gold.len() + predicted.len()) as f64
        }
        _ => 0.0,
    })
}

/// A row's values as numbers; equal numbers are equal terms.
type Row = Vec<usize>;

/// The gold rows without free columns.
fn counted(gold: &Solutions) -> Vec<Vec<&Term>> {
    let free = |name: &String| FREE_COLUMNS.iter().any(|ending| name.ends_with(ending));
    let counts: Vec<bool> = gold.variables.iter().map(|name| !free(name)).collect();
    let rows = gold.rows.iter().map(|row| {
        let cells = row.iter().zip(&counts);
        cells.filter(|(_, counts)| **counts).filter_map(|(term, _)| term.as_ref()).collect()
    });
    rows.collect()
}

fn every(predicted: &Solutions) -> Vec<Vec<&Term>> {
    predicted.rows.iter().map(|row| row.iter().flatten().collect()).collect()
}

fn f1(gold: &[Vec<&Term>], predicted: &[Vec<&Term>]) -> f64 {
    let mut numbers = HashMap::new();
    let mut gold = numbered(gold.iter().map(|row| row.iter().copied()), &mut numbers);
    let mut predicted = numbered(predicted.iter().map(|row| row.iter().copied()), &mut numbers);
    gold.iter_mut().chain(&mut predicted).for_each(|row| row.sort_unstable());
    let total = gold.len() + predicted.len();
    let mut worth = Vec::new();
    if gold.len().saturating_mul(predicted.len()) > MAX_PAIRS {
        let (identical, others, rest) = pair_identical(gold, predicted);
        worth.resize(identical, 1.0);
        (gold, predicted) = (others, rest);
    }
    if gold.len().saturating_mul(predicted.len()) <= MAX_PAIRS {
        worth.extend(best_assignment(&gold, &predicted));
    }
    of_assignment(&worth, total)
}

/// The F1 of assigned pairs, with the operations of `eval.py` in its order. A pair worth nothing counts as a row too many and one
/// missing, what is missing of a partly right row half of that; `rows` are those of both sides.
fn of_assignment(worth: &[f64], rows: usize) -> f64 {
    let those = |test: fn(&f64) -> bool| worth.iter().copied().filter(test).collect::<Vec<f64>>();
    let found = pairwise_sum(&those(|ratio| *ratio > 0.0));
    let partly = those(|ratio| *ratio > 0.0 && *ratio < 1.0);
    let mut missed = pairwise_sum(&partly.iter().map(|ratio| 1.0 - ratio).collect::<Vec<_>>());
    missed += 2.0 * those(|ratio| *ratio <= 0.0).len() as f64;
    missed += rows.saturating_sub(2 * worth.len()) as f64;
    2.0 * found / (2.0 * found + missed)
}

/// Rows with a number for each different term.
pub(super) fn numbered<'a, R: Iterator<Item = &'a Term>>(
    rows: impl Iterator<Item = R>,
    numbers: &mut HashMap<&'a Term, usize>,
) -> Vec<Row> {
    let mut number = |term: &'a Term| {
        let next = numbers.len();
        *numbers.entry(term).or_insert(next)
    };
    rows.map(|row| row.map(&mut number).collect()).collect()
}

/// Pairs rows that are identical and returns the others. With gold rows of one length some best assignment
/// has all these pairs: |p∩g'| + |p'∩g| with p = g is at most |g| + |p'∩g'|, so swapping partners never loses. With rows of several
/// lengths that may lose a little, but rows this many cannot be assigned.
fn pair_identical(gold: Vec<Row>, predicted: Vec<Row>) -> (usize, Vec<Row>, Vec<Row>) {
    let mut waiting: HashMap<Row, usize> = HashMap::new();
    for row in gold {
        *waiting.entry(row).or_default() += 1;
    }
    let mut pairs = 0;
    let mut others = Vec::new();
    for row in predicted {
        match waiting.get_mut(&row) {
            Some(count) if *count > 0 && !row.is_empty() => {
                *count -= 1;
                pairs += 1;
            }
            _ => others.push(row),
        }
    }
    let gold = waiting.into_iter().flat_map(|(row, count)| vec![row; count]).collect();
    (pairs, gold, others)
}

/// The share of the gold row's values that the predicted row contains, both sorted; 0 for a gold row without values.
pub(super) fn ratio(gold: &[usize], predicted: &[usize]) -> f64 {
    let mut rest = predicted;
    let held = gold.iter().filter(|value| {
        rest = rest.get(rest.partition_point(|other| other < *value)..).unwrap_or_default();
        match rest.split_first() {
            Some((first, after)) if first == *value => {
                rest = after;
                true
            }
            _ => false,
        }
    });
    let held = held.count();
    if gold.is_empty() { 0.0 } else { held as f64 / gold.len() as f64 }
}

/// The ratios of the pairs in an assignment with maximum sum.
fn best_assignment(gold: &[Row], predicted: &[Row]) -> Vec<f64> {
    let worth = Matrix::of(predicted.len(), gold.len(), |i, j| match (gold.get(j), predicted.get(i)) {
        (Some(gold), Some(predicted)) => ratio(gold, predicted),
        _ => 0.0,
    });
    assign(&worth).into_iter().map(|(i, j)| worth.at(i, j)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_sparql::Literal;
    use std::time::Duration;

    fn answer(results: Results) -> Answer {
        Answer { results, incomplete: None, elapsed: Duration::ZERO }
    }

    /// Rows as words; `-` is unbound.
    fn table(variables: &str, rows: &[&str]) -> Answer {
        let cell = |word: &str| (word != "-").then(|| Literal::new_simple_literal(word).into());
        let rows = rows.iter().map(|row| row.split(' ').map(cell).collect()).collect();
        let variables = variables.split(' ').map(str::to_owned).collect();
        answer(Results::Solutions(Solutions { variables, rows }))
    }

    fn scored(gold: &Answer, predicted: &Answer) -> f64 {
        row_f1(gold, Some(predicted)).unwrap()
    }

    #[test]
    fn extra_columns_are_free_and_extra_rows_are_not() {
        let gold = table("x", &["a", "b"]);
        assert_eq!(scored(&gold, &table("x l", &["a A", "b B"])), 1.0);
        assert_eq!(scored(&gold, &table("x l", &["b B", "a A", "c C"])), 0.8);
        assert_eq!(scored(&gold, &table("x", &["a"])), 2.0 / 3.0);
        let nothing = scored(&gold, &table("x", &["c"]));
        assert!(nothing == 0.0 && nothing.is_sign_positive());
    }

    #[test]
    fn the_example_of_spinach() {
        // Two of four predicted rows match: 2 * 2 / (2 * 2 + 2).
        let predicted = table("item surprise", &["b c", "a c", "s c", "t c"]);
        assert_eq!(scored(&table("item surprise", &["b c", "a c"]), &predicted), 2.0 / 3.0);
    }

    #[test]
    fn half_a_row_counts_half() {
        // One row worth 0.5: 2 * 0.5 / (2 * 0.5 + 0.5).
        assert_eq!(scored(&table("x y", &["a b"]), &table("x", &["a"])), 2.0 / 3.0);
        // Unbound cells are not values.
        assert_eq!(scored(&table("x y", &["a -"]), &table("x", &["a"])), 1.0);
    }

    #[test]
    fn labels_in_gold_do_not_count() {
        let gold = table("x xLabel xDescription", &["a A long"]);
        assert_eq!(scored(&gold, &table("x", &["a"])), 1.0);
    }

    #[test]
    fn rows_are_assigned_for_the_largest_sum() {
        // A greedy assignment would give a-b the row that c-b needs.
        let gold = table("x y z", &["a b -", "c b d"]);
        let predicted = table("x y z", &["a b d", "a b -"]);
        let tp: f64 = 1.0 + 2.0 / 3.0;
        assert!((scored(&gold, &predicted) - 2.0 * tp / (2.0 * tp + 1.0 / 3.0)).abs() < 1e-12);
    }

    #[test]
    fn large_results_are_compared_row_by_row() {
        let rows: Vec<String> = (0..2000).map(|n| format!("{n} x{n}")).collect();
        let other: Vec<String> = (1000..3000).map(|n| format!("{n} x{n}")).collect();
        let text = |rows: &[String]| table("x y", &rows.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(scored(&text(&rows), &text(&rows)), 1.0);
        assert_eq!(scored(&text(&rows), &text(&other)), 0.5);
    }

    #[test]
    fn booleans_are_compared_and_forms_do_not_mix() {
        let boolean = |value| answer(Results::Boolean(value));
        assert_eq!(scored(&boolean(false), &boolean(false)), 1.0);
        assert_eq!(scored(&boolean(true), &boolean(false)), 0.0);
        assert_eq!(scored(&boolean(true), &table("x", &["true"])), 0.0);
        assert_eq!(row_f1(&boolean(true), None), Some(0.0));
        assert_eq!(row_f1(&table("x", &[]), Some(&table("x", &[]))), None, "left out");
    }
}

//! SPINACH's row-major F1: rows are matched one to one, additional columns are allowed.
//!
//! After `eval.py` of [SPINACH](https://github.com/stanford-oval/spinach) (Liu et al., 2024): a predicted row scores the share of
//! the gold row's values that it contains; the row assignment with the largest sum is scored. Columns of the gold result whose
//! names end in `Label` or `Description` do not count. An exact match is an F1 of 1. Questions with an empty gold result are
//! skipped, as in SPINACH.

use eruca_sparql::{Answer, Results, Solutions, Term};
use std::collections::HashMap;

/// Suffixes of gold columns that do not count.
const FREE_COLUMNS: [&str; 2] = ["Label", "Description"];
/// Maximum number of row pairs for finding the best assignment; above, a row matches completely or not at all, since an
/// assignment of thousands of rows takes minutes.
const MAX_PAIRS: usize = 250_000;

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

/// A row's values as sorted numbers; equal numbers are equal terms.
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
    let gold = numbered(gold, &mut numbers);
    let predicted = numbered(predicted, &mut numbers);
    let total = gold.len() + predicted.len();
    let (identical, gold, predicted) = pair_identical(gold, predicted);
    let mut worth = vec![1.0; identical];
    if gold.len().saturating_mul(predicted.len()) <= MAX_PAIRS {
        worth.extend(best_assignment(&gold, &predicted).into_iter().filter(|ratio| *ratio > 0.0));
    }
    // Not `sum`, which returns -0 for an empty list.
    let found = worth.iter().fold(0.0, |sum, ratio| sum + ratio);
    // The values missing in matched rows, plus the unmatched rows of either side.
    let missed = (worth.len() as f64 - found) + (total - 2 * worth.len()) as f64;
    2.0 * found / (2.0 * found + missed)
}

fn numbered<'a>(rows: &[Vec<&'a Term>], numbers: &mut HashMap<&'a Term, usize>) -> Vec<Row> {
    let number = |row: &Vec<&'a Term>| {
        let mut row: Row = row
            .iter()
            .map(|term| {
                let next = numbers.len();
                *numbers.entry(*term).or_insert(next)
            })
            .collect();
        row.sort_unstable();
        row
    };
    rows.iter().map(number).collect()
}

/// Pairs rows that are identical and returns the others. With gold rows of one length some best assignment
/// has all these pairs: |p∩g'| + |p'∩g| with p = g is at most |g| + |p'∩g'|, so swapping partners never loses.
fn pair_identical(gold: Vec<Row>, predicted: Vec<Row>) -> (usize, Vec<Row>, Vec<Row>) {
    let one_length = gold.windows(2).all(|pair| matches!(pair, [a, b] if a.len() == b.len()));
    let small = gold.len().saturating_mul(predicted.len()) <= MAX_PAIRS;
    if !one_length && small {
        return (0, gold, predicted);
    }
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

/// The share of the gold row's values that the predicted row contains; 0 for a gold row without values.
fn ratio(gold: &Row, predicted: &Row) -> f64 {
    let mut rest = predicted.as_slice();
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
    let (few, many, few_is_gold) =
        if gold.len() <= predicted.len() { (gold, predicted, true) } else { (predicted, gold, false) };
    let worth = |i: usize, j: usize| match (few.get(i), many.get(j)) {
        (Some(few), Some(many)) if few_is_gold => ratio(few, many),
        (Some(few), Some(many)) => ratio(many, few),
        _ => 0.0,
    };
    let matrix: Vec<Vec<f64>> =
        (0..few.len()).map(|i| (0..many.len()).map(|j| worth(i, j)).collect()).collect();
    assign(&matrix, many.len())
}

/// The [Hungarian method](https://en.wikipedia.org/wiki/Hungarian_algorithm) in its shortest-path form for a
/// matrix with at least as many columns as rows. Row and column 0 of the work arrays stand for "none".
#[expect(clippy::indexing_slicing, reason = "the work arrays have a cell for each column and for none")]
fn assign(matrix: &[Vec<f64>], columns: usize) -> Vec<f64> {
    let cost = |row: usize, column: usize| {
        matrix.get(row - 1).and_then(|cells| cells.get(column - 1)).map_or(0.0, |worth| -worth)
    };
    let mut by_row = vec![0.0; matrix.len() + 1];
    let mut by_column = vec![0.0; columns + 1];
    let mut partner = vec![0; columns + 1];
    for row in 1..=matrix.len() {
        partner[0] = row;
        let way = shortest_way(&cost, &mut by_row, &mut by_column, &partner);
        let mut column = way.end;
        while column != 0 {
            let previous = way.before[column];
            partner[column] = partner[previous];
            column = previous;
        }
    }
    (1..=columns)
        .filter(|column| partner[*column] != 0)
        .map(|column| -cost(partner[column], column))
        .collect()
}

/// An augmenting path from an unmatched row to an unmatched column.
struct RowStep {
    before: Vec<usize>,
    end: usize,
}

#[expect(
    clippy::indexing_slicing,
    reason = "the work arrays have a cell for each row or column and for none"
)]
fn shortest_way(
    cost: &dyn Fn(usize, usize) -> f64,
    by_row: &mut [f64],
    by_column: &mut [f64],
    partner: &[usize],
) -> RowStep {
    let columns = partner.len();
    let mut least = vec![f64::INFINITY; columns];
    let mut before = vec![0; columns];
    let mut visited = vec![false; columns];
    let mut column = 0;
    loop {
        visited[column] = true;
        let row = partner[column];
        let (mut step, mut next) = (f64::INFINITY, 0);
        for other in (1..columns).filter(|other| !visited[*other]) {
            let reduced = cost(row, other) - by_row[row] - by_column[other];
            if reduced < least[other] {
                (least[other], before[other]) = (reduced, column);
            }
            if least[other] < step {
                (step, next) = (least[other], other);
            }
        }
        for other in 0..columns {
            if visited[other] {
                by_row[partner[other]] += step;
                by_column[other] -= step;
            } else {
                least[other] -= step;
            }
        }
        column = next;
        if partner[column] == 0 {
            return RowStep { before, end: column };
        }
    }
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
    fn the_assignment_is_the_best_of_all() {
        let digit = |seed: usize| f64::from((seed * 7919 % 13) as u32) / 13.0;
        for seed in 0..200 {
            let matrix: Vec<Vec<f64>> =
                (0..4).map(|i| (0..5).map(|j| digit(seed * 31 + i * 17 + j * 5 + i * j)).collect()).collect();
            let found: f64 = assign(&matrix, 5).iter().sum();
            assert!((found - brute_force(&matrix, 0, &mut [false; 5])).abs() < 1e-9, "{matrix:?}");
        }
    }

    fn brute_force(matrix: &[Vec<f64>], row: usize, used: &mut [bool; 5]) -> f64 {
        let Some(cells) = matrix.get(row) else { return 0.0 };
        let mut best = 0.0_f64;
        for column in 0..5 {
            if !used[column] {
                used[column] = true;
                best = best.max(cells[column] + brute_force(matrix, row + 1, used));
                used[column] = false;
            }
        }
        best
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

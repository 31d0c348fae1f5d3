//! The assignment of rows to columns with the largest sum.
//!
//! After D. F. Crouse, "On implementing 2D rectangular assignment algorithms" (2016): shortest augmenting paths, a row at a time.
//! The scorers of SPINACH and GRASP ask `scipy.optimize.linear_sum_assignment`, which is the same algorithm. Of several best
//! assignments it has one, and sums of rounded numbers depend on which: so here columns are visited in its order, and of equally
//! near ones a free one is taken. The matrix stands so that it is not higher than wide.

/// What each pair of a row and a column is worth.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Matrix {
    rows: usize,
    columns: usize,
    cells: Vec<f64>,
}

impl Matrix {
    /// Works out the cells.
    pub(crate) fn of(rows: usize, columns: usize, worth: impl Fn(usize, usize) -> f64) -> Self {
        let worth = &worth;
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| worth(row, column))).collect();
        Self { rows, columns, cells }
    }

    /// The worth of a pair; 0 outside of the matrix.
    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells.get(row * self.columns + column).copied().unwrap_or_default()
    }
}

/// The pairs of a best assignment, by row. Each row or each column has one, whichever are fewer.
pub(crate) fn assign(worth: &Matrix) -> Vec<(usize, usize)> {
    let turned = worth.columns < worth.rows;
    let cost = match turned {
        true => Matrix::of(worth.columns, worth.rows, |row, column| -worth.at(column, row)),
        false => Matrix::of(worth.rows, worth.columns, |row, column| -worth.at(row, column)),
    };
    let mut duals = Duals::of(&cost);
    for row in 0..cost.rows {
        duals.give_column(&cost, row);
    }
    let pairs = duals.column_of.iter().enumerate();
    let pairs = pairs.filter_map(|(row, column)| Some(((*column)?, row)));
    let mut pairs: Vec<(usize, usize)> =
        pairs.map(|(column, row)| if turned { (column, row) } else { (row, column) }).collect();
    pairs.sort_unstable();
    pairs
}

/// The dual variables, and the assignment so far.
struct Duals {
    of_row: Vec<f64>,
    of_column: Vec<f64>,
    column_of: Vec<Option<usize>>,
    row_of: Vec<Option<usize>>,
}

/// The shortest paths from a row to columns.
struct Paths {
    /// The length of the path to each column.
    lengths: Vec<f64>,
    /// The row before each column.
    before: Vec<usize>,
    rows_seen: Vec<usize>,
    columns_seen: Vec<usize>,
    /// The length to the free column at the end, and that column.
    least: f64,
    end: usize,
}

#[expect(
    clippy::indexing_slicing,
    reason = "every list has a cell for each row or column, and no other number is used"
)]
impl Duals {
    fn of(cost: &Matrix) -> Self {
        Self {
            of_row: vec![0.0; cost.rows],
            of_column: vec![0.0; cost.columns],
            column_of: vec![None; cost.rows],
            row_of: vec![None; cost.columns],
        }
    }

    /// Gives a row a column, and other rows other columns where that makes the sum larger.
    fn give_column(&mut self, cost: &Matrix, row: usize) {
        let Some(paths) = self.paths_from(cost, row) else { return };
        self.of_row[row] += paths.least;
        for &seen in paths.rows_seen.iter().filter(|seen| **seen != row) {
            if let Some(column) = self.column_of[seen] {
                self.of_row[seen] += paths.least - paths.lengths[column];
            }
        }
        for &column in &paths.columns_seen {
            self.of_column[column] -= paths.least - paths.lengths[column];
        }
        let mut column = paths.end;
        loop {
            let before = paths.before[column];
            self.row_of[column] = Some(before);
            match self.column_of[before].replace(column) {
                Some(next) if before != row => column = next,
                _ => return,
            }
        }
    }

    /// Looks for the nearest free column; `None` if there is none.
    fn paths_from(&self, cost: &Matrix, start: usize) -> Option<Paths> {
        let mut lengths = vec![f64::INFINITY; cost.columns];
        let mut before = vec![start; cost.columns];
        let (mut rows_seen, mut columns_seen) = (Vec::new(), Vec::new());
        // The last column first, so that equal worths give the diagonal.
        let mut unseen: Vec<usize> = (0..cost.columns).rev().collect();
        let (mut row, mut least) = (start, 0.0);
        loop {
            rows_seen.push(row);
            let (mut nearest, mut place) = (f64::INFINITY, None);
            for (at, &column) in unseen.iter().enumerate() {
                let length = least + cost.at(row, column) - self.of_row[row] - self.of_column[column];
                if length < lengths[column] {
                    (lengths[column], before[column]) = (length, row);
                }
                let is_free = self.row_of[column].is_none();
                if lengths[column] < nearest || (lengths[column] == nearest && is_free) {
                    (nearest, place) = (lengths[column], Some(at));
                }
            }
            let end = unseen.swap_remove(place?);
            (least, row) = match self.row_of[end] {
                Some(next) => (nearest, next),
                None => {
                    columns_seen.push(end);
                    return Some(Paths { lengths, before, rows_seen, columns_seen, least: nearest, end });
                }
            };
            columns_seen.push(end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix<const N: usize>(rows: &[[f64; N]]) -> Matrix {
        Matrix::of(rows.len(), N, |row, column| rows[row][column])
    }

    #[test]
    fn pairs_are_those_of_scipy_also_where_several_are_best() {
        // Printed by scipy.optimize.linear_sum_assignment(maximize=True), scipy 1.18.1.
        assert_eq!(assign(&matrix(&[[0.5; 3]; 3])), [(0, 0), (1, 1), (2, 2)]);
        assert_eq!(assign(&matrix(&[[0.5, 0.5]; 4])), [(0, 0), (1, 1)]);
        assert_eq!(assign(&matrix(&[[0.5, 1.0, 0.5], [0.0, 1.0, 0.5]])), [(0, 0), (1, 1)]);
        assert_eq!(assign(&matrix::<2>(&[])), []);
    }

    #[test]
    fn the_assignment_is_the_best_of_all() {
        let digit = |seed: usize| f64::from((seed * 7919 % 13) as u32) / 13.0;
        for seed in 0..200 {
            let matrix = Matrix::of(4, 5, |i, j| digit(seed * 31 + i * 17 + j * 5 + i * j));
            let found: f64 = assign(&matrix).iter().map(|(i, j)| matrix.at(*i, *j)).sum();
            assert!((found - brute_force(&matrix, 0, &mut [false; 5])).abs() < 1e-9, "{matrix:?}");
            let turned = Matrix::of(5, 4, |i, j| matrix.at(j, i));
            let other: f64 = assign(&turned).iter().map(|(i, j)| turned.at(*i, *j)).sum();
            assert!((found - other).abs() < 1e-9, "{matrix:?}");
        }
    }

    fn brute_force(matrix: &Matrix, row: usize, used: &mut [bool; 5]) -> f64 {
        if row == matrix.rows {
            return 0.0;
        }
        let mut best = 0.0_f64;
        for column in 0..5 {
            if !used[column] {
                used[column] = true;
                best = best.max(matrix.at(row, column) + brute_force(matrix, row + 1, used));
                used[column] = false;
            }
        }
        best
    }
}

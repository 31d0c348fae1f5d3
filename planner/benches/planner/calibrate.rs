//! Confidence fitted: a logistic model over the signs (Platt 1999) by gradient descent on standardized signs, with a small ridge.

use super::asked::Asked;
use eruca_planner::{SIGN_COUNT, SIGNS, Weights};

const ROUNDS: usize = 3000;
const RATE: f64 = 0.5;
/// The ridge, per question.
const RIDGE: f64 = 0.008;

type Row = [f64; SIGN_COUNT];

/// Fits the weights of the signs to answers; they come to stand with the given weights of features.
pub fn calibrated(asked: &[&Asked], weights: &Weights) -> Weights {
    let rows: Vec<(Row, f64)> =
        asked.iter().filter(|asked| !asked.candidates.is_empty()).map(|asked| row(asked)).collect();
    let (means, widths) = moments(&rows);
    let scaled: Vec<(Row, f64)> = rows
        .iter()
        .map(|(signs, right)| (std::array::from_fn(|at| (signs[at] - means[at]) / widths[at]), *right))
        .collect();
    let fitted = descend(&scaled);
    let mut all: Row = std::array::from_fn(|at| fitted[at] / widths[at]);
    all[0] -= (1..SIGN_COUNT).map(|at| all[at] * means[at]).sum::<f64>();
    let mut calibrated = weights.clone();
    for (name, weight) in SIGNS.iter().zip(all) {
        calibrated.set_sign(name, weight as f32);
    }
    calibrated
}

/// The probability of an answer.
pub fn probability(asked: &Asked, weights: &Weights) -> f32 {
    if asked.candidates.is_empty() {
        return 0.0;
    }
    eruca_planner::probability(&asked.signs, weights).min(asked.ledger.most())
}

fn row(asked: &Asked) -> (Row, f64) {
    let right = asked.is_answerable() && asked.f() > 0.999;
    (asked.signs.map(f64::from), f64::from(u8::from(right)))
}

/// Means and standard deviations; the first sign is the constant one.
fn moments(rows: &[(Row, f64)]) -> (Row, Row) {
    let count = rows.len().max(1) as f64;
    let mean = |at: usize| rows.iter().map(|(signs, _)| signs[at]).sum::<f64>() / count;
    let means: Row = std::array::from_fn(|at| if at == 0 { 0.0 } else { mean(at) });
    let width = |at: usize| {
        (rows.iter().map(|(signs, _)| (signs[at] - means[at]).powi(2)).sum::<f64>() / count).sqrt()
    };
    let widths = std::array::from_fn(|at| if at == 0 { 1.0 } else { width(at).max(1e-3) });
    (means, widths)
}

fn descend(rows: &[(Row, f64)]) -> Row {
    let count = rows.len().max(1) as f64;
    let mut weights: Row = [0.0; SIGN_COUNT];
    for _ in 0..ROUNDS {
        let mut slope: Row = [0.0; SIGN_COUNT];
        for (signs, right) in rows {
            let odds: f64 = signs.iter().zip(&weights).map(|(sign, weight)| sign * weight).sum();
            let miss = right - 1.0 / (1.0 + (-odds).exp());
            for (slope, sign) in slope.iter_mut().zip(signs) {
                *slope += miss * sign;
            }
        }
        for (at, weight) in weights.iter_mut().enumerate() {
            let ridge = if at == 0 { 0.0 } else { RIDGE * *weight };
            *weight += RATE * (slope[at] / count - ridge);
        }
    }
    weights
}

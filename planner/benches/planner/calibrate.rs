//! Confidence fitted: a logistic model over the signs (Platt 1999) by gradient descent on standardized signs, with a small ridge.

use super::asked::Asked;
use eruca_planner::{SIGN_COUNT, SIGNS, Weights};

const ROUNDS: usize = 3000;
const RATE: f64 = 0.5;
/// The ridge, per question.
const RIDGE: f64 = 0.004;
/// What an answer to a counterfactual weighs beside one to a question: there are about as many, and fewer in use.
const CHANGED: f64 = 0.2;

type Row = [f64; SIGN_COUNT];

/// An answer to learn from: its signs, whether it is right, and what it weighs.
struct Example {
    signs: Row,
    right: f64,
    weight: f64,
}

/// Fits the weights of the signs to answers and to those of counterfactuals; they come to stand with the given weights of features.
pub fn calibrated<'a>(
    asked: impl Iterator<Item = &'a Asked>,
    changed: impl Iterator<Item = &'a Asked>,
    weights: &Weights,
) -> Weights {
    let of = |asked: &Asked, weight| (!asked.candidates.is_empty()).then(|| example(asked, weight));
    let asked = asked.filter_map(|asked| of(asked, 1.0));
    let mut examples: Vec<Example> = asked.chain(changed.filter_map(|asked| of(asked, CHANGED))).collect();
    let (means, widths) = moments(&examples);
    for example in &mut examples {
        example.signs = std::array::from_fn(|at| (example.signs[at] - means[at]) / widths[at]);
    }
    let fitted = descend(&examples);
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

fn example(asked: &Asked, weight: f64) -> Example {
    Example { signs: asked.signs.map(f64::from), right: f64::from(u8::from(asked.is_right())), weight }
}

/// Means and standard deviations; the first sign is the constant one.
fn moments(rows: &[Example]) -> (Row, Row) {
    let count = rows.len().max(1) as f64;
    let mean = |at: usize| rows.iter().map(|row| row.signs[at]).sum::<f64>() / count;
    let means: Row = std::array::from_fn(|at| if at == 0 { 0.0 } else { mean(at) });
    let width =
        |at: usize| (rows.iter().map(|row| (row.signs[at] - means[at]).powi(2)).sum::<f64>() / count).sqrt();
    let widths = std::array::from_fn(|at| if at == 0 { 1.0 } else { width(at).max(1e-3) });
    (means, widths)
}

fn descend(rows: &[Example]) -> Row {
    let count = rows.iter().map(|row| row.weight).sum::<f64>().max(1.0);
    let mut weights: Row = [0.0; SIGN_COUNT];
    for _ in 0..ROUNDS {
        let mut slope: Row = [0.0; SIGN_COUNT];
        for Example { signs, right, weight } in rows {
            let odds: f64 = signs.iter().zip(&weights).map(|(sign, weight)| sign * weight).sum();
            let miss = right - 1.0 / (1.0 + (-odds).exp());
            for (slope, sign) in slope.iter_mut().zip(signs) {
                *slope += weight * miss * sign;
            }
        }
        for (at, weight) in weights.iter_mut().enumerate() {
            let ridge = if at == 0 { 0.0 } else { RIDGE * *weight };
            *weight += RATE * (slope[at] / count - ridge);
        }
    }
    weights
}

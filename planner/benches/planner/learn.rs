//! Weights learned from answers: a latent-variable log-linear model (Berant et al. 2013) over the candidates that ran, by AdaGrad
//! (Duchi et al. 2011) in a fixed order, drawn towards the priors it starts from.

use super::asked::Asked;
use eruca_planner::{FEATURE_COUNT, Feature, SIGNS, Weights};
use std::fmt::Write as _;

const ROUNDS: usize = 12;
const RATE: f32 = 0.12;
/// How strongly weights are drawn back to where they started.
const PULL: f32 = 0.01;

/// A question to learn from: values of features, and how right each candidate is.
struct Example {
    candidates: Vec<(Vec<f32>, f32)>,
    weight: f32,
}

/// Learns weights from questions of which some candidate is right and some is not.
pub fn learn(asked: &[&Asked], start: &Weights) -> Weights {
    let examples: Vec<Example> = asked.iter().filter_map(|asked| example(asked)).collect();
    let first: Vec<f32> = Feature::ALL.iter().map(|feature| start.prior(*feature)).collect();
    let (mut weights, mut squares) = (first.clone(), vec![1e-3_f32; FEATURE_COUNT]);
    for round in 0..ROUNDS {
        // A fixed order that differs from round to round.
        let step = [7, 11, 13, 17, 19][round % 5];
        for number in 0..examples.len() {
            let Some(example) = examples.get((number * step + round) % examples.len().max(1)) else {
                continue;
            };
            let gradient = gradient(example, &weights);
            for (at, slope) in gradient.into_iter().enumerate() {
                let slope = slope - PULL * (weights[at] - first[at]);
                squares[at] += slope * slope;
                weights[at] += RATE * slope / squares[at].sqrt();
            }
        }
    }
    let mut learned = start.clone();
    for (feature, weight) in Feature::ALL.into_iter().zip(weights) {
        learned.set(feature, weight);
    }
    learned
}

fn example(asked: &Asked) -> Option<Example> {
    let best = asked.best_f();
    if best < 0.5 || asked.candidates.len() < 2 {
        return None;
    }
    let right = |f: f64| if f >= best - 1e-6 { 1.0 } else { 0.0 };
    let candidates: Vec<(Vec<f32>, f32)> =
        asked.candidates.iter().map(|candidate| (candidate.features.values(), right(candidate.f))).collect();
    let weight = if best > 0.999 { 1.0 } else { 0.3 };
    candidates.iter().any(|(_, right)| *right < 0.5).then_some(Example { candidates, weight })
}

/// The expected features given that the answer is right, minus those expected anyway.
fn gradient(example: &Example, weights: &[f32]) -> Vec<f32> {
    let scores: Vec<f32> = example
        .candidates
        .iter()
        .map(|(values, _)| values.iter().zip(weights).map(|(a, b)| a * b).sum())
        .collect();
    let top = scores.iter().copied().fold(f32::MIN, f32::max);
    let powers: Vec<f32> = scores.iter().map(|score| (score - top).exp()).collect();
    let all: f32 = powers.iter().sum();
    let right: f32 = powers.iter().zip(&example.candidates).map(|(power, (_, right))| power * right).sum();
    let mut gradient = vec![0.0; FEATURE_COUNT];
    for (power, (values, is_right)) in powers.iter().zip(&example.candidates) {
        let share = power * is_right / right.max(1e-9) - power / all;
        for (slope, value) in gradient.iter_mut().zip(values) {
            *slope += example.weight * share * value;
        }
    }
    gradient
}

/// The file of weights, with how it came about.
pub fn file(weights: &Weights, asked: &[Asked]) -> String {
    let groups: std::collections::BTreeSet<&str> = asked.iter().map(|asked| asked.group.as_str()).collect();
    let mut text = format!(
        "# Lines of `feature weight prior`. The priors are a coarse judgement by hand: the sign says what a feature speaks for, few\n\
         # sizes how much. The weights were learned from answers (latent-variable log-linear model, AdaGrad, drawn to the priors),\n\
         # those of the signs of confidence (Platt) on graphs that the weights were not learned on, by\n\
         # `cargo bench -p eruca-planner -- learn`, from {} questions to {} graphs.\n",
        asked.len(),
        groups.len()
    );
    for feature in Feature::ALL {
        let _ = writeln!(text, "{} {:.3} {}", feature.name(), weights.of(feature), weights.prior(feature));
    }
    for (name, weight) in SIGNS.iter().zip(weights.of_signs()) {
        let _ = writeln!(text, "{name} {weight:.4}");
    }
    text
}

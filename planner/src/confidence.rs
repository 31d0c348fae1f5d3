//! Confidence: the probability that an answer is exactly right, by a logistic model (Platt 1999) over the signs of the best
//! reading, fitted on graphs that the other weights were not learned on. Weights are in one file. Reads features and the ledger.

use crate::ledger::Ledger;
use crate::score::{Feature, Features, SIGN_COUNT, Weights};

/// Minimum probabilities for an answer to be called sure, and likely.
const SURE: f32 = 0.85;
const LIKELY: f32 = 0.5;

/// Maximum probability of an answer that ignores a name or number: it answers another question.
const MAX_WITHOUT_NAME: f32 = 0.3;
/// Scores beyond this add no information.
const LOW_SCORE: f32 = 10.0;

/// How far an answer can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// It may well be wrong.
    Guess,
    /// More likely right than wrong.
    Likely,
    /// Right in nine of ten cases, as measured on graphs not used for fitting.
    Sure,
}

impl Confidence {
    /// The level of a probability.
    pub fn of(probability: f32) -> Self {
        match probability {
            p if p >= SURE => Self::Sure,
            p if p >= LIKELY => Self::Likely,
            _ => Self::Guess,
        }
    }

    /// The name used in traces and headers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Guess => "guess",
            Self::Likely => "likely",
            Self::Sure => "sure",
        }
    }
}

/// The evidence about the best reading when its confidence is computed.
#[derive(Debug, Clone, Copy)]
pub struct Evidenced<'a> {
    /// Its features, with those of its result.
    pub features: &'a Features,
    /// The share of all readings that have the same result, weighted by likelihood: from 0 to 1.
    pub agreement: f32,
    /// The number of content words in the question.
    pub words: usize,
    /// Its score, including the features of its result.
    pub score: f32,
    /// Its ledger.
    pub ledger: &'a Ledger,
}

/// The signs (model inputs) of a reading. More of them did not improve the log-likelihood on held-out graphs.
pub fn signs(known: &Evidenced<'_>) -> [f32; SIGN_COUNT] {
    use Feature as F;
    let sum = |features: &[F]| features.iter().map(|feature| known.features.of(*feature)).sum::<f32>();
    let is = |holds: bool| f32::from(u8::from(holds));
    let left = sum(&[F::SkippedName, F::SkippedNumber, F::SkippedNoun, F::SkippedVerb]);
    [
        1.0,
        known.agreement,
        (1.0 - known.agreement).max(1e-3).ln(),
        known.score.clamp(-LOW_SCORE, LOW_SCORE),
        known.words as f32,
        sum(&[F::SkippedName, F::SkippedNumber]),
        left / known.words.max(1) as f32,
        sum(&[F::Unanchored]),
        sum(&[F::CountBridge]),
        known.ledger.outdone() as f32,
        is(!known.ledger.is_full()),
        is(known.ledger.is_grave()),
        is(known.ledger.is_empty_handed()),
    ]
}

/// The probability that an answer is exactly right.
pub fn confidence(known: &Evidenced<'_>, weights: &Weights) -> f32 {
    probability(&signs(known), weights).min(known.ledger.most())
}

/// The probability that the signs give. An answer that ignores a name or number of the question is a guess regardless.
pub fn probability(signs: &[f32; SIGN_COUNT], weights: &Weights) -> f32 {
    let odds: f32 = signs.iter().zip(weights.of_signs()).map(|(sign, weight)| sign * weight).sum();
    let probability = 1.0 / (1.0 + (-odds).exp());
    let [_, _, _, _, _, names, ..] = signs;
    if *names > 0.0 { probability.min(MAX_WITHOUT_NAME) } else { probability }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Doubt;
    use crate::question::Span;

    fn of(features: Features, doubts: Vec<Doubt>) -> f32 {
        let ledger = Ledger { entries: Vec::new(), doubts };
        confidence(&known(&features, &ledger, 1.0), &Weights::default())
    }

    fn known<'a>(features: &'a Features, ledger: &'a Ledger, agreement: f32) -> Evidenced<'a> {
        Evidenced { features, agreement, words: 4, score: 9.0, ledger }
    }

    fn at_start(doubt: fn(Span, String) -> Doubt) -> Vec<Doubt> {
        vec![doubt(Span { from: 0, to: 1 }, "word".to_owned())]
    }

    #[test]
    fn a_full_ledger_can_be_sure_and_no_other() {
        let named = |doubts| Confidence::of(of(Features::default(), doubts));
        assert_eq!(named(Vec::new()), Confidence::Sure);
        assert_ne!(named(at_start(Doubt::Unused)), Confidence::Sure);
        assert_eq!(named(at_start(Doubt::Dimension)), Confidence::Guess);
        assert_eq!(named(vec![Doubt::Empty]), Confidence::Guess);
    }

    #[test]
    fn an_answer_without_a_name_of_the_question_is_a_guess() {
        let left = |names| of(Features::default().and(Feature::SkippedName, names), Vec::new());
        assert!(left(0.0) > left(1.0));
        assert_eq!(Confidence::of(left(1.0)), Confidence::Guess);
    }

    #[test]
    fn every_sign_speaks_the_way_it_is_meant() {
        let ledger = Ledger::default();
        let of = |features: &Features| confidence(&known(features, &ledger, 0.6), &Weights::default());
        for feature in [Feature::Unanchored, Feature::CountBridge, Feature::SkippedNoun] {
            let lower = Features::default().and(feature, 1.0);
            assert!(of(&lower) < of(&Features::default()), "{}", feature.name());
        }
    }
}

//! Confidence: the probability that an answer is exactly right, calibrated on graphs that the weights were not learned on.

use super::{Feature, Features};

/// From here on an answer is called sure, and likely.
const SURE: f32 = 0.85;
const LIKELY: f32 = 0.5;

/// How far an answer is to be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// It may well be wrong.
    Guess,
    /// Rather right than wrong.
    Likely,
    /// Right in at least 85 of 100 cases.
    Sure,
}

impl Confidence {
    /// The name of a probability.
    pub fn of(probability: f32) -> Self {
        match probability {
            p if p >= SURE => Self::Sure,
            p if p >= LIKELY => Self::Likely,
            _ => Self::Guess,
        }
    }

    /// The name in traces and headers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Guess => "guess",
            Self::Likely => "likely",
            Self::Sure => "sure",
        }
    }
}

/// What is known of the best reading when it is judged.
#[derive(Debug, Clone, Copy)]
pub struct Evidenced<'a> {
    /// Its features.
    pub features: &'a Features,
    /// Its score, and that of the best one with another result.
    pub score: f32,
    /// The score of the best reading with another result.
    pub next: Option<f32>,
    /// Words of the question, and those of them that say something.
    pub words: usize,
}

/// The probability that an answer is exactly right.
pub fn confidence(known: &Evidenced<'_>) -> f32 {
    let margin = known.next.map_or(3.0, |next| (known.score - next).clamp(0.0, 3.0));
    let skipped = known.features.of(Feature::SkippedNoun) + 0.5 * known.features.of(Feature::SkippedVerb);
    let names = known.features.of(Feature::SkippedName) + known.features.of(Feature::SkippedNumber) + known.features.of(Feature::SkippedCue);
    let unknown = known.features.of(Feature::NotFound);
    let odds = 0.5 + 0.8 * margin + 0.3 * known.score - 1.5 * skipped - 3.0 * names - 2.0 * unknown - 2.0 * known.features.of(Feature::EmptyAnswer);
    1.0 / (1.0 + (-odds).exp())
}

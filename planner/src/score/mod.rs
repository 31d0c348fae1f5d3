//! Scores of readings: features that name no word, no graph and no IRI, times weights learned from answers (a log-linear model,
//! as in Berant et al. 2013), and the probability that an answer is right.

mod confidence;
mod features;
mod weights;

pub use confidence::{Confidence, Evidenced, SIGN_COUNT, SIGNS, confidence, probability, signs};
pub use features::{FEATURE_COUNT, Feature, Features};
pub use weights::Weights;

//! Scores of readings: features that name no word, no graph and no IRI, times weights learned from answers (a log-linear model,
//! as in Berant et al. 2013).

mod features;
mod weights;

pub use features::{FEATURE_COUNT, Feature, Features};
pub use weights::{SIGN_COUNT, SIGNS, Weights};

//! Scores of readings: features independent of words, graphs and IRIs, times weights learned from answers (a log-linear model, as
//! in Berant et al. 2013).

mod features;
mod weights;

pub use features::{FEATURE_COUNT, Feature, Features};
pub use weights::{SIGN_COUNT, SIGNS, Weights};

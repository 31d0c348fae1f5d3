//! The weights of features: learned, and kept in one commented file together with their priors.

use super::{FEATURE_COUNT, Feature, Features};

/// Lines of `feature weight prior`, with notes on how they were learned.
const LEARNED: &str = include_str!("weights.txt");

/// The number of inputs of the confidence model.
pub const SIGN_COUNT: usize = 13;

/// The names of the signs in the weights file, in the order of [`crate::signs`].
pub const SIGNS: [&str; SIGN_COUNT] = [
    "confidence-base",
    "confidence-agreement",
    "confidence-disagreement",
    "confidence-score",
    "confidence-words",
    "confidence-left-names",
    "confidence-left-share",
    "confidence-unanchored",
    "confidence-counted-bridge",
    "confidence-outdone",
    "confidence-in-doubt",
    "confidence-in-grave-doubt",
    "confidence-empty",
];

/// A weight for every feature, and for every sign of confidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    features: [f32; FEATURE_COUNT],
    /// Where learning starts and what it regularizes towards: a rough estimate by hand.
    priors: [f32; FEATURE_COUNT],
    signs: [f32; SIGN_COUNT],
}

impl Default for Weights {
    fn default() -> Self {
        Self::read(LEARNED)
    }
}

impl Weights {
    /// Reads `feature weight prior` lines. A missing prior equals the weight, a missing feature weighs nothing, an unknown one is
    /// ignored.
    pub fn read(text: &str) -> Self {
        let mut weights =
            Self { features: [0.0; FEATURE_COUNT], priors: [0.0; FEATURE_COUNT], signs: [0.0; SIGN_COUNT] };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut parts = line.split(' ');
            let Some(name) = parts.next() else { continue };
            let mut numbers = parts.filter_map(|number| number.parse().ok());
            let Some(weight) = numbers.next() else { continue };
            if let Some(feature) = Feature::parse(name) {
                weights.set(feature, weight);
                weights.set_prior(feature, numbers.next().unwrap_or(weight));
            }
            weights.set_sign(name, weight);
        }
        weights
    }

    /// The weights before learning.
    pub fn unlearned(&self) -> Self {
        Self { features: self.priors, ..self.clone() }
    }

    /// The prior of a feature.
    pub fn prior(&self, feature: Feature) -> f32 {
        self.priors.get(feature as usize).copied().unwrap_or(0.0)
    }

    fn set_prior(&mut self, feature: Feature, prior: f32) {
        if let Some(known) = self.priors.get_mut(feature as usize) {
            *known = prior;
        }
    }

    /// The weights of the signs of confidence, in their order.
    pub fn of_signs(&self) -> &[f32] {
        &self.signs
    }

    /// Changes the weight of a sign of confidence.
    pub fn set_sign(&mut self, name: &str, weight: f32) {
        for (_, value) in SIGNS.iter().zip(&mut self.signs).filter(|(known, _)| **known == name) {
            *value = weight;
        }
    }

    /// The weight of a feature.
    pub fn of(&self, feature: Feature) -> f32 {
        self.features.get(feature as usize).copied().unwrap_or(0.0)
    }

    /// Changes a weight.
    pub fn set(&mut self, feature: Feature, weight: f32) {
        if let Some(known) = self.features.get_mut(feature as usize) {
            *known = weight;
        }
    }

    /// The score of a set of features.
    pub fn score(&self, features: &Features) -> f32 {
        features.iter().map(|(feature, value)| self.of(feature) * value).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_names_a_feature() {
        for line in LEARNED.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let name = line.split(' ').next().unwrap_or_default();
            assert!(Feature::parse(name).is_some() || SIGNS.contains(&name), "{line}");
        }
    }
}

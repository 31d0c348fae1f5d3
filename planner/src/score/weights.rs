//! The weights of features: learned, kept in one commented file.

use super::{FEATURE_COUNT, Feature, Features};

/// Lines of `feature weight`, with how they were learned.
const LEARNED: &str = include_str!("weights.txt");

/// A weight for every feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights([f32; FEATURE_COUNT]);

impl Default for Weights {
    fn default() -> Self {
        Self::read(LEARNED)
    }
}

impl Weights {
    /// Reads `feature weight` lines; what is not named weighs nothing, what is unknown is left out.
    pub fn read(text: &str) -> Self {
        let mut weights = Self([0.0; FEATURE_COUNT]);
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let Some((name, weight)) = line.split_once(' ') else { continue };
            if let (Some(feature), Ok(weight)) = (Feature::parse(name), weight.trim().parse()) {
                weights.set(feature, weight);
            }
        }
        weights
    }

    /// The weight of a feature.
    pub fn of(&self, feature: Feature) -> f32 {
        self.0.get(feature as usize).copied().unwrap_or(0.0)
    }

    /// Changes a weight.
    pub fn set(&mut self, feature: Feature, weight: f32) {
        if let Some(known) = self.0.get_mut(feature as usize) {
            *known = weight;
        }
    }

    /// The score of features.
    pub fn score(&self, features: &Features) -> f32 {
        self.0.iter().zip(features.values()).map(|(weight, value)| weight * value).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_names_a_feature() {
        for line in LEARNED.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let name = line.split(' ').next().and_then(Feature::parse);
            assert!(name.is_some(), "{line}");
        }
    }
}

//! How many of some answers are right, and how far that can be relied on: the interval of Wilson (1927). Resampling says nothing where
//! all answers, or none, are right; this does, and with ten answers it is wide.

use serde::{Deserialize, Serialize};

/// The normal distribution's 97.5th percentile.
const Z: f64 = 1.959_963_984_540_054;

/// A share of yes among yes and no.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// How many are right.
    pub right: usize,
    /// Of how many.
    pub of: usize,
    /// The share.
    pub share: f64,
    /// Its 95 % interval.
    pub interval: [f64; 2],
}

impl Share {
    /// The share of `right` among `of`; `None` of none.
    pub fn of(right: usize, of: usize) -> Option<Self> {
        if of == 0 {
            return None;
        }
        let (count, right) = (of as f64, right.min(of));
        let share = right as f64 / count;
        let scale = 1.0 + Z * Z / count;
        let center = (share + Z * Z / (2.0 * count)) / scale;
        let half = Z / scale * (share * (1.0 - share) / count + Z * Z / (4.0 * count * count)).sqrt();
        let interval = [(center - half).clamp(0.0, share), (center + half).clamp(share, 1.0)];
        Some(Self { right, of, share, interval })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_answers_say_little_even_if_all_are_right() {
        let [low, high] = Share::of(23, 30).unwrap().interval;
        assert!((low - 0.5907).abs() < 1e-4 && (high - 0.8821).abs() < 1e-4, "{low} {high}");
        let [low, high] = Share::of(5, 5).unwrap().interval;
        assert!((low - 0.5655).abs() < 1e-4 && (high - 1.0).abs() < 1e-12, "{low} {high}");
        let [low, high] = Share::of(0, 5).unwrap().interval;
        assert!(low.abs() < 1e-12 && (high - 0.4345).abs() < 1e-4, "{low} {high}");
        assert_eq!(Share::of(0, 0), None);
    }
}

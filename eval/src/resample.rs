//! What can be said of means over a few questions: 95 % intervals and paired tests by resampling (the bootstrap of Efron 1979), and
//! the paired t test. Resampling is seeded: the same scores give the same figures.

use super::stats::mean;
use serde::Serialize;

/// Rounds of resampling for few questions, and for many.
const MOST_ROUNDS: usize = 10_000;
const LEAST_ROUNDS: usize = 1_000;
/// Drawn values in all, so that many questions take fewer rounds.
const DRAWS: usize = 20_000_000;
/// The share of resampled means that is left out at each end of an interval.
const TAIL: f64 = 0.025;
const SEED: u64 = 0x5EED_E4A1;

/// A mean with what is known of its accuracy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Measured {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of the values (n − 1); 0 for one value.
    pub deviation: f64,
    /// The 95 % interval of the mean: percentiles of resampled means.
    pub interval: [f64; 2],
}

/// Measures some scores; `None` for none.
pub fn measured(values: &[f64]) -> Option<Measured> {
    if values.is_empty() {
        return None;
    }
    let mut means = resampled_means(values);
    means.sort_by(f64::total_cmp);
    let skipped = (means.len() as f64 * TAIL) as usize;
    let (low, high) = (means.get(skipped)?, means.get(means.len() - 1 - skipped)?);
    Some(Measured { mean: mean(values), deviation: deviation(values), interval: [*low, *high] })
}

/// The sample standard deviation.
fn deviation(values: &[f64]) -> f64 {
    let center = mean(values);
    let squares: f64 = values.iter().map(|value| (value - center).powi(2)).sum();
    (squares / values.len().saturating_sub(1).max(1) as f64).sqrt()
}

/// The two-sided p-value of a paired bootstrap test: how often resampled differences, shifted to have no mean, have one as large as
/// the observed one (Efron and Tibshirani 1993, chapter 16).
pub fn bootstrap_test(differences: &[f64]) -> f64 {
    let observed = mean(differences);
    if differences.is_empty() || observed == 0.0 {
        return 1.0;
    }
    let shifted: Vec<f64> = differences.iter().map(|difference| difference - observed).collect();
    // Means of the same values in another order differ in their last digits.
    let as_large = |mean: &&f64| mean.abs() >= observed.abs() * (1.0 - 1e-12);
    let means = resampled_means(&shifted);
    (means.iter().filter(as_large).count() + 1) as f64 / (means.len() + 1) as f64
}

/// The two-sided p-value of the paired t test (Student 1908); `None` for fewer than two pairs. Equal pairs give 1.
pub fn t_test(differences: &[f64]) -> Option<f64> {
    let freedom = differences.len().checked_sub(1).filter(|freedom| *freedom > 0)? as f64;
    let (center, spread) = (mean(differences), deviation(differences));
    if center == 0.0 {
        return Some(1.0);
    }
    let t = center / (spread / (freedom + 1.0).sqrt());
    Some(if t.is_finite() { beta(freedom / (freedom + t * t), freedom / 2.0, 0.5) } else { 0.0 })
}

/// P-values corrected for their number (Holm 1979), in the same order.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<(usize, f64)> = values.iter().copied().enumerate().collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut least = 0.0_f64;
    let mut corrected: Vec<(usize, f64)> = order
        .into_iter()
        .enumerate()
        .map(|(rank, (at, value))| {
            least = least.max(value * (values.len() - rank) as f64).min(1.0);
            (at, least)
        })
        .collect();
    corrected.sort_by_key(|(at, _)| *at);
    corrected.into_iter().map(|(_, value)| value).collect()
}

/// Means of as many values drawn with replacement.
fn resampled_means(values: &[f64]) -> Vec<f64> {
    let mut random = SplitMix64(SEED);
    let rounds = (DRAWS / values.len().max(1)).clamp(LEAST_ROUNDS, MOST_ROUNDS);
    let mut drawn = || values.get(random.below(values.len())).copied().unwrap_or_default();
    (0..rounds)
        .map(|_| (0..values.len()).map(|_| drawn()).sum::<f64>() / values.len().max(1) as f64)
        .collect()
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; the bias is below 2⁻⁴⁰ for lists of any size that occurs.
    fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }
}

/// The regularized incomplete beta function, by its continued fraction (Lentz's method; DLMF 8.17.22).
fn beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // The fraction converges fast on this side.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta(1.0 - x, b, a);
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp() / a;
    front * fraction(x, a, b)
}

fn fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut c, mut d) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut result = d;
    for step in 1..=500 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for part in [even, odd] {
            d = 1.0 / away(1.0 + part * d);
            c = away(1.0 + part / c);
            change = c * d;
            result *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    result
}

/// The logarithm of the gamma function by the approximation of Lanczos (g = 5, Numerical Recipes 6.1), for positive numbers.
fn ln_gamma(x: f64) -> f64 {
    const PARTS: [f64; 6] = [
        76.180_091_729_471_46,
        -86.505_320_329_416_77,
        24.014_098_240_830_91,
        -1.231_739_572_450_155,
        0.001_208_650_973_866_179,
        -0.000_005_395_239_384_953,
    ];
    let shifted = x + 5.5;
    let sum =
        PARTS.iter().zip(1..).fold(1.000_000_000_190_015, |sum, (part, at)| sum + part / (x + f64::from(at)));
    (x + 0.5) * shifted.ln() - shifted + (2.506_628_274_631_000_5 * sum / x).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, wanted: f64, by: f64) {
        assert!((found - wanted).abs() <= by, "{found} is not {wanted}");
    }

    #[test]
    fn intervals_hold_the_mean_and_are_the_same_each_time() {
        let values: Vec<f64> = (0..100).map(|at| f64::from(at % 2)).collect();
        let found = measured(&values).unwrap();
        assert_eq!(Some(found), measured(&values));
        near(found.mean, 0.5, 0.0);
        near(found.deviation, 0.502_518_9, 1e-6);
        // The normal approximation: 1.96 standard errors on each side.
        near(found.interval[0], 0.4015, 0.015);
        near(found.interval[1], 0.5985, 0.015);
        assert_eq!(measured(&[0.7]).unwrap().interval, [0.7, 0.7]);
        assert_eq!(measured(&[]), None);
    }

    #[test]
    fn the_t_test_agrees_with_tables_of_its_distribution() {
        // Differences with the mean 1 and the standard error 1/t have this t.
        let of = |t: f64, pairs: usize| {
            let half = (pairs as f64).sqrt() / t * ((pairs - 1) as f64 / pairs as f64).sqrt();
            let values: Vec<f64> =
                (0..pairs).map(|at| if at % 2 == 0 { 1.0 + half } else { 1.0 - half }).collect();
            t_test(&values).unwrap()
        };
        near(of(12.706_204_736, 2), 0.05, 1e-6);
        near(of(2.0, 12), 0.070_771_8, 1e-4);
        near(of(1.0, 2), 0.5, 1e-6);
        near(of(1.962_341_461, 1_000), 0.05, 1e-4);
        assert_eq!((t_test(&[0.0, 0.0]), t_test(&[1.0]), t_test(&[1.0, 1.0])), (Some(1.0), None, Some(0.0)));
    }

    #[test]
    fn the_bootstrap_tells_a_difference_from_none() {
        let none: Vec<f64> = (0..40).map(|at| if at % 2 == 0 { 0.1 } else { -0.1 }).collect();
        let some: Vec<f64> = (0..40).map(|at| if at % 8 == 0 { -0.1 } else { 0.1 }).collect();
        near(bootstrap_test(&none), 1.0, 0.0);
        assert!(bootstrap_test(&some) < 0.001, "{}", bootstrap_test(&some));
        let weak: Vec<f64> = (0..40).map(|at| if at % 5 < 2 { -0.1 } else { 0.1 }).collect();
        near(t_test(&weak).unwrap(), 0.21, 0.001);
        // Only few different means can be drawn.
        near(bootstrap_test(&weak), 0.21, 0.05);
        assert_eq!(bootstrap_test(&[]), 1.0);
    }

    #[test]
    fn holm_multiplies_the_smallest_most_and_keeps_the_order() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, wanted) in corrected.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            near(*found, wanted, 1e-12);
        }
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    }
}

//! Sums that match the official client to the last digit, quantiles, and the sign test.

use std::ops::Add;

/// Maximum number of values that NumPy adds without splitting the list
/// ([`PW_BLOCKSIZE`](https://github.com/numpy/numpy/blob/main/numpy/_core/src/umath/loops_utils.h.src)).
const PAIRWISE_BLOCK: usize = 128;
/// Number of parallel sums that NumPy keeps within a block.
const PAIRWISE_LANES: usize = 8;

/// The mean as `numpy.mean` gives it, rounding included: the official client averages with it. 0 for no values.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { pairwise_sum(values) / values.len() as f64 }
}

/// [Pairwise summation](https://en.wikipedia.org/wiki/Pairwise_summation) in the order of NumPy, in single or double precision.
pub(super) fn pairwise_sum<N: Copy + Default + Add<Output = N>>(values: &[N]) -> N {
    if values.len() < PAIRWISE_LANES {
        return values.iter().fold(N::default(), |sum, value| sum + *value);
    }
    if values.len() > PAIRWISE_BLOCK {
        let half = values.len() / 2;
        let (left, right) = values.split_at(half - half % PAIRWISE_LANES);
        return pairwise_sum(left) + pairwise_sum(right);
    }
    let mut lanes = [N::default(); PAIRWISE_LANES];
    let chunks = values.chunks_exact(PAIRWISE_LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = *lane + *value;
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    rest.iter().fold(((a + b) + (c + d)) + ((e + f) + (g + h)), |sum, value| sum + *value)
}

/// The mean as Python's `statistics.fmean` gives it: the exact sum, rounded once. 0 for no values.
pub fn exact_mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { exact_sum(values) / values.len() as f64 }
}

/// The sum rounded once, after J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic" (1997), as in
/// Python's `math.fsum`.
fn exact_sum(values: &[f64]) -> f64 {
    let mut partials: Vec<f64> = Vec::new();
    for &value in values {
        let mut carried = value;
        let mut kept = Vec::with_capacity(partials.len() + 1);
        for &partial in &partials {
            let (large, small) =
                if carried.abs() < partial.abs() { (partial, carried) } else { (carried, partial) };
            let sum = large + small;
            let lost = small - (sum - large);
            if lost != 0.0 {
                kept.push(lost);
            }
            carried = sum;
        }
        kept.push(carried);
        partials = kept;
    }
    rounded(partials)
}

/// The sum of partials that do not overlap, smallest first, rounded half to even.
fn rounded(mut partials: Vec<f64>) -> f64 {
    let Some(mut high) = partials.pop() else { return 0.0 };
    while let Some(next) = partials.pop() {
        let sum = high + next;
        let lost = next - (sum - high);
        high = sum;
        if lost == 0.0 {
            continue;
        }
        // Ties: the remaining partials decide the direction.
        if partials.last().is_some_and(|below| (*below < 0.0) == (lost < 0.0)) {
            let doubled = lost * 2.0;
            let candidate = high + doubled;
            if doubled == candidate - high {
                high = candidate;
            }
        }
        break;
    }
    high
}

/// The distribution of a quantity over the questions.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The median.
    pub median: f64,
    /// The 90th percentile.
    pub p90: f64,
    /// The largest value.
    pub max: f64,
}

/// The spread of some values; all zero for none.
pub fn spread(values: &[f64]) -> Spread {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    Spread {
        mean: mean(&sorted),
        median: quantile(&sorted, 0.5),
        p90: quantile(&sorted, 0.9),
        max: sorted.last().copied().unwrap_or_default(),
    }
}

/// The smallest value that the share `part` of the sorted values does not exceed (nearest rank).
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let rank = (part * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

/// The two-sided p-value of the [sign test](https://en.wikipedia.org/wiki/Sign_test): the probability of a split at least this
/// uneven if wins and losses are equally likely. Ties are excluded, as usual.
pub fn sign_test(wins: usize, losses: usize) -> f64 {
    let trials = wins + losses;
    let ln_half_to_n = -(trials as f64) * std::f64::consts::LN_2;
    let mut ln_choose = 0.0;
    let mut tail = 0.0;
    for k in 0..=wins.min(losses) {
        if k > 0 {
            ln_choose += ((trials - k + 1) as f64 / k as f64).ln();
        }
        tail += (ln_choose + ln_half_to_n).exp();
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_agree_with_numpy_and_fmean_to_the_last_digit() {
        // Results of numpy.mean and statistics.fmean for [1/(i+1) for i in range(n)].
        let known = [
            (1, 1.0, 1.0),
            (3, 0.611111111111111, 0.611111111111111),
            (7, 0.37040816326530607, 0.3704081632653061),
            (8, 0.3397321428571428, 0.33973214285714287),
            (13, 0.24462567347182732, 0.24462567347182732),
            (25, 0.15263832711014028, 0.15263832711014028),
            (50, 0.08998410676658848, 0.0899841067665885),
            (127, 0.04271917002038718, 0.042719170020387186),
            (128, 0.04244646166085291, 0.04244646166085291),
            (129, 0.042177511864912164, 0.042177511864912164),
            (377, 0.017269990785079813, 0.017269990785079813),
            (1000, 0.007485470860550345, 0.007485470860550345),
        ];
        for (n, numpy, fmean) in known {
            let values: Vec<f64> = (0..n).map(|i| 1.0 / (i + 1) as f64).collect();
            assert_eq!(mean(&values), numpy, "numpy, {n}");
            assert_eq!(exact_mean(&values), fmean, "fmean, {n}");
        }
        assert_eq!((mean(&[]), exact_mean(&[])), (0.0, 0.0));
        assert_eq!(exact_mean(&[1e16, 1.0, 1e-16, -1e16]), 0.25, "only an exact sum keeps the 1");
    }

    #[test]
    fn quantiles_are_values_that_occurred() {
        let values: Vec<f64> = (1..=10).rev().map(f64::from).collect();
        assert_eq!(spread(&values), Spread { mean: 5.5, median: 5.0, p90: 9.0, max: 10.0 });
        assert_eq!(spread(&[]), Spread::default());
    }

    #[test]
    fn the_sign_test_agrees_with_the_binomial_distribution() {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        near(sign_test(0, 0), 1.0);
        near(sign_test(5, 5), 1.0);
        near(sign_test(6, 0), 2.0 / 64.0);
        near(sign_test(8, 2), 2.0 * (1.0 + 10.0 + 45.0) / 1024.0);
        near(sign_test(2, 8), sign_test(8, 2));
        assert!(sign_test(3000, 2000) < 1e-40, "no underflow to a wrong value");
        assert!(sign_test(2500, 2500) <= 1.0);
    }
}

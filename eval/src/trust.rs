//! From which probability on answers can be trusted: the share of answers that are kept at each probability, and how many of those
//! are right (the risk-coverage curve of Geifman and El-Yaniv 2017).

use super::record::Record;
use super::reliability::told_of;
use serde::Serialize;

/// Answers with at least a probability.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Kept {
    /// The probability.
    pub probability: f64,
    /// Number of answers with at least this probability.
    pub answers: usize,
    /// Their share of all answers.
    pub coverage: f64,
    /// The share of right answers among them.
    pub right: f64,
}

/// The curve, the highest probability first. Answers with the same probability are kept together. Empty if no answer has one.
pub fn coverage(records: &[Record]) -> Vec<Kept> {
    let mut told: Vec<(f64, bool)> =
        records.iter().filter_map(told_of).map(|(_, answer)| (answer.probability, answer.right)).collect();
    told.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut right = 0_usize;
    let mut curve: Vec<Kept> = Vec::new();
    for (at, (probability, is_right)) in told.iter().enumerate() {
        right += usize::from(*is_right);
        let answers = at + 1;
        let kept = Kept {
            probability: *probability,
            answers,
            coverage: answers as f64 / told.len() as f64,
            right: right as f64 / answers as f64,
        };
        match curve.last_mut().filter(|last| last.probability == *probability) {
            Some(last) => *last = kept,
            None => curve.push(kept),
        }
    }
    curve
}

/// The area under the curve of wrong answers: the mean share of wrong ones over all shares kept. 0 is best; `None` for no answer.
pub fn risk(curve: &[Kept]) -> Option<f64> {
    let mut before = 0.0;
    let parts = curve.iter().map(|kept| {
        let width = kept.coverage - before;
        before = kept.coverage;
        width * (1.0 - kept.right)
    });
    let area: f64 = parts.sum();
    (!curve.is_empty()).then_some(area)
}

/// The most answers of which at least this share is right: the lowest probability from which on answers can be trusted.
pub fn threshold(curve: &[Kept], right: f64) -> Option<Kept> {
    curve.iter().rev().find(|kept| kept.right >= right).copied()
}

#[cfg(test)]
mod tests {
    use super::super::reliability::tests::told;
    use super::*;

    fn records(answers: &[(f64, bool)]) -> Vec<Record> {
        let one = |(at, (probability, right)): (usize, &(f64, bool))| {
            told(&at.to_string(), "planner", "sure", *probability, f64::from(u8::from(*right)))
        };
        answers.iter().enumerate().map(one).collect()
    }

    #[test]
    fn the_curve_keeps_equal_probabilities_together() {
        let curve = coverage(&records(&[(0.5, false), (0.9, true), (0.9, false), (0.95, true)]));
        let shown: Vec<(usize, f64)> = curve.iter().map(|kept| (kept.answers, kept.right)).collect();
        assert_eq!(shown, [(1, 1.0), (3, 2.0 / 3.0), (4, 0.5)]);
        let area = risk(&curve).unwrap();
        assert!((area - (0.5 / 3.0 + 0.25 * 0.5)).abs() < 1e-12, "{area}");
    }

    #[test]
    fn a_threshold_keeps_the_most_answers_that_can_be_trusted() {
        let curve = coverage(&records(&[(0.9, false), (0.8, true), (0.7, true), (0.6, true), (0.2, false)]));
        // Half of the first two is right, three of the first four.
        assert_eq!(threshold(&curve, 0.7).map(|kept| (kept.probability, kept.answers)), Some((0.6, 4)));
        assert_eq!(threshold(&curve, 0.9), None);
        assert_eq!((risk(&[]), threshold(&[], 0.0)), (None, None));
    }
}

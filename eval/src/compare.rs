//! Two runs over the same questions, side by side, with paired tests.

use super::excluded::is_known;
use super::metrics::side::METRICS;
use super::record::Record;
use super::resample::{bootstrap_test, t_test};
use super::stats::{mean, sign_test};
use serde::Serialize;
use std::collections::HashMap;

/// Scores closer than this are equal: real differences are larger, since scores are computed from counts.
const TIE: f64 = 1e-9;

/// What two runs have in common, and their differences.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Questions that both runs asked, and that count in both.
    pub common: usize,
    /// Questions that both asked and that do not count, since the gold answer is not known in one of them.
    pub gold_unknown: usize,
    /// Questions that only the first asked.
    pub only_first: usize,
    /// Questions that only the second asked.
    pub only_second: usize,
    /// By the official F.
    #[serde(rename = "set_F")]
    pub set_f: MetricComparison,
    /// By the row-major F1, over the questions that have one in both runs.
    pub row_f1: MetricComparison,
    /// By the metrics of other papers, with their titles, over the questions that have them in both runs.
    pub side: Vec<(&'static str, MetricComparison)>,
}

/// Wins, losses and ties by one metric; wins are the first run's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricComparison {
    /// The first run's mean.
    pub first: f64,
    /// The second run's mean.
    pub second: f64,
    /// Questions on which the first is better.
    pub wins: Vec<ScoredPair>,
    /// Questions on which the second is better.
    pub losses: Vec<ScoredPair>,
    /// Questions on which both are equally good.
    pub ties: usize,
    /// The two-sided p-value of the sign test.
    pub p_value: f64,
    /// The same of the paired bootstrap test.
    pub bootstrap: f64,
    /// The same of the paired t test; `None` for fewer than two questions.
    pub t_test: Option<f64>,
}

/// A question with both scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoredPair {
    /// The question's id.
    pub id: String,
    /// The question.
    pub question: String,
    /// The first run's score.
    pub first: f64,
    /// The second run's score.
    pub second: f64,
}

/// Compares two runs question by question, in the order of the first.
pub fn compare(first: &[Record], second: &[Record]) -> Comparison {
    let by_id: HashMap<&str, &Record> = second.iter().map(|record| (record.id.as_str(), record)).collect();
    let asked: Vec<(&Record, &Record)> = first
        .iter()
        .filter_map(|record| by_id.get(record.id.as_str()).map(|other| (record, *other)))
        .collect();
    let counts = |(a, b): &(&Record, &Record)| is_known(a) && is_known(b);
    let both: Vec<(&Record, &Record)> = asked.iter().copied().filter(counts).collect();
    Comparison {
        common: both.len(),
        gold_unknown: asked.len() - both.len(),
        only_first: first.len() - asked.len(),
        only_second: second.len() - asked.len(),
        set_f: duel(&both, |record| Some(record.scores.official.set_f)),
        row_f1: duel(&both, |record| record.scores.row_f1),
        side: side_duels(&both),
    }
}

fn side_duels(both: &[(&Record, &Record)]) -> Vec<(&'static str, MetricComparison)> {
    let duels = METRICS.map(|metric| (metric.title, duel(both, |record| metric.of(&record.scores))));
    let has_questions =
        |duel: &MetricComparison| !duel.wins.is_empty() || !duel.losses.is_empty() || duel.ties > 0;
    duels.into_iter().filter(|(_, duel)| has_questions(duel)).collect()
}

fn duel(both: &[(&Record, &Record)], metric: impl Fn(&Record) -> Option<f64>) -> MetricComparison {
    let pairs: Vec<ScoredPair> = both
        .iter()
        .filter_map(|(a, b)| {
            let (first, second) = metric(a).zip(metric(b))?;
            Some(ScoredPair { id: a.id.clone(), question: a.question.clone(), first, second })
        })
        .collect();
    let better = |test: fn(f64) -> bool| -> Vec<ScoredPair> {
        pairs.iter().filter(|pair| test(pair.first - pair.second)).cloned().collect()
    };
    let leads: Vec<f64> = pairs.iter().map(|pair| pair.first - pair.second).collect();
    let (wins, losses) = (better(|lead| lead > TIE), better(|lead| lead < -TIE));
    MetricComparison {
        first: mean(&pairs.iter().map(|pair| pair.first).collect::<Vec<_>>()),
        second: mean(&pairs.iter().map(|pair| pair.second).collect::<Vec<_>>()),
        ties: pairs.len() - wins.len() - losses.len(),
        p_value: sign_test(wins.len(), losses.len()),
        bootstrap: bootstrap_test(&leads),
        t_test: t_test(&leads),
        wins,
        losses,
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;

    #[test]
    fn wins_and_losses_are_counted_over_common_questions() {
        let first =
            [record("a", 1.0), record("b", 0.2), record("c", 0.5), record("d", 1.0), record("x", 1.0)];
        let mut second = vec![record("d", 0.5), record("c", 0.5 + 1e-12), record("b", 0.4), record("a", 0.0)];
        second[0].scores.row_f1 = None;
        let comparison = compare(&first, &second);
        assert_eq!((comparison.common, comparison.only_first, comparison.only_second), (4, 1, 0));
        let ids = |pairs: &[ScoredPair]| pairs.iter().map(|pair| pair.id.clone()).collect::<Vec<_>>();
        let set_f = &comparison.set_f;
        assert_eq!(
            (ids(&set_f.wins), ids(&set_f.losses), set_f.ties),
            (vec!["a".into(), "d".into()], vec!["b".into()], 1)
        );
        assert_eq!((set_f.first, set_f.p_value), (0.675, 1.0));
        assert!(
            set_f.bootstrap > 0.1 && set_f.t_test.unwrap() > 0.2,
            "four questions prove nothing: {set_f:?}"
        );
        assert_eq!((comparison.row_f1.wins.len(), comparison.row_f1.ties), (1, 1));
        second[3].gold.error = Some("no such function".to_owned());
        let comparison = compare(&first, &second);
        assert_eq!((comparison.common, comparison.gold_unknown, comparison.only_first), (3, 1, 1));
        assert_eq!(ids(&comparison.set_f.wins), ["d"], "nobody knows what is right for a");
    }
}

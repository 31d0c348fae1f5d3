//! Several runs over the same questions: each with its figures, the best first, and each pair compared. With many pairs some differ by
//! chance, so their p-values are corrected.

use super::compare::{MetricComparison, compare};
use super::excluded::is_known;
use super::metrics::side::SideFigures;
use super::record::{Record, RunFigures};
use super::resample::{Measured, holm, measured};
use super::stats::mean;
use super::table::Table;
use serde::Serialize;
use std::collections::{BTreeSet, HashSet};

/// A run with its name.
pub type NamedRun<'a> = (&'a str, &'a [Record]);

/// Several runs over the questions that all of them asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Leaderboard {
    /// Number of questions that all runs asked, and that count in all.
    pub common: usize,
    /// Number of questions that all asked and that do not count, since the gold answer is not known in some run.
    pub gold_unknown: usize,
    /// Number of questions that some of them did not.
    pub left_out: usize,
    /// The runs, by the mean of the official F, the best first.
    pub standings: Vec<Standing>,
    /// Each run against each that stands below it.
    pub pairs: Vec<RunPair>,
}

/// The figures of a run over the common questions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// Its name.
    pub run: String,
    /// The official F.
    #[serde(rename = "set_F")]
    pub set_f: Measured,
    /// The row-major F1, over the questions that have one.
    pub row_f1: Option<Measured>,
    /// The means by the metrics of other papers.
    #[serde(flatten)]
    pub side: SideFigures,
    /// Model calls per question, in the mean.
    pub model_calls: f64,
    /// Tokens per question, in the mean.
    pub tokens: f64,
    /// Seconds per question, in the mean.
    pub seconds: f64,
    /// Cost per question, in the mean, if the prices were configured.
    pub cost: Option<f64>,
}

/// Two runs compared by the official F.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunPair {
    /// The run that stands higher.
    pub first: String,
    /// The other one.
    pub second: String,
    /// Their differences.
    #[serde(rename = "set_F")]
    pub set_f: MetricComparison,
    /// The p-value of the paired bootstrap test, corrected for the number of pairs (Holm 1979).
    pub corrected: f64,
}

/// Puts runs in order. Without a common question there are no standings.
pub fn leaderboard(runs: &[NamedRun<'_>]) -> Leaderboard {
    let ids = |records: &[Record]| records.iter().map(|record| record.id.clone()).collect::<HashSet<_>>();
    let all: BTreeSet<String> = runs.iter().flat_map(|(_, records)| ids(records)).collect();
    let asked: HashSet<String> =
        runs.iter().map(|(_, records)| ids(records)).reduce(|a, b| &a & &b).unwrap_or_default();
    let unknown: HashSet<&String> = runs
        .iter()
        .flat_map(|(_, records)| records.iter().filter(|record| !is_known(record)))
        .map(|record| &record.id)
        .collect();
    let everywhere: HashSet<&String> = asked.iter().filter(|id| !unknown.contains(id)).collect();
    let kept = |records: &[Record]| -> Vec<Record> {
        records.iter().filter(|record| everywhere.contains(&record.id)).cloned().collect()
    };
    let common = runs.iter().map(|(name, records)| (*name, kept(records)));
    let mut found: Vec<(Standing, Vec<Record>)> =
        common.filter_map(|(name, records)| Some((standing(name, &records)?, records))).collect();
    found.sort_by(|a, b| b.0.set_f.mean.total_cmp(&a.0.set_f.mean));
    let pairs = pairs(&found);
    let standings = found.into_iter().map(|(standing, _)| standing).collect();
    let (common, gold_unknown) = (everywhere.len(), asked.len() - everywhere.len());
    Leaderboard { common, gold_unknown, left_out: all.len() - asked.len(), standings, pairs }
}

fn standing(name: &str, records: &[Record]) -> Option<Standing> {
    let of_run = |pick: fn(&RunFigures) -> f64| {
        mean(&records.iter().filter_map(|record| record.run.as_ref()).map(pick).collect::<Vec<_>>())
    };
    let costs: Vec<f64> = records.iter().filter_map(|record| record.run.as_ref()?.cost).collect();
    Some(Standing {
        run: name.to_owned(),
        set_f: measured(&records.iter().map(|record| record.scores.official.set_f).collect::<Vec<_>>())?,
        row_f1: measured(&records.iter().filter_map(|record| record.scores.row_f1).collect::<Vec<_>>()),
        side: SideFigures::of(records.iter().map(|record| &record.scores)),
        model_calls: of_run(|run| f64::from(run.model_calls)),
        tokens: of_run(|run| run.tokens() as f64),
        seconds: of_run(|run| run.seconds),
        cost: (!costs.is_empty()).then(|| mean(&costs)),
    })
}

fn pairs(found: &[(Standing, Vec<Record>)]) -> Vec<RunPair> {
    let below = |at: usize| found.iter().skip(at + 1);
    let each = found.iter().enumerate().flat_map(|(at, first)| below(at).map(move |second| (first, second)));
    let mut pairs: Vec<RunPair> = each
        .map(|((first, records), (second, others))| RunPair {
            first: first.run.clone(),
            second: second.run.clone(),
            set_f: compare(records, others).set_f,
            corrected: 1.0,
        })
        .collect();
    let corrected = holm(&pairs.iter().map(|pair| pair.set_f.bootstrap).collect::<Vec<_>>());
    pairs.iter_mut().zip(corrected).for_each(|(pair, corrected)| pair.corrected = corrected);
    pairs
}

/// Pairs of runs as a table.
pub fn pair_table(pairs: &[RunPair]) -> Table {
    let head =
        ["better", "than", "by", "wins", "losses", "ties", "sign p", "t p", "bootstrap p", "corrected"];
    let row = |pair: &RunPair| {
        let MetricComparison { first, second, wins, losses, ties, p_value, bootstrap, t_test } = &pair.set_f;
        vec![
            pair.first.clone(),
            pair.second.clone(),
            format!("{:.4}", first - second),
            wins.len().to_string(),
            losses.len().to_string(),
            ties.to_string(),
            format!("{p_value:.4}"),
            t_test.map_or_else(|| "-".to_owned(), |p| format!("{p:.4}")),
            format!("{bootstrap:.4}"),
            format!("{:.4}", pair.corrected),
        ]
    };
    Table { head: head.map(str::to_owned).to_vec(), rows: pairs.iter().map(row).collect() }
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;

    fn run(scores: &[(&str, f64)]) -> Vec<Record> {
        scores.iter().map(|(id, score)| record(id, *score)).collect()
    }

    #[test]
    fn runs_are_put_in_order_over_the_questions_that_all_asked() {
        let weak = run(&[("a", 0.0), ("b", 0.5), ("x", 1.0)]);
        let best = run(&[("b", 1.0), ("a", 1.0)]);
        let next = run(&[("a", 1.0), ("b", 0.5), ("y", 1.0)]);
        let board = leaderboard(&[("weak", &weak), ("best", &best), ("next", &next)]);
        assert_eq!((board.common, board.left_out), (2, 2));
        let order: Vec<(&str, f64)> =
            board.standings.iter().map(|one| (one.run.as_str(), one.set_f.mean)).collect();
        assert_eq!(order, [("best", 1.0), ("next", 0.75), ("weak", 0.25)]);
        let pairs: Vec<(&str, &str)> =
            board.pairs.iter().map(|pair| (pair.first.as_str(), pair.second.as_str())).collect();
        assert_eq!(pairs, [("best", "next"), ("best", "weak"), ("next", "weak")]);
        assert!(board.pairs.iter().all(|pair| pair.corrected >= pair.set_f.bootstrap));
    }

    #[test]
    fn questions_whose_gold_is_unknown_in_a_run_count_in_none() {
        let first = run(&[("a", 1.0), ("b", 0.0)]);
        let mut second = run(&[("a", 1.0), ("b", 1.0)]);
        second[1].gold.error = Some("no such function".to_owned());
        let board = leaderboard(&[("first", &first), ("second", &second)]);
        assert_eq!((board.common, board.gold_unknown, board.left_out), (1, 1, 0));
        assert!(board.standings.iter().all(|one| one.set_f.mean == 1.0), "{:?}", board.standings);
    }

    #[test]
    fn runs_without_a_common_question_have_no_standing() {
        let board = leaderboard(&[("a", &run(&[("a", 1.0)])), ("b", &run(&[("b", 1.0)]))]);
        assert_eq!((board.common, board.left_out, board.standings.len(), board.pairs.len()), (0, 2, 0, 0));
        assert_eq!(leaderboard(&[]).standings.len(), 0);
    }
}

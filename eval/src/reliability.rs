//! Calibration of probabilities: how many of the answers reported with a probability are right. A reliability table and the
//! expected calibration error (Guo et al. 2017) for any questions with known answers.

use super::record::Record;
use super::stats::mean;
use serde::Serialize;
use std::collections::BTreeMap;

/// Number of bins, of equal width.
const BINS: usize = 10;
/// The confidence levels, best first.
const LEVELS: [&str; 3] = ["sure", "likely", "guess"];
/// The name of the group of all answers.
pub const ALL: &str = "all";

/// The calibration of the probabilities of some answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reliability {
    /// Number of answers with a probability and a known right answer.
    pub answers: usize,
    /// The mean probability.
    pub probability: f64,
    /// The share of right answers.
    pub right: f64,
    /// The expected calibration error: the mean difference of both per bin, weighted by the answers in it.
    pub ece: f64,
    /// The mean squared difference between the probability and the outcome (Brier 1950).
    pub brier: f64,
    /// By level.
    pub levels: Vec<Row>,
    /// By probability; empty bins are omitted.
    pub bins: Vec<Row>,
}

/// Answers of one level or of one bin.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// `sure`, or `0.7 to 0.8`.
    pub name: String,
    /// Number of answers in it.
    pub answers: usize,
    /// Their mean probability.
    pub probability: f64,
    /// The share of right answers.
    pub right: f64,
}

/// One answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Told<'a> {
    level: &'a str,
    pub(super) probability: f64,
    pub(super) right: bool,
}

/// The calibration of records: of all, and by answering component. Empty if no answer has a probability.
pub fn reliability(records: &[Record]) -> BTreeMap<String, Reliability> {
    let mut told: BTreeMap<String, Vec<Told<'_>>> = BTreeMap::new();
    for record in records {
        let Some((by, answer)) = told_of(record) else { continue };
        told.entry(ALL.to_owned()).or_default().push(answer);
        told.entry(by.to_owned()).or_default().push(answer);
    }
    told.into_iter().map(|(name, answers)| (name, table(&answers))).collect()
}

/// A record's answer with who gave it, if it has a probability and it is known whether it is right.
pub(super) fn told_of(record: &Record) -> Option<(&str, Told<'_>)> {
    let run = record.run.as_ref()?;
    let (level, probability) = (run.confidence.as_deref()?, run.probability?);
    Some((run.answered_by.as_str(), Told { level, probability, right: record.is_right()? }))
}

fn table(answers: &[Told<'_>]) -> Reliability {
    let bin = |answer: &Told<'_>| (0..BINS - 1).filter(|at| answer.probability >= upper(*at)).count();
    let bins: Vec<Row> = (0..BINS)
        .filter_map(|at| {
            let name = format!("{:.1} to {:.1}", upper(at) - upper(0), upper(at));
            row(&name, answers.iter().filter(|answer| bin(answer) == at))
        })
        .collect();
    let distance = |row: &Row| row.answers as f64 * (row.probability - row.right).abs();
    let squares = answers.iter().map(|answer| (answer.probability - truth(answer)).powi(2));
    let levels =
        LEVELS.iter().filter_map(|level| row(level, answers.iter().filter(|answer| answer.level == *level)));
    Reliability {
        answers: answers.len(),
        probability: mean(&answers.iter().map(|answer| answer.probability).collect::<Vec<_>>()),
        right: mean(&answers.iter().map(truth).collect::<Vec<_>>()),
        ece: bins.iter().map(distance).sum::<f64>() / answers.len().max(1) as f64,
        brier: mean(&squares.collect::<Vec<_>>()),
        levels: levels.collect(),
        bins,
    }
}

/// The upper end of a bin.
fn upper(bin: usize) -> f64 {
    (bin + 1) as f64 / BINS as f64
}

fn truth(answer: &Told<'_>) -> f64 {
    f64::from(u8::from(answer.right))
}

fn row<'a>(name: &str, answers: impl Iterator<Item = &'a Told<'a>>) -> Option<Row> {
    let answers: Vec<&Told<'_>> = answers.collect();
    (!answers.is_empty()).then(|| Row {
        name: name.to_owned(),
        answers: answers.len(),
        probability: mean(&answers.iter().map(|answer| answer.probability).collect::<Vec<_>>()),
        right: mean(&answers.iter().map(|answer| truth(answer)).collect::<Vec<_>>()),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::record::tests::record;
    use super::*;

    pub(in super::super) fn told(id: &str, by: &str, level: &str, probability: f64, set_f: f64) -> Record {
        let mut record = record(id, set_f);
        let run = record.run.as_mut().unwrap();
        (run.answered_by, run.confidence) = (by.to_owned(), Some(level.to_owned()));
        run.probability = Some(probability);
        record
    }

    #[test]
    fn answers_fall_into_levels_and_bins() {
        let mut records = vec![
            told("a", "agent", "sure", 0.9, 1.0),
            told("b", "agent", "sure", 0.8, 0.5),
            told("c", "planner", "guess", 0.1, 0.0),
            told("d", "planner", "sure", 1.0, 1.0),
            record("without", 1.0),
            told("broken", "planner", "sure", 0.9, 0.0),
        ];
        records[5].gold.error = Some("no such query".to_owned());
        let tables = reliability(&records);
        assert_eq!(tables.keys().collect::<Vec<_>>(), ["agent", "all", "planner"]);
        let agent = &tables["agent"];
        assert_eq!((agent.answers, agent.right), (2, 0.5));
        assert!((agent.ece - (0.1 + 0.8) / 2.0).abs() < 1e-9, "{}", agent.ece);
        assert!((agent.brier - (0.01 + 0.64) / 2.0).abs() < 1e-9, "{}", agent.brier);
        let levels: Vec<(&str, usize)> =
            tables["all"].levels.iter().map(|row| (row.name.as_str(), row.answers)).collect();
        assert_eq!(levels, [("sure", 3), ("guess", 1)]);
        let bins: Vec<&str> = tables["all"].bins.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(bins, ["0.1 to 0.2", "0.8 to 0.9", "0.9 to 1.0"]);
    }

    #[test]
    fn without_probabilities_there_is_no_table() {
        assert!(reliability(&[record("a", 1.0)]).is_empty());
    }
}

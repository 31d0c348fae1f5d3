//! The same questions asked several times: how far the runs agree. Models do not answer the same twice, so that a single run
//! says how good an answer was, and several say how good answers are.

use super::excluded::is_known;
use super::record::{Record, RunFigures};
use super::stats::mean;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// How far repeats of a run agree, over the questions that all of them asked and whose gold answer is known.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RepeatAgreement {
    /// Number of repeats.
    pub repeats: usize,
    /// Number of questions.
    pub questions: usize,
    /// The mean official F of each repeat.
    #[serde(rename = "set_F")]
    pub set_f: Vec<f64>,
    /// Their mean.
    #[serde(rename = "set_F_mean")]
    pub set_f_mean: f64,
    /// Their standard deviation (of a sample); 0 for a single repeat.
    #[serde(rename = "set_F_deviation")]
    pub set_f_deviation: f64,
    /// The mean over questions of the standard deviation of their F.
    pub deviation_of_question: f64,
    /// Share of questions whose result is the same in all repeats, as far as records keep it.
    pub same: f64,
    /// Share of pairs of repeats with the same result, over all questions.
    pub same_pairs: f64,
    /// Questions by the number of repeats that answered them exactly right.
    pub right: BTreeMap<usize, usize>,
    /// Share of questions that at least one repeat answered exactly right.
    pub right_once: f64,
    /// Share of questions that all repeats answered exactly right.
    pub right_always: f64,
    /// RepeatAgreement of right and not right beyond chance (kappa of Fleiss 1971): 1 for complete agreement; `None` if all answers are
    /// right or none is.
    pub kappa: Option<f64>,
}

/// Compares the repeats of a run. `None` for fewer than two, or without a common question.
pub fn agreement(repeats: &[&[Record]]) -> Option<RepeatAgreement> {
    let (first, others) = repeats.split_first().filter(|(_, others)| !others.is_empty())?;
    let by_id = |records: &&[Record]| -> HashMap<String, Record> {
        records.iter().map(|record| (record.id.clone(), record.clone())).collect()
    };
    let others: Vec<HashMap<String, Record>> = others.iter().map(by_id).collect();
    let answers = first.iter().filter(|record| is_known(record)).filter_map(|record| {
        let found: Option<Vec<&Record>> = others.iter().map(|other| other.get(&record.id)).collect();
        Some(std::iter::once(record).chain(found?).collect::<Vec<_>>())
    });
    let questions: Vec<Vec<&Record>> = answers.collect();
    (!questions.is_empty()).then(|| compared(&questions, repeats.len()))
}

/// One record for each question that all repeats asked: that of the first repeat, with the means of scores and effort over all.
pub fn averaged(repeats: &[Vec<Record>]) -> Vec<Record> {
    let Some((first, others)) = repeats.split_first() else { return Vec::new() };
    let others: Vec<HashMap<&str, &Record>> = others
        .iter()
        .map(|records| records.iter().map(|record| (record.id.as_str(), record)).collect())
        .collect();
    let all = first.iter().filter_map(|record| {
        let found: Option<Vec<&Record>> =
            others.iter().map(|other| other.get(record.id.as_str()).copied()).collect();
        Some(mean_record(record, &found?))
    });
    all.collect()
}

fn mean_record(first: &Record, others: &[&Record]) -> Record {
    let all = || std::iter::once(first).chain(others.iter().copied());
    let mean_of = |pick: &dyn Fn(&Record) -> Option<f64>| {
        let values: Vec<f64> = all().filter_map(pick).collect();
        (!values.is_empty()).then(|| mean(&values))
    };
    let mut record = first.clone();
    let scores = &mut record.scores;
    let official = |pick: fn(&Record) -> f64| mean_of(&|record| Some(pick(record))).unwrap_or_default();
    scores.official.set_p = official(|record| record.scores.official.set_p);
    scores.official.set_recall = official(|record| record.scores.official.set_recall);
    scores.official.set_f = official(|record| record.scores.official.set_f);
    scores.official.ndcg = mean_of(&|record| record.scores.official.ndcg);
    scores.row_f1 = mean_of(&|record| record.scores.row_f1);
    if let Some(run) = &mut record.run {
        let effort = |pick: fn(&RunFigures) -> f64| {
            mean_of(&|record| record.run.as_ref().map(pick)).unwrap_or_default()
        };
        run.seconds = effort(|run| run.seconds);
        run.cost = mean_of(&|record| record.run.as_ref()?.cost);
        run.model_calls = effort(|run| f64::from(run.model_calls)).round() as u32;
        run.prompt_tokens = effort(|run| run.prompt_tokens as f64).round() as u64;
        run.completion_tokens = effort(|run| run.completion_tokens as f64).round() as u64;
    }
    record
}

fn compared(questions: &[Vec<&Record>], repeats: usize) -> RepeatAgreement {
    let f = |record: &&Record| record.scores.official.set_f;
    let of_repeat =
        |at: usize| mean(&questions.iter().filter_map(|all| all.get(at)).map(f).collect::<Vec<_>>());
    let set_f: Vec<f64> = (0..repeats).map(of_repeat).collect();
    let of_question: Vec<f64> =
        questions.iter().map(|all| deviation(&all.iter().map(f).collect::<Vec<_>>())).collect();
    let same: Vec<f64> = questions.iter().map(|all| same_pairs(all)).collect();
    let mut right: BTreeMap<usize, usize> = (0..=repeats).map(|count| (count, 0)).collect();
    for all in questions {
        let times = all.iter().filter(|record| record.is_right() == Some(true)).count();
        *right.entry(times).or_default() += 1;
    }
    let share = |count: usize| count as f64 / questions.len() as f64;
    let never = right.get(&0).copied().unwrap_or_default();
    RepeatAgreement {
        repeats,
        questions: questions.len(),
        set_f_mean: mean(&set_f),
        set_f_deviation: deviation(&set_f),
        set_f,
        deviation_of_question: mean(&of_question),
        same: share(same.iter().filter(|pairs| **pairs == 1.0).count()),
        same_pairs: mean(&same),
        right_once: share(questions.len() - never),
        right_always: share(right.get(&repeats).copied().unwrap_or_default()),
        kappa: kappa(&right, repeats, questions.len()),
        right,
    }
}

/// The standard deviation of a sample.
fn deviation(values: &[f64]) -> f64 {
    let middle = mean(values);
    let squares: f64 = values.iter().map(|value| (value - middle).powi(2)).sum();
    if values.len() < 2 { 0.0 } else { (squares / (values.len() - 1) as f64).sqrt() }
}

/// The share of pairs of answers with the same result.
fn same_pairs(answers: &[&Record]) -> f64 {
    let results: Vec<u64> = answers.iter().map(|record| record.predicted.fingerprint()).collect();
    let below = |at: usize| results.get(at + 1..).unwrap_or_default();
    let same: usize = results
        .iter()
        .enumerate()
        .map(|(at, result)| below(at).iter().filter(|other| *other == result).count())
        .sum();
    let pairs = results.len() * results.len().saturating_sub(1) / 2;
    same as f64 / pairs.max(1) as f64
}

fn kappa(right: &BTreeMap<usize, usize>, repeats: usize, questions: usize) -> Option<f64> {
    let (raters, subjects) = (repeats as f64, questions as f64);
    let rights: f64 = right.iter().map(|(times, count)| (times * count) as f64).sum();
    let share = rights / (raters * subjects);
    let by_chance = share * share + (1.0 - share) * (1.0 - share);
    let agreeing =
        |times: f64| (times * times + (raters - times).powi(2) - raters) / (raters * (raters - 1.0));
    let observed: f64 =
        right.iter().map(|(times, count)| agreeing(*times as f64) * *count as f64).sum::<f64>() / subjects;
    (by_chance < 1.0).then(|| (observed - by_chance) / (1.0 - by_chance))
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;
    use serde_json::{Value, json};

    fn run(answers: &[(&str, f64, &str)]) -> Vec<Record> {
        let one = |(id, set_f, value): &(&str, f64, &str)| {
            let mut record = record(id, *set_f);
            let rows: Vec<Value> = value.chars().map(|c| json!([{"value": c.to_string()}])).collect();
            record.predicted.results =
                Some(json!({"variables": ["x"], "row_count": rows.len(), "rows": rows}));
            record
        };
        answers.iter().map(one).collect()
    }

    #[test]
    fn repeats_are_compared_by_their_results_and_scores() {
        let first = run(&[("a", 1.0, "xy"), ("b", 0.0, "x"), ("c", 1.0, "x"), ("only here", 1.0, "x")]);
        let second = run(&[("a", 1.0, "yx"), ("b", 1.0, "y"), ("c", 1.0, "x")]);
        let third = run(&[("c", 1.0, "x"), ("b", 0.0, "x"), ("a", 1.0, "xy")]);
        let found = agreement(&[&first, &second, &third]).unwrap();
        assert_eq!((found.repeats, found.questions), (3, 3));
        assert_eq!(found.set_f, [2.0 / 3.0, 1.0, 2.0 / 3.0]);
        assert_eq!(found.right, BTreeMap::from([(0, 0), (1, 1), (2, 0), (3, 2)]));
        assert_eq!((found.same, found.right_always, found.right_once), (2.0 / 3.0, 2.0 / 3.0, 1.0));
        assert!((found.same_pairs - (1.0 + 1.0 + 1.0 / 3.0) / 3.0).abs() < 1e-12, "{found:?}");
        assert!((found.set_f_deviation - 0.19245008972987526).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn agreement_beyond_chance_is_that_of_fleiss() {
        // By the formulas of the paper for the table [[0, 3], [1, 2], [3, 0], [0, 3]] of wrong and right.
        let right = BTreeMap::from([(0, 1), (1, 0), (2, 1), (3, 2)]);
        assert!((kappa(&right, 3, 4).unwrap() - 0.625).abs() < 1e-12, "{:?}", kappa(&right, 3, 4));
        assert_eq!(kappa(&BTreeMap::from([(0, 0), (3, 4)]), 3, 4), None);
    }

    #[test]
    fn repeats_are_averaged_by_question() {
        let means =
            averaged(&[run(&[("a", 1.0, "x"), ("b", 0.0, "x")]), run(&[("b", 0.5, "x"), ("a", 0.0, "y")])]);
        let shown: Vec<(&str, f64, Option<f64>)> =
            means.iter().map(|one| (one.id.as_str(), one.scores.official.set_f, one.scores.row_f1)).collect();
        assert_eq!(shown, [("a", 0.5, Some(0.5)), ("b", 0.25, Some(0.25))]);
        assert_eq!(averaged(&[run(&[("a", 1.0, "x")]), Vec::new()]), []);
    }

    #[test]
    fn one_run_has_nothing_to_agree_with() {
        let one = run(&[("a", 1.0, "x")]);
        assert_eq!(agreement(&[&one]), None);
        assert_eq!(agreement(&[&one, &run(&[("b", 1.0, "x")])]), None);
    }
}

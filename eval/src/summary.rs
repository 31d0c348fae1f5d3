//! The figures of a whole run: for `summary.json` and the final printout.

use super::actions::{Actions, actions};
use super::error::EvalError;
use super::excluded::{Excluded, counted, excluded};
use super::metrics::OfficialScores;
use super::metrics::side::SideFigures;
use super::mistakes::{Counted, Outcome, mistakes};
use super::official::{Evaluation, averaged};
use super::overlap::{Overlap, Overlaps, overlaps};
use super::record::{Record, RunFigures};
use super::reliability::{Reliability, reliability};
use super::resample::{Measured, measured};
use super::stats::{Spread, mean, spread};
use super::trust::{Kept, coverage, risk};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The name of the summary file in the output folder.
pub const SUMMARY_FILE: &str = "summary.json";

/// Maximum number of points of a curve.
const MAX_POINTS: usize = 199;

/// The figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Number of questions.
    pub questions: usize,
    /// Questions without any answer: the service failed.
    pub failed: usize,
    /// Questions for which a query was returned.
    pub with_query: usize,
    /// Questions on which no system can score officially: empty gold set, or gold ASK false.
    pub unwinnable: usize,
    /// Questions whose gold answer is not known; all means but those of the effort leave them out.
    pub gold_failed: usize,
    /// These by name, with the reasons.
    pub gold_excluded: Vec<Excluded>,
    /// How far stored answers agree with gold queries, if there are questions with both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gold_overlap: Option<Overlaps>,
    /// The official means over the questions whose gold answer is known.
    pub official: OfficialScores,
    /// The same over all questions, with failed gold counted as empty, as the official client does; if there is any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub official_failed_as_empty: Option<OfficialScores>,
    /// nDCG where the order matters, else F, averaged as the client does.
    #[serde(rename = "set_F_ndcg")]
    pub combined: Option<f64>,
    /// The mean F over the winnable questions.
    #[serde(rename = "set_F_winnable")]
    pub set_f_winnable: f64,
    /// The official F over the questions that count, with its accuracy.
    #[serde(rename = "set_F_measured")]
    pub set_f_measured: Option<Measured>,
    /// Questions with an F of 1.
    pub perfect: usize,
    /// Questions with an F of 0.
    pub zero: usize,
    /// SPINACH's means over the questions with gold rows.
    pub rows: Group,
    /// The means by the metrics of other papers.
    #[serde(flatten)]
    pub side: SideFigures,
    /// Model calls per question.
    pub model_calls: Spread,
    /// Steps per question.
    pub steps: Spread,
    /// Seconds per question.
    pub seconds: Spread,
    /// Tokens per question.
    pub tokens: Spread,
    /// Tokens of prompts per question.
    pub prompt_tokens: Spread,
    /// Tokens of completions per question.
    pub completion_tokens: Spread,
    /// Cost per question and in total, if the prices are configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// Rewrites of the final query per question.
    pub rewrites: Spread,
    /// Decisions of the controller per question.
    pub decisions: Spread,
    /// Scores by the form of the gold query.
    pub by_form: BTreeMap<String, Group>,
    /// Scores by feature, if the file has features.
    pub by_feature: BTreeMap<String, Group>,
    /// Scores by dataset.
    pub by_dataset: BTreeMap<String, Group>,
    /// Scores by language.
    pub by_language: BTreeMap<String, Group>,
    /// Scores by the component that produced the query.
    pub by_answered_by: BTreeMap<String, Group>,
    /// Scores by the reason why the run ended.
    pub by_stop_reason: BTreeMap<String, Group>,
    /// The verified questions that the system had, if it had any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub examples: Option<Examples>,
    /// The calibration of the answers' probabilities: of all, and by the component that produced the query.
    pub reliability: BTreeMap<String, Reliability>,
    /// How many answers are right if only those with at least a probability are kept; at most 200 points.
    pub coverage: Vec<Kept>,
    /// What the model did.
    pub actions: Actions,
    /// What the answers are, the right ones and the wrong ones.
    pub mistakes: BTreeMap<Outcome, Counted>,
    /// The area under the curve of wrong answers; 0 is best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<f64>,
}

/// The verified questions that a system had while it was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Examples {
    /// Those that it could use.
    pub used: usize,
    /// Those that were left out, because the benchmark asks them.
    pub left_out: usize,
    /// Whether none was left out, so that the scores say nothing about unknown questions.
    pub leak: bool,
}

/// What a run cost, in the currency of the configured prices.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Cost {
    /// For all questions.
    pub total: f64,
    /// Per question.
    pub per_question: Spread,
}

/// The scores of a group of questions.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Group {
    /// Number of questions.
    pub questions: usize,
    /// Their mean official F.
    #[serde(rename = "set_F")]
    pub set_f: f64,
    /// The same with its accuracy.
    #[serde(rename = "set_F_measured", skip_serializing_if = "Option::is_none")]
    pub set_f_measured: Option<Measured>,
    /// Their mean row-major F1, over those that have one.
    pub row_f1: Option<f64>,
    /// The share of exact matches among them.
    pub row_em: Option<f64>,
    /// The means by the metrics of other papers.
    #[serde(flatten)]
    pub side: SideFigures,
}

/// Summarizes records.
pub fn summarize(records: &[Record]) -> Summary {
    let all: Vec<&Record> = records.iter().collect();
    let known = counted(records);
    let count = |test: fn(&Record) -> bool| known.iter().filter(|record| test(record)).count();
    let of_run = |pick: fn(&RunFigures) -> f64| {
        spread(&records.iter().filter_map(|record| record.run.as_ref()).map(pick).collect::<Vec<_>>())
    };
    let evaluation = official(&known);
    let gold_excluded = excluded(records);
    let winnable = known.iter().filter(|record| !record.scores.unwinnable);
    let run = |pick: fn(&RunFigures) -> &String| {
        groups(&known, |record| record.run.iter().map(|run| pick(run).clone()).collect())
    };
    let curve = coverage(records);
    Summary {
        questions: records.len(),
        failed: all.iter().filter(|record| record.error.is_some()).count(),
        with_query: all.iter().filter(|record| record.predicted.sparql.is_some()).count(),
        unwinnable: count(|record| record.scores.unwinnable),
        gold_failed: gold_excluded.len(),
        official_failed_as_empty: (!gold_excluded.is_empty()).then(|| official(&all).mean),
        gold_excluded,
        gold_overlap: overlaps(&overlap_of(records)),
        official: evaluation.mean,
        combined: evaluation.combined,
        set_f_winnable: mean(&winnable.map(|record| record.scores.official.set_f).collect::<Vec<_>>()),
        set_f_measured: group(&known).set_f_measured,
        side: group(&known).side,
        perfect: count(|record| record.scores.official.set_f == 1.0),
        zero: count(|record| record.scores.official.set_f == 0.0),
        rows: group(&with_rows(&known)),
        model_calls: of_run(|run| f64::from(run.model_calls)),
        steps: of_run(|run| run.steps as f64),
        seconds: of_run(|run| run.seconds),
        tokens: of_run(|run| run.tokens() as f64),
        prompt_tokens: of_run(|run| run.prompt_tokens as f64),
        completion_tokens: of_run(|run| run.completion_tokens as f64),
        cost: cost(records),
        rewrites: of_run(|run| run.rewrites.len() as f64),
        decisions: of_run(|run| run.decisions as f64),
        by_form: groups(&known, |record| vec![record.form.clone()]),
        by_feature: groups(&known, |record| record.features.clone()),
        by_dataset: groups(&known, |record| vec![record.dataset.clone()]),
        by_language: groups(&known, |record| record.lang.iter().cloned().collect()),
        by_answered_by: run(|run| &run.answered_by),
        by_stop_reason: run(|run| &run.stop_reason),
        examples: None,
        reliability: reliability(records),
        actions: actions(records),
        mistakes: mistakes(records),
        risk: risk(&curve),
        coverage: thinned(curve),
    }
}

fn official(records: &[&Record]) -> Evaluation {
    averaged(records.iter().map(|record| (record.id.clone(), record.scores.official)).collect())
}

fn with_rows<'a>(records: &[&'a Record]) -> Vec<&'a Record> {
    records.iter().copied().filter(|record| record.scores.row_f1.is_some()).collect()
}

fn overlap_of(records: &[Record]) -> Vec<Overlap> {
    records.iter().filter_map(|record| record.provenance.overlap).collect()
}

/// The points of a curve that stand out as far apart as there is room for, the last one included.
fn thinned(curve: Vec<Kept>) -> Vec<Kept> {
    let step = curve.len().div_ceil(MAX_POINTS).max(1);
    let last = curve.len().saturating_sub(1);
    curve
        .into_iter()
        .enumerate()
        .filter(|(at, _)| at % step == 0 || *at == last)
        .map(|(_, kept)| kept)
        .collect()
}

fn cost(records: &[Record]) -> Option<Cost> {
    let costs: Vec<f64> = records.iter().filter_map(|record| record.run.as_ref()?.cost).collect();
    (!costs.is_empty()).then(|| Cost { total: costs.iter().sum(), per_question: spread(&costs) })
}

fn groups(records: &[&Record], keys: impl Fn(&Record) -> Vec<String>) -> BTreeMap<String, Group> {
    let mut members: BTreeMap<String, Vec<&Record>> = BTreeMap::new();
    for record in records {
        for key in keys(record) {
            members.entry(key).or_default().push(record);
        }
    }
    members.into_iter().map(|(key, records)| (key, group(&records))).collect()
}

fn group(records: &[&Record]) -> Group {
    let some = |values: Vec<f64>| (!values.is_empty()).then(|| mean(&values));
    let set_f: Vec<f64> = records.iter().map(|record| record.scores.official.set_f).collect();
    Group {
        questions: records.len(),
        set_f: mean(&set_f),
        set_f_measured: measured(&set_f),
        row_f1: some(records.iter().filter_map(|record| record.scores.row_f1).collect()),
        row_em: some(records.iter().filter_map(|record| record.scores.row_em()).collect()),
        side: SideFigures::of(records.iter().map(|record| &record.scores)),
    }
}

/// Writes a summary into a folder.
///
/// # Errors
/// When it cannot be written.
pub fn write_summary(summary: &Summary, folder: &Path) -> Result<(), EvalError> {
    let path = folder.join(SUMMARY_FILE);
    let text = serde_json::to_string_pretty(summary).map_err(std::io::Error::from);
    text.and_then(|text| std::fs::write(&path, text + "\n")).map_err(|reason| EvalError::write(&path, reason))
}

#[cfg(test)]
mod tests {
    use super::super::overlap::Agreement;
    use super::super::record::tests::record;
    use super::*;

    #[test]
    fn figures_are_those_of_the_records() {
        let mut records = vec![record("a", 1.0), record("b", 0.5), record("c", 0.0), record("d", 0.0)];
        records[1].form = "ASK".to_owned();
        records[1].features = vec!["ASK".to_owned(), "FILTER".to_owned()];
        records[2].scores.unwinnable = true;
        records[2].scores.row_f1 = None;
        records[3].run = None;
        records[3].error = Some("down".to_owned());
        records[3].predicted.sparql = None;
        let summary = summarize(&records);
        assert_eq!((summary.questions, summary.failed, summary.with_query), (4, 1, 3));
        assert_eq!((summary.unwinnable, summary.perfect, summary.zero), (1, 1, 2));
        assert_eq!((summary.official.set_f, summary.set_f_winnable), (0.375, 0.5));
        assert_eq!(
            (summary.rows.questions, summary.rows.row_f1, summary.rows.row_em),
            (3, Some(0.5), Some(1.0 / 3.0))
        );
        assert_eq!((summary.model_calls.mean, summary.seconds.max, summary.combined), (2.0, 1.5, None));
        let forms: Vec<(&str, usize, f64)> = summary
            .by_form
            .iter()
            .map(|(form, group)| (form.as_str(), group.questions, group.set_f))
            .collect();
        assert_eq!(forms, [("ASK", 1, 0.5), ("SELECT", 3, 1.0 / 3.0)]);
        assert_eq!(summary.by_feature.keys().collect::<Vec<_>>(), ["ASK", "FILTER", "SELECT"]);
        assert_eq!(summarize(&[]).official.set_f, 0.0);
    }

    #[test]
    fn questions_without_a_known_gold_answer_are_left_out_by_name() {
        let mut records = vec![record("a", 1.0), record("b", 0.5), record("c", 0.0)];
        records[2].gold.error = Some("no such function".to_owned());
        records[2].scores.row_f1 = None;
        records[2].scores.unwinnable = true;
        let shares = [(Agreement::Equal, 1.0), (Agreement::None, 0.0)];
        for (record, (agreement, share)) in records.iter_mut().zip(shares) {
            record.provenance.overlap = Some(Overlap { agreement, share });
        }
        let summary = summarize(&records);
        assert_eq!((summary.questions, summary.gold_failed, summary.unwinnable, summary.zero), (3, 1, 0, 0));
        let left_out = Excluded { id: "c".to_owned(), reason: "no such function".to_owned() };
        assert_eq!(summary.gold_excluded, [left_out]);
        assert_eq!((summary.official.set_f, summary.by_form["SELECT"].questions), (0.75, 2));
        assert_eq!(summary.official_failed_as_empty.unwrap().set_f, 0.5, "as the official client counts");
        let agreed = summary.gold_overlap.unwrap();
        assert_eq!((agreed.questions, agreed.equal, agreed.none, agreed.share), (2, 1, 1, 0.5));
        let all = summarize(&records[..2]);
        assert_eq!((all.official_failed_as_empty, all.gold_excluded.len()), (None, 0));
    }
}

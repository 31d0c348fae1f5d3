//! The metrics of other papers beside the official ones: the scores of a question, and the figures of several.
//!
//! [`METRICS`] is the list from which summaries, tables and the report are made.

use super::grasp::grasp_scores;
use super::hits::hits_at_1;
use super::names::Labels;
use super::qald::{QaldCounts, QaldFigures, qald_counts, qald_figures};
use super::words::text_em;
use super::{result_set, score};
use crate::record::Scores;
use crate::rows::row_f1;
use crate::stats::mean;
use eruca_language::Language;
use eruca_sparql::Answer;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The scores of one question by the metrics of other papers; those that it does not have are absent.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SideScores {
    /// GRASP's F1 of assigned rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignment_f1: Option<f64>,
    /// GRASP's F1 of equal rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact_f1: Option<f64>,
    /// GERBIL's counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qald: Option<QaldCounts>,
    /// Whether the first answer is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits_at_1: Option<f64>,
    /// Whether the answer in words is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_em: Option<f64>,
    /// The official F where labels count for things.
    #[serde(rename = "set_F_names", skip_serializing_if = "Option::is_none")]
    pub set_f_names: Option<f64>,
    /// The row-major F1 where labels count for things.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row_f1_names: Option<f64>,
    /// GRASP's F1 of assigned rows where labels count for things.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignment_f1_names: Option<f64>,
}

/// What the scores of a question are worked out from.
pub struct Compared<'a> {
    /// The right answer.
    pub gold: &'a Answer,
    /// The given one, if there is one.
    pub predicted: Option<&'a Answer>,
    /// Whether the order of rows matters.
    pub order_matters: bool,
    /// Whether the given answer has rows; texts that were looked up have none.
    pub has_rows: bool,
    /// The answer in words, if there is one.
    pub texts: Option<&'a [String]>,
    /// The language of the question.
    pub language: &'a Language,
    /// The labels of things of both sides, if they count.
    pub labels: Option<&'a Labels>,
}

impl Compared<'_> {
    /// The scores.
    pub fn scores(&self) -> SideScores {
        let Self { gold, predicted, order_matters, has_rows, texts, language, labels } = *self;
        let grasp = has_rows.then(|| grasp_scores(gold, predicted));
        let scores = SideScores {
            assignment_f1: grasp.map(|scores| scores.relaxed),
            exact_f1: grasp.map(|scores| scores.strict),
            qald: Some(qald_counts(gold, predicted)),
            hits_at_1: hits_at_1(gold, predicted, order_matters),
            text_em: texts.and_then(|texts| text_em(gold, texts, labels, language)),
            ..SideScores::default()
        };
        labels.map_or(scores, |labels| self.with_names(scores, labels))
    }

    fn with_names(&self, scores: SideScores, labels: &Labels) -> SideScores {
        let resolved = self.predicted.map(|predicted| labels.resolved(self.gold, predicted));
        let (gold, predicted) =
            resolved.as_ref().map_or((self.gold, None), |(gold, predicted)| (gold, Some(predicted)));
        let set = predicted.map(result_set).unwrap_or_default();
        SideScores {
            set_f_names: Some(score(&result_set(gold), &set, false).set_f),
            row_f1_names: self.has_rows.then(|| row_f1(gold, predicted)).flatten(),
            assignment_f1_names: self.has_rows.then(|| grasp_scores(gold, predicted).relaxed),
            ..scores
        }
    }
}

/// A metric with one number for each question.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    /// Its name in files.
    pub name: &'static str,
    /// Its name in tables.
    pub title: &'static str,
    /// What it counts.
    pub note: &'static str,
    of: fn(&Scores) -> Option<f64>,
}

impl Metric {
    /// The score of a question, as far as it counts in means.
    pub fn of(&self, scores: &Scores) -> Option<f64> {
        (self.of)(scores)
    }
}

/// All metrics beside those of the official client and SPINACH.
pub const METRICS: [Metric; 8] = [
    Metric {
        name: "assignment_f1",
        title: "GRASP F1",
        note: "rows assigned, extra columns free",
        of: |scores| scores.side.assignment_f1.filter(|_| scores.row_f1.is_some()),
    },
    Metric {
        name: "exact_f1",
        title: "GRASP exact",
        note: "rows equal or not",
        of: |scores| scores.side.exact_f1.filter(|_| scores.row_f1.is_some()),
    },
    Metric {
        name: "qald_F",
        title: "QALD F1",
        note: "GERBIL, mean of F",
        of: |scores| scores.side.qald.map(|counts| counts.measures().f1),
    },
    Metric {
        name: "hits_at_1",
        title: "Hits@1",
        note: "first answer right",
        of: |scores| scores.side.hits_at_1,
    },
    Metric { name: "text_em", title: "text EM", note: "answers in words", of: |scores| scores.side.text_em },
    Metric {
        name: "set_F_names",
        title: "set F names",
        note: "labels count for things",
        of: |scores| scores.side.set_f_names,
    },
    Metric {
        name: "row_f1_names",
        title: "row F1 names",
        note: "labels count for things",
        of: |scores| scores.side.row_f1_names,
    },
    Metric {
        name: "assignment_f1_names",
        title: "GRASP names",
        note: "labels count for things",
        of: |scores| scores.side.assignment_f1_names.filter(|_| scores.row_f1.is_some()),
    },
];

/// A mean, and over how many questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MetricMean {
    /// The mean.
    pub mean: f64,
    /// Number of questions that have this score.
    pub questions: usize,
}

/// The figures of several questions.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct SideFigures {
    /// The means by the names of metrics; those that no question has are absent.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metrics: BTreeMap<&'static str, MetricMean>,
    /// The macro and micro scores of GERBIL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qald: Option<QaldFigures>,
}

impl SideFigures {
    /// Means of scores.
    pub fn of<'a>(scores: impl Iterator<Item = &'a Scores> + Clone) -> Self {
        let figure = |metric: &Metric| {
            let values: Vec<f64> = scores.clone().filter_map(|scores| metric.of(scores)).collect();
            let found = MetricMean { mean: mean(&values), questions: values.len() };
            (!values.is_empty()).then_some((metric.name, found))
        };
        let counts: Vec<QaldCounts> = scores.clone().filter_map(|scores| scores.side.qald).collect();
        Self { metrics: METRICS.iter().filter_map(figure).collect(), qald: qald_figures(&counts) }
    }

    /// The metrics that some of these figures have, in their order.
    pub fn present<'a>(figures: impl Iterator<Item = &'a Self> + Clone) -> Vec<Metric> {
        let has = |metric: &&Metric| figures.clone().any(|one| one.metrics.contains_key(metric.name));
        METRICS.iter().filter(has).copied().collect()
    }

    /// The mean by a metric.
    pub fn mean(&self, metric: &Metric) -> Option<f64> {
        self.metrics.get(metric.name).map(|found| found.mean)
    }
}

//! The scores of GERBIL QA: precision, recall and F of each question, their macro and micro means, and "Macro F1 QALD".
//!
//! After Usbeck et al., "Benchmarking question answering systems" (Semantic Web 10, 2019), the
//! [wiki of GERBIL](https://github.com/dice-group/gerbil/wiki/Precision,-Recall-and-F1-measure), and its branch `QuestionAnswering`
//! (`FMeasureCalculator`, `QAMatchingsCounter`, `QAUtils.transformToAnnotations`), to the last digit:
//! - an answer is the set of the texts of its cells, or `true` or `false`;
//! - nothing to find and nothing found give 1, 1, 1; no right member and any mistake give 0, 0, 0;
//! - the macro F1 is the mean of F. "Macro F1 QALD" is the F of the mean precision and the mean recall, where an answer without
//!   mistakes and without a right member (an empty one) has a precision of 1. The micro scores are those of the summed counts;
//! - a set whose members all look like IRIs is one of things, any other one is one of texts, IRIs included. Things and texts are not
//!   equal, except that URLs among texts are compared with the things of the gold answer;
//! - a wrong text that is no URL is no mistake. So with `5` as the gold answer, `5, 6` is right, and `6` alone counts as no answer.
//!
//! Where this differs: GERBIL can look up the things that a text may name, on servers of its own; here none is looked up (`--names` does
//! so). It has a list of top-level domains, outside of which there are no URLs; here any ending of two or more letters is one. Blank
//! nodes are texts, as there.

use super::{table, value};
use eruca_sparql::{Answer, Results, Solutions};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

mod iri;

use iri::{is_java_uri, is_url};

/// What was found of a question's answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct QaldCounts {
    /// Members of the gold answer that were found.
    pub found: u64,
    /// Members that are wrong.
    pub wrong: u64,
    /// Members of the gold answer that were not found.
    pub missed: u64,
}

/// Precision, recall and F.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Measures {
    /// The share of what was given that is right.
    pub precision: f64,
    /// The share of what is right that was given.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
}

/// The figures of several questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct QaldFigures {
    /// Number of questions.
    pub questions: usize,
    /// The means over questions.
    #[serde(rename = "macro")]
    pub macro_mean: Measures,
    /// "Macro F1 QALD"; absent where its precision and recall are 0, for which GERBIL has no number.
    pub macro_f1_qald: Option<f64>,
    /// The measures of the summed counts.
    pub micro: Measures,
}

/// Counts what was found. A missing answer is an empty one.
pub fn qald_counts(gold: &Answer, predicted: Option<&Answer>) -> QaldCounts {
    let (gold_rows, given_rows) = (table(gold), predicted.map(table).unwrap_or_default());
    let gold = texts(gold, &gold_rows);
    let given = predicted.map(|predicted| texts(predicted, &given_rows)).unwrap_or_default();
    let found = |given: &BTreeSet<&str>| gold.intersection(given).count();
    // Of the given members, those that can be right or wrong.
    let (found, counted) = match (are_things(&gold), are_things(&given)) {
        (true, true) => (found(&given), given.len()),
        (false, true) => (0, given.len()),
        (true, false) => {
            let urls: BTreeSet<&str> = given.into_iter().filter(|text| is_url(text)).collect();
            (found(&urls), urls.len())
        }
        (false, false) => {
            let right = found(&given);
            (right, right + given.difference(&gold).filter(|text| is_url(text)).count())
        }
    };
    let number = |count: usize| count as u64;
    QaldCounts {
        found: number(found),
        wrong: number(counted.saturating_sub(found)),
        missed: number(gold.len() - found),
    }
}

/// The texts of all cells, or of a truth.
fn texts<'a>(answer: &Answer, rows: &'a Solutions) -> BTreeSet<&'a str> {
    match answer.results {
        Results::Boolean(true) => BTreeSet::from(["true"]),
        Results::Boolean(false) => BTreeSet::from(["false"]),
        Results::Solutions(_) | Results::Graph(_) => {
            rows.rows.iter().flatten().flatten().map(value).collect()
        }
    }
}

fn are_things(texts: &BTreeSet<&str>) -> bool {
    texts.iter().all(|text| is_java_uri(text))
}

impl QaldCounts {
    /// Precision, recall and F of these counts.
    pub fn measures(&self) -> Measures {
        let Self { found, wrong, missed } = *self;
        if (found, wrong, missed) == (0, 0, 0) {
            return Measures { precision: 1.0, recall: 1.0, f1: 1.0 };
        }
        if found == 0 {
            return Measures::default();
        }
        let precision = found as f64 / (found + wrong) as f64;
        let recall = found as f64 / (found + missed) as f64;
        Measures { precision, recall, f1: harmonic(precision, recall) }
    }

    /// Precision and recall by the rule of QALD.
    fn of_qald(&self) -> (f64, f64) {
        let Measures { precision, recall, .. } = self.measures();
        if self.found == 0 && self.wrong == 0 { (1.0, recall) } else { (precision, recall) }
    }
}

fn harmonic(precision: f64, recall: f64) -> f64 {
    2.0 * precision * recall / (precision + recall)
}

/// The figures of several questions; `None` for none.
pub fn qald_figures(counts: &[QaldCounts]) -> Option<QaldFigures> {
    if counts.is_empty() {
        return None;
    }
    // GERBIL adds from left to right.
    let mean = |pick: &dyn Fn(&QaldCounts) -> f64| {
        counts.iter().map(pick).fold(0.0, |sum, value| sum + value) / counts.len() as f64
    };
    let macro_mean = Measures {
        precision: mean(&|counts| counts.measures().precision),
        recall: mean(&|counts| counts.measures().recall),
        f1: mean(&|counts| counts.measures().f1),
    };
    let qald = harmonic(mean(&|counts| counts.of_qald().0), mean(&|counts| counts.of_qald().1));
    let sum = |sum: QaldCounts, one: &QaldCounts| QaldCounts {
        found: sum.found + one.found,
        wrong: sum.wrong + one.wrong,
        missed: sum.missed + one.missed,
    };
    let micro = counts.iter().fold(QaldCounts::default(), sum).measures();
    let macro_f1_qald = Some(qald).filter(|qald| qald.is_finite());
    Some(QaldFigures { questions: counts.len(), macro_mean, macro_f1_qald, micro })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{boolean, table};
    use super::*;

    /// Found, wrong, missed.
    fn counted(gold: &[&str], predicted: &[&str]) -> (u64, u64, u64) {
        let counts = qald_counts(&table("x", gold), Some(&table("y", predicted)));
        (counts.found, counts.wrong, counts.missed)
    }

    const THREE: [&str; 3] = ["http://kb.com/1", "http://kb.com/2", "http://kb.com/3"];

    #[test]
    fn counts_are_those_of_gerbil_s_own_tests() {
        let [one, two, three] = THREE;
        assert_eq!(counted(&[], &[]), (0, 0, 0));
        assert_eq!(counted(&[], &[one]), (0, 1, 0));
        assert_eq!(counted(&[one], &[]), (0, 0, 1));
        assert_eq!(counted(&THREE, &[two, three, one]), (3, 0, 0));
        assert_eq!(counted(&THREE, &[one, "http://ukb.com/2"]), (1, 1, 2));
    }

    #[test]
    fn wrong_texts_are_no_mistakes() {
        // Printed by GERBIL's QAMatchingsCounter.
        assert_eq!(counted(&["5"], &["5", "6"]), (1, 0, 0));
        assert_eq!(counted(&["5"], &["6"]), (0, 0, 1));
        assert_eq!(counted(&["5"], &["6", "http://kb.com/1"]), (0, 1, 1));
        assert_eq!(counted(&["http://kb.com/1", "5"], &["http://kb.com/1"]), (0, 1, 2), "texts and a thing");
        assert_eq!(counted(&["http://kb.com/1"], &["http://kb.com/1", "5"]), (1, 0, 0));
        assert_eq!(counted(&["urn:x:1"], &["urn:x:1", "5"]), (0, 0, 1), "no URL");
    }

    #[test]
    fn truths_are_texts() {
        let counts = |gold, given| qald_counts(&boolean(gold), Some(&boolean(given)));
        assert_eq!(counts(false, false), QaldCounts { found: 1, wrong: 0, missed: 0 });
        assert_eq!(counts(true, false), QaldCounts { found: 0, wrong: 0, missed: 1 });
        assert_eq!(qald_counts(&boolean(true), None), QaldCounts { found: 0, wrong: 0, missed: 1 });
    }

    #[test]
    fn an_empty_answer_is_precise_by_the_rule_of_qald_alone() {
        let counts = [
            qald_counts(&table("x", &THREE), Some(&table("x", &[THREE[0], "http://ukb.com/2"]))),
            qald_counts(&table("x", &THREE), Some(&table("x", &[]))),
            qald_counts(&table("x", &[]), Some(&table("x", &[]))),
        ];
        let figures = qald_figures(&counts).unwrap();
        // Printed by GERBIL's FMeasureCalculator.
        let macro_mean = Measures { precision: 0.5, recall: 0.4444444444444444, f1: 0.4666666666666666 };
        assert_eq!(figures.macro_mean, macro_mean);
        assert_eq!(figures.macro_f1_qald, Some(0.5797101449275363));
        assert_eq!((figures.micro.precision, figures.micro.recall), (0.5, 0.16666666666666666));
        assert_eq!(qald_figures(&[]), None);
    }
}

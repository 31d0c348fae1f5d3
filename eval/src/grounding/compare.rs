//! Two runs over the same questions: with two embedding models, or before and after a change.

use super::TermKind;
use super::record::{FoundTerm, GroundingRecord};
use super::summary::{found, searches};
use crate::resample::bootstrap_test;
use crate::stats::mean;
use std::collections::HashMap;

/// A search of two runs.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchComparison {
    /// The search of the first run and of the second; where a run has no vectors, what is fused is the words alone.
    pub search: String,
    /// The kind of terms.
    pub kind: &'static str,
    /// The number of first hits.
    pub cut: usize,
    /// Questions with such terms in both runs.
    pub questions: usize,
    /// The recall of the first run.
    pub first: f64,
    /// The recall of the second.
    pub second: f64,
    /// The p-value of a paired bootstrap test.
    pub p_value: f64,
}

/// Compares the recall of each search that both runs have, over the questions of both.
pub fn compare_grounding(
    first: &[GroundingRecord],
    second: &[GroundingRecord],
    cuts: &[usize],
) -> Vec<SearchComparison> {
    let others: HashMap<&str, &GroundingRecord> =
        second.iter().map(|record| (record.id.as_str(), record)).collect();
    let pairs: Vec<(&GroundingRecord, &GroundingRecord)> = first
        .iter()
        .filter_map(|record| Some((record, *others.get(record.id.as_str())?)))
        .filter(|(one, other)| one.error.is_none() && other.error.is_none())
        .collect();
    let mut rows = Vec::new();
    for (name, a, b) in paired_searches(first, second) {
        for (kind, cut) in TermKind::ALL.into_iter().flat_map(|kind| cuts.iter().map(move |cut| (kind, *cut)))
        {
            let both = pairs.iter().filter_map(|(one, other)| {
                Some((share(&one.terms, &a, kind, cut)?, share(&other.terms, &b, kind, cut)?))
            });
            let both: Vec<(f64, f64)> = both.collect();
            if !both.is_empty() {
                rows.push(compared(&name, kind, cut, &both));
            }
        }
    }
    rows
}

/// The searches to compare: those of both runs, and words against both where only one of the runs has vectors.
fn paired_searches(first: &[GroundingRecord], second: &[GroundingRecord]) -> Vec<(String, String, String)> {
    let (own, other) = (searches(first), searches(second));
    let fused = |name: &str| name.replace(", words", ", both");
    let same = own.iter().filter(|name| other.contains(name)).map(|name| (name.clone(), name.clone()));
    let gained = own.iter().filter(|name| !own.contains(&fused(name)) && other.contains(&fused(name)));
    let gained = gained.map(|name| (name.clone(), fused(name)));
    let dropped = other.iter().filter(|name| !other.contains(&fused(name)) && own.contains(&fused(name)));
    let dropped = dropped.map(|name| (fused(name), name.clone()));
    let pairs: Vec<(String, String)> = same.chain(gained).chain(dropped).collect();
    let mut named: Vec<(String, String, String)> = Vec::new();
    for (a, b) in pairs {
        let name = if a == b { a.clone() } else { format!("{a} : {b}") };
        if a != b || !named.iter().any(|(known, ..)| *known == name) {
            named.push((name, a, b));
        }
    }
    named
}

fn share(terms: &[FoundTerm], search: &str, kind: TermKind, cut: usize) -> Option<f64> {
    let own = terms.iter().filter(|term| term.kind == kind && term.ranks.contains_key(search));
    let found: Vec<f64> = own.map(|term| f64::from(u8::from(found(term, search, cut)))).collect();
    (!found.is_empty()).then(|| mean(&found))
}

fn compared(search: &str, kind: TermKind, cut: usize, both: &[(f64, f64)]) -> SearchComparison {
    let (first, second): (Vec<f64>, Vec<f64>) = both.iter().copied().unzip();
    let differences: Vec<f64> = both.iter().map(|(a, b)| b - a).collect();
    SearchComparison {
        search: search.to_owned(),
        kind: kind.name(),
        cut,
        questions: both.len(),
        first: mean(&first),
        second: mean(&second),
        p_value: bootstrap_test(&differences),
    }
}

#[cfg(test)]
mod tests {
    use super::super::summary::tests::records;
    use super::*;

    #[test]
    fn the_same_searches_are_compared_and_words_with_both() {
        let first = records();
        let mut second = records();
        for record in &mut second {
            for term in &mut record.terms {
                term.ranks.insert("spans, both".to_owned(), Some(1));
            }
        }
        let rows = compare_grounding(&first, &second, &[5]);
        let shown: Vec<(&str, &str, usize, f64)> = rows
            .iter()
            .map(|row| (row.search.as_str(), row.kind, row.questions, row.second - row.first))
            .collect();
        assert_eq!(
            shown,
            [
                ("spans, words", "entity", 3, 0.0),
                ("spans, words", "class", 1, 0.0),
                ("spans, words", "property", 1, 0.0),
                ("spans, vectors", "class", 1, 0.0),
                ("spans, vectors", "property", 1, 0.0),
                ("spans, words : spans, both", "entity", 3, 0.0),
                ("spans, words : spans, both", "class", 1, 0.0),
                ("spans, words : spans, both", "property", 1, 1.0),
            ]
        );
        assert!(compare_grounding(&first, &[], &[5]).is_empty());
    }
}

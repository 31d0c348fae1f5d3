//! The table of counterfactuals, and those whose answer is sure and should not be.

use super::counter::Case;
use super::report::{doubts, family};
use eruca_planner::Confidence;
use std::collections::BTreeMap;

/// A line for every kind and for every family of sets: cases, sure, sure and bad, its share, and how many of the bad ones still
/// have the rows of the reference query on the original graph (by another way, or by chance).
pub fn table(cases: &[Case]) {
    let mut rows: BTreeMap<String, Vec<&Case>> = BTreeMap::new();
    for case in cases {
        rows.entry(case.kind.to_owned()).or_default().push(case);
        rows.entry(family(&case.asked.set)).or_default().push(case);
        rows.entry("~~ALL".to_owned()).or_default().push(case);
    }
    println!("{:<28} {:>5} {:>5} {:>5} {:>6} {:>10}", "kind", "cases", "sure", "bad", "share", "same rows");
    for (name, cases) in rows {
        let count = |test: &dyn Fn(&Case) -> bool| cases.iter().filter(|case| test(case)).count();
        let bad = count(&Case::is_bad);
        println!(
            "{name:<28} {:>5} {:>5} {bad:>5} {:>6.3} {:>10}",
            cases.len(),
            count(&|case| case.asked.confidence() == Confidence::Sure),
            bad as f64 / cases.len().max(1) as f64,
            count(&|case| case.is_bad() && case.is_same()),
        );
    }
}

/// The bad ones as JSON lines.
pub fn lines(cases: &[Case]) -> String {
    let line = |case: &Case| {
        let asked = &case.asked;
        let words = asked.ledger.entries.iter();
        let because: Vec<String> =
            words.map(|entry| format!("{}: {:?} {}", entry.words, entry.part, entry.right.key())).collect();
        let line = serde_json::json!({
            "set": asked.set, "id": asked.line.id, "kind": case.kind, "question": asked.line.question, "about": case.about,
            "p": asked.probability, "confidence": format!("{:?}", asked.confidence()), "same": case.is_same(),
            "query": asked.candidates.first().map(|first| first.query.clone()), "gold": asked.line.sparql,
            "because": because, "doubts": doubts(&asked.ledger),
        });
        format!("{line}\n")
    };
    cases.iter().filter(|case| case.is_bad()).map(line).collect()
}

//! The challenge's set scores: every cell of every column is a member of a set.

use eruca_sparql::{Answer, Results, Term};
use std::collections::BTreeSet;

/// What a result is flattened to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flat {
    Boolean(bool),
    Members(BTreeSet<String>),
}

pub fn flat(answer: &Answer) -> Flat {
    match &answer.results {
        Results::Boolean(value) => Flat::Boolean(*value),
        Results::Solutions(solutions) => {
            Flat::Members(solutions.rows.iter().flatten().flatten().map(value).collect())
        }
        Results::Graph(_) => Flat::Members(BTreeSet::new()),
    }
}

fn value(term: &Term) -> String {
    match term {
        Term::NamedNode(node) => node.as_str().to_owned(),
        Term::BlankNode(node) => node.as_str().to_owned(),
        Term::Literal(literal) => number(literal.value()),
    }
}

/// Numbers that are equal but for the digits at the end are equal: averages are rounded by engines.
fn number(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(value) if text.contains('.') => {
            format!("{value:.6}").trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => text.to_owned(),
    }
}

/// The harmonic mean of precision and recall.
pub fn set_f(gold: &Flat, found: &Flat) -> f64 {
    match (gold, found) {
        (Flat::Boolean(gold), Flat::Boolean(found)) => f64::from(u8::from(gold == found)),
        (Flat::Members(gold), Flat::Members(found)) => {
            let both = gold.intersection(found).count() as f64;
            if both == 0.0 { 0.0 } else { 2.0 * both / (gold.len() + found.len()) as f64 }
        }
        _ => 0.0,
    }
}

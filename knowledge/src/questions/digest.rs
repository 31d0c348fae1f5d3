//! What a query gave, in few characters: the number of rows, and a digest that is the same for the same rows in any order.
//!
//! Blank nodes have other names each time, so that all of them count as one.

use eruca_sparql::{Answer, Results, Term, triple_terms};
use siphasher::sip128::{Hasher128, SipHasher13};
use std::hash::Hasher;

/// What a query gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Rows or triples; 1 for yes or no.
    pub rows: usize,
    /// A digest of them; none where the result was cut.
    pub digest: Option<String>,
}

impl Outcome {
    /// Whether a later result is another one.
    #[must_use]
    pub fn differs_from(&self, later: &Self) -> bool {
        let differs = |(known, now): (&String, &String)| known != now;
        self.rows != later.rows || self.digest.as_ref().zip(later.digest.as_ref()).is_some_and(differs)
    }
}

/// The outcome of a query.
#[must_use]
pub fn outcome(answer: &Answer) -> Outcome {
    // Which rows a limit leaves is nobody's promise.
    let digest = answer.incomplete.is_none().then(|| digest(&answer.results));
    Outcome { rows: answer.row_count(), digest }
}

fn digest(results: &Results) -> String {
    let mut lines: Vec<String> = match results {
        Results::Boolean(holds) => vec![holds.to_string()],
        Results::Solutions(found) => {
            found.rows.iter().map(|row| line(row.iter().map(Option::as_ref))).collect()
        }
        Results::Graph(triples) => {
            triples.iter().map(|triple| line(triple_terms(triple).iter().map(Some))).collect()
        }
    };
    lines.sort_unstable();
    let mut hasher = SipHasher13::new();
    for line in &lines {
        hasher.write_usize(line.len());
        hasher.write(line.as_bytes());
    }
    let hash = hasher.finish128();
    format!("{:016x}{:016x}", hash.h1, hash.h2)
}

fn line<'a>(terms: impl Iterator<Item = Option<&'a Term>>) -> String {
    let shown = terms.map(|term| match term {
        None => String::new(),
        Some(Term::BlankNode(_)) => "_:".to_owned(),
        Some(other) => other.to_string(),
    });
    shown.collect::<Vec<_>>().join("\t")
}

//! Small answers for tests.

use eruca_sparql::{Answer, Literal, NamedNode, Results, Solutions, Term};
use std::time::Duration;

pub(crate) fn answer(results: Results) -> Answer {
    Answer { results, incomplete: None, elapsed: Duration::ZERO }
}

pub(crate) fn boolean(value: bool) -> Answer {
    answer(Results::Boolean(value))
}

/// Rows as words: `-` is unbound, words with a colon are IRIs.
pub(crate) fn table(variables: &str, rows: &[&str]) -> Answer {
    let term = |word: &str| -> Term {
        match word.contains(':') {
            true => NamedNode::new_unchecked(word).into(),
            false => Literal::new_simple_literal(word).into(),
        }
    };
    let cell = |word: &str| (word != "-").then(|| term(word));
    let rows = rows.iter().map(|row| row.split(' ').map(cell).collect()).collect();
    let variables = variables.split(' ').map(str::to_owned).collect();
    answer(Results::Solutions(Solutions { variables, rows }))
}

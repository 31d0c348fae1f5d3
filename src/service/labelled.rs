//! Rows for other programs with names beside their IRIs.

use eruca_sparql::{Answer, Literal, Results, Solutions, Term, Triple};
use std::collections::{BTreeMap, BTreeSet};

/// Columns of a graph.
const TRIPLE: [&str; 3] = ["subject", "predicate", "object"];
/// Behind the name of a column with things, the name of the column with their names.
const LABEL: &str = "Label";

/// The answer with a column of names behind each column with IRIs, unless the query has one of that name.
pub fn with_labels(answer: Answer, names: &BTreeMap<String, String>) -> Answer {
    let results = match answer.results {
        Results::Boolean(boolean) => Results::Boolean(boolean),
        Results::Solutions(solutions) => Results::Solutions(labelled(solutions, names)),
        Results::Graph(triples) => Results::Solutions(labelled(table(triples), names)),
    };
    Answer { results, ..answer }
}

fn table(triples: Vec<Triple>) -> Solutions {
    let row = |triple: Triple| {
        let Triple { subject, predicate, object } = triple;
        vec![Some(Term::from(subject)), Some(predicate.into()), Some(object)]
    };
    Solutions { variables: TRIPLE.map(str::to_owned).to_vec(), rows: triples.into_iter().map(row).collect() }
}

fn labelled(solutions: Solutions, names: &BTreeMap<String, String>) -> Solutions {
    let Solutions { variables, rows } = solutions;
    let label = |variable: &str| format!("{variable}{LABEL}");
    let taken: BTreeSet<String> = variables.iter().cloned().collect();
    let has_iris = |at: usize| rows.iter().any(|row| matches!(row.get(at), Some(Some(Term::NamedNode(_)))));
    let named: Vec<bool> = variables
        .iter()
        .enumerate()
        .map(|(at, variable)| has_iris(at) && !taken.contains(&label(variable)))
        .collect();
    let name = |term: &Option<Term>| match term {
        Some(Term::NamedNode(node)) => {
            names.get(node.as_str()).map(|name| Literal::new_simple_literal(name).into())
        }
        Some(Term::BlankNode(_) | Term::Literal(_)) | None => None,
    };
    let widened = |row: Vec<Option<Term>>| {
        let cells = row.into_iter().zip(&named).flat_map(|(cell, named)| {
            let beside = named.then(|| name(&cell));
            std::iter::once(cell).chain(beside)
        });
        cells.collect()
    };
    let header = variables.iter().zip(&named).flat_map(|(variable, named)| {
        std::iter::once(variable.clone()).chain(named.then(|| label(variable)))
    });
    Solutions { variables: header.collect(), rows: rows.into_iter().map(widened).collect() }
}

//! Values that parts of a query already have for their variables, and the rows of a part as VALUES. Blank nodes cannot stand in
//! VALUES: IRIs take their place until the query is evaluated.

use crate::query::write::SparqlWriter;
use crate::results::Results;
use crate::{Answer, Solutions};
use oxrdf::{BlankNode, NamedNode, NamedOrBlankNode, Term, Variable};
use spargebra::algebra::GraphPattern;
use spargebra::term::GroundTerm;
use std::collections::{BTreeSet, HashSet};

/// Beginning of an IRI that stands for a blank node.
const BLANK: &str = "urn:x-blank-node:";
/// Bytes of VALUES sent at once: queries of more than 20,000 bytes are refused by default, and some servers refuse less.
const BATCH_BYTES: usize = 8_000;

/// Solutions for some variables, each with a value for all of them. No variables: nothing is known.
#[derive(Debug, Clone, Default)]
pub(super) struct KnownValues {
    pub(super) variables: Vec<Variable>,
    pub(super) rows: Vec<Vec<GroundTerm>>,
}

impl KnownValues {
    /// The distinct values of a result; `None` if a cell is unbound, so that it restricts nothing.
    pub(super) fn of(answer: &Answer) -> Option<Self> {
        let Results::Solutions(Solutions { variables, rows }) = &answer.results else { return None };
        let variables = variables.iter().map(Variable::new_unchecked).collect();
        let row = |row: &Vec<Option<Term>>| row.iter().map(|cell| ground(cell.as_ref()?, 0)).collect();
        let rows = rows.iter().map(row).collect::<Option<Vec<Vec<GroundTerm>>>>()?;
        Some(Self { variables, rows })
    }

    /// What is known of these variables alone.
    pub(super) fn within(&self, scope: &BTreeSet<String>) -> Self {
        let kept: Vec<bool> = self.variables.iter().map(|own| scope.contains(own.as_str())).collect();
        let variables = only(&self.variables, &kept);
        let mut seen = HashSet::new();
        let rows = self.rows.iter().map(|row| only(row, &kept));
        Self { variables, rows: rows.filter(|row| seen.insert(row.clone())).collect() }
    }

    /// As VALUES, in batches that fit into queries; `None` for no restriction at all.
    pub(super) fn batches(self) -> Vec<Option<GraphPattern>> {
        if self.variables.is_empty() {
            return vec![None];
        }
        let Self { variables, rows } = self;
        let mut batches: Vec<Vec<Vec<Option<GroundTerm>>>> = Vec::new();
        let mut left = 0;
        for row in rows {
            let bytes = row.iter().map(|term| term.to_string().len() + 1).sum::<usize>() + 2;
            if batches.is_empty() || bytes > left {
                batches.push(Vec::new());
                left = BATCH_BYTES;
            }
            left = left.saturating_sub(bytes);
            if let Some(batch) = batches.last_mut() {
                batch.push(row.into_iter().map(Some).collect());
            }
        }
        let values = |bindings| Some(GraphPattern::Values { variables: variables.clone(), bindings });
        batches.into_iter().map(values).collect()
    }
}

/// The entries that are to be kept.
fn only<T: Clone>(all: &[T], kept: &[bool]) -> Vec<T> {
    all.iter().zip(kept).filter(|(_, kept)| **kept).map(|(one, _)| one.clone()).collect()
}

/// The query for the solutions of a part, restricted to a batch of values.
pub(super) fn query_of(part: &GraphPattern, scope: &BTreeSet<String>, batch: Option<GraphPattern>) -> String {
    let body = match batch {
        Some(values) => GraphPattern::Join { left: Box::new(values), right: Box::new(part.clone()) },
        None => part.clone(),
    };
    let columns = match scope.is_empty() {
        true => " (1 AS ?matches)".to_owned(),
        false => scope.iter().map(|variable| format!(" ?{variable}")).collect(),
    };
    format!("SELECT{columns} WHERE {{ {} }}", SparqlWriter::default().pattern(&body))
}

/// The rows of a part's result in the order of its variables; `part` tells blank nodes of different parts apart.
pub(super) fn rows_of(
    answer: &Answer,
    scope: &BTreeSet<String>,
    part: usize,
) -> Vec<Vec<Option<GroundTerm>>> {
    let Results::Solutions(Solutions { variables, rows }) = &answer.results else { return Vec::new() };
    let places: Vec<Option<usize>> =
        scope.iter().map(|name| variables.iter().position(|own| own == name)).collect();
    let cell = |row: &Vec<Option<Term>>, place: &Option<usize>| ground(row.get((*place)?)?.as_ref()?, part);
    rows.iter().map(|row| places.iter().map(|place| cell(row, place)).collect()).collect()
}

/// The rows as a pattern.
pub(super) fn values(scope: &BTreeSet<String>, bindings: Vec<Vec<Option<GroundTerm>>>) -> GraphPattern {
    GraphPattern::Values { variables: scope.iter().map(Variable::new_unchecked).collect(), bindings }
}

fn ground(term: &Term, part: usize) -> Option<GroundTerm> {
    Some(match term {
        Term::NamedNode(node) => node.clone().into(),
        Term::Literal(literal) => literal.clone().into(),
        Term::BlankNode(node) => NamedNode::new_unchecked(format!("{BLANK}{part}:{}", node.as_str())).into(),
    })
}

/// Puts blank nodes in the place of the IRIs that stood for them.
pub(super) fn restore_blank_nodes(results: &mut Results) {
    match results {
        Results::Boolean(_) => {}
        Results::Solutions(found) => found.rows.iter_mut().flatten().flatten().for_each(restore),
        Results::Graph(triples) => triples.iter_mut().for_each(|triple| {
            if let NamedOrBlankNode::NamedNode(node) = &triple.subject
                && let Some(blank) = blank_of(node)
            {
                triple.subject = blank.into();
            }
            restore(&mut triple.object);
        }),
    }
}

fn restore(term: &mut Term) {
    if let Term::NamedNode(node) = term
        && let Some(blank) = blank_of(node)
    {
        *term = blank.into();
    }
}

fn blank_of(node: &NamedNode) -> Option<BlankNode> {
    let (part, label) = node.as_str().strip_prefix(BLANK)?.split_once(':')?;
    Some(BlankNode::new_unchecked(format!("p{part}-{label}")))
}

//! Answers from endpoints, and their rendering as compact tables for people and models.
//!
//! Uses `terms` to shorten IRIs and `fence` for texts; independent of how an answer was produced.

use crate::terms::Prefixes;
use oxrdf::{Term, Triple};
use serde::{Deserialize, Serialize};
use std::time::Duration;

mod cells;
mod export;
mod spreadsheet;
mod table;

pub use cells::{is_language_tag, literal_text};
pub use export::{Export, ExportFormat, ExportOptions};
pub use table::{render_table, thousands};

/// Bytes counted per cell in addition to its term: less than its overhead in JSON or XML, a third of its overhead in memory.
pub(crate) const CELL_BYTES: usize = 16;

/// Maximum number of result columns read; queries written by people and models have a few dozen at most.
pub(crate) const MAX_COLUMNS: usize = 1_000;

/// Maximum length of a column name, in bytes.
pub(crate) const MAX_NAME_BYTES: usize = 1_000;

/// Column names for a graph shown as a table.
pub const TRIPLE: [&str; 3] = ["subject", "predicate", "object"];

/// The answer of an endpoint to one query.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The result itself.
    pub results: Results,
    /// Set if the result is incomplete.
    pub incomplete: Option<Incomplete>,
    /// Time from the call until the last row was read.
    pub elapsed: Duration,
}

/// The result of a query, by its form.
#[derive(Debug, Clone, PartialEq)]
pub enum Results {
    /// From ASK.
    Boolean(bool),
    /// From SELECT.
    Solutions(Solutions),
    /// From CONSTRUCT and DESCRIBE.
    Graph(Vec<Triple>),
}

/// The [solution sequence](https://www.w3.org/TR/sparql11-query/#sparqlSolutions) of a SELECT query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Solutions {
    /// Variable names without the question mark, in projection order.
    pub variables: Vec<String>,
    /// One term per variable; `None` if unbound.
    pub rows: Vec<Vec<Option<Term>>>,
}

/// Why a result is incomplete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Incomplete {
    /// Cut at this many rows, the limit of the call.
    RowLimit(usize),
    /// Cut at this many bytes, the limit of the call.
    ByteLimit(usize),
    /// Cut at the server's own row limit, which applies to every result; the rows received are correct.
    ServerRows(usize),
    /// Cut by the endpoint for any other reason, given in its own words. Counts and sort orders are not meaningful.
    Endpoint(String),
}

impl Answer {
    /// Whether nothing was found: no rows or triples, or an aggregate over nothing.
    #[must_use]
    pub fn gives_nothing(&self) -> bool {
        self.is_empty() || self.is_zero_aggregate()
    }

    /// Whether there are no rows or triples. `false` from ASK is not empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.row_count() == 0
    }

    /// The number of rows or triples; 1 for a boolean.
    #[must_use]
    pub fn row_count(&self) -> usize {
        match &self.results {
            Results::Boolean(_) => 1,
            Results::Solutions(solutions) => solutions.rows.len(),
            Results::Graph(triples) => triples.len(),
        }
    }

    /// The first `most` rows as a table; for a graph, its triples. Empty for a boolean.
    #[must_use]
    pub fn table(&self, most: usize) -> Solutions {
        match &self.results {
            Results::Boolean(_) => Solutions::default(),
            Results::Solutions(Solutions { variables, rows }) => {
                Solutions { variables: variables.clone(), rows: rows.iter().take(most).cloned().collect() }
            }
            Results::Graph(triples) => {
                let rows = triples.iter().take(most).map(|triple| triple_terms(triple).map(Some).into());
                Solutions { variables: TRIPLE.map(str::to_owned).into(), rows: rows.collect() }
            }
        }
    }

    /// Approximate size of the result in bytes, counted as for [`crate::Limits::max_bytes`].
    #[must_use]
    pub fn kept_bytes(&self) -> usize {
        match &self.results {
            Results::Boolean(_) => CELL_BYTES,
            Results::Solutions(solutions) => {
                let names: usize = solutions.variables.iter().map(String::len).sum();
                names + solutions.rows.iter().map(|row| row_bytes(row)).sum::<usize>()
            }
            Results::Graph(triples) => triples.iter().map(triple_bytes).sum(),
        }
    }

    /// Whether the answer is a single row of zeros and unbound cells, as aggregates give for a pattern without solutions: COUNT,
    /// SUM and AVG are 0, MIN and MAX unbound ([SPARQL 1.1, 18.5.1](https://www.w3.org/TR/sparql11-query/#aggregateAlgebra)).
    #[must_use]
    pub fn is_zero_aggregate(&self) -> bool {
        let Results::Solutions(solutions) = &self.results else {
            return false;
        };
        match solutions.rows.as_slice() {
            [row] => {
                row.iter().any(Option::is_some)
                    && row.iter().flatten().all(|term| number_of(term) == Some(0.0))
            }
            _ => false,
        }
    }
}

/// The terms of a triple, in the order of [`TRIPLE`].
#[must_use]
pub fn triple_terms(triple: &Triple) -> [Term; 3] {
    let Triple { subject, predicate, object } = triple;
    [subject.clone().into(), predicate.clone().into(), object.clone()]
}

/// The value of a numeric literal: its datatype must be numeric and its lexical form a number.
#[must_use]
pub fn number_of(term: &Term) -> Option<f64> {
    match term {
        Term::Literal(literal) => {
            literal.value().parse().ok().filter(|_| cells::is_numeric(literal.datatype()))
        }
        Term::NamedNode(_) | Term::BlankNode(_) => None,
    }
}

/// How [`render_table`] lays out an answer.
pub struct TableStyle<'a> {
    /// Rows shown from the start of the result.
    pub first_rows: usize,
    /// Rows shown from the end if not all rows are shown.
    pub last_rows: usize,
    /// Maximum number of columns shown; further ones are only counted.
    pub max_columns: usize,
    /// Characters per cell; longer cells end in `…`.
    pub cell_chars: usize,
    /// Prefixes used to shorten IRIs.
    pub prefixes: &'a Prefixes,
    /// Returns the label of an IRI, if it has one.
    pub label: &'a dyn Fn(&str) -> Option<String>,
}

/// Collects rows or triples until a limit is reached; shared by embedded and remote endpoints so that the limits have
/// the same meaning.
pub(crate) struct Collector<T> {
    pub(crate) items: Vec<T>,
    pub(crate) incomplete: Option<Incomplete>,
    bytes: usize,
    limits: crate::Limits,
}

impl<T> Collector<T> {
    pub(crate) fn new(limits: crate::Limits) -> Self {
        Self { items: Vec::new(), incomplete: None, bytes: 0, limits }
    }

    /// Keeps `item`, or returns `false` if a limit is reached and no more items are needed.
    pub(crate) fn push(&mut self, item: T, bytes: usize) -> bool {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.items.len() >= self.limits.max_rows {
            self.incomplete = Some(Incomplete::RowLimit(self.limits.max_rows));
        } else if self.bytes > self.limits.max_bytes {
            self.incomplete = Some(Incomplete::ByteLimit(self.limits.max_bytes));
        } else {
            self.items.push(item);
        }
        self.incomplete.is_none()
    }
}

/// The deadline of a call started at `start`; timeouts are capped at one year, to avoid clock overflow.
pub(crate) fn deadline(start: std::time::Instant, timeout: Duration) -> tokio::time::Instant {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);
    tokio::time::Instant::from_std(start) + timeout.min(YEAR)
}

/// Approximate serialized size of a row in bytes. Unbound cells count too, because they use memory.
pub(crate) fn row_bytes(row: &[Option<Term>]) -> usize {
    row.iter().map(|cell| CELL_BYTES + cell.as_ref().map_or(0, term_bytes)).sum()
}

/// Approximate serialized size of a triple in bytes.
pub(crate) fn triple_bytes(triple: &Triple) -> usize {
    let subject = match &triple.subject {
        oxrdf::NamedOrBlankNode::NamedNode(n) => n.as_str().len(),
        oxrdf::NamedOrBlankNode::BlankNode(b) => b.as_str().len(),
    };
    subject + triple.predicate.as_str().len() + term_bytes(&triple.object) + 6
}

fn term_bytes(term: &Term) -> usize {
    match term {
        Term::NamedNode(n) => n.as_str().len() + 2,
        Term::BlankNode(b) => b.as_str().len() + 2,
        Term::Literal(l) => {
            let tag = l.language().map_or_else(|| l.datatype().as_str().len() + 4, |t| t.len() + 1);
            let plain = l.datatype() == oxrdf::vocab::xsd::STRING;
            l.value().len() + 2 + if plain { 0 } else { tag }
        }
    }
}

#[cfg(test)]
mod tests;

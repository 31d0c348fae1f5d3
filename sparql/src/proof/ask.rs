//! Runs the queries of a proof and converts the results to bindings.

use super::{Known, Missing, Note, ProofSource, Statement};
use crate::query::algebra::in_scope;
use crate::query::edit::restrict::{ground, restricted};
use crate::query::scope::{VariableNames, always, certain};
use crate::query::write::SparqlWriter;
use crate::results::{Answer, Results};
use oxrdf::{Literal, Term};
use spargebra::algebra::{GraphPattern, QueryDataset};
use std::collections::BTreeMap;

/// Maximum number of queries per proof.
const MAX_ASKED: usize = 60;
/// Rows searched for one with equal values in another lexical form, or with the same blank node.
const MAX_LOOSE: usize = 300;
/// Relative difference up to which numbers count as equal, because endpoints round.
const ROUNDING: f64 = 1e-9;

/// Runs queries within limits, and notes those without an answer.
pub(super) struct BoundedAsking<'a> {
    endpoint: &'a dyn ProofSource,
    /// The FROM clauses of the query, so that all proof queries use the same dataset.
    from: String,
    asked: usize,
    pub(super) notes: Vec<Note>,
}

/// Something that could not be determined; a note says why.
pub(super) struct Unknown;

impl<'a> BoundedAsking<'a> {
    pub(super) fn new(endpoint: &'a dyn ProofSource, graphs: Option<&QueryDataset>) -> Self {
        let from = graphs.map(ToString::to_string).unwrap_or_default();
        Self { endpoint, from, asked: 0, notes: Vec::new() }
    }

    /// Inserts the FROM clauses. Queries of this module begin with `ASK {` or `SELECT … WHERE {`.
    fn of_its_graphs(&self, query: &str) -> String {
        let from = &self.from;
        match query.strip_prefix("ASK ") {
            _ if from.is_empty() => query.to_owned(),
            Some(pattern) => format!("ASK {from} {pattern}"),
            None => query.replacen(" WHERE {", &format!(" {from} WHERE {{"), 1),
        }
    }

    pub(super) fn note(&mut self, note: Note) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    pub(super) async fn ask(&mut self, query: &str) -> Result<Answer, Unknown> {
        if self.asked >= MAX_ASKED {
            self.note(Note::TooMuch);
            return Err(Unknown);
        }
        self.asked += 1;
        self.endpoint.ask(&self.of_its_graphs(query)).await.map_err(|missing| {
            self.note(match missing {
                Missing::Time => Note::NoTime,
                Missing::Failed(words) => Note::Failed(words),
            });
            Unknown
        })
    }

    /// The rows of a SELECT as bindings of all its columns.
    pub(super) async fn rows(&mut self, query: &str) -> Result<Vec<Known>, Unknown> {
        let Results::Solutions(solutions) = self.ask(query).await?.results else { return Ok(Vec::new()) };
        let named = |row: Vec<Option<Term>>| solutions.variables.iter().cloned().zip(row).collect();
        Ok(solutions.rows.into_iter().map(named).collect())
    }

    pub(super) async fn holds(&mut self, query: &str) -> Result<bool, Unknown> {
        Ok(matches!(self.ask(query).await?.results, Results::Boolean(true)))
    }

    /// One solution of a pattern with some variables known, with all its variables.
    pub(super) async fn solve(
        &mut self,
        pattern: &GraphPattern,
        known: &Known,
    ) -> Result<Option<Known>, Unknown> {
        let names = in_scope(pattern);
        let mut known = known.clone();
        known.retain(|name, _| names.contains(name));
        if names.is_empty() {
            let query = format!("ASK {{ {} }}", SparqlWriter::default().pattern(pattern));
            return Ok(self.holds(&query).await?.then(Known::new));
        }
        let nameless = known.values().any(|value| matches!(value, Some(Term::BlankNode(_))));
        let rows = self.rows(&solutions(pattern, &known, if nameless { MAX_LOOSE } else { 1 })).await?;
        if let Some(found) = rows.iter().find(|row| agrees(row, &known, same)) {
            return Ok(Some(complete(found, &names)));
        }
        if let Some(found) = rows.first().filter(|_| nameless) {
            self.note(Note::Nameless);
            return Ok(Some(complete(found, &names)));
        }
        self.solve_loosely(pattern, &known).await
    }

    /// Some endpoints return literals in another lexical form than they store; these are compared here.
    async fn solve_loosely(
        &mut self,
        pattern: &GraphPattern,
        known: &Known,
    ) -> Result<Option<Known>, Unknown> {
        let mut things = known.clone();
        things.retain(|_, value| !matches!(value, Some(Term::Literal(_))));
        if things.len() == known.len() {
            return Ok(None);
        }
        let rows = self.rows(&solutions(pattern, &things, MAX_LOOSE)).await?;
        let found = rows.iter().find(|row| agrees(row, known, alike));
        Ok(found.map(|row| complete(row, &in_scope(pattern))))
    }
}

/// A SELECT for all solutions of a pattern with known values.
pub(super) fn solutions(pattern: &GraphPattern, known: &Known, limit: usize) -> String {
    format!("SELECT * WHERE {{ {} }} LIMIT {limit}", narrowed(pattern, known))
}

/// The body of a query for the solutions of a pattern with known values.
pub(super) fn narrowed(pattern: &GraphPattern, known: &Known) -> String {
    let (beside, always) = (certain(pattern), always(pattern));
    let tests = in_scope(pattern).into_iter().filter_map(|name| {
        let value = known.get(&name)?;
        test(&name, value.as_ref(), beside.contains(&name), always.contains(&name))
    });
    let tests: Vec<String> = tests.collect();
    format!("{} {}", SparqlWriter::default().pattern(&restricted(pattern, known)), tests.join(" "))
}

/// The filter for a value, unless it is already restricted next to the triples.
fn test(name: &str, value: Option<&Term>, beside: bool, always: bool) -> Option<String> {
    match value {
        None => (!always).then(|| format!("FILTER(!BOUND(?{name}))")),
        Some(Term::BlankNode(_)) => Some(format!("FILTER(isBlank(?{name}))")),
        Some(_) if beside => None,
        Some(term @ Term::NamedNode(_)) => Some(format!("FILTER(?{name} = {term})")),
        // `=` compares numbers by value; `sameTerm` covers datatypes without comparison.
        Some(term) => {
            ground(term).map(|term| format!("FILTER(?{name} = {term} || sameTerm(?{name}, {term}))"))
        }
    }
}

fn agrees(row: &Known, known: &Known, same: impl Fn(&Term, &Term) -> bool) -> bool {
    known.iter().all(|(name, value)| match (row.get(name).and_then(Option::as_ref), value) {
        (Some(a), Some(b)) => same(a, b),
        (None, None) => true,
        _ => false,
    })
}

/// The query has already compared everything except blank nodes.
fn same(a: &Term, b: &Term) -> bool {
    !matches!(b, Term::BlankNode(_)) || a == b
}

/// Whether two terms are equal up to their lexical form.
pub(super) fn alike(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Literal(a), Term::Literal(b)) => a == b || a.value() == b.value() || near(a, b),
        _ => a == b,
    }
}

fn near(a: &Literal, b: &Literal) -> bool {
    let (Ok(a), Ok(b)) = (a.value().parse::<f64>(), b.value().parse::<f64>()) else { return false };
    (a - b).abs() <= ROUNDING * a.abs().max(b.abs())
}

/// The bindings of all variables of a pattern, including unbound ones.
pub(super) fn complete(row: &Known, names: &VariableNames) -> Known {
    names.iter().map(|name| (name.clone(), row.get(name).cloned().flatten())).collect()
}

/// A query for the values of expressions, as `?_v0`, `?_v1` …, with the known values of their variables.
pub(super) fn evaluation(texts: &[String], known: &[(&str, &Term)]) -> String {
    let columns: Vec<String> =
        texts.iter().enumerate().map(|(at, text)| format!("({text} AS ?_v{at})")).collect();
    format!("SELECT {} WHERE {{ {} }}", columns.join(" "), given(known))
}

/// Known values as a VALUES clause.
pub(super) fn given(known: &[(&str, &Term)]) -> String {
    if known.is_empty() {
        return String::new();
    }
    let names: String = known.iter().map(|(name, _)| format!("?{name} ")).collect();
    let values: String = known.iter().map(|(_, term)| format!("{term} ")).collect();
    format!("VALUES ({names}) {{ ({values}) }}")
}

/// The number in a column of the first row.
pub(super) fn number(rows: &[BTreeMap<String, Option<Term>>], name: &str) -> Option<usize> {
    match rows.first()?.get(name)? {
        Some(Term::Literal(literal)) => literal.value().parse().ok(),
        _ => None,
    }
}

/// The triples of a pattern that follow from the bindings alone, including joined patterns.
pub(super) fn statements(pattern: &GraphPattern, known: &Known) -> Vec<Statement> {
    use GraphPattern as P;
    match pattern {
        P::Bgp { patterns } => {
            patterns.iter().filter_map(|triple| super::explain::statement(triple, known)).collect()
        }
        P::Join { left, right } => {
            let mut all = statements(left, known);
            all.extend(statements(right, known));
            all
        }
        P::Filter { inner, .. } | P::Extend { inner, .. } | P::Graph { inner, .. } => {
            statements(inner, known)
        }
        P::LeftJoin { left, .. } | P::Minus { left, .. } => statements(left, known),
        _ => Vec::new(),
    }
}

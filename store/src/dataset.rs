//! A stored graph as a dataset of `spareval`: the default graph is the union of all graphs, each triple once.
//!
//! Query results equal those of Oxigraph's in-memory store, except that literals keep every character. Tests, with random
//! graphs and queries: `tests` here, and `embedded/tests/stored.rs` of `eruca-sparql`.

use crate::graph::{Matches, Numbers};
use crate::terms::Value;
use crate::{StoredError, StoredGraph};
use oxrdf::Term;
use rustc_hash::FxHashMap;
use spareval::{ExpressionTerm, InternalQuad, QueryableDataset};
use std::cell::RefCell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter;
use std::sync::Arc;

/// A term in the evaluator.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum StoredTerm {
    /// The number of a term of the graph.
    Known(u32),
    /// A term that the graph does not contain: a constant of the query, or a computed term.
    Other(Arc<OtherTerm>),
}

/// A term that the graph does not contain.
#[derive(Clone)]
pub struct OtherTerm {
    term: Term,
    /// Its value, if that is costly to parse.
    value: Option<ExpressionTerm>,
}

impl fmt::Debug for OtherTerm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.term.fmt(formatter)
    }
}

impl PartialEq for OtherTerm {
    fn eq(&self, other: &Self) -> bool {
        self.term == other.term
    }
}

impl Eq for OtherTerm {}

impl Hash for OtherTerm {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.term.hash(state);
    }
}

/// Maximum number of cached term values.
const MOST_VALUES: usize = 1 << 16;

/// Maximum number of computed values whose terms are cached: years, counts, categories of values, of which there are few.
const MOST_COMPUTED: usize = 1 << 12;

impl StoredTerm {
    fn number(&self) -> Option<u32> {
        match self {
            Self::Known(number) => Some(*number),
            Self::Other(_) => None,
        }
    }
}

type Quad = InternalQuad<StoredTerm>;
type Quads<'a> = Box<dyn Iterator<Item = Result<Quad, StoredError>> + 'a>;

/// A quad of the default graph, or of a named one.
fn quad([subject, predicate, object]: Numbers<u32>, graph: Option<u32>) -> Quad {
    InternalQuad {
        subject: StoredTerm::Known(subject),
        predicate: StoredTerm::Known(predicate),
        object: StoredTerm::Known(object),
        graph_name: graph.map(StoredTerm::Known),
    }
}

/// The parts of a pattern as numbers; `None` if the graph does not contain one of the terms.
fn numbers<const N: usize>(parts: [Option<&StoredTerm>; N]) -> Option<[Option<u32>; N]> {
    let mut numbers = [None; N];
    for (number, part) in numbers.iter_mut().zip(parts) {
        if let Some(part) = part {
            *number = Some(part.number()?);
        }
    }
    Some(numbers)
}

/// A graph as one query sees it.
pub struct StoredView<'a> {
    graph: &'a StoredGraph,
    values: RefCell<Values>,
}

/// Caches of values for one query.
#[derive(Default)]
struct Values {
    /// Values by term number: ORDER BY compares each of them many times.
    of: FxHashMap<u32, ExpressionTerm>,
    /// Terms with a non-canonical lexical form, by value: a value computed from them becomes one of them
    /// (`MAX` of `1.5` and `07.50` is the term `07.50`, and joins with it).
    unusual: FxHashMap<ExpressionTerm, u32>,
    /// Terms of computed values.
    computed: FxHashMap<ExpressionTerm, StoredTerm>,
}

impl<'a> StoredView<'a> {
    pub(crate) fn new(graph: &'a StoredGraph) -> Self {
        Self { graph, values: RefCell::default() }
    }

    fn value(&self, number: u32) -> Result<ExpressionTerm, StoredError> {
        // The look-up costs next to nothing while the cache is empty.
        if let Some(value) = self.values.borrow().of.get(&number) {
            return Ok(value.clone());
        }
        let Value { value, is_parsed, is_unusual } = self.graph.terms().value(number)?;
        if is_parsed {
            let mut values = self.values.borrow_mut();
            if is_unusual {
                values.unusual.entry(value.clone()).or_insert(number);
            }
            if values.of.len() >= MOST_VALUES {
                values.of.clear();
            }
            values.of.insert(number, value.clone());
        }
        Ok(value)
    }

    /// The graph's own term if it contains it; otherwise another term, with its value if that is known.
    fn known_or_other(&self, term: Term, value: Option<ExpressionTerm>) -> Result<StoredTerm, StoredError> {
        Ok(match self.graph.terms().find(&term)? {
            Some(number) => StoredTerm::Known(number),
            None => StoredTerm::Other(Arc::new(OtherTerm { term, value })),
        })
    }
}

/// Whether the value differs from its text.
fn is_parsed(value: &ExpressionTerm) -> bool {
    !matches!(
        value,
        ExpressionTerm::NamedNode(_)
            | ExpressionTerm::BlankNode(_)
            | ExpressionTerm::StringLiteral(_)
            | ExpressionTerm::LangStringLiteral { .. }
            | ExpressionTerm::OtherTypedLiteral { .. }
    )
}

impl<'a> QueryableDataset<'a> for StoredView<'a> {
    type InternalTerm = StoredTerm;
    type Error = StoredError;

    fn internal_quads_for_pattern(
        &self,
        subject: Option<&StoredTerm>,
        predicate: Option<&StoredTerm>,
        object: Option<&StoredTerm>,
        graph_name: Option<Option<&StoredTerm>>,
    ) -> impl Iterator<Item = Result<Quad, StoredError>> + use<'a> {
        let (stored, graph) = (self.graph, graph_name.flatten());
        let Some([subject, predicate, object, named]) = numbers([subject, predicate, object, graph]) else {
            return Box::new(iter::empty()) as Quads<'a>;
        };
        let pattern = [subject, predicate, object];
        let found = match (graph_name, named) {
            (Some(_), None) => stored.matches(pattern).map(|matches| in_default_graph(stored, matches)),
            (_, Some(graph)) => in_graph(stored, pattern, graph),
            (None, None) => stored.matches(pattern).map(|matches| in_any_graph(stored, matches)),
        };
        found.unwrap_or_else(|error| Box::new(iter::once(Err(error))))
    }

    fn internal_named_graphs(&self) -> impl Iterator<Item = Result<StoredTerm, StoredError>> + use<'a> {
        let graphs = self.graph.graphs();
        (0..graphs.count()).map(|place| graphs.name(place).map(StoredTerm::Known))
    }

    fn contains_internal_graph_name(&self, graph_name: &StoredTerm) -> Result<bool, StoredError> {
        let Some(graph) = graph_name.number() else { return Ok(false) };
        Ok(!self.graph.graphs().of_graph(graph)?.is_empty())
    }

    fn internalize_term(&self, term: Term) -> Result<StoredTerm, StoredError> {
        self.known_or_other(term, None)
    }

    fn externalize_term(&self, term: StoredTerm) -> Result<Term, StoredError> {
        match term {
            StoredTerm::Known(number) => self.graph.terms().get(number),
            StoredTerm::Other(other) => Ok(Arc::unwrap_or_clone(other).term),
        }
    }

    fn externalize_expression_term(&self, term: StoredTerm) -> Result<ExpressionTerm, StoredError> {
        match term {
            StoredTerm::Known(number) => self.value(number),
            StoredTerm::Other(other) => Ok(match &other.value {
                Some(value) => value.clone(),
                None => Arc::unwrap_or_clone(other).term.into(),
            }),
        }
    }

    fn internalize_expression_term(&self, term: ExpressionTerm) -> Result<StoredTerm, StoredError> {
        if !is_parsed(&term) {
            return self.internalize_term(term.into());
        }
        let known = {
            let values = self.values.borrow();
            let unusual = values.unusual.get(&term).copied().map(StoredTerm::Known);
            unusual.or_else(|| values.computed.get(&term).cloned())
        };
        if let Some(known) = known {
            return Ok(known);
        }
        let found = self.known_or_other(term.clone().into(), Some(term.clone()))?;
        let mut values = self.values.borrow_mut();
        if values.computed.len() < MOST_COMPUTED {
            values.computed.insert(term, found.clone());
        }
        Ok(found)
    }
}

fn triples<'a>(
    stored: &'a StoredGraph,
    mut matches: Matches,
) -> impl Iterator<Item = Result<Numbers<u32>, StoredError>> + 'a {
    iter::from_fn(move || stored.next(&mut matches))
}

fn in_default_graph(stored: &StoredGraph, matches: Matches) -> Quads<'_> {
    Box::new(triples(stored, matches).map(|triple| triple.map(|triple| quad(triple, None))))
}

/// Each match once for every named graph that contains it.
fn in_any_graph(stored: &StoredGraph, matches: Matches) -> Quads<'_> {
    if stored.graphs().count() == 0 {
        return Box::new(iter::empty());
    }
    Box::new(triples(stored, matches).flat_map(|triple| {
        match triple.and_then(|triple| graphs_of(stored, triple)) {
            Ok(quads) => quads,
            Err(error) => Box::new(iter::once(Err(error))),
        }
    }))
}

fn graphs_of(stored: &StoredGraph, triple: Numbers<u32>) -> Result<Quads<'_>, StoredError> {
    let graphs = stored.graphs();
    let places = match stored.row(triple)? {
        Some(row) => graphs.of_triple(row)?,
        None => 0..0,
    };
    Ok(Box::new(places.map(move |place| Ok(quad(triple, Some(graphs.at_triple(place)?))))))
}

/// The matches in one named graph: the graph's triples that match, or the matches that it contains, whichever are fewer.
fn in_graph(
    stored: &StoredGraph,
    pattern: Numbers<Option<u32>>,
    graph: u32,
) -> Result<Quads<'_>, StoredError> {
    let graphs = stored.graphs();
    let matches = stored.matches(pattern)?;
    let all = graphs.of_graph(graph)?;
    let places = match matches.subject_rows() {
        Some(rows) => graphs.within(all, &rows)?,
        None if all.len() > matches.len() as usize => {
            let found = triples(stored, matches).filter_map(move |triple| {
                let stands =
                    triple.and_then(|triple| Ok(stands_in(stored, triple, graph)?.then_some(triple)));
                stands.transpose()
            });
            return Ok(Box::new(found.map(move |triple| triple.map(|triple| quad(triple, Some(graph))))));
        }
        None => all,
    };
    Ok(Box::new(places.filter_map(move |place| {
        let triple = graphs.at_graph(place).and_then(|row| stored.at(row));
        let matching = triple.map(|triple| is_match(triple, pattern).then(|| quad(triple, Some(graph))));
        matching.transpose()
    })))
}

fn stands_in(stored: &StoredGraph, triple: Numbers<u32>, graph: u32) -> Result<bool, StoredError> {
    match stored.row(triple)? {
        Some(row) => stored.graphs().contains(row, graph),
        None => Ok(false),
    }
}

fn is_match(triple: Numbers<u32>, pattern: Numbers<Option<u32>>) -> bool {
    triple.into_iter().zip(pattern).all(|(number, wanted)| wanted.is_none_or(|wanted| wanted == number))
}

#[cfg(test)]
mod tests;

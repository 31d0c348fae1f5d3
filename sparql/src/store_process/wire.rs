//! The JSON messages between this program and its workers.
//!
//! Terms have their own serialization here: the one of `oxrdf` validates IRIs when deserializing, and a graph may contain
//! IRIs that were loaded leniently.

use crate::results::{Incomplete, Results, Solutions};
use crate::{Limits, QueryError};
use oxrdf::{BlankNode, Literal, NamedNode, NamedOrBlankNode, Term, Triple};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::path::PathBuf;

/// The task of a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WorkerOrder {
    /// The folder of its graph.
    pub(super) graph: PathBuf,
    /// Memory limit of a query, in bytes.
    pub(super) max_memory: Option<u64>,
}

/// The first message of a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Greeting {
    /// The graph is open.
    Ready,
    /// The graph cannot be opened; a message for people.
    Refused(String),
}

/// A query for a worker. The caller enforces the timeout and ends the worker at the deadline.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WorkerRequest<'a> {
    #[serde(borrow)]
    pub(super) query: Cow<'a, str>,
    pub(super) max_rows: usize,
    pub(super) max_bytes: usize,
}

impl<'a> WorkerRequest<'a> {
    pub(super) fn new(query: &'a str, limits: Limits) -> Self {
        Self { query: query.into(), max_rows: limits.max_rows, max_bytes: limits.max_bytes }
    }
}

/// The outcome of a query.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WorkerReply {
    pub(super) outcome: Result<(WireResults, Option<Incomplete>), QueryError>,
    /// The worker retains so much memory that it should be replaced.
    pub(super) spent: bool,
}

/// [`Results`] as serialized.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum WireResults {
    Boolean(bool),
    Solutions { variables: Vec<String>, rows: Vec<Vec<Option<WireTerm>>> },
    Graph(Vec<[WireTerm; 3]>),
}

/// A serialized term; the names are short because there are many terms.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum WireTerm {
    #[serde(rename = "i")]
    Iri(String),
    #[serde(rename = "b")]
    Blank(String),
    #[serde(rename = "s")]
    Plain(String),
    #[serde(rename = "l")]
    Tagged(String, String),
    #[serde(rename = "t")]
    Typed(String, String),
}

impl From<Results> for WireResults {
    fn from(results: Results) -> Self {
        match results {
            Results::Boolean(value) => Self::Boolean(value),
            Results::Solutions(Solutions { variables, rows }) => {
                let row = |row: Vec<Option<Term>>| row.into_iter().map(|cell| cell.map(WireTerm::from));
                Self::Solutions {
                    variables,
                    rows: rows.into_iter().map(|cells| row(cells).collect()).collect(),
                }
            }
            Results::Graph(triples) => {
                let triple = |Triple { subject, predicate, object }: Triple| {
                    [Term::from(subject), predicate.into(), object].map(WireTerm::from)
                };
                Self::Graph(triples.into_iter().map(triple).collect())
            }
        }
    }
}

impl From<WireResults> for Results {
    fn from(results: WireResults) -> Self {
        match results {
            WireResults::Boolean(value) => Self::Boolean(value),
            WireResults::Solutions { variables, rows } => {
                let row = |row: Vec<Option<WireTerm>>| row.into_iter().map(|cell| cell.map(Term::from));
                let rows = rows.into_iter().map(|cells| row(cells).collect()).collect();
                Self::Solutions(Solutions { variables, rows })
            }
            WireResults::Graph(triples) => Self::Graph(triples.into_iter().filter_map(triple).collect()),
        }
    }
}

/// `None` if it is not a valid RDF triple; the store process never sends one.
fn triple([subject, predicate, object]: [WireTerm; 3]) -> Option<Triple> {
    let subject = match Term::from(subject) {
        Term::NamedNode(node) => NamedOrBlankNode::from(node),
        Term::BlankNode(node) => node.into(),
        Term::Literal(_) => return None,
    };
    match Term::from(predicate) {
        Term::NamedNode(predicate) => Some(Triple::new(subject, predicate, Term::from(object))),
        Term::BlankNode(_) | Term::Literal(_) => None,
    }
}

impl From<Term> for WireTerm {
    fn from(term: Term) -> Self {
        match term {
            Term::NamedNode(node) => Self::Iri(node.into_string()),
            Term::BlankNode(node) => Self::Blank(node.into_string()),
            Term::Literal(literal) => match (literal.language(), literal.datatype()) {
                (Some(language), _) => Self::Tagged(literal.value().to_owned(), language.to_owned()),
                (None, oxrdf::vocab::xsd::STRING) => Self::Plain(literal.value().to_owned()),
                (None, datatype) => Self::Typed(literal.value().to_owned(), datatype.as_str().to_owned()),
            },
        }
    }
}

impl From<WireTerm> for Term {
    fn from(term: WireTerm) -> Self {
        match term {
            WireTerm::Iri(iri) => NamedNode::new_unchecked(iri).into(),
            WireTerm::Blank(label) => BlankNode::new_unchecked(label).into(),
            WireTerm::Plain(value) => Literal::new_simple_literal(value).into(),
            WireTerm::Tagged(value, language) => {
                Literal::new_language_tagged_literal_unchecked(value, language).into()
            }
            WireTerm::Typed(value, datatype) => {
                Literal::new_typed_literal(value, NamedNode::new_unchecked(datatype)).into()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn term() -> impl Strategy<Value = Term> {
        prop_oneof![
            ".*".prop_map(|iri| NamedNode::new_unchecked(iri).into()),
            "[a-z0-9]{1,9}".prop_map(|label| BlankNode::new_unchecked(label).into()),
            ".*".prop_map(|value| Literal::new_simple_literal(value).into()),
            (".*", "[a-z]{2,3}(-[a-z]{2})?").prop_map(|(value, tag)| {
                Literal::new_language_tagged_literal_unchecked(value, tag).into()
            }),
            (".*", ".*").prop_map(|(value, datatype)| {
                Literal::new_typed_literal(value, NamedNode::new_unchecked(datatype)).into()
            }),
        ]
    }

    fn sent(results: Results) -> Results {
        let reply = WorkerReply { outcome: Ok((results.into(), None)), spent: false };
        let bytes = serde_json::to_vec(&reply).unwrap();
        serde_json::from_slice::<WorkerReply>(&bytes).unwrap().outcome.unwrap().0.into()
    }

    proptest! {
        #[test]
        fn every_result_arrives_as_it_was(rows in prop::collection::vec(prop::collection::vec(prop::option::of(term()), 3), 0..9)) {
            let solutions = Solutions { variables: vec!["a".into(), "b".into(), "c".into()], rows };
            prop_assert_eq!(sent(Results::Solutions(solutions.clone())), Results::Solutions(solutions));
        }
    }

    #[test]
    fn graphs_booleans_and_errors_arrive_too() {
        let node = |name: &str| NamedNode::new_unchecked(name);
        let triple = Triple::new(BlankNode::new_unchecked("b"), node("p"), Literal::from(1));
        for results in [Results::Boolean(true), Results::Graph(vec![triple])] {
            assert_eq!(sent(results.clone()), results);
        }
        let error = QueryError::Rejected { message: "no".to_owned() };
        let reply = WorkerReply { outcome: Err(error.clone()), spent: true };
        let back: WorkerReply = serde_json::from_slice(&serde_json::to_vec(&reply).unwrap()).unwrap();
        assert_eq!(back.outcome.unwrap_err(), error);
    }
}

//! Explains why a row is a result of a query: the query's pattern with the bindings of its variables filled in.
//!
//! ```text
//! CheckedQuery ─► open (names the blank nodes) ─► solve (binds the remaining variables of the row) ─► explain, part by part
//!                                                     └─ restrict, write: build the queries to run
//! ```
//! The result is a tree of parts without any text; the presentation layer adds the wording. `query::explain::outline` describes
//! the parts of a query in the same way. All queries go through [`ProofSource`], so the caller decides where and for how long
//! they run. Uses `query`, `check`, `results` and spargebra.
//!
//! Every triple shown in a proof is in the graph: if it is removed, the row disappears, occurs fewer times, or has a
//! different proof. Test: `tests/any.rs`, with queries covering every construct.

mod ask;
mod explain;
mod groups;
mod paths;
mod prove;
#[cfg(test)]
mod tests;

pub use prove::{Wanted, prove};

use crate::query::{Clause, Formula, Known};
use crate::results::Answer;
use async_trait::async_trait;
use oxrdf::{NamedOrBlankNode, Term, Triple};

/// A triple of the graph: subject, predicate, object.
pub type Statement = [Term; 3];

/// Runs the queries of a proof.
#[async_trait]
pub trait ProofSource: Send + Sync {
    /// Runs a query.
    ///
    /// # Errors
    /// [`Missing`] if there is no answer.
    async fn ask(&self, query: &str) -> Result<Answer, Missing>;
}

/// Why a proof query has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// The time budget of the proof is used up.
    Time,
    /// The error message of the endpoint or the parser.
    Failed(String),
}

/// The explanation of why a row is a result.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Proof {
    /// The parts of the proof, in query order.
    pub parts: Vec<Part>,
    /// What could not be shown.
    pub notes: Vec<Note>,
}

impl Proof {
    /// The triples of the graph that the proof shows, each once.
    #[must_use]
    pub fn triples(&self) -> Vec<Triple> {
        let mut found = Vec::new();
        collect_triples(&self.parts, &mut found);
        found
    }

    /// The number of members of its first aggregate, where it has one.
    #[must_use]
    pub fn counted(&self) -> Option<usize> {
        self.parts.iter().find_map(|part| match part {
            Part::Members(members) => members.total,
            _ => None,
        })
    }
}

fn collect_triples(parts: &[Part], found: &mut Vec<Triple>) {
    for part in parts {
        let (own, example): (Vec<&Statement>, &[Part]) = match part {
            Part::Triple { triple, .. } => (vec![triple], &[]),
            Part::Path { triples, .. } => (triples.iter().collect(), &[]),
            Part::Members(members) => (members.triples.iter().flatten().collect(), &members.example),
            _ => continue,
        };
        for triple in own.into_iter().filter_map(triple_of) {
            if !found.contains(&triple) {
                found.push(triple);
            }
        }
        collect_triples(example, found);
    }
}

/// The statement as a triple; `None` if it is none, as endpoints may answer with anything.
fn triple_of([subject, predicate, object]: &Statement) -> Option<Triple> {
    let subject: NamedOrBlankNode = match subject {
        Term::NamedNode(node) => node.clone().into(),
        Term::BlankNode(node) => node.clone().into(),
        Term::Literal(_) => return None,
    };
    let Term::NamedNode(predicate) = predicate else { return None };
    Some(Triple { subject, predicate: predicate.clone(), object: object.clone() })
}

/// One part of a proof.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A triple of the graph.
    Triple {
        /// The triple.
        triple: Statement,
        /// Whether it comes from an OPTIONAL.
        optional: bool,
    },
    /// A property path match.
    Path {
        /// The start node.
        subject: Term,
        /// The property path.
        path: Formula,
        /// The end node.
        object: Term,
        /// One shortest path; empty if both ends are the same node, or if no path was found.
        triples: Vec<Statement>,
        /// Whether a path was found.
        found: bool,
    },
    /// A condition (FILTER, HAVING) with the values of its variables.
    Condition {
        /// The condition.
        formula: Formula,
        /// Whether it is true.
        holds: bool,
    },
    /// A pattern without a solution: of MINUS or NOT EXISTS, or of an ASK that is false.
    Absent {
        /// The pattern part by part, with values substituted.
        clauses: Vec<Clause>,
        /// The pattern in SPARQL.
        pattern: String,
    },
    /// The members of an aggregate.
    Members(Members),
    /// The position of the row in the sort order.
    Rank(RowRank),
    /// The branch of a UNION that matched.
    Either {
        /// Branch number, from 1.
        branch: usize,
        /// Number of branches.
        of: usize,
        /// The clauses of the branch.
        clauses: Vec<Clause>,
    },
    /// A variable bound by BIND or VALUES.
    Named {
        /// The variable name.
        name: String,
        /// The expression it is bound to.
        formula: Formula,
        /// Its value; `None` if unbound.
        value: Option<Term>,
    },
    /// An OPTIONAL without a match.
    OptionalMissing {
        /// The pattern part by part, with values substituted.
        clauses: Vec<Clause>,
        /// The pattern in SPARQL.
        pattern: String,
    },
}

/// The members of a group over which an aggregate is computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Members {
    /// The aggregate as a formula, including its value.
    pub aggregate: Formula,
    /// In lower case: `count`, `sum`, `avg`, `min`, `max`, `sample`, `group_concat`.
    pub function: String,
    /// The first members: the entity that has the value (if different from the value), then the value.
    pub members: Vec<Vec<Term>>,
    /// The triples that make each of them a member, where these are known without a lookup.
    pub triples: Vec<Vec<Statement>>,
    /// Number of members; `None` if it could not be determined.
    pub total: Option<usize>,
    /// The value of the aggregate over all members.
    pub value: Option<Term>,
    /// The proof for one member: for MIN and MAX the one with the extreme value, otherwise the first.
    pub example: Vec<Part>,
}

/// The position of a row in the sort order, with LIMIT and OFFSET.
#[derive(Debug, Clone, PartialEq)]
pub struct RowRank {
    /// The sort keys with their values; `true` means descending.
    pub keys: Vec<(Formula, bool)>,
    /// Position, from 1.
    pub place: Option<usize>,
    /// LIMIT, if any.
    pub limit: Option<usize>,
    /// OFFSET: number of rows skipped.
    pub offset: usize,
    /// Whether a row with the same sort key values was cut off.
    pub tied: bool,
}

/// Something that a proof cannot show, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// The row is no longer a result.
    Gone,
    /// The numbers in the row have changed.
    Changed,
    /// The time ran out before everything was looked up.
    NoTime,
    /// A query of the proof failed, with the endpoint's message.
    Failed(String),
    /// The proof would need more lookups than are allowed.
    TooMuch,
    /// A query cannot refer to a specific blank node, so another one may match.
    Nameless,
    /// A property path was not looked up.
    NoWay,
    /// Results from another endpoint (SERVICE) are not shown.
    Elsewhere,
    /// The query is a CONSTRUCT or DESCRIBE and has no rows.
    NotRows,
}

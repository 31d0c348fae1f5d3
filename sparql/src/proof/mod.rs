//! Why a row is a result of a query, by construction: the pattern of the query with what its variables are bound to.
//!
//! ```text
//! CheckedQuery ─► open (blank nodes get names) ─► solve (the other variables of the row) ─► explain, part by part
//!                                                     └─ restrict, write: the queries that are asked
//! ```
//! The result is a tree of parts without any words; whoever shows it puts it in words. `query::explain::outline` describes the
//! parts of a query in the same way. All queries go through [`ProofSource`], so that the caller decides where and for how long
//! they run. Uses `query`, `check`, `results` and spargebra.
//!
//! What a proof shows as statements stands in the graph: without one of them the row is gone, comes less often, or is
//! proved by others. Test: `tests/any.rs`, with queries of every construct.

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
use oxrdf::Term;

/// A statement of the graph: subject, predicate, object.
pub type Statement = [Term; 3];

/// Where the queries of a proof are run.
#[async_trait]
pub trait ProofSource: Send + Sync {
    /// Runs a query.
    ///
    /// # Errors
    /// Why there is no answer.
    async fn ask(&self, query: &str) -> Result<Answer, Missing>;
}

/// Why a query of a proof has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// The time for the proof is over.
    Time,
    /// The endpoint's or the parser's words.
    Failed(String),
}

/// Why a row is a result.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Proof {
    /// What makes it one, in the order of the query.
    pub parts: Vec<Part>,
    /// What could not be shown.
    pub notes: Vec<Note>,
}

/// One thing that makes a row a result.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A statement of the graph.
    Triple {
        /// The statement.
        triple: Statement,
        /// From an OPTIONAL.
        optional: bool,
    },
    /// A way through the graph.
    Path {
        /// Where it begins.
        subject: Term,
        /// What it may be made of.
        path: Formula,
        /// Where it ends.
        object: Term,
        /// One shortest way; nothing when both ends are the same, or when none was found.
        triples: Vec<Statement>,
        /// Whether a way was found.
        found: bool,
    },
    /// A condition with its values.
    Condition {
        /// The condition.
        formula: Formula,
        /// Whether it is met.
        holds: bool,
    },
    /// A pattern that was searched and has no match.
    Absent {
        /// Part by part, with the values put in.
        clauses: Vec<Clause>,
        /// In SPARQL.
        pattern: String,
    },
    /// What a number is made of.
    Members(Members),
    /// The place of the row in an order.
    Rank(RowRank),
    /// Which one of several ways is taken.
    Either {
        /// From 1.
        branch: usize,
        /// Of so many.
        of: usize,
        /// What it says.
        clauses: Vec<Clause>,
    },
    /// A name for a value that the query contains or computes.
    Named {
        /// The variable.
        name: String,
        /// What it stands for.
        formula: Formula,
        /// Its value.
        value: Option<Term>,
    },
    /// What would be taken but is not there.
    OptionalMissing {
        /// Part by part, with the values put in.
        clauses: Vec<Clause>,
        /// In SPARQL.
        pattern: String,
    },
}

/// The members of a group, over which an aggregate is taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Members {
    /// The aggregate as a formula, its value included.
    pub aggregate: Formula,
    /// Lower case: `count`, `sum`, `avg`, `min`, `max`, `sample`, `group_concat`.
    pub function: String,
    /// The first members: what has the value, where that is another thing, and the value.
    pub members: Vec<Vec<Term>>,
    /// The statements that make each of them a member, as far as they need not be looked up.
    pub triples: Vec<Vec<Statement>>,
    /// How many there are; `None` when that could not be found out.
    pub total: Option<usize>,
    /// The value over all members.
    pub value: Option<Term>,
    /// Why the first member shown is one: the one with the value itself for the greatest and smallest.
    pub example: Vec<Part>,
}

/// The place of a row in an order, and what is cut.
#[derive(Debug, Clone, PartialEq)]
pub struct RowRank {
    /// What decides, with its values, and whether the greatest comes first.
    pub keys: Vec<(Formula, bool)>,
    /// From 1.
    pub place: Option<usize>,
    /// How many rows are taken.
    pub limit: Option<usize>,
    /// How many rows are left out before them.
    pub offset: usize,
    /// Whether a row with the same values was cut off.
    pub tied: bool,
}

/// What a proof cannot show, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// The row is no longer a result.
    Gone,
    /// The row now has other numbers.
    Changed,
    /// The time was over before everything was looked up.
    NoTime,
    /// The endpoint did not answer a question; its words.
    Failed(String),
    /// More would have to be looked up than is allowed.
    TooMuch,
    /// A query cannot name a blank node, so that another one may be meant.
    Nameless,
    /// A way was not looked up.
    NoWay,
    /// Results of another endpoint (SERVICE) are not shown.
    Elsewhere,
    /// The query makes or describes statements instead of rows.
    NotRows,
}

//! One model of a query: what is read from it, what is made of it, and how it is explained.
//!
//! ```text
//! Query (spargebra) ─► algebra (the one walk), select (a SELECT in its parts)
//!                         ├─► model    what it says: columns, atoms, variables, order
//!                         ├─► edit     a new query from it
//!                         └─► explain  for people and proofs: sources, what decides, part by part
//! ```
//! `write` prints patterns as SPARQL. Uses `check` for the query, `terms` for prefixes, and spargebra. Nothing here runs a query.

pub(crate) mod algebra;
pub(crate) mod edit;
pub(crate) mod explain;
mod model;
pub(crate) mod select;
pub(crate) mod write;

pub use edit::{BeyondLimit, Group, GroupScope, Relaxed, Rewrite};
pub use explain::{Aggregate, Clause, ColumnSource, Formula, Says};
pub(crate) use model::scope;
pub use model::{Atom, AtomKind, Column, Conjunction, Filter, Place, QueryModel, SortKey, VariableUse};

use oxrdf::Term;
use std::collections::BTreeMap;

/// What variables are bound to; `None` for one that is known to be unbound.
pub type Known = BTreeMap<String, Option<Term>>;

/// A query as tests write it, with the prefix `e` for `http://e/`.
#[cfg(test)]
fn checked(text: &str) -> crate::CheckedQuery {
    let prefixes = [("e", "http://e/")].into_iter().collect();
    crate::check(text, &prefixes, &crate::QueryPolicy::default()).unwrap()
}

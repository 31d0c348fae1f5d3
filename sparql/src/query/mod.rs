//! The query model: how a query is analysed, edited and explained.
//!
//! ```text
//! Query (spargebra) ─► algebra (the tree walk), select (the parts of a SELECT)
//!                         ├─► model    columns, atoms, variables, order
//!                         ├─► edit     new queries derived from it
//!                         ├─► fragment a part of a pattern that becomes a part of other queries
//!                         └─► explain  for people and proofs: column sources, deciding variables, part by part
//! ```
//! `write` serializes patterns to SPARQL. Uses `check` for the query, `terms` for prefixes, and spargebra. Nothing here runs a query.

pub(crate) mod algebra;
pub(crate) mod edit;
pub(crate) mod explain;
mod fragment;
mod model;
pub(crate) mod select;
pub(crate) mod write;

pub use edit::{BeyondLimit, Group, GroupScope, Relaxed, Rewrite};
pub use explain::{Aggregate, Clause, ColumnSource, Formula, Says};
pub use fragment::{Fragment, FragmentEdge, FragmentError, FragmentTerm};
pub(crate) use model::scope;
pub use model::{Atom, AtomKind, Column, Conjunction, Filter, Place, QueryModel, SortKey, VariableUse};

use oxrdf::Term;
use std::collections::BTreeMap;

/// The bindings of variables; `None` for a variable known to be unbound.
pub type Known = BTreeMap<String, Option<Term>>;

/// A checked query for tests, with the prefix `e` for `http://e/`.
#[cfg(test)]
fn checked(text: &str) -> crate::CheckedQuery {
    let prefixes = [("e", "http://e/")].into_iter().collect();
    crate::check(text, &prefixes, &crate::QueryPolicy::default()).unwrap()
}

//! One model of a query: what is read from it, what is made of it, and how it is explained.
//!
//! ```text
//! Query (spargebra) ─► algebra (the one walk) ─► model (what it says) ─► explain (columns, outline: for people and proofs)
//!                                                      └─► edit (a new query from it)
//! ```
//! Uses `check` for the query, `terms` for prefixes, and spargebra. Nothing here runs a query.

pub(crate) mod algebra;
pub(crate) mod edit;
pub(crate) mod explain;
pub(crate) mod model;

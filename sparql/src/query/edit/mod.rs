//! New queries from a query. Each edit works on the algebra; what comes out as text must be checked again before it runs.

pub(crate) mod group;
pub(crate) mod open;
pub(crate) mod relaxed;
pub(crate) mod restrict;
pub(crate) mod rewrite;
pub(crate) mod ties;

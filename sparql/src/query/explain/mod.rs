//! Explains queries to readers: where a column comes from, which variables determine the rows, and what each part means.

pub(crate) mod deciding;
pub(crate) mod formula;
pub(crate) mod outline;
mod sources;

pub use formula::Formula;
pub use outline::{Clause, Says};
pub use sources::{Aggregate, ColumnSource};

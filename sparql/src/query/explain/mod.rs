//! Queries for their readers: where a column comes from, what decides over rows, and what each part says.

pub(crate) mod deciding;
pub(crate) mod formula;
pub(crate) mod outline;
mod sources;

pub use formula::Formula;
pub use outline::{Clause, Says};
pub use sources::{Aggregate, ColumnSource};

//! Derives new queries from a query. Each edit works on the algebra; the resulting text must be checked again before it runs.

mod group;
mod limit;
pub(crate) mod open;
mod readable;
mod relaxed;
pub(crate) mod restrict;
mod rewrite;
mod terms;

pub use group::{Group, GroupScope};
pub use limit::BeyondLimit;
pub(super) use readable::renamed_variables;
pub use relaxed::Relaxed;
pub use rewrite::Rewrite;

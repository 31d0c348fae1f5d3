//! Queries for their readers: where a column comes from, what decides over rows, and what each part says.

pub(crate) mod deciding;
pub(crate) mod formula;
pub(crate) mod outline;
pub(crate) mod sources;
pub(crate) mod write;

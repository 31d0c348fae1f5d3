//! One file per route: the handler and its description.

pub(super) mod ask;
pub(super) mod boards;
pub(super) mod browse;
pub(super) mod claims;
pub(super) mod complete;
pub(super) mod datasets;
pub(super) mod docs;
pub(super) mod feedback;
pub(super) mod gerbil;
pub(super) mod graph;
pub(super) mod health;
pub(super) mod learn;
pub(super) mod link;
pub(super) mod mcp;
pub(super) mod metrics;
pub(super) mod page;
pub(super) mod query;
pub(super) mod ready;
pub(super) mod reload;
pub(super) mod runs;
pub(super) mod test_set;
pub(super) mod text2sparql;
pub(super) mod why;

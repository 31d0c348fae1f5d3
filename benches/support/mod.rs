//! What the benchmarks share.

pub mod graph;
pub mod measure;
pub mod server;
pub mod stages;
pub mod wikibase;

//! What the benchmarks share.

pub mod measure;
pub mod stages;

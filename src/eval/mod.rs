//! Benchmark runs: questions with gold queries in, scores, records and a report out.

mod error;
pub mod metrics;
pub mod official;
pub mod rows;
pub mod stats;

pub use error::EvalError;

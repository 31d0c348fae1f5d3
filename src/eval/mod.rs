//! Benchmark runs: questions with gold queries in, scores, records and a report out.
//!
//! ```text
//! questions ──► select ──► run ──► record ──► summary ──► report
//!                           ├─► metrics · rows      official · compare (no dataset needed)
//!                           └─► texts (answers in words)             export (QALD-JSON, TREC)
//! ```
//! Asks through the service, as the HTTP layer does, and writes traces in the form of that layer.

pub mod compare;
mod error;
pub mod export;
pub mod metrics;
pub mod official;
pub mod questions;
pub mod record;
pub mod report;
pub mod rows;
pub mod run;
pub mod select;
pub mod stats;
pub mod summary;
pub mod texts;

pub use error::EvalError;

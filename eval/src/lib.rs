//! Benchmark runs: questions with gold queries in, scores, records and a report out.
//!
//! ```text
//! questions ──► select ──► run ──► record ──► summary ──► report
//!                           ├─► metrics · rows      official · compare (no dataset needed)
//!                           └─► texts (answers in words)             export (QALD-JSON, TREC)
//! ```
//! Knows results of queries and the look-up rule of names; what is benchmarked it knows as a [`System`] alone, so that a change
//! in the service does not compile it again.
//!
//! A finished question is never asked again, and the report loads nothing (tests: `tests/eval.rs` of the program,
//! `report/tests.rs`). The official scores (`metrics`, `official`) equal those of the challenge's client to the last
//! digit, quirks and order of summation included (tests: there, against its recorded output, and `tests/eval.rs`,
//! against the published evaluations).

// Files of questions and records may hold anything: no position in a text or list is taken for granted.
#![warn(clippy::indexing_slicing)]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod compare;
mod error;
pub mod export;
pub mod metrics;
pub mod official;
pub mod questions;
pub mod record;
pub mod reliability;
pub mod report;
pub mod rows;
pub mod run;
pub mod select;
pub mod stats;
pub mod summary;
mod system;
pub mod texts;

pub use error::EvalError;
pub use system::{LinkedText, MemberKind, System, SystemAnswer, Unanswered, WrittenValue};

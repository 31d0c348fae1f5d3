//! Benchmark runs: questions with gold queries in, scores, records and a report out.
//!
//! ```text
//! questions ──► select ──► run ──► record ──► summary ──► report
//!                           ├─► metrics · rows      official · compare (no dataset needed)
//!                           ├─► texts (answers in words)             export (QALD-JSON, TREC)
//!                           └─► resample (intervals, paired tests) · trust (thresholds) · actions · leaderboard (several runs)
//! ```
//! Knows query results and the look-up rule for names; the benchmarked service is only known as a [`System`], so that a change in
//! the service does not recompile this crate.
//!
//! A finished question is never asked again, and the report loads nothing (tests: `tests/eval.rs` of the program,
//! `report/tests.rs`). The official scores (`metrics`, `official`) equal those of the challenge's client to the last
//! digit, quirks and order of summation included (tests: there, against its recorded output, and `tests/eval.rs`,
//! against the published evaluations).

// Files of questions and records may contain anything: never assume that an index into a text or list is valid.
#![warn(clippy::indexing_slicing)]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod actions;
pub mod compare;
mod error;
pub mod export;
pub mod gold;
pub mod leaderboard;
pub mod metrics;
pub mod official;
pub mod questions;
pub mod record;
pub mod reliability;
pub mod report;
pub mod resample;
pub mod rows;
pub mod run;
pub mod select;
pub mod share;
pub mod stats;
pub mod summary;
mod system;
pub mod table;
pub mod texts;
pub mod trust;

pub use error::EvalError;
pub use system::{LinkedText, MemberKind, System, SystemAnswer, Unanswered, WrittenValue};

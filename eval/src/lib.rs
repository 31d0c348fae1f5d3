//! Benchmark runs: questions with gold queries in, scores, records and a report out.
//!
//! ```text
//! questions ──► select ──► run ──► record ──► summary ──► report
//!                           ├─► known (gold: run, stored, or given) · overlap · excluded      accounts (asks nothing)
//!                           ├─► metrics · rows      official · pairs · compare (no dataset needed)
//!                           ├─► texts (answers in words)             export (QALD-JSON, TREC)
//!                           ├─► resample (intervals, paired tests) · trust (thresholds) · actions · mistakes
//!                           ├─► leaderboard · tables · agreement (several runs)
//!                           └─► training (conversations)
//!
//! questions ──► select ──► grounding (are the terms of gold queries found? no model is asked)
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

pub mod accounts;
pub mod actions;
pub mod agreement;
pub mod compare;
mod error;
pub mod excluded;
pub mod export;
pub mod gold;
pub mod grounding;
pub mod journal;
pub mod known;
pub mod leaderboard;
pub mod metrics;
pub mod mistakes;
pub mod official;
pub mod overlap;
pub mod pairs;
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
pub mod stored;
pub mod summary;
mod system;
pub mod table;
pub mod tables;
pub mod texts;
pub mod training;
pub mod trust;

pub use error::EvalError;
pub use system::{
    LinkedText, MAX_LABELLED, MemberKind, Said, System, SystemAnswer, Unanswered, WrittenValue,
};

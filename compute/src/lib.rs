//! Small Lua programs over the rows of queries.
//!
//! ```text
//! tables of values, program ─► sandbox (prelude, patterns, dates) ─► value ─► Computed
//! ```
//! For what SPARQL cannot do or does badly: shares across queries, differences of dates, statistics, joins of the
//! results of two graphs. A program has no files, network, clock, random numbers, or code from strings, and the same
//! program over the same rows always gives the same result: tables are iterated in the order of their keys. Its
//! instructions, memory, time and output are bounded ([`Bounds`]).
//!
//! Knows nothing of RDF: rows arrive as [`Value`]s. Tests: `tests/programs.rs` and, with a hundred hostile programs,
//! `tests/hostile.rs`.

#![warn(clippy::indexing_slicing, clippy::string_slice)]

mod dates;
mod patterns;
mod result;
mod sandbox;
mod values;

pub use result::Computed;
pub use sandbox::{Bounds, ComputeError, run};
pub use values::{Table, Value};

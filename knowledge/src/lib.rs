//! What the owner of a graph knows of it, read from a folder of files beside the configuration.
//!
//! ```text
//! knowledge/DATASET/*.toml ─► Knowledge ─► glossary · notes · hidden terms · verified questions
//! ```
//! Files are made for git: one topic each, readable, checked as a whole before any of them is used. Uses the packs of
//! languages and the check of queries; knows nothing of indexes and models.

#![warn(clippy::indexing_slicing, clippy::string_slice)]

pub mod questions;

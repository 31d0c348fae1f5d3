//! Eruca: questions in plain language over any RDF graph, answered with SPARQL that has been run.
//!
//! ```text
//! http | cli ──► service ──► agent ──► tools ──► eruca-indexer (search) · eruca-sparql (endpoints)
//!                   │          └─────► llm      (chat model)
//!                   └──► planner                (no model)
//! cli ──► benchmark_adapter ──► service · eruca-eval (benchmarks)
//! ```
//! A module knows only what is to its right; `startup` puts everything together. The modules stand here in
//! reading order.

// A graph, a model or a client may say anything: no position in a text or list is taken for granted.
#![warn(clippy::indexing_slicing)]
#![cfg_attr(not(test), warn(clippy::string_slice))]

#[cfg_attr(not(test), expect(clippy::string_slice, reason = "cut at a boundary that was looked for"))]
pub mod agent;
pub mod agent_features;
pub mod benchmark_adapter;
pub mod cli;
pub mod config;
pub mod cpu_pool;
pub mod form;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
pub mod grounding;
pub mod http;
pub mod lines;
pub mod llm;
pub mod mcp;
pub mod own_folder;
pub(crate) mod rendering;
pub mod service;
pub mod startup;
pub mod telemetry;
#[expect(clippy::indexing_slicing, reason = "cut at boundaries that were looked for")]
#[cfg_attr(not(test), expect(clippy::string_slice, reason = "cut at boundaries that were looked for"))]
pub mod tools;
pub mod trace;

//! Eruca: questions in plain language over any RDF graph, answered with SPARQL that has been run.
//!
//! ```text
//! http | cli ──► service ──► agent ──► tools ──► eruca-indexer (search) · eruca-sparql (endpoints)
//!                   │          └─────► llm      (chat model)
//!                   └──► planner                (no model)
//! cli ──► eval ──► service (benchmarks)
//! ```
//! A module knows only what is to its right; `startup` puts everything together. The modules stand here in
//! reading order.

pub mod agent;
pub mod cache;
pub mod cli;
pub mod config;
pub mod dataset;
pub mod eval;
pub mod form;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
pub mod grounding;
pub mod helps;
pub mod http;
pub mod lines;
pub mod llm;
pub mod planner;
pub mod service;
pub mod startup;
pub mod telemetry;
pub mod tools;
pub mod trace;
pub mod work;

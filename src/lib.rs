//! Eruca: questions in plain language over any RDF graph, answered with SPARQL that has been run.
//!
//! ```text
//! http | cli ──► service ──► agent ──► tools ──► eruca-indexer (search) · eruca-sparql (endpoints)
//!                   │          └─────► llm      (chat model)
//!                   └──► planner                (no model)
//! ```
//! A module knows only what is to its right; `startup` puts everything together. The modules stand here in
//! reading order.

pub mod config;
pub mod startup;
pub mod cli;
pub mod http;
pub mod service;
pub mod agent;
pub mod planner;
pub mod grounding;
pub mod tools;
pub mod dataset;
pub mod llm;
pub mod telemetry;
pub mod trace;

//! An RDF graph in files that are mapped into memory: nothing is loaded when it is opened, and whoever opens the same folder
//! shares what the system has read of it.
//!
//! ```text
//! quads ──► writer (terms · sorter) ──► folder: terms, groups, table · spo, pos, osp · graphs · facts
//!                                          │ mapped, read only
//!                        spareval ──► dataset ──► StoredGraph (terms · rows · graphs)
//! ```
//! Terms are numbers in the order in which they came; triples are sorted numbers in three orders, so that each pattern is one
//! range of one of them. SPARQL itself is evaluated by `spareval`. Every file has checksums ([`checked`]): a damaged one is an
//! error, never other rows. This package knows RDF terms and nothing of queries, endpoints or indexes.

// A file may contain anything: unchecked indexing is forbidden.
#![warn(clippy::indexing_slicing)]

mod checked;
mod dataset;
mod error;
mod facts;
mod graph;
mod graphs;
pub mod leb128;
mod numbers;
mod rows;
mod sorter;
mod spread;
mod terms;
mod writer;

pub use dataset::{StoredTerm, StoredView};
pub use error::{StoredError, TooMany};
pub use facts::Facts;
pub use graph::StoredGraph;
pub use sorter::{SortKey, SortedRuns, Sorter};
pub use spread::Spread;
pub use writer::{StoreWriter, WriterOptions};

use facts::FORMAT;

/// The names of the three orders.
const SPO: &str = "spo";
const POS: &str = "pos";
const OSP: &str = "osp";

//! An RDF graph in memory-mapped files: opening it loads nothing, and processes that open the same folder
//! share the system's page cache.
//!
//! ```text
//! quads ──► writer (terms · sorter) ──► folder: terms, groups, table · spo, pos, osp · graphs · facts
//!                                          │ mapped, read only
//!                        spareval ──► dataset ──► StoredGraph (terms · rows · graphs)
//! ```
//! Terms are numbered in order of first occurrence; triples of numbers are sorted in three orders, so that the matches of any
//! pattern form one range of one of them. SPARQL itself is evaluated by `spareval`. Every file has checksums ([`checked`]):
//! damage leads to an error, never to wrong rows. This package knows RDF terms, but no queries, endpoints or indexes.

// Files may contain anything, so unchecked indexing is forbidden.
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

//! Where triples come from. Uses `progress`; knows nothing of indexes.

mod files;

pub use files::{ReadSummary, SourceError, expand_patterns, read_quads};

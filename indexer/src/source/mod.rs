//! Sources of triples: files of every RDF format and compression, and the entity JSON of a Wikibase. Uses
//! `progress`; knows nothing about indexes.
//!
//! ```text
//! patterns ──► open (compression and format, by name and content) ──► read ──► quads
//!                                                    wikibase_json ──┘
//! ```
//! `foreign` identifies files that are not RDF, and `encoding` converts to UTF-8. Input that parsers cannot handle is treated
//! before them: `literal_limits` (texts beyond their buffers or lines, with `utf8_check` invalid UTF-8), `rdfxml_recovery`
//! (invalid RDF/XML), `json_ld` (depth and contexts), `eruca_sparql::BoundedTags` (tags and entities of RDF/XML). JSON-LD is
//! parsed on a `large_stack`.
//!
//! What a file can make its parser do is limited before the parser sees it: depth, chains and copies of contexts in
//! JSON-LD; depth, namespaces and entities in RDF/XML. Tests: `tests/too_much.rs`, `fuzzing.rs`, and
//! `tests/hostile_files.rs` of the program.
//!
//! If errors are skipped, no statement is invented or silently lost. Tests: `tests/faults.rs`.
//!
//! - RDF/XML: after an error, the parser restarts at the next property of an element that has a name, else at the next element.
//! - A text that no parser accepts, that is not UTF-8, or that is unterminated in a line-based syntax only costs its statements.
//! - A JSON-LD context that is not available costs the file.
//! - If the rest of a file is lost, the summary reports it.

mod compression;
mod encoding;
mod error;
mod foreign;
mod format;
mod json_ld;
mod json_scanner;
mod large_stack;
mod literal_limits;
mod open;
mod patterns;
mod rdfxml_recovery;
mod read;
mod sniff;
#[cfg(test)]
mod tests;
mod utf8_check;
mod wikibase_json;

pub use error::SourceError;
pub use format::GivenFormat;
pub(crate) use patterns::expand_documents;
pub use patterns::expand_patterns;
#[cfg(any(test, fuzzing))]
pub(crate) use read::read_bytes;
pub use read::{ReadOptions, ReadSummary, read_quads};

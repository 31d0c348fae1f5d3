//! Where triples come from: files of every RDF format and compression, and the entity JSON of a Wikibase. Uses
//! `progress`; knows nothing of indexes.
//!
//! ```text
//! patterns ──► open (compression, format: what the name says and what the content is) ──► read ──► quads
//!                                                                        wikibase_json ──┘
//! ```
//! What is no RDF is named by `foreign`, and what is not in UTF-8 becomes so in `encoding`. What parsers cannot cope with is met
//! before them: `literal_limits` (texts beyond their buffers and their lines, with `letters` those that are not in UTF-8), `rdfxml_recovery`
//! (broken RDF/XML), `json_ld` (depth and contexts), `eruca_sparql::BoundedTags` (tags and entities of RDF/XML). `large_stack` is
//! where JSON-LD is parsed.
//!
//! What a file makes its parser do is bounded before the parser sees it: depth, chains and copies of contexts of
//! JSON-LD; depth, namespaces and entities of RDF/XML. Tests: `tests/too_much.rs`, `fuzzing.rs`, and
//! `testing/tests/hostile/files.rs`.
//!
//! Where errors are skipped, no statement is invented or silently lost. Tests: `tests/faults.rs`.
//!
//! - RDF/XML: after an error the parser restarts at the next property of an element that has a name, else at the next element.
//! - A text that no parser accepts, that is not in UTF-8 or that, where a line is a statement, has no end, costs its own statements.
//! - A JSON-LD context that is not available costs the file.
//! - Where the rest of a file is lost, the summary says so.

mod compression;
mod encoding;
mod error;
mod foreign;
mod format;
mod json_ld;
mod json_scanner;
mod large_stack;
mod letters;
mod literal_limits;
mod open;
mod patterns;
mod rdfxml_recovery;
mod read;
mod sniff;
#[cfg(test)]
mod tests;
mod wikibase_json;

pub use error::SourceError;
pub use format::GivenFormat;
pub use patterns::expand_patterns;
#[cfg(any(test, fuzzing))]
pub(crate) use read::read_bytes;
pub use read::{ReadOptions, ReadSummary, read_quads};

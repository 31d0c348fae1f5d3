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

mod compression;
mod rdfxml_recovery;
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

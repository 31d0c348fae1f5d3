//! Answers without a model: reads a question about an RDF graph and ranks the queries that it may mean.
//!
//! ```text
//! question (words, language) ─► link (names) ─► chart ◄─ construct (grammar) ─► render (SPARQL)
//!                                                 └─ score (features · weights) ─► judge (runs the best few, confidence)
//! ```
//! The interface is small. In: a question, an index, results of other look-ups, a query runner, a time limit and a pace. Out:
//! readings with queries, confidence and unused words. Knows the index, SPARQL terms and languages; no benchmark, no HTTP, no
//! model.

// Questions and graphs may contain anything: never assume that an index into a text or list is valid.
#![warn(clippy::indexing_slicing)]
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod alone;
mod chart;
mod compose;
mod confidence;
mod construct;
mod context;
mod coverage;
mod describe;
pub mod follow;
mod glossary;
mod judge;
mod ledger;
mod link;
mod meaning;
mod opened;
mod pace;
mod phrase;
mod preferences;
mod quantify;
pub mod question;
mod reading;
mod render;
mod root;
mod runner;
mod schema;
mod score;
#[cfg(test)]
mod tests;
mod units;
mod ways;

pub use alone::{NameAlone, name_alone};
pub use confidence::{Confidence, Evidenced, confidence, probability, signs};
pub use coverage::{coverage, word_coverage};
pub use describe::LocalizedText;
pub use glossary::{Glossary, GlossaryHit};
pub use judge::{Judged, Judgement, evidence, judge, result_features, same_result};
pub use ledger::{Auditor, Doubt, Entry, Grounds, Ledger, Part};
pub use link::{
    Evidence, Facts, LinkError, MAX_CANDIDATES, Mention, Named, NamedTerm, fetch_facts, link, link_by,
    may_be_name, mentions, unknown_names,
};
pub use opened::IdentifyingProperties;
pub use pace::{AllowedTime, Pace};
pub use reading::{MAX_TELLING_WORDS, Reading, is_too_long, readings, unknown};
pub use runner::Runner;
pub use score::{FEATURE_COUNT, Feature, Features, SIGN_COUNT, SIGNS, Weights};

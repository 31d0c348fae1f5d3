//! Links: what spans of the question may name in the graph, each with a fit and the evidence for it. Reads the index.

mod names;
mod things;

pub use things::{LinkError, Mention, mentions};

use crate::meaning::Iri;
use crate::question::{Question, Span};
use crate::schema::Schema;
use eruca_indexer::SchemaKind;

/// How a word of the question met a word of a name, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Evidence {
    /// The same word.
    Exact,
    /// The same stem.
    Stem,
    /// A translation of it.
    Translation,
    /// A near word.
    Synonym,
    /// A noun that the word asks for: "born" and "birth".
    Related,
    /// A part of a compound, an abbreviation.
    Part,
    /// Almost the same letters.
    Typo,
}

/// A class or property that a span may name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SchemaLink<'k> {
    pub kind: SchemaKind,
    pub iri: Iri<'k>,
    pub span: Span,
    /// 1 for the very name.
    pub fit: f32,
    /// The weakest evidence among its words.
    pub evidence: Evidence,
}

/// All that the words of a question may name.
#[derive(Debug, Default)]
pub(crate) struct Links<'k> {
    pub schema: Vec<SchemaLink<'k>>,
    pub mentions: Vec<Mention>,
}

impl<'k> Links<'k> {
    /// Looks everything up; mentions may be known already.
    pub fn find(schema: &Schema<'k>, question: &Question, mentions: Vec<Mention>) -> Self {
        Self { schema: names::schema_links(schema, question), mentions }
    }
}

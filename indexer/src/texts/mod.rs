//! The texts beside a graph: passages of documents and of long literals, found by their words and, with an embedding
//! model, by their meaning, each with the things that it is about. Present only where texts are configured.
//!
//! Writer and reader are in this module. A passage is no statement of the graph: what it says is cited, and proves nothing.

mod build;
mod links;
mod quote;
mod search;
mod sources;
mod stems;
mod vectors;
mod writer;

pub use eruca_documents::{PdfReader, Reader as DocumentReader};
pub use search::{TextHit, TextIndex, TextQuery};
pub use sources::{TextSources, TextsStamp};
pub use vectors::{TextVectorsError, TextVectorsStamp};

pub(crate) use build::TextsBuild;
pub use build::TextsError;
pub(crate) use vectors::{
    LocalVectors, TEXT_VECTORS_FORMAT, TextVectors, VectorTarget, left_out, write as write_vectors,
};

use crate::lexical::LabelTokenizer;
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash, Hasher};
use tantivy::Index;
use tantivy::schema::{Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions};

/// Version of the stored format; a change makes older indexes unreadable.
pub const TEXTS_FORMAT: u32 = 1;

/// A passage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Where it is from.
    pub source: PassageSource,
    /// The heading above it; empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub heading: String,
    /// Its number within its source, from 1.
    pub number: u32,
    /// Its text, on one line.
    pub text: String,
    /// IRIs of the things that it is about or names.
    pub things: Vec<String>,
}

impl Passage {
    /// Its name among the passages of a question: the same whenever it is found, a letter and six hexadecimal digits.
    pub fn name(&self) -> String {
        let mut hasher = DefaultHasher::new();
        (format!("{:?}", self.source), self.number).hash(&mut hasher);
        format!("t{:06x}", hasher.finish() & 0xff_ffff)
    }

    /// The text to embed: what stands above it, then its own.
    fn embedding_text(&self) -> String {
        let title = match &self.source {
            PassageSource::Document { title, .. } => title.as_str(),
            PassageSource::Literal { .. } => "",
        };
        let parts = [title, &self.heading, &self.text];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(". ")
    }

    /// The sentences of it that fit a question best.
    pub fn quote(&self, question: &str) -> &str {
        quote::quote(&self.text, question, stems::language_of(self))
    }
}

/// Where a passage is from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassageSource {
    /// A document.
    Document {
        /// The name of its file.
        file: String,
        /// Its title.
        title: String,
        /// The page, from 1, where it has pages.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        page: Option<u32>,
    },
    /// A literal of the graph.
    Literal {
        /// The IRI of its subject.
        subject: String,
        /// The IRI of the property.
        property: String,
        /// Its language tag; empty if it has none.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        language: String,
    },
}

/// The fields of the index.
#[derive(Debug, Clone, Copy)]
struct Fields {
    text: Field,
    title: Field,
    stems: Field,
    thing: Field,
    passage: Field,
}

/// Fields are numbered in the order in which [`schema`] adds them.
const FIELDS: Fields = Fields {
    text: Field::from_field_id(0),
    title: Field::from_field_id(1),
    stems: Field::from_field_id(2),
    thing: Field::from_field_id(3),
    passage: Field::from_field_id(4),
};

const TOKENIZER: &str = "words";

fn schema() -> Schema {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(TOKENIZER)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let words = TextOptions::default().set_indexing_options(indexing);
    let mut builder = Schema::builder();
    builder.add_text_field("text", words.clone());
    builder.add_text_field("title", words.clone());
    builder.add_text_field("stems", words);
    builder.add_text_field("thing", STRING);
    builder.add_bytes_field("passage", STORED);
    builder.build()
}

fn register_tokenizer(index: &Index) {
    index.tokenizers().register(TOKENIZER, LabelTokenizer::default());
}

#[cfg(test)]
mod tests;

//! Documents with names, searchable by name: the search engine for entities, values and schema terms.
//!
//! A search has two stages. Tantivy finds candidates (identical words, all words, any word; misspelt words
//! and prefixes are expanded from the term dictionary), then [`similarity`] orders them by how many of the
//! words of the question and of the document's best name match, and [`rank`] breaks ties.
//!
//! Where names are in a server instead, `remote` has both stages; `plan`, `similarity` and `rank` are the same.
//!
//! `writer` and `search` write and read the stored form: a Tantivy index with `rows`, `terms` and `priors` beside it. `reader`
//! opens the parts that find documents, in a `read_folder`; `collect` finds a query's best documents without visiting all.

mod build_folder;
mod collect;
mod complete;
mod dictionary;
mod expand;
mod forms;
mod names;
mod near;
mod plan;
mod priors;
mod query;
mod rank;
mod read_folder;
mod reader;
mod remote;
mod respell;
mod rows;
#[cfg(test)]
mod sample;
mod search;
mod similarity;
mod terms;
mod tokenizer;
mod words;
mod writer;

pub(crate) use build_folder::BuildFolder;
pub use dictionary::{AskedName, Dictionary};
pub use plan::NameQuery;
pub(crate) use read_folder::ReadFolder;
pub use remote::{NAMES_PAUSE, Part};
pub(crate) use remote::{NamesUpload, OpenNames, RemoteNames, RemoteNamesWriter, WordFiles};
pub use search::NameIndex;
pub(crate) use search::panicked_in;
pub use similarity::{edit_distance, is_like_a_part, name_fit};
pub(crate) use tokenizer::LabelTokenizer;
pub use writer::{NameIndexWriter, PreparedDocument};

use crate::qdrant::QdrantFailure;
use names::EncodedTokenizer;
use std::path::PathBuf;
use tantivy::Index;
use tantivy::schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};

const PROSE: &str = "eruca_label";
const ENCODED: &str = "eruca_name";
const RAW: &str = "raw";
const PRIOR: &str = "prior";
const ROW: &str = "row";

/// What a search needs of a stored payload to rank it.
pub trait Named {
    /// The names; the best one determines the score.
    fn names(&self) -> Vec<&str>;
    /// Number of uses, for breaking ties.
    fn uses(&self) -> u64;
    /// Prose about it, in which words are found as well.
    fn prose(&self) -> Option<&str> {
        None
    }
}

/// A document to be found by its names.
#[derive(Debug, Clone)]
pub struct NameDocument<P> {
    /// Unique key: an IRI, or property and value.
    pub id: String,
    /// Exact terms for filters.
    pub filters: Vec<String>,
    /// The returned payload, which contains the names.
    pub record: P,
}

/// A document found.
#[derive(Debug, Clone, PartialEq)]
pub struct NameHit<P> {
    /// The stored record.
    pub record: P,
    /// How well the names fit: 1 for the same words, more for an identical name, 0 for no match.
    pub score: f32,
}

/// Why an index of names cannot be written or searched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LexicalError {
    /// Tantivy failed: disk full, corrupt file, …
    #[error("{0}")]
    Engine(#[from] tantivy::TantivyError),
    /// The folder cannot be opened.
    #[error("{0}")]
    Folder(#[from] tantivy::directory::error::OpenDirectoryError),
    /// A file of the build cannot be written.
    #[error("{0}")]
    Work(#[from] std::io::Error),
    /// A file cannot be read or written.
    #[error("'{path}': {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// The files beside Tantivy's are truncated or garbled.
    #[error("the names in '{folder}' are damaged; build the index again")]
    Damaged {
        /// The folder.
        folder: PathBuf,
    },
    /// Reading the files caused a panic, as damaged ones do.
    #[error("the names in '{folder}' cannot be searched: {reason}")]
    Panicked {
        /// The folder.
        folder: PathBuf,
        /// The message of the panic.
        reason: String,
    },
    /// The names are in a Qdrant server, which fails.
    #[error(transparent)]
    Server(#[from] QdrantFailure),
    /// A stored payload does not have this version's format.
    #[error("a stored document cannot be read ({0}); build the index again")]
    Payload(#[from] serde_json::Error),
}

/// The fields of every index of names.
#[derive(Debug, Clone, Copy)]
struct Fields {
    id: Field,
    name: Field,
    words: Field,
    text: Field,
    filter: Field,
    prior: Field,
    row: Field,
}

/// Fields are numbered in the order in which [`schema`] adds them.
const FIELDS: Fields = Fields {
    id: Field::from_field_id(0),
    name: Field::from_field_id(1),
    words: Field::from_field_id(2),
    text: Field::from_field_id(3),
    filter: Field::from_field_id(4),
    prior: Field::from_field_id(5),
    row: Field::from_field_id(6),
};

fn schema() -> Schema {
    // No length normalization: a resource with names in fifty languages is no worse a match. Ties are
    // broken by `prior`, and `similarity` determines the final order.
    let indexed = |tokenizer: &str| {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(tokenizer)
            .set_index_option(IndexRecordOption::Basic)
            .set_fieldnorms(false);
        TextOptions::default().set_indexing_options(indexing)
    };
    let mut builder = Schema::builder();
    builder.add_text_field("id", indexed(RAW));
    builder.add_text_field("name", indexed(ENCODED));
    builder.add_text_field("words", indexed(RAW));
    builder.add_text_field("text", indexed(PROSE));
    builder.add_text_field("filter", indexed(RAW));
    builder.add_f64_field(PRIOR, FAST);
    builder.add_u64_field(ROW, FAST);
    builder.build()
}

fn register_tokenizers(index: &Index) {
    index.tokenizers().register(PROSE, LabelTokenizer::default());
    index.tokenizers().register(ENCODED, EncodedTokenizer::default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_have_their_numbers() {
        let schema = schema();
        let named = |name: &str| schema.get_field(name).unwrap();
        let Fields { id, name, words, text, filter, prior, row } = FIELDS;
        let fields = [("id", id), ("name", name), ("words", words), ("text", text), ("filter", filter)];
        for (name, field) in fields.into_iter().chain([(PRIOR, prior), (ROW, row)]) {
            assert_eq!(named(name), field, "{name}");
        }
    }
}

//! Models that are known by a short name, with what a folder does not say: their prefixes. Uses nothing else.

use crate::embedding::Pooling;

/// A model that people need not look up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownModel {
    /// The name that is given to `eruca models fetch`; also that of its folder.
    pub name: &'static str,
    /// Owner and name on the hub.
    pub repository: &'static str,
    /// What it is good for.
    pub good_for: &'static str,
    /// The licence that its owner names.
    pub licence: &'static str,
    /// Megabytes that are fetched, about.
    pub megabytes: u32,
    /// Length of its vectors.
    pub dimension: usize,
    /// How its token vectors become one.
    pub pooling: Pooling,
    /// What it wants before a question.
    pub query_prefix: &'static str,
    /// What it wants before a text that is indexed.
    pub document_prefix: &'static str,
}

/// The models with short names, the one to begin with first.
pub const KNOWN: [KnownModel; 2] = [
    KnownModel {
        name: "multilingual-e5-small",
        repository: "intfloat/multilingual-e5-small",
        good_for: "about 100 languages, also questions in another language than the graph's",
        licence: "mit",
        megabytes: 488,
        dimension: 384,
        pooling: Pooling::Mean,
        query_prefix: "query: ",
        document_prefix: "passage: ",
    },
    KnownModel {
        name: "all-MiniLM-L6-v2",
        repository: "sentence-transformers/all-MiniLM-L6-v2",
        good_for: "English; fast",
        licence: "apache-2.0",
        megabytes: 91,
        dimension: 384,
        pooling: Pooling::Mean,
        query_prefix: "",
        document_prefix: "",
    },
];

//! What is stored of a document and of a word, and how it is read again.
//!
//! A document's vector has a dimension for each word of its names and of its prose, and for each filter term; a word's for each
//! beginning and for what it shares with words that resemble it. The values are all nearly one, a little more for what is used
//! much: so the more of the words a document has, the higher it comes, and the better known of two alike comes first.

use super::keys;
use super::part::Part;
use crate::lexical::Named;
use crate::lexical::names::{decode, encode_each, word_set};
use crate::lexical::writer::PreparedDocument;
use eruca_language::text::tokens;
use qdrant_client::Payload;
use qdrant_client::qdrant::{NamedVectors, PointStruct, Value, Vector};
use rustc_hash::FxHashSet;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The record, as JSON.
pub(super) const RECORD: &str = "record";
/// The numbers of the whole names and of the filter terms.
pub(super) const KEYS: &str = "keys";
/// A word.
pub(super) const WORD: &str = "word";
/// The number of documents that have it.
pub(super) const DOCUMENTS: &str = "documents";

/// How much the prior adds to a value, at most: less than a tenth, so that ten words count for more than nine better known ones.
const PRIOR_SHARE: f32 = 0.1;
/// The value of a word that occurs only in prose.
const PROSE_VALUE: f32 = 0.2;
/// The lowest prior, and the range of priors (`writer::prior`).
const LOWEST_PRIOR: f64 = 0.6;
const PRIOR_RANGE: f64 = 1.04;

/// The point of a document.
pub(super) fn document(part: Part, document: &PreparedDocument) -> PointStruct {
    let prior = ((document.prior - LOWEST_PRIOR) / PRIOR_RANGE).clamp(0.0, 1.0) as f32;
    let value = 1.0 + PRIOR_SHARE * prior;
    let mut weights: BTreeMap<u32, f32> = BTreeMap::new();
    for token in document.names.iter().flat_map(|name| decode(name)) {
        weights.insert(keys::word(token.text), value);
    }
    for token in document.text.iter().flat_map(|text| tokens(text)) {
        weights.entry(keys::word(&token.text)).or_insert(value * PROSE_VALUE);
    }
    for filter in &document.filters {
        weights.insert(keys::all_of(filter), value);
    }
    let names = document.names.iter().map(|name| keys::name(&word_set(name)));
    let numbers: FxHashSet<i64> =
        names.chain(document.filters.iter().map(|filter| keys::filter(filter))).collect();
    let mut payload = Payload::with_capacity(2);
    payload.insert(RECORD, String::from_utf8_lossy(&document.payload).into_owned());
    payload.insert(KEYS, numbers.into_iter().collect::<Vec<i64>>());
    point(part.name(), &document.id, weights, payload)
}

/// The distinct words of a document's names.
pub(super) fn words(document: &PreparedDocument) -> FxHashSet<&str> {
    document.names.iter().flat_map(|name| decode(name)).map(|token| token.text).collect()
}

/// The point of a word.
pub(super) fn word(part: Part, word: &str, documents: u64) -> PointStruct {
    // As with priors, frequent words come first among those that resemble the search word equally.
    let value = 1.0 + PRIOR_SHARE * (documents.max(1) as f32).log2() / 64.0;
    let numbers = keys::resembling(word).into_iter().chain(keys::starts(word));
    let weights: BTreeMap<u32, f32> = numbers.map(|key| (key, value)).collect();
    let mut payload = Payload::with_capacity(2);
    payload.insert(WORD, word);
    payload.insert(DOCUMENTS, i64::try_from(documents).unwrap_or(i64::MAX));
    point(part.words(), word, weights, payload)
}

fn point(vector: &str, id: &str, weights: BTreeMap<u32, f32>, payload: Payload) -> PointStruct {
    let (dimensions, values): (Vec<u32>, Vec<f32>) = weights.into_iter().unzip();
    let vectors = NamedVectors::default().add_vector(vector, Vector::new_sparse(dimensions, values));
    PointStruct::new(keys::id(vector, id).to_string(), vectors, payload)
}

/// A document that was found.
#[derive(Debug, Clone)]
pub(super) struct FoundRecord {
    /// As JSON.
    pub(super) record: Arc<str>,
    /// The encoded names.
    pub(super) names: Vec<String>,
    pub(super) uses: u64,
    pub(super) prose: Option<String>,
}

impl FoundRecord {
    /// A record with what ranks it; `None` if it has another form than this version's.
    pub(super) fn read<P: DeserializeOwned + Named>(record: &str) -> Option<Self> {
        let payload: P = serde_json::from_str(record).ok()?;
        let names = encode_each(payload.names());
        Some(Self {
            record: Arc::from(record),
            names,
            uses: payload.uses(),
            prose: payload.prose().map(str::to_owned),
        })
    }

    /// Memory that it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + 2 * self.record.len()
            + self.names.iter().map(|name| name.len() + 24).sum::<usize>()
    }
}

/// The record of a point.
pub(super) fn record(payload: &HashMap<String, Value>) -> Option<&str> {
    payload.get(RECORD).and_then(Value::as_str).map(String::as_str)
}

/// A word and its number of documents.
pub(super) fn counted(payload: &HashMap<String, Value>) -> Option<(&str, u64)> {
    let word = payload.get(WORD).and_then(Value::as_str)?;
    let documents = payload.get(DOCUMENTS).and_then(Value::as_integer)?;
    Some((word, u64::try_from(documents).unwrap_or_default()))
}

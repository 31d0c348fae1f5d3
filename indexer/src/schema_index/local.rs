//! The schema index inside the index folder: words in a Tantivy index, vectors in a memory-mapped file that is
//! scanned exhaustively. Writer and reader are in this file.

use super::{LegHit, SchemaDocument, SchemaIndex, SchemaIndexError, SchemaKind};
use crate::health::IntegrityAlarm;
use crate::lexical::{NameDocument, NameIndex, NameIndexWriter, NameQuery, Named};
use async_trait::async_trait;
use eruca_language::{is_function_word, related_words};
use memmap2::Mmap;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::Path;

/// Version of the stored format; a change makes older indexes unreadable.
pub const SCHEMA_FORMAT: u32 = 5;

const TERMS_FOLDER: &str = "terms";
const VECTORS_FILE: &str = "vectors.f32";
const VECTORS_HEAD: &str = "vectors.json";

#[derive(Debug, Serialize, Deserialize)]
struct StoredTerm {
    iri: String,
    names: Vec<String>,
    usage: u64,
    /// Only for writing: nothing that is found shows it.
    #[serde(skip)]
    text: String,
}

impl Named for StoredTerm {
    fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    fn uses(&self) -> u64 {
        self.usage
    }

    fn prose(&self) -> Option<&str> {
        Some(self.text.as_str()).filter(|text| !text.is_empty())
    }
}

/// Maps vectors to terms.
#[derive(Debug, Serialize, Deserialize)]
struct VectorHead {
    dimension: usize,
    rows: Vec<(String, String)>,
}

/// The schema index in a folder.
pub struct LocalSchemaIndex {
    terms: NameIndex,
    vectors: Option<Vectors>,
}

impl LocalSchemaIndex {
    /// Writes the index into `folder`; `vectors` are the documents' embeddings in the same order.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn write(
        folder: &Path,
        documents: &[SchemaDocument],
        vectors: Option<&[Vec<f32>]>,
    ) -> Result<(), SchemaIndexError> {
        let mut writer = NameIndexWriter::create(&folder.join(TERMS_FOLDER))?;
        for document in documents {
            writer.add(NameDocument {
                id: format!("{} {}", document.kind.as_str(), document.iri),
                filters: vec![document.kind.as_str().to_owned()],
                record: StoredTerm {
                    iri: document.iri.clone(),
                    names: document.names.clone(),
                    usage: document.usage,
                    text: document.text.clone(),
                },
            })?;
        }
        writer.finish()?;
        match vectors {
            Some(vectors) => Vectors::write(folder, documents, vectors),
            None => Ok(()),
        }
    }

    /// Opens the index in `folder`; searches that fail raise the alarm.
    ///
    /// # Errors
    /// When there is none or it is damaged.
    pub(crate) fn open(folder: &Path, alarm: &IntegrityAlarm) -> Result<Self, SchemaIndexError> {
        Ok(Self {
            terms: NameIndex::open(&folder.join(TERMS_FOLDER), alarm)?,
            vectors: Vectors::open(folder)?,
        })
    }
}

#[async_trait]
impl SchemaIndex for LocalSchemaIndex {
    async fn lexical(
        &self,
        kind: SchemaKind,
        text: &str,
        limit: usize,
    ) -> Result<Vec<LegHit>, SchemaIndexError> {
        let query = NameQuery {
            filters: vec![kind.as_str().to_owned()],
            alternatives: &related_words,
            ignored: &is_function_word,
            ..NameQuery::new(text, limit)
        };
        let hits = self.terms.search::<StoredTerm>(&query)?;
        Ok(hits.into_iter().map(|hit| LegHit { iri: hit.record.iri, score: hit.score }).collect())
    }

    async fn dense(
        &self,
        kind: SchemaKind,
        vector: &[f32],
        limit: usize,
    ) -> Result<Vec<LegHit>, SchemaIndexError> {
        Ok(self.vectors.as_ref().map_or_else(Vec::new, |vectors| vectors.nearest(kind, vector, limit)))
    }

    fn has_vectors(&self) -> bool {
        self.vectors.is_some()
    }
}

/// Unit vectors, row by row, little-endian.
struct Vectors {
    head: VectorHead,
    data: Mmap,
}

impl Vectors {
    fn write(
        folder: &Path,
        documents: &[SchemaDocument],
        vectors: &[Vec<f32>],
    ) -> Result<(), SchemaIndexError> {
        let failed = |error: std::io::Error| SchemaIndexError::Vectors(error.to_string());
        let dimension = vectors.first().map_or(0, Vec::len);
        let rows = documents.iter().map(|d| (d.kind.as_str().to_owned(), d.iri.clone())).collect();
        let head = serde_json::to_vec(&VectorHead { dimension, rows })
            .map_err(|e| SchemaIndexError::Vectors(e.to_string()))?;
        let bytes: Vec<u8> = vectors.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        std::fs::write(folder.join(VECTORS_FILE), bytes).map_err(failed)?;
        std::fs::write(folder.join(VECTORS_HEAD), head).map_err(failed)
    }

    fn open(folder: &Path) -> Result<Option<Self>, SchemaIndexError> {
        let path = folder.join(VECTORS_HEAD);
        if !path.exists() {
            return Ok(None);
        }
        let failed = |error: &dyn std::fmt::Display| SchemaIndexError::Vectors(error.to_string());
        let head: VectorHead =
            serde_json::from_slice(&std::fs::read(path).map_err(|e| failed(&e))?).map_err(|e| failed(&e))?;
        let file = File::open(folder.join(VECTORS_FILE)).map_err(|e| failed(&e))?;
        // SAFETY: index files are written once and then only replaced as a whole folder, never changed in place.
        let data = unsafe { Mmap::map(&file) }.map_err(|e| failed(&e))?;
        let wanted =
            head.rows.len().checked_mul(head.dimension).and_then(|n| n.checked_mul(size_of::<f32>()));
        if wanted != Some(data.len()) {
            let said = format!("{VECTORS_FILE} has {} bytes, which {VECTORS_HEAD} does not say", data.len());
            return Err(failed(&said));
        }
        Ok(Some(Self { head, data }))
    }

    /// The nearest rows of a kind by cosine similarity (the vectors have unit length), ties by IRI.
    fn nearest(&self, kind: SchemaKind, vector: &[f32], limit: usize) -> Vec<LegHit> {
        if vector.len() != self.head.dimension || vector.is_empty() {
            return Vec::new();
        }
        let rows = self.data.chunks_exact(self.head.dimension * size_of::<f32>());
        let mut hits: Vec<LegHit> = self
            .head
            .rows
            .iter()
            .zip(rows)
            .filter(|((row_kind, _), _)| row_kind == kind.as_str())
            .map(|((_, iri), row)| LegHit { iri: iri.clone(), score: dot(row, vector) })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.iri.cmp(&b.iri)));
        hits.truncate(limit);
        hits
    }
}

fn dot(row: &[u8], vector: &[f32]) -> f32 {
    let (values, _) = row.as_chunks::<{ size_of::<f32>() }>();
    let values = values.iter().map(|bytes| f32::from_le_bytes(*bytes));
    values.zip(vector).map(|(a, b)| a * b).sum()
}

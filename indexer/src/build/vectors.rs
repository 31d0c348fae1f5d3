//! The parts of a build that have vectors: classes and properties, and the passages of texts.

use super::{BuildError, BuildOptions, IndexTarget, SCHEMA, TEXTS};
use crate::card::DatasetCard;
use crate::embedding::{Embedder, EmbeddingError, Purpose};
use crate::manifest::EmbeddingStamp;
use crate::progress::Progress;
use crate::qdrant::NewCollection;
use crate::schema_index::{LocalSchemaIndex, QdrantSchemaIndex, SchemaDocument, documents};
use crate::texts::{TextsStamp, VectorTarget, left_out, write_vectors};
use std::path::Path;

/// Number of texts embedded between two progress reports.
const EMBEDDING_STEP: usize = 128;

/// What was written with vectors.
pub(super) struct Written {
    pub(super) embedding: Option<EmbeddingStamp>,
    /// The new collections, if they are in a Qdrant server.
    pub(super) schema: Option<NewCollection>,
    pub(super) passages: Option<NewCollection>,
}

pub(super) async fn write_schema(
    options: &BuildOptions<'_>,
    folder: &Path,
    card: &DatasetCard,
    progress: &dyn Progress,
) -> Result<Written, BuildError> {
    let documents = documents(card);
    progress.begin("writing classes and properties", Some(documents.len() as u64));
    let vectors = match options.embedder {
        Some(embedder) => Some(embed(embedder, &documents, progress).await?),
        None => None,
    };
    let schema = match &options.schema_target {
        IndexTarget::Folder => {
            LocalSchemaIndex::write(&folder.join(SCHEMA), &documents, vectors.as_deref())?;
            None
        }
        IndexTarget::Qdrant(qdrant) => {
            Some(QdrantSchemaIndex::write(qdrant, options.folder, &documents, vectors.as_deref()).await?)
        }
    };
    progress.end(&format!("{} documents", documents.len()));
    let stamp = |embedder: &dyn Embedder| EmbeddingStamp {
        model: embedder.model().to_owned(),
        dimension: embedder.dimension(),
    };
    Ok(Written { embedding: options.embedder.map(stamp), schema, passages: None })
}

async fn embed(
    embedder: &dyn Embedder,
    documents: &[SchemaDocument],
    progress: &dyn Progress,
) -> Result<Vec<Vec<f32>>, EmbeddingError> {
    let mut vectors = Vec::with_capacity(documents.len());
    for batch in documents.chunks(EMBEDDING_STEP) {
        let texts = batch.iter().map(SchemaDocument::embedding_text).collect();
        vectors.extend(embedder.embed(texts, Purpose::Document).await?);
        progress.advance(batch.len() as u64);
    }
    Ok(vectors)
}

/// Embeds the passages, if they are to have vectors. Returns a note if they should and cannot.
pub(super) async fn write_texts(
    options: &BuildOptions<'_>,
    folder: &Path,
    stamp: &mut TextsStamp,
    written: &mut Written,
    progress: &dyn Progress,
) -> Result<Option<String>, BuildError> {
    let wanted = options.texts.is_some_and(|texts| texts.vectors) && stamp.passages > 0;
    let Some(embedder) = options.embedder.filter(|_| wanted) else { return Ok(None) };
    let target = match &options.schema_target {
        IndexTarget::Folder => VectorTarget::Folder,
        IndexTarget::Qdrant(qdrant) => VectorTarget::Qdrant(qdrant, options.folder),
    };
    if let Some(note) = left_out(stamp.passages, &target) {
        stamp.vectors_left_out = true;
        return Ok(Some(note));
    }
    match write_vectors(&folder.join(TEXTS), embedder, &target, progress).await {
        Ok((vectors, collection)) => {
            stamp.vectors = Some(vectors);
            written.passages = collection;
            Ok(None)
        }
        Err(error) => {
            NewCollection::discard_all(&written.schema.iter().collect::<Vec<_>>()).await;
            Err(error.into())
        }
    }
}

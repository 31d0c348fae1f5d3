//! The end of a build: writes card and manifest, with the checksums of all files.

use super::{BuildOptions, BuildSummary, CARD, GRAPH};
use crate::card::DatasetCard;
use crate::checksums;
use crate::folder::NewVersion;
use crate::manifest::{Backend, EmbeddingStamp, FORMAT, Manifest};
use crate::origin::BuiltFrom;
use crate::qdrant::NewCollection;
use crate::vocabulary::Vocabulary;
use std::collections::BTreeMap;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

pub(super) fn manifest(
    source: BuiltFrom,
    vocabulary: Vocabulary,
    summary: &BuildSummary,
    embedding: Option<EmbeddingStamp>,
    collection: Option<&NewCollection>,
) -> Manifest {
    Manifest {
        format: FORMAT.to_owned(),
        parts: Manifest::current_parts(),
        built_by: env!("CARGO_PKG_VERSION").to_owned(),
        built_at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
        source,
        files_format: None,
        graphs: Vec::new(),
        without: None,
        vocabulary,
        notes: summary.notes.clone(),
        unread: summary.unread.clone(),
        triples: summary.triples,
        skipped: summary.skipped,
        entities: summary.entities,
        values: summary.values,
        classes: summary.classes,
        properties: summary.properties,
        texts: None,
        embedding,
        schema_backend: Backend::of(collection),
        names_backend: Backend::Local,
        // Filled in once all files have been written.
        files: BTreeMap::new(),
    }
}

/// Writes the card and, as the last file, the manifest with the checksums of all files.
pub(super) fn seal(
    options: &BuildOptions<'_>,
    version: &NewVersion,
    card: &DatasetCard,
    mut manifest: Manifest,
) -> std::io::Result<()> {
    let file = std::fs::File::create(version.folder().join(CARD))?;
    serde_json::to_writer(&file, card)?;
    file.sync_all()?;
    let summing = Instant::now();
    manifest.files = checksums::of_folder(version.folder(), GRAPH)?;
    let bytes: u64 = manifest.files.values().map(|sum| sum.bytes).sum();
    manifest.write(version.folder())?;
    tracing::debug!(index = %options.folder.display(), bytes, took = ?summing.elapsed(), "index sealed");
    Ok(())
}

//! The last steps of a build, whether one job has read the graph or several their shares: classes and properties are written, and
//! the version is sealed and published.

use super::names::WrittenNames;
use super::read::ReadSource;
use super::share_files::ShareFile;
use super::vectors::{Written, write_schema, write_texts};
use super::{BuildError, BuildOptions, BuildSummary, ServerNames, folder_error, seal, seen};
use crate::card::DatasetCard;
use crate::folder::NewVersion;
use crate::manifest::{Backend, Manifest};
use crate::origin::BuiltFrom;
use crate::progress::Progress;
use crate::qdrant::NewCollection;
use crate::texts::TextsStamp;
use crate::vocabulary::Vocabulary;
use std::time::Instant;

/// What is known once the graph has been read and its names are written.
pub(super) struct Finished {
    pub(super) source: BuiltFrom,
    pub(super) vocabulary: Vocabulary,
    pub(super) card: DatasetCard,
    /// Quads read.
    pub(super) triples: u64,
    pub(super) skipped: u64,
    pub(super) skipped_reasons: Vec<String>,
    pub(super) file_notes: Vec<String>,
    pub(super) names: WrittenNames,
    pub(super) texts: Option<TextsStamp>,
    /// What is missing from the source.
    pub(super) notes: Vec<String>,
    pub(super) unread: Vec<String>,
}

impl Finished {
    /// What one job has read. `notes` come after those on the source.
    pub(super) fn of_files(
        source: BuiltFrom,
        read: ReadSource,
        card: DatasetCard,
        names: WrittenNames,
        notes: Vec<String>,
    ) -> Self {
        Self {
            source,
            vocabulary: read.graph.vocabulary().clone(),
            card,
            triples: read.graph.quads_read(),
            skipped: read.skipped,
            skipped_reasons: read.reasons,
            file_notes: read.notes,
            notes: read.left_out.into_iter().chain(notes).chain(names.note()).collect(),
            names,
            texts: None,
            unread: read.unread,
        }
    }

    /// What the jobs of all shares have read.
    pub(super) fn of_shares(shares: ShareFile) -> Self {
        let (card, uncounted) = shares.counted.card(&shares.vocabulary, &shares.prefixes, shares.quads);
        Self {
            source: shares.source,
            vocabulary: shares.vocabulary,
            card,
            triples: shares.quads,
            skipped: shares.skipped,
            skipped_reasons: shares.skipped_reasons,
            file_notes: shares.file_notes,
            notes: shares.left_out.into_iter().chain(uncounted).chain(shares.names.note()).collect(),
            names: shares.names,
            texts: None,
            unread: shares.unread,
        }
    }

    fn summary(&self, options: &BuildOptions<'_>, written: &Written, started: Instant) -> BuildSummary {
        let search = |has: bool| match written.embedding.as_ref().filter(|_| has) {
            Some(stamp) => format!("bm25+dense ({})", stamp.model),
            None => "bm25".to_owned(),
        };
        let of_origin = options.origin.iter().flat_map(|origin| origin.notes.clone());
        BuildSummary {
            index: options.folder.to_owned(),
            triples: self.triples,
            skipped: self.skipped,
            skipped_reasons: self.skipped_reasons.clone(),
            file_notes: self.file_notes.clone(),
            entities: self.names.entities,
            values: self.names.values,
            passages: self.texts.as_ref().map_or(0, |stamp| stamp.passages),
            text_search: search(self.texts.as_ref().is_some_and(|stamp| stamp.vectors.is_some())),
            classes: self.card.classes.len() as u64,
            properties: self.card.properties.len() as u64,
            languages: self.card.languages.clone(),
            schema_search: search(true),
            notes: of_origin.chain(self.notes.clone()).collect(),
            unread: self.unread.clone(),
            seen: Vec::new(),
            elapsed: started.elapsed(),
        }
    }
}

/// Writes classes, properties and vectors, and makes the version the current one.
pub(super) async fn finish(
    options: &BuildOptions<'_>,
    version: NewVersion,
    mut finished: Finished,
    server: Option<ServerNames<'_>>,
    started: Instant,
    progress: &dyn Progress,
) -> Result<BuildSummary, BuildError> {
    let mut written = write_schema(options, version.folder(), &finished.card, progress).await?;
    if let Some(stamp) = &mut finished.texts {
        finished.notes.extend(write_texts(options, version.folder(), stamp, &mut written, progress).await?);
    }
    let mut summary = finished.summary(options, &written, started);
    let manifest = manifest(options, &finished, &summary, &written, server);
    let sealed = seal::seal(options, &version, &finished.card, manifest);
    if sealed.is_ok() {
        summary.seen = seen::build_each(options, version.folder(), &finished.card.prefixes, progress).await?;
    }
    let published = sealed.and_then(|()| version.publish());
    let names = server.map(|names| names.new);
    let collections: Vec<&NewCollection> =
        written.schema.iter().chain(&written.passages).chain(names).collect();
    match &published {
        Ok(_) => NewCollection::publish_all(&collections).await,
        Err(_) => NewCollection::discard_all(&collections).await,
    }
    published.map_err(|source| folder_error(options, source))?;
    Ok(BuildSummary { elapsed: started.elapsed(), ..summary })
}

fn manifest(
    options: &BuildOptions<'_>,
    finished: &Finished,
    summary: &BuildSummary,
    written: &Written,
    server: Option<ServerNames<'_>>,
) -> Manifest {
    let (source, vocabulary) = (finished.source.clone(), finished.vocabulary.clone());
    Manifest {
        texts: finished.texts.clone(),
        names_backend: Backend::of(server.map(|names| names.new)),
        graphs: options.graphs.to_vec(),
        files_format: options.format.map(|format| format.name().to_owned()),
        without: options.without.as_ref().map(|without| without.seal.clone()),
        ..seal::manifest(source, vocabulary, summary, written.embedding.clone(), written.schema.as_ref())
    }
}

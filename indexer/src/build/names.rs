//! Writes the names of a graph: entities and values, prepared on all cores.

use super::BuildOptions;
use crate::entity_index::EntityIndexWriter;
use crate::extract::{Entities, ExtractedEntity, Graph, PropertyValue, Roles, values};
use crate::lexical::{LexicalError, NamesUpload, PreparedDocument, WordFiles};
use crate::progress::Progress;
use crate::record_index::RecordTarget;
use crate::value_index::ValueIndexWriter;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of nodes turned into documents in parallel between two writes.
const NODES_AT_ONCE: u32 = 16_384;
/// Number of values turned into documents in parallel between two writes.
const VALUES_AT_ONCE: usize = 8_192;

/// Where entities and values are written to.
#[derive(Clone, Copy)]
pub(super) enum NamesTarget<'a> {
    /// The folders of a version.
    Folders {
        /// That of entities.
        entities: &'a Path,
        /// That of values.
        values: &'a Path,
    },
    /// A new collection in a Qdrant server.
    Server(&'a NamesUpload),
    /// The same for a share of a graph; the words of its names go to files.
    Share {
        /// The collection.
        upload: &'a NamesUpload,
        /// The files.
        words: &'a WordFiles,
    },
}

impl<'a> NamesTarget<'a> {
    fn entities(self) -> RecordTarget<'a> {
        match self {
            Self::Folders { entities, .. } => RecordTarget::Folder(entities),
            Self::Server(upload) => RecordTarget::Server(upload, None),
            Self::Share { upload, words } => RecordTarget::Server(upload, Some(&words.entities)),
        }
    }

    fn values(self) -> RecordTarget<'a> {
        match self {
            Self::Folders { values, .. } => RecordTarget::Folder(values),
            Self::Server(upload) => RecordTarget::Server(upload, None),
            Self::Share { upload, words } => RecordTarget::Server(upload, Some(&words.values)),
        }
    }
}

/// Numbers of the names written.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct WrittenNames {
    pub(super) entities: u64,
    pub(super) values: u64,
    /// Labels left out of entities with too many.
    labels_cut: u64,
}

impl WrittenNames {
    /// Adds those of another share of the graph.
    pub(super) fn add(&mut self, other: Self) {
        self.entities += other.entities;
        self.values += other.values;
        self.labels_cut += other.labels_cut;
    }

    /// A note on the labels that were left out, if any.
    pub(super) fn note(&self) -> Option<String> {
        (self.labels_cut > 0).then(|| {
            format!(
                "labels of things that have more than a search compares: {} are left out, those of the preferred languages last",
                self.labels_cut
            )
        })
    }
}

/// Writes entities and values.
pub(super) fn write_names(
    options: &BuildOptions<'_>,
    target: NamesTarget<'_>,
    graph: &Graph,
    roles: &Roles,
    progress: &dyn Progress,
) -> Result<WrittenNames, LexicalError> {
    let nodes = u32::try_from(graph.node_count()).unwrap_or(u32::MAX);
    progress.begin("writing entities", Some(u64::from(nodes)));
    let mut writer = EntityIndexWriter::create(target.entities())?;
    let (entities, cut) = (Entities::new(graph, roles), AtomicU64::new(0));
    for start in (0..nodes).step_by(NODES_AT_ONCE as usize) {
        let end = nodes.min(start.saturating_add(NODES_AT_ONCE));
        let counted = |extracted: ExtractedEntity| {
            cut.fetch_add(u64::from(extracted.labels_cut), Ordering::Relaxed);
            EntityIndexWriter::prepare(extracted.entity)
        };
        let prepare = |part| entities.among(part).map(counted).collect();
        for document in parts(start..end).in_parallel(prepare)? {
            writer.add(document)?;
        }
        graph.release();
        progress.advance(u64::from(end - start));
    }
    drop(entities);
    let entities = writer.finish()?;
    progress.end(&format!("{entities} entities"));
    progress.begin("writing values", None);
    let values = write_values(options, target, graph, roles)?;
    progress.end(&format!("{values} values"));
    Ok(WrittenNames { entities, values, labels_cut: cut.into_inner() })
}

fn write_values(
    options: &BuildOptions<'_>,
    target: NamesTarget<'_>,
    graph: &Graph,
    roles: &Roles,
) -> Result<u64, LexicalError> {
    let mut writer = ValueIndexWriter::create(target.values())?;
    let mut batch = Vec::new();
    let mut write = |batch: &mut Vec<PropertyValue>| {
        let parts = batch.chunks(batch.len().div_ceil(threads()).max(1)).map(<[PropertyValue]>::to_vec);
        let prepare = |part: Vec<PropertyValue>| part.into_iter().map(ValueIndexWriter::prepare).collect();
        for document in WorkParts(parts.collect()).in_parallel(prepare)? {
            writer.add(document)?;
        }
        batch.clear();
        Ok::<_, LexicalError>(())
    };
    values(graph, roles, options.max_value_chars, |record| {
        batch.push(record);
        if batch.len() < VALUES_AT_ONCE { Ok(()) } else { write(&mut batch) }
    })?;
    write(&mut batch)?;
    writer.finish()
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The parts of some work.
struct WorkParts<T>(Vec<T>);

/// A range of numbers divided into as many parts as there are threads.
fn parts(range: Range<u32>) -> WorkParts<Range<u32>> {
    let size = range.len().div_ceil(threads()).max(1);
    let part = |start: u32| start..range.end.min(start.saturating_add(size as u32));
    WorkParts(range.clone().step_by(size).map(part).collect())
}

impl<T: Send> WorkParts<T> {
    /// Builds and sorts the documents of each part in a thread of its own; they are returned in the order of the
    /// parts.
    fn in_parallel(
        self,
        work: impl Fn(T) -> Result<Vec<PreparedDocument>, LexicalError> + Sync,
    ) -> Result<impl Iterator<Item = PreparedDocument>, LexicalError> {
        let work = |part| {
            let mut documents = work(part)?;
            PreparedDocument::sort(&mut documents);
            Ok(documents)
        };
        let work = &work;
        let done: Vec<Result<Vec<PreparedDocument>, LexicalError>> = std::thread::scope(|scope| {
            let running: Vec<_> = self.0.into_iter().map(|part| scope.spawn(move || work(part))).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            running.into_iter().map(join).collect()
        });
        Ok(done.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten())
    }
}

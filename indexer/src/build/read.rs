//! Reads the files of a build: parsed on one thread, counted on another, and passed on to what else takes the quads.

use super::recorder::GraphRecorder;
use super::{BuildError, BuildOptions, MAX_LITERAL_CHARS, folder_error};
use crate::extract::{Graph, GraphBuilder, Share, Space};
use crate::missing_names;
use crate::progress::Progress;
use crate::source::{ReadOptions, ReadSummary};
use crate::texts::{TextsBuild, TextsError};
use oxrdf::{GraphName, Quad};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

/// Quads per batch from the parsing thread to the counting one, and how many batches it may be ahead.
const QUADS_AT_ONCE: usize = 4_096;
const READ_AHEAD: usize = 16;
/// Maximum number of notes kept on unreadable parts, and of reasons reported if nothing could be read.
const MAX_UNREAD: usize = 10;
const MAX_REASONS_OF_NOTHING: usize = 3;

/// The content of all files.
pub(super) struct ReadSource {
    pub(super) graph: Graph,
    pub(super) skipped: u64,
    pub(super) reasons: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) left_out: Vec<String>,
    pub(super) unread: Vec<String>,
    pub(super) prefixes: Vec<(String, String)>,
}

/// What takes the quads besides the graph.
pub(super) struct Receivers<'a, 'b> {
    pub(super) recorder: Option<&'a GraphRecorder>,
    pub(super) texts: Option<&'a mut TextsBuild<'b>>,
}

impl Receivers<'_, '_> {
    fn add(&mut self, quads: &Arc<Vec<Quad>>) -> Result<(), TextsError> {
        if let Some(recorder) = self.recorder {
            recorder.add(quads);
        }
        if let Some(texts) = &mut self.texts {
            return quads.iter().try_for_each(|quad| texts.add_quad(quad)).map_err(TextsError::from);
        }
        Ok(())
    }
}

pub(super) async fn read(
    options: &BuildOptions<'_>,
    (files, share): (&[PathBuf], Option<Share>),
    space: Space,
    mut receivers: Receivers<'_, '_>,
    progress: &dyn Progress,
) -> Result<ReadSource, BuildError> {
    let disk = |source| folder_error(options, source);
    let mut builder =
        GraphBuilder::new(MAX_LITERAL_CHARS.max(options.max_value_chars), &options.vocabulary, space)
            .map_err(disk)?
            .of_share(share, &options.vocabulary);
    let (mut skipped, mut reasons, mut prefixes) = (0, Vec::new(), options.prefixes.to_vec());
    let (mut notes, mut left_out, mut unread) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        let bytes = std::fs::metadata(file).ok().map(|data| data.len());
        progress.begin(&format!("reading {}", file.display()), bytes);
        let summary = read_file(file, options, &mut builder, &mut receivers, progress)?;
        progress.end(&format!("{} triples", summary.quads));
        skipped += summary.skipped;
        reasons.extend(summary.reasons);
        notes.extend(summary.notes);
        left_out.extend(summary.left_out);
        unread.extend(summary.unread);
        prefixes.extend(summary.prefixes);
    }
    if let Some(recorder) = receivers.recorder {
        recorder.end();
    }
    let sees = |quad: &Quad| options.sees(quad);
    let unnamed = missing_names::complete(&mut builder, options.names_from, options.languages, sees)
        .await
        .map_err(disk)?;
    let graph = builder.finish().map_err(disk)?;
    // Somebody may see nothing of a graph.
    let is_empty = if graph.is_divided() { graph.quads_read() == 0 } else { graph.triple_count() == 0 };
    if is_empty && options.without.is_none() {
        reasons.truncate(MAX_REASONS_OF_NOTHING);
        return Err(BuildError::Empty {
            files: files.iter().map(|file| file.display().to_string()).collect(),
            reasons,
        });
    }
    left_out.extend(unnamed);
    Ok(ReadSource { graph, skipped, reasons, notes, left_out, unread: bounded(unread), prefixes })
}

/// The first notes on unreadable parts, which are reported with each answer.
fn bounded(mut unread: Vec<String>) -> Vec<String> {
    let more = unread.len().saturating_sub(MAX_UNREAD);
    unread.truncate(MAX_UNREAD);
    unread.extend((more > 0).then(|| format!("{more} more notes of this kind")));
    unread
}

/// Whether a quad is in one of the graphs of the dataset, and not left out.
fn belongs(quad: &Quad, options: &BuildOptions<'_>) -> bool {
    let is_named = |name: &str| options.graphs.iter().any(|graph| graph == name);
    let is_in = options.graphs.is_empty()
        || matches!(&quad.graph_name, GraphName::NamedNode(name) if is_named(name.as_str()));
    is_in && options.sees(quad)
}

/// Parses in a separate thread and adds to the graph in this one.
fn read_file(
    file: &Path,
    options: &BuildOptions<'_>,
    builder: &mut GraphBuilder,
    receivers: &mut Receivers<'_, '_>,
    progress: &dyn Progress,
) -> Result<ReadSummary, BuildError> {
    let (sender, receiver) = sync_channel::<Vec<Quad>>(READ_AHEAD);
    std::thread::scope(|scope| {
        let reading = scope.spawn(move || {
            let mut batch = Vec::with_capacity(QUADS_AT_ONCE);
            let how = ReadOptions {
                skip_errors: options.skip_errors,
                wikibase_base: options.vocabulary.base.as_deref(),
                format: options.format,
            };
            let read = how.quads(file, progress, &mut |quad| {
                if belongs(&quad, options) {
                    batch.push(quad);
                }
                if batch.len() == QUADS_AT_ONCE {
                    // Sending fails if the other thread has stopped, for example on a full disk; that thread reports the error.
                    let _ = sender.send(std::mem::replace(&mut batch, Vec::with_capacity(QUADS_AT_ONCE)));
                }
            });
            let _ = sender.send(batch);
            read
        });
        let added = receiver.into_iter().map(Arc::new).try_for_each(|quads| {
            receivers.add(&quads)?;
            let added = quads.iter().try_for_each(|quad| builder.add(quad));
            added.map_err(|source| folder_error(options, source))
        });
        let read = reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        added?;
        Ok(read)
    })
}

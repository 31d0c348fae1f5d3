//! Builds the index of one share of a graph (`eruca index --part I/N`), and puts the shares together (`--merge`).
//!
//! Each job reads all files, sends the names of its share to a collection that all jobs of the build know, and leaves two kinds
//! of files in the index folder: what it counted, and the words of its names. The last job needs these files and the server
//! alone: it adds the counts and the words, writes classes and properties, and publishes the index as any build does. A job that
//! failed is simply run again: it sends the same points once more.

use super::finish::{Finished, finish};
use super::names::{NamesTarget, write_names};
use super::read::{ReadSource, Receivers, read};
use super::share_files::{ShareFile, ShareFiles};
use super::{
    BuildError, BuildOptions, BuildSummary, IndexTarget, ServerNames, built_from, folder_error,
    shown_prefixes,
};
use crate::extract::{Roles, Share, Space, count, knows_classes};
use crate::folder::NewVersion;
use crate::lexical::{NamesUpload, Part, RemoteNamesWriter};
use crate::progress::Progress;
use crate::qdrant::QdrantOptions;
use crate::source::expand_patterns;
use eruca_sparql::Prefixes;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Why a graph cannot be indexed in shares, or these not be put together.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShareError {
    /// The names have no place that all jobs can write to.
    #[error(
        "parts are built for names on a Qdrant server, which all jobs can reach: set `[entity_index] backend = \"qdrant\"`"
    )]
    NoServer,
    /// The graph itself would have to be stored.
    #[error(
        "a dataset without an endpoint is answered from its own store, which one job writes: configure the endpoint that has \
         the graph, beside its files"
    )]
    NoEndpoint,
    /// There are texts beside the graph.
    #[error("texts beside the graph are indexed in one build only: leave out `--part`, or the texts")]
    Texts,
    /// Something is hidden from somebody.
    #[error(
        "where something is hidden from a role, an index is built for each in one build only: leave out `--part`, or what is hidden"
    )]
    Hidden,
    /// Which property leads to classes became known too late.
    #[error(
        "instances lead to their classes by <{type_property}>, and these to others by <{subclass_property}>, which became known \
         when the files had been read: write `type_property` and `subclass_property` into the dataset's settings"
    )]
    LateTypes {
        /// The property that was found.
        type_property: String,
        /// The same for superclasses.
        subclass_property: String,
    },
    /// There is nothing to put together.
    #[error(
        "there are no parts in '{0}': build each with `eruca index --part I/N`, and copy their files here if they were built elsewhere"
    )]
    None(PathBuf),
    /// Not all shares are there.
    #[error("in '{folder}', there are {found} of {of} parts; missing: {}", missing.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))]
    Incomplete {
        /// The folder of the build's files.
        folder: PathBuf,
        /// How many there are.
        found: usize,
        /// How many there should be.
        of: u32,
        /// The numbers of those that are not there.
        missing: Vec<u32>,
    },
    /// A file of a share cannot be read.
    #[error("'{path}' is no file of a part that this version can read ({reason}): build the part again")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// What a job made of its share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareSummary {
    /// The share.
    pub share: Share,
    /// The folder with its files.
    pub folder: PathBuf,
    /// Triples read, those of other shares included.
    pub triples: u64,
    /// Entities of the share.
    pub entities: u64,
    /// Values of the share.
    pub values: u64,
    /// The shares of this build that are there, this one included.
    pub there: Vec<u32>,
    /// Wall-clock time.
    pub elapsed: Duration,
}

/// Builds the index of a share.
///
/// # Errors
/// When the dataset cannot be divided, the source cannot be read, or the index cannot be written. The share's files are then
/// those of an earlier job, if any.
pub async fn build_share(
    options: &BuildOptions<'_>,
    share: Share,
    progress: &dyn Progress,
) -> Result<ShareSummary, BuildError> {
    let started = Instant::now();
    let server = divisible(options)?;
    let files = expand_patterns(options.files)?;
    let source = built_from(options, &files)?;
    let made = ShareFiles::of(options, &source, share.of());
    let work = made.start(share).map_err(|error| folder_error(options, error))?;
    let (upload, _) = NamesUpload::join(server, options.folder, made.id()).await?;
    let receivers = Receivers { recorder: None, texts: None };
    let read = read(options, (&files, Some(share)), Space::new(&work), receivers, progress).await?;
    refuse_late_types(options, &read)?;
    progress.begin("counting classes and properties", None);
    let roles = Roles::find(&read.graph, options.naming_properties, options.languages);
    let counted = count(&read.graph, &roles);
    progress.end("counted");
    let words = made.words(share);
    let target = NamesTarget::Share { upload: &upload, words: &words };
    let written = write_names(options, target, &read.graph, &roles, progress);
    let names = written.map_err(|source| BuildError::Index { folder: made.folder().to_owned(), source })?;
    let (entities, values, triples) = (names.entities, names.values, read.graph.quads_read());
    let prefixes = shown_prefixes(options, &read);
    let file = ShareFile::new(source, read, prefixes, counted, names);
    made.finish(share, &file).map_err(|error| folder_error(options, error))?;
    Ok(ShareSummary {
        share,
        folder: made.folder().to_owned(),
        triples,
        entities,
        values,
        there: made.there(),
        elapsed: started.elapsed(),
    })
}

/// The server for names, if the dataset can be divided.
fn divisible<'a>(options: &'a BuildOptions<'_>) -> Result<&'a QdrantOptions, ShareError> {
    let IndexTarget::Qdrant(server) = &options.names_target else { return Err(ShareError::NoServer) };
    if options.with_graph {
        return Err(ShareError::NoEndpoint);
    }
    if options.texts.is_some_and(|texts| !texts.is_empty()) {
        return Err(ShareError::Texts);
    }
    if !(options.hidden)(&Prefixes::well_known()).is_empty() {
        return Err(ShareError::Hidden);
    }
    Ok(server)
}

fn refuse_late_types(options: &BuildOptions<'_>, read: &ReadSource) -> Result<(), ShareError> {
    let found = read.graph.vocabulary();
    if knows_classes(&options.vocabulary, found) {
        return Ok(());
    }
    Err(ShareError::LateTypes {
        type_property: found.type_property.clone(),
        subclass_property: found.subclass_property.clone(),
    })
}

/// Puts the shares of a build together and makes the index the current one.
///
/// # Errors
/// When shares are missing, or the index cannot be written; in that case, the index in use is unchanged, and the shares are kept.
pub async fn merge_shares(
    options: &BuildOptions<'_>,
    progress: &dyn Progress,
) -> Result<BuildSummary, BuildError> {
    let started = Instant::now();
    let server = divisible(options)?;
    let made = ShareFiles::complete(options.folder)?;
    let version = NewVersion::start(options.folder).map_err(|error| folder_error(options, error))?;
    progress.begin("putting the parts together", Some(made.shares().count() as u64));
    let mut whole: Option<ShareFile> = None;
    let mut words = Vec::new();
    for share in made.shares() {
        let file = made.read(share)?;
        match &mut whole {
            Some(whole) => whole.merge(file),
            None => whole = Some(file),
        }
        words.push(made.words(share));
        progress.advance(1);
    }
    let whole = whole.ok_or_else(|| ShareError::None(options.folder.to_owned()))?;
    let (upload, new) = NamesUpload::join(server, options.folder, made.id()).await?;
    let sent = [Part::Entities, Part::Values]
        .into_iter()
        .try_for_each(|part| RemoteNamesWriter::send_words(&upload, part, &words));
    sent.map_err(|source| BuildError::Index { folder: made.folder().to_owned(), source })?;
    progress.end(&format!("{} entities, {} values", whole.names.entities, whole.names.values));
    let names = ServerNames { server, upload: &upload, new: &new };
    let finished = Finished::of_shares(whole);
    let summary = finish(options, version, finished, Some(names), started, progress).await?;
    made.remove();
    Ok(summary)
}

//! The files that the jobs of a build in shares leave in the index folder: `parts/BUILD/I-of-N.json` with what was counted, and
//! `I-of-N.entities` and `I-of-N.values` with the words of the names.
//!
//! BUILD follows from the files and settings: so jobs on several machines mean the same build, and one of other files or
//! settings is another. A share's file of counts is written last, when its names are stored.

use super::names::WrittenNames;
use super::read::ReadSource;
use super::share::ShareError;
use super::{BuildOptions, MAX_LITERAL_CHARS};
use crate::extract::{CountedSchema, Share};
use crate::lexical::WordFiles;
use crate::manifest::FORMAT;
use crate::origin::BuiltFrom;
use crate::own_files;
use crate::source::GivenFormat;
use crate::vocabulary::Vocabulary;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use uuid::Uuid;

const PARTS: &str = "parts";
/// Changes when the stored form does.
const SHARE_FORMAT: &str = "eruca-part-1";

/// What a job found in its share.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ShareFile {
    format: String,
    pub(super) source: BuiltFrom,
    pub(super) vocabulary: Vocabulary,
    pub(super) prefixes: Vec<(String, String)>,
    /// Quads read, those of other shares included.
    pub(super) quads: u64,
    pub(super) skipped: u64,
    pub(super) skipped_reasons: Vec<String>,
    pub(super) file_notes: Vec<String>,
    /// What is missing from the source.
    pub(super) left_out: Vec<String>,
    pub(super) unread: Vec<String>,
    pub(super) names: WrittenNames,
    pub(super) counted: CountedSchema,
}

impl ShareFile {
    pub(super) fn new(
        source: BuiltFrom,
        read: ReadSource,
        prefixes: Vec<(String, String)>,
        counted: CountedSchema,
        names: WrittenNames,
    ) -> Self {
        Self {
            format: SHARE_FORMAT.to_owned(),
            source,
            vocabulary: read.graph.vocabulary().clone(),
            prefixes,
            quads: read.graph.quads_read(),
            skipped: read.skipped,
            skipped_reasons: read.reasons,
            file_notes: read.notes,
            left_out: read.left_out,
            unread: read.unread,
            names,
            counted,
        }
    }

    /// Adds another share. All jobs have read the same files, so that only counts and what concerns names differ.
    pub(super) fn merge(&mut self, other: Self) {
        self.left_out.extend(
            other.left_out.into_iter().filter(|note| !self.left_out.contains(note)).collect::<Vec<_>>(),
        );
        self.names.add(other.names);
        self.counted.merge(other.counted);
    }
}

/// The files of a build.
pub(super) struct ShareFiles {
    folder: PathBuf,
    id: Uuid,
    of: u32,
}

impl ShareFiles {
    /// Those of the build with these files and settings, in so many shares.
    pub(super) fn of(options: &BuildOptions<'_>, source: &BuiltFrom, of: u32) -> Self {
        let id = Uuid::new_v5(&Uuid::NAMESPACE_URL, what_decides(options, source, of).as_bytes());
        Self { folder: options.folder.join(PARTS).join(id.simple().to_string()), id, of }
    }

    /// Those of the build of which all shares are there; of several, the one whose last share is the newest.
    pub(super) fn complete(index: &Path) -> Result<Self, ShareError> {
        let builds = fs::read_dir(index.join(PARTS)).into_iter().flatten().flatten();
        let mut builds: Vec<Self> = builds.filter_map(|entry| Self::in_folder(entry.path())).collect();
        builds.sort_by_key(|build| (build.missing().is_empty(), build.written()));
        let Some(build) = builds.pop() else { return Err(ShareError::None(index.join(PARTS))) };
        let missing = build.missing();
        if missing.is_empty() {
            return Ok(build);
        }
        let Self { folder, of, .. } = build;
        Err(ShareError::Incomplete { folder, found: of as usize - missing.len(), of, missing })
    }

    /// The build of a folder, with the number of its shares from the name of one of their files.
    fn in_folder(folder: PathBuf) -> Option<Self> {
        let id = Uuid::try_parse(folder.file_name()?.to_str()?).ok()?;
        let files = fs::read_dir(&folder).ok()?.flatten();
        let of = files.filter_map(|file| {
            let name = file.file_name().into_string().ok()?;
            name.strip_suffix(".json")?.split_once("-of-")?.1.parse().ok()
        });
        let of = of.max()?;
        Some(Self { folder, id, of })
    }

    pub(super) fn id(&self) -> Uuid {
        self.id
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn shares(&self) -> impl Iterator<Item = Share> + use<> {
        Share::all(self.of)
    }

    /// The numbers of the shares that are there.
    pub(super) fn there(&self) -> Vec<u32> {
        let is_there = |share: &Share| self.counts(*share).is_file();
        self.shares().filter(is_there).map(Share::number).collect()
    }

    fn missing(&self) -> Vec<u32> {
        let there = self.there();
        self.shares().map(Share::number).filter(|number| !there.contains(number)).collect()
    }

    /// When the last of its shares was written.
    fn written(&self) -> Option<std::time::SystemTime> {
        let times = self.shares().filter_map(|share| fs::metadata(self.counts(share)).ok()?.modified().ok());
        times.max()
    }

    /// Starts a share; returns an empty folder for files that are needed only meanwhile.
    pub(super) fn start(&self, share: Share) -> io::Result<PathBuf> {
        let work = self.work(share);
        match fs::remove_dir_all(&work) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::create_dir_all(&work)?;
        Ok(work)
    }

    /// Writes what was found; the share is there from now on.
    pub(super) fn finish(&self, share: Share, file: &ShareFile) -> io::Result<()> {
        own_files::replace_file(&self.counts(share), &serde_json::to_vec(file)?)?;
        fs::remove_dir_all(self.work(share))
    }

    pub(super) fn read(&self, share: Share) -> Result<ShareFile, ShareError> {
        let path = self.counts(share);
        let damaged = |reason: String| ShareError::Damaged { path: path.clone(), reason };
        let bytes = fs::read(&path).map_err(|error| damaged(error.to_string()))?;
        let file: ShareFile = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
        if file.format != SHARE_FORMAT {
            return Err(damaged(format!("its format is not {SHARE_FORMAT}")));
        }
        Ok(file)
    }

    /// The files for the words of a share's names.
    pub(super) fn words(&self, share: Share) -> WordFiles {
        WordFiles { entities: self.file(share, "entities"), values: self.file(share, "values") }
    }

    /// Removes all files once they are part of an index. A failure only wastes space.
    pub(super) fn remove(&self) {
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            tracing::warn!(folder = %self.folder.display(), %error, "the files of the parts could not be removed");
        }
    }

    fn counts(&self, share: Share) -> PathBuf {
        self.file(share, "json")
    }

    fn work(&self, share: Share) -> PathBuf {
        self.file(share, "work")
    }

    fn file(&self, share: Share, ending: &str) -> PathBuf {
        self.folder.join(format!("{}-of-{}.{ending}", share.number(), share.of()))
    }
}

/// All that decides what is stored of the shares. The paths of files differ from machine to machine.
fn what_decides(options: &BuildOptions<'_>, source: &BuiltFrom, of: u32) -> String {
    let files: Vec<String> = match source {
        BuiltFrom::Files(files) => {
            files.iter().map(|file| format!("{} {}", file.bytes, file.fingerprint)).collect()
        }
        BuiltFrom::Endpoint { name, graphs } => vec![name.clone(), graphs.join(" ")],
    };
    let BuildOptions {
        languages, naming_properties, skip_errors, graphs, vocabulary, max_value_chars, ..
    } = options;
    format!(
        "{SHARE_FORMAT} {FORMAT} {of} {files:?} {languages:?} {naming_properties:?} {skip_errors} {:?} {graphs:?} {vocabulary:?} \
         {max_value_chars} {MAX_LITERAL_CHARS}",
        options.format.map(GivenFormat::name)
    )
}

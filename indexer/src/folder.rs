//! The index folder on disk: versions side by side and a pointer file that names the current one.
//!
//! ```text
//! INDEX/current                 the name of the current version, replaced by a rename (atomic)
//! INDEX/versions                the names of the versions started by builds in this folder
//! INDEX/lock                    held while a build runs
//! INDEX/download/               statements and journal of an endpoint's graph, until the index is built from them
//! INDEX/qdrant-collections      the collections started, if the schema index is in Qdrant
//! INDEX/parts/BUILD/            what the jobs of a build in shares have found, until the shares are put together
//! INDEX/v-…/manifest.json       what the version was built from, and the checksums of all files; written last
//! INDEX/v-…/.eruca-version      marks the folder as a version
//! INDEX/v-…/card.json           the dataset card
//! INDEX/v-…/graph/              the triples (package `eruca-store`)
//! INDEX/v-…/entities/           Tantivy: a document per resource with its names, description, types, degrees
//! INDEX/v-…/values/             Tantivy: a document per property and short literal
//! INDEX/v-…/schema/terms/       Tantivy: a document per class and per property; only with the backend `local`
//! …/rows.*, names.fst, priors.bin   beside each of these three: see `lexical`
//! INDEX/v-…/schema/vectors.f32, vectors.json   unit vectors row by row, little-endian, and the term of each row; only with
//!                               an embedding model and the backend `local`
//! INDEX/v-…/texts/              Tantivy: a document per passage of a text; only where there are texts
//! INDEX/v-…/texts/vectors.f32   the same of each passage, in the order of the documents; with an embedding model and the backend
//!                               `local`, up to 200,000 passages
//! INDEX/v-…/seen/SEAL/          an index folder of its own, without what is hidden from somebody
//! ```
//! A build writes a new version and then replaces the pointer; a crash leaves the old version in use, and the
//! next build removes the incomplete one. Only folders created by builds in this folder are removed, and none that
//! is open.
//!
//! A version that is open is locked by a shared lock on its marker. It is removed when its last user closes it,
//! or by the next build. A build removes only folders that are in the list and contain the marker, follows no
//! symbolic link, and is refused while another one runs. Tests: `tests`, `own_files.rs`, `tests/index_files.rs` of the
//! program.

mod hold;
mod versions;

pub use hold::{Hold, hold_current};

use crate::own_files;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use versions::Versions;

const POINTER: &str = "current";
const LOCK: &str = "lock";

/// The content of the pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Current {
    /// There is no pointer: no build was ever completed.
    None,
    /// The folder of a version.
    Version(PathBuf),
    /// It does not name an existing version.
    Damaged(String),
}

/// The folder of the current version.
pub fn current(index: &Path) -> Current {
    let name = match std::fs::read_to_string(index.join(POINTER)) {
        Ok(name) => name,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Current::None,
        Err(error) => return Current::Damaged(format!("{POINTER}: {error}")),
    };
    let name = name.trim();
    let folder = index.join(name);
    if !versions::is_name(name) {
        Current::Damaged(format!("{POINTER} names no version"))
    } else if !folder.is_dir() {
        Current::Damaged(format!("{POINTER} names the version {name}, which is not there"))
    } else {
        Current::Version(folder)
    }
}

/// The unique name of a version.
pub fn name_of(version: &Path) -> String {
    version.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A new version being written. If dropped without [`Self::publish`], it is removed.
pub struct NewVersion {
    index: PathBuf,
    name: String,
    folder: PathBuf,
    published: bool,
    versions: Versions,
    /// Held until the build ends.
    _lock: File,
}

impl NewVersion {
    /// Starts a new version; removes incomplete versions of earlier builds.
    ///
    /// # Errors
    /// When the folder cannot be written, or another build is running (`WouldBlock`).
    pub fn start(index: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(index)?;
        let lock = own_files::open(&index.join(LOCK))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => {
                io::Error::new(io::ErrorKind::WouldBlock, "another build of this index is running")
            }
            TryLockError::Error(error) => error,
        })?;
        let versions = Versions::of(index);
        let kept = match current(index) {
            Current::Version(folder) => Some(name_of(&folder)),
            Current::None | Current::Damaged(_) => None,
        };
        versions.keep_only(kept.as_deref())?;
        let (name, folder) = versions.begin()?;
        Ok(Self { index: index.to_owned(), name, folder, published: false, versions, _lock: lock })
    }

    /// The folder to write into.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes this version the current one and removes the others that are not in use.
    ///
    /// # Errors
    /// When the pointer cannot be replaced; the old version then stays current.
    pub fn publish(mut self) -> io::Result<PathBuf> {
        own_files::replace_file(&self.index.join(POINTER), self.name.as_bytes())?;
        self.published = true;
        if let Err(error) = self.versions.keep_only(Some(&self.name)) {
            tracing::warn!(index = %self.index.display(), %error, "the list of versions cannot be written");
        }
        Ok(self.folder.clone())
    }
}

impl Drop for NewVersion {
    fn drop(&mut self) {
        if !self.published
            && let Err(error) = std::fs::remove_dir_all(&self.folder)
        {
            tracing::warn!(folder = %self.folder.display(), %error, "a half-built index could not be removed");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(index: &Path) -> PathBuf {
        match current(index) {
            Current::Version(folder) => folder,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_dropped_build_leaves_the_old_version() {
        let index = tempfile::tempdir().unwrap();
        let first = NewVersion::start(index.path()).unwrap().publish().unwrap();
        let second = NewVersion::start(index.path()).unwrap();
        let half = second.folder().to_owned();
        drop(second);
        assert_eq!(version(index.path()), first);
        assert!(!half.exists());
    }

    #[test]
    fn a_new_version_replaces_the_old_and_what_a_crash_left() {
        let index = tempfile::tempdir().unwrap();
        let first = NewVersion::start(index.path()).unwrap().publish().unwrap();
        let mut crashed = NewVersion::start(index.path()).unwrap();
        crashed.published = true;
        let left = crashed.folder().to_owned();
        drop(crashed);
        assert!(left.exists());
        let second = NewVersion::start(index.path()).unwrap().publish().unwrap();
        assert_eq!(version(index.path()), second);
        assert!(!first.exists() && !left.exists());
    }

    #[test]
    fn a_version_that_is_in_use_is_removed_when_it_is_no_longer() {
        let index = tempfile::tempdir().unwrap();
        let first = NewVersion::start(index.path()).unwrap().publish().unwrap();
        let (found, hold) = hold_current(index.path());
        let other = hold_current(index.path()).1;
        assert!(found == Current::Version(first.clone()) && hold.is_some() && other.is_some());
        let second = NewVersion::start(index.path()).unwrap().publish().unwrap();
        assert!(first.exists() && version(index.path()) == second, "it is in use");
        drop(hold);
        assert!(first.exists(), "it is in use elsewhere");
        drop(other);
        assert!(!first.exists() && version(index.path()) == second);
        drop(hold_current(index.path()));
        assert!(second.exists());
    }

    #[test]
    fn folders_that_no_build_of_this_index_has_made_are_left_alone() {
        let (index, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let notes = index.path().join("v-notes");
        std::fs::create_dir(&notes).unwrap();
        std::fs::write(notes.join("manifest.json"), "{\"format\": \"mine\"}").unwrap();
        // A version of another index, including its marker.
        let foreign = NewVersion::start(other.path()).unwrap().publish().unwrap();
        let moved = index.path().join(foreign.file_name().unwrap());
        std::fs::rename(&foreign, &moved).unwrap();
        for _ in 0..2 {
            NewVersion::start(index.path()).unwrap().publish().unwrap();
        }
        assert!(notes.join("manifest.json").exists() && moved.exists());
    }

    #[test]
    fn a_version_whose_marker_is_gone_is_left_alone() {
        let index = tempfile::tempdir().unwrap();
        let first = NewVersion::start(index.path()).unwrap().publish().unwrap();
        std::fs::remove_dir_all(&first).unwrap();
        std::fs::create_dir(&first).unwrap();
        std::fs::write(first.join("letter.txt"), "mine").unwrap();
        NewVersion::start(index.path()).unwrap().publish().unwrap();
        assert!(first.join("letter.txt").exists());
    }

    #[test]
    fn two_builds_at_once_are_refused() {
        let index = tempfile::tempdir().unwrap();
        let _running = NewVersion::start(index.path()).unwrap();
        let refused = NewVersion::start(index.path()).err().unwrap();
        assert_eq!(refused.kind(), io::ErrorKind::WouldBlock);
    }

    #[test]
    fn a_pointer_to_elsewhere_is_no_version() {
        let index = tempfile::tempdir().unwrap();
        assert_eq!(current(index.path()), Current::None);
        for name in ["", "v-", "v-../..", "..", "v-gone", "/", "v-a/b"] {
            std::fs::write(index.path().join(POINTER), name).unwrap();
            assert!(matches!(current(index.path()), Current::Damaged(_)), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_in_the_place_of_own_files_are_refused_and_not_written_through() {
        for name in [LOCK, "current.new", "current", "versions", "versions.new"] {
            let index = tempfile::tempdir().unwrap();
            let target = index.path().join("target");
            std::fs::write(&target, "precious").unwrap();
            std::os::unix::fs::symlink(&target, index.path().join(name)).unwrap();
            let said = NewVersion::start(index.path()).and_then(NewVersion::publish).unwrap_err().to_string();
            assert!(said.contains(name) && said.contains("symbolic link"), "{name}: {said}");
            assert_eq!(std::fs::read_to_string(&target).unwrap(), "precious", "{name}");
        }
    }
}

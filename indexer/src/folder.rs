//! The index folder on disk: versions side by side and a pointer file that names the current one.
//!
//! ```text
//! INDEX/current            the name of the current version, replaced by a rename (atomic)
//! INDEX/v-…/               entities/ values/ schema/ card.json manifest.json
//! INDEX/lock               held while a build runs
//! ```
//! A build writes a new version and then replaces the pointer; a crash leaves the old version in use, and the
//! next build removes what was left half built.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

const POINTER: &str = "current";
const LOCK: &str = "lock";
const VERSION_PREFIX: &str = "v-";

/// The current version's folder, if a build was ever finished.
pub fn current(index: &Path) -> Option<PathBuf> {
    let name = std::fs::read_to_string(index.join(POINTER)).ok()?;
    let folder = index.join(name.trim());
    (name.starts_with(VERSION_PREFIX) && folder.is_dir()).then_some(folder)
}

/// A new version being written. Dropped without [`Self::publish`], it is removed again.
pub struct NewVersion {
    index: PathBuf,
    folder: PathBuf,
    published: bool,
    /// Holds the lock until the build ends.
    _lock: File,
}

impl NewVersion {
    /// Starts a new version; removes versions that earlier builds left half done.
    ///
    /// # Errors
    /// When the folder cannot be written, or another build is running (`WouldBlock`).
    pub fn start(index: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(index)?;
        let lock = File::create(index.join(LOCK))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => {
                io::Error::new(io::ErrorKind::WouldBlock, "another build of this index is running")
            }
            TryLockError::Error(error) => error,
        })?;
        remove_others(index, current(index).as_deref());
        let folder = index.join(format!("{VERSION_PREFIX}{}", uuid::Uuid::new_v4().simple()));
        std::fs::create_dir(&folder)?;
        Ok(Self { index: index.to_owned(), folder, published: false, _lock: lock })
    }

    /// Where to write.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes this version the current one and removes the others.
    ///
    /// # Errors
    /// When the pointer cannot be replaced; the old version then stays current.
    pub fn publish(mut self) -> io::Result<PathBuf> {
        let name =
            self.folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let draft = self.index.join(format!("{POINTER}.new"));
        std::fs::write(&draft, name)?;
        File::open(&draft)?.sync_all()?;
        std::fs::rename(&draft, self.index.join(POINTER))?;
        self.published = true;
        remove_others(&self.index, Some(&self.folder));
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

/// Bytes of every file of a version, by its path in there. Hidden files are left out: locks, and notes of the search
/// engine for its writer.
///
/// # Errors
/// When the folder cannot be read.
pub fn file_sizes(version: &Path) -> io::Result<BTreeMap<String, u64>> {
    let mut sizes = BTreeMap::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(version.join(&folder))? {
            let entry = entry?;
            let (path, data) = (folder.join(entry.file_name()), entry.metadata()?);
            if data.is_dir() {
                folders.push(path);
            } else if !entry.file_name().to_string_lossy().starts_with('.') {
                sizes.insert(path.to_string_lossy().into_owned(), data.len());
            }
        }
    }
    Ok(sizes)
}

/// What is wrong with the first file that has not the bytes it had. Cut files are found before they are mapped: what
/// reads them later relies on them.
pub fn damage(version: &Path, sizes: &BTreeMap<String, u64>) -> Option<String> {
    sizes.iter().find_map(|(file, expected)| match std::fs::metadata(version.join(file)) {
        Ok(data) if data.len() == *expected => None,
        Ok(data) => Some(format!("{file} has {} bytes instead of {expected}", data.len())),
        Err(error) => Some(format!("{file}: {error}")),
    })
}

/// Removes every version but `kept`. Readers that still have files open keep them until they close.
fn remove_others(index: &Path, kept: Option<&Path>) {
    let Ok(entries) = std::fs::read_dir(index) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let version = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(VERSION_PREFIX));
        if version
            && Some(path.as_path()) != kept
            && let Err(error) = std::fs::remove_dir_all(&path)
        {
            tracing::warn!(folder = %path.display(), %error, "an old index version could not be removed");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_build_leaves_the_old_version() {
        let index = tempfile::tempdir().unwrap();
        let first = NewVersion::start(index.path()).unwrap().publish().unwrap();
        let second = NewVersion::start(index.path()).unwrap();
        let half = second.folder().to_owned();
        drop(second);
        assert_eq!(current(index.path()).unwrap(), first);
        assert!(!half.exists());
    }

    #[test]
    fn a_new_version_replaces_the_old_and_what_a_crash_left() {
        let index = tempfile::tempdir().unwrap();
        let first = NewVersion::start(index.path()).unwrap().publish().unwrap();
        let crashed = index.path().join("v-crashed");
        std::fs::create_dir(&crashed).unwrap();
        let second = NewVersion::start(index.path()).unwrap().publish().unwrap();
        assert_eq!(current(index.path()).unwrap(), second);
        assert!(!first.exists() && !crashed.exists());
    }

    #[test]
    fn two_builds_at_once_are_refused() {
        let index = tempfile::tempdir().unwrap();
        let _running = NewVersion::start(index.path()).unwrap();
        let refused = NewVersion::start(index.path()).err().unwrap();
        assert_eq!(refused.kind(), io::ErrorKind::WouldBlock);
    }
}

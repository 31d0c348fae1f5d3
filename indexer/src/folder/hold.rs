//! Versions in use: an open version has a shared lock on its marker, and no build removes it while it is locked.
//!
//! Worker processes open files of a version whenever they start, so keeping files open does not suffice.

use super::versions::{MARKER, remove_unless_used};
use super::{Current, current};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// Number of builds that may publish a version while the current one is being locked.
const TRIES: usize = 10;

/// Keeps a version from being removed while this exists. The last user of an old version removes it.
#[derive(Debug)]
pub struct Hold {
    marker: Option<File>,
    version: PathBuf,
    index: PathBuf,
}

impl Hold {
    /// `None` if the version has no marker, is being removed, or the file system has no locks.
    fn on(index: &Path, version: &Path) -> Option<Self> {
        let marker = File::open(version.join(MARKER)).ok()?;
        marker.try_lock_shared().ok()?;
        Some(Self { marker: Some(marker), version: version.to_owned(), index: index.to_owned() })
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.marker = None;
        if matches!(current(&self.index), Current::Version(version) if version != self.version) {
            // The list of versions is left to the next build, which may be running already.
            remove_unless_used(&self.version);
        }
    }
}

/// The current version, locked.
pub fn hold_current(index: &Path) -> (Current, Option<Hold>) {
    let mut found = current(index);
    for _ in 0..TRIES {
        let Current::Version(folder) = &found else { break };
        let hold = Hold::on(index, folder);
        // It may have been replaced and removed before it was locked.
        let now = current(index);
        if now == found {
            return (found, hold);
        }
        found = now;
    }
    (found, None)
}

/// A lock under which a version may be removed. Without lock support, no version can be locked by a user either.
pub(super) fn to_remove(version: &Path) -> Result<Option<File>, InUse> {
    let Ok(marker) = File::open(version.join(MARKER)) else { return Ok(None) };
    match marker.try_lock() {
        Ok(()) => Ok(Some(marker)),
        Err(TryLockError::WouldBlock) => Err(InUse),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// The version is locked by a user.
pub(super) struct InUse;

//! The versions started by builds in an index folder, one per line. No other folder is removed, whatever its
//! name.

use super::hold::{InUse, to_remove};
use crate::own_files;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const FILE: &str = "versions";
const PREFIX: &str = "v-";
/// A hidden file in the folder of a version, which shows that a build of Eruca created it.
pub(super) const MARKER: &str = ".eruca-version";
/// Older versions have no marker, but this file.
const MANIFEST: &str = "manifest.json";

/// Whether a name may be that of a version; never true for a path to elsewhere.
pub(super) fn is_name(name: &str) -> bool {
    let rest = name.strip_prefix(PREFIX).unwrap_or_default();
    !rest.is_empty() && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// The versions of an index folder.
pub(super) struct Versions {
    index: PathBuf,
}

impl Versions {
    pub(super) fn of(index: &Path) -> Self {
        Self { index: index.to_owned() }
    }

    /// Creates the folder of a new version; returns its name and path.
    pub(super) fn begin(&self) -> io::Result<(String, PathBuf)> {
        let name = format!("{PREFIX}{}", uuid::Uuid::new_v4().simple());
        let folder = self.index.join(&name);
        // Listed before it is created, so that a later build knows what a crash has left behind.
        let mut file = own_files::open(&self.index.join(FILE))?;
        file.write_all(format!("{name}\n").as_bytes())?;
        file.sync_data()?;
        std::fs::create_dir(&folder)?;
        std::fs::File::create_new(folder.join(MARKER))?;
        Ok((name, folder))
    }

    /// Removes all versions except `kept` and those in use, which a later build removes.
    pub(super) fn keep_only(&self, kept: Option<&str>) -> io::Result<()> {
        let mut left: Vec<String> = kept.into_iter().map(str::to_owned).collect();
        for name in self.names() {
            if Some(name.as_str()) != kept && !self.remove(&name) {
                left.push(name);
            }
        }
        let text: String = left.iter().map(|name| format!("{name}\n")).collect();
        own_files::replace_file(&self.index.join(FILE), text.as_bytes())
    }

    fn names(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.index.join(FILE)).unwrap_or_default();
        text.lines().filter(|line| is_name(line)).map(str::to_owned).collect()
    }

    /// Removes a version; false if it could not be removed and should be tried again.
    fn remove(&self, name: &str) -> bool {
        let folder = self.index.join(name);
        if !std::fs::symlink_metadata(&folder).is_ok_and(|data| data.is_dir()) {
            return true;
        }
        // Without a marker, it is another folder with the same name, or a crash came before the marker; then it is empty.
        if !folder.join(MARKER).is_file() && !folder.join(MANIFEST).is_file() {
            let _left_unless_empty = std::fs::remove_dir(&folder);
            return true;
        }
        remove_unless_used(&folder)
    }
}

/// Removes the folder of a version that is not in use; returns whether that worked.
pub(super) fn remove_unless_used(folder: &Path) -> bool {
    let _lock = match to_remove(folder) {
        Ok(lock) => lock,
        Err(InUse) => {
            tracing::info!(folder = %folder.display(), "an old index version is in use; it is removed later");
            return false;
        }
    };
    match remove_marked(folder) {
        Ok(()) => true,
        // A read-only user leaves it to the next build.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
            ) =>
        {
            tracing::debug!(folder = %folder.display(), %error, "an old index version is left to the next build");
            false
        }
        Err(error) => {
            tracing::warn!(folder = %folder.display(), %error, "an old index version could not be removed");
            false
        }
    }
}

/// Removes the marker last, so that the remains after a crash can still be recognised.
fn remove_marked(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            std::fs::remove_dir_all(entry.path())?;
        } else if entry.file_name() != MARKER {
            std::fs::remove_file(entry.path())?;
        }
    }
    std::fs::remove_dir_all(folder)
}

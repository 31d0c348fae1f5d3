//! The folder of an index opened for reading. Published files never change, so nothing is locked or
//! written: it may be on a read-only disk.
//!
//! Test: `tests`.

use std::io;
use std::path::Path;
use std::sync::Arc;
use tantivy::directory::error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};

/// A folder whose files are mapped and never written.
#[derive(Debug, Clone)]
pub(crate) struct ReadFolder(MmapDirectory);

impl ReadFolder {
    pub(crate) fn open(folder: &Path) -> Result<Self, OpenDirectoryError> {
        MmapDirectory::open(folder).map(Self)
    }
}

fn refused() -> io::Error {
    io::Error::new(io::ErrorKind::ReadOnlyFilesystem, "an index is not written while it is read")
}

impl Directory for ReadFolder {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.0.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError { io_error: Arc::new(refused()), filepath: path.to_owned() })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.0.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(refused(), path.to_owned()))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.0.atomic_read(path)
    }

    fn atomic_write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        Err(refused())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.0.watch(callback)
    }
}

#[cfg(test)]
mod tests {
    use crate::health::IntegrityAlarm;
    use crate::lexical::NameIndex;
    use crate::lexical::sample::write;
    use std::path::Path;

    /// Simulates a file system mounted read-only, which also restricts root: folders take the place of the lock
    /// files.
    fn without_locks(folder: &Path) {
        for lock in [".tantivy-meta.lock", ".tantivy-writer.lock"] {
            let _left_by_the_build = std::fs::remove_file(folder.join(lock));
            std::fs::create_dir(folder.join(lock)).unwrap();
        }
    }

    #[test]
    fn an_index_is_opened_where_no_lock_can_be_taken() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &[("Alpha".to_owned(), 1)], None);
        without_locks(folder.path());
        assert!(NameIndex::open(folder.path(), &IntegrityAlarm::default()).is_ok());
    }
}

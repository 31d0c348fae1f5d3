//! The folder of an index being written. Tantivy maps the files it merges into memory and holds them until the merge is done,
//! gigabytes for a large index; here, the memory of parts already read is released during writing.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tantivy::directory::error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite,
    WatchCallback, WatchHandle, WritePtr,
};

/// Number of bytes written before the memory of what was read is released.
const STEP_BYTES: usize = 1 << 25;

/// A folder whose files are mapped, and whose memory is released while other files are written.
#[derive(Debug, Clone)]
pub(crate) struct BuildFolder {
    files: MmapDirectory,
    open: Arc<OpenFiles>,
}

impl BuildFolder {
    pub(crate) fn open(folder: &Path) -> Result<Self, OpenDirectoryError> {
        Ok(Self { files: MmapDirectory::open(folder)?, open: Arc::default() })
    }
}

/// Files opened for reading, and the number of bytes written since the start.
#[derive(Debug, Default)]
struct OpenFiles {
    handles: Mutex<Vec<Weak<dyn FileHandle>>>,
    written: AtomicUsize,
}

impl OpenFiles {
    fn add(&self, handle: &Arc<dyn FileHandle>) {
        self.handles.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(handle));
    }

    fn note_written(&self, bytes: usize) {
        let before = self.written.fetch_add(bytes, Ordering::Relaxed);
        if before / STEP_BYTES != (before + bytes) / STEP_BYTES {
            self.let_go();
        }
    }

    fn let_go(&self) {
        let mut handles = self.handles.lock().unwrap_or_else(PoisonError::into_inner);
        handles.retain(|handle| handle.upgrade().inspect(|file| let_go(file.as_ref())).is_some());
    }
}

/// Lets the system reclaim the memory of a mapped file.
#[cfg(target_os = "linux")]
fn let_go(file: &dyn FileHandle) {
    let Ok(bytes) = file.read_bytes(0..file.len()) else { return };
    // SAFETY: the bytes are valid while borrowed, and this advice never changes their content.
    let refused =
        unsafe { libc::madvise(bytes.as_ptr().cast_mut().cast(), bytes.len(), libc::MADV_PAGEOUT) } != 0;
    if refused {
        tracing::debug!(error = %std::io::Error::last_os_error(), "memory of a mapped file could not be released");
    }
}

#[cfg(not(target_os = "linux"))]
fn let_go(_: &dyn FileHandle) {}

impl Directory for BuildFolder {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let handle = self.files.get_file_handle(path)?;
        self.open.add(&handle);
        Ok(handle)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let file = self.files.open_write(path)?;
        Ok(BufWriter::new(Box::new(CountingFile { file, open: Arc::clone(&self.open) })))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.files.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.files.exists(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.files.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> std::io::Result<()> {
        self.files.atomic_write(path, data)
    }

    fn sync_directory(&self) -> std::io::Result<()> {
        self.files.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.files.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.files.watch(callback)
    }
}

/// A file being written, whose bytes are counted.
struct CountingFile {
    file: WritePtr,
    open: Arc<OpenFiles>,
}

impl Write for CountingFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.open.note_written(written);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

impl TerminatingWrite for CountingFile {
    fn terminate_ref(&mut self, token: AntiCallToken) -> std::io::Result<()> {
        self.file.terminate_ref(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &BuildFolder, name: &str, bytes: &[u8]) {
        let mut file = folder.open_write(Path::new(name)).unwrap();
        file.write_all(bytes).unwrap();
        file.terminate().unwrap();
    }

    #[test]
    fn what_was_read_can_be_read_again_after_it_was_let_go() {
        let place = tempfile::tempdir().unwrap();
        let folder = BuildFolder::open(place.path()).unwrap();
        let bytes: Vec<u8> = (0..1_000_000_u32).map(|number| number as u8).collect();
        write(&folder, "read", &bytes);
        write(&folder, "empty", &[]);
        let [read, _empty] = ["read", "empty"].map(|name| folder.get_file_handle(Path::new(name)).unwrap());
        let held = read.read_bytes(0..read.len()).unwrap();
        assert_eq!(held.as_slice(), bytes);
        folder.open.note_written(STEP_BYTES);
        assert_eq!(held.as_slice(), bytes);
        assert_eq!(folder.open.handles.lock().unwrap().len(), 2);
        drop(read);
        folder.open.let_go();
        assert_eq!(folder.open.handles.lock().unwrap().len(), 1, "closed files are forgotten");
        assert_eq!(held.as_slice(), bytes);
    }
}

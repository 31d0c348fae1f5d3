//! Stops work on another thread when its result is no longer needed. Dropping a future, by its caller or at its
//! deadline, does not stop the thread that works for it; this does. Uses only the standard library.

use std::io::{Error, ErrorKind, Read, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes read between two checks of the flag.
const PIECE: usize = 64 << 10;

/// Kept by the caller: dropping it stops the work.
pub(super) struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Checked by the worker thread.
#[derive(Debug, Clone)]
pub(super) struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Creates a connected pair.
    pub(super) fn new() -> (StopOnDrop, Self) {
        let flag = Arc::new(AtomicBool::new(false));
        (StopOnDrop(Arc::clone(&flag)), Self(flag))
    }

    /// Whether the result is no longer needed.
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// A reader over `bytes` that stops when the result is no longer needed.
    pub(super) fn reader<'a>(&self, bytes: &'a [u8]) -> StoppingReader<'a> {
        StoppingReader { bytes, stop: self.clone() }
    }
}

/// A reader that fails once the result is no longer needed.
pub(super) struct StoppingReader<'a> {
    bytes: &'a [u8],
    stop: StopFlag,
}

impl Read for StoppingReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.stop.is_set() {
            return Err(Error::new(ErrorKind::TimedOut, "cancelled: the result is no longer needed"));
        }
        let piece = buffer.len().min(PIECE);
        self.bytes.read(buffer.split_at_mut(piece).0)
    }
}

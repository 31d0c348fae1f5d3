//! A memory-mapped file of the build, whose memory is released behind the reader.

use memmap2::Mmap;
use std::fs::File;
use std::path::Path;

/// Number of bytes read before the memory behind the reader is released.
const WINDOW_BYTES: usize = 1 << 25;

/// The access pattern of a mapping. The system reads ahead, by megabytes on some machines: with random access, it would read
/// the whole file many times over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AccessOrder {
    /// Sequentially, to the end or nearly so.
    InOrder,
    /// At random.
    Anywhere,
}

/// A file mapped into memory.
#[derive(Debug)]
pub(super) struct Mapped(Option<Mmap>);

impl Mapped {
    pub(super) fn open(path: &Path, reading: AccessOrder) -> std::io::Result<Self> {
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            // An empty file cannot be mapped.
            return Ok(Self(None));
        }
        // SAFETY: files of a build are written once, by this build alone, and not changed while they are mapped.
        let map = unsafe { Mmap::map(&file) }?;
        #[cfg(unix)]
        if reading == AccessOrder::Anywhere
            && let Err(error) = map.advise(memmap2::Advice::Random)
        {
            tracing::debug!(%error, "read-ahead of a mapped file could not be switched off");
        }
        Ok(Self(Some(map)))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Lets the system reclaim all of the memory; parts needed again are read again.
    pub(super) fn release(&self) {
        self.release_part(0, self.bytes().len());
    }

    fn release_part(&self, start: usize, length: usize) {
        #[cfg(unix)]
        if let Some(map) = &self.0 {
            let length = length.min(map.len().saturating_sub(start));
            // SAFETY: the mapping is of a file and read-only, so its pages are reloaded with the same bytes.
            let released =
                unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, start, length) };
            if let Err(error) = released {
                tracing::debug!(%error, "memory of a mapped file could not be released");
            }
        }
    }

    /// The chunks; memory of those passed is released. `start` is the offset of the first one.
    pub(super) fn passing<'a>(
        &'a self,
        start: usize,
        chunks: impl Iterator<Item = &'a [u8]> + 'a,
    ) -> impl Iterator<Item = &'a [u8]> + 'a {
        let (mut released, mut at) = (start, start);
        chunks.inspect(move |chunk| {
            at += chunk.len();
            if at - released > WINDOW_BYTES {
                self.release_part(released, at - released - chunk.len());
                released = at - chunk.len();
            }
        })
    }
}

//! A file of the build, mapped into memory and released behind the reader.

use memmap2::Mmap;
use std::fs::File;
use std::path::Path;

/// Bytes read before the memory behind the reader is released.
const WINDOW_BYTES: usize = 1 << 25;

/// How a mapping is read. The system reads ahead, by megabytes on some machines: a look here and there would read the whole
/// file many times over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AccessOrder {
    /// From one place on, to the end or nearly so.
    InOrder,
    /// A little here and there.
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

    /// Lets the system take back the memory of all of it; what is needed again is read again.
    pub(super) fn release(&self) {
        self.release_part(0, self.bytes().len());
    }

    fn release_part(&self, start: usize, length: usize) {
        #[cfg(unix)]
        if let Some(map) = &self.0 {
            let length = length.min(map.len().saturating_sub(start));
            // SAFETY: the mapping is of a file and read only, so that its pages come back with the same bytes.
            let released =
                unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, start, length) };
            if let Err(error) = released {
                tracing::debug!(%error, "memory of a mapped file could not be released");
            }
        }
    }

    /// The chunks; the memory of those passed is released. `start` is where the first one lies.
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

//! Files with a checksum for each block, which is verified when the block is first read.
//!
//! ```text
//! data │ CRC-32 of each block of the data │ bytes of data (u64) · CRC-32 of the checksums, that length and the file's name (u32)
//! ```
//! Opening a file takes only the time for reading its checksums, a four-thousandth of it, and no byte is used before its
//! block has been verified. A file never changes once it is written.

use crate::StoredError;
use crc32fast::Hasher;
use memmap2::Mmap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Size of a block in bytes.
const BLOCK: usize = 1 << 14;
const SUM_BYTES: usize = size_of::<u32>();
const END_BYTES: usize = size_of::<u64>() + SUM_BYTES;
const BUFFER_BYTES: usize = 1 << 18;
const FLAGS: usize = u64::BITS as usize;

/// The first damage found, by any reader: evaluators treat an error while evaluating an expression as an error of the
/// expression, and go on without the row.
pub(crate) type Damage = Arc<OnceLock<StoredError>>;

/// Writes a file with checksums.
#[derive(Debug)]
pub(crate) struct CheckedWriter {
    name: OsString,
    file: BufWriter<File>,
    block: Hasher,
    in_block: usize,
    sums: Vec<u8>,
    length: u64,
}

impl CheckedWriter {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let file = BufWriter::with_capacity(BUFFER_BYTES, File::create(path)?);
        Ok(Self { name: name_of(path), file, block: Hasher::new(), in_block: 0, sums: Vec::new(), length: 0 })
    }

    /// Number of bytes written so far.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    pub(crate) fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        self.length += bytes.len() as u64;
        while !bytes.is_empty() {
            let (now, rest) = bytes.split_at(bytes.len().min(BLOCK - self.in_block));
            self.file.write_all(now)?;
            self.block.update(now);
            self.in_block += now.len();
            if self.in_block == BLOCK {
                self.end_block();
            }
            bytes = rest;
        }
        Ok(())
    }

    pub(crate) fn write_u32(&mut self, number: u32) -> io::Result<()> {
        self.write(&number.to_le_bytes())
    }

    pub(crate) fn write_u64(&mut self, number: u64) -> io::Result<()> {
        self.write(&number.to_le_bytes())
    }

    fn end_block(&mut self) {
        let sum = std::mem::take(&mut self.block).finalize();
        self.sums.extend(sum.to_le_bytes());
        self.in_block = 0;
    }

    /// Writes the checksums and syncs the file to disk.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.in_block > 0 {
            self.end_block();
        }
        self.sums.extend(self.length.to_le_bytes());
        let sum = sum_of_end(&self.sums, &self.name);
        self.file.write_all(&self.sums)?;
        self.file.write_all(&sum.to_le_bytes())?;
        self.file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }
}

/// A file with checksums, mapped into memory.
#[derive(Debug)]
pub(crate) struct CheckedFile {
    path: PathBuf,
    map: Mmap,
    length: usize,
    /// One bit for each block that has been verified.
    checked: Box<[AtomicU64]>,
    damage: Damage,
}

impl CheckedFile {
    pub(crate) fn open(path: PathBuf, damage: &Damage) -> Result<Self, StoredError> {
        let unreadable = |error: io::Error| StoredError::unreadable(&path, error);
        let file = File::open(&path).map_err(unreadable)?;
        // SAFETY: files of an index are written once, and replaced as a whole. If others change or truncate one, the process
        // that reads it is terminated, which is a worker's.
        let map = unsafe { Mmap::map(&file) }.map_err(unreadable)?;
        #[cfg(unix)]
        if let Err(error) = map.advise(memmap2::Advice::Random) {
            tracing::debug!(%error, "read-ahead of a mapped file could not be switched off");
        }
        let Some(length) = checked_length(&map, &name_of(&path)) else {
            return Err(StoredError::damaged(&path, map.len()));
        };
        let flags = length.div_ceil(BLOCK).div_ceil(FLAGS);
        let checked = (0..flags).map(|_| AtomicU64::new(0)).collect();
        Ok(Self { path, map, length, checked, damage: Arc::clone(damage) })
    }

    /// Length of the data in bytes.
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// The error for intact bytes that do not make sense.
    pub(crate) fn nonsense(&self, at: usize) -> StoredError {
        self.damage.get_or_init(|| StoredError::damaged(&self.path, at)).clone()
    }

    /// The bytes of a range, after their blocks have been verified.
    pub(crate) fn bytes(&self, range: Range<usize>) -> Result<&[u8], StoredError> {
        if range.end > self.length || range.start > range.end {
            return Err(self.nonsense(range.start));
        }
        for block in range.start / BLOCK..range.end.div_ceil(BLOCK) {
            self.check(block)?;
        }
        self.map.get(range.clone()).ok_or_else(|| self.nonsense(range.start))
    }

    /// The number at index `place`, in a file of `u32` numbers.
    pub(crate) fn u32_at(&self, place: usize) -> Result<u32, StoredError> {
        let start = place * size_of::<u32>();
        let bytes = self.bytes(start..start + size_of::<u32>())?;
        Ok(u32::from_le_bytes(bytes.try_into().unwrap_or_default()))
    }

    /// The number at index `place`, in a file of `u64` numbers.
    pub(crate) fn u64_at(&self, place: usize) -> Result<u64, StoredError> {
        let start = place * size_of::<u64>();
        let bytes = self.bytes(start..start + size_of::<u64>())?;
        Ok(u64::from_le_bytes(bytes.try_into().unwrap_or_default()))
    }

    fn check(&self, block: usize) -> Result<(), StoredError> {
        let (flags, flag) = (self.checked.get(block / FLAGS), 1 << (block % FLAGS));
        if flags.is_some_and(|flags| flags.load(Ordering::Relaxed) & flag != 0) {
            return Ok(());
        }
        let start = block * BLOCK;
        let data = self.map.get(start..self.length.min(start + BLOCK)).unwrap_or_default();
        let sum = self.length + block * SUM_BYTES;
        let written = self.map.get(sum..sum + SUM_BYTES).unwrap_or_default();
        if crc32fast::hash(data).to_le_bytes() != *written {
            return Err(self.nonsense(start));
        }
        if let Some(flags) = flags {
            flags.fetch_or(flag, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// The name is part of the checksum, as a file in place of another is intact but wrong.
fn name_of(path: &Path) -> OsString {
    path.file_name().unwrap_or_default().to_owned()
}

fn sum_of_end(sums_and_length: &[u8], name: &OsStr) -> u32 {
    let mut sum = Hasher::new();
    sum.update(sums_and_length);
    sum.update(name.as_encoded_bytes());
    sum.finalize()
}

/// The length of a file's data, if the end of the file is intact.
fn checked_length(file: &[u8], name: &OsStr) -> Option<usize> {
    let end = file.len().checked_sub(END_BYTES)?;
    let (sum, length) = (file.get(end + size_of::<u64>()..)?, file.get(end..end + size_of::<u64>())?);
    let length = usize::try_from(u64::from_le_bytes(length.try_into().ok()?)).ok()?;
    let sums = length.div_ceil(BLOCK).checked_mul(SUM_BYTES)?;
    let told = file.get(length..end + size_of::<u64>())?;
    let whole = length.checked_add(sums) == Some(end) && sum_of_end(told, name).to_le_bytes() == *sum;
    whole.then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, data: &[u8]) {
        let mut writer = CheckedWriter::create(path).unwrap();
        data.chunks(1_000).for_each(|part| writer.write(part).unwrap());
        writer.finish().unwrap();
    }

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        for length in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 70 * BLOCK + 5] {
            let data: Vec<u8> = (0..length).map(|at| (at * 7 % 251) as u8).collect();
            let path = folder.path().join("file");
            write(&path, &data);
            let file = CheckedFile::open(path, &Damage::default()).unwrap();
            assert_eq!(file.bytes(0..length).unwrap(), data);
            let middle = length / 3..length / 2;
            assert_eq!(file.bytes(middle.clone()).unwrap(), &data[middle]);
            assert!(file.bytes(0..length + 1).is_err());
        }
    }

    #[test]
    fn numbers_are_read_by_their_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut writer = CheckedWriter::create(&path).unwrap();
        (0..10_000_u32).for_each(|number| writer.write_u32(number * 3).unwrap());
        writer.finish().unwrap();
        let file = CheckedFile::open(path, &Damage::default()).unwrap();
        assert_eq!((file.u32_at(0).unwrap(), file.u32_at(9_999).unwrap()), (0, 29_997));
        assert_eq!(file.u64_at(1).unwrap(), 9 << 32 | 6);
        assert!(file.u32_at(10_000).is_err());
    }

    #[test]
    fn no_flipped_byte_is_believed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let data: Vec<u8> = (0..3 * BLOCK + 100).map(|at| (at % 253) as u8).collect();
        write(&path, &data);
        let whole = std::fs::read(&path).unwrap();
        for at in (0..whole.len()).step_by(311).chain(data.len()..whole.len()) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            std::fs::write(&path, &bytes).unwrap();
            let read = CheckedFile::open(path.clone(), &Damage::default())
                .and_then(|file| file.bytes(0..data.len()).map(<[u8]>::len));
            assert!(read.is_err(), "byte {at}");
        }
        std::fs::write(folder.path().join("other"), &whole).unwrap();
        assert!(
            CheckedFile::open(folder.path().join("other"), &Damage::default()).is_err(),
            "in another's place"
        );
        for length in [0, 5, END_BYTES, whole.len() - 1] {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(CheckedFile::open(path.clone(), &Damage::default()).is_err(), "cut to {length}");
        }
    }
}

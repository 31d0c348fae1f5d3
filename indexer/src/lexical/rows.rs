//! The stored rows of documents in a memory-mapped file: the encoded names and the
//! uses, which rank what a search finds, and the payload, which is read only for hits that are returned.
//!
//! ```text
//! rows.bin     per row: number of names, each name (length, text), uses, payload to the end of the row
//! rows.idx     the offset of each row in rows.bin, and the end: little-endian u64
//! ```
//! Numbers are unsigned LEB128. Tantivy's own store would decompress a block for every candidate.

use super::LexicalError;
use eruca_store::leb128::{push_number, take_number};
use memmap2::Mmap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

const ROWS: &str = "rows.bin";
const STARTS: &str = "rows.idx";
const BUFFER_BYTES: usize = 1 << 18;

/// Encodes a row.
pub(super) fn encode(names: &[String], uses: u64, payload: &[u8]) -> Vec<u8> {
    let length: usize = names.iter().map(|name| name.len() + 2).sum();
    let mut row = Vec::with_capacity(length + payload.len() + 12);
    push_number(&mut row, names.len() as u64);
    for name in names {
        push_number(&mut row, name.len() as u64);
        row.extend_from_slice(name.as_bytes());
    }
    push_number(&mut row, uses);
    row.extend_from_slice(payload);
    row
}

/// A stored row.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoredRow<'a> {
    names: &'a [u8],
    count: u64,
    pub(super) uses: u64,
    pub(super) payload: &'a [u8],
}

impl<'a> StoredRow<'a> {
    fn decode(bytes: &'a [u8]) -> Option<Self> {
        let mut rest = bytes;
        let count = take_number(&mut rest)?;
        let names = rest;
        for _ in 0..count {
            take_text(&mut rest)?;
        }
        let uses = take_number(&mut rest)?;
        Some(Self { names, count, uses, payload: rest })
    }

    /// The encoded names.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        let mut rest = self.names;
        (0..self.count).map_while(move |_| take_text(&mut rest))
    }
}

fn take_text<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    let length = usize::try_from(take_number(rest)?).ok()?;
    let (text, after) = rest.split_at_checked(length)?;
    *rest = after;
    std::str::from_utf8(text).ok()
}

/// Writes rows one after the other.
pub(super) struct RowWriter {
    rows: BufWriter<File>,
    starts: BufWriter<File>,
    written: u64,
    count: u64,
}

impl RowWriter {
    pub(super) fn create(folder: &Path) -> std::io::Result<Self> {
        let create =
            |name| File::create(folder.join(name)).map(|f| BufWriter::with_capacity(BUFFER_BYTES, f));
        let mut writer = Self { rows: create(ROWS)?, starts: create(STARTS)?, written: 0, count: 0 };
        writer.starts.write_all(&0_u64.to_le_bytes())?;
        Ok(writer)
    }

    /// Appends a row and returns its number.
    pub(super) fn push(&mut self, row: &[u8]) -> std::io::Result<u64> {
        self.rows.write_all(row)?;
        self.written += row.len() as u64;
        self.starts.write_all(&self.written.to_le_bytes())?;
        self.count += 1;
        Ok(self.count - 1)
    }

    /// Syncs the rows to disk; returns their number.
    pub(super) fn finish(self) -> std::io::Result<u64> {
        close(self.rows)?;
        close(self.starts)?;
        Ok(self.count)
    }
}

/// Completes a file and syncs it to disk.
pub(super) fn close(file: BufWriter<File>) -> std::io::Result<()> {
    file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
}

/// The rows of an index, open for reading.
pub(super) struct StoredRows {
    rows: Option<Mmap>,
    starts: Mmap,
    folder: PathBuf,
}

impl StoredRows {
    pub(super) fn open(folder: &Path) -> Result<Self, LexicalError> {
        let starts = map(&folder.join(STARTS))?;
        let mut opened =
            Self { rows: None, starts: starts.ok_or_else(|| damaged(folder))?, folder: folder.to_owned() };
        opened.rows = map(&folder.join(ROWS))?;
        let length = opened.rows.as_ref().map_or(0, |rows| rows.len() as u64);
        let whole = opened.starts.len().is_multiple_of(size_of::<u64>());
        let end = (opened.starts.len() / size_of::<u64>())
            .checked_sub(1)
            .and_then(|last| opened.start(last as u64));
        if whole && end == Some(length) { Ok(opened) } else { Err(damaged(folder)) }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> u64 {
        (self.starts.len() / size_of::<u64>()).saturating_sub(1) as u64
    }

    /// A row by its number.
    pub(super) fn get(&self, row: u64) -> Result<StoredRow<'_>, LexicalError> {
        let bytes = self.rows.as_ref().and_then(|rows| {
            let (start, end) = (self.start(row)?, self.start(row.checked_add(1)?)?);
            rows.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
        });
        bytes.and_then(StoredRow::decode).ok_or_else(|| damaged(&self.folder))
    }

    fn start(&self, row: u64) -> Option<u64> {
        let at = usize::try_from(row).ok()?.checked_mul(size_of::<u64>())?;
        let bytes = self.starts.get(at..at + size_of::<u64>())?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    }
}

fn damaged(folder: &Path) -> LexicalError {
    LexicalError::Damaged { folder: folder.to_owned() }
}

/// The mapped file; `None` if it is empty, since an empty file cannot be mapped.
pub(super) fn map(path: &Path) -> Result<Option<Mmap>, LexicalError> {
    let failed = |source| LexicalError::File { path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.len() == 0 {
        return Ok(None);
    }
    // SAFETY: index files are written once and then only replaced as a whole folder, never changed in place.
    unsafe { Mmap::map(&file) }.map(Some).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_and_damage_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = RowWriter::create(folder.path()).unwrap();
        let names = ["köln".to_owned(), "x".repeat(300)];
        assert_eq!(writer.push(&encode(&names, 1_000_000, b"{}")).unwrap(), 0);
        assert_eq!(writer.push(&encode(&[], 0, b"")).unwrap(), 1);
        assert_eq!(writer.finish().unwrap(), 2);
        let rows = StoredRows::open(folder.path()).unwrap();
        let first = rows.get(0).unwrap();
        assert_eq!(first.names().collect::<Vec<_>>(), names);
        assert_eq!((first.uses, first.payload), (1_000_000, &b"{}"[..]));
        assert_eq!((rows.len(), rows.get(1).unwrap().names().count()), (2, 0));
        assert!(rows.get(2).is_err());
        let file = folder.path().join(ROWS);
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
        assert!(matches!(StoredRows::open(folder.path()), Err(LexicalError::Damaged { .. })));
    }

    #[test]
    fn an_index_without_rows_opens() {
        let folder = tempfile::tempdir().unwrap();
        RowWriter::create(folder.path()).unwrap().finish().unwrap();
        assert_eq!(StoredRows::open(folder.path()).unwrap().len(), 0);
    }
}

//! Opens a file and detects its compression and format by its name and content. If they disagree, the
//! content takes precedence, and the summary reports it.
//!
//! If the content is ambiguous, the name decides. Tests: `tests`, `tests/sources.rs` of the program.

use super::SourceError;
use super::compression::{Compression, MAGIC_BYTES};
use super::encoding::{InUtf8, encoding_of, is_not_in_encoding, without_encoding};
use super::foreign::foreign;
use super::format::{Format, GivenFormat};
use super::sniff::{FileHead, Trial, sniff};
use crate::progress::Progress;
use encoding_rs::Encoding;
use eruca_sparql::one_line;
use oxrdfio::RdfFormat;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;

/// Number of decompressed bytes read to detect the format.
const HEAD_BYTES: u64 = 1 << 16;
/// Number of bytes between two progress reports.
const PROGRESS_STEP_BYTES: u64 = 1 << 18;
/// Maximum number of characters kept of the message of the other format's parser.
const MAX_OTHER_CHARS: usize = 100;

/// A file ready for reading.
pub(super) struct Opened<'a> {
    /// The decompressed text from its beginning, in UTF-8 and without a byte order mark.
    pub(super) text: Box<dyn Read + Send + 'a>,
    pub(super) format: Format,
    pub(super) coding: Coding,
    /// How the content differs from what the name says.
    pub(super) notes: Vec<String>,
    /// A hint about the format for the error if not even the first statement can be read.
    pub(super) doubt: Option<String>,
}

/// The compression of a file, and how it was detected.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coding {
    compression: Compression,
    by_content: bool,
}

impl Coding {
    /// An uncompressed file.
    #[cfg(any(test, fuzzing))]
    pub(super) fn plain() -> Self {
        Self { compression: Compression::None, by_content: true }
    }

    /// Distinguishes exceeded limits and decoder errors from failures of the disk.
    pub(super) fn error(self, path: &Path, source: std::io::Error) -> SourceError {
        if let Some(error) = SourceError::too_much(path, &source) {
            return error;
        }
        let path = path.to_owned();
        let told_by = if self.by_content { "first bytes say" } else { "name says" };
        match (self.compression.name().filter(|_| !is_not_in_encoding(&source)), source.raw_os_error()) {
            (Some(compression), None) => SourceError::Compressed { path, compression, told_by, source },
            _ => SourceError::Io { path, source },
        }
    }
}

/// Opens a file; a `given` format takes precedence over whatever the file suggests.
pub(super) fn open<'a>(
    path: &Path,
    given: Option<GivenFormat>,
    progress: &'a dyn Progress,
) -> Result<Opened<'a>, SourceError> {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let (by_name, stem) = Compression::of_name(&name);
    let named = given.map(Format::from).or_else(|| Format::of_name(stem));
    let plain = Coding { compression: Compression::None, by_content: true };
    let file = File::open(path).map_err(|source| plain.error(path, source))?;
    let mut file = CountingReader { inner: file, pending: 0, progress };
    let magic = beginning(&mut file, MAGIC_BYTES as u64).map_err(|source| plain.error(path, source))?;
    let by_content = Compression::of_content(&magic);
    let file = Cursor::new(magic).chain(file);
    let mut decoded = match (by_content, by_name) {
        (Compression::None, Compression::None) => Decoded::open(path, file, plain, named)?,
        (Compression::None, by_name) => unless_plain(path, file, by_name, named)?,
        (compression, _) => {
            Decoded::open(path, file, Coding { compression, by_content: compression != by_name }, named)?
        }
    };
    if let Some((what, remedy)) = foreign(&decoded.head, path) {
        return Err(SourceError::NotRdf { path: path.to_owned(), what, remedy });
    }
    if given.is_some() {
        decoded.found = named;
    }
    let format = decoded.found.or(named).ok_or_else(|| SourceError::UnknownFormat(path.to_owned()))?;
    let mut notes = Vec::new();
    notes.extend(note_on_compression(path, by_name, decoded.coding.compression));
    let doubt = doubt(&decoded, named);
    if decoded
        .found
        .is_some_and(|found| Some(found) != named && !named.is_some_and(|named| alike(found, named)))
    {
        notes.push(note_on_format(path, format, named));
    }
    notes.extend(note_on_encoding(path, format, decoded.encoding));
    let rest = Cursor::new(decoded.head).chain(decoded.rest);
    Ok(Opened { text: Box::new(rest), format, coding: decoded.coding, notes, doubt })
}

/// Whether both formats are JSON, which file names cannot distinguish, so that neither is reported as wrong.
fn alike(one: Format, other: Format) -> bool {
    one.is_json() && other.is_json()
}

/// A file that is compressed according to its name, but not to its first bytes: plain text if that has a known
/// format, otherwise damaged.
fn unless_plain<'a>(
    path: &Path,
    file: impl Read + Send + 'a,
    by_name: Compression,
    named: Option<Format>,
) -> Result<Decoded<'a>, SourceError> {
    let plain =
        Decoded::open(path, file, Coding { compression: Compression::None, by_content: true }, named)?;
    if plain.found.is_some() {
        return Ok(plain);
    }
    let whole = Cursor::new(plain.head).chain(plain.rest);
    Decoded::open(path, whole, Coding { compression: by_name, by_content: false }, named)
}

/// A decompressed file in UTF-8, of which the beginning has been read.
struct Decoded<'a> {
    coding: Coding,
    /// The original encoding, unless it is UTF-8.
    encoding: Option<&'static Encoding>,
    head: Vec<u8>,
    whole: bool,
    rest: Box<dyn Read + Send + 'a>,
    /// The format detected from the content, if possible.
    found: Option<Format>,
}

impl<'a> Decoded<'a> {
    fn open(
        path: &Path,
        file: impl Read + Send + 'a,
        coding: Coding,
        named: Option<Format>,
    ) -> Result<Self, SourceError> {
        let failed = |source| coding.error(path, source);
        let mut rest = coding.compression.decode(file).map_err(failed)?;
        let mut head = beginning(&mut rest, HEAD_BYTES).map_err(failed)?;
        let encoding = encoding_of(&head)
            .map_err(|encoding| SourceError::Encoding { path: path.to_owned(), encoding })?;
        if let Some(encoding) = encoding {
            let mut text = InUtf8::new(Cursor::new(head).chain(rest), encoding);
            head = beginning(&mut text, HEAD_BYTES).map_err(failed)?;
            rest = Box::new(text);
        }
        let whole = (head.len() as u64) < HEAD_BYTES;
        without_encoding(&mut head);
        let found = sniff(FileHead { bytes: &head, whole }, named);
        Ok(Self { coding, encoding, head, whole, rest, found })
    }
}

fn beginning(reader: &mut impl Read, bytes: u64) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    reader.take(bytes).read_to_end(&mut head)?;
    Ok(head)
}

fn note_on_compression(path: &Path, named: Compression, found: Compression) -> Option<String> {
    let path = path.display();
    match (named.name(), found.name()) {
        (named, found) if named == found => None,
        (Some(named), None) => Some(format!("{path} is not compressed, though its name says {named}")),
        (Some(named), Some(found)) => {
            Some(format!("{path} is compressed with {found}, not with {named} as its name says"))
        }
        (None, Some(found)) => {
            Some(format!("{path} is compressed with {found}, of which its name says nothing"))
        }
        (None, None) => None,
    }
}

/// XML may be in any encoding that it declares, other formats only in UTF-8.
fn note_on_encoding(path: &Path, format: Format, encoding: Option<&'static Encoding>) -> Option<String> {
    let encoding = encoding.filter(|_| format != Format::Rdf(RdfFormat::RdfXml))?.name();
    Some(format!("{} is read as {encoding}, though {} is written in UTF-8", path.display(), format.name()))
}

fn note_on_format(path: &Path, found: Format, named: Option<Format>) -> String {
    let (path, found) = (path.display(), found.name());
    match named {
        Some(named) => format!("{path} is read as {found}, not {} as its name says", named.name()),
        None => format!("{path} is read as {found}, of which its name says nothing"),
    }
}

/// Both possible formats of a file, in case it cannot be read. `None` if name and content agree.
fn doubt(decoded: &Decoded<'_>, named: Option<Format>) -> Option<String> {
    let head = FileHead { bytes: &decoded.head, whole: decoded.whole };
    match (decoded.found, named) {
        (Some(found), Some(named)) if found != named => {
            let other = match named {
                Format::Rdf(format) => Trial::of(head, format).error,
                Format::WikibaseJson(_) => None,
            };
            let other =
                other.map_or(String::new(), |error| format!(": {}", one_line(&error, MAX_OTHER_CHARS)));
            Some(format!(
                "read as {}, as its content is; it is not {} either, as its name says{other}",
                found.name(),
                named.name()
            ))
        }
        (Some(found), None) => Some(format!("read as {}, as its content looks", found.name())),
        (None, Some(named)) => Some(format!(
            "read as {}, because of the file's name; its content is of no other known format",
            named.name()
        )),
        _ => None,
    }
}

/// Reports the number of (compressed) bytes read as progress.
struct CountingReader<'a, R> {
    inner: R,
    pending: u64,
    progress: &'a dyn Progress,
}

impl<R: Read> Read for CountingReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.pending += count as u64;
        if self.pending >= PROGRESS_STEP_BYTES || count == 0 {
            self.progress.advance(std::mem::take(&mut self.pending));
        }
        Ok(count)
    }
}

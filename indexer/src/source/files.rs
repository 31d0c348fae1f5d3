//! RDF files: every common format, plain or compressed, read as a stream of quads.

use crate::progress::Progress;
use eruca_sparql::{BoundedTags, one_line};
use oxrdf::Quad;
use oxrdfio::{RdfFormat, RdfParseError, RdfParser};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// Progress is told after so many bytes.
const PROGRESS_STEP_BYTES: u64 = 1 << 18;
/// At most so many skipped lines are described one by one.
const MAX_REPORTED_ERRORS: usize = 5;
/// A parser's words are cut here.
const MAX_REASON_CHARS: usize = 200;

/// Why RDF could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// A pattern is not a valid glob.
    #[error("'{pattern}' is not a valid file pattern: {reason}")]
    Pattern {
        /// The pattern as given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A pattern matches no file.
    #[error(
        "no file matches '{0}'; give the path of an RDF file (.ttl .nt .nq .trig .rdf .owl .jsonld, also .gz .bz2 .zst)"
    )]
    NoFile(String),
    /// A folder stands where a file should.
    #[error("'{0}' is a folder; name the files in it, for example '{0}/*.ttl'")]
    Folder(PathBuf),
    /// The file name does not tell the format.
    #[error(
        "cannot tell the RDF format of '{0}' from its name; use one of .ttl .nt .nq .trig .rdf .owl .xml .jsonld .n3, with .gz, .bz2 or .zst behind it if compressed"
    )]
    UnknownFormat(PathBuf),
    /// The file cannot be read.
    #[error("cannot read '{path}': {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's words.
        source: std::io::Error,
    },
    /// The file is not compressed as its name says, or not whole.
    #[error("cannot decompress '{path}': {source}; is it whole, and is it {compression}, as its name says?")]
    Compressed {
        /// The file.
        path: PathBuf,
        /// How it is compressed by its name.
        compression: &'static str,
        /// The decoder's words.
        source: std::io::Error,
    },
    /// The file is not valid RDF.
    #[error("{}: {reason}; mend the line, or skip such lines with --skip-errors", place(path, *line, *column))]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line, from 1, in the decompressed text; 0 if the parser does not tell it.
        line: u64,
        /// Column, from 1.
        column: u64,
        /// What is wrong.
        reason: String,
    },
}

/// What reading one file came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadSummary {
    /// Quads handed on.
    pub quads: u64,
    /// Statements skipped because they are broken (only when asked to skip).
    pub skipped: u64,
    /// The first few of the reasons, each with file, line and reason.
    pub reasons: Vec<String>,
    /// Prefixes declared in the file, in order of their names.
    pub prefixes: Vec<(String, String)>,
}

/// The files that the patterns name, in order, each once. A pattern is a path or a glob.
///
/// # Errors
/// When a pattern is malformed or matches nothing.
pub fn expand_patterns(patterns: &[PathBuf]) -> Result<Vec<PathBuf>, SourceError> {
    let mut files: Vec<PathBuf> = Vec::new();
    for pattern in patterns {
        let found = if pattern.is_file() { vec![pattern.clone()] } else { expand_glob(pattern)? };
        for file in found {
            if !files.contains(&file) {
                files.push(file);
            }
        }
    }
    Ok(files)
}

fn expand_glob(pattern: &Path) -> Result<Vec<PathBuf>, SourceError> {
    if pattern.is_dir() {
        return Err(SourceError::Folder(pattern.to_owned()));
    }
    let text = pattern.to_string_lossy();
    let paths = glob::glob(&text)
        .map_err(|e| SourceError::Pattern { pattern: text.to_string(), reason: e.to_string() })?;
    let files: Vec<PathBuf> = paths.filter_map(Result::ok).filter(|path| path.is_file()).collect();
    if files.is_empty() {
        return Err(SourceError::NoFile(text.into_owned()));
    }
    Ok(files)
}

/// Reads one file and hands every quad to `sink`; named graphs are kept, blank nodes are renamed so that
/// files do not share them by accident.
///
/// # Errors
/// The first broken statement unless `skip_errors`; any failure to read.
pub fn read_quads(
    path: &Path,
    skip_errors: bool,
    progress: &dyn Progress,
    sink: &mut dyn FnMut(Quad),
) -> Result<ReadSummary, SourceError> {
    let (format, compression) = detect(path)?;
    let io_error = |source| read_error(path, compression, source);
    let file = File::open(path).map_err(io_error)?;
    let counted = Counted { inner: file, pending: 0, progress };
    let decoded = compression.decode(counted).map_err(io_error)?;
    let bounded: Box<dyn Read> = match format {
        RdfFormat::RdfXml => Box::new(BoundedTags::new(decoded)),
        _ => decoded,
    };
    let reader = BufReader::with_capacity(1 << 16, bounded);
    let mut parser = RdfParser::from_format(format).rename_blank_nodes();
    if let Some(base) = base_iri(path) {
        parser = parser
            .with_base_iri(&base)
            .unwrap_or_else(|_| RdfParser::from_format(format).rename_blank_nodes());
    }
    let mut summary = ReadSummary::default();
    let mut quads = parser.for_reader(reader);
    for quad in quads.by_ref() {
        match quad {
            Ok(quad) => {
                summary.quads += 1;
                sink(quad);
            }
            Err(RdfParseError::Io(source)) => return Err(io_error(source)),
            Err(error) if skip_errors => note_skipped(&mut summary, &syntax_error(path, &error)),
            Err(error) => return Err(stopped_by(syntax_error(path, &error), format, summary.quads)),
        }
    }
    summary.prefixes = quads.prefixes().map(|(name, iri)| (name.to_owned(), iri.to_owned())).collect();
    Ok(summary)
}

fn note_skipped(summary: &mut ReadSummary, error: &SourceError) {
    summary.skipped += 1;
    if let SourceError::Syntax { path, line, column, reason } = error
        && summary.reasons.len() < MAX_REPORTED_ERRORS
    {
        summary.reasons.push(format!("{}: {reason}", place(path, *line, *column)));
    }
}

fn place(path: &Path, line: u64, column: u64) -> String {
    if line == 0 { path.display().to_string() } else { format!("{}:{line}:{column}", path.display()) }
}

/// What a decoder refuses is another matter than a disk that fails.
fn read_error(path: &Path, compression: Compression, source: std::io::Error) -> SourceError {
    let path = path.to_owned();
    match (compression.name(), source.raw_os_error()) {
        (Some(compression), None) => SourceError::Compressed { path, compression, source },
        _ => SourceError::Io { path, source },
    }
}

/// Where not even the first statement can be read, the file may be of another format than its name says.
fn stopped_by(error: SourceError, format: RdfFormat, quads: u64) -> SourceError {
    match error {
        SourceError::Syntax { path, line, column, reason } if quads == 0 => {
            let reason = format!("{reason} (read as {}, because of the file's name)", format.name());
            SourceError::Syntax { path, line, column, reason }
        }
        other => other,
    }
}

fn syntax_error(path: &Path, error: &RdfParseError) -> SourceError {
    let (position, reason) = match error {
        RdfParseError::Syntax(error) => (error.location(), error.to_string()),
        RdfParseError::Io(error) => (None, error.to_string()),
    };
    // The parser's own text starts with its position, which we state before the reason.
    let reason = reason
        .split_once(": ")
        .filter(|(head, _)| head.contains(" at ") || head.starts_with("Parser error "))
        .map_or(reason.as_str(), |(_, tail)| tail);
    SourceError::Syntax {
        path: path.to_owned(),
        line: position.as_ref().map_or(0, |p| p.start.line + 1),
        column: position.as_ref().map_or(0, |p| p.start.column + 1),
        // Some parsers repeat what they stumbled over, which may be the whole file.
        reason: one_line(reason, MAX_REASON_CHARS),
    }
}

/// Relative IRIs are resolved against the file's own address, as other RDF tools do.
fn base_iri(path: &Path) -> Option<String> {
    let absolute = std::path::absolute(path).ok()?;
    let text = absolute.to_str()?;
    let mut iri = String::from("file://");
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || "/-._~".contains(c) || !c.is_ascii() {
            iri.push(c);
        } else {
            iri.push_str(&format!("%{:02X}", u32::from(c)));
        }
    }
    Some(iri)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compression {
    None,
    Gzip,
    Bzip2,
    Zstandard,
}

impl Compression {
    fn name(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Gzip => Some("gzip"),
            Self::Bzip2 => Some("bzip2"),
            Self::Zstandard => Some("Zstandard"),
        }
    }

    fn decode<'a>(self, input: impl Read + 'a) -> std::io::Result<Box<dyn Read + 'a>> {
        Ok(match self {
            Self::None => Box::new(input),
            Self::Gzip => Box::new(flate2::read::MultiGzDecoder::new(input)),
            Self::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(input)),
            Self::Zstandard => Box::new(zstd::stream::read::Decoder::new(input)?),
        })
    }
}

fn detect(path: &Path) -> Result<(RdfFormat, Compression), SourceError> {
    let unknown = || SourceError::UnknownFormat(path.to_owned());
    let name = path.file_name().and_then(|n| n.to_str()).ok_or_else(unknown)?.to_lowercase();
    let (name, compression) =
        [(".gz", Compression::Gzip), (".bz2", Compression::Bzip2), (".zst", Compression::Zstandard)]
            .into_iter()
            .find_map(|(ending, compression)| Some((name.strip_suffix(ending)?.to_owned(), compression)))
            .unwrap_or((name, Compression::None));
    let extension = name.rsplit_once('.').map(|(_, extension)| extension).ok_or_else(unknown)?;
    let format = match extension {
        "owl" | "xml" => Some(RdfFormat::RdfXml),
        other => RdfFormat::from_extension(other),
    };
    Ok((format.ok_or_else(unknown)?, compression))
}

/// Tells the progress how many (compressed) bytes were read.
struct Counted<'a, R> {
    inner: R,
    pending: u64,
    progress: &'a dyn Progress,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.pending += count as u64;
        if self.pending >= PROGRESS_STEP_BYTES || count == 0 {
            self.progress.advance(std::mem::take(&mut self.pending));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::NoProgress;
    use std::io::Write;

    const TURTLE: &str = "@prefix ex: <http://ex.org/> .\nex:a ex:p \"x\"@en .\nex:b ex:p _:n .\n";

    fn read(path: &Path, skip: bool) -> Result<(Vec<Quad>, ReadSummary), SourceError> {
        let mut quads = Vec::new();
        let summary = read_quads(path, skip, &NoProgress, &mut |quad| quads.push(quad))?;
        Ok((quads, summary))
    }

    fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    #[test]
    fn every_compression_gives_the_same_quads() {
        let folder = tempfile::tempdir().unwrap();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(TURTLE.as_bytes()).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(TURTLE.as_bytes()).unwrap();
        let zstandard = zstd::stream::encode_all(TURTLE.as_bytes(), 1).unwrap();
        let files = [
            write(folder.path(), "a.ttl", TURTLE.as_bytes()),
            write(folder.path(), "b.ttl.gz", &gzip.finish().unwrap()),
            write(folder.path(), "c.ttl.bz2", &bzip2.finish().unwrap()),
            write(folder.path(), "d.ttl.zst", &zstandard),
        ];
        for file in files {
            let (quads, summary) = read(&file, false).unwrap();
            assert_eq!(quads.len(), 2, "{}", file.display());
            assert_eq!(quads[0].object.to_string(), "\"x\"@en");
            assert_eq!(summary.prefixes, [("ex".to_owned(), "http://ex.org/".to_owned())]);
        }
    }

    #[test]
    fn every_format_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let samples = [
            ("a.nt", "<http://ex.org/a> <http://ex.org/p> <http://ex.org/b> ."),
            ("a.nq", "<http://ex.org/a> <http://ex.org/p> <http://ex.org/b> <http://ex.org/g> ."),
            ("a.trig", "<http://ex.org/g> { <http://ex.org/a> <http://ex.org/p> <http://ex.org/b> }"),
            (
                "a.rdf",
                "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://ex.org/\"><rdf:Description rdf:about=\"http://ex.org/a\"><e:p rdf:resource=\"http://ex.org/b\"/></rdf:Description></rdf:RDF>",
            ),
            ("a.jsonld", "{\"@id\":\"http://ex.org/a\",\"http://ex.org/p\":{\"@id\":\"http://ex.org/b\"}}"),
        ];
        for (name, text) in samples {
            let (quads, _) = read(&write(folder.path(), name, text.as_bytes()), false).unwrap();
            assert_eq!(quads.len(), 1, "{name}");
            assert_eq!(quads[0].object.to_string(), "<http://ex.org/b>", "{name}");
        }
    }

    #[test]
    fn xml_with_endless_tags_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let with = |attributes: usize| {
            let names: String = (0..attributes).map(|at| format!(" e:a{at}=\"\"")).collect();
            format!(
                "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://e.x/'>\
                 <e:C rdf:about='http://e.x/s'{names}/></rdf:RDF>"
            )
        };
        let few = write(folder.path(), "few.rdf", with(500).as_bytes());
        assert_eq!(read(&few, false).unwrap().1.quads, 501);
        let endless = write(folder.path(), "endless.rdf", with(1_001).as_bytes());
        let error = read(&endless, true).unwrap_err();
        assert!(
            std::error::Error::source(&error).unwrap().to_string().contains("more than 1000 attributes"),
            "{error}"
        );
    }

    #[test]
    fn a_broken_line_is_named_or_skipped() {
        let folder = tempfile::tempdir().unwrap();
        let text = "<http://ex.org/a> <http://ex.org/p> \"1\" .\n<http://ex.org/a> oops .\n<http://ex.org/b> <http://ex.org/p> \"2\" .\n";
        let path = write(folder.path(), "broken.nt", text.as_bytes());
        match read(&path, false) {
            Err(SourceError::Syntax { line: 2, reason, .. }) => assert!(!reason.is_empty()),
            other => panic!("expected a syntax error on line 2, got {other:?}"),
        }
        let (quads, summary) = read(&path, true).unwrap();
        assert_eq!((quads.len(), summary.skipped), (2, 1));
        assert!(summary.reasons[0].contains("broken.nt:2"), "{:?}", summary.reasons);
    }

    #[test]
    fn patterns_name_files_once_and_must_match() {
        let folder = tempfile::tempdir().unwrap();
        let a = write(folder.path(), "a.ttl", b"");
        let b = write(folder.path(), "b.ttl", b"");
        let patterns = [folder.path().join("*.ttl"), a.clone()];
        assert_eq!(expand_patterns(&patterns).unwrap(), [a, b]);
        let missing = expand_patterns(&[folder.path().join("none-*.ttl")]);
        assert!(matches!(missing, Err(SourceError::NoFile(_))));
        let odd = write(folder.path(), "c.csv", b"");
        assert!(matches!(read(&odd, false), Err(SourceError::UnknownFormat(_))));
        let said = expand_patterns(&[PathBuf::from("/")]).unwrap_err().to_string();
        assert!(said.contains("is a folder") && said.contains("*.ttl"), "{said}");
    }

    #[test]
    fn a_file_that_is_not_what_its_name_says_is_told_in_one_short_line() {
        let folder = tempfile::tempdir().unwrap();
        let long = format!("# a comment\n{TURTLE}").repeat(100);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(long.as_bytes()).unwrap();
        let gzip = gzip.finish().unwrap();
        let cases: [(&str, &[u8], &str); 7] = [
            ("a.rdf", long.as_bytes(), "read as RDF/XML, because of the file's name"),
            ("a.jsonld", long.as_bytes(), "read as JSON-LD, because of the file's name"),
            ("a.nt", long.as_bytes(), "a.nt:2:1: "),
            ("a.ttl", &gzip, "read as Turtle, because of the file's name"),
            ("a.ttl.gz", long.as_bytes(), "is it gzip, as its name says?"),
            ("b.ttl.gz", &gzip[..gzip.len() / 2], "is it whole, and is it gzip"),
            ("a.ttl.zst", long.as_bytes(), "is it Zstandard, as its name says?"),
        ];
        for (name, bytes, words) in cases {
            let said = read(&write(folder.path(), name, bytes), false).unwrap_err().to_string();
            assert!(said.contains(name) && said.contains(words), "{name}: {said}");
            let place = folder.path().display().to_string().len();
            assert!(
                said.len() < place + 400 && !said.contains('\n') && !said.contains(":0:"),
                "{name}: {said}"
            );
        }
    }

    #[test]
    fn the_place_of_an_error_is_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let text = "<http://a/b> <http://a/c> \"x\" .\n<http://a/b> <http://a/c \"y\" .\n";
        let said = read(&write(folder.path(), "bad.nt", text.as_bytes()), false).unwrap_err().to_string();
        assert!(said.contains("bad.nt:2:14: ") && !said.contains("line 2"), "{said}");
        assert!(!said.contains("because of the file's name"), "its format is not in doubt: {said}");
    }
}

//! Detects the format of a file by its content: the shape of its beginning, and for Turtle-like syntaxes, which look alike,
//! trial parsing.

use super::error::reason_of;
use super::format::Format;
use super::json_ld::{BoundedJson, Contexts};
use super::large_stack::on_large_stack;
use super::wikibase_json::recognise;
use eruca_sparql::BoundedTags;
use oxrdfio::{JsonLdProfileSet, RdfFormat, RdfParseError, RdfParser};
use std::io::Read;
use std::path::Path;

/// The namespace that every RDF/XML document contains.
const RDF_NAMESPACE: &[u8] = b"http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const JSON_LD: Format = Format::Rdf(RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() });
/// The Turtle-like syntaxes that are tried, best first. N-Triples is also Turtle.
const TRIED: [RdfFormat; 3] = [RdfFormat::Turtle, RdfFormat::TriG, RdfFormat::NQuads];

/// The beginning of a file, decompressed and without a byte order mark.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileHead<'a> {
    pub(super) bytes: &'a [u8],
    /// Whether this is the whole file.
    pub(super) whole: bool,
}

/// The format of the content; `named`, the one of the file name, if the content agrees with it. `None` if the content
/// is ambiguous.
pub(super) fn sniff(head: FileHead<'_>, named: Option<Format>) -> Option<Format> {
    let text = head.bytes.trim_ascii_start();
    let after = |at: usize| text.get(at..).and_then(|rest| rest.trim_ascii_start().first().copied());
    match (text.first()?, after(1)) {
        (b'{', Some(b'"')) | (b'[', Some(b'{')) => json(text),
        (b'<', _) if is_xml(text) => {
            let rdf = text.windows(RDF_NAMESPACE.len()).any(|window| window == RDF_NAMESPACE);
            rdf.then_some(Format::Rdf(RdfFormat::RdfXml))
        }
        _ => turtle_like(head, named),
    }
}

fn json(text: &[u8]) -> Option<Format> {
    if let Some(layout) = recognise(text) {
        return Some(Format::WikibaseJson(layout));
    }
    let keyword = text.windows(2).any(|pair| pair == b"\"@");
    keyword.then_some(JSON_LD)
}

/// Whether this is markup rather than the IRI of a subject: IRIs contain no white space, and RDF/XML does not begin with a tag
/// without attributes.
fn is_xml(text: &[u8]) -> bool {
    match text.get(1) {
        Some(b'?' | b'!') => true,
        Some(_) => {
            text.iter().find(|c| c.is_ascii_whitespace() || **c == b'>').is_some_and(|end| *end != b'>')
        }
        None => false,
    }
}

fn turtle_like(head: FileHead<'_>, named: Option<Format>) -> Option<Format> {
    let by_name = match named {
        Some(Format::Rdf(RdfFormat::JsonLd { .. } | RdfFormat::RdfXml) | Format::WikibaseJson(_)) | None => {
            None
        }
        Some(Format::Rdf(format)) => Some(format),
    };
    let told = by_name.map(|format| Trial::of(head, format));
    if told.as_ref().is_some_and(|trial| trial.error.is_none()) {
        return named;
    }
    let trials: Vec<_> = TRIED.into_iter().map(|format| (format, Trial::of(head, format))).collect();
    if let Some((format, _)) = trials.iter().find(|(_, trial)| trial.error.is_none() && trial.quads > 0) {
        return Some(Format::Rdf(*format));
    }
    // All trials failed, so the file is invalid. Its name counts as wrong only if nothing at all can be parsed in that format.
    if told.is_some_and(|trial| trial.evidence() > 0) {
        return named;
    }
    // `max_by_key` returns the last of equals; on the reversed list, that is the first.
    let best = trials.into_iter().rev().max_by_key(|(_, trial)| trial.evidence());
    best.filter(|(_, trial)| trial.evidence() > 0).map(|(format, _)| Format::Rdf(format))
}

/// The result of parsing the beginning of a file in a format.
#[derive(Debug, Default)]
pub(super) struct Trial {
    /// Number of quads before the first error.
    quads: usize,
    prefixes: usize,
    /// The first error, unless it is only caused by the end of the beginning.
    pub(super) error: Option<String>,
}

impl Trial {
    pub(super) fn of(head: FileHead<'_>, format: RdfFormat) -> Self {
        let beginning = Beginning(head);
        match format {
            RdfFormat::JsonLd { .. } => {
                let bounded = BoundedJson::new(beginning, Contexts::of(Path::new(""), None));
                let trial = on_large_stack(&mut |_| {}, move |_| Self::with(bounded, format));
                trial.unwrap_or_else(|error| Self { error: Some(error.to_string()), ..Self::default() })
            }
            RdfFormat::RdfXml => Self::with(BoundedTags::new(beginning), format),
            _ => Self::with(beginning, format),
        }
    }

    fn with(reader: impl Read, format: RdfFormat) -> Self {
        let parser = RdfParser::from_format(format);
        // Relative IRIs are allowed in a file.
        let parser = parser.clone().with_base_iri("file:///").unwrap_or(parser);
        let mut read = parser.for_reader(reader);
        let mut trial = Self::default();
        for quad in read.by_ref() {
            match quad {
                Ok(_) => trial.quads += 1,
                Err(RdfParseError::Io(error)) if error.kind() == CUT => break,
                Err(error) => {
                    trial.error = Some(reason_of(&error));
                    break;
                }
            }
        }
        trial.prefixes = read.prefixes().count();
        trial
    }

    fn evidence(&self) -> usize {
        self.quads + self.prefixes
    }
}

/// An error kind that no file system returns.
const CUT: std::io::ErrorKind = std::io::ErrorKind::NotSeekable;

/// Reads the beginning of a file and fails with [`CUT`] where it ends, so that a parser does not mistake that for the end.
struct Beginning<'a>(FileHead<'a>);

impl Read for Beginning<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.0.bytes.read(buffer)? {
            0 if !self.0.whole && !buffer.is_empty() => Err(CUT.into()),
            count => Ok(count),
        }
    }
}

//! Reads a file as a stream of quads.

use super::SourceError;
use super::error::place;
use super::format::{Format, GivenFormat};
use super::json_ld::{BoundedJson, Contexts};
use super::large_stack::on_large_stack;
use super::literal_limits::{Bounded, Noticed, ScannedSyntax};
use super::open::{Coding, Opened, open};
use super::rdfxml_recovery::{Elements, TripleTerm};
use super::wikibase_json::{EntityFailure, EntityFile};
use crate::progress::{NoProgress, Progress};
use eruca_sparql::{BoundedTags, thousands};
use oxrdf::{BlankNode, NamedOrBlankNode, Quad, Term};
use oxrdfio::{RdfFormat, RdfParseError, RdfParser, ReaderQuadParser};
use std::collections::HashMap;
use std::io::{Cursor, Read};
use std::path::Path;

/// Maximum number of skipped statements described individually; further ones are counted.
const MAX_REPORTED_ERRORS: usize = 5;
/// Used where a parser only reports that it expects something else.
const TRIPLE_TERM: &str = "triple terms, reified triples and annotations of RDF 1.2 (<<( … )>>, << … >>, {| … |}) are not read: only RDF 1.1 is";

/// The error if a line continues after its statement. The parser still returns that, though it is not what the line says.
const NO_DOT: &str = "Quads must be followed by a dot";

/// The result of reading one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadSummary {
    /// Number of quads emitted.
    pub quads: u64,
    /// Number of statements skipped because they are invalid (only if requested).
    pub skipped: u64,
    /// The first few of the reasons, each with file, line and message.
    pub reasons: Vec<String>,
    /// Where the file is not what its name suggests.
    pub notes: Vec<String>,
    /// What was left out of the file although it is valid.
    pub left_out: Vec<String>,
    /// What is missing because it is invalid: how many statements, and where reading could not continue.
    pub unread: Vec<String>,
    /// Prefixes declared in the file, ordered by name.
    pub prefixes: Vec<(String, String)>,
}

/// How files are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadOptions<'a> {
    /// Leave invalid statements out instead of stopping at the first.
    pub skip_errors: bool,
    /// The base of a Wikibase's entities, which its JSON does not contain; that of Wikidata by default.
    pub wikibase_base: Option<&'a str>,
    /// The format of the files, if neither their names nor their content reveal it.
    pub format: Option<GivenFormat>,
}

/// Reads one file and passes every quad to `sink`; see [`ReadOptions::quads`].
///
/// # Errors
/// The first invalid statement unless `skip_errors`; any failure to read.
pub fn read_quads(
    path: &Path,
    skip_errors: bool,
    progress: &dyn Progress,
    sink: &mut dyn FnMut(Quad),
) -> Result<ReadSummary, SourceError> {
    ReadOptions { skip_errors, ..ReadOptions::default() }.quads(path, progress, sink)
}

impl ReadOptions<'_> {
    /// The format in which a file would be read; reads only its beginning.
    ///
    /// # Errors
    /// When the file cannot be read, or its format cannot be determined.
    pub fn format_of(&self, path: &Path) -> Result<&'static str, SourceError> {
        open(path, self.format, &NoProgress).map(|opened| opened.format.name())
    }

    /// Reads one file, in the format and compression of its content, and passes every quad to `sink`; named graphs
    /// are kept, and blank nodes are renamed so that files do not accidentally share them.
    ///
    /// # Errors
    /// The first invalid statement unless those are skipped; any failure to read.
    pub fn quads(
        &self,
        path: &Path,
        progress: &dyn Progress,
        sink: &mut dyn FnMut(Quad),
    ) -> Result<ReadSummary, SourceError> {
        let Opened { text, format, coding, notes, doubt } = open(path, self.format, progress)?;
        let summary = ReadSummary { notes, ..ReadSummary::default() };
        let mut file = OpenFile { path, coding, doubt, skip_errors: self.skip_errors, summary };
        match format {
            Format::Rdf(RdfFormat::RdfXml) => file.xml(text, sink)?,
            Format::Rdf(format @ RdfFormat::JsonLd { .. }) => file.json_ld(text, format, sink)?,
            Format::Rdf(format) => file.turtle_like(text, format, sink)?,
            Format::WikibaseJson(layout) => {
                let mut entities = EntityFile::new(path, text, layout, self.wikibase_base)?;
                file.wikibase(&mut entities, sink)?;
            }
        }
        Ok(file.told())
    }
}

/// Reads bytes as a file of this format, in pieces of a given size.
#[cfg(any(test, fuzzing))]
pub(crate) fn read_bytes(
    bytes: &[u8],
    format: RdfFormat,
    piece: usize,
    skip_errors: bool,
) -> Result<(Vec<Quad>, ReadSummary), SourceError> {
    let (path, coding, summary) = (Path::new("fuzzed"), Coding::plain(), ReadSummary::default());
    let mut file = OpenFile { path, coding, doubt: None, skip_errors, summary };
    let text = Box::new(Pieces(bytes, piece));
    let mut quads = Vec::new();
    let sink = &mut |quad| quads.push(quad);
    match format {
        RdfFormat::RdfXml => file.xml(text, sink)?,
        RdfFormat::JsonLd { .. } => file.json_ld(text, format, sink)?,
        _ => file.turtle_like(text, format, sink)?,
    }
    Ok((quads, file.told()))
}

/// Bytes that arrive a few at a time.
#[cfg(any(test, fuzzing))]
struct Pieces<'a>(&'a [u8], usize);

#[cfg(any(test, fuzzing))]
impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(self.1);
        self.0.read(buffer.get_mut(..most).unwrap_or_default())
    }
}

/// A file being read.
struct OpenFile<'a> {
    path: &'a Path,
    coding: Coding,
    doubt: Option<String>,
    skip_errors: bool,
    summary: ReadSummary,
}

impl OpenFile<'_> {
    /// Turtle, TriG, N-Triples, N-Quads and N3.
    fn turtle_like(
        &mut self,
        text: Box<dyn Read + '_>,
        format: RdfFormat,
        sink: &mut dyn FnMut(Quad),
    ) -> Result<(), SourceError> {
        let language = match format {
            RdfFormat::NTriples | RdfFormat::NQuads => ScannedSyntax::Lines,
            _ => ScannedSyntax::Turtle,
        };
        let bounded = Bounded::new(text, language);
        let noticed = bounded.noticed();
        let mut quads = parser(self.path, format).rename_blank_nodes().for_reader(bounded);
        let mut goes_on = false;
        for quad in quads.by_ref() {
            match quad {
                Ok(_) if std::mem::take(&mut goes_on) => {}
                Ok(quad) => self.unless_faulty(quad, &noticed, language, sink)?,
                Err(RdfParseError::Io(source)) => return Err(self.coding.error(self.path, source)),
                Err(error) => {
                    goes_on = error.to_string().contains(NO_DOT);
                    self.broken(self.syntax(&error, &noticed))?;
                }
            }
        }
        self.take_prefixes(&quads);
        Ok(())
    }

    fn json_ld(
        &mut self,
        text: Box<dyn Read + Send + '_>,
        format: RdfFormat,
        sink: &mut dyn FnMut(Quad),
    ) -> Result<(), SourceError> {
        let (path, coding) = (self.path, self.coding);
        let read = on_large_stack(sink, |sink| self.json_ld_on_this_stack(text, format, sink));
        read.unwrap_or_else(|source| Err(coding.error(path, source)))
    }

    fn json_ld_on_this_stack(
        &mut self,
        text: impl Read,
        format: RdfFormat,
        sink: &mut dyn FnMut(Quad),
    ) -> Result<(), SourceError> {
        let contexts = Contexts::of(self.path, base_iri(self.path).as_deref());
        let bounded = Bounded::new(BoundedJson::new(text, contexts.clone()), ScannedSyntax::Json);
        let (noticed, loader) = (bounded.noticed(), contexts.clone());
        let quads = parser(self.path, format).rename_blank_nodes().for_reader(bounded);
        let mut quads = quads.with_document_loader(move |address| Ok(loader.load(address)));
        let mut stopped_at = None;
        for quad in quads.by_ref() {
            contexts.check()?;
            stopped_at = None;
            match quad {
                Ok(quad) => self.unless_faulty(quad, &noticed, ScannedSyntax::Json, sink)?,
                Err(RdfParseError::Io(source)) => return Err(self.coding.error(self.path, source)),
                Err(error) => {
                    let error = SourceError::syntax(self.path, &error);
                    stopped_at = error.line();
                    self.broken(error)?;
                }
            }
        }
        contexts.check()?;
        stopped_at.into_iter().for_each(|line| self.lost_from(line));
        self.take_prefixes(&quads);
        Ok(())
    }

    fn xml(&mut self, text: Box<dyn Read + '_>, sink: &mut dyn FnMut(Quad)) -> Result<(), SourceError> {
        let mut elements = Elements::new(BoundedTags::new(text));
        // A restarted parser does not know the blank nodes from before the error.
        let mut nodes = HashMap::new();
        let mut head = Some(ReadAgain::default());
        while let Some(before) = head.take() {
            let Some(error) = self.xml_until_error(before, &mut elements, &mut nodes, sink)? else { break };
            self.broken(error)?;
            head = self.xml_behind_error(&mut elements)?;
            if head.is_none() {
                self.lost_from(elements.began());
            }
        }
        match elements.cut_off() {
            // If errors are skipped, one of them is the cause and has already been reported.
            Some(line) if self.summary.skipped == 0 => {
                let reason = "the file ends before its elements do; is it whole?";
                self.broken(SourceError::at(self.path, (line, 0), reason))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The beginning of the document from which to continue after an error.
    fn xml_behind_error(&self, elements: &mut Elements<impl Read>) -> Result<Option<ReadAgain>, SourceError> {
        let failed = |source| self.coding.error(self.path, source);
        if let Some(head) = elements.skip_property().map_err(failed)? {
            let again = parser(self.path, RdfFormat::RdfXml).for_reader(head.whole.as_slice());
            if let Ok(known) = again.collect::<Result<Vec<_>, _>>() {
                return Ok(Some(ReadAgain { text: Cursor::new(head.text), known: known.len() }));
            }
            elements.broken_tag();
        }
        Ok(elements.skip().map_err(failed)?.map(|text| ReadAgain { text, known: 0 }))
    }

    /// Continues after `head`, a beginning of the document, up to the first error or the end.
    fn xml_until_error(
        &mut self,
        ReadAgain { text: head, mut known }: ReadAgain,
        elements: &mut Elements<impl Read>,
        nodes: &mut HashMap<BlankNode, BlankNode>,
        sink: &mut dyn FnMut(Quad),
    ) -> Result<Option<SourceError>, SourceError> {
        let mut quads = parser(self.path, RdfFormat::RdfXml).for_reader(head.chain(&mut *elements));
        let error = loop {
            match quads.next() {
                Some(Ok(_)) if known > 0 => known -= 1,
                Some(Ok(quad)) => self.hand_on(renamed(quad, nodes), sink),
                Some(Err(RdfParseError::Io(source))) if is_triple_term(&source) => {
                    break Some(SourceError::at(self.path, (0, 0), TripleTerm.to_string()));
                }
                Some(Err(RdfParseError::Io(source))) => return Err(self.coding.error(self.path, source)),
                Some(Err(error)) => break Some(SourceError::syntax(self.path, &error)),
                None => break None,
            }
        };
        self.take_prefixes(&quads);
        drop(quads);
        Ok(error.map(|error| match error {
            SourceError::Syntax { reason, .. } => {
                let reason = format!("in the element that begins here: {reason}");
                SourceError::at(self.path, (elements.began(), 0), reason)
            }
            other => other,
        }))
    }

    fn hand_on(&mut self, quad: Quad, sink: &mut dyn FnMut(Quad)) {
        self.summary.quads += 1;
        sink(quad);
    }

    /// Emits a quad, unless a part of it was altered because of a fault.
    fn unless_faulty(
        &mut self,
        quad: Quad,
        noticed: &Noticed,
        language: ScannedSyntax,
        sink: &mut dyn FnMut(Quad),
    ) -> Result<(), SourceError> {
        match noticed.fault_in(&quad) {
            None => {
                self.hand_on(quad, sink);
                Ok(())
            }
            Some((spot, fault)) => {
                let place = (spot.line, spot.column);
                self.broken(SourceError::at(self.path, place, fault.reason(language)))
            }
        }
    }

    /// A parser's error for a Turtle-like syntax, or a more specific one.
    fn syntax(&self, error: &RdfParseError, noticed: &Noticed) -> SourceError {
        match SourceError::syntax(self.path, error) {
            SourceError::Syntax { path, line, column, .. } if noticed.is_triple_term(line) => {
                SourceError::at(&path, (line, column), TRIPLE_TERM)
            }
            other => other,
        }
    }

    fn take_prefixes<R: Read>(&mut self, quads: &ReaderQuadParser<R>) {
        self.summary.prefixes =
            quads.prefixes().map(|(name, iri)| (name.to_owned(), iri.to_owned())).collect();
    }

    fn wikibase(
        &mut self,
        entities: &mut EntityFile<'_>,
        sink: &mut dyn FnMut(Quad),
    ) -> Result<(), SourceError> {
        while let Some(entity) = entities.next() {
            match entity {
                Ok(quads) => {
                    self.summary.quads += quads.len() as u64;
                    quads.into_iter().for_each(&mut *sink);
                }
                Err(EntityFailure::Io(source)) => return Err(self.coding.error(self.path, source)),
                Err(EntityFailure::Broken(error)) => self.broken(error)?,
            }
        }
        self.summary.left_out = entities.left_out();
        self.summary.prefixes = entities.prefixes();
        Ok(())
    }

    /// Records that an error has cost the rest of the file.
    fn lost_from(&mut self, line: u64) {
        let path = self.path.display();
        let lost = format!("{path}: nothing is read from line {line} on, because of the error there");
        self.summary.unread.push(lost);
    }

    /// Records an error, or stops at it.
    fn broken(&mut self, error: SourceError) -> Result<(), SourceError> {
        if !self.skip_errors {
            return Err(self.stopped_by(error));
        }
        self.summary.skipped += 1;
        if let SourceError::Syntax { path, line, column, reason } = error
            && self.summary.reasons.len() < MAX_REPORTED_ERRORS
        {
            self.summary.reasons.push(format!("{}: {reason}", place(&path, line, column)));
        }
        Ok(())
    }

    /// The summary of the whole file.
    fn told(mut self) -> ReadSummary {
        let path = self.path.display();
        let missing = match self.summary.skipped {
            0 => None,
            1 => Some(format!("1 statement of {path} could not be read and is missing")),
            count => {
                Some(format!("{} statements of {path} could not be read and are missing", thousands(count)))
            }
        };
        self.summary.unread.splice(0..0, missing);
        self.summary
    }

    /// If not even the first statement can be read, the file may be in another format than assumed.
    fn stopped_by(&self, error: SourceError) -> SourceError {
        if let Some(remedy) = error.of_encoding() {
            return error.with_hint(&remedy);
        }
        match &self.doubt {
            Some(doubt) if self.summary.quads == 0 => error.with_hint(doubt),
            _ => error,
        }
    }
}

/// A beginning of an XML document that is given to a new parser.
#[derive(Default)]
struct ReadAgain {
    text: Cursor<Vec<u8>>,
    /// Number of its quads that the previous parser has already emitted.
    known: usize,
}

fn is_triple_term(error: &std::io::Error) -> bool {
    let Some(source) = error.get_ref() else { return false };
    source.is::<TripleTerm>()
}

/// The quad with blank nodes that no other file has.
fn renamed(quad: Quad, nodes: &mut HashMap<BlankNode, BlankNode>) -> Quad {
    let mut new = |node: BlankNode| nodes.entry(node).or_default().clone();
    let subject = match quad.subject {
        NamedOrBlankNode::BlankNode(node) => new(node).into(),
        named @ NamedOrBlankNode::NamedNode(_) => named,
    };
    let object = match quad.object {
        Term::BlankNode(node) => new(node).into(),
        other @ (Term::NamedNode(_) | Term::Literal(_)) => other,
    };
    Quad { subject, object, ..quad }
}

fn parser(path: &Path, format: RdfFormat) -> RdfParser {
    let parser = RdfParser::from_format(format);
    match base_iri(path) {
        Some(base) => parser.clone().with_base_iri(&base).unwrap_or(parser),
        None => parser,
    }
}

/// Relative IRIs are resolved against the file's own URL, as in other RDF tools.
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

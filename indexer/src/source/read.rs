//! Reads a file as a stream of quads.

use super::SourceError;
use super::error::place;
use super::format::{Format, GivenFormat};
use super::open::{Coding, Opened, open};
use super::wikibase_json::{Entities, Failure};
use crate::progress::{NoProgress, Progress};
use eruca_sparql::BoundedTags;
use oxrdf::Quad;
use oxrdfio::{RdfFormat, RdfParseError, RdfParser};
use std::io::{BufReader, Read};
use std::path::Path;

/// At most so many skipped lines are described one by one.
const MAX_REPORTED_ERRORS: usize = 5;

/// What reading one file came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadSummary {
    /// Quads handed on.
    pub quads: u64,
    /// Statements skipped because they are broken (only when asked to skip).
    pub skipped: u64,
    /// The first few of the reasons, each with file, line and reason.
    pub reasons: Vec<String>,
    /// Where the file is not what its name says.
    pub notes: Vec<String>,
    /// What of the file is left out though nothing in it is broken.
    pub left_out: Vec<String>,
    /// Prefixes declared in the file, in order of their names.
    pub prefixes: Vec<(String, String)>,
}

/// How files are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reading<'a> {
    /// Leave broken statements out instead of stopping at the first.
    pub skip_errors: bool,
    /// Where the entities of a Wikibase live, for its JSON, which does not tell; by default Wikidata's place.
    pub wikibase_base: Option<&'a str>,
    /// The format of the files, where neither their names nor their content tell it.
    pub format: Option<GivenFormat>,
}

/// Reads one file and hands every quad to `sink`; see [`Reading::quads`].
///
/// # Errors
/// The first broken statement unless `skip_errors`; any failure to read.
pub fn read_quads(
    path: &Path,
    skip_errors: bool,
    progress: &dyn Progress,
    sink: &mut dyn FnMut(Quad),
) -> Result<ReadSummary, SourceError> {
    Reading { skip_errors, ..Reading::default() }.quads(path, progress, sink)
}

impl Reading<'_> {
    /// The format in which a file would be read; looks at its beginning alone.
    ///
    /// # Errors
    /// When the file cannot be read, or its format cannot be told.
    pub fn format_of(&self, path: &Path) -> Result<&'static str, SourceError> {
        open(path, self.format, &NoProgress).map(|opened| opened.format.name())
    }

    /// Reads one file, of the format and compression that its content has, and hands every quad to `sink`; named graphs
    /// are kept, blank nodes are renamed so that files do not share them by accident.
    ///
    /// # Errors
    /// The first broken statement unless those are skipped; any failure to read.
    pub fn quads(
        &self,
        path: &Path,
        progress: &dyn Progress,
        sink: &mut dyn FnMut(Quad),
    ) -> Result<ReadSummary, SourceError> {
        let Opened { text, format, coding, notes, doubt } = open(path, self.format, progress)?;
        let summary = ReadSummary { notes, ..ReadSummary::default() };
        let mut file = Source { path, coding, doubt, skip_errors: self.skip_errors, summary };
        match format {
            Format::Rdf(format) => file.rdf(text, format, sink)?,
            Format::WikibaseJson(layout) => {
                let mut entities = Entities::new(path, text, layout, self.wikibase_base)?;
                file.wikibase(&mut entities, sink)?;
            }
        }
        Ok(file.summary)
    }
}

/// A file that is being read.
struct Source<'a> {
    path: &'a Path,
    coding: Coding,
    doubt: Option<String>,
    skip_errors: bool,
    summary: ReadSummary,
}

impl Source<'_> {
    fn rdf(
        &mut self,
        text: Box<dyn Read + '_>,
        format: RdfFormat,
        sink: &mut dyn FnMut(Quad),
    ) -> Result<(), SourceError> {
        let bounded: Box<dyn Read> = match format {
            RdfFormat::RdfXml => Box::new(BoundedTags::new(text)),
            _ => text,
        };
        let reader = BufReader::with_capacity(1 << 16, bounded);
        let mut quads = parser(self.path, format).for_reader(reader);
        for quad in quads.by_ref() {
            match quad {
                Ok(quad) => {
                    self.summary.quads += 1;
                    sink(quad);
                }
                Err(RdfParseError::Io(source)) => return Err(self.coding.error(self.path, source)),
                Err(error) => self.broken(SourceError::syntax(self.path, &error))?,
            }
        }
        self.summary.prefixes =
            quads.prefixes().map(|(name, iri)| (name.to_owned(), iri.to_owned())).collect();
        Ok(())
    }

    fn wikibase(
        &mut self,
        entities: &mut Entities<'_>,
        sink: &mut dyn FnMut(Quad),
    ) -> Result<(), SourceError> {
        while let Some(entity) = entities.next() {
            match entity {
                Ok(quads) => {
                    self.summary.quads += quads.len() as u64;
                    quads.into_iter().for_each(&mut *sink);
                }
                Err(Failure::Io(source)) => return Err(self.coding.error(self.path, source)),
                Err(Failure::Broken(error)) => self.broken(error)?,
            }
        }
        self.summary.left_out = entities.left_out();
        self.summary.prefixes = entities.prefixes();
        Ok(())
    }

    /// Notes what is broken, or stops at it.
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

    /// Where not even the first statement can be read, the file may be of another format than was taken.
    fn stopped_by(&self, error: SourceError) -> SourceError {
        match &self.doubt {
            Some(doubt) if self.summary.quads == 0 => error.with_hint(doubt),
            _ => error,
        }
    }
}

fn parser(path: &Path, format: RdfFormat) -> RdfParser {
    let parser = RdfParser::from_format(format).rename_blank_nodes();
    match base_iri(path) {
        Some(base) => parser.clone().with_base_iri(&base).unwrap_or(parser),
        None => parser,
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

//! Entities of a Wikibase as JSON, converted into the quads of its RDF export: dumps (a list with one entity per line),
//! one entity per line without a list, and files from Special:EntityData.
//!
//! ```text
//! recognise (is it this, and in which layout) ──► frames (one entity at a time) ──► model (serde) ──► entity ──► quads
//!                                                             statements · values · time · names ──┘
//! ```
//! The result follows the [RDF export](https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format) as in query
//! services: the counts of statements and sitelinks are on the entity itself. Redundant data are left out:
//! `skos:prefLabel` and `schema:name` of entities (same as `rdfs:label`), normalized values (they need tables that
//! dumps do not contain), and the OWL definitions of properties.

mod entity;
mod frames;
mod model;
mod names;
mod recognise;
mod statements;
#[cfg(test)]
mod tests;
mod time;
mod values;

pub(super) use recognise::{Layout, recognise};

use super::SourceError;
use crate::vocabulary::WIKIDATA;
use entity::Converter;
use eruca_sparql::one_line;
use frames::{Frame, FrameError, Frames};
use oxrdf::Quad;
use std::io::Read;
use std::path::Path;

/// Maximum number of characters kept of a message of the JSON parser.
const MAX_REASON_CHARS: usize = 200;

/// Why an entity cannot be read.
pub(super) enum EntityFailure {
    /// The file cannot be read any further.
    Io(std::io::Error),
    /// An entity is invalid; the following ones can be read.
    Broken(SourceError),
}

/// A file of entities, read one entity at a time.
pub(super) struct EntityFile<'a> {
    path: &'a Path,
    frames: Frames<Box<dyn Read + 'a>>,
    converter: Converter,
}

impl<'a> EntityFile<'a> {
    /// # Errors
    /// When `base` is not an IRI.
    pub(super) fn new(
        path: &'a Path,
        text: Box<dyn Read + 'a>,
        layout: Layout,
        base: Option<&str>,
    ) -> Result<Self, SourceError> {
        let base = base.unwrap_or(WIKIDATA);
        let converter = Converter::new(base).ok_or_else(|| SourceError::WikibaseBase(base.to_owned()))?;
        Ok(Self { path, frames: Frames::new(text, layout), converter })
    }

    /// The quads of the next entity; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Result<Vec<Quad>, EntityFailure>> {
        let frame = match self.frames.next()? {
            Ok(frame) => frame,
            Err(FrameError::Io(error)) => return Some(Err(EntityFailure::Io(error))),
            Err(FrameError::Broken { line, reason }) => return Some(Err(self.broken(line, 0, reason))),
        };
        Some(self.convert(&frame))
    }

    fn convert(&mut self, frame: &Frame) -> Result<Vec<Quad>, EntityFailure> {
        let entity = serde_json::from_slice(&frame.text).map_err(|error| {
            let line = frame.line + (error.line() as u64).saturating_sub(1);
            let reason = error.to_string();
            let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason);
            self.broken(line, error.column() as u64, format!("not an entity of a Wikibase: {reason}"))
        })?;
        self.converter.convert(&entity).map_err(|reason| self.broken(frame.line, 0, reason))
    }

    fn broken(&self, line: u64, column: u64, reason: impl AsRef<str>) -> EntityFailure {
        let reason = one_line(reason.as_ref(), MAX_REASON_CHARS);
        EntityFailure::Broken(SourceError::Syntax { path: self.path.to_owned(), line, column, reason })
    }

    /// What was left out although it is valid.
    pub(super) fn left_out(&self) -> Vec<String> {
        self.converter.left_out(self.path)
    }

    /// The prefixes of the namespaces in use.
    pub(super) fn prefixes(&self) -> Vec<(String, String)> {
        self.converter.prefixes()
    }
}

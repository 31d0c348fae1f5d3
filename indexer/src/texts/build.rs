//! Builds the index of passages within a build: long literals while the graph is read, documents once its names are known.

use super::links::{Links, Mapping, mapping};
use super::sources::{TextSources, TextsStamp};
use super::writer::TextWriter;
use super::{Passage, PassageSource};
use crate::entity_index::EntityIndex;
use crate::lexical::LexicalError;
use crate::progress::Progress;
use crate::source::{SourceError, expand_documents};
use eruca_documents::{Document, pieces, text_pieces};
use oxrdf::{NamedOrBlankNode, Quad, Term};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// Maximum number of passages of an index, and of one document or literal.
const MAX_PASSAGES: u64 = 5_000_000;
const MAX_OF_ONE: u32 = 20_000;
/// Maximum number of things of a passage.
const MAX_THINGS: usize = 12;
/// Notes kept about texts that could not be read; further ones are counted.
const MAX_NOTES: usize = 10;

/// Why the texts could not be indexed.
#[derive(Debug, thiserror::Error)]
pub enum TextsError {
    /// The index cannot be written, or the names cannot be searched.
    #[error(transparent)]
    Index(#[from] LexicalError),
    /// The configured files are not there.
    #[error("the texts cannot be read: {0}")]
    Files(#[from] SourceError),
    /// The mapping cannot be read.
    #[error("the mapping '{}' cannot be read: {source}", file.display())]
    Mapping {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        source: std::io::Error,
    },
    /// The files changed while they were read.
    #[error("the texts cannot be read: {0}")]
    Changed(std::io::Error),
}

/// An index of passages being built.
pub(crate) struct TextsBuild<'a> {
    sources: &'a TextSources,
    files: Vec<PathBuf>,
    writer: TextWriter,
    /// Hashes of literals seen, as a graph may state one in several graphs.
    seen: FxHashSet<u64>,
    notes: Vec<String>,
    /// Notes that were not kept.
    more_notes: u64,
}

impl<'a> TextsBuild<'a> {
    /// Starts an index in `folder`.
    pub(crate) fn start(sources: &'a TextSources, folder: &Path) -> Result<Self, TextsError> {
        let files = if sources.files.is_empty() { Vec::new() } else { expand_documents(&sources.files)? };
        let (writer, seen, notes) = (TextWriter::create(folder)?, FxHashSet::default(), Vec::new());
        Ok(Self { sources, files, writer, seen, notes, more_notes: 0 })
    }

    /// Adds the literal of a quad, if it is long enough.
    pub(crate) fn add_quad(&mut self, quad: &Quad) -> Result<(), LexicalError> {
        let (NamedOrBlankNode::NamedNode(subject), Term::Literal(literal)) = (&quad.subject, &quad.object)
        else {
            return Ok(());
        };
        let (text, from) = (literal.value(), self.sources.literals_from);
        if from == 0 || text.len() < from || text.chars().count() < from || !is_prose(text) {
            return Ok(());
        }
        let mut hasher = FxHasher::default();
        (subject.as_str(), quad.predicate.as_str(), text).hash(&mut hasher);
        if !self.seen.insert(hasher.finish()) {
            return Ok(());
        }
        let source = PassageSource::Literal {
            subject: subject.as_str().to_owned(),
            property: quad.predicate.as_str().to_owned(),
            language: literal.language().unwrap_or_default().to_owned(),
        };
        for (number, text) in (1..=MAX_OF_ONE).zip(text_pieces(text)) {
            let things = vec![subject.as_str().to_owned()];
            let heading = String::new();
            self.push(&Passage { source: source.clone(), heading, number, text, things })?;
        }
        Ok(())
    }

    fn push(&mut self, passage: &Passage) -> Result<(), LexicalError> {
        match self.writer.passages() {
            MAX_PASSAGES => {
                self.note(format!("texts beyond {MAX_PASSAGES} passages are left out"));
                Ok(())
            }
            _ => self.writer.add(passage),
        }
    }

    fn note(&mut self, note: String) {
        if self.notes.contains(&note) {
            return;
        }
        match self.notes.len() {
            MAX_NOTES => self.more_notes += 1,
            _ => self.notes.push(note),
        }
    }

    /// Adds the documents, with the things that they name among the entities, and completes the index. Returns
    /// what it was built from, and notes on what could not be read.
    pub(crate) fn finish(
        mut self,
        entities: &EntityIndex,
        progress: &dyn Progress,
    ) -> Result<(TextsStamp, Vec<String>), TextsError> {
        let files = std::mem::take(&mut self.files);
        progress.begin("reading texts", Some(files.len() as u64));
        let (mut links, mapped) = (Links::new(entities), self.mapped()?);
        let mut documents = 0;
        for file in &files {
            match self.sources.reader.read(file) {
                Ok(document) => {
                    self.add_document(file, document, &mapped, &mut links)?;
                    documents += 1;
                }
                Err(error) => self.note(error.to_string()),
            }
            progress.advance(1);
        }
        let passages = self.writer.passages();
        self.writer.finish()?;
        progress.end(&format!("{documents} documents, {passages} passages"));
        let stamp = TextsStamp::of(self.sources, &files, documents, passages).map_err(TextsError::Changed)?;
        let more = self.more_notes;
        self.notes.extend((more > 0).then(|| format!("{more} more notes on texts")));
        Ok((stamp, self.notes))
    }

    fn mapped(&self) -> Result<Mapping, TextsError> {
        let Some(file) = &self.sources.mapping else { return Ok(Mapping::default()) };
        mapping(file).map_err(|source| TextsError::Mapping { file: file.clone(), source })
    }

    fn add_document(
        &mut self,
        file: &Path,
        document: Document,
        mapped: &Mapping,
        links: &mut Links<'_>,
    ) -> Result<(), LexicalError> {
        for note in &document.notes {
            self.note(note.clone());
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let about = self.about(file, &document, mapped, links)?;
        for (number, piece) in (1..).zip(pieces(&document)) {
            if number > MAX_OF_ONE {
                self.note(format!(
                    "'{}' is long: only its first {MAX_OF_ONE} passages are searched",
                    file.display()
                ));
                break;
            }
            let title = document.title.clone();
            let source = PassageSource::Document { file: name.clone(), title, page: piece.page };
            let mut things = about.clone();
            things.extend(links.of(piece.heading)?);
            things.extend(links.named_in(&piece.text)?);
            let things = first_distinct(things);
            let (heading, text) = (piece.heading.to_owned(), piece.text);
            self.push(&Passage { source, heading, number, text, things })?;
        }
        Ok(())
    }

    /// What a document as a whole is about.
    fn about(
        &mut self,
        file: &Path,
        document: &Document,
        mapped: &Mapping,
        links: &mut Links<'_>,
    ) -> Result<Vec<String>, LexicalError> {
        let mut about = Vec::new();
        for thing in mapped.of(file) {
            match links.of(thing)? {
                Some(iri) => about.push(iri),
                None => self.note(format!(
                    "the mapping names '{thing}' for '{}', and the graph has no such thing, or several",
                    file.display()
                )),
            }
        }
        if about.is_empty() {
            about.extend(links.of(&document.title)?);
        }
        // A page that links to many things is about none of them.
        let linked = links.among(&document.links)?;
        about.extend(linked.into_iter().take(1).filter(|_| document.links.len() == 1));
        Ok(about)
    }
}

/// Whether a text is made of words: several, and not mostly signs, as encoded data and geometries are.
fn is_prose(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    2 * letters > text.chars().count() && text.split_whitespace().nth(4).is_some()
}

fn first_distinct(things: Vec<String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for thing in things {
        if found.len() < MAX_THINGS && !found.contains(&thing) {
            found.push(thing);
        }
    }
    found
}

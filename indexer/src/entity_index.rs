//! The entity index: resources found by name. Writer and reader are in one file, so that the stored format
//! is defined once. Uses `lexical`.

use crate::extract::{EntityRecord, Label};
use crate::health::Alarm;
use crate::lexical::{
    LexicalError, NameDocument, NameIndex, NameIndexWriter, NameQuery, Named, PreparedDocument,
};
use eruca_language::is_function_word;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Version of the stored format; a change of it makes older indexes unreadable.
pub const ENTITY_FORMAT: u32 = 6;

/// Triples that a page about a thing (a sitelink) counts as, when things of the same name are ordered by how well known
/// they are.
const PAGE_WORTH: u64 = 64;

/// A resource as stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    /// The IRI, byte-exact.
    pub iri: String,
    /// Names, best first; empty when only the local name is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Label>,
    /// The IRI's local name, readable.
    pub local_name: String,
    /// A short description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Direct types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<String>,
    /// Triples in which it is the subject.
    pub out_degree: u32,
    /// Triples in which it is the object.
    pub in_degree: u32,
    /// Pages about it elsewhere (sitelinks).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pages: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Entity {
    /// The best name for people, in one of the languages if there is one.
    pub fn label(&self, languages: &[String]) -> &str {
        crate::card::display_label(&self.labels, languages).unwrap_or(&self.local_name)
    }
}

impl Entity {
    /// Whether the local name is nothing but some words of a name: of two people called Hale it is not the name of the one whose IRI
    /// ends with `hale`.
    fn is_fragment(&self) -> bool {
        let own: Vec<&str> = self.local_name.split_whitespace().collect();
        self.labels.iter().any(|label| {
            let words = || label.text.split_whitespace();
            let holds = |part: &&str| words().any(|word| word.eq_ignore_ascii_case(part));
            own.len() < words().count() && own.iter().all(holds)
        })
    }
}

impl Named for Entity {
    fn names(&self) -> Vec<&str> {
        // Many languages share a spelling.
        let mut known: FxHashSet<&str> = FxHashSet::default();
        let local = Some(self.local_name.as_str()).filter(|_| !self.is_fragment());
        let names = self.labels.iter().map(|label| label.text.as_str()).chain(local);
        names.filter(|name| known.insert(name)).collect()
    }

    fn uses(&self) -> u64 {
        u64::from(self.out_degree) + u64::from(self.in_degree) + PAGE_WORTH * u64::from(self.pages)
    }
}

/// An entity found, with the fit of its best name (1 for all words, more for the very same name).
#[derive(Debug, Clone, PartialEq)]
pub struct EntityHit {
    /// The entity.
    pub entity: Entity,
    /// The fit.
    pub score: f32,
}

/// Writes the entity index.
pub struct EntityIndexWriter(NameIndexWriter);

impl EntityIndexWriter {
    /// Starts an index in `folder`.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn create(folder: &Path) -> Result<Self, LexicalError> {
        Ok(Self(NameIndexWriter::create(folder)?))
    }

    /// Makes a resource ready to be added; needs no writer, so that threads can share the work.
    ///
    /// # Errors
    /// When it cannot be serialized.
    pub fn prepare(record: EntityRecord) -> Result<PreparedDocument, LexicalError> {
        let EntityRecord {
            iri, labels, local_name, description, types, out_degree, in_degree, pages, ..
        } = record;
        let entity = Entity { iri, labels, local_name, description, types, out_degree, in_degree, pages };
        PreparedDocument::new(&NameDocument {
            id: entity.iri.clone(),
            text: entity.description.clone(),
            filters: entity.types.clone(),
            payload: entity,
        })
    }

    /// Adds a prepared resource.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn add(&mut self, resource: PreparedDocument) -> Result<(), LexicalError> {
        self.0.push(resource)
    }

    /// Ends the writing; returns the number of entities.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn finish(self) -> Result<u64, LexicalError> {
        self.0.finish()
    }
}

/// The entity index, open for searching; `None` when it is empty.
pub struct EntityIndex(Option<NameIndex>);

impl EntityIndex {
    /// An index without entities, for datasets whose names are looked up elsewhere.
    pub(crate) fn empty() -> Self {
        Self(None)
    }

    /// Opens the index in `folder`; searches that fail raise the alarm.
    ///
    /// # Errors
    /// When there is none or it is damaged.
    pub(crate) fn open(folder: &Path, alarm: &Alarm) -> Result<Self, LexicalError> {
        Ok(Self(Some(NameIndex::open(folder, alarm)?)))
    }

    /// Entities in the index.
    pub fn len(&self) -> u64 {
        self.0.as_ref().map_or(0, NameIndex::len)
    }

    /// Whether the name of an entity holds this very word, normalized.
    pub fn has_word(&self, word: &str) -> bool {
        self.0.as_ref().is_some_and(|index| index.has_word(word))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entity with this IRI.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn get(&self, iri: &str) -> Result<Option<Entity>, LexicalError> {
        self.0.as_ref().map_or(Ok(None), |index| index.get(iri))
    }

    /// Entities whose names fit best, best first; only instances of `class` if given. Where more than half of
    /// the hits would have one and the same name, longer names take most of the places.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search(
        &self,
        text: &str,
        class: Option<&str>,
        limit: usize,
    ) -> Result<Vec<EntityHit>, LexicalError> {
        self.run(&NameQuery { lenient: true, ..of_class(text, class, limit) })
    }

    /// How many entities have a name of these very words; only instances of `class` if given.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn namesakes(&self, text: &str, class: Option<&str>) -> Result<usize, LexicalError> {
        self.0.as_ref().map_or(Ok(0), |index| index.namesakes(&of_class(text, class, 0)))
    }

    /// Entities that have all words in their names, as they are written, but for those that are `ignored`.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search_strict(
        &self,
        text: &str,
        limit: usize,
        ignored: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<EntityHit>, LexicalError> {
        self.run(&NameQuery { strict: true, ignored, ..NameQuery::new(text, limit) })
    }

    /// Entities one of whose names begins with the text, for suggestions while it is typed: those whose name begins with
    /// it first, then the best known.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn complete(&self, text: &str, limit: usize) -> Result<Vec<Entity>, LexicalError> {
        self.0.as_ref().map_or_else(|| Ok(Vec::new()), |index| index.complete(text, limit))
    }

    /// The best known direct instances of a class.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn best_of_class(&self, class: &str, limit: usize) -> Result<Vec<Entity>, LexicalError> {
        self.0.as_ref().map_or_else(|| Ok(Vec::new()), |index| index.best_with(class, limit))
    }

    fn run(&self, query: &NameQuery<'_>) -> Result<Vec<EntityHit>, LexicalError> {
        let Some(index) = &self.0 else { return Ok(Vec::new()) };
        let hits = index.search::<Entity>(query)?;
        Ok(hits.into_iter().map(|hit| EntityHit { entity: hit.payload, score: hit.score }).collect())
    }
}

fn of_class<'a>(text: &'a str, class: Option<&str>, limit: usize) -> NameQuery<'a> {
    NameQuery {
        filters: class.map(str::to_owned).into_iter().collect(),
        ignored: &is_function_word,
        ..NameQuery::new(text, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Label;

    #[test]
    fn a_local_name_that_is_a_part_of_a_name_is_none_of_its_own() {
        let named = |label: &str, local: &str| {
            let labels = vec![Label { text: label.to_owned(), language: String::new() }];
            let entity = Entity {
                iri: format!("http://mills.example/{local}"),
                labels,
                local_name: local.to_owned(),
                description: None,
                types: Vec::new(),
                out_degree: 0,
                in_degree: 0,
                pages: 0,
            };
            entity.names().into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(named("John Hale", "hale"), ["John Hale"]);
        assert_eq!(named("John Hale", "j hale"), ["John Hale", "j hale"]);
        assert_eq!(named("Hale", "hale"), ["Hale", "hale"]);
        assert_eq!(named("Old Mill", "M 7"), ["Old Mill", "M 7"]);
    }
}

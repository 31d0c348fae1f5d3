//! The entity index: resources found by name. Uses `record_index`.

use crate::extract::Entity;
use crate::hidden::Hides;
use crate::lexical::{LexicalError, NameDocument, NameHit, Named, Part};
use crate::record_index::{Record, RecordIndex, RecordIndexWriter, filtered};
use rustc_hash::FxHashSet;

/// Version of the stored format; a change makes older indexes unreadable.
pub const ENTITY_FORMAT: u32 = 6;

/// Number of triples that a page about an entity (a sitelink) counts for, when entities with the same name are ordered by
/// prominence.
const PAGE_WORTH: u64 = 64;

/// An entity found, with the fit of its best name (1 if all words match, more for an identical name).
pub type EntityHit = NameHit<Entity>;
/// Writes the entity index.
pub type EntityIndexWriter<'a> = RecordIndexWriter<'a, Entity>;
/// The entity index, open for searching.
pub type EntityIndex = RecordIndex<Entity>;

impl Entity {
    /// The best display name, in one of the languages if possible.
    pub fn label(&self, languages: &[String]) -> &str {
        crate::card::display_label(&self.labels, languages).unwrap_or(&self.local_name)
    }
}

impl Entity {
    /// Whether the local name consists of only some words of a name: among people called Hale, an IRI that ends in `hale`
    /// does not make its owner a better match.
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

    fn prose(&self) -> Option<&str> {
        self.description.as_deref()
    }

    fn uses(&self) -> u64 {
        u64::from(self.out_degree) + u64::from(self.in_degree) + PAGE_WORTH * u64::from(self.pages)
    }
}

impl Record for Entity {
    const LENIENT: bool = true;
    const PART: Part = Part::Entities;

    fn document(self) -> NameDocument<Self> {
        NameDocument { id: self.iri.clone(), filters: self.types.clone(), record: self }
    }

    fn seen(mut self, hides: &Hides) -> Option<Self> {
        self.types.retain(|class| !hides(class));
        (!hides(&self.iri)).then_some(self)
    }
}

impl RecordIndex<Entity> {
    /// The entity with this IRI.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn get(&self, iri: &str) -> Result<Option<Entity>, LexicalError> {
        self.with_id(iri)
    }

    /// How many entities have a name with exactly these words; only instances of `class` if given.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn namesakes(&self, text: &str, class: Option<&str>) -> Result<usize, LexicalError> {
        self.same_names(&filtered(text, class, 0))
    }

    /// The most prominent direct instances of a class.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn best_of_class(&self, class: &str, limit: usize) -> Result<Vec<Entity>, LexicalError> {
        self.best_with(class, limit)
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

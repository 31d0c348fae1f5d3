//! Patterns of the glossary in the places of classes and properties: a condition on things, or a way from them to a value.

use super::{Kind, Schema};
use crate::glossary::GlossaryHit;
use crate::meaning::{Condition, Iri, Set, Step};
use eruca_indexer::SchemaKind;
use eruca_knowledge::{Meaning, Pattern, THIS, VALUE};

/// A pattern with the kinds of its ends.
pub(crate) struct HousePattern<'k> {
    pub pattern: &'k Pattern,
    this: Kind<'k>,
    value: Kind<'k>,
    /// The class to which it is restricted.
    of: Option<Iri<'k>>,
}

impl<'k> HousePattern<'k> {
    /// Whether it stands for a class or for a property.
    pub fn kind(&self) -> SchemaKind {
        if self.pattern.is_relation() { SchemaKind::Property } else { SchemaKind::Class }
    }

    /// The kind of the things that it describes.
    pub fn things(&self) -> &Kind<'k> {
        &self.this
    }

    /// The things that it describes.
    pub fn set(&self) -> Set<'k> {
        Set::any(self.this.clone(), Condition::Meets(self.pattern.name()))
    }

    /// The class of the things that it describes, if it is for those of a class alone.
    pub fn of(&self) -> Option<Iri<'k>> {
        self.of
    }

    /// The kinds of its start and its end in a direction.
    pub(super) fn ends(&self, forward: bool) -> (&Kind<'k>, &Kind<'k>) {
        if forward { (&self.this, &self.value) } else { (&self.value, &self.this) }
    }
}

impl<'k> Schema<'k> {
    /// The same with the patterns that a question has words of.
    #[must_use]
    pub fn knowing(mut self, glossary: &'k [GlossaryHit]) -> Self {
        for hit in glossary {
            let Meaning::Pattern(pattern) = &hit.entry.meaning else { continue };
            if self.pattern(pattern.name()).is_none() {
                let of = hit.entry.of.as_deref().and_then(|class| self.class(class));
                let this = of.map_or_else(|| self.kind_in(pattern, THIS), Kind::class);
                let value = self.kind_in(pattern, VALUE);
                self.patterns.push(HousePattern { pattern, this, value, of });
            }
        }
        self
    }

    /// The pattern of a name.
    pub fn pattern(&self, name: &str) -> Option<&HousePattern<'k>> {
        self.patterns.iter().find(|known| known.pattern.name() == name)
    }

    /// All patterns that the question has words of.
    pub fn patterns(&self) -> &[HousePattern<'k>] {
        &self.patterns
    }

    /// The kind of a variable of a pattern: its class there, else what its properties start from or lead to.
    fn kind_in(&self, pattern: &Pattern, variable: &str) -> Kind<'k> {
        let edges = pattern.fragment().edges(variable);
        let vocabulary = &self.index.manifest.vocabulary;
        let class = edges.iter().find_map(|edge| {
            let class =
                edge.other.as_deref().filter(|_| edge.is_subject && vocabulary.is_type(&edge.property));
            class.and_then(|class| self.class(class))
        });
        let kinds = edges.iter().filter_map(|edge| {
            let step = Step { property: self.property(&edge.property)?.iri.as_str(), forward: true };
            Some(if edge.is_subject { self.start(step) } else { self.end(step) })
        });
        let known = kinds.into_iter().find(|kind| *kind != Kind::Unknown);
        class.map(Kind::class).or(known).unwrap_or(Kind::Unknown)
    }
}

//! The words of the house: what each of them means in the graph.

use crate::{Origin, Pattern};

/// Maximum number of words in a phrase.
pub const MAX_PHRASE_WORDS: usize = 6;

/// An entry of the glossary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlossaryEntry {
    /// The words and phrases; none if the meaning needs none.
    pub words: Vec<String>,
    /// The language of the words; `None` for all.
    pub lang: Option<String>,
    /// What they mean.
    pub meaning: Meaning,
    /// The IRI of the class to which the entry is restricted.
    pub of: Option<String>,
    /// Where it is written.
    pub origin: Origin,
}

/// What words mean, by IRIs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// A class.
    Class(String),
    /// A property.
    Property(String),
    /// A thing.
    Thing(String),
    /// A value of a property.
    Value {
        /// The property.
        property: String,
        /// The text of the value.
        text: String,
    },
    /// Triple patterns about things, which may lead to a value.
    Pattern(Pattern),
    /// A comparative or superlative of a property.
    Measure {
        /// The property.
        property: String,
        /// Whether the superlative means the greatest; `None` as the language has it.
        descending: Option<bool>,
    },
    /// Of competing properties the one that is meant.
    Prefer {
        /// The property that is meant.
        property: String,
        /// Those that are not.
        over: Vec<String>,
    },
    /// The unit of a property's numbers.
    Unit {
        /// The property.
        property: String,
        /// The unit, as it is written.
        unit: String,
    },
}

/// What an IRI of an entry should be in the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermKind {
    /// A class.
    Class,
    /// A property.
    Property,
    /// Anything that the graph describes.
    Thing,
}

impl GlossaryEntry {
    /// The IRIs of the entry; of a pattern, its classes and properties.
    pub fn terms(&self) -> Vec<(TermKind, &str)> {
        let mut terms: Vec<(TermKind, &str)> = match &self.meaning {
            Meaning::Class(iri) => vec![(TermKind::Class, iri)],
            Meaning::Thing(iri) => vec![(TermKind::Thing, iri)],
            Meaning::Property(property)
            | Meaning::Value { property, .. }
            | Meaning::Measure { property, .. }
            | Meaning::Unit { property, .. } => vec![(TermKind::Property, property)],
            Meaning::Prefer { property, over } => {
                let all = std::iter::once(property).chain(over);
                all.map(|iri| (TermKind::Property, iri.as_str())).collect()
            }
            Meaning::Pattern(pattern) => pattern.terms().collect(),
        };
        terms.extend(self.of.iter().map(|class| (TermKind::Class, class.as_str())));
        terms
    }
}

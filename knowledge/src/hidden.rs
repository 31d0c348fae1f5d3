//! Terms that must not be seen: neither in cards, searches and prompts nor in answers.

use std::collections::BTreeSet;

/// Hidden IRIs and namespaces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hidden {
    pub(crate) terms: BTreeSet<String>,
    pub(crate) namespaces: Vec<String>,
}

impl Hidden {
    /// Whether an IRI is hidden.
    pub fn hides(&self, iri: &str) -> bool {
        self.terms.contains(iri)
            || self.namespaces.iter().any(|namespace| iri.starts_with(namespace.as_str()))
    }

    /// Whether nothing is hidden.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.namespaces.is_empty()
    }

    /// The number of hidden terms and namespaces.
    pub fn count(&self) -> usize {
        self.terms.len() + self.namespaces.len()
    }
}

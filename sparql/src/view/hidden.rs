//! The terms that a view does not show.

use std::collections::BTreeSet;

/// Hidden IRIs and namespaces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HiddenTerms {
    pub(super) terms: BTreeSet<String>,
    pub(super) namespaces: Vec<String>,
}

impl HiddenTerms {
    /// These IRIs, and all that begin with one of the namespaces.
    #[must_use]
    pub fn new(
        terms: impl IntoIterator<Item = String>,
        namespaces: impl IntoIterator<Item = String>,
    ) -> Self {
        Self { terms: terms.into_iter().collect(), namespaces: namespaces.into_iter().collect() }
    }

    /// Whether an IRI is hidden.
    #[must_use]
    pub fn hides(&self, iri: &str) -> bool {
        self.terms.contains(iri)
            || self.namespaces.iter().any(|namespace| iri.starts_with(namespace.as_str()))
    }

    /// Whether nothing is hidden.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.namespaces.is_empty()
    }

    /// Whether a text has a hidden IRI in it.
    pub(super) fn stands_in(&self, text: &str) -> bool {
        self.terms.iter().chain(&self.namespaces).any(|iri| text.contains(iri.as_str()))
    }
}

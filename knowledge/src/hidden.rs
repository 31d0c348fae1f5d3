//! Terms that must not be seen: neither in cards, searches and prompts nor in answers.

use crate::Knowledge;
use crate::checked::Checked;
use crate::written::Hidden as WrittenHidden;
use eruca_sparql::{HiddenTerms, Prefixes};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

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

    /// Identifies what is hidden; empty if nothing is.
    pub fn seal(&self) -> String {
        if self.is_empty() {
            return String::new();
        }
        let mut hasher = DefaultHasher::new();
        (&self.terms, self.namespaces.iter().collect::<BTreeSet<_>>()).hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }

    /// The hidden IRIs, without those of namespaces.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(String::as_str)
    }

    /// The number of hidden terms and namespaces.
    pub fn count(&self) -> usize {
        self.terms.len() + self.namespaces.len()
    }
}

impl Knowledge {
    /// Hides further terms and namespaces, each an IRI or a prefixed name.
    ///
    /// # Errors
    /// What is neither, in words for people.
    pub fn hide(
        &mut self,
        terms: &[String],
        namespaces: &[String],
        prefixes: &Prefixes,
    ) -> Result<(), String> {
        let written = WrittenHidden { terms: terms.to_vec(), namespaces: namespaces.to_vec() };
        Checked { prefixes }.hide(written, &mut self.hidden)
    }
}

impl From<&Hidden> for HiddenTerms {
    fn from(hidden: &Hidden) -> Self {
        Self::new(hidden.terms.iter().cloned(), hidden.namespaces.iter().cloned())
    }
}

//! A pattern of the glossary: what is true of the things that words name, or how they lead to a value. In readings it has the place
//! of a class or a property, by a name of its own, which no query contains.

use crate::TermKind;
use eruca_sparql::{Fragment, FragmentTerm, Prefixes};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The name of the thing that a pattern describes.
pub const THIS: &str = "this";
/// The name of what it leads to, if it leads to something.
pub const VALUE: &str = "value";

const MAX_PATTERN_BYTES: usize = 5_000;
/// The beginning of the names of patterns.
const NAMES: &str = "urn:eruca-pattern:";
/// Terms that no graph needs to have itself.
const COMMON: &[&str] =
    &["http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/2000/01/rdf-schema#"];

/// A pattern about [`THIS`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    written: String,
    name: String,
    fragment: Arc<Fragment>,
    terms: Vec<(TermKind, String)>,
}

impl Pattern {
    /// Reads a pattern that has these words.
    ///
    /// # Errors
    /// What is wrong and what to do, as a part of a sentence.
    pub(crate) fn read(written: &str, words: &[String], prefixes: &Prefixes) -> Result<Self, String> {
        let read = Fragment::read(written, prefixes, MAX_PATTERN_BYTES);
        let fragment = read.map_err(|error| format!("'pattern' is no group of triple patterns: {error}"))?;
        for name in [THIS, VALUE] {
            let needed = name == THIS || fragment.has(name);
            if needed && !fragment.binds(name) {
                return Err(format!(
                    "'pattern' does not have ?{name} in a triple pattern outside of OPTIONAL"
                ));
            }
        }
        let terms = fragment.terms().into_iter().filter_map(|(of, iri)| match of {
            FragmentTerm::Class => Some((TermKind::Class, iri)),
            FragmentTerm::Property => Some((TermKind::Property, iri)),
            // Codes of other vocabularies are used and not described.
            FragmentTerm::Thing => None,
        });
        let terms = terms.filter(|(_, iri)| !COMMON.iter().any(|common| iri.starts_with(common))).collect();
        let written = written.trim().to_owned();
        Ok(Self { name: name_of(&fragment, words), written, fragment: Arc::new(fragment), terms })
    }

    /// The pattern as its author wrote it.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// The pattern to be used in queries.
    pub fn fragment(&self) -> &Fragment {
        &self.fragment
    }

    /// Its own name, which has the form of an IRI and ends in its first words.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether an IRI is the name of a pattern.
    pub fn is_name(iri: &str) -> bool {
        iri.starts_with(NAMES)
    }

    /// The first words of the pattern with this name.
    pub fn words_of(name: &str) -> Option<&str> {
        Some(name.strip_prefix(NAMES)?.split_once('#')?.1)
    }

    /// Whether it leads from the thing to [`VALUE`], as a property does.
    pub fn is_relation(&self) -> bool {
        self.fragment.has(VALUE)
    }

    /// The classes and properties that the graph must have.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (TermKind, &str)> {
        self.terms.iter().map(|(kind, iri)| (*kind, iri.as_str()))
    }
}

/// Ends in the words, so that it is told by them wherever classes and properties are.
fn name_of(fragment: &Fragment, words: &[String]) -> String {
    let mut hasher = DefaultHasher::new();
    (fragment.text(), words).hash(&mut hasher);
    let first = words.first().map_or("", String::as_str);
    let plain: String = first.chars().map(|c| if ['#', '/', ':'].contains(&c) { ' ' } else { c }).collect();
    format!("{NAMES}{:016x}#{}", hasher.finish(), plain.trim())
}

//! One of the shares into which a graph is divided when several jobs build its index: each job reads all files, and keeps what
//! the names and counts of its share need. Together the shares give what one build gives.
//!
//! IRIs and literals are divided by a hash of their text, which is the same on every machine. A share has every statement with
//! a subject or object of its own; and all shares have the statements that tell what others mean: types, superclasses, lists, and
//! the first statement of each property and datatype, so that each knows which properties there are. Blank nodes belong to the first
//! share, as they have other names in every run.

use crate::vocabulary::{GivenVocabulary, RDF, RDF_FIRST, RDF_REST, Vocabulary, WIKIDATA};
use oxrdf::{NamedOrBlankNode, Quad, Term};
use rustc_hash::FxHashSet;
use siphasher::sip::SipHasher13;
use std::fmt;
use std::hash::Hasher;
use std::str::FromStr;

/// Maximum number of shares.
const MOST: u32 = 1_024;

/// A share: its number, from 1, and how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    number: u32,
    of: u32,
}

impl Share {
    /// All shares of so many.
    pub fn all(of: u32) -> impl Iterator<Item = Self> {
        (1..=of).map(move |number| Self { number, of })
    }

    /// Its number, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many there are.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Whether a text, of an IRI or a literal, belongs to it.
    fn has(self, text: &str) -> bool {
        let mut hasher = SipHasher13::new();
        hasher.write(text.as_bytes());
        hasher.finish() % u64::from(self.of) == u64::from(self.number - 1)
    }

    /// Whether a node belongs to it.
    pub(super) fn has_node(self, node: &str) -> bool {
        if node.starts_with("_:") { self.number == 1 } else { self.has(node) }
    }

    /// Whether a literal belongs to it.
    pub(super) fn has_literal(self, text: &str) -> bool {
        self.has(text)
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parsed {
            Some((number, of)) if (1..=of).contains(&number) && of <= MOST => Ok(Self { number, of }),
            _ => Err(format!("expected I/N, such as 2/4 for the second of four parts; at most {MOST} parts")),
        }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.number, self.of)
    }
}

/// The properties whose statements all shares have: those that lead to classes, as far as they can be known before the files
/// are read, and the links of lists.
fn properties_of_all(given: &GivenVocabulary) -> FxHashSet<String> {
    let kinds = [Vocabulary::default(), Vocabulary::wikibase(WIKIDATA)];
    let configured = given
        .base
        .as_deref()
        .map(Vocabulary::wikibase)
        .into_iter()
        .chain([Vocabulary::default().with(given)]);
    let leading =
        kinds.into_iter().chain(configured).flat_map(|kind| [kind.type_property, kind.subclass_property]);
    leading.chain([RDF_FIRST.to_owned(), RDF_REST.to_owned()]).collect()
}

/// Whether all shares have the statements from which this vocabulary takes classes.
pub(crate) fn knows_classes(given: &GivenVocabulary, found: &Vocabulary) -> bool {
    let of_all = properties_of_all(given);
    of_all.contains(&found.type_property) && of_all.contains(&found.subclass_property)
}

/// Decides which statements a share keeps.
#[derive(Debug)]
pub(super) struct Sharing {
    share: Share,
    of_all: FxHashSet<String>,
    /// Properties, properties of texts, and datatypes that have occurred.
    seen: [FxHashSet<String>; 3],
}

impl Sharing {
    pub(super) fn new(share: Share, given: &GivenVocabulary) -> Self {
        Self { share, of_all: properties_of_all(given), seen: Default::default() }
    }

    pub(super) fn share(&self) -> Share {
        self.share
    }

    /// Whether the share keeps a statement. Statements must come in the order of the files.
    pub(super) fn keeps(&mut self, quad: &Quad) -> bool {
        let is_first = self.is_first(quad);
        let predicate = quad.predicate.as_str();
        is_first
            || self.of_all.contains(predicate)
            || is_place(predicate)
            || self.has_subject(&quad.subject)
            || match &quad.object {
                Term::NamedNode(node) => self.share.has_node(node.as_str()),
                Term::BlankNode(_) => self.share.number == 1,
                Term::Literal(literal) => self.share.has_literal(literal.value()),
            }
    }

    /// Whether a subject belongs to the share.
    pub(super) fn has_subject(&self, subject: &NamedOrBlankNode) -> bool {
        match subject {
            NamedOrBlankNode::NamedNode(node) => self.share.has_node(node.as_str()),
            NamedOrBlankNode::BlankNode(_) => self.share.number == 1,
        }
    }

    /// Whether it is the first statement of its property, the first that gives it a text, or the first of a datatype.
    fn is_first(&mut self, quad: &Quad) -> bool {
        let [properties, of_texts, datatypes] = &mut self.seen;
        let mut is_first = add(properties, quad.predicate.as_str());
        if let Term::Literal(literal) = &quad.object {
            is_first |= add(datatypes, literal.datatype().as_str());
            if !of_texts.contains(quad.predicate.as_str()) && literal.value().chars().any(char::is_alphabetic)
            {
                is_first |= add(of_texts, quad.predicate.as_str());
            }
        }
        is_first
    }
}

/// Adds a text; returns whether it is new.
fn add(known: &mut FxHashSet<String>, text: &str) -> bool {
    !known.contains(text) && known.insert(text.to_owned())
}

/// Whether it is `rdf:_1`, `rdf:_2` and so on.
fn is_place(predicate: &str) -> bool {
    let number = predicate.strip_prefix(RDF).and_then(|name| name.strip_prefix('_'));
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_belongs_to_one_share() {
        for of in [1, 2, 3, 7] {
            let shares: Vec<Share> =
                (1..=of).map(|number| format!("{number}/{of}").parse().unwrap()).collect();
            for text in ["http://e.x/a", "http://e.x/b", "_:b0", "Long Barn", ""] {
                assert_eq!(shares.iter().filter(|share| share.has_node(text)).count(), 1, "{text} of {of}");
            }
        }
        // Machines that build together may have different versions of Eruca.
        let second: Share = "2/3".parse().unwrap();
        let own: String = ('a'..='p').filter(|letter| second.has(&letter.to_string())).collect();
        assert_eq!(own, "abiklp");
    }

    #[test]
    fn properties_to_classes_must_be_known_before_the_files_are_read() {
        let (none, wikidata) = (GivenVocabulary::default(), Vocabulary::wikibase(WIKIDATA));
        assert!(knows_classes(&none, &Vocabulary::default()) && knows_classes(&none, &wikidata));
        let own = Vocabulary { type_property: "http://e.x/is-a".to_owned(), ..Vocabulary::default() };
        assert!(!knows_classes(&none, &own));
        let given = GivenVocabulary { type_property: Some("http://e.x/is-a".to_owned()), ..none };
        assert!(knows_classes(&given, &own));
    }

    #[test]
    fn a_share_is_written_as_its_number_and_how_many_there_are() {
        assert_eq!("2/4".parse::<Share>().unwrap().to_string(), "2/4");
        for wrong in ["", "2", "0/4", "5/4", "a/b", "1/0", "1/2000", "-1/2", "1/2/3"] {
            assert!(wrong.parse::<Share>().unwrap_err().contains("I/N"), "{wrong}");
        }
    }
}

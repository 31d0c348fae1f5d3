//! Terms by number, and numbers by term.
//!
//! ```text
//! terms      groups of 16 terms in the order of their numbers; each term: its kind, the length of the prefix shared with
//!            the term before it in the group, the number of further bytes, and these bytes
//! groups     offset of each group (u64)
//! table      hash table with linear probing: term numbers at the slot for the term's hash, or after it (u32)
//! ```

mod value;
mod writer;

pub(crate) use writer::TermWriter;

use crate::StoredError;
use crate::checked::{CheckedFile, Damage};
use crate::leb128::take_number;
use crate::numbers::HashKey;
use oxrdf::vocab::xsd;
use oxrdf::{BlankNode, Literal, NamedNode, Term};
use serde::{Deserialize, Serialize};
use spareval::ExpressionTerm;
use std::path::Path;
use value::ValueForm;

const TERMS: &str = "terms";
const GROUPS: &str = "groups";
const TABLE: &str = "table";

/// Number of terms per group. Reading a term requires decoding those before it in its group.
const GROUP: usize = 16;
/// Initial capacity for a text of unknown length.
const USUAL_BYTES: usize = 64;
/// Marks a free slot of the table.
const FREE: u32 = u32::MAX;
/// Maximum number of terms.
pub(crate) const MOST_TERMS: u32 = FREE;

/// What a term consists of besides its text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TermKind {
    Iri,
    Blank,
    /// A literal with its language tag, or its datatype.
    InLanguage(String),
    OfDatatype(String),
    /// A literal whose lexical form is not canonical: `07`, `1.50`, a double without an exponent.
    Unusual(String),
}

impl TermKind {
    fn of(term: &Term) -> Self {
        match term {
            Term::NamedNode(_) => Self::Iri,
            Term::BlankNode(_) => Self::Blank,
            Term::Literal(literal) => match literal.language() {
                Some(language) => Self::InLanguage(language.to_owned()),
                None if is_usual(literal) => Self::OfDatatype(literal.datatype().as_str().to_owned()),
                None => Self::Unusual(literal.datatype().as_str().to_owned()),
            },
        }
    }

    /// The kind in the form that [`parts`] returns for a term.
    fn parts(&self) -> [&str; 2] {
        match self {
            Self::Iri => [IRI, ""],
            Self::Blank => [BLANK, ""],
            Self::InLanguage(language) => [IN_LANGUAGE, language],
            Self::OfDatatype(datatype) | Self::Unusual(datatype) => [OF_DATATYPE, datatype],
        }
    }

    fn term(&self, text: String) -> Term {
        match self {
            Self::Iri => NamedNode::new_unchecked(text).into(),
            Self::Blank => BlankNode::new_unchecked(text).into(),
            Self::InLanguage(language) => {
                Literal::new_language_tagged_literal_unchecked(text, language).into()
            }
            Self::OfDatatype(datatype) if datatype == xsd::STRING.as_str() => {
                Literal::new_simple_literal(text).into()
            }
            Self::OfDatatype(datatype) | Self::Unusual(datatype) => {
                Literal::new_typed_literal(text, NamedNode::new_unchecked(datatype)).into()
            }
        }
    }
}

/// Whether the evaluator writes exactly this literal for the literal's value.
fn is_usual(literal: &Literal) -> bool {
    if literal.datatype() == xsd::STRING {
        return true;
    }
    let term = Term::from(literal.clone());
    Term::from(ExpressionTerm::from(term.clone())) == term
}

const IRI: &str = "i";
const BLANK: &str = "b";
const IN_LANGUAGE: &str = "l";
const OF_DATATYPE: &str = "d";

/// What identifies a term: its form, its language or datatype, its text.
fn parts(term: &Term) -> [&str; 3] {
    match term {
        Term::NamedNode(node) => [IRI, "", node.as_str()],
        Term::BlankNode(node) => [BLANK, "", node.as_str()],
        Term::Literal(literal) => match literal.language() {
            Some(language) => [IN_LANGUAGE, language, literal.value()],
            None => [OF_DATATYPE, literal.datatype().as_str(), literal.value()],
        },
    }
}

/// The slot of a hash in a table of `places` slots.
fn place(hash: u64, places: usize) -> usize {
    ((u128::from(hash) * places as u128) >> u64::BITS) as usize
}

/// What is needed to read the files of terms.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TermFacts {
    count: u32,
    kinds: Vec<TermKind>,
    key: HashKey,
}

impl TermFacts {
    /// Number of terms.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }
}

/// A kind with the way its texts are parsed.
#[derive(Debug)]
struct KnownKind {
    kind: TermKind,
    form: ValueForm,
}

/// The evaluator's value of a term.
pub(crate) struct Value {
    pub(crate) value: ExpressionTerm,
    /// Whether it is costly to parse.
    pub(crate) is_parsed: bool,
    /// Whether its lexical form is not canonical.
    pub(crate) is_unusual: bool,
}

/// The terms of a stored graph.
#[derive(Debug)]
pub(crate) struct Terms {
    key: HashKey,
    kinds: Vec<KnownKind>,
    terms: CheckedFile,
    groups: CheckedFile,
    table: CheckedFile,
}

impl Terms {
    pub(crate) fn open(folder: &Path, facts: TermFacts, damage: &Damage) -> Result<Self, StoredError> {
        let known = |kind: TermKind| KnownKind { form: ValueForm::of(&kind), kind };
        let (key, kinds) = (facts.key, facts.kinds.into_iter().map(known).collect());
        let open = |name: &str| CheckedFile::open(folder.join(name), damage);
        Ok(Self { key, kinds, terms: open(TERMS)?, groups: open(GROUPS)?, table: open(TABLE)? })
    }

    /// The term of this number.
    pub(crate) fn get(&self, number: u32) -> Result<Term, StoredError> {
        let (kind, text) = self.parts(number)?;
        Ok(kind.kind.term(text))
    }

    /// The value of this term.
    pub(crate) fn value(&self, number: u32) -> Result<Value, StoredError> {
        let (kind, text) = self.parts(number)?;
        let form = kind.form;
        Ok(Value {
            value: form.value(&text).unwrap_or_else(|| kind.kind.term(text).into()),
            is_parsed: form != ValueForm::Text,
            is_unusual: matches!(kind.kind, TermKind::Unusual(_)),
        })
    }

    fn parts(&self, number: u32) -> Result<(&KnownKind, String), StoredError> {
        let mut text = Vec::with_capacity(USUAL_BYTES);
        let kind = self.read(number, &mut text)?;
        Ok((kind, String::from_utf8(text).map_err(|_| self.terms.nonsense(0))?))
    }

    /// The number of this term, if the graph contains it.
    pub(crate) fn find(&self, term: &Term) -> Result<Option<u32>, StoredError> {
        let [form, of, text] = parts(term);
        let places = self.table.len() / size_of::<u32>();
        let first = place(self.key.hash(&[form, of, text]), places);
        let mut found = Vec::new();
        for at in (first..places).chain(0..first) {
            let number = self.table.u32_at(at)?;
            if number == FREE {
                return Ok(None);
            }
            found.clear();
            if self.read(number, &mut found)?.kind.parts() == [form, of] && found == text.as_bytes() {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Reads the text of a term and returns its kind.
    fn read(&self, number: u32, text: &mut Vec<u8>) -> Result<&KnownKind, StoredError> {
        let (group, in_group) = (number as usize / GROUP, number as usize % GROUP);
        let start = self.groups.u64_at(group)? as usize;
        let end = self.groups.u64_at(group + 1)? as usize;
        let mut rest = self.terms.bytes(start..end)?;
        let mut kind = 0;
        for _ in 0..=in_group {
            kind = next(&mut rest, text).ok_or_else(|| self.terms.nonsense(start))?;
        }
        let kind = usize::try_from(kind).ok().and_then(|kind| self.kinds.get(kind));
        kind.ok_or_else(|| self.terms.nonsense(start))
    }
}

/// Decodes the next term of a group: updates the text and returns the kind.
fn next(rest: &mut &[u8], text: &mut Vec<u8>) -> Option<u64> {
    let kind = take_number(rest)?;
    let shared = usize::try_from(take_number(rest)?).ok()?;
    let length = usize::try_from(take_number(rest)?).ok()?;
    let (more, after) = rest.split_at_checked(length)?;
    text.truncate(shared);
    text.extend(more);
    *rest = after;
    Some(kind)
}

#[cfg(test)]
mod tests;

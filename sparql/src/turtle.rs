//! Triples as a Turtle document: only prefixes that are used, in an order that depends on nothing but the triples.

use crate::results::triple_bytes;
use crate::terms::{Prefixes, RDF_TYPE};
use oxrdf::vocab::{rdf, xsd};
use oxrdf::{Literal, NamedNode, NamedNodeRef, NamedOrBlankNode, Term, Triple};
use oxrdfio::{RdfFormat, RdfSerializer};
use std::collections::BTreeMap;

/// Datatypes that are mostly not written with their literals.
const BARE: [NamedNodeRef<'static>; 6] =
    [xsd::STRING, rdf::LANG_STRING, xsd::BOOLEAN, xsd::INTEGER, xsd::DECIMAL, xsd::DOUBLE];

/// A Turtle document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turtle {
    /// The document.
    pub text: String,
    /// Triples in it.
    pub triples: usize,
    /// Triples left out, because there was no room or Turtle has no way to write their IRIs.
    pub left_out: usize,
}

/// Triples as a Turtle document of about `max_bytes` at most.
#[must_use]
pub fn turtle(triples: Vec<Triple>, prefixes: &Prefixes, max_bytes: usize) -> Turtle {
    let all = triples.len();
    let mut kept: Vec<Triple> = triples.into_iter().filter(is_writable).collect();
    kept.sort_by_cached_key(order);
    kept.dedup();
    let mut left = max_bytes;
    let fits = |triple: &&Triple| {
        let room = left.checked_sub(triple_bytes(triple));
        left = room.unwrap_or_default();
        room.is_some()
    };
    let fitting = kept.iter().take_while(fits).count();
    kept.truncate(fitting);
    let mut serializer = RdfSerializer::from_format(RdfFormat::Turtle);
    for (prefix, iri) in used(&kept, prefixes) {
        // A namespace that is no IRI is not declared; its terms are then written out.
        serializer = serializer.clone().with_prefix(prefix, iri).unwrap_or(serializer);
    }
    let mut writer = serializer.for_writer(Vec::new());
    // Writing into memory cannot fail.
    let written = kept.iter().filter(|triple| writer.serialize_triple(*triple).is_ok()).count();
    let text = writer.finish().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    Turtle { text, triples: written, left_out: all - written }
}

/// By subject, its classes first.
fn order(triple: &Triple) -> (String, bool, String, String) {
    let Triple { subject, predicate, object } = triple;
    let is_type = predicate.as_str() == RDF_TYPE;
    (subject.to_string(), !is_type, predicate.to_string(), object.to_string())
}

/// The prefixes with which a term of the triples is written.
fn used<'p>(triples: &[Triple], prefixes: &'p Prefixes) -> BTreeMap<String, &'p str> {
    let mut used = BTreeMap::new();
    for iri in triples.iter().flat_map(iris) {
        let prefix = prefixes.shorten(iri).and_then(|name| Some(name.split_once(':')?.0.to_owned()));
        if let Some(prefix) = prefix
            && let Some(namespace) = prefixes.get(&prefix)
        {
            used.insert(prefix, namespace);
        }
    }
    used
}

fn iris(triple: &Triple) -> impl Iterator<Item = &str> {
    let subject = match &triple.subject {
        NamedOrBlankNode::NamedNode(node) => Some(node.as_str()),
        NamedOrBlankNode::BlankNode(_) => None,
    };
    let object = match &triple.object {
        Term::NamedNode(node) => Some(node.as_str()),
        Term::Literal(literal) => {
            Some(literal.datatype()).filter(|of| !BARE.contains(of)).map(NamedNodeRef::as_str)
        }
        Term::BlankNode(_) => None,
    };
    // It is written as `a`.
    let predicate = Some(triple.predicate.as_str()).filter(|iri| *iri != RDF_TYPE);
    subject.into_iter().chain(predicate).chain(object)
}

/// Whether Turtle can write the triple: endpoints also send IRIs and language tags that are none.
fn is_writable(triple: &Triple) -> bool {
    let tag = match &triple.object {
        Term::Literal(literal) => {
            literal.language().is_none_or(|tag| Literal::new_language_tagged_literal("", tag).is_ok())
        }
        _ => true,
    };
    tag && iris(triple).all(|iri| NamedNode::new(iri).is_ok())
}

//! Prefixes and the spelling of IRIs: prefixed names and local names.
//!
//! Uses `fence` to escape hidden characters in names; used by `check` and `results`.
//!
//! IRIs in queries are kept byte for byte: `%40` never becomes `@`, and searches work on copies. For people and models,
//! [`Prefixes::shown`] shortens very long IRIs and marks the cut.

use crate::fence::{bracketed, is_plain};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The characters to percent-encode: all except the unreserved characters of
/// [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986#section-2.3).
pub const ALL_BUT_UNRESERVED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// `rdf:type`, which links an instance to its class.
pub const RDF_TYPE: &str = oxrdf::vocab::rdf::TYPE.as_str();

/// Prefixes that most SPARQL authors use without declaring them.
const WELL_KNOWN: &[(&str, &str)] = &[
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
    ("dct", "http://purl.org/dc/terms/"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("dc", "http://purl.org/dc/elements/1.1/"),
    ("schema", "http://schema.org/"),
    ("geo", "http://www.w3.org/2003/01/geo/wgs84_pos#"),
    ("geosparql", "http://www.opengis.net/ont/geosparql#"),
    ("georss", "http://www.georss.org/georss/"),
    ("void", "http://rdfs.org/ns/void#"),
    ("prov", "http://www.w3.org/ns/prov#"),
    ("dcat", "http://www.w3.org/ns/dcat#"),
    ("org", "http://www.w3.org/ns/org#"),
    ("vcard", "http://www.w3.org/2006/vcard/ns#"),
    ("time", "http://www.w3.org/2006/time#"),
    ("sosa", "http://www.w3.org/ns/sosa/"),
    ("sh", "http://www.w3.org/ns/shacl#"),
    ("fn", "http://www.w3.org/2005/xpath-functions#"),
    ("dbo", "http://dbpedia.org/ontology/"),
    ("dbr", "http://dbpedia.org/resource/"),
    ("dbp", "http://dbpedia.org/property/"),
    ("dbc", "http://dbpedia.org/resource/Category:"),
    ("wd", "http://www.wikidata.org/entity/"),
    ("wdt", "http://www.wikidata.org/prop/direct/"),
    ("wds", "http://www.wikidata.org/entity/statement/"),
    ("p", "http://www.wikidata.org/prop/"),
    ("ps", "http://www.wikidata.org/prop/statement/"),
    ("psv", "http://www.wikidata.org/prop/statement/value/"),
    ("pq", "http://www.wikidata.org/prop/qualifier/"),
    ("pqv", "http://www.wikidata.org/prop/qualifier/value/"),
    ("wikibase", "http://wikiba.se/ontology#"),
    ("bd", "http://www.bigdata.com/rdf#"),
    ("yago", "http://dbpedia.org/class/yago/"),
    ("bif", "bif:"),
];

/// Prefixes that Wikidata's engine knows beside the well-known ones
/// ([list](https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format#Full_list_of_prefixes)).
const OF_WIKIDATA: [(&str, &str); 10] = [
    ("wdv", "http://www.wikidata.org/value/"),
    ("wdref", "http://www.wikidata.org/reference/"),
    ("wdtn", "http://www.wikidata.org/prop/direct-normalized/"),
    ("psn", "http://www.wikidata.org/prop/statement/value-normalized/"),
    ("pqn", "http://www.wikidata.org/prop/qualifier/value-normalized/"),
    ("pr", "http://www.wikidata.org/prop/reference/"),
    ("prv", "http://www.wikidata.org/prop/reference/value/"),
    ("prn", "http://www.wikidata.org/prop/reference/value-normalized/"),
    ("wdno", "http://www.wikidata.org/prop/novalue/"),
    ("wdata", "http://www.wikidata.org/wiki/Special:EntityData/"),
];

/// A map from prefixes (without colon) to namespace IRIs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Prefixes {
    namespaces: BTreeMap<String, String>,
}

impl Prefixes {
    /// The well-known prefixes, which need no declaration.
    #[must_use]
    pub fn well_known() -> Self {
        WELL_KNOWN.iter().copied().collect()
    }

    /// The prefixes that need no declaration at Wikidata, beside the well-known ones.
    #[must_use]
    pub fn of_wikidata() -> Self {
        OF_WIKIDATA.iter().copied().collect()
    }

    /// Adds a prefix or replaces its namespace.
    pub fn insert(&mut self, prefix: &str, iri: &str) {
        self.namespaces.insert(prefix.to_owned(), iri.to_owned());
    }

    /// The namespace of a prefix (without colon).
    #[must_use]
    pub fn get(&self, prefix: &str) -> Option<&str> {
        self.namespaces.get(prefix).map(String::as_str)
    }

    /// All (prefix, namespace) pairs, ordered by prefix.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.namespaces.iter().map(|(prefix, iri)| (prefix.as_str(), iri.as_str()))
    }

    /// The union of both maps; for a prefix in both, `other` wins.
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        let mut merged = self.clone();
        merged.namespaces.extend(other.namespaces.clone());
        merged
    }

    /// The IRI of a prefixed name, with `PN_LOCAL_ESC` escapes resolved
    /// ([SPARQL 1.1, 4.1.1](https://www.w3.org/TR/sparql11-query/#prefNames)); `None` if the prefix is unknown.
    #[must_use]
    pub fn expand(&self, name: &str) -> Option<String> {
        let (prefix, local) = name.split_once(':')?;
        let namespace = self.get(prefix)?;
        // An escape is a backslash followed by the escaped character.
        Some(format!("{namespace}{}", local.replace('\\', "")))
    }

    /// The prefixed name using the longest matching namespace, if the rest is a valid local name without
    /// escapes. Percent-encoded characters are part of the name and are kept.
    #[must_use]
    pub fn shorten(&self, iri: &str) -> Option<String> {
        self.namespaces
            .iter()
            .filter(|(_, namespace)| !namespace.is_empty())
            .filter_map(|(prefix, namespace)| {
                Some((prefix, namespace, iri.strip_prefix(namespace.as_str())?))
            })
            .filter(|(prefix, _, local)| is_plain_local(local) && is_plain(local) && is_plain(prefix))
            // If two prefixes share a namespace, the shorter one is the usual one (dct, not dcterms).
            .min_by_key(|(prefix, namespace, _)| (std::cmp::Reverse(namespace.len()), prefix.len()))
            .map(|(prefix, _, local)| format!("{prefix}:{local}"))
    }

    /// An IRI for display: compact, and shortened if very long. Not for use in queries.
    #[must_use]
    pub fn shown(&self, iri: &str) -> String {
        shown_iri(&self.compact(iri))
    }

    /// The prefixed name of an IRI, or the IRI in angle brackets; hidden characters are written as SPARQL escapes.
    #[must_use]
    pub fn compact(&self, iri: &str) -> String {
        self.shorten(iri).unwrap_or_else(|| format!("<{}>", bracketed(iri)))
    }

    /// The pairs that can be displayed: without hidden characters and not too long.
    pub fn shown_pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.iter().filter(|(prefix, iri)| is_plain(prefix) && bracketed(iri) == *iri && is_shown_whole(iri))
    }
}

/// Replaces the middle of an IRI that is too long to display.
pub const CUT_MARK: char = '…';
/// Maximum characters of an IRI displayed in full.
const MAX_SHOWN_IRI: usize = 400;
/// Characters shown of the start and the end of a longer IRI.
const IRI_ENDS: (usize, usize) = (200, 60);

/// Whether an IRI is displayed in full; a longer one is shortened, so the displayed form cannot be copied.
#[must_use]
pub fn is_shown_whole(iri: &str) -> bool {
    iri.len() <= MAX_SHOWN_IRI
}

/// An IRI or prefixed name for display, without its middle if it is too long. The cut is marked, because queries need the
/// full IRI.
#[must_use]
pub fn shown_iri(written: &str) -> String {
    let count = written.chars().count();
    if is_shown_whole(written) || count <= MAX_SHOWN_IRI {
        return written.to_owned();
    }
    let head: String = written.chars().take(IRI_ENDS.0).collect();
    let tail: String = written.chars().skip(count - IRI_ENDS.1).collect();
    format!("{head}{CUT_MARK}{tail} (cut: an IRI of {count} characters, too long to be shown or copied)")
}

impl<'a> FromIterator<(&'a str, &'a str)> for Prefixes {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(pairs: I) -> Self {
        Self { namespaces: pairs.into_iter().map(|(p, iri)| (p.to_owned(), iri.to_owned())).collect() }
    }
}

/// The local name of an IRI: the part after the last `#` or `/`, or `:` for a URN.
/// Trailing separators are ignored.
#[must_use]
pub fn local_name(iri: &str) -> &str {
    let trimmed = iri.trim_end_matches(['#', '/']);
    let split = trimmed.rsplit_once(['#', '/']).or_else(|| trimmed.rsplit_once(':'));
    split.map_or(trimmed, |(_, name)| name)
}

/// Whether `local` is a `PN_LOCAL` without escapes, in the subset that all parsers agree on:
/// several separate dots are legal, but the SPARQL parser used here stops at the second.
fn is_plain_local(local: &str) -> bool {
    if local.is_empty() || local.ends_with('.') || dot_groups(local) > 1 {
        return false;
    }
    let mut chars = local.chars();
    let mut first = true;
    while let Some(c) = chars.next() {
        let legal = match c {
            '%' => [chars.next(), chars.next()].iter().all(|h| h.is_some_and(|h| h.is_ascii_hexdigit())),
            ':' => true,
            '.' => !first,
            c if first => is_name_start(c) || c == '_' || c.is_ascii_digit(),
            c => is_name_char(c),
        };
        if !legal {
            return false;
        }
        first = false;
    }
    true
}

/// The number of runs of dots in a local name.
pub(crate) fn dot_groups(local: &str) -> usize {
    let dots = local.split(|c| c != '.').filter(|run| !run.is_empty());
    dots.count()
}

/// Whether a name consists of name characters and contains nothing hidden, so that it can be shown without quotes.
pub(crate) fn is_shown_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_name_char) && is_plain(name)
}

/// `PN_CHARS_BASE` of the [SPARQL grammar](https://www.w3.org/TR/sparql11-query/#rPN_CHARS_BASE).
pub(crate) fn is_name_start(c: char) -> bool {
    matches!(c,
        'A'..='Z' | 'a'..='z' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}')
}

/// `PN_CHARS` of the [SPARQL grammar](https://www.w3.org/TR/sparql11-query/#rPN_CHARS).
pub(crate) fn is_name_char(c: char) -> bool {
    is_name_start(c)
        || matches!(c, '_' | '-' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

#[cfg(test)]
mod tests;

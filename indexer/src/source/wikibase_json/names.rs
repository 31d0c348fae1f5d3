//! The IRIs of the RDF form: in the namespaces of one Wikibase, and in the vocabularies that all of them share.

use eruca_sparql::ALL_BUT_UNRESERVED;
use oxrdf::NamedNode;
use percent_encoding::{AsciiSet, utf8_percent_encode};
use std::fmt::Write;

const WIKIBASE: &str = "http://wikiba.se/ontology#";
const ONTOLEX: &str = "http://www.w3.org/ns/lemon/ontolex#";
const SCHEMA: &str = "http://schema.org/";
const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
const DCT: &str = "http://purl.org/dc/terms/";
const COMMONS: &str = "http://commons.wikimedia.org/";

/// Characters encoded in page titles, as in Wikibase.
const KEPT_IN_TITLES: &AsciiSet = &ALL_BUT_UNRESERVED
    .remove(b':')
    .remove(b'/')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'@')
    .remove(b'$')
    .remove(b'!')
    .remove(b'*')
    .remove(b'(')
    .remove(b')');

/// The namespaces of one Wikibase.
#[derive(Debug)]
pub(super) struct WikibaseNames {
    base: String,
}

/// The paths from a property to its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValuePath {
    /// From an entity to the best values.
    Direct,
    /// From an entity to its statements.
    Claim,
    /// From a statement to its value, and to its value node.
    Statement,
    StatementValue,
    Qualifier,
    QualifierValue,
    Reference,
    ReferenceValue,
    /// The class of entities that have no value of the property.
    NoValue,
}

impl ValuePath {
    fn folder(self) -> &'static str {
        match self {
            Self::Direct => "prop/direct/",
            Self::Claim => "prop/",
            Self::Statement => "prop/statement/",
            Self::StatementValue => "prop/statement/value/",
            Self::Qualifier => "prop/qualifier/",
            Self::QualifierValue => "prop/qualifier/value/",
            Self::Reference => "prop/reference/",
            Self::ReferenceValue => "prop/reference/value/",
            Self::NoValue => "prop/novalue/",
        }
    }

    /// The corresponding path to value nodes.
    pub(super) fn detailed(self) -> Option<Self> {
        match self {
            Self::Statement => Some(Self::StatementValue),
            Self::Qualifier => Some(Self::QualifierValue),
            Self::Reference => Some(Self::ReferenceValue),
            _ => None,
        }
    }
}

impl WikibaseNames {
    /// `base` is the base IRI of the Wikibase, with or without `entity/`; `None` if it is not an IRI.
    pub(super) fn new(base: &str) -> Option<Self> {
        let base = base.strip_suffix('/').unwrap_or(base);
        let base = format!("{}/", base.strip_suffix("/entity").unwrap_or(base));
        NamedNode::new(&base).is_ok().then_some(Self { base })
    }

    /// An entity, form or sense; `None` if its id is not allowed in an IRI.
    pub(super) fn entity(&self, id: &str) -> Option<NamedNode> {
        is_id(id).then(|| self.at("entity/", id))
    }

    pub(super) fn property(&self, way: ValuePath, id: &str) -> Option<NamedNode> {
        is_id(id).then(|| self.at(way.folder(), id))
    }

    /// A statement by its GUID, with `$` and similar characters replaced by hyphens.
    pub(super) fn statement(&self, guid: &str) -> NamedNode {
        let name = guid.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' });
        self.at("entity/statement/", &name.collect::<String>())
    }

    /// A value node, named by a hash of its details.
    pub(super) fn value(&self, hash: &str) -> NamedNode {
        self.at("value/", hash)
    }

    pub(super) fn reference(&self, hash: &str) -> NamedNode {
        self.at("reference/", hash)
    }

    /// `name` consists of ASCII letters, digits, `-` and `_`.
    fn at(&self, folder: &str, name: &str) -> NamedNode {
        NamedNode::new_unchecked(format!("{}{folder}{name}", self.base))
    }

    pub(super) fn prefixes(&self) -> Vec<(String, String)> {
        let own = [
            ("wd", "entity/"),
            ("wds", "entity/statement/"),
            ("wdv", "value/"),
            ("wdref", "reference/"),
            ("wdt", ValuePath::Direct.folder()),
            ("p", ValuePath::Claim.folder()),
            ("ps", ValuePath::Statement.folder()),
            ("psv", ValuePath::StatementValue.folder()),
            ("pq", ValuePath::Qualifier.folder()),
            ("pqv", ValuePath::QualifierValue.folder()),
            ("pr", ValuePath::Reference.folder()),
            ("prv", ValuePath::ReferenceValue.folder()),
            ("wdno", ValuePath::NoValue.folder()),
        ];
        let own = own.into_iter().map(|(name, folder)| (name.to_owned(), format!("{}{folder}", self.base)));
        let shared =
            [("wikibase", WIKIBASE), ("schema", SCHEMA), ("skos", SKOS), ("ontolex", ONTOLEX), ("dct", DCT)];
        own.chain(shared.map(|(name, iri)| (name.to_owned(), iri.to_owned()))).collect()
    }
}

/// Ids consist of a letter and a number, those of forms and senses of two such parts: `L42-F1`.
fn is_id(id: &str) -> bool {
    (1..=64).contains(&id.len())
        && id.starts_with(|c: char| c.is_ascii_alphabetic())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

pub(super) fn wikibase(name: &str) -> NamedNode {
    NamedNode::new_unchecked(format!("{WIKIBASE}{name}"))
}

pub(super) fn ontolex(name: &str) -> NamedNode {
    NamedNode::new_unchecked(format!("{ONTOLEX}{name}"))
}

pub(super) fn schema(name: &str) -> NamedNode {
    NamedNode::new_unchecked(format!("{SCHEMA}{name}"))
}

pub(super) fn skos(name: &str) -> NamedNode {
    NamedNode::new_unchecked(format!("{SKOS}{name}"))
}

pub(super) fn dct(name: &str) -> NamedNode {
    NamedNode::new_unchecked(format!("{DCT}{name}"))
}

/// A file of Wikimedia Commons.
pub(super) fn media(file: &str) -> NamedNode {
    NamedNode::new_unchecked(format!(
        "{COMMONS}wiki/Special:FilePath/{}",
        utf8_percent_encode(file, ALL_BUT_UNRESERVED)
    ))
}

/// A table or shape of Wikimedia Commons.
pub(super) fn data_page(title: &str) -> NamedNode {
    let title = title.replace(' ', "+");
    let title = utf8_percent_encode(&title, KEPT_IN_TITLES);
    NamedNode::new_unchecked(format!("{COMMONS}data/main/{title}"))
}

/// The IRI for a URL as entered by people: characters not allowed in an IRI are encoded. `None` if it is not a URL.
pub(super) fn iri(url: &str) -> Option<NamedNode> {
    let url = url.trim();
    let refused = |c: char| c.is_ascii_control() || " <>\"{}|\\^`".contains(c);
    let mut text = String::with_capacity(url.len());
    for c in url.chars() {
        if refused(c) {
            let _written = write!(text, "%{:02X}", u32::from(c));
        } else {
            text.push(c);
        }
    }
    NamedNode::new(text).ok()
}

/// The type of a property as named in the ontology: `WikibaseItem` for `wikibase-item`.
pub(super) fn property_type(datatype: &str) -> NamedNode {
    let letters = |part: &str| {
        let mut chars = part.chars().filter(char::is_ascii_alphanumeric);
        chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
    };
    wikibase(&datatype.split('-').map(letters).collect::<String>())
}

/// Languages whose code in a Wikibase differs from the standard.
const LANGUAGES: [(&str, &str); 16] = [
    ("als", "gsw"),
    ("bat-smg", "sgs"),
    ("be-x-old", "be-tarask"),
    ("cbk-zam", "cbk-x-zam"),
    ("de-formal", "de-x-formal"),
    ("eml", "egl"),
    ("fiu-vro", "vro"),
    ("map-bms", "jv-x-bms"),
    ("nl-informal", "nl-x-informal"),
    ("no", "nb"),
    ("roa-rup", "rup"),
    ("roa-tara", "nap-x-tara"),
    ("simple", "en-simple"),
    ("zh-classical", "lzh"),
    ("zh-min-nan", "nan"),
    ("zh-yue", "yue"),
];

/// The standard tag for a Wikibase language code.
pub(super) fn language(code: &str) -> &str {
    LANGUAGES.iter().find(|(own, _)| *own == code).map_or(code, |(_, tag)| tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_export() {
        for base in ["http://ex.org/", "http://ex.org", "http://ex.org/entity/", "http://ex.org/entity"] {
            let names = WikibaseNames::new(base).unwrap();
            assert_eq!(names.entity("Q1").unwrap().as_str(), "http://ex.org/entity/Q1");
            assert_eq!(names.statement("q1$A-b").as_str(), "http://ex.org/entity/statement/q1-A-b");
        }
        assert!(WikibaseNames::new("no place").is_none());
        let names = WikibaseNames::new("http://ex.org/").unwrap();
        for id in ["", "Q 1", "../Q1", "Q1>", "1", "Ü1"] {
            assert!(names.entity(id).is_none(), "{id}");
        }
        assert_eq!(
            media("A b's (é).jpg").as_str(),
            "http://commons.wikimedia.org/wiki/Special:FilePath/A%20b%27s%20%28%C3%A9%29.jpg"
        );
        assert_eq!(data_page("Data:A b.map").as_str(), "http://commons.wikimedia.org/data/main/Data:A+b.map");
        assert_eq!(iri("http://ex.org/a b|c").unwrap().as_str(), "http://ex.org/a%20b%7Cc");
        assert!(iri("nothing").is_none());
        for (datatype, name) in [
            ("wikibase-item", "WikibaseItem"),
            ("commonsMedia", "CommonsMedia"),
            ("external-id", "ExternalId"),
        ] {
            assert_eq!(property_type(datatype).as_str(), format!("{WIKIBASE}{name}"));
        }
    }
}

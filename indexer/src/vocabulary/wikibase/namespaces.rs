//! The namespaces of one Wikibase: which part of a statement a predicate leads to, and of which property.

use serde::{Deserialize, Serialize};

/// The part of a predicate's IRI between the base and the number.
const PARTS: &[(&str, StatementPart, &str)] = &[
    ("prop/direct/", StatementPart::Direct, "wdt"),
    ("prop/direct-normalized/", StatementPart::DirectNormalized, "wdtn"),
    ("prop/", StatementPart::Claim, "p"),
    ("prop/statement/", StatementPart::Value, "ps"),
    ("prop/statement/value/", StatementPart::ValueNode, "psv"),
    ("prop/statement/value-normalized/", StatementPart::NormalizedNode, "psn"),
    ("prop/qualifier/", StatementPart::Qualifier, "pq"),
    ("prop/qualifier/value/", StatementPart::QualifierNode, "pqv"),
    ("prop/qualifier/value-normalized/", StatementPart::QualifierNode, "pqn"),
    ("prop/reference/", StatementPart::Reference, "pr"),
    ("prop/reference/value/", StatementPart::Reference, "prv"),
    ("prop/reference/value-normalized/", StatementPart::Reference, "prn"),
    ("prop/novalue/", StatementPart::NoValue, "wdno"),
];
/// Further prefixes that every Wikibase has.
const OTHERS: &[(&str, &str)] =
    &[("entity/", "wd"), ("entity/statement/", "wds"), ("reference/", "wdref"), ("value/", "wdv")];

/// The part of a statement that a predicate leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StatementPart {
    /// `wdt:`: from an entity to a value of best rank.
    Direct,
    /// `wdtn:`: the same with a value that is an IRI of another graph.
    DirectNormalized,
    /// `p:`: from an entity to a statement.
    Claim,
    /// `ps:`: from a statement to its value.
    Value,
    /// `psv:`: from a statement to its value node, which has unit, precision, calendar.
    ValueNode,
    /// `psn:`: the same in the base unit.
    NormalizedNode,
    /// `pq:`: from a statement to the value of a qualifier.
    Qualifier,
    /// `pqv:`, `pqn:`: from a statement to the value node of a qualifier.
    QualifierNode,
    /// `pr:`, `prv:`, `prn:`: from a reference to a value.
    Reference,
    /// `wdno:`: the class of entities that have no value.
    NoValue,
}

impl StatementPart {
    /// Whether the subject of the predicate is a statement.
    pub fn is_of_statement(self) -> bool {
        matches!(
            self,
            Self::Value | Self::ValueNode | Self::NormalizedNode | Self::Qualifier | Self::QualifierNode
        )
    }
}

/// The namespaces of one Wikibase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Namespaces {
    /// The base of all its IRIs, up to `entity/` and `prop/`.
    pub base: String,
}

impl Namespaces {
    /// The namespaces of the Wikibase with this base.
    pub fn of(base: &str) -> Self {
        Self { base: base.to_owned() }
    }

    /// The base, part and number of a predicate that looks like one of any Wikibase.
    pub(super) fn guess(predicate: &str) -> Option<(&str, StatementPart, u32)> {
        let (base, _) = predicate.split_once("prop/")?;
        let (part, number) = part_of(predicate.get(base.len()..)?)?;
        base.ends_with('/').then_some((base, part, number))
    }

    /// Part and number of a predicate of this Wikibase.
    pub fn part(&self, predicate: &str) -> Option<(StatementPart, u32)> {
        part_of(predicate.strip_prefix(self.base.as_str())?)
    }

    /// The predicate `wdt:P…`.
    pub fn direct(&self, number: u32) -> String {
        format!("{}prop/direct/P{number}", self.base)
    }

    /// The predicate for a part; the first one if there are several.
    pub fn predicate(&self, part: StatementPart, number: u32) -> String {
        let middle = PARTS.iter().find(|(_, known, _)| *known == part).map_or("prop/", |(middle, ..)| middle);
        format!("{}{middle}P{number}", self.base)
    }

    /// The namespace of the predicates for a part.
    pub fn namespace(&self, part: StatementPart) -> String {
        let middle = PARTS.iter().find(|(_, known, _)| *known == part).map_or("prop/", |(middle, ..)| middle);
        format!("{}{middle}", self.base)
    }

    /// The entity that carries a property's names.
    pub fn property_entity(&self, number: u32) -> String {
        format!("{}entity/P{number}", self.base)
    }

    /// The number of a property's entity.
    pub fn property_number(&self, iri: &str) -> Option<u32> {
        number(iri.strip_prefix(self.base.as_str())?.strip_prefix("entity/P")?)
    }

    /// Whether the IRI is that of an entity.
    pub fn is_entity(&self, iri: &str) -> bool {
        let name = iri.strip_prefix(self.base.as_str()).and_then(|rest| rest.strip_prefix("entity/"));
        name.is_some_and(|name| !name.is_empty() && !name.contains('/') && !name.contains('.'))
    }

    /// Whether the IRI is that of a statement, value or reference.
    pub fn is_reified_node(&self, iri: &str) -> bool {
        let rest = iri.strip_prefix(self.base.as_str());
        rest.is_some_and(|rest| {
            ["entity/statement/", "value/", "reference/"].iter().any(|part| rest.starts_with(part))
        })
    }

    /// The prefixes that users of a Wikibase know, each with its namespace.
    pub fn prefixes(&self) -> Vec<(String, String)> {
        let parts = PARTS.iter().map(|(middle, _, prefix)| (middle, prefix));
        let others = OTHERS.iter().map(|(middle, prefix)| (middle, prefix));
        let own = others
            .chain(parts)
            .map(|(middle, prefix)| ((*prefix).to_owned(), format!("{}{middle}", self.base)));
        own.chain([("wikibase".to_owned(), super::ONTOLOGY.to_owned())]).collect()
    }

    /// An IRI of this Wikibase as a prefixed name.
    pub(super) fn compact(&self, iri: &str) -> String {
        match self.part(iri) {
            Some((part, number)) => {
                let prefix =
                    PARTS.iter().find(|(_, known, _)| *known == part).map_or("p", |(.., prefix)| prefix);
                format!("{prefix}:P{number}")
            }
            None if iri == crate::vocabulary::RDF_TYPE => "rdf:type".to_owned(),
            None if iri == crate::vocabulary::RDFS_SUB_CLASS_OF => "rdfs:subClassOf".to_owned(),
            None => format!("<{iri}>"),
        }
    }
}

/// Part and number, parsed from the IRI after the base.
fn part_of(rest: &str) -> Option<(StatementPart, u32)> {
    let at = rest.rfind('/')? + 1;
    let (middle, id) = rest.split_at_checked(at)?;
    let (_, part, _) = PARTS.iter().find(|(known, ..)| *known == middle)?;
    Some((*part, number(id.strip_prefix('P')?)?))
}

fn number(text: &str) -> Option<u32> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_are_taken_apart() {
        let names = Namespaces::of("https://wiki.example/");
        for (predicate, expected) in [
            ("https://wiki.example/prop/direct/P7", Some((StatementPart::Direct, 7))),
            ("https://wiki.example/prop/P12", Some((StatementPart::Claim, 12))),
            (
                "https://wiki.example/prop/statement/value-normalized/P1",
                Some((StatementPart::NormalizedNode, 1)),
            ),
            ("https://wiki.example/prop/qualifier/P580", Some((StatementPart::Qualifier, 580))),
            ("https://wiki.example/prop/other/P580", None),
            ("https://wiki.example/prop/P", None),
            ("https://wiki.example/prop/P99999999999999", None),
            ("https://other.example/prop/P1", None),
        ] {
            assert_eq!(names.part(predicate), expected, "{predicate}");
        }
    }

    #[test]
    fn a_base_is_guessed_from_a_predicate() {
        assert_eq!(
            Namespaces::guess("https://wiki.example/prop/direct/P7"),
            Some(("https://wiki.example/", StatementPart::Direct, 7))
        );
        assert_eq!(Namespaces::guess("http://ex.org/prop/name"), None);
        assert_eq!(Namespaces::guess("http://ex.org/myprop/P7"), None);
    }
}

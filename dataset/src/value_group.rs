//! The properties of an entry by what their values are: for entries that are folded, and for those told in sections.

use super::Dataset;
use eruca_indexer::Target;
use eruca_indexer::media::{MediaKind, coordinate_role};
use eruca_indexer::vocabulary::PropertyFacts;
use eruca_language::text::{normalize_word, words};
use eruca_language::{AnswerKind, languages};
use eruca_sparql::{Term, XSD, is_numeric_type};

/// Classes of the values of a property that are looked at, the most frequent first.
const MAX_CLASSES: usize = 3;
/// The datatype of points, lines and areas.
const GEOMETRY: &str = "http://www.opengis.net/ont/geosparql#wktLiteral";

/// What kind of values a property of an entry has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueGroup {
    /// Other entities.
    Entities,
    /// Days, months, years and times of day.
    Dates,
    /// Numbers.
    Numbers,
    /// Anything else that is written.
    Texts,
    /// Names of the entity in other databases.
    Identifiers,
    /// Pictures, sounds and films.
    Media,
}

/// What the entities are that a property leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntityGroup {
    /// Persons and organizations.
    People,
    /// Places.
    Places,
    /// Anything else.
    Others,
}

impl ValueGroup {
    /// All groups, in the order in which they are told.
    pub const ALL: [Self; 6] =
        [Self::Entities, Self::Dates, Self::Numbers, Self::Texts, Self::Identifiers, Self::Media];
}

impl Dataset {
    /// What kind of values a property has in an entry, by the first one.
    #[must_use]
    pub fn value_group(&self, property: &str, first: Option<&Term>) -> ValueGroup {
        let facts = self.index.card.property(property).and_then(|card| card.statements.as_ref());
        if facts.is_some_and(PropertyFacts::is_external_id) {
            return ValueGroup::Identifiers;
        }
        match first {
            Some(Term::NamedNode(node)) if MediaKind::of(node.as_str()).is_some() => ValueGroup::Media,
            Some(Term::Literal(literal)) => match literal.datatype().as_str().strip_prefix(XSD) {
                Some("date" | "dateTime" | "gYear" | "gYearMonth" | "time") => ValueGroup::Dates,
                Some("anyURI") if MediaKind::of(literal.value()).is_some() => ValueGroup::Media,
                Some(name) if is_numeric_type(name) => ValueGroup::Numbers,
                _ => ValueGroup::Texts,
            },
            _ => ValueGroup::Entities,
        }
    }

    /// What the entities are that a property mostly leads to, by the names of their classes.
    #[must_use]
    pub fn entity_group(&self, property: &str) -> EntityGroup {
        let Some(card) = self.index.card.property(property) else { return EntityGroup::Others };
        let class = |target: &Target| match target {
            Target::Class(class) => Some(class.clone()),
            Target::Resource | Target::Literal(_) => None,
        };
        let mut edges: Vec<_> = card.edges.iter().collect();
        edges.sort_by_key(|edge| std::cmp::Reverse(edge.count));
        let mut kinds = edges
            .into_iter()
            .filter_map(|edge| class(&edge.target))
            .take(MAX_CLASSES)
            .filter_map(|class| self.kind_of_class(&class));
        match kinds.next() {
            Some(AnswerKind::Person | AnswerKind::Organization) => EntityGroup::People,
            Some(AnswerKind::Place) => EntityGroup::Places,
            _ => EntityGroup::Others,
        }
    }

    /// Whether a value says where something is.
    #[must_use]
    pub fn is_position(&self, property: &str, value: &Term) -> bool {
        let is_geometry = matches!(value, Term::Literal(literal) if literal.datatype().as_str() == GEOMETRY);
        is_geometry || coordinate_role(property).is_some()
    }

    /// Of literals in several languages, those in the first preferred language that has any; all if none has.
    #[must_use]
    pub fn in_own_language<'t>(&self, values: Vec<&'t Term>) -> Vec<&'t Term> {
        let speaks = |value: &Term, wanted: &str| match value {
            Term::Literal(literal) => literal
                .language()
                .is_some_and(|tag| tag.split('-').next().is_some_and(|tag| tag.eq_ignore_ascii_case(wanted))),
            Term::NamedNode(_) | Term::BlankNode(_) => false,
        };
        let wanted = self.languages.iter().map(String::as_str).chain(["mul"]);
        let mut known = wanted.filter(|wanted| values.iter().any(|value| speaks(value, wanted)));
        let Some(wanted) = known.next() else { return values };
        let is_text = |value: &Term| matches!(value, Term::Literal(literal) if literal.language().is_some());
        values.into_iter().filter(|value| !is_text(value) || speaks(value, wanted)).collect()
    }

    /// What the things of a class are, by the last word of one of its names.
    fn kind_of_class(&self, class: &str) -> Option<AnswerKind> {
        let card = self.index.card.class(class);
        let labels = card.into_iter().flat_map(|card| card.labels.iter().map(|label| label.text.clone()));
        labels.chain([self.index.card.schema_label(class)]).find_map(|name| {
            let last = words(&name).pop()?.text;
            let norm = normalize_word(&last);
            languages().find_map(|language| language.kind_of_noun(&norm))
        })
    }
}

//! Entity cards for questions that only name an entity: "K2 – mountain. Height: 8,611 m; country: Pakistan." Several
//! entities with the same name are listed with the facts that distinguish them.

use super::Verbalizer;
use super::columns::{kind_of, of_property};
use super::phrase::Phrase;
use super::values::{LONG, SHORT};
use eruca_api::ColumnKind;
use eruca_indexer::media::coordinate_role;
use eruca_indexer::vocabulary::DESCRIBING_PROPERTIES;
use eruca_planner::Grounds;
use eruca_sparql::{Literal, NamedNode, Results, Solutions, Term};
use std::collections::BTreeMap;

/// Number of properties shown for a single entity, and for each of several.
const MAX_FACTS: usize = 6;
const MAX_DIFFERENCES: usize = 2;

/// An entity with its facts, grouped by property.
pub(super) struct Card<'a> {
    pub iri: &'a str,
    pub facts: Vec<(&'a NamedNode, Vec<&'a Term>)>,
}

impl Verbalizer<'_> {
    /// The cards of the entities, if the question only names entities.
    pub(super) fn cards(&self) -> Option<Phrase> {
        let insight = self.context.insight.filter(|insight| !insight.about.is_empty())?;
        let Results::Solutions(solutions) = &self.context.answer.results else { return None };
        let cards = cards(solutions, &insight.about);
        let weak = insight.because.iter().find(|because| because.right != Grounds::Exact.key());
        let called = weak.map(|because| because.words.clone());
        match (cards.as_slice(), called) {
            ([], _) => None,
            ([card], None) => Some(self.card(card)),
            (cards, called) => Some(self.several_cards(cards, called)),
        }
    }

    fn card(&self, card: &Card<'_>) -> Phrase {
        let what = self.description(card).unwrap_or_else(|| self.kinds(card));
        let told: Vec<Phrase> =
            self.told_facts(card).map(|(property, values)| self.fact(property, values)).collect();
        let more = told.len().saturating_sub(MAX_FACTS);
        let facts = self.joined(told.into_iter().take(MAX_FACTS).collect(), "next_row");
        let facts = match more {
            0 => facts,
            more => self.phrase("more_rows", &[("a", facts), ("n", self.count(more).into())]),
        };
        let name = self.thing(card.iri);
        let head = match what.is_empty() {
            true => self.phrase("bare", &[("value", name)]),
            false => self.phrase("card", &[("name", name), ("what", ended(what))]),
        };
        let facts =
            if facts.is_empty() { facts } else { self.phrase("bare", &[("value", facts.capitalized())]) };
        head.and_then(facts)
    }

    /// Several entities with the same name, or with a name similar to the one asked for (`nearly`).
    fn several_cards(&self, cards: &[Card<'_>], nearly: Option<String>) -> Phrase {
        let lines = cards.iter().map(|card| self.line(card, cards)).collect::<Vec<_>>();
        let rows = self.rows(&mut lines.into_iter());
        match nearly {
            Some(name) => self.phrase("nearest", &[("x", name.into()), ("rows", rows)]),
            None => self.phrase("namesakes", &[("n", self.count(cards.len()).into()), ("rows", rows)]),
        }
    }

    /// One line per entity: "Paris (city; country: France)".
    fn line(&self, card: &Card<'_>, all: &[Card<'_>]) -> Phrase {
        let differs = |property: &NamedNode, values: &Vec<&Term>| {
            all.len() == 1 || all.iter().any(|other| other.values(property) != Some(values))
        };
        let own = self.told_facts(card).filter(|(property, values)| differs(property, values));
        let facts = own.take(MAX_DIFFERENCES).map(|(property, values)| self.fact(property, values));
        let details: Vec<Phrase> =
            [self.kinds(card)].into_iter().filter(|kinds| !kinds.is_empty()).chain(facts).collect();
        match details.is_empty() {
            true => self.thing(card.iri),
            false => {
                let details = self.joined(details, "next_row");
                self.phrase("detailed", &[("value", self.thing(card.iri)), ("details", details)])
            }
        }
    }

    /// The facts shown for an entity, without its labels, classes and coordinates; properties with few values first.
    fn told_facts<'c>(&self, card: &'c Card<'_>) -> impl Iterator<Item = (&'c NamedNode, &'c Vec<&'c Term>)> {
        let (dataset, naming) = (self.context.dataset, &self.context.dataset.index.card.naming_properties);
        let told = move |property: &str| {
            !dataset.vocabulary().is_type(property)
                && !DESCRIBING_PROPERTIES.contains(&property)
                && !naming.iter().any(|known| known == property)
                && coordinate_role(property).is_none()
        };
        // Pictures are displayed, not verbalized.
        let pictures = |values: &[&Term]| values.iter().all(|value| kind_of(value) == ColumnKind::Picture);
        let worded =
            |(property, values): &&(&NamedNode, Vec<&Term>)| told(property.as_str()) && !pictures(values);
        let mut facts: Vec<_> = card.facts.iter().filter(worded).map(|(p, v)| (*p, v)).collect();
        facts.sort_by_key(|(_, values)| values.len() > 1);
        facts.into_iter()
    }

    fn fact(&self, property: &NamedNode, values: &[&Term]) -> Phrase {
        let column = of_property(self.context.dataset, property.as_str(), values);
        let mut cells = values.iter().map(|value| self.cell(Some(&column), Some(value), SHORT));
        let value = self.list(&mut cells);
        self.phrase("titled", &[("title", column.title.as_str().into()), ("value", value)])
    }

    fn kinds(&self, card: &Card<'_>) -> Phrase {
        let dataset = self.context.dataset;
        let types = card.facts.iter().filter(|(property, _)| dataset.vocabulary().is_type(property.as_str()));
        let names = types.flat_map(|(_, values)| values).filter_map(|value| match value {
            Term::NamedNode(class) => Some(Phrase::name(dataset.schema_name(class.as_str()), class.as_str())),
            _ => None,
        });
        self.joined(names.collect(), "next")
    }

    fn description(&self, card: &Card<'_>) -> Option<Phrase> {
        let described =
            card.facts.iter().filter(|(property, _)| DESCRIBING_PROPERTIES.contains(&property.as_str()));
        let texts: Vec<&Literal> = described
            .flat_map(|(_, values)| values)
            .filter_map(|value| match value {
                Term::Literal(literal) => Some(literal),
                _ => None,
            })
            .collect();
        let ours = |text: &&&Literal| text.language() == Some(self.language.tag());
        let text = texts.iter().find(ours).or_else(|| texts.first())?;
        Some(eruca_sparql::one_line(text.value().trim(), LONG).into())
    }
}

impl<'a> Card<'a> {
    fn values(&self, property: &NamedNode) -> Option<&Vec<&'a Term>> {
        self.facts.iter().find(|(known, _)| *known == property).map(|(_, values)| values)
    }
}

/// The entities in the order in which they were found. Rows are (entity, property, value), or (property, value) if
/// there is only one entity.
pub(super) fn cards<'a>(solutions: &'a Solutions, about: &'a [String]) -> Vec<Card<'a>> {
    let mut found: Vec<Card<'a>> = about.iter().map(|iri| Card { iri, facts: Vec::new() }).collect();
    let places: BTreeMap<&str, usize> =
        about.iter().enumerate().map(|(at, iri)| (iri.as_str(), at)).collect();
    for row in &solutions.rows {
        let (at, property, value) = match row.as_slice() {
            [Some(Term::NamedNode(property)), Some(value)] => (0, property, value),
            [Some(Term::NamedNode(thing)), Some(Term::NamedNode(property)), Some(value)] => {
                let Some(at) = places.get(thing.as_str()) else { continue };
                (*at, property, value)
            }
            _ => continue,
        };
        let Some(card) = found.get_mut(at) else { continue };
        match card.facts.iter_mut().find(|(known, _)| *known == property) {
            Some((_, values)) => values.push(value),
            None => card.facts.push((property, vec![value])),
        }
    }
    found.retain(|card| !card.facts.is_empty());
    found
}

/// Drops the trailing full stop, because the sentence template adds one.
pub(super) fn ended(text: Phrase) -> Phrase {
    let plain = text.text();
    match plain.strip_suffix('.') {
        Some(rest) => rest.into(),
        None => text,
    }
}

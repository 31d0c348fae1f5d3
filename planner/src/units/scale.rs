//! The unit of the numbers at the end of a path: known from a name or a datatype, or given with each number.

use super::{Named, Unit, holds_unit, holds_value};
use crate::meaning::{Iri, Step};
use crate::schema::Schema;
use eruca_indexer::name_words;
use eruca_indexer::{Edge, PropertyCard, Target, ValueKind, amount};
use eruca_language::languages;
use eruca_language::text::{humanize, normalize_word};
use eruca_sparql::local_name;
use std::rc::Rc;

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";
/// Datatypes of durations.
const DURATIONS: [&str; 2] = ["duration", "dayTimeDuration"];
/// The dimension of durations.
pub(crate) const DURATION: &str = "duration";
/// The namespaces of QUDT.
const QUDT: &str = "http://qudt.org/";
/// The unit whose nouns name amounts of money, in any currency.
const MONEY: &str = "EUR";
/// Maximum number of words in a unit within a name.
const MAX_UNIT_WORDS: usize = 2;

/// A quantity that is a node of its own: the properties of its number and its unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Quantity<'k> {
    pub value: Iri<'k>,
    /// The most used one first.
    pub units: Rc<[Iri<'k>]>,
}

/// The unit of a property's numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scale<'k> {
    /// Unknown.
    Unsaid,
    /// All in one unit.
    One(&'static Unit),
    /// Each in the unit given by another property.
    Beside { units: Rc<[Iri<'k>]>, named: Named, dimension: Option<&'static str>, money: bool },
    /// Each in the unit written after or before it; with a decimal comma or a point.
    Written { dimension: Option<&'static str>, comma: bool },
    /// Each in the unit named by its datatype.
    Typed { dimension: &'static str },
    /// Durations in the lexical form of `xsd:duration`.
    Durations,
}

impl Scale<'_> {
    /// The dimension, if known.
    pub fn dimension(&self) -> Option<&'static str> {
        match self {
            Self::Unsaid => None,
            Self::One(unit) => Some(unit.dimension),
            Self::Beside { dimension, .. } | Self::Written { dimension, .. } => *dimension,
            Self::Typed { dimension } => Some(dimension),
            Self::Durations => Some(DURATION),
        }
    }

    /// Whether the numbers may have different units, all converted to the first one of their dimension.
    pub fn varies(&self) -> bool {
        matches!(self, Self::Beside { .. } | Self::Written { .. } | Self::Typed { .. } | Self::Durations)
    }
}

impl<'k> Schema<'k> {
    /// The unit of the numbers at the end of a path.
    pub fn scale(&self, path: &[Step<'k>]) -> Scale<'k> {
        let Some((last, before)) = path.split_last().filter(|(last, _)| last.forward) else {
            return Scale::Unsaid;
        };
        let key = (before.last().copied(), last.property);
        if let Some(known) = self.scales.borrow().get(&key) {
            return known.clone();
        }
        let found = self.scale_anew(key.0, last.property);
        self.scales.borrow_mut().insert(key, found.clone());
        found
    }

    fn scale_anew(&self, before: Option<Step<'k>>, last: Iri<'k>) -> Scale<'k> {
        let Some(card) = self.property(last) else { return Scale::Unsaid };
        let quantity = before.and_then(|step| self.quantity(step)).filter(|quantity| quantity.value == last);
        if let Some((step, quantity)) = before.zip(quantity) {
            return self.beside(step, &quantity);
        }
        let one = || named(card).map(Scale::One);
        durations(card)
            .or_else(|| written(card))
            .or_else(|| typed(card))
            .or_else(one)
            .unwrap_or(Scale::Unsaid)
    }

    /// The quantity properties of the nodes that a step leads to, if they have them.
    pub fn quantity(&self, step: Step<'k>) -> Option<Quantity<'k>> {
        if let Some(known) = self.quantities.borrow().get(&step) {
            return known.clone();
        }
        let found = self.quantity_anew(step);
        self.quantities.borrow_mut().insert(step, found.clone());
        found
    }

    fn quantity_anew(&self, step: Step<'k>) -> Option<Quantity<'k>> {
        let card = self.property(step.property).filter(|_| step.forward)?;
        let ends = |edge: &Edge| match &edge.target {
            Target::Class(class) => Some(Some(class.clone())),
            Target::Resource => Some(None),
            Target::Literal(_) => None,
        };
        let ends: Vec<Option<String>> = card.edges.iter().filter_map(ends).collect();
        let starts = |other: &&'k PropertyCard| other.edges.iter().any(|edge| ends.contains(&edge.class));
        let cards = || self.index.card.properties.iter();
        let units = cards().filter(|card| holds_unit(local_name(&card.iri))).filter(starts);
        let mut units: Vec<&'k PropertyCard> = units.collect();
        units.sort_by_key(|card| std::cmp::Reverse(card.usage));
        let first = is_text(units.first()?);
        let number =
            |card: &&'k PropertyCard| self.end(Step { property: &card.iri, forward: true }).is_number();
        let values = cards().filter(|card| holds_value(local_name(&card.iri)));
        let value = values.filter(starts).find(number)?;
        // Codes and IRIs are looked up by different names.
        let alike = units.into_iter().filter(|card| is_text(card) == first);
        Some(Quantity { value: &value.iri, units: alike.map(|card| card.iri.as_str()).collect() })
    }

    fn beside(&self, step: Step<'k>, quantity: &Quantity<'k>) -> Scale<'k> {
        let cards: Vec<&'k PropertyCard> =
            quantity.units.iter().filter_map(|unit| self.property(unit)).collect();
        let text = cards.first().is_some_and(|card| is_text(card));
        let samples = || cards.iter().flat_map(|card| &card.edges).flat_map(|edge| &edge.samples);
        // All in one unknown unit: there is nothing to convert.
        let mut names = samples().peekable();
        let first = names.peek().copied();
        if first.is_some_and(|first| Unit::find(first).is_none() && names.all(|name| name == first)) {
            return Scale::Unsaid;
        }
        let said: Vec<&str> =
            samples().filter_map(|sample| Unit::find(sample)).map(|unit| unit.dimension).collect();
        // The samples come from all quantities, so the name of this property takes precedence.
        let same = said.first().filter(|first| text && said.iter().all(|other| other == *first)).copied();
        let dimension = self.property(step.property).and_then(measured).or(same);
        let qudt = quantity.units.iter().all(|unit| unit.starts_with(QUDT));
        let named = match (text, qudt) {
            (true, _) => Named::Text,
            (false, true) => Named::Qudt,
            (false, false) => Named::Iri,
        };
        let money = self.property(step.property).is_some_and(|card| is_called_by(card, MONEY));
        Scale::Beside { units: quantity.units.clone(), named, dimension, money }
    }
}

/// Whether units are given as texts rather than things.
fn is_text(card: &PropertyCard) -> bool {
    card.edges.iter().any(|edge| matches!(edge.target, Target::Literal(_)))
}

/// All names of a property, as words.
fn names(card: &PropertyCard) -> impl Iterator<Item = String> + '_ {
    std::iter::once(humanize(local_name(&card.iri))).chain(card.labels.iter().map(|label| label.text.clone()))
}

/// The dimension according to the nouns in a property's name: a mass is measured in kilograms.
fn measured(card: &PropertyCard) -> Option<&'static str> {
    let mut found = Unit::bases()
        .filter(|unit| Unit::converts(unit.dimension) && is_called_by(card, unit.symbol))
        .map(|unit| unit.dimension);
    // "Length" may also mean a duration.
    found.next().filter(|_| found.next().is_none())
}

/// Whether a property's name contains a noun that a unit measures.
fn is_called_by(card: &PropertyCard, symbol: &str) -> bool {
    let nouns = languages().filter_map(|language| language.unit(&symbol.to_lowercase()));
    let nouns: Vec<&String> = nouns.flat_map(|nouns| nouns.iter()).collect();
    names(card).flat_map(|name| name_words(&name)).any(|word| nouns.contains(&&normalize_word(&word)))
}

/// The unit in a property's name: `lengthKm`, "weight in kg".
fn named(card: &PropertyCard) -> Option<&'static Unit> {
    names(card).find_map(|name| {
        let all = name_words(&name);
        let ends = (1..=MAX_UNIT_WORDS).rev().filter(|count| *count < all.len());
        ends.filter_map(|count| all.get(all.len() - count..)).find_map(|end| Unit::find(&end.join(" ")))
    })
}

/// Whether all values are of a duration datatype.
fn durations(card: &PropertyCard) -> Option<Scale<'static>> {
    let types = card.edges.iter().map(|edge| match &edge.target {
        Target::Literal(datatype) => datatype.strip_prefix(XSD),
        Target::Class(_) | Target::Resource => None,
    });
    let mut types = types.peekable();
    let all =
        types.peek().is_some() && types.all(|local| local.is_some_and(|local| DURATIONS.contains(&local)));
    all.then_some(Scale::Durations)
}

/// Numbers with units in texts.
fn written(card: &PropertyCard) -> Option<Scale<'static>> {
    let literal = |edge: &&Edge| matches!(&edge.target, Target::Literal(datatype) if ValueKind::of(datatype, &edge.samples) == ValueKind::Quantity);
    let mut samples = card.edges.iter().filter(literal).flat_map(|edge| &edge.samples).peekable();
    samples.peek()?;
    let (mut comma, mut dimension) = (false, None);
    for (number, unit) in samples.filter_map(|sample| amount(sample)) {
        comma |= amount_has_comma(number);
        dimension = dimension.or(Unit::find(unit).map(|unit| unit.dimension));
    }
    Some(Scale::Written { dimension, comma })
}

/// Whether the number has a decimal comma; a comma before three digits may be a thousands separator.
fn amount_has_comma(number: &str) -> bool {
    number
        .rsplit_once(',')
        .is_some_and(|(_, behind)| behind.len() != 3 && behind.chars().all(|c| c.is_ascii_digit()))
}

/// Datatypes named after units.
fn typed(card: &PropertyCard) -> Option<Scale<'static>> {
    let mut dimension = None;
    for edge in &card.edges {
        let Target::Literal(datatype) = &edge.target else { return None };
        let unit = Unit::find(local_name(datatype)).filter(|_| !datatype.contains("XMLSchema"))?;
        if dimension.is_some_and(|known| known != unit.dimension) {
            return None;
        }
        dimension = Some(unit.dimension);
    }
    dimension.map(|dimension| Scale::Typed { dimension })
}

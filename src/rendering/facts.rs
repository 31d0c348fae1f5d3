//! What the index knows of a property's statements; predicates with their names.

use eruca_dataset::{Dataset, quoted_name};
use eruca_indexer::PropertyCard;
use eruca_indexer::vocabulary::{Namespaces, PropertyFacts, StatementPart};

/// Qualifiers, units and owners named of a property.
const MAX_NAMED: usize = 4;

/// The kind of values in plain words.
fn kind(datatype: &str) -> String {
    match datatype {
        "WikibaseItem" => "values are items".to_owned(),
        "WikibaseProperty" => "values are properties".to_owned(),
        "WikibaseLexeme" | "WikibaseSense" | "WikibaseForm" => "values are lexemes or their parts".to_owned(),
        "Quantity" => "quantity".to_owned(),
        "Time" => "date (xsd:dateTime)".to_owned(),
        "String" => "string".to_owned(),
        "Monolingualtext" => "text with a language".to_owned(),
        "GlobeCoordinate" => "coordinates (WKT point)".to_owned(),
        "CommonsMedia" => "media file".to_owned(),
        "Url" => "URL".to_owned(),
        "ExternalId" => "external identifier (a string)".to_owned(),
        other => quoted_name(other),
    }
}

/// What follows the connections of a property in a line about it; empty in graphs without statements.
pub(super) fn facts_text(dataset: &Dataset, property: &PropertyCard) -> String {
    let (Some(facts), Some(names)) = (&property.statements, &dataset.vocabulary().statements) else {
        return String::new();
    };
    let mut parts: Vec<String> = facts.datatype.as_deref().map(kind).into_iter().collect();
    if facts.is_external_id() {
        return format!("; {}", parts.join("; "));
    }
    if !facts.units.is_empty() {
        let units: Vec<(&String, u64)> = units(facts).collect();
        let units = named(&units, |unit| dataset.named(unit));
        parts.extend((!units.is_empty()).then(|| format!("in {units}")));
    }
    parts.extend(ranks(facts));
    if let Some(qualifiers) = qualifiers(dataset, names, facts) {
        parts.push(format!("qualified by {qualifiers}"));
    }
    if facts.qualifies > 0 {
        parts.push(qualifies(dataset, property, facts));
    }
    if let Some(inverse) = &facts.inverse {
        parts.push(format!("inverse {}", dataset.named(inverse)));
    }
    if parts.is_empty() { String::new() } else { format!("; {}", parts.join("; ")) }
}

/// The units of its quantities; numbers without one are left out.
pub(crate) fn units(facts: &PropertyFacts) -> impl Iterator<Item = (&String, u64)> {
    facts.units.iter().filter(|(unit, _)| Namespaces::is_unit(unit)).map(|(unit, count)| (unit, *count))
}

fn ranks(facts: &PropertyFacts) -> Option<String> {
    let words = [(facts.preferred, "preferred"), (facts.deprecated, "deprecated")];
    let words: Vec<String> = words
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} of them {word}"))
        .collect();
    (!words.is_empty())
        .then(|| format!("{} statements, {}: wdt: has not all", facts.statements, words.join(", ")))
}

/// `pq:P580 "start time" (812), …`: the most frequent qualifiers of its statements.
pub(crate) fn qualifiers(dataset: &Dataset, names: &Namespaces, facts: &PropertyFacts) -> Option<String> {
    let known = facts.qualifiers.iter().filter_map(|(direct, count)| Some((names.part(direct)?.1, *count)));
    let known: Vec<(u32, u64)> = known.collect();
    let text = named(&known, |number| predicate(dataset, names, StatementPart::Qualifier, *number));
    (!text.is_empty()).then_some(text)
}

/// Properties whose statements have a qualifier, those that have it most often first.
pub(crate) fn owners<'a>(dataset: &'a Dataset, direct: &str) -> Vec<(&'a String, u64)> {
    let of = |owner: &'a PropertyCard| {
        let owned = owner.statements.as_ref()?;
        let (_, count) = owned.qualifiers.iter().find(|(iri, _)| iri == direct)?;
        Some((&owner.iri, *count))
    };
    let mut owners: Vec<(&String, u64)> = dataset.index.card.properties.iter().filter_map(of).collect();
    owners.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    owners
}

/// Whose statements it qualifies.
fn qualifies(dataset: &Dataset, property: &PropertyCard, facts: &PropertyFacts) -> String {
    let owners = owners(dataset, &facts.direct);
    let owners = named(&owners, |iri| dataset.named(iri));
    let owners = if owners.is_empty() { owners } else { format!(" of {owners}") };
    let times = if facts.qualifies == 1 { "once".to_owned() } else { format!("{} times", facts.qualifies) };
    let only = property.usage == 0 && facts.statements == 0;
    format!("{} a qualifier ({times}){owners}", if only { "only" } else { "also" })
}

/// The first ones with their numbers, and how many more there are.
pub(crate) fn named<T>(items: &[(T, u64)], show: impl Fn(&T) -> String) -> String {
    let shown: Vec<String> =
        items.iter().take(MAX_NAMED).map(|(item, count)| format!("{} ({count})", show(item))).collect();
    let more = items.len().saturating_sub(MAX_NAMED);
    if more > 0 { format!("{}, {more} more", shown.join(", ")) } else { shown.join(", ") }
}

/// A predicate as a prefixed name, with the property's name.
pub(crate) fn predicate(dataset: &Dataset, names: &Namespaces, part: StatementPart, number: u32) -> String {
    let label = property_name(dataset, names, number);
    let predicate = dataset.compact(&names.predicate(part, number));
    label.map_or(predicate.clone(), |label| format!("{predicate} {}", quoted_name(&label)))
}

/// The name of a property, if one is known.
pub(crate) fn property_name(dataset: &Dataset, names: &Namespaces, number: u32) -> Option<String> {
    dataset.label(&names.direct(number)).or_else(|| dataset.label(&names.property_entity(number)))
}

/// The name of a property, or its number where there is none.
pub(crate) fn property_word(dataset: &Dataset, names: &Namespaces, number: u32) -> String {
    property_name(dataset, names, number).unwrap_or_else(|| format!("P{number}"))
}

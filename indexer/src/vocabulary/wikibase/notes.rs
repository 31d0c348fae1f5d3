//! What a writer of queries must know about a Wikibase, in a few lines with examples from its own properties.

use super::namespaces::Namespaces;
use crate::vocabulary::{PropertyFacts, RDF_TYPE, RDFS_SUB_CLASS_OF, Vocabulary};

/// Maximum number of qualifiers listed.
const MAX_QUALIFIERS: usize = 6;

/// The lines; those that do not apply to the graph are left out.
pub(super) fn lines(
    vocabulary: &Vocabulary,
    names: &Namespaces,
    properties: &[&PropertyFacts],
    name: &dyn Fn(&str) -> String,
) -> Vec<String> {
    let mut lines = vec![classes(vocabulary, names)];
    // If no property is known, there may be statements.
    let has_statements = properties.is_empty() || properties.iter().any(|facts| facts.statements > 0);
    if has_statements {
        lines.push(statements(names, properties, name));
        lines.extend(qualifiers(names, properties, name));
        lines.extend(quantities(names, properties, name));
        lines.push(
            "An unknown value is a blank node: FILTER(!isBlank(?v)) leaves it out. Things without a value: ?x a wdno:P.".to_owned(),
        );
    } else {
        lines.push("Values are direct, wdt:; there are no statements (p:, ps:, pq:), so no qualifiers, ranks or units.".to_owned());
    }
    lines.push("Return things, not their labels, unless names are asked for; labels: ?x rdfs:label ?l FILTER(LANG(?l) = \"en\").".to_owned());
    lines
}

fn classes(vocabulary: &Vocabulary, names: &Namespaces) -> String {
    let kind = names.compact(&vocabulary.type_property);
    if vocabulary.subclass_property == RDFS_SUB_CLASS_OF {
        let not = if vocabulary.type_property == RDF_TYPE { "" } else { "; not rdf:type" };
        return format!("Class of a thing: ?x {kind} CLASS{not}.");
    }
    let wider = names.compact(&vocabulary.subclass_property);
    format!("Class of a thing: ?x {kind}/{wider}* CLASS (direct: ?x {kind} CLASS); not rdf:type.")
}

/// Uses the property with the most qualifiers as the example.
fn statements(names: &Namespaces, properties: &[&PropertyFacts], name: &dyn Fn(&str) -> String) -> String {
    let count = |facts: &&&PropertyFacts| facts.qualifiers.iter().map(|(_, count)| count).sum::<u64>();
    let example = properties.iter().filter(|facts| !facts.qualifiers.is_empty()).max_by_key(count);
    let example = example.and_then(|facts| {
        let (_, property) = names.part(&facts.direct)?;
        let (direct, _) = facts.qualifiers.first()?;
        let (_, qualifier) = names.part(direct)?;
        let labels = format!("{} with its {}", name(&facts.direct), name(direct));
        Some(format!("?x p:P{property} ?st . ?st ps:P{property} ?value ; pq:P{qualifier} ?q ({labels})"))
    });
    let example = example.unwrap_or_else(|| "?x p:P ?st . ?st ps:P ?value ; pq:Q ?q".to_owned());
    format!(
        "wdt: gives the values of best rank (preferred, else normal); it is enough unless the question is about time, order, \
         units, sources or former values. These are on the statement: {example}. Add ?st a wikibase:BestRank to have only what \
         wdt: has; else leave out wrong ones: FILTER NOT EXISTS {{ ?st wikibase:rank wikibase:DeprecatedRank }}."
    )
}

/// The most frequent qualifiers.
fn qualifiers(
    names: &Namespaces,
    properties: &[&PropertyFacts],
    name: &dyn Fn(&str) -> String,
) -> Option<String> {
    let mut known: Vec<&&PropertyFacts> = properties.iter().filter(|facts| facts.qualifies > 0).collect();
    known.sort_by(|a, b| b.qualifies.cmp(&a.qualifies).then_with(|| a.direct.cmp(&b.direct)));
    let shown: Vec<String> = known
        .iter()
        .take(MAX_QUALIFIERS)
        .filter_map(|facts| {
            let (_, number) = names.part(&facts.direct)?;
            Some(format!("pq:P{number} {}", name(&facts.direct)))
        })
        .collect();
    (!shown.is_empty()).then(|| {
        format!(
            "Usual qualifiers: {}. What holds now has no end: FILTER NOT EXISTS {{ ?st pq:END ?end }}; what held on a day D: \
             ?st pq:START ?s OPTIONAL {{ ?st pq:END ?end }} FILTER(?s <= D && (!BOUND(?end) || ?end >= D)). get_entry with `property` \
             shows the qualifiers of a thing's statements.",
            shown.join(", ")
        )
    })
}

/// Uses the quantity with the most units as the example.
fn quantities(
    names: &Namespaces,
    properties: &[&PropertyFacts],
    name: &dyn Fn(&str) -> String,
) -> Option<String> {
    let measured =
        properties.iter().filter(|facts| facts.units.iter().any(|(unit, _)| Namespaces::is_unit(unit)));
    let example = measured.max_by_key(|facts| (facts.units.len(), facts.statements))?;
    let (_, number) = names.part(&example.direct)?;
    Some(format!(
        "A quantity in wdt: is a number without its unit (wdt:P{number} {}): ?st psv:P{number} ?n . ?n wikibase:quantityAmount ?a ; \
         wikibase:quantityUnit ?u; with psn: for psv: the amount is in the base unit. Likewise ?n wikibase:timePrecision of a date: 9 is a \
         year, 11 a day.",
        name(&example.direct),
    ))
}

//! What the dataset card says of a query before or beside its result: unlikely patterns, missing casts. No query is
//! sent for it.

use super::statements;
use crate::dataset::Dataset;
use eruca_indexer::vocabulary::XSD_STRING;
use eruca_indexer::{DatasetCard, PropertyCard, Target};
use eruca_sparql::{CheckedQuery, Usage};
use std::collections::HashSet;

/// Notes on one query at most; more is noise.
const MAX_NOTES: usize = 4;
/// Subclasses looked at of one class.
const MAX_FAMILY: usize = 2_000;

/// What looks wrong in the query, in sentences for a model.
pub fn preflight(query: &CheckedQuery, dataset: &Dataset) -> Vec<String> {
    let usages = query.usages(&dataset.vocabulary().type_property);
    let mut notes = statements::notes(query, dataset);
    notes.extend(usages.iter().flat_map(|usage| impossible_pairs(usage, dataset)));
    notes.extend(usages.iter().filter_map(|usage| missing_cast(usage, dataset)));
    notes.truncate(MAX_NOTES);
    notes
}

/// A class and a property that no instance joins.
fn impossible_pairs(usage: &Usage, dataset: &Dataset) -> Vec<String> {
    let card = &dataset.index.card;
    let mut notes = Vec::new();
    for class in usage.classes.iter().filter(|class| card.class(class).is_some()) {
        let family = with_subclasses(card, class);
        // Nothing is said of a family that is too large to be known.
        if family.len() >= MAX_FAMILY {
            continue;
        }
        for property in
            usage.has.iter().filter_map(|iri| card.property(iri)).filter(|property| property.usage > 0)
        {
            if !property
                .edges
                .iter()
                .any(|edge| edge.class.as_ref().is_some_and(|class| family.contains(class)))
            {
                notes.push(pair_note(dataset, class, property, &family));
            }
        }
    }
    notes
}

fn pair_note(dataset: &Dataset, class: &str, property: &PropertyCard, family: &HashSet<String>) -> String {
    let (class, name) = (dataset.named(class), dataset.named(&property.iri));
    let leads_here = property
        .edges
        .iter()
        .any(|edge| matches!(&edge.target, Target::Class(target) if family.contains(target)));
    if leads_here {
        return format!("No {class} has {name}; it leads to {class}: turn the triple around.");
    }
    let owners: Vec<String> =
        property.domains().iter().take(3).map(|(class, _)| dataset.named(class)).collect();
    match owners.is_empty() {
        true => format!("No {class} has {name}."),
        false => format!("No {class} has {name}; {} have it.", owners.join(", ")),
    }
}

/// A class and the classes below it, as many as are looked at.
pub(super) fn with_subclasses(card: &DatasetCard, class: &str) -> HashSet<String> {
    let mut family = vec![class];
    let mut seen: HashSet<&str> = HashSet::from([class]);
    let mut next = 0;
    while let Some(current) = family.get(next).copied().filter(|_| family.len() < MAX_FAMILY) {
        next += 1;
        family
            .extend(card.subclasses(current).map(|below| below.iri.as_str()).filter(|iri| seen.insert(iri)));
    }
    family.into_iter().map(str::to_owned).collect()
}

/// A string used as a number: comparisons with it fail silently.
fn missing_cast(usage: &Usage, dataset: &Dataset) -> Option<String> {
    let card = &dataset.index.card;
    let property = usage.is.iter().filter_map(|iri| card.property(iri)).find(|property| {
        let datatypes = property.datatypes();
        !datatypes.is_empty() && datatypes.iter().all(|(datatype, _)| *datatype == XSD_STRING)
    })?;
    let (name, variable) = (dataset.compact(&property.iri), &usage.name);
    usage.as_number.then(|| {
        format!("Values of {name} are strings: use xsd:decimal(?{variable}) instead of ?{variable}.")
    })
}

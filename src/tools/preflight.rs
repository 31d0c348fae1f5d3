//! What the dataset card says of a query before or beside its result: unlikely patterns, missing casts. No query is
//! sent for it.

use crate::dataset::Dataset;
use eruca_indexer::vocabulary::XSD_STRING;
use eruca_indexer::{DatasetCard, PropertyCard, Target};
use eruca_sparql::{CheckedQuery, Usage};

/// Notes on one query at most; more is noise.
const MAX_NOTES: usize = 4;

/// What looks wrong in the query, in sentences for a model.
pub fn preflight(query: &CheckedQuery, dataset: &Dataset) -> Vec<String> {
    let usages = query.usages();
    let mut notes: Vec<String> = usages.iter().flat_map(|usage| impossible_pairs(usage, dataset)).collect();
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

fn pair_note(dataset: &Dataset, class: &str, property: &PropertyCard, family: &[String]) -> String {
    let (class, name) = (dataset.compact(class), dataset.compact(&property.iri));
    let leads_here = property
        .edges
        .iter()
        .any(|edge| matches!(&edge.target, Target::Class(target) if family.contains(target)));
    if leads_here {
        return format!("No {class} has {name}; it leads to {class}: turn the triple around.");
    }
    let owners: Vec<String> =
        property.domains().iter().take(3).map(|(class, _)| dataset.compact(class)).collect();
    match owners.is_empty() {
        true => format!("No {class} has {name}."),
        false => format!("No {class} has {name}; {} have it.", owners.join(", ")),
    }
}

/// A class and all classes below it.
fn with_subclasses(card: &DatasetCard, class: &str) -> Vec<String> {
    let mut family = vec![class.to_owned()];
    let mut next = 0;
    while let Some(current) = family.get(next).cloned() {
        next += 1;
        for below in card.subclasses(&current) {
            if !family.contains(&below.iri) {
                family.push(below.iri.clone());
            }
        }
    }
    family
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

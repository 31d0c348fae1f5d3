//! What the index knows of a property's statements, found by what a model or a query says of it.

use crate::dataset::Dataset;
use crate::rendering::owners;
use eruca_indexer::vocabulary::{Namespaces, PropertyFacts};

/// What is known of the property with this number.
pub(in crate::tools) fn facts_of<'a>(
    dataset: &'a Dataset,
    names: &Namespaces,
    number: u32,
) -> Option<&'a PropertyFacts> {
    dataset.index.card.property(&names.direct(number))?.statements.as_ref()
}

/// The IRI of a property that a model has written; its number is enough where properties have numbers.
pub(in crate::tools) fn resolve_property(written: &str, dataset: &Dataset) -> Result<String, String> {
    let number = written.trim().strip_prefix('P').and_then(|digits| digits.parse().ok());
    match (&dataset.vocabulary().statements, number) {
        (Some(names), Some(number)) => Ok(names.direct(number)),
        _ => dataset.resolve(written),
    }
}

/// The number of the property that an IRI means: its entity, or a predicate that leads to a part of its statements.
pub(in crate::tools) fn property_of(names: &Namespaces, iri: &str) -> Option<u32> {
    names.part(iri).map(|(_, number)| number).or_else(|| names.property_number(iri))
}

/// The property whose statements have this qualifier most often.
pub(in crate::tools) fn owner_of(dataset: &Dataset, names: &Namespaces, qualifier: u32) -> Option<u32> {
    let owners = owners(dataset, &names.direct(qualifier));
    owners.first().and_then(|(iri, _)| names.part(iri)).map(|(_, number)| number)
}

//! What the index knows about a property's statements, looked up by what a model or a query names.

use crate::rendering::owners;
use eruca_dataset::Dataset;
use eruca_indexer::vocabulary::{Namespaces, PropertyFacts};

/// The facts about the property with this number.
pub(in crate::tools) fn facts_of<'a>(
    dataset: &'a Dataset,
    names: &Namespaces,
    number: u32,
) -> Option<&'a PropertyFacts> {
    dataset.index.card.property(&names.direct(number))?.statements.as_ref()
}

/// The IRI of a property written by a model; a number like `P31` is enough where properties have numbers.
pub(in crate::tools) fn resolve_property(written: &str, dataset: &Dataset) -> Result<String, String> {
    let number = written.trim().strip_prefix('P').and_then(|digits| digits.parse().ok());
    match (&dataset.vocabulary().statements, number) {
        (Some(names), Some(number)) => Ok(names.direct(number)),
        _ => dataset.resolve(written),
    }
}

/// The number of the property that an IRI stands for: the property's entity, or a predicate of a part of its statements.
pub(in crate::tools) fn property_of(names: &Namespaces, iri: &str) -> Option<u32> {
    names.part(iri).map(|(_, number)| number).or_else(|| names.property_number(iri))
}

/// The property whose statements most often have this qualifier.
pub(in crate::tools) fn owner_of(dataset: &Dataset, names: &Namespaces, qualifier: u32) -> Option<u32> {
    let owners = owners(dataset, &names.direct(qualifier));
    owners.first().and_then(|(iri, _)| names.part(iri)).map(|(_, number)| number)
}

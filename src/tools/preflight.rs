//! Checks of a query against the dataset card, before it runs or beside its result: unlikely patterns, missing casts. They
//! send no query.

use super::partial::Listing;
use super::statements;
use eruca_dataset::Dataset;
use eruca_indexer::vocabulary::XSD_STRING;
use eruca_indexer::{DatasetCard, PropertyCard, Target};
use eruca_sparql::{Answer, CheckedQuery, Column, VariableUse};
use std::collections::HashSet;

/// Maximum number of notes per query; more would be noise.
const MAX_NOTES: usize = 4;
/// Maximum number of classes listed for the values of a property; with more, a question hardly means one of them.
const MAX_MIXED: usize = 4;
/// Maximum number of subclasses of a class that are considered.
const MAX_FAMILY: usize = 2_000;

/// What looks wrong in a query, in sentences for a model; given its result, also what the result leaves out.
pub(crate) fn doubts(query: &CheckedQuery, answer: Option<&Answer>, dataset: &Dataset) -> Vec<String> {
    if query.calls_services() {
        return Vec::new();
    }
    let kind = &dataset.vocabulary().type_property;
    let (usages, columns) = (query.model().usages(kind), query.model().columns(kind));
    let mut notes = statements::notes(query, dataset);
    notes.extend(usages.iter().flat_map(|usage| impossible_pairs(usage, dataset)));
    notes.extend(usages.iter().filter_map(|usage| missing_cast(usage, dataset)));
    notes.extend(mixed_classes(&columns, &usages, dataset));
    notes.truncate(MAX_NOTES);
    notes.extend(answer.and_then(|answer| left_out(query, answer, dataset)));
    notes
}

/// A note about the instances that a list leaves out because they lack a value that it shows.
pub(super) fn left_out(query: &CheckedQuery, answer: &Answer, dataset: &Dataset) -> Option<String> {
    let kind = &dataset.vocabulary().type_property;
    let (usages, columns) = (query.model().usages(kind), query.model().columns(kind));
    Listing { query, dataset, usages: &usages, columns: &columns }.hint(answer)
}

/// Pairs of a class and a property that no instance has together.
fn impossible_pairs(usage: &VariableUse, dataset: &Dataset) -> Vec<String> {
    let card = &dataset.index.card;
    let mut notes = Vec::new();
    for class in usage.classes.iter().filter(|class| card.class(class).is_some()) {
        let family = with_subclasses(card, class);
        // No note if there are too many subclasses to consider all of them.
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

/// A class and its subclasses, up to the maximum considered.
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

/// A note about a column with instances of several classes, none of which the query requires.
fn mixed_classes(columns: &[Column], usages: &[VariableUse], dataset: &Dataset) -> Option<String> {
    let names: Vec<&String> = columns.iter().flat_map(|column| &column.from).collect();
    let free = |usage: &&VariableUse| usage.classes.is_empty() && usage.has.is_empty();
    usages.iter().filter(|usage| names.contains(&&usage.name)).filter(free).find_map(|usage| {
        let [property] = usage.is.as_slice() else { return None };
        let classes = target_classes(dataset, dataset.index.card.property(property)?)?;
        let shown: Vec<String> =
            classes.iter().map(|(class, count)| format!("{} ({count})", dataset.named(class))).collect();
        Some(format!(
            "{} leads to instances of several classes: {}. If the question means one of them, add ?{} a ….",
            dataset.named(property),
            shown.join(", "),
            usage.name
        ))
    })
}

/// The classes that a property leads to, with counts, if there are several and each value belongs to one of them.
fn target_classes<'d>(dataset: &'d Dataset, property: &'d PropertyCard) -> Option<Vec<(&'d str, u64)>> {
    let card = &dataset.index.card;
    let mut counts: Vec<(&str, u64)> = Vec::new();
    for edge in &property.edges {
        let Target::Class(class) = &edge.target else { continue };
        match counts.iter_mut().find(|(known, _)| known == class) {
            Some((_, count)) => *count += edge.count,
            None => counts.push((class, edge.count)),
        }
    }
    // Entities of two classes are counted twice; the classes may then overlap.
    let parted = counts.iter().map(|(_, count)| count).sum::<u64>() <= property.usage;
    let wider = |class: &str| card.class(class).map_or(&[][..], |class| class.superclasses.as_slice());
    let all: Vec<&str> = counts.iter().map(|(class, _)| *class).collect();
    counts.retain(|(class, _)| !wider(class).iter().any(|above| all.contains(&above.as_str())));
    let several = (2..=MAX_MIXED).contains(&counts.len());
    (parted && several && !property.more_edges).then_some(counts)
}

/// A note about a string used as a number: comparisons with it fail silently.
fn missing_cast(usage: &VariableUse, dataset: &Dataset) -> Option<String> {
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

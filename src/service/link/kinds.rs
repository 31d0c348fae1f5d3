//! Classes by name, with their subclasses, and the search for their instances.

use crate::service::ServiceError;
use eruca_dataset::{Dataset, LookupError};
use eruca_indexer::EntityHit;
use eruca_language::text::{humanize, name_key};
use eruca_sparql::local_name;
use std::collections::HashSet;

/// Maximum number of subclasses that are searched individually.
const MAX_SEARCHED: usize = 32;

/// The class with this IRI or name, followed by all its subclasses.
///
/// # Errors
/// `Invalid` if there is no such class.
pub(super) fn named(dataset: &Dataset, written: &str) -> Result<Vec<String>, ServiceError> {
    let card = &dataset.index.card;
    let by_iri =
        dataset.resolve(written).ok().filter(|iri| card.class(iri).is_some() || dataset.live().is_some());
    let tops: Vec<String> = match by_iri {
        Some(iri) => vec![iri],
        None => called(dataset, written),
    };
    if tops.is_empty() {
        let message =
            format!("there is no class '{}'", eruca_sparql::one_line(written, super::MAX_TEXT_CHARS));
        return Err(ServiceError::Invalid { field: "class", message });
    }
    Ok(with_those_below(dataset, tops))
}

fn called(dataset: &Dataset, name: &str) -> Vec<String> {
    let wanted = name_key(name);
    let is_called = |text: &str| !wanted.is_empty() && name_key(text) == wanted;
    let classes = dataset.index.card.classes.iter().filter(|class| {
        class.labels.iter().any(|label| is_called(&label.text))
            || is_called(&humanize(local_name(&class.iri)))
    });
    classes.map(|class| class.iri.clone()).collect()
}

fn with_those_below(dataset: &Dataset, tops: Vec<String>) -> Vec<String> {
    let mut seen: HashSet<String> = tops.iter().cloned().collect();
    let mut classes = tops;
    let mut next = 0;
    while let Some(class) = classes.get(next).cloned() {
        next += 1;
        for below in dataset.index.card.subclasses(&class) {
            if seen.insert(below.iri.clone()) {
                classes.push(below.iri.clone());
            }
        }
    }
    classes
}

/// Searches entities by name; limited to instances of the classes, if any are given.
pub(super) async fn search(
    dataset: &Dataset,
    text: &str,
    classes: Option<&[String]>,
    limit: usize,
) -> Result<Vec<EntityHit>, LookupError> {
    let Some(classes) = classes else {
        return Ok(dataset.find_entities(text, None, limit).await?.hits);
    };
    let mut found: Vec<EntityHit> = Vec::new();
    for class in classes.iter().take(MAX_SEARCHED) {
        let hits = dataset.find_entities(text, Some(class), limit).await?.hits;
        add(&mut found, hits);
    }
    if classes.len() > MAX_SEARCHED {
        // With many classes, search all entities and filter by class.
        let mut hits = dataset.find_entities(text, None, limit).await?.hits;
        hits.retain(|hit| hit.record.types.iter().any(|class| classes.contains(class)));
        add(&mut found, hits);
    }
    found.sort_by(|one, other| other.score.total_cmp(&one.score));
    Ok(found)
}

fn add(found: &mut Vec<EntityHit>, hits: Vec<EntityHit>) {
    let new: Vec<EntityHit> =
        hits.into_iter().filter(|hit| found.iter().all(|known| known.record.iri != hit.record.iri)).collect();
    found.extend(new);
}

//! Properties that only some instances have: a list of all that asks for them leaves the others out. Known from the card
//! alone.

use super::preflight::with_subclasses;
use crate::dataset::Dataset;
use eruca_indexer::{ClassCard, PropertyCard};
use eruca_sparql::{Answer, CheckedQuery, Column, Conjunction, Usage};
use std::collections::HashSet;

/// Of a query that lists instances with a value of each: which value only some of them have.
pub(super) fn hint(query: &CheckedQuery, answer: &Answer, dataset: &Dataset) -> Option<String> {
    let kind = &dataset.vocabulary().type_property;
    let columns = query.columns(kind);
    let lists = columns.len() > 1 && answer.row_count() > 1 && query.limit().is_none() && !query.is_ordered();
    if !lists || columns.iter().any(|column| column.aggregated) {
        return None;
    }
    let listing = Listing { dataset, usages: query.usages(kind), core: query.conjunction() };
    columns.iter().find_map(|column| listing.hint(column))
}

/// A query that lists instances with values of theirs.
struct Listing<'a> {
    dataset: &'a Dataset,
    usages: Vec<Usage>,
    /// What must match.
    core: Conjunction,
}

impl Listing<'_> {
    fn hint(&self, column: &Column) -> Option<String> {
        let [(Some(subject), property)] = column.properties.as_slice() else { return None };
        let usage = self.usages.iter().find(|usage| usage.name == *subject)?;
        let card = &self.dataset.index.card;
        let (class, known) = (card.class(only(usage)?)?, card.property(property)?);
        let (have, all) = counts(self.dataset, class, known)?;
        (is_only_shown(&self.usages, column) && self.must_have(column, property)).then(|| {
            format!(
                "Only {have} of {all} {} have {}: if the question wants all of them, write OPTIONAL {{ ?{subject} {} ?{} }}.",
                self.dataset.named(&class.iri),
                self.dataset.named(property),
                self.dataset.compact(property),
                column.name
            )
        })
    }

    /// Whether a row needs the value, whatever it is.
    fn must_have(&self, column: &Column, property: &str) -> bool {
        let variable = format!("?{}", column.name);
        let is_free = !self.core.filters.iter().any(|filter| filter.contains(&variable));
        let mut atoms = self.core.atoms.iter();
        is_free
            && atoms.any(|atom| atom.predicate.as_deref() == Some(property) && atom.text.ends_with(&variable))
    }
}

/// Whether nothing else is asked of a column's values.
fn is_only_shown(usages: &[Usage], column: &Column) -> bool {
    let usage = usages.iter().find(|usage| usage.name == column.name);
    usage.is_none_or(|usage| usage.has.is_empty() && usage.classes.is_empty() && usage.is.len() < 2)
}

fn only(usage: &Usage) -> Option<&str> {
    match usage.classes.as_slice() {
        [class] => Some(class),
        _ => None,
    }
}

/// How many instances have a property, of how many; nothing where the card does not tell, or all may have it.
fn counts(dataset: &Dataset, class: &ClassCard, property: &PropertyCard) -> Option<(u64, u64)> {
    let family: HashSet<String> = with_subclasses(&dataset.index.card, &class.iri);
    let inside = |class: &String| family.contains(class);
    let all_inside = property.edges.iter().all(|edge| edge.class.as_ref().is_some_and(inside));
    let all = class.instances_with_subclasses;
    let known = all_inside && !property.more_edges && property.subjects > 0;
    (known && property.subjects < all).then_some((property.subjects, all))
}

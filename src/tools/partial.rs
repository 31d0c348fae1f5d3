//! Properties that only some instances have: a list of all that asks for them leaves the others out. Known from the card
//! alone.

use super::preflight::with_subclasses;
use crate::dataset::Dataset;
use eruca_indexer::{ClassCard, PropertyCard};
use eruca_sparql::{Aggregate, Answer, CheckedQuery, Column, Conjunction, Usage};
use std::collections::HashSet;

/// Of a query that lists instances with a value of each: which value only some of them have.
pub(super) fn hint(query: &CheckedQuery, answer: &Answer, dataset: &Dataset) -> Option<String> {
    let kind = &dataset.vocabulary().type_property;
    let columns = query.columns(kind);
    let listing = Listing { dataset, usages: query.usages(kind), core: query.conjunction() };
    if columns.iter().any(|column| column.aggregated) {
        return listing.uncounted(query, &columns);
    }
    let lists = columns.len() > 1 && answer.row_count() > 1 && query.limit().is_none() && !query.is_ordered();
    if lists { columns.iter().find_map(|column| listing.hint(column)) } else { None }
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
        let (have, all) = instances_with(self.dataset, class, known)?;
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

    /// Of a count per instance: which instances it leaves out, as they have nothing that could be counted.
    fn uncounted(&self, query: &CheckedQuery, columns: &[Column]) -> Option<String> {
        let counts = query.sources().into_iter().find(|source| source.aggregate == Some(Aggregate::Count))?;
        let counted = counts.of?;
        let column = columns.iter().find(|column| column.name == counts.name)?;
        let [(Some(subject), property)] = column.properties.as_slice() else { return None };
        let lists = columns.iter().any(|column| column.name == *subject && !column.aggregated);
        // Of those with most, none is left out.
        if !lists || !self.core.filters.is_empty() || (query.limit().is_some() && query.is_descending()) {
            return None;
        }
        let usage = self.usages.iter().find(|usage| usage.name == *subject)?;
        let card = &self.dataset.index.card;
        let (class, known) = (card.class(only(usage)?)?, card.property(property)?);
        let (have, all) = instances_with(self.dataset, class, known)?;
        self.asks_for(property, &counted).then(|| {
            format!(
                "Only {have} of {all} {} have {}, and the others are not counted as 0: if the question wants all of them, \
                 write OPTIONAL {{ ?{subject} {} ?{counted} }}.",
                self.dataset.named(&class.iri),
                self.dataset.named(property),
                self.dataset.compact(property),
            )
        })
    }

    /// Whether a row needs the value, whatever it is.
    fn must_have(&self, column: &Column, property: &str) -> bool {
        let variable = format!("?{}", column.name);
        let is_free = !self.core.filters.iter().any(|filter| filter.contains(&variable));
        is_free && self.asks_for(property, &column.name)
    }

    /// Whether a row needs a value of the property in this variable.
    fn asks_for(&self, property: &str, variable: &str) -> bool {
        let end = format!("?{variable}");
        let mut atoms = self.core.atoms.iter();
        atoms.any(|atom| atom.predicate.as_deref() == Some(property) && atom.text.ends_with(&end))
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
fn instances_with(dataset: &Dataset, class: &ClassCard, property: &PropertyCard) -> Option<(u64, u64)> {
    let family: HashSet<String> = with_subclasses(&dataset.index.card, &class.iri);
    let inside = |class: &String| family.contains(class);
    let all_inside = property.edges.iter().all(|edge| edge.class.as_ref().is_some_and(inside));
    let all = class.instances_with_subclasses;
    let known = all_inside && !property.more_edges && property.subjects > 0;
    (known && property.subjects < all).then_some((property.subjects, all))
}

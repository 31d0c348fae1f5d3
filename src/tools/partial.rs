//! Properties that only some instances have: a listing that requires one leaves out the other instances. Uses the card
//! alone.

use super::preflight::with_subclasses;
use eruca_dataset::Dataset;
use eruca_indexer::{ClassCard, PropertyCard};
use eruca_sparql::{Aggregate, Answer, CheckedQuery, Column, Conjunction, VariableUse};
use std::collections::HashSet;

/// A query that may list instances with some of their values.
pub(super) struct Listing<'a> {
    pub(super) query: &'a CheckedQuery,
    pub(super) dataset: &'a Dataset,
    pub(super) usages: &'a [VariableUse],
    pub(super) columns: &'a [Column],
}

impl Listing<'_> {
    /// For a query that lists instances with values: a note about a value that only some of them have.
    pub(super) fn hint(&self, answer: &Answer) -> Option<String> {
        let model = self.query.model();
        if self.columns.iter().any(|column| column.aggregated) {
            return self.uncounted();
        }
        let lists =
            self.columns.len() > 1 && answer.row_count() > 1 && model.limit.is_none() && !model.is_ordered();
        if lists { self.columns.iter().find_map(|column| self.left_out(column)) } else { None }
    }

    fn left_out(&self, column: &Column) -> Option<String> {
        let [(Some(subject), property)] = column.properties.as_slice() else { return None };
        let usage = self.usages.iter().find(|usage| usage.name == *subject)?;
        let card = &self.dataset.index.card;
        let (class, known) = (card.class(only(usage)?)?, card.property(property)?);
        let (have, all) = instances_with(self.dataset, class, known)?;
        let core = &self.query.model().conjunction;
        (is_only_shown(self.usages, column) && must_have(core, column, property)).then(|| {
            format!(
                "Only {have} of {all} {} have {}: if the question wants all of them, write OPTIONAL {{ ?{subject} {} ?{} }}.",
                self.dataset.named(&class.iri),
                self.dataset.named(property),
                self.dataset.compact(property),
                column.name
            )
        })
    }

    /// For a count per instance: a note about the instances left out because they have nothing to count.
    fn uncounted(&self) -> Option<String> {
        let (model, columns) = (self.query.model(), self.columns);
        let counts = model.sources().into_iter().find(|source| source.aggregate == Some(Aggregate::Count))?;
        let counted = counts.of?;
        let column = columns.iter().find(|column| column.name == counts.name)?;
        let [(Some(subject), property)] = column.properties.as_slice() else { return None };
        let lists = columns.iter().any(|column| column.name == *subject && !column.aggregated);
        // A query for the instances with the most leaves out none of these.
        if !lists || !model.conjunction.filters.is_empty() || (model.limit.is_some() && model.is_descending())
        {
            return None;
        }
        let usage = self.usages.iter().find(|usage| usage.name == *subject)?;
        let card = &self.dataset.index.card;
        let (class, known) = (card.class(only(usage)?)?, card.property(property)?);
        let (have, all) = instances_with(self.dataset, class, known)?;
        asks_for(&model.conjunction, property, &counted).then(|| {
            format!(
                "Only {have} of {all} {} have {}, and the others are not counted as 0: if the question wants all of them, \
                 write OPTIONAL {{ ?{subject} {} ?{counted} }}.",
                self.dataset.named(&class.iri),
                self.dataset.named(property),
                self.dataset.compact(property),
            )
        })
    }
}

/// Whether a row requires the value, whatever it is.
fn must_have(core: &Conjunction, column: &Column, property: &str) -> bool {
    let is_free = !core.filters.iter().any(|filter| filter.variables().contains(&column.name.as_str()));
    is_free && asks_for(core, property, &column.name)
}

/// Whether a row requires a value of the property in this variable.
fn asks_for(core: &Conjunction, property: &str, variable: &str) -> bool {
    let mut atoms = core.atoms.iter();
    atoms.any(|atom| atom.predicate() == Some(property) && atom.object_variable() == Some(variable))
}

/// Whether the query has no other condition on a column's values.
fn is_only_shown(usages: &[VariableUse], column: &Column) -> bool {
    let usage = usages.iter().find(|usage| usage.name == column.name);
    usage.is_none_or(|usage| usage.has.is_empty() && usage.classes.is_empty() && usage.is.len() < 2)
}

fn only(usage: &VariableUse) -> Option<&str> {
    match usage.classes.as_slice() {
        [class] => Some(class),
        _ => None,
    }
}

/// How many instances have a property, and how many there are; `None` if the card does not tell, or all may have it.
fn instances_with(dataset: &Dataset, class: &ClassCard, property: &PropertyCard) -> Option<(u64, u64)> {
    let family: HashSet<String> = with_subclasses(&dataset.index.card, &class.iri);
    let inside = |class: &String| family.contains(class);
    let all_inside = property.edges.iter().all(|edge| edge.class.as_ref().is_some_and(inside));
    let all = class.instances_with_subclasses;
    let known = all_inside && !property.more_edges && property.subjects > 0;
    (known && property.subjects < all).then_some((property.subjects, all))
}

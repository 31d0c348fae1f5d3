//! Names: the properties that hold the names of members.

use crate::context::{Context, Naming};
use crate::meaning::{Iri, Set};
use eruca_indexer::ValueKind;

/// The properties that name members of a set: the graph's naming properties, or text properties that are called a name.
pub(crate) fn name_properties<'k>(context: &Context<'k>, set: &Set<'k>) -> Vec<Iri<'k>> {
    let attributes = context.schema.attributes(&set.kind);
    let naming = &context.schema.index.card.naming_properties;
    let texts = attributes.iter().filter(|(_, kind)| *kind == ValueKind::Text).map(|(property, _)| *property);
    let rank = |property: Iri<'k>| (!naming.iter().any(|name| name == property), context.naming(property));
    let mut names: Vec<((bool, Option<Naming>), Iri<'k>)> = texts
        .map(|property| (rank(property), property))
        .filter(|((other, called), _)| !other || called.is_some())
        .collect();
    names.sort_by_key(
        |((other, called), _)| if context.is_tabular() { (false, *called) } else { (*other, *called) },
    );
    names.into_iter().map(|(_, property)| property).collect()
}

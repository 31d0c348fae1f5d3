//! The members of one list or container, in order.

use super::constant;
use super::pattern::Pattern;
use crate::meaning::{Condition, Iri, Set};
use crate::schema::Schema;
use eruca_indexer::Collection;
use eruca_indexer::vocabulary::{RDF, RDF_FIRST, RDF_REST};

/// A property that leads to a list, with its collection type and the owner.
pub(super) type Listed<'k> = (Iri<'k>, Collection, String);

/// The list that the members are known by, if it belongs to one thing.
pub(super) fn of_list<'k>(schema: &Schema<'k>, set: &Set<'k>) -> Option<Listed<'k>> {
    let listed = |condition: &Condition<'k>| {
        let Condition::Joined(path, owner) = condition else { return None };
        let [step] = path.as_slice() else { return None };
        let as_a = schema.collects(step.property).filter(|_| !step.forward)?;
        Some((step.property, as_a, constant(owner)?))
    };
    set.conditions.iter().find_map(listed).filter(|_| set.rank.is_none())
}

/// A query for the members in list order.
pub(super) fn in_order<'k>(
    pattern: &mut Pattern<'_, 'k>,
    set: &Set<'k>,
    (property, as_a, owner): Listed<'k>,
) -> String {
    let member = pattern.members(set);
    let place = pattern.fresh("place");
    let order = match as_a {
        Collection::List => {
            let tail = pattern.fresh("tail");
            pattern.push(format!("{owner} <{property}>/<{RDF_REST}>* {place} ."));
            pattern.push(format!("{place} <{RDF_FIRST}> {member} . {place} <{RDF_REST}>* {tail} ."));
            format!("DESC(COUNT(DISTINCT {tail}))")
        }
        Collection::Container => {
            let node = pattern.fresh("container");
            pattern.push(format!("{owner} <{property}> {node} . {node} {place} {member} ."));
            pattern.push(format!("FILTER(STRSTARTS(STR({place}), \"{RDF}_\"))"));
            format!("STRLEN(STR({place})) STR({place})")
        }
    };
    format!("SELECT {member} WHERE {{ {} }} GROUP BY {member} {place} ORDER BY {order}", pattern.text())
}

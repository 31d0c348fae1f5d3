//! Relations and their owners: things known by one attribute value, and things that share a name.

use crate::context::Context;
use crate::link::{Mention, SAME_NAME_FIT};
use crate::meaning::{Base, Condition, Path, Set, Step};

/// Whether a set consists only of the owners of given values of an attribute.
pub(crate) fn is_value_of<'k>(path: &Path<'k>, set: &Set<'k>) -> bool {
    let of = |condition: &Condition<'k>| matches!(condition, Condition::Joined(known, values) if known == path && matches!(values.base, Base::Values(_)));
    match set.conditions.as_slice() {
        [Condition::Either(all)] => all.iter().all(of),
        [one] => of(one),
        _ => false,
    }
}

/// Whether another thing of the same name has the relation itself: for a country and a woman of one name, only she was born.
pub(crate) fn has_namesake<'k>(context: &Context<'k>, set: &Set<'k>, step: Step<'k>) -> bool {
    let Base::Things(things) = &set.base else { return false };
    let same = |mention: &&Mention| {
        mention.is_same_name()
            && mention.entities.iter().any(|hit| things.iter().any(|thing| **thing == *hit.record.iri))
    };
    let mut others = context.links.mentions.iter().filter(same).flat_map(|mention| &mention.entities);
    set.is_one_thing()
        && others
            .any(|hit| hit.score >= SAME_NAME_FIT && context.links.has(&hit.record.iri, step) == Some(true))
}

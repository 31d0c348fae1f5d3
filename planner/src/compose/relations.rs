//! Relations and what has them: values that are known by one, and things of one name.

use crate::context::Context;
use crate::link::{Mention, SAME_NAME_FIT};
use crate::meaning::{Base, Condition, Path, Set, Step};

/// Whether a set is of those that have named values of an attribute, and nothing else.
pub(crate) fn is_value_of<'k>(path: &Path<'k>, set: &Set<'k>) -> bool {
    let of = |condition: &Condition<'k>| matches!(condition, Condition::Joined(known, values) if known == path && matches!(values.base, Base::Values(_)));
    match set.conditions.as_slice() {
        [Condition::Either(all)] => all.iter().all(of),
        [one] => of(one),
        _ => false,
    }
}

/// Whether something else of the same name has a relation itself: of a land and a woman who are called so she was born.
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

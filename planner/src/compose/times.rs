//! Times that the question does not name: the properties that hold them, and the times of one thing.

use crate::context::Context;
use crate::meaning::{Condition, Set, Step, turned};
use crate::phrase::Derived;
use crate::score::Feature;
use std::rc::Rc;

/// Properties tried for a time that the question does not name.
const MAX_PROPERTIES: usize = 4;

/// The time properties that members of a set have.
pub(crate) fn time_properties<'k>(context: &Context<'k>, set: &Set<'k>) -> Vec<Step<'k>> {
    let attributes = context.schema.attributes(&set.kind);
    let times = attributes.iter().copied().filter(|(_, kind)| kind.is_time());
    times.map(|(property, _)| Step { property, forward: true }).take(MAX_PROPERTIES).collect()
}

/// Years may be plain numbers; the names of their properties say so.
pub(crate) fn year_properties<'k>(context: &Context<'k>, set: &Set<'k>) -> Vec<Step<'k>> {
    let attributes = context.schema.attributes(&set.kind);
    let numbers = attributes.iter().copied().filter(|(_, kind)| kind.is_number());
    let named = numbers.filter(|(property, _)| context.names_time(property));
    named.map(|(property, _)| Step { property, forward: true }).take(2).collect()
}

/// The times of a thing that the question does not name.
pub(crate) fn when<'k>(context: &Context<'k>, set: &Rc<Set<'k>>, derived: &mut Vec<Derived<'k>>) {
    let mut properties = own_times(context, set);
    if properties.is_empty() {
        properties.extend(time_properties(context, set));
        properties.extend(year_properties(context, set));
    }
    properties.retain(|step| context.has(set, *step) != Some(false));
    for (rank, step) in properties.into_iter().enumerate() {
        let Some(kind) = context.leads(&[step], set) else { continue };
        let found = Set::any(kind, Condition::Joined(turned(&[step]), set.clone()));
        derived.push(
            Derived::set(found).with(Feature::Unnamed, 1.0).with(Feature::UnnamedTimeRank, rank as f32),
        );
    }
}

/// The times that a thing actually has: first those of its class in the schema's order, then the others by usage.
fn own_times<'k>(context: &Context<'k>, set: &Set<'k>) -> Vec<Step<'k>> {
    let times = |step: &Step<'k>| {
        let end = context.schema.end(*step);
        step.forward && (end.is_time() || (end.is_number() && context.names_time(step.property)))
    };
    let mut own: Vec<Step<'k>> = context.steps_of(set).into_iter().filter(times).collect();
    let usage = |step: &Step<'k>| context.schema.property(step.property).map_or(0, |card| card.usage);
    let of_class = time_properties(context, set);
    own.sort_by_key(|step| {
        (
            of_class.iter().position(|known| known == step).unwrap_or(MAX_PROPERTIES),
            std::cmp::Reverse(usage(step)),
        )
    });
    own.truncate(MAX_PROPERTIES);
    own
}

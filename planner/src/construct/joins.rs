//! Two adjacent sets: their intersection, or members of one joined to the other by a path of the schema.

use crate::chart::Construct;
use crate::compose::meet::meet;
use crate::context::Context;
use crate::meaning::{Base, Condition, Set, Step, turned};
use crate::phrase::{Connective, Derived, Pair, Phrase};
use crate::schema::{CostedPath, Kind};
use crate::score::Feature;
use eruca_language::Cue;
use std::rc::Rc;

pub(crate) struct Joins;

impl Construct for Joins {
    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        let (Phrase::Set(one), Phrase::Set(other)) = (&left.phrase, &right.phrase) else { return };
        if connective.has(Cue::Not) || connective.has(Cue::Or) || connective.has(Cue::Than) {
            return;
        }
        // "The weight and the length": listed values are different values.
        let listed = connective.lists() && one.kind.is_values() && other.kind.is_values();
        // "Horses that have the mother Bella" are not Bella.
        let had = connective.has(Cue::Have) && other.is_one_thing();
        // "Which country was Ada Lind born in": she could only be the country because the graph gives her no class.
        let (class, named) = if of_class(one) { (left.span, other) } else { (right.span, one) };
        let parted = connective.has(Cue::Be) || connective.has(Cue::Do) || context.has_verb(class);
        let untold = of_class(one) != of_class(other) && is_untyped(named) && parted;
        if let Some(set) = meet(context, one, other).filter(|_| !listed && !had && !untold) {
            // "The actor Ada Lind": a name in apposition to a noun.
            let apposed = connective.is_empty() && other.is_named();
            let named = one.is_named() != other.is_named() && !of_class(one) && !of_class(other);
            let narrowed = f32::from(u8::from(named && !apposed));
            let met =
                Derived::set(set).with(Feature::Meet, f32::from(u8::from(!is_told_by_class(one, other))));
            derived.push(with_gap(met.with(Feature::NameNarrowed, narrowed), connective));
        }
        let compound = connective.is_empty()
            && !connective.comma
            && !context.has_verb(right.span)
            && other.is_bare_class();
        bridge(context, one, (connective, compound), other, derived);
    }
}

/// Whether the set consists of named things to which the graph gives no class.
fn is_untyped(set: &Set<'_>) -> bool {
    matches!(set.base, Base::Things(_)) && set.kind == Kind::Unknown
}

/// Whether a class is combined with a named thing or with another class, so that no word adds a condition.
fn is_told_by_class(one: &Set<'_>, other: &Set<'_>) -> bool {
    let told = |set: &Set<'_>| matches!(set.base, Base::Class(_) | Base::Things(_));
    told(one) && told(other) && (of_class(one) || of_class(other))
}

fn of_class(set: &Set<'_>) -> bool {
    matches!(set.base, Base::Class(_))
}

fn with_gap<'k>(derived: Derived<'k>, connective: &Connective) -> Derived<'k> {
    derived.by_all(connective.those_of([Cue::And, Cue::Relative, Cue::Have, Cue::Be, Cue::Do, Cue::Both]))
}

/// Members of one set joined to the other by a path that the question does not name.
fn bridge<'k>(
    context: &Context<'k>,
    one: &Rc<Set<'k>>,
    (connective, compound): (&Connective, bool),
    other: &Rc<Set<'k>>,
    derived: &mut Vec<Derived<'k>>,
) {
    let (left_odd, right_odd) = heads(connective, compound);
    for way in ways(context, one, other) {
        if has_way(one, &way.path) || has_way(other, &turned(&way.path)) {
            continue;
        }
        let set = |head: &Set<'k>, path, to: &Rc<Set<'k>>| head.and(Condition::Joined(path, to.clone()));
        let priced = |derived: Derived<'k>| {
            let derived = derived.with(Feature::Bridge, 1.0).with(Feature::BridgeCost, way.cost);
            // "Countries founded after 1950" does not mean those with something that was founded then.
            let unsaid = f32::from(u8::from(one.is_unsaid() || other.is_unsaid()));
            with_gap(derived.with(Feature::Unsaid, unsaid), connective)
        };
        let narrowed = |head: &Set<'k>| f32::from(u8::from(head.is_named()));
        let left = priced(Derived::set(set(one, way.path.clone(), other)))
            .with(Feature::NameNarrowed, narrowed(one));
        derived.push(left.with(Feature::OddHead, left_odd));
        let right = priced(Derived::set(set(other, turned(&way.path), one)))
            .with(Feature::NameNarrowed, narrowed(other));
        derived.push(right.with(Feature::OddHead, right_odd));
    }
}

/// Whether a condition already joins members along this path: following it again leads to their siblings.
fn has_way<'k>(set: &Set<'k>, way: &[Step<'k>]) -> bool {
    let joined = |condition: &Condition<'k>| matches!(condition, Condition::Joined(path, _) if path == way);
    set.is_open() && set.conditions.iter().any(joined)
}

/// If one end is a named thing, more is known of it than its class, so paths are searched from there.
fn ways<'k>(context: &Context<'k>, one: &Set<'k>, other: &Set<'k>) -> Vec<CostedPath<'k>> {
    if (other.is_named() || !one.is_named()) && !context.is_unclassed(one) {
        return context.ways(&one.kind, other);
    }
    let back = context.ways(&other.kind, one).into_iter();
    back.map(|way| CostedPath { path: turned(&way.path), cost: way.cost }).collect()
}

/// Cost of taking the left and the right set as the head, by word order: "car models" are models.
fn heads(connective: &Connective, compound: bool) -> (f32, f32) {
    let clause = connective.role.is_none() && (connective.has(Cue::Relative) || connective.has(Cue::Have));
    let plain = !compound && !connective.possessive && !clause;
    let on = |holds: bool| f32::from(u8::from(holds));
    (2.0 * on(compound), on(plain))
}

#[cfg(test)]
mod tests;

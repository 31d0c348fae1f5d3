//! Two sets beside each other: what belongs to both, or members of one that a way of the schema joins to the other.

use crate::chart::Construct;
use crate::compose::meet::meet;
use crate::context::Context;
use crate::meaning::{Base, Condition, Set, Step, turned};
use crate::phrase::{Gap, Made, Pair, Phrase};
use crate::schema::{Kind, Way};
use crate::score::Feature;
use eruca_indexer::language::{AnswerKind, Cue, Role};
use std::rc::Rc;

pub(super) struct Joins;

impl Construct for Joins {
    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, made: &mut Vec<Made<'k>>) {
        let Pair { left, gap, right } = pair;
        let (Phrase::Set(one), Phrase::Set(other)) = (&left.phrase, &right.phrase) else { return };
        if gap.has(Cue::Not) || gap.has(Cue::Or) || gap.has(Cue::Than) {
            return;
        }
        // "The weight and the length": values that are listed are not the same ones.
        let listed = gap.lists() && one.kind.is_values() && other.kind.is_values();
        // "Horses that have the mother Bella" are not Bella.
        let had = gap.has(Cue::Have) && other.is_one_thing();
        // "Which country was Ada Lind born in": she is no country only because nothing says what she is.
        let (class, named) = if of_class(one) { (left.span, other) } else { (right.span, one) };
        let parted = gap.has(Cue::Be) || gap.has(Cue::Do) || context.has_verb(class);
        let untold = of_class(one) != of_class(other) && is_untyped(named) && parted;
        if let Some(set) = meet(context, one, other).filter(|_| !listed && !had && !untold) {
            // "The actor Ada Lind": a name that is said of a noun at once.
            let apposed = gap.is_empty() && other.is_named();
            let named = one.is_named() != other.is_named() && !of_class(one) && !of_class(other);
            let narrowed = f32::from(u8::from(named && !apposed));
            let met = Made::set(set).with(meet_feature(one, other), 1.0);
            made.push(with_gap(met.with(Feature::NameNarrowed, narrowed), gap));
        }
        let compound = gap.is_empty() && !gap.comma && !context.has_verb(right.span) && other.is_bare_class();
        bridge(context, one, (gap, compound), other, made);
    }
}

/// Whether it is of things that the question names, of which the graph does not say what they are.
fn is_untyped(set: &Set<'_>) -> bool {
    matches!(set.base, Base::Things(_)) && set.kind == Kind::Unknown
}

fn meet_feature(one: &Set<'_>, other: &Set<'_>) -> Feature {
    match (&one.base, &other.base) {
        (Base::Class(_), Base::Things(_)) => Feature::ClassThenName,
        (Base::Things(_), Base::Class(_)) => Feature::NameThenClass,
        (Base::Class(_), Base::Class(_)) => Feature::TwoClasses,
        _ => Feature::Meet,
    }
}

fn of_class(set: &Set<'_>) -> bool {
    matches!(set.base, Base::Class(_))
}

fn with_gap<'k>(made: Made<'k>, gap: &Gap) -> Made<'k> {
    let made = made.by_all(gap.those_of([Cue::And, Cue::Relative, Cue::Have, Cue::Be, Cue::Do, Cue::Both]));
    if gap.comma { made.with(Feature::AcrossComma, 1.0) } else { made }
}

/// Members of one set that are joined to the other in a way that no word names.
fn bridge<'k>(
    context: &Context<'k>,
    one: &Rc<Set<'k>>,
    (gap, compound): (&Gap, bool),
    other: &Rc<Set<'k>>,
    made: &mut Vec<Made<'k>>,
) {
    for (rank, way) in ways(context, one, other).iter().enumerate() {
        if has_way(one, &way.path) || has_way(other, &turned(&way.path)) {
            continue;
        }
        let set = |head: &Set<'k>, path, to: &Rc<Set<'k>>| head.and(Condition::Joined(path, to.clone()));
        let priced = |made: Made<'k>| {
            let made = made.with(Feature::Bridge, 1.0).with(Feature::BridgeCost, way.cost);
            let made = made.with(Feature::BridgeLength, way.path.len() as f32 - 1.0);
            let elsewhere = f32::from(u8::from(is_in_by_other(context, gap, &way.path, &one.kind)));
            let made = made.with(Feature::PlaceByOther, elsewhere);
            // "Countries founded after 1950" are not those with something that was founded then.
            let unsaid = f32::from(u8::from(one.is_unsaid() || other.is_unsaid()));
            let made = made.with(Feature::Unsaid, unsaid);
            with_gap(made.with(Feature::BridgeRank, rank as f32), gap)
        };
        let narrowed = |head: &Set<'k>| f32::from(u8::from(head.is_named()));
        let left =
            priced(Made::set(set(one, way.path.clone(), other))).with(Feature::NameNarrowed, narrowed(one));
        made.push(left.with(head_left(gap, compound), 1.0).with(Feature::RankBeforeJoin, ranked(one)));
        let right = priced(Made::set(set(other, turned(&way.path), one)))
            .with(Feature::NameNarrowed, narrowed(other));
        made.push(right.with(head_right(gap, compound), 1.0).with(Feature::RankBeforeJoin, ranked(other)));
    }
}

/// Whether "in" leads to a place by something that is none: "concerts in Vienna" are those in its halls, not those of singers who were
/// born there.
fn is_in_by_other<'k>(context: &Context<'k>, gap: &Gap, way: &[Step<'k>], from: &Kind<'k>) -> bool {
    let Some((last, before)) = way.split_last().filter(|_| gap.role == Some(Role::In)) else { return false };
    let is_place = |kind: &Kind<'k>| context.is_kind(kind, AnswerKind::Place);
    let mut kind = from.clone();
    let mut other = false;
    for step in before {
        kind = context.schema.follow(*step, &kind).unwrap_or(Kind::Unknown);
        other |= is_place(&kind) == Some(false);
    }
    other && is_place(&context.schema.end(*last)) == Some(true)
}

/// Whether members are known by being joined that way: once more leads to what shares it with them.
fn has_way<'k>(set: &Set<'k>, way: &[Step<'k>]) -> bool {
    let joined = |condition: &Condition<'k>| matches!(condition, Condition::Joined(path, _) if path == way);
    set.is_open() && set.conditions.iter().any(joined)
}

/// Of two ends one may be a thing of which more is known than of its kind.
fn ways<'k>(context: &Context<'k>, one: &Set<'k>, other: &Set<'k>) -> Vec<Way<'k>> {
    if (other.is_named() || !one.is_named()) && !context.is_unclassed(one) {
        return context.ways(&one.kind, other);
    }
    let back = context.ways(&other.kind, one).into_iter();
    back.map(|way| Way { path: turned(&way.path), cost: way.cost }).collect()
}

/// "The longest river in Germany" is the longest of those in Germany.
fn ranked(set: &Set<'_>) -> f32 {
    f32::from(u8::from(set.rank.is_some()))
}

fn head_left(gap: &Gap, compound: bool) -> Feature {
    match gap.role {
        _ if compound => Feature::CompoundTail,
        _ if gap.possessive => Feature::HeadLeftOfPossessive,
        Some(_) => Feature::HeadLeftOfPreposition,
        None if gap.has(Cue::Relative) || gap.has(Cue::Have) => Feature::HeadLeftOfClause,
        None => Feature::HeadLeft,
    }
}

/// "Car models" are models.
fn head_right(gap: &Gap, compound: bool) -> Feature {
    match gap.role {
        _ if compound => Feature::CompoundHead,
        _ if gap.possessive => Feature::HeadRightOfPossessive,
        Some(_) => Feature::HeadRightOfPreposition,
        None if gap.has(Cue::Relative) || gap.has(Cue::Have) => Feature::HeadRightOfClause,
        None => Feature::HeadRight,
    }
}

#[cfg(test)]
mod tests;

//! Shared values: "in the same city as Anna", "with the same director", "in the same year as the fair".

use crate::chart::Construct;
use crate::compose::measures::ways_from;
use crate::compose::times::time_properties;
use crate::context::Context;
use crate::meaning::{Base, Condition, Measure, Op, Operand, Path, Set};
use crate::phrase::{Alike, Derived, Item, Pair, Phrase, Relation};
use crate::question::Span;
use crate::score::Feature;
use eruca_language::Cue;
use std::rc::Rc;

/// Paths tried to the shared value.
const MAX_WAYS: usize = 2;

pub(super) struct Same;

impl Construct for Same {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        for cue in context.cues(Cue::Same) {
            derived.push((cue, Derived::new(Phrase::Cue(Cue::Same))));
            let next = Span { from: cue.to, to: cue.to + 1 };
            let year = context
                .question
                .word(cue.to)
                .is_some_and(|word| context.question.language.is_year(&word.folded));
            if year {
                derived.push((cue.join(next), Derived::new(Phrase::Alike(Rc::new(Alike::Year), None))));
            }
        }
    }

    /// "With the same director as …", without a noun for what has it.
    fn raise<'k>(&self, context: &Context<'k>, item: &Item<'k>, derived: &mut Vec<Derived<'k>>) {
        let Phrase::Alike(alike, Some(thing)) = &item.phrase else { return };
        if let Alike::Relation(path) = &**alike {
            derived.extend(shared(context, path, thing).map(Derived::set));
        }
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Cue(Cue::Same), Phrase::Relation(relation)) => {
                derived.push(alike(Alike::Relation(relation.path.clone()), None));
            }
            (Phrase::Cue(Cue::Same), Phrase::Set(set)) if set.is_bare_class() => {
                derived.push(alike(Alike::Class(set.clone()), None));
            }
            (Phrase::Alike(known, None), Phrase::Set(thing))
                if thing.is_anchored() && !thing.kind.is_values() =>
            {
                derived.push(
                    alike((**known).clone(), Some(thing.clone())).by(Cue::Than).by(Cue::Same).by(Cue::Be),
                );
            }
            (Phrase::Relation(relation), Phrase::Alike(known, Some(thing)))
            | (Phrase::Alike(known, Some(thing)), Phrase::Relation(relation)) => {
                derived.extend(related(context, relation, known, thing));
            }
            (Phrase::Set(set), Phrase::Alike(known, Some(thing))) if !connective.has(Cue::Not) => {
                of_set(context, set, known, thing, derived);
            }
            _ => {}
        }
    }
}

fn alike<'k>(as_what: Alike<'k>, thing: Option<Rc<Set<'k>>>) -> Derived<'k> {
    Derived::new(Phrase::Alike(Rc::new(as_what), thing))
}

/// Things that a path leads to the same value as the given thing.
fn shared<'k>(context: &Context<'k>, path: &Path<'k>, thing: &Rc<Set<'k>>) -> Option<Set<'k>> {
    context.schema.follow_path(path, &thing.kind)?;
    let owner = context.schema.start(*path.first()?);
    let kind = context.schema.meet(&owner, &thing.kind)?;
    Some(Set::any(kind, Condition::Same(path.clone(), thing.clone())))
}

/// "Born in the same city as Anna", "born in the same year as Anna".
fn related<'k>(
    context: &Context<'k>,
    relation: &Relation<'k>,
    known: &Alike<'k>,
    thing: &Rc<Set<'k>>,
) -> Option<Derived<'k>> {
    let path = &relation.path;
    let end = context.schema.follow_path(path, &thing.kind)?;
    let set = match known {
        Alike::Class(class) if context.schema.compatible(&class.kind, &end) && !end.is_values() => {
            shared(context, path, thing)?
        }
        Alike::Year if end.is_time() || context.names_time(path.last()?.property) => {
            let owner = context.schema.start(*path.first()?);
            others(&Set { base: Base::Any, kind: owner, conditions: Vec::new(), rank: None }, thing)
                .and(same_year(path, thing, path))
        }
        _ => return None,
    };
    Some(Derived::set(set).with(Feature::Cued, 1.0))
}

fn same_year<'k>(path: &Path<'k>, thing: &Rc<Set<'k>>, its: &Path<'k>) -> Condition<'k> {
    let against = Operand::Thing(thing.clone(), Box::new(Measure::Year(its.clone())));
    Condition::Compare(Measure::Year(path.clone()), Op::Equal, against)
}

/// The members except the thing that they are compared with.
fn others<'k>(set: &Set<'k>, thing: &Set<'k>) -> Set<'k> {
    match &thing.base {
        Base::Things(things) if thing.conditions.is_empty() => set.and(Condition::Other(things.clone())),
        _ => set.clone(),
    }
}

fn of_set<'k>(
    context: &Context<'k>,
    set: &Set<'k>,
    known: &Alike<'k>,
    thing: &Rc<Set<'k>>,
    derived: &mut Vec<Derived<'k>>,
) {
    if set.kind.is_values() || set.is_named() {
        return;
    }
    let conditions = match known {
        Alike::Relation(path) => vec![(Condition::Same(path.clone(), thing.clone()), 0.0)],
        Alike::Class(class) => by_class(context, set, class, thing),
        Alike::Year => by_year(context, set, thing),
    };
    for (condition, cost) in conditions {
        let members = if matches!(known, Alike::Year) { others(set, thing) } else { set.clone() };
        let found =
            Derived::set(members.and(condition)).with(Feature::Cued, 1.0).with(Feature::BridgeCost, cost);
        derived.push(found.by_all([Cue::Relative, Cue::Have, Cue::Be, Cue::Do]));
    }
}

fn by_class<'k>(
    context: &Context<'k>,
    set: &Set<'k>,
    class: &Set<'k>,
    thing: &Rc<Set<'k>>,
) -> Vec<(Condition<'k>, f32)> {
    let leads = |path: &Path<'k>| context.schema.follow_path(path, &thing.kind).is_some();
    let ways = ways_from(context, set, &class.kind).into_iter().filter(|(path, _)| leads(path));
    ways.take(MAX_WAYS).map(|(path, cost)| (Condition::Same(path, thing.clone()), cost)).collect()
}

fn by_year<'k>(context: &Context<'k>, set: &Set<'k>, thing: &Rc<Set<'k>>) -> Vec<(Condition<'k>, f32)> {
    let its = time_properties(context, thing);
    let own = time_properties(context, set).into_iter();
    let pairs = own.filter_map(|step| {
        let same = its.iter().find(|other| **other == step).or(its.first())?;
        Some((same_year(&vec![step], thing, &vec![*same]), 0.0))
    });
    pairs.take(MAX_WAYS).enumerate().map(|(rank, (condition, _))| (condition, 0.5 * rank as f32)).collect()
}

#[cfg(test)]
mod tests;

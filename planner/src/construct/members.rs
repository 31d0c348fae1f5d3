//! Class membership: "Is the Aurora a ship?", "Is Ada Lind a captain from Norway?". The graph decides, so the class stays a
//! condition, where elsewhere the thing alone would be enough.

use crate::chart::Construct;
use crate::context::Context;
use crate::meaning::{Base, Condition, Set};
use crate::phrase::{Connective, Derived, Pair, Phrase};
use crate::score::Feature;
use eruca_language::Cue;
use std::rc::Rc;

pub(super) struct Members;

impl Construct for Members {
    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        let (Phrase::Set(thing), Phrase::Set(class)) = (&left.phrase, &right.phrase) else { return };
        derived.extend(called(context, thing, connective, class));
        let apart = [Cue::Not, Cue::Or, Cue::Have, Cue::Do].into_iter().any(|cue| connective.has(cue));
        let asked = context.question.asks_yes_or_no() && context.question.has_cue(0, Cue::Be);
        let named = thing.is_one_thing() && thing.is_named();
        if apart || connective.lists() || connective.role.is_some() || !asked || !named {
            return;
        }
        if let Some(member) = member(thing, class) {
            // Among several things of one name, prefer the one that may be of the class.
            let fits = context.schema.meet(&thing.kind, &class.kind).is_some();
            let derived_member = Derived::set(member).with(Feature::Cued, 1.0);
            derived.push(derived_member.with(Feature::Meet, f32::from(u8::from(fits))).by(Cue::Be));
        }
    }
}

/// "Is there a port called Nishtun?": whether a thing of that name is a port, not whether a port is related to it.
fn called<'k>(
    context: &Context<'k>,
    class: &Set<'k>,
    connective: &Connective,
    thing: &Set<'k>,
) -> Option<Derived<'k>> {
    let named = thing.is_one_thing() && thing.is_named();
    if !named || !class.is_bare_class() || !connective.has(Cue::NameOf) || !context.question.asks_yes_or_no()
    {
        return None;
    }
    let fits = context.schema.meet(&thing.kind, &class.kind).is_some();
    let derived = Derived::set(member(thing, class)?).with(Feature::Cued, 1.0);
    Some(derived.with(Feature::Meet, f32::from(u8::from(fits))).by(Cue::NameOf).by(Cue::Relative))
}

/// A thing with the condition that it is of a class, and all other conditions on the members.
fn member<'k>(thing: &Set<'k>, class: &Set<'k>) -> Option<Set<'k>> {
    let Base::Class(iri) = class.base else { return None };
    let is_one = Condition::Joined(Vec::new(), Rc::new(Set::of_class(iri)));
    let both = class.conditions.iter().fold(thing.and(is_one), |set, condition| set.and(condition.clone()));
    class.rank.is_none().then_some(both)
}

#[cfg(test)]
mod tests;

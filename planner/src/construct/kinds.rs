//! Direct subclasses of a class: "what types of sensors are there?". In an ontology without instances, nothing else can be asked
//! about a class.

use crate::chart::Construct;
use crate::context::Context;
use crate::meaning::{Base, Condition, Set, Step};
use crate::phrase::{Derived, EMPTY_CLASS, Item, Pair, Phrase};
use crate::question::Span;
use crate::schema::Kind;
use crate::score::Feature;
use eruca_language::Cue;
use std::rc::Rc;

pub(super) struct Kinds;

impl Construct for Kinds {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        derived.extend(context.cues(Cue::KindOf).map(|span| (span, Derived::new(Phrase::Cue(Cue::KindOf)))));
    }

    fn raise<'k>(&self, context: &Context<'k>, item: &Item<'k>, derived: &mut Vec<Derived<'k>>) {
        if let Phrase::Own(EMPTY_CLASS, classes) = &item.phrase {
            derived.extend(classes.iter().filter_map(|class| below(context, class)));
        }
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        if !matches!(left.phrase, Phrase::Cue(Cue::KindOf)) || connective.has(Cue::Not) {
            return;
        }
        let classes = match &right.phrase {
            Phrase::Own(EMPTY_CLASS, classes) => &**classes,
            Phrase::Set(class) => std::slice::from_ref(class),
            _ => return,
        };
        let found = classes.iter().filter_map(|class| below(context, class));
        derived.extend(found.map(|derived| derived.with(Feature::KindsOfClass, 1.0)));
    }
}

/// The direct subclasses of a class, if there are any.
fn below<'k>(context: &Context<'k>, class: &Set<'k>) -> Option<Derived<'k>> {
    let Base::Class(iri) = class.base else { return None };
    let index = context.schema.index;
    index.card.subclasses(iri).next()?;
    let step = Step { property: index.manifest.vocabulary.subclass_property.as_str(), forward: true };
    let itself = Set::thing(Rc::from(iri), Kind::Unknown);
    let set = Set::any(Kind::Unknown, Condition::Joined(vec![step], Rc::new(itself)));
    class.is_bare_class().then(|| Derived::set(set))
}

#[cfg(test)]
mod tests;

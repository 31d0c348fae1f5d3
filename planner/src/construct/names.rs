//! Names: "the name of …" asks for the text, or for the thing that bears it.

use crate::chart::Construct;
use crate::compose::names::name_properties;
use crate::context::Context;
use crate::meaning::{Answer, Condition, Set, Step, turned};
use crate::phrase::{Made, Pair, Phrase};
use crate::question::Span;
use crate::score::Feature;
use eruca_indexer::language::Cue;
use std::rc::Rc;

pub(super) struct Names;

impl Construct for Names {
    fn leaves<'k>(&self, context: &Context<'k>, made: &mut Vec<(Span, Made<'k>)>) {
        // "Name a lake" asks for a lake.
        let told = |span: &Span| {
            span.from == 0 && span.len() == 1 && context.cues(Cue::Command).any(|told| told.contains(*span))
        };
        let named = context.cues(Cue::NameOf).filter(|span| !told(span));
        made.extend(named.map(|span| (span, Made::new(Phrase::Cue(Cue::NameOf)))));
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, made: &mut Vec<Made<'k>>) {
        let Pair { left, right, .. } = pair;
        let ((Phrase::Cue(Cue::NameOf), Phrase::Set(set)) | (Phrase::Set(set), Phrase::Cue(Cue::NameOf))) =
            (&left.phrase, &right.phrase)
        else {
            return;
        };
        if set.kind.is_values() {
            return;
        }
        // Where everything is a thing with labels in all languages, its name is the thing.
        let labelled = context.schema.index.manifest.vocabulary.classes_are_things;
        let left_out = f32::from(u8::from(!labelled));
        made.push(Made::new(Phrase::Set(set.clone())).with(Feature::NameLeftOut, left_out));
        made.extend(in_parts(context, set));
        for property in name_properties(context, set).into_iter().take(1) {
            made.extend(named(context, set, Step { property, forward: true }));
        }
    }
}

/// Rows of a table may be named by several columns: a first name and a last name.
fn in_parts<'k>(context: &Context<'k>, set: &Rc<Set<'k>>) -> Option<Made<'k>> {
    let columns =
        context.naming_columns(&set.kind).filter(|columns| context.is_tabular() && columns.len() > 1)?;
    let answer = Answer::List { of: set.clone(), columns, order: Vec::new(), limit: None };
    Some(Made::answer(answer).with(Feature::NameAsText, 1.0))
}

fn named<'k>(context: &Context<'k>, set: &Rc<Set<'k>>, step: Step<'k>) -> Option<Made<'k>> {
    let kind = context.schema.follow(step, &set.kind)?;
    let found = Set::any(kind, Condition::Joined(turned(&[step]), set.clone()));
    Some(Made::set(found).with(Feature::NameAsText, 1.0))
}

#[cfg(test)]
mod tests;

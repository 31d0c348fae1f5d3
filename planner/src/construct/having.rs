//! "Who has children?" asks for those that have some, not for the children.

use crate::chart::Construct;
use crate::context::Context;
use crate::meaning::{Base, Condition, Path, Set};
use crate::phrase::{Made, Pair, Phrase};
use crate::question::Span;
use crate::schema::Kind;
use crate::score::Feature;
use eruca_indexer::language::Cue;
use std::rc::Rc;

pub(super) struct Having;

impl Construct for Having {
    fn leaves<'k>(&self, context: &Context<'k>, made: &mut Vec<(Span, Made<'k>)>) {
        let behind_who = |have: &Span| context.cues(Cue::Who).any(|who| context.question.follows(who, *have));
        let spans = context.cues(Cue::Have).filter(behind_who);
        made.extend(spans.map(|span| (span, Made::new(Phrase::Cue(Cue::Have)))));
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, made: &mut Vec<Made<'k>>) {
        let Pair { left, gap, right } = pair;
        let (Phrase::Cue(Cue::Have), Phrase::Relation(relation)) = (&left.phrase, &right.phrase) else {
            return;
        };
        if gap.cues.is_empty() && !relation.verb {
            made.extend(owners(context, &relation.path));
        }
    }
}

/// All that have something along a relation.
fn owners<'k>(context: &Context<'k>, path: &Path<'k>) -> Option<Made<'k>> {
    let class = *context.schema.start(*path.first()?).classes().first()?;
    let kind = context.schema.follow_path(path, &Kind::class(class))?;
    let anything = Set { base: Base::Any, kind, conditions: Vec::new(), rank: None };
    let set = Set::of_class(class).and(Condition::Joined(path.clone(), Rc::new(anything)));
    Some(Made::set(set).with(Feature::Cued, 1.0))
}

#[cfg(test)]
mod tests;

//! Requested years: "in what year was Anna born?" is answered by the year of the date, not by the date.

use crate::chart::Construct;
use crate::compose::times::when;
use crate::context::Context;
use crate::meaning::{Answer, Condition, Measure, Set, turned};
use crate::phrase::{Connective, Derived, Pair, Phrase};
use crate::question::Span;
use crate::score::Feature;
use eruca_language::Cue;
use std::rc::Rc;

pub(super) struct Years;

const NAME: &str = "year";

impl Construct for Years {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        let years = context.cues(Cue::When).filter(|span| {
            let words = context.question.words_of(*span);
            words.last().is_some_and(|word| context.question.language.is_year(&word.folded))
        });
        derived.extend(years.map(|span| (span, Derived::new(Phrase::Own(NAME, Rc::from([]))))));
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Own(NAME, _), Phrase::Set(set)) | (Phrase::Set(set), Phrase::Own(NAME, _)) => {
                let mut unnamed = Vec::new();
                when(context, set, &mut unnamed);
                derived.extend(
                    unnamed.into_iter().filter_map(of_derived).map(|derived| clause(derived, connective)),
                );
                derived.extend(year_of(set).map(|derived| clause(derived, connective)));
            }
            _ => {}
        }
    }
}

fn of_derived(known: Derived<'_>) -> Option<Derived<'_>> {
    let Phrase::Set(times) = &known.phrase else { return None };
    let mut found = year_of(times)?;
    found.features.add_all(&known.features);
    Some(found)
}

fn clause<'k>(derived: Derived<'k>, connective: &Connective) -> Derived<'k> {
    derived.by_all(connective.those_of([Cue::Be, Cue::Do, Cue::Have]))
}

/// The years of things' dates; plain years stay as they are.
fn year_of<'k>(times: &Rc<Set<'k>>) -> Option<Derived<'k>> {
    let [Condition::Joined(path, owner)] = times.conditions.as_slice() else { return None };
    if !times.is_open() || times.rank.is_some() || !times.kind.is_time() {
        return None;
    }
    let answer = Answer::Measured(owner.clone(), Measure::Year(turned(path)));
    Some(Derived::answer(answer).with(Feature::AskedFits, 2.0))
}

#[cfg(test)]
mod tests;

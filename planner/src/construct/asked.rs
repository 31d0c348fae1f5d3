//! Requested measures: "how long is the Rhine", "the density of the coil".

use crate::chart::Construct;
use crate::compose::measures::measures;
use crate::context::Context;
use crate::meaning::{Answer, ColumnFunction, Condition, Measure, Set, turned};
use crate::phrase::{By, Comparative, Connective, Derived, Graded, Pair, PendingRank, Phrase, Quantity};
use crate::question::{CueAt, GradeAt, Span};
use crate::score::Feature;
use eruca_language::{Cue, Degree};
use std::rc::Rc;

/// Measures tried for one question.
const MAX_MEASURES: usize = 2;

pub(super) struct Asked;

impl Construct for Asked {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        derived.extend(context.cues(Cue::How).map(|span| (span, Derived::new(Phrase::Cue(Cue::How)))));
        let priced =
            |grade: &&GradeAt| context.question.cues.contains(&CueAt { span: grade.span, cue: Cue::Price });
        derived.extend(context.question.grades.iter().filter(priced).map(|priced| {
            let by = By::Grade(Rc::new(Graded(priced.grade.clone())));
            (priced.span, Derived::new(Phrase::Asked(Rc::new(by))))
        }));
        for (at, word) in context.question.words.iter().enumerate() {
            let Some(formula) = context.question.language.measure(&word.folded) else { continue };
            let by = By::Quantity(Rc::new(Quantity(formula.clone())));
            derived.push((Span::new(at, at + 1), Derived::new(Phrase::Asked(Rc::new(by)))));
        }
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Cue(Cue::How), Phrase::Grade(grade))
                if grade.0.degree == Degree::Positive && connective.is_empty() =>
            {
                derived.push(Derived::new(Phrase::Asked(Rc::new(By::Grade(grade.clone())))));
            }
            (Phrase::Asked(by), Phrase::Set(set)) | (Phrase::Set(set), Phrase::Asked(by)) => {
                measured(context, set, by, connective, derived);
            }
            // "Wie hoch ist der Gesamtlohn pro Station?": the adjective adds nothing but that a number is wanted.
            (Phrase::Asked(by), Phrase::Answer(answer))
                if matches!(**by, By::Grade(_)) && numbers(answer) =>
            {
                let asked = Derived::new(right.phrase.clone());
                derived.push(asked.by_all([Cue::Be, Cue::Do]));
            }
            // "The highest density": the adjective gives only the direction.
            (Phrase::Rank(top), Phrase::Asked(by)) => {
                let ranked = PendingRank { by: (**by).clone(), ..(**top).clone() };
                derived.push(Derived::new(Phrase::Rank(Rc::new(ranked))).with(Feature::GradeOfRelation, 1.0));
            }
            (Phrase::Comparative(one), Phrase::Asked(by)) if !connective.has(Cue::Than) => {
                let compared = Comparative { by: (**by).clone(), up: one.up };
                derived.push(
                    Derived::new(Phrase::Comparative(Rc::new(compared))).with(Feature::GradeOfRelation, 1.0),
                );
            }
            _ => {}
        }
    }
}

/// Whether an answer consists of computed numbers.
fn numbers(answer: &Answer<'_>) -> bool {
    match answer {
        Answer::List { columns, .. } => {
            columns.iter().any(|column| matches!(column.what, ColumnFunction::Aggregate(_)))
        }
        Answer::Overall { .. } | Answer::OfEach(..) => true,
        _ => false,
    }
}

fn measured<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    by: &By<'k>,
    connective: &Connective,
    derived: &mut Vec<Derived<'k>>,
) {
    if set.kind.is_values() || connective.has(Cue::Not) || connective.has(Cue::Than) {
        return;
    }
    let found = measures(context, set, by).into_iter().filter(|(_, turned, _)| !turned);
    for (measure, _, features) in found.take(MAX_MEASURES) {
        let mut own = match &measure {
            Measure::Value(path) => {
                let Some(kind) = context.schema.follow_path(path, &set.kind) else { continue };
                Derived::set(Set::any(kind, Condition::Joined(turned(path), set.clone())))
            }
            _ => Derived::answer(Answer::Measured(set.clone(), measure)),
        };
        own.features.add_all(&features);
        derived.push(own.by_all([Cue::Be, Cue::Do, Cue::Have]));
    }
}

#[cfg(test)]
mod tests;

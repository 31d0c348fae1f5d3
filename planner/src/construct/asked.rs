//! Measures that are asked for: "how long is the Rhine", "the density of the coil".

use crate::chart::Construct;
use crate::compose::measures::measures;
use crate::context::Context;
use crate::meaning::{Answer, Condition, Measure, Set, What, turned};
use crate::phrase::{By, Comparative, Gap, Graded, Made, Pair, Phrase, Quantity, Top};
use crate::question::{CueAt, GradeAt, Span};
use crate::score::Feature;
use eruca_language::{Cue, Degree};
use std::rc::Rc;

/// Measures tried for one question.
const MAX_MEASURES: usize = 2;

pub(super) struct Asked;

impl Construct for Asked {
    fn leaves<'k>(&self, context: &Context<'k>, made: &mut Vec<(Span, Made<'k>)>) {
        made.extend(context.cues(Cue::How).map(|span| (span, Made::new(Phrase::Cue(Cue::How)))));
        let priced =
            |grade: &&GradeAt| context.question.cues.contains(&CueAt { span: grade.span, cue: Cue::Price });
        made.extend(context.question.grades.iter().filter(priced).map(|priced| {
            let by = By::Grade(Rc::new(Graded(priced.grade.clone())));
            (priced.span, Made::new(Phrase::Asked(Rc::new(by))))
        }));
        for (at, word) in context.question.words.iter().enumerate() {
            let Some(formula) = context.question.language.measure(&word.folded) else { continue };
            let by = By::Quantity(Rc::new(Quantity(formula.clone())));
            made.push((Span::new(at, at + 1), Made::new(Phrase::Asked(Rc::new(by)))));
        }
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, made: &mut Vec<Made<'k>>) {
        let Pair { left, gap, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Cue(Cue::How), Phrase::Grade(grade))
                if grade.0.degree == Degree::Positive && gap.is_empty() =>
            {
                made.push(Made::new(Phrase::Asked(Rc::new(By::Grade(grade.clone())))));
            }
            (Phrase::Asked(by), Phrase::Set(set)) | (Phrase::Set(set), Phrase::Asked(by)) => {
                measured(context, set, by, gap, made);
            }
            // "Wie hoch ist der Gesamtlohn pro Station?": the adjective only asks for the number.
            (Phrase::Asked(by), Phrase::Answer(answer))
                if matches!(**by, By::Grade(_)) && numbers(answer) =>
            {
                let asked = Made::new(right.phrase.clone());
                made.push(asked.by_all([Cue::Be, Cue::Do]));
            }
            // "The highest density": the adjective says only in which direction.
            (Phrase::Top(top), Phrase::Asked(by)) => {
                let ranked = Top { by: (**by).clone(), ..(**top).clone() };
                made.push(Made::new(Phrase::Top(Rc::new(ranked))).with(Feature::GradeOfRelation, 1.0));
            }
            (Phrase::Comparative(one), Phrase::Asked(by)) if !gap.has(Cue::Than) => {
                let compared = Comparative { by: (**by).clone(), up: one.up };
                made.push(
                    Made::new(Phrase::Comparative(Rc::new(compared))).with(Feature::GradeOfRelation, 1.0),
                );
            }
            _ => {}
        }
    }
}

/// Whether an answer is one of numbers that are worked out of others.
fn numbers(answer: &Answer<'_>) -> bool {
    match answer {
        Answer::List { columns, .. } => {
            columns.iter().any(|column| matches!(column.what, What::Aggregate(_)))
        }
        Answer::Overall { .. } | Answer::OfEach(..) => true,
        _ => false,
    }
}

fn measured<'k>(context: &Context<'k>, set: &Rc<Set<'k>>, by: &By<'k>, gap: &Gap, made: &mut Vec<Made<'k>>) {
    if set.kind.is_values() || gap.has(Cue::Not) || gap.has(Cue::Than) {
        return;
    }
    let found = measures(context, set, by).into_iter().filter(|(_, turned, _)| !turned);
    for (measure, _, features) in found.take(MAX_MEASURES) {
        let mut own = match &measure {
            Measure::Value(path) => {
                let Some(kind) = context.schema.follow_path(path, &set.kind) else { continue };
                Made::set(Set::any(kind, Condition::Joined(turned(path), set.clone())))
            }
            _ => Made::answer(Answer::Measured(set.clone(), measure)),
        };
        own.features.add_all(&features);
        made.push(own.by_all([Cue::Be, Cue::Do, Cue::Have]));
    }
}

#[cfg(test)]
mod tests;

//! Bounds that enclose what they bound: "above age 20", "a greater weight than 10".

use crate::chart::Construct;
use crate::compose::bounds::{is_pronoun, of_path, op_of, side};
use crate::context::Context;
use crate::link::SchemaLink;
use crate::meaning::{Op, Operand, Step};
use crate::phrase::{Bound, Derived};
use crate::question::{Numeral, Span};
use crate::score::Feature;
use eruca_indexer::SchemaKind;
use eruca_language::{Cue, Degree};
use std::rc::Rc;

pub(crate) struct BoundedNouns;

impl Construct for BoundedNouns {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        let properties = context.links.schema.iter().filter(|link| link.kind == SchemaKind::Property);
        for link in properties {
            for numeral in context
                .question
                .numerals
                .iter()
                .filter(|numeral| numeral.span.from >= link.span.to && !is_pronoun(context, numeral))
            {
                bounded(context, link, numeral, derived);
            }
        }
    }
}

fn bounded<'k>(
    context: &Context<'k>,
    link: &SchemaLink<'k>,
    numeral: &Numeral,
    derived: &mut Vec<(Span, Derived<'k>)>,
) {
    let question = &context.question;
    if question.follows(link.span, numeral.span) {
        for cue in question.cues.iter().filter(|cue| question.follows(cue.span, link.span)) {
            derived.extend(
                op_of(cue.cue).map(|op| leaf(context, link, (cue.span, op), numeral)).into_iter().flatten(),
            );
        }
    }
    let than = |than: Span| question.follows(link.span, than) && question.follows(than, numeral.span);
    if context.cues(Cue::Than).any(than) {
        let comparatives = question.grades.iter().filter(|grade| grade.grade.degree == Degree::Comparative);
        for grade in comparatives.filter(|grade| question.follows(grade.span, link.span)) {
            derived.extend(leaf(context, link, (grade.span, side(grade)), numeral));
        }
    }
}

fn leaf<'k>(
    context: &Context<'k>,
    link: &SchemaLink<'k>,
    (from, op): (Span, Op),
    numeral: &Numeral,
) -> Vec<(Span, Derived<'k>)> {
    let bound =
        Bound { op, against: Operand::Number(Rc::from(numeral.text.as_str())), grade: None, unit: None };
    let step = Step { property: link.iri, forward: true };
    let mut found = Vec::new();
    of_path(context, &[step], &bound, &mut found);
    let span = from.join(link.span).join(numeral.span);
    found
        .into_iter()
        .map(|derived| (span, derived.with(Feature::Misfit, 1.0 - link.fit).with(Feature::Link, 1.0)))
        .collect()
}

#[cfg(test)]
mod tests;

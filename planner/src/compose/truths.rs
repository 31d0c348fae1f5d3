//! Truth and possession: a property states them by a boolean, by a number, or by its presence.

use crate::context::Context;
use crate::meaning::{Base, Condition, Measure, Op, Operand, Path, Set, Step};
use crate::question::Span;
use crate::schema::Kind;
use eruca_indexer::vocabulary::XSD_STRING;
use eruca_indexer::{Edge, PropertyCard, Target};
use eruca_language::{Cue, languages};
use std::rc::Rc;

/// The datatype of truth values.
const BOOLEAN: &str = "http://www.w3.org/2001/XMLSchema#boolean";

/// The value by which a yes/no property states that something has it: "has a pool" does not match "pool: false".
pub(crate) fn that_holds<'k>(context: &Context<'k>, path: &[Step<'k>]) -> Option<Set<'k>> {
    let last = path.last().filter(|last| last.forward)?;
    let truth = Rc::from(truth(context.schema.property(last.property)?, true)?);
    let kind = context.schema.end(*last);
    Some(Set { base: Base::Values(vec![truth]), kind, conditions: Vec::new(), rank: None })
}

/// The condition that something has what a path leads to: a count above zero, a true flag, or any value.
pub(crate) fn had<'k>(context: &Context<'k>, path: &Path<'k>, end: Kind<'k>) -> Condition<'k> {
    let counted = path.last().is_some_and(|last| {
        context.schema.end(*last).is_number()
            && !context.is_identifier(last.property)
            && !context.names_moment(last.property)
    });
    if counted {
        return Condition::Compare(Measure::Value(path.clone()), Op::Greater, Operand::Number(Rc::from("0")));
    }
    let anything = || Set { base: Base::Any, kind: end, conditions: Vec::new(), rank: None };
    Condition::Joined(path.clone(), Rc::new(that_holds(context, path).unwrap_or_else(anything)))
}

/// The literal by which a property states true or false, if it can state nothing else.
pub(crate) fn truth(card: &PropertyCard, holds: bool) -> Option<String> {
    let datatype = |edge: &Edge| match &edge.target {
        Target::Literal(datatype) => Some(datatype.clone()),
        Target::Class(_) | Target::Resource => None,
    };
    let types: Vec<String> = card.edges.iter().map(datatype).collect::<Option<_>>()?;
    if !types.is_empty() && types.iter().all(|known| known == BOOLEAN) {
        return Some(format!("\"{holds}\"^^<{BOOLEAN}>"));
    }
    let texts = || card.edges.iter().flat_map(|edge| &edge.samples);
    let says = |text: &str| languages().find_map(|language| language.truth(text));
    let only = types.iter().all(|known| known == XSD_STRING) && texts().all(|text| says(text).is_some());
    let text = texts().find(|text| says(text) == Some(holds)).filter(|_| only)?;
    Some(crate::render::quoted(text))
}

/// Whether a form of "have" stands before the span, preceded by nothing except what is asked for.
pub(crate) fn is_had(context: &Context<'_>, span: Span) -> bool {
    let question = &context.question;
    let silent = |from: u16, to: u16| (from..to).all(|at| question.is_function_word(at));
    let linked = |to: u16| context.links.schema.iter().any(|link| link.span.from < to);
    let named = |to: u16| context.links.mentions.iter().any(|mention| mention.span.from < to);
    let asked = context.has_cue(Cue::Who) || context.has_cue(Cue::HowMany);
    let between = |have: Span| Span { from: have.to, to: span.from };
    let before = |have: Span| {
        have.from > 0 && have.to <= span.from && silent(have.to, span.from) && !limits(context, between(have))
    };
    asked && context.cues(Cue::Have).any(|have| before(have) && !linked(have.from) && !named(have.from))
}

/// Whether a span contains a quantifier ("all", "only", "most"), so that one is not enough.
pub(crate) fn limits(context: &Context<'_>, span: Span) -> bool {
    [Cue::All, Cue::Only, Cue::Most]
        .into_iter()
        .any(|cue| context.cues(cue).any(|found| span.contains(found)))
}

//! Bounds: cues and adjectives that mean "greater" or "less", and how a bound applies to the end of a path.

use crate::compose::{ages, measures, units};
use crate::context::Context;
use crate::meaning::{Base, Condition, Measure, Op, Operand, Set, Step};
use crate::phrase::{Bound, Derived, Graded};
use crate::question::{GradeAt, Numeral, WordKind};
use crate::schema::Kind;
use crate::score::Feature;
use eruca_language::Cue;
use std::rc::Rc;

/// The comparison operator that a cue stands for.
pub(crate) fn op_of(cue: Cue) -> Option<Op> {
    match cue {
        Cue::Greater => Some(Op::Greater),
        Cue::AtLeast => Some(Op::AtLeast),
        Cue::Less => Some(Op::Less),
        Cue::AtMost => Some(Op::AtMost),
        Cue::Equal => Some(Op::Equal),
        _ => None,
    }
}

/// Greater or less, depending on the direction of the adjective.
pub(crate) fn side(grade: &GradeAt) -> Op {
    if grade.grade.up { Op::Greater } else { Op::Less }
}

/// The adjective as something that measures.
pub(crate) fn graded(grade: &GradeAt) -> Rc<Graded> {
    Rc::new(Graded(grade.grade.clone()))
}

/// "The one with …", "in each one": a numeral used as a pronoun.
pub(crate) fn is_pronoun(context: &Context<'_>, numeral: &Numeral) -> bool {
    let question = &context.question;
    let small = question.words_of(numeral.span).iter().all(|word| {
        question.language.is_function_word(&word.folded)
            && !word.raw.starts_with(|c: char| c.is_ascii_digit())
    });
    let behind = question.word(numeral.span.to).filter(|word| word.broken.is_none());
    let names = behind.is_some_and(|word| word.kind > WordKind::Function);
    let compared =
        question.cues.iter().any(|cue| cue.span.to == numeral.span.from && op_of(cue.cue).is_some());
    small && !names && !compared
}

/// "Population above 5 million", "born before 1900", "more than 3 children".
pub(crate) fn of_path<'k>(
    context: &Context<'k>,
    path: &[Step<'k>],
    bound: &Bound<'k>,
    derived: &mut Vec<Derived<'k>>,
) {
    let quantity = units::to_number(context, path);
    let path = quantity.as_deref().unwrap_or(path);
    let Some((first, last)) = path.first().zip(path.last()) else { return };
    // "Older than 100 years" does not mean a year greater than 100.
    let old = bound.grade.as_ref().and_then(|grade| measures::is_of_time(context, &grade.0));
    if old == Some(true) && ages::holds_years(context, last.property) {
        return;
    }
    let (against, features) = units::in_their_unit(context, path, bound);
    let (owner, end) = (context.schema.start(*first), context.schema.end(*last));
    let number = matches!(bound.against, Operand::Number(_) | Operand::Range(..));
    let measure = match &end {
        Kind::Values(_) => Measure::Value(path.to_vec()),
        // "Models lighter than 3500" is not about a number of models.
        _ if number && bound.grade.is_none() => {
            let anything = Set { base: Base::Any, kind: end.clone(), conditions: Vec::new(), rank: None };
            Measure::Count(path.to_vec(), Rc::new(anything))
        }
        _ => return,
    };
    let counts = matches!(measure, Measure::Count(..));
    let fits = counts || (fits(&end, &bound.against) && !context.is_identifier(last.property));
    let set = Set::any(owner, Condition::Compare(measure, bound.op, against));
    let mut derived_set = Derived::set(set).with(Feature::Cued, 1.0);
    derived_set.features.add_all(&features);
    derived.push(if fits { derived_set } else { derived_set.with(Feature::Misfit, 1.0) });
}

/// Whether values of a kind can be compared with the given operand.
pub(crate) fn fits(kind: &Kind<'_>, against: &Operand<'_>) -> bool {
    match against {
        Operand::Period { .. } => kind.is_time() || kind.is_number(),
        Operand::Month(_) => kind.is_time(),
        _ => kind.is_number(),
    }
}

//! Bounds: a comparison with a number or an average, not yet attached to what it bounds ("more than 5", "over 300 km", "above
//! average").

use crate::chart::Construct;
use crate::compose::bounds::{graded, is_pronoun, op_of, side};
use crate::context::Context;
use crate::meaning::{Base, Func, Op, Operand, Set};
use crate::phrase::{Bound, Derived, Graded, Number, Phrase};
use crate::question::{GradeAt, Numeral, Span};
use crate::schema::Kind;
use crate::score::Feature;
use crate::units::Unit;
use eruca_language::{Cue, Degree, Grade};
use std::rc::Rc;
use std::sync::Arc;

pub(crate) struct Bounds;

/// Maximum number of words in a unit.
const MAX_UNIT_WORDS: u16 = 3;

impl Construct for Bounds {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        let numerals = context.question.numerals.iter();
        for numeral in numerals.filter(|numeral| !is_pronoun(context, numeral)) {
            derived.push((numeral.span, Derived::new(Phrase::Number(Rc::new(Number(numeral.clone()))))));
            for number in Measured::readings(context, numeral) {
                plain(&number, derived);
                compared(context, &number, derived);
                ranges(context, &number, derived);
            }
        }
        for average in context.cues(Cue::Average) {
            averages(context, average, derived);
        }
    }
}

/// A number with its unit, and with the quantity that the unit or a following adjective implies: "300 km", "2 m tall".
struct Measured {
    span: Span,
    number: Rc<str>,
    grade: Option<Rc<Graded>>,
    unit: Option<&'static str>,
}

impl Measured {
    /// The bare number, and the number with its unit: "200 guests" are guests, or a measure of 200.
    fn readings(context: &Context<'_>, numeral: &Numeral) -> Vec<Self> {
        let number: Rc<str> = Rc::from(numeral.text.as_str());
        let bare = Self { span: numeral.span, number: number.clone(), grade: None, unit: None };
        let Some((to, nouns, unit)) = unit(context, numeral.span) else { return vec![bare] };
        let behind = positive(context, to);
        let span = Span { to: behind.map_or(to, |grade| grade.span.to), ..numeral.span };
        let measured = Self { span, number, grade: Some(behind.map_or(nouns, graded)), unit };
        // "5 kg" does not count anything, unless something in the graph is called a kilogram.
        let at = Span { from: numeral.span.to, to };
        let called = context.links.schema.iter().any(|link| link.span == at);
        let alone = span == numeral.span || (unit.is_some() && !called);
        if alone { vec![measured] } else { vec![bare, measured] }
    }

    fn against<'k>(&self) -> Operand<'k> {
        Operand::Number(self.number.clone())
    }
}

/// The unit of a number: the next word, or a sign next to it.
fn unit(context: &Context<'_>, number: Span) -> Option<(u16, Rc<Graded>, Option<&'static str>)> {
    let language = context.question.language;
    let behind = context.question.word(number.to).filter(|word| word.broken.is_none());
    let symbol = |name: &str| Unit::find(name).map(|unit| unit.symbol);
    if let Some((to, unit)) = in_several_words(context, number) {
        let nouns = Unit::base_of(unit.symbol).and_then(|base| language.unit(&base.to_lowercase()));
        let none: Arc<[String]> = Arc::from([]);
        return Some((to, of_nouns(nouns.unwrap_or(&none)), Some(unit.symbol)));
    }
    let known = behind.and_then(|word| symbol(&word.raw));
    // A symbol missing from the pack measures the same as the base unit of its kind: "t" as "kg" does.
    let first = |symbol| Unit::base_of(symbol).map(str::to_lowercase);
    let nouns = behind.and_then(|word| language.unit(&word.folded));
    if let Some(nouns) = nouns.or_else(|| language.unit(&known.and_then(first)?)) {
        let own: Arc<[String]> =
            behind.iter().map(|word| word.norm.clone()).chain(nouns.iter().cloned()).collect();
        return Some((number.to + 1, of_nouns(&own), known));
    }
    let (first, last) =
        context.question.words_of(number).first().zip(context.question.words_of(number).last())?;
    let before = context.question.text.get(..first.bytes.0)?.trim_end().chars().next_back();
    let after = context.question.text.get(last.bytes.1..)?.trim_start().chars().next();
    let mut signs = before.into_iter().chain(after).filter(|sign| !sign.is_alphanumeric());
    signs.find_map(|sign| {
        let nouns = language.unit(&sign.to_string())?;
        Some((number.to, of_nouns(nouns), symbol(&sign.to_string())))
    })
}

/// "50 km/h": a unit of several words with a sign between them.
fn in_several_words(context: &Context<'_>, number: Span) -> Option<(u16, &'static Unit)> {
    (2..=MAX_UNIT_WORDS).rev().find_map(|length| {
        let span = Span { from: number.to, to: number.to + length };
        let words = context.question.words_of(span);
        let (first, last) = words.first().zip(words.last()).filter(|_| words.len() == usize::from(length))?;
        let text = context.question.text.get(first.bytes.0..last.bytes.1)?;
        Some((span.to, Unit::find(text).filter(|_| !text.contains(' '))?))
    })
}

fn of_nouns(nouns: &Arc<[String]>) -> Rc<Graded> {
    let (reversed, opposite) = (Arc::from([]), Arc::from(""));
    Rc::new(Graded(Grade {
        degree: Degree::Positive,
        up: true,
        nouns: Arc::clone(nouns),
        reversed,
        opposite,
    }))
}

/// An adjective directly after a number: "3000 m high", "30 years old".
fn positive<'c>(context: &'c Context<'_>, at: u16) -> Option<&'c GradeAt> {
    let unbroken = context.question.word(at).is_some_and(|word| word.broken.is_none());
    let mut grades = context.question.grades.iter();
    grades.find(|grade| {
        unbroken
            && grade.span.from == at
            && grade.grade.degree == Degree::Positive
            && !grade.grade.nouns.is_empty()
    })
}

fn bound<'k>(op: Op, against: Operand<'k>, grade: Option<Rc<Graded>>) -> Derived<'k> {
    in_unit(op, against, grade, None)
}

fn in_unit<'k>(
    op: Op,
    against: Operand<'k>,
    grade: Option<Rc<Graded>>,
    unit: Option<&'static str>,
) -> Derived<'k> {
    Derived::new(Phrase::Bound(Rc::new(Bound { op, against, grade, unit })))
}

/// "With 3 pets": equal to the number.
fn plain<'k>(number: &Measured, derived: &mut Vec<(Span, Derived<'k>)>) {
    derived.push((
        number.span,
        in_unit(Op::Equal, number.against(), number.grade.clone(), number.unit)
            .with(Feature::BareNumber, 1.0),
    ));
}

/// "At least 3", "3 or more", "longer than 500", "not older than 40".
fn compared<'k>(context: &Context<'k>, number: &Measured, derived: &mut Vec<(Span, Derived<'k>)>) {
    for cue in &context.question.cues {
        let Some(op) = op_of(cue.cue) else { continue };
        let before = context.question.follows(cue.span, number.span);
        let after = cue.span.from == number.span.to;
        if before || after {
            let span = cue.span.join(number.span);
            both_ways(context, span, op, derived, |op| {
                in_unit(op, number.against(), number.grade.clone(), number.unit)
            });
        }
    }
    for grade in comparatives(context, number.span) {
        let span = grade.span.join(number.span);
        let said = |op| in_unit(op, number.against(), Some(graded(grade)), number.unit);
        both_ways(context, span, side(grade), derived, said);
    }
}

/// A comparison, and its negation if one precedes it: "not more than 4", "do not have more than 4".
fn both_ways<'k>(
    context: &Context<'k>,
    span: Span,
    op: Op,
    derived: &mut Vec<(Span, Derived<'k>)>,
    bound: impl Fn(Op) -> Derived<'k>,
) {
    derived.push((span, bound(op)));
    let not = context.cues(Cue::Not).find(|not| context.question.follows(*not, span));
    if let Some((not, negated)) = not.zip(op.negated()) {
        derived.push((not.join(span), bound(negated)));
    }
}

/// The adjectives followed by "than" and the operand.
fn comparatives<'c>(context: &'c Context<'_>, with: Span) -> impl Iterator<Item = &'c GradeAt> {
    let than = move |grade: &GradeAt| {
        let mut cues = context.cues(Cue::Than);
        cues.any(|than| than.from == grade.span.to && context.question.follows(than, with))
    };
    let grades = context.question.grades.iter().filter(|grade| grade.grade.degree == Degree::Comparative);
    grades.filter(move |grade| than(grade))
}

/// "Between 3 and 5".
fn ranges<'k>(context: &Context<'k>, first: &Measured, derived: &mut Vec<(Span, Derived<'k>)>) {
    let Some(between) = context.cues(Cue::Between).find(|cue| context.question.follows(*cue, first.span))
    else {
        return;
    };
    let joins = |connective: Span| {
        [Cue::And, Cue::Until].into_iter().any(|cue| context.cues(cue).any(|and| and == connective))
    };
    let joined = |second: &&Numeral| {
        second.span.from > first.span.to && joins(Span { from: first.span.to, to: second.span.from })
    };
    if let Some(second) = context.question.numerals.iter().find(joined) {
        for second in Measured::readings(context, second) {
            let range = Operand::Range(first.number.clone(), second.number.clone());
            let grade = second.grade.or_else(|| first.grade.clone());
            let unit = second.unit.or(first.unit);
            derived.push((between.join(second.span), in_unit(Op::Equal, range, grade, unit)));
        }
    }
}

/// "Above average", "older than the average".
fn averages<'k>(context: &Context<'k>, average: Span, derived: &mut Vec<(Span, Derived<'k>)>) {
    let everything = Set { base: Base::Any, kind: Kind::Unknown, conditions: Vec::new(), rank: None };
    let overall = Operand::Overall(Func::Average, Rc::new(everything));
    for cue in &context.question.cues {
        if let Some(op) = op_of(cue.cue)
            // One word may say both: "überdurchschnittlich".
            && (cue.span == average || context.question.follows(cue.span, average))
        {
            derived.push((cue.span.join(average), bound(op, overall.clone(), None)));
        }
    }
    for grade in comparatives(context, average) {
        derived.push((grade.span.join(average), bound(side(grade), overall.clone(), Some(graded(grade)))));
    }
}

#[cfg(test)]
mod tests;

//! Bounds: a comparing phrase with a number or an average, before what it bounds is known ("more than 5", "above average").

use super::{Construct, Context};
use crate::chart::{Bound, Graded, Made, Number, Phrase};
use crate::meaning::{Against, Func, Op, Set};
use crate::question::{GradeAt, Numeral, Span};
use crate::schema::Kind;
use crate::score::Feature;
use eruca_indexer::language::{Cue, Degree};
use std::rc::Rc;

pub(super) struct Bounds;

impl Construct for Bounds {
    fn leaves<'k>(&self, context: &Context<'k>, made: &mut Vec<(Span, Made<'k>)>) {
        for numeral in &context.question.numerals {
            made.push((numeral.span, Made::new(Phrase::Number(Rc::new(Number(numeral.clone()))))));
            plain(context, numeral, made);
            compared(context, numeral, made);
            ranges(context, numeral, made);
        }
        for average in context.cues(Cue::Average) {
            averages(context, average, made);
        }
    }
}

/// The operators that cues name.
pub(super) fn op_of(cue: Cue) -> Option<Op> {
    match cue {
        Cue::Greater => Some(Op::Greater),
        Cue::AtLeast => Some(Op::AtLeast),
        Cue::Less => Some(Op::Less),
        Cue::AtMost => Some(Op::AtMost),
        Cue::Equal => Some(Op::Equal),
        _ => None,
    }
}

fn bound<'k>(op: Op, against: Against<'k>, grade: Option<Rc<Graded>>) -> Made<'k> {
    Made::new(Phrase::Bound(Rc::new(Bound { op, against, grade })))
}

fn number<'k>(numeral: &Numeral) -> Against<'k> {
    Against::Number(Rc::from(numeral.text.as_str()))
}

/// "With 3 pets": as many.
fn plain<'k>(_context: &Context<'k>, numeral: &Numeral, made: &mut Vec<(Span, Made<'k>)>) {
    made.push((numeral.span, bound(Op::Equal, number(numeral), None).with(Feature::BareNumber, 1.0)));
}

/// "At least 3", "3 or more", "longer than 500".
fn compared<'k>(context: &Context<'k>, numeral: &Numeral, made: &mut Vec<(Span, Made<'k>)>) {
    for cue in &context.question.cues {
        let Some(op) = op_of(cue.cue) else { continue };
        let before = context.question.follows(cue.span, numeral.span);
        let after = cue.span.from == numeral.span.to;
        if before || after {
            made.push((cue.span.join(numeral.span), bound(op, number(numeral), None)));
        }
    }
    for grade in context.question.grades.iter().filter(|grade| grade.grade.degree == Degree::Comparative) {
        let than = |than: Span| than.from == grade.span.to && context.question.follows(than, numeral.span);
        if context.cues(Cue::Than).any(than) {
            let against = number(numeral);
            made.push((grade.span.join(numeral.span), bound(side(grade), against, Some(graded(grade)))));
        }
    }
}

/// Greater or less, by what the adjective means.
pub(super) fn side(grade: &GradeAt) -> Op {
    if grade.grade.up { Op::Greater } else { Op::Less }
}

pub(super) fn graded(grade: &GradeAt) -> Rc<Graded> {
    Rc::new(Graded(grade.grade.clone()))
}

/// "Between 3 and 5".
fn ranges<'k>(context: &Context<'k>, first: &Numeral, made: &mut Vec<(Span, Made<'k>)>) {
    let Some(between) = context.cues(Cue::Between).find(|cue| context.question.follows(*cue, first.span)) else {
        return;
    };
    let joined = |second: &&Numeral| {
        let gap = Span { from: first.span.to, to: second.span.from };
        second.span.from > first.span.to && context.cues(Cue::And).any(|and| and == gap)
    };
    if let Some(second) = context.question.numerals.iter().find(joined) {
        let range = Against::Range(Rc::from(first.text.as_str()), Rc::from(second.text.as_str()));
        made.push((between.join(second.span), bound(Op::Equal, range, None)));
    }
}

/// "Above average", "older than the average".
fn averages<'k>(context: &Context<'k>, average: Span, made: &mut Vec<(Span, Made<'k>)>) {
    let everything = Set { base: crate::meaning::Base::Any, kind: Kind::Unknown, conditions: Vec::new(), rank: None };
    let overall = Against::Overall(Func::Average, Rc::new(everything));
    for cue in &context.question.cues {
        if let Some(op) = op_of(cue.cue)
            && context.question.follows(cue.span, average)
        {
            made.push((cue.span.join(average), bound(op, overall.clone(), None)));
        }
    }
    for grade in context.question.grades.iter().filter(|grade| grade.grade.degree == Degree::Comparative) {
        let than = |than: Span| than.from == grade.span.to && context.question.follows(than, average);
        if context.cues(Cue::Than).any(than) {
            made.push((grade.span.join(average), bound(side(grade), overall.clone(), Some(graded(grade)))));
        }
    }
}

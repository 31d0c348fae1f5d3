//! Time: periods as bounds ("since 2010"), and implicit time properties ("concerts in 2014", "when was …").

use crate::chart::Construct;
use crate::compose::times::{time_properties, when, year_properties};
use crate::context::Context;
use crate::meaning::{Condition, Measure, Op, Operand, Set, Step, turned};
use crate::phrase::{Bound, Connective, Derived, Pair, Phrase, Time};
use crate::question::{CueAt, Period, Span};
use crate::score::Feature;
use eruca_language::{AnswerKind, Cue, Role, fallback};
use std::ops::RangeInclusive;
use std::rc::Rc;

/// Steps tried for a place that the question does not name.
const MAX_STEPS: usize = 60;
/// Numbers too small to be taken for years without further evidence.
const EARLY: RangeInclusive<u32> = 1..=999;
/// Maximum number of words in a phrase for the time before the common era.
const MAX_ERA: usize = 3;

pub(crate) struct Times;

impl Construct for Times {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        for period in &context.question.periods {
            derived.push((period.span, Derived::new(Phrase::Period(Rc::new(Time(period.clone()))))));
            derived.push((period.span, bound(Op::Equal, period)));
            for cue in
                context.question.cues.iter().filter(|cue| context.question.follows(cue.span, period.span))
            {
                if let Some(op) = op_of(cue.cue) {
                    derived.push((cue.span.join(period.span), bound(op, period)));
                }
            }
            between(context, period, derived);
            derived.extend(open_ended(context, period));
        }
        early_years(context, derived);
        before_era(context, derived);
        months(context, derived);
        for cue in [Cue::When, Cue::Where, Cue::Who] {
            derived.extend(context.cues(cue).map(|span| (span, Derived::new(Phrase::Cue(cue)))));
        }
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Set(set), Phrase::Bound(bound)) | (Phrase::Bound(bound), Phrase::Set(set)) => {
                dated(context, set, bound, connective, derived);
            }
            (Phrase::Cue(Cue::When), Phrase::Set(set)) => when(context, set, derived),
            (Phrase::Cue(Cue::Where), Phrase::Set(set)) => of_kind(context, set, AnswerKind::Place, derived),
            (Phrase::Cue(Cue::Who), Phrase::Set(set)) => of_kind(context, set, AnswerKind::Person, derived),
            _ => {}
        }
    }
}

fn op_of(cue: Cue) -> Option<Op> {
    match cue {
        Cue::Before | Cue::Less => Some(Op::Less),
        Cue::After | Cue::Greater => Some(Op::Greater),
        Cue::Since | Cue::AtLeast => Some(Op::AtLeast),
        Cue::Until | Cue::AtMost => Some(Op::AtMost),
        _ => None,
    }
}

/// "1970 or later", "1970 onwards".
fn open_ended<'k>(context: &Context<'k>, period: &Period) -> Option<(Span, Derived<'k>)> {
    let starts = |at: u16| context.question.periods.iter().any(|period| period.span.from == at);
    let behind = |cue: &&CueAt| {
        cue.span.from == period.span.to
            && matches!(cue.cue, Cue::Since | Cue::Until)
            && !starts(cue.span.to)
            && context.question.word(cue.span.from).is_some_and(|word| word.broken.is_none())
    };
    let cue = context.question.cues.iter().find(behind)?;
    Some((period.span.join(cue.span), bound(op_of(cue.cue)?, period)))
}

/// "After 37": years with few digits, recognized only after a preposition of time.
fn early_years<'k>(context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
    let question = &context.question;
    let is_unit =
        |at: u16| question.word(at).is_some_and(|word| question.language.unit(&word.folded).is_some());
    for numeral in question.numerals.iter().filter(|numeral| !numeral.percent && !is_unit(numeral.span.to)) {
        let dated = question.periods.iter().any(|period| period.span.has(numeral.span.from));
        let year = numeral.text.parse().ok().filter(|year| !dated && EARLY.contains(year));
        let cues = question.cues.iter().filter(|cue| question.follows(cue.span, numeral.span));
        for (cue, year) in cues.zip(year.into_iter().cycle()) {
            let op = op_of(cue.cue).filter(|_| matches!(cue.cue, Cue::Before | Cue::After));
            derived.extend(op.map(|op| (cue.span.join(numeral.span), of_year(op, year))));
        }
    }
}

/// "Before Christ", without a year.
fn before_era<'k>(context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
    let question = &context.question;
    let says = |span: &Span| {
        let words = question.words_of(*span);
        let said: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
        words.len() == span.len() && question.language.is_before_era(&said.join(" "))
    };
    for (from, before) in (1..question.len()).zip(&question.words) {
        let mut spans = (2..=MAX_ERA).map(|length| Span::new(from, from + length));
        let era = spans.find(says).filter(|_| before.raw.parse::<u32>().is_err());
        derived.extend(era.map(|span| (span, of_year(Op::Less, 1))));
    }
}

fn of_year<'k>(op: Op, year: u32) -> Derived<'k> {
    let day = |day: &str| Rc::from(format!("{year:04}-{day}"));
    let against = Operand::Period { from: day("01-01"), to: day("12-31") };
    Derived::new(Phrase::Bound(Rc::new(Bound { op, against, grade: None, unit: None })))
}

fn span_of_time<'k>(first: &Period, last: &Period) -> Operand<'k> {
    Operand::Period { from: Rc::from(first.from.to_string()), to: Rc::from(last.to.to_string()) }
}

fn bound<'k>(op: Op, period: &Period) -> Derived<'k> {
    Derived::new(Phrase::Bound(Rc::new(Bound {
        op,
        against: span_of_time(period, period),
        grade: None,
        unit: None,
    })))
}

/// "In May" of any year. The word is ambiguous, so a preposition must mark it as a time.
fn months<'k>(context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
    for (at, word) in (0_u16..).zip(&context.question.words).skip(1) {
        let Some(month) = context.question.language.month(&word.folded) else { continue };
        let dated = context.question.periods.iter().any(|period| period.span.has(at));
        let announced = context.question.role_at(at - 1) == Some(Role::In);
        if announced && !dated {
            let bound = Bound { op: Op::Equal, against: Operand::Month(month), grade: None, unit: None };
            derived.push((Span { from: at, to: at + 1 }, Derived::new(Phrase::Bound(Rc::new(bound)))));
        }
    }
}

/// "Between 1990 and 1995", "from 1990 to 1995".
fn between<'k>(context: &Context<'k>, first: &Period, derived: &mut Vec<(Span, Derived<'k>)>) {
    let opens = |cue: &Span| context.question.follows(*cue, first.span);
    let open = context.cues(Cue::Between).find(opens);
    let Some(open) = open else { return };
    let next = context.question.periods.iter().find(|next| {
        let connective = Span { from: first.span.to, to: next.span.from };
        next.span.from > first.span.to && connective.len() == 1
    });
    if let Some(next) = next {
        let against = span_of_time(first, next);
        let bound = Phrase::Bound(Rc::new(Bound { op: Op::Equal, against, grade: None, unit: None }));
        derived.push((open.join(next.span), Derived::new(bound)));
    }
}

fn dated<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    bound: &Bound<'k>,
    connective: &Connective,
    derived: &mut Vec<Derived<'k>>,
) {
    if !matches!(bound.against, Operand::Period { .. } | Operand::Month(_))
        || bound.grade.is_some()
        || connective.has(Cue::Not)
    {
        return;
    }
    let mut properties = time_properties(context, set);
    properties.extend(year_properties(context, set));
    for (rank, step) in properties.into_iter().enumerate() {
        let condition = Condition::Compare(Measure::Value(vec![step]), bound.op, bound.against.clone());
        let found = Derived::set(set.and(condition)).with(Feature::Unnamed, 1.0);
        derived.push(found.with(Feature::UnnamedTimeRank, rank as f32));
    }
}

/// "Where is X?": a place that X is joined to; "who is in charge of X?": a person joined to X.
fn of_kind<'k>(context: &Context<'k>, set: &Rc<Set<'k>>, wanted: AnswerKind, derived: &mut Vec<Derived<'k>>) {
    let both_ways = wanted == AnswerKind::Person;
    let hops = set.kind.classes().iter().take(2).flat_map(|class| context.schema.index.graph.hops(class));
    let of_class = hops.filter_map(|hop| {
        Some(Step { property: context.schema.property(&hop.property)?.iri.as_str(), forward: hop.forward })
    });
    let own = context.steps_of(set).into_iter();
    let mut steps: Vec<Step<'k>> = Vec::new();
    for step in of_class.chain(own) {
        if (step.forward || both_ways) && steps.len() < MAX_STEPS && !steps.contains(&step) {
            steps.push(step);
        }
    }
    if wanted == AnswerKind::Place {
        steps.sort_by_key(|step| !names_only_place(context, step.property));
    }
    let mut rank = 0.0;
    for step in steps {
        let Some(kind) = context.leads(&[step], set) else { continue };
        // A node without a class may be a place according to its property: "address".
        let called = || {
            !both_ways
                && !kind.is_measurable()
                && context.is_kind(&kind, wanted).is_none()
                && context.names_kind(step.property, wanted)
        };
        if context.is_kind(&kind, wanted) == Some(true) || called() {
            let found = Set::any(kind, Condition::Joined(turned(&[step]), set.clone()));
            let feature = if both_ways { Feature::UnnamedPerson } else { Feature::Unnamed };
            derived.push(Derived::set(found).with(feature, 1.0).with(Feature::UnnamedTimeRank, rank));
            rank += 1.0;
        }
    }
}

/// Whether a name says where something is, not where something happened: "room" or "located in", but not "place of birth".
fn names_only_place(context: &Context<'_>, property: &str) -> bool {
    let languages = [context.question.language, fallback()];
    let place = |word: &String| {
        languages.iter().any(|language| {
            let kind = |noun: &str| language.kind_of_noun(noun) == Some(AnswerKind::Place);
            let silent = language.is_function_word(word) || language.is_light_verb(word);
            match language.related(word).first() {
                Some(related) if !kind(word) => kind(&related.noun),
                _ => kind(word) || silent,
            }
        })
    };
    context.names_of(property).iter().any(|name| !name.is_empty() && name.iter().all(place))
}

#[cfg(test)]
mod tests;

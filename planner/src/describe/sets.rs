//! Sets, conditions and measures in words.

use super::told::{Told, say};
use crate::meaning::{Against, Base, Condition, Func, Joint, Like, Measure, Op, Path, Rank, Set, Step};
use std::rc::Rc;

/// Things or values that are named one by one.
const MAX_NAMED: usize = 3;

pub(super) fn set(set: &Set<'_>) -> Told {
    let (owned, rest): (Vec<_>, Vec<_>) =
        set.conditions.iter().partition(|condition| set.is_open() && is_of(condition));
    let mut owned = owned.into_iter();
    let head = match owned.next() {
        Some(Condition::Joined(path, inner)) => of(path, inner),
        _ => base(&set.base),
    };
    let conditions = owned.chain(rest).map(condition);
    let text = Told::join(std::iter::once(head).chain(conditions), " ");
    match &set.rank {
        Some(rank) => text.then(ranked(rank)),
        None => text,
    }
}

/// What the members are, without any condition.
pub(super) fn head(set: &Set<'_>) -> Told {
    match (&set.base, set.conditions.iter().find(|condition| is_of(condition))) {
        (Base::Any, Some(Condition::Joined(path, _))) => way(path),
        _ => base(&set.base),
    }
}

fn base(base: &Base<'_>) -> Told {
    match base {
        Base::Any => say("something"),
        Base::Class(class) => Told::default().name(class),
        Base::Things(things) => list(things, |thing| Told::default().name(thing)),
        Base::Values(values) => list(values, say),
    }
}

fn list(all: &[Rc<str>], tell: impl Fn(&str) -> Told) -> Told {
    let named = Told::join(all.iter().take(MAX_NAMED).map(|one| tell(one)), " or ");
    if all.len() > MAX_NAMED { named.say(" or others") } else { named }
}

/// "The capital of …": a way that is walked against its direction.
fn is_of(condition: &Condition<'_>) -> bool {
    matches!(condition, Condition::Joined(path, _) if !path.is_empty() && path.iter().all(|step| !step.forward))
}

fn of(path: &[Step<'_>], inner: &Set<'_>) -> Told {
    say("the ").then(way(path)).say(" of ").then(set(inner))
}

/// The properties of a way from its end to its beginning: "country of birth place".
pub(super) fn way(path: &[Step<'_>]) -> Told {
    let steps = path.iter().map(|step| Told::default().name(step.property));
    if path.iter().all(|step| !step.forward) {
        Told::join(steps, " of ")
    } else {
        Told::join(steps.rev(), " of ")
    }
}

fn condition(condition: &Condition<'_>) -> Told {
    match condition {
        Condition::Joined(path, inner) if path.is_empty() => say("that is ").then(set(inner)),
        Condition::Joined(path, inner) if inner.is_open() && inner.conditions.is_empty() => leading(path),
        Condition::Joined(path, inner) => leading(path).say(" ").then(set(inner)),
        Condition::Not(inner) => say("but not ").then(self::condition(inner)),
        Condition::Either(all) => Told::join(all.iter().map(self::condition), " or "),
        Condition::Compare(measured, op, against) => compared(measured, *op, against),
        Condition::Like(path, like, text) => {
            say("whose ").then(way(path)).say(&format!(" {} \"{text}\"", verb(*like)))
        }
        Condition::Other(things) => {
            say("other than ").then(list(things, |thing| Told::default().name(thing)))
        }
        Condition::Placed(property, place, inner) => {
            let step = Step { property, forward: false };
            leading(&[step]).say(" ").then(set(inner)).say(&format!(" ({place})"))
        }
        Condition::Only(path, inner) => leading(path).say(" only ").then(set(inner)),
        Condition::Every(path, inner) => leading(path).say(" every one of ").then(set(inner)),
        Condition::Same(path, inner) => say("with the same ").then(way(path)).say(" as ").then(set(inner)),
    }
}

/// A way from the member on: "with capital that lies in", "that is mayor of".
fn leading(path: &[Step<'_>]) -> Told {
    let steps = path.iter().enumerate().map(|(at, step)| match (step.forward, at) {
        (true, 0) => say("with ").name(step.property),
        (true, _) => say("that has ").name(step.property),
        (false, _) => say("that is ").name(step.property).say(" of"),
    });
    Told::join(steps, " ")
}

fn verb(like: Like) -> &'static str {
    match like {
        Like::Is => "is",
        Like::Contains => "contains",
        Like::Begins => "begins with",
        Like::Ends => "ends with",
    }
}

fn compared(measured: &Measure<'_>, op: Op, against: &Against<'_>) -> Told {
    let text = say("with ").then(measure(measured));
    match against {
        Against::Number(number) => text.say(&format!(" {} {number}", op.sign())),
        Against::Range(from, to) => text.say(&format!(" from {from} to {to}")),
        Against::Period { from, to, .. } => text.say(&period(op, from, to)),
        Against::Month(month) => text.say(&format!(" in month {month}")),
        Against::Thing(other, _) => text.say(&format!(" {} that of ", op.sign())).then(set(other)),
        Against::Overall(func, all) => {
            text.say(&format!(" {} the {} of all ", op.sign(), called(*func))).then(set(all))
        }
        Against::Own(other) => text.say(&format!(" {} its ", op.sign())).then(measure(other)),
    }
}

fn period(op: Op, from: &str, to: &str) -> String {
    match op {
        Op::Equal if from == to => format!(" on {from}"),
        Op::Equal => format!(" from {from} to {to}"),
        Op::Less => format!(" before {from}"),
        Op::AtMost => format!(" until {to}"),
        Op::Greater => format!(" after {to}"),
        Op::AtLeast => format!(" since {from}"),
    }
}

pub(super) fn measure(measure: &Measure<'_>) -> Told {
    match measure {
        Measure::Value(path) => way(path),
        Measure::Count(path, inner) if path.is_empty() => say("number of ").then(set(inner)),
        Measure::Count(path, inner) if inner.is_open() => say("number of ").then(way(path)),
        Measure::Count(path, inner) => say("number of ").then(set(inner)).say(" by ").then(way(path)),
        Measure::Aggregate(func, path) => say(called(*func)).say(" ").then(way(path)),
        Measure::Age(path) => say("age by ").then(way(path)),
        Measure::Years(from, to) => say("years from ").then(way(from)).say(" to ").then(way(to)),
        Measure::YearsUntil(from, day) => say("years from ").then(way(from)).say(&format!(" to {day}")),
        Measure::Year(path) => say("year of ").then(way(path)),
        Measure::Formula(terms) => formula(terms),
    }
}

fn formula(terms: &[(Joint, Path<'_>)]) -> Told {
    terms.iter().fold(Told::default(), |text, (joint, path)| match (text.is_empty(), joint) {
        (true, _) => way(path),
        (false, Joint::Times) => text.say(" * ").then(way(path)),
        (false, Joint::Over) => text.say(" / ").then(way(path)),
        (false, Joint::Minus) => text.say(" - ").then(way(path)),
    })
}

pub(super) fn called(func: Func) -> &'static str {
    match func {
        Func::Average => "average",
        Func::Sum => "sum",
        Func::Maximum => "maximum",
        Func::Minimum => "minimum",
    }
}

fn ranked(rank: &Rank<'_>) -> Told {
    let skipped = if rank.skip > 0 { format!(", without the first {}", rank.skip) } else { String::new() };
    let first = if rank.down { ", highest " } else { ", lowest " };
    let text = say(first).then(measure(&rank.by)).say(&format!(" first{skipped}, {} of them", rank.take));
    if rank.per.is_empty() { text } else { text.say(" for each ").then(way(&rank.per)) }
}

//! Sets, conditions and measures in words.

use super::localized_text::{self, LocalizedText, Walk, given, name, say};
use crate::meaning::{Base, Condition, Func, Joint, Like, Measure, Op, Operand, Rank, Set, Step};
use std::rc::Rc;

/// Maximum number of things or values named one by one.
const MAX_NAMED: usize = 3;

pub(super) fn set(set: &Set<'_>) -> LocalizedText {
    let (owned, rest): (Vec<_>, Vec<_>) =
        set.conditions.iter().partition(|condition| set.is_open() && is_of(condition));
    let mut owned = owned.into_iter();
    let head = match owned.next() {
        Some(Condition::Joined(path, inner)) => say("fact", [("way", way(path)), ("of", self::set(inner))]),
        _ => base(&set.base),
    };
    let narrow = |of, next| say("narrowed", [("of", of), ("what", condition(next))]);
    set.rank.iter().fold(owned.chain(rest).fold(head, narrow), ranked)
}

/// What the members are, without conditions.
pub(super) fn head(set: &Set<'_>) -> LocalizedText {
    match (&set.base, set.conditions.iter().find(|condition| is_of(condition))) {
        (Base::Any, Some(Condition::Joined(path, _))) => way(path),
        _ => base(&set.base),
    }
}

fn base(base: &Base<'_>) -> LocalizedText {
    match base {
        Base::Any => say("something", []),
        Base::Class(class) => name(class),
        Base::Things(things) => list(things, name),
        Base::Values(values) => list(values, |value| given(literal(value))),
    }
}

/// A SPARQL literal as people write it: texts in quotation marks, everything else bare, without datatype and language tag.
fn literal(text: &str) -> &str {
    let Some((lexical, after)) = text.strip_prefix('"').and_then(|inner| inner.rsplit_once('"')) else {
        return text;
    };
    match after.starts_with("^^") && !after.ends_with("#string>") {
        true => lexical,
        false => text.get(..lexical.len() + 2).unwrap_or(text),
    }
}

fn list(all: &[Rc<str>], tell: impl Fn(&str) -> LocalizedText) -> LocalizedText {
    let named = LocalizedText::join(all.iter().take(MAX_NAMED).map(|one| tell(one)), "or");
    if all.len() > MAX_NAMED { say("or_others", [("list", named)]) } else { named }
}

/// "The capital of …": a path followed backward.
fn is_of(condition: &Condition<'_>) -> bool {
    matches!(condition, Condition::Joined(path, _) if !path.is_empty() && path.iter().all(|step| !step.forward))
}

/// The properties of a path from its end to its start: "country of birth place".
pub(super) fn way(path: &[Step<'_>]) -> LocalizedText {
    let steps = path.iter().map(|step| name(step.property));
    match path.iter().all(|step| !step.forward) {
        true => LocalizedText::join(steps, "way"),
        false => LocalizedText::join(steps.rev(), "way"),
    }
}

fn condition(condition: &Condition<'_>) -> LocalizedText {
    match condition {
        Condition::Joined(path, inner) if path.is_empty() => say("is", [("of", set(inner))]),
        Condition::Joined(path, inner) if inner.is_open() && inner.conditions.is_empty() => {
            leading(path, given(""))
        }
        Condition::Joined(path, inner) => leading(path, set(inner)),
        Condition::Not(inner) => say("not", [("of", self::condition(inner))]),
        Condition::Either(all) => LocalizedText::join(all.iter().map(self::condition), "or"),
        Condition::Compare(measured, op, against) => compared(measure(measured), *op, against),
        Condition::Like(path, like, text) => say(alike(*like), [("way", way(path)), ("text", given(text))]),
        Condition::Other(things) => say("other_than", [("list", list(things, name))]),
        Condition::Placed(property, place, inner) => {
            let what = leading(&[Step { property, forward: false }], set(inner));
            say("placed", [("what", what), ("n", given(place))])
        }
        Condition::Meets(pattern) => say("is", [("of", name(pattern))]),
        Condition::Same(path, inner) => say("same", [("way", way(path)), ("of", set(inner))]),
        Condition::Only(path, inner) => leading(path, say("only", [("of", set(inner))])),
        Condition::Every(path, inner) => leading(path, say("every_one", [("of", set(inner))])),
    }
}

/// A path from the member to its end: "with capital that lies in", "that is mayor of".
fn leading(path: &[Step<'_>], end: LocalizedText) -> LocalizedText {
    path.iter().enumerate().rev().fold(end, |rest, (at, step)| {
        let walk = match (step.forward, at) {
            (true, 0) => Walk::First,
            (true, _) => Walk::Next,
            (false, _) => Walk::Anaphor,
        };
        localized_text::step(walk, step.property, rest)
    })
}

fn alike(like: Like) -> &'static str {
    match like {
        Like::Is => "is",
        Like::Contains => "contains",
        Like::Begins => "begins",
        Like::Ends => "ends",
    }
}

fn compared(by: LocalizedText, op: Op, against: &Operand<'_>) -> LocalizedText {
    let to = match against {
        Operand::Range(from, to) | Operand::Period { from, to } => {
            let key = if let Operand::Range(..) = against { "between" } else { period(op, from, to) };
            return say(key, [("by", by), ("from", given(from)), ("to", given(to))]);
        }
        Operand::Month(month) => return say("month", [("by", by), ("n", given(month))]),
        Operand::Number(number) => given(number),
        Operand::Thing(other, _) => say("that_of", [("of", set(other))]),
        Operand::Overall(func, all) => say(func_keys(*func).1, [("of", set(all))]),
        Operand::Own(other) => say("its", [("of", measure(other))]),
    };
    say("compared", [("by", by), ("op", given(op.sign())), ("to", to)])
}

fn period(op: Op, from: &str, to: &str) -> &'static str {
    match op {
        Op::Equal if from == to => "on",
        Op::Equal => "between",
        Op::Less => "before",
        Op::AtMost => "until",
        Op::Greater => "after",
        Op::AtLeast => "since",
    }
}

pub(super) fn measure(measure: &Measure<'_>) -> LocalizedText {
    match measure {
        Measure::Value(path) => way(path),
        Measure::Count(path, inner) if path.is_empty() => say("count", [("of", set(inner))]),
        Measure::Count(path, inner) if inner.is_open() => say("count", [("of", way(path))]),
        Measure::Count(path, inner) => say("count_by", [("of", set(inner)), ("way", way(path))]),
        Measure::Aggregate(func, path) => aggregate(*func, way(path)),
        Measure::Age(path) => say("age", [("of", way(path))]),
        Measure::Years(from, to) => say("years", [("from", way(from)), ("to", way(to))]),
        Measure::YearsUntil(from, day) => say("years", [("from", way(from)), ("to", given(day))]),
        Measure::Year(path) => say("year", [("of", way(path))]),
        Measure::Formula(terms) => terms.iter().fold(given(""), |a, (joint, path)| {
            let op = match joint {
                _ if a.is_empty() => return way(path),
                Joint::Times => "*",
                Joint::Over => "/",
                Joint::Minus => "-",
            };
            say("formula", [("a", a), ("op", given(op)), ("b", way(path))])
        }),
    }
}

/// An aggregate of something: "average height".
pub(super) fn aggregate(func: Func, of: LocalizedText) -> LocalizedText {
    say(func_keys(func).0, [("of", of)])
}

/// The phrase keys for an aggregate, and for the same over a whole set.
fn func_keys(func: Func) -> (&'static str, &'static str) {
    match func {
        Func::Average => ("average", "average_of_all"),
        Func::Sum => ("sum", "sum_of_all"),
        Func::Maximum => ("maximum", "maximum_of_all"),
        Func::Minimum => ("minimum", "minimum_of_all"),
    }
}

fn ranked(of: LocalizedText, rank: &Rank<'_>) -> LocalizedText {
    let key = match (rank.down, rank.skip) {
        (true, 0) => "highest",
        (false, 0) => "lowest",
        (true, _) => "highest_after",
        (false, _) => "lowest_after",
    };
    let by = measure(&rank.by);
    let what = say(key, [("of", of), ("by", by), ("skip", given(rank.skip)), ("n", given(rank.take))]);
    if rank.per.is_empty() { what } else { say("each", [("what", what), ("of", way(&rank.per))]) }
}

#[cfg(test)]
mod tests {
    use super::literal;

    #[test]
    fn literals_are_told_without_datatype_and_language() {
        for (written, told) in [
            ("\"true\"^^<http://www.w3.org/2001/XMLSchema#boolean>", "true"),
            ("\"driver\"@en", "\"driver\""),
            ("\"a \\\" b\"", "\"a \\\" b\""),
            ("\"x\"^^<http://www.w3.org/2001/XMLSchema#string>", "\"x\""),
            ("3", "3"),
            ("\"", "\""),
            ("", ""),
        ] {
            assert_eq!(literal(written), told);
        }
    }
}

//! The only place where meanings become SPARQL 1.1. Uses the schema for casts and for the path to a class.
//!
//! Whatever the question, the query of an answer has run, and the answer arrives within the time limit. Test: `tests/planner.rs`
//! of the program.

mod collections;
mod conditions;
mod measures;
mod parts;
mod pattern;
mod quantified;
mod times;
mod units;

pub(crate) use parts::{Opaque, Opened, Part};

use crate::meaning::{Answer, Base, Column, ColumnFunction, Func, Measure, Rank, Set};
use crate::schema::Schema;
use eruca_indexer::PropertyValue;
use eruca_indexer::vocabulary::XSD_STRING;
use pattern::Pattern;
use std::rc::Rc;

/// What happens to members that tie with the last one kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ties {
    /// They are dropped.
    Cut,
    /// They are kept, if only the top one is asked for.
    Kept,
}

/// A text as a SPARQL literal.
pub(crate) fn quoted(text: &str) -> String {
    eruca_sparql::Literal::new_simple_literal(text).to_string()
}

/// A value of the index as a SPARQL literal.
pub(crate) fn literal(value: &PropertyValue) -> String {
    let text = quoted(&value.text);
    match (value.language.as_str(), value.datatype.as_str()) {
        ("", XSD_STRING) => text,
        ("", datatype) => format!("{text}^^<{datatype}>"),
        (language, _) => format!("{text}@{language}"),
    }
}

/// The query of an answer.
pub(crate) fn render<'k>(schema: &Schema<'k>, answer: &Answer<'k>, ties: Ties) -> String {
    let mut pattern = Pattern::new(schema, ties);
    match answer {
        Answer::List { of, columns, order, limit: None } if columns.is_empty() && order.is_empty() => {
            match collections::of_list(schema, of) {
                Some(listed) => collections::in_order(&mut pattern, of, listed),
                None => list(&mut pattern, of, columns, (order, None)),
            }
        }
        Answer::List { of, columns, order, limit } => list(&mut pattern, of, columns, (order, *limit)),
        Answer::Count(set) => {
            let member = pattern.members(set);
            format!("SELECT (COUNT(DISTINCT {member}) AS ?count) WHERE {{ {} }}", pattern.text())
        }
        Answer::Overall { of, columns } => overall(&mut pattern, of, columns),
        Answer::Exists(set) => {
            let member = pattern.members(set);
            match pattern.text() {
                // For a bare thing, asks whether any statement about it exists. An empty pattern would always match.
                text if text.is_empty() => format!("ASK {{ {member} ?property ?value . }}"),
                text => format!("ASK {{ {text} }}"),
            }
        }
        Answer::Share(part, whole) => share(schema, part, whole),
        Answer::Quantified(quantifier, whole, part) => {
            quantified::asked(&mut pattern, *quantifier, whole, part)
        }
        Answer::Numbered(set, op, number) => numbered(&mut pattern, set, (op.sign(), number)),
        Answer::Measured(set, measure) => {
            let member = pattern.members(set);
            let value = pattern.measure(&member, measure);
            format!("SELECT DISTINCT ({value} AS ?measured) WHERE {{ {} }}", pattern.text())
        }
        Answer::Difference { from, to, years } => difference(&mut pattern, from, to, *years),
        Answer::Sum(sets, measure) => sum(&mut pattern, sets, measure),
        Answer::OfEach(func, set, measure) => of_each(&mut pattern, *func, set, measure),
    }
}

fn list<'k>(
    pattern: &mut Pattern<'_, 'k>,
    of: &Set<'k>,
    columns: &[Column<'k>],
    (order, limit): (&[(Measure<'k>, bool)], Option<u32>),
) -> String {
    // Related things of the top members may coincide, so the members are limited before the related things are selected.
    let first = of.rank.as_ref().is_some_and(|rank| rank.take > 1) && shows_others(pattern, columns);
    let free = Set { rank: of.rank.clone().filter(|_| first), ..of.clone() };
    let member = pattern.members(&free);
    let shown: Vec<(String, bool)> = columns.iter().map(|column| pattern.column(&member, column)).collect();
    let shown = if shown.is_empty() { vec![(member.clone(), false)] } else { shown };
    let mut keys: Vec<String> =
        order.iter().map(|(measure, down)| direction(&pattern.measure(&member, measure), *down)).collect();
    let mut bounds = limit.map_or_else(String::new, |limit| format!(" LIMIT {limit}"));
    if let Some(rank) = of.rank.as_ref().filter(|_| !first) {
        let (key, end) = ranked(pattern, &member, &free, rank);
        keys.extend(key);
        bounds = end;
    }
    let grouped = shown.iter().any(|(_, aggregate)| *aggregate) || keys.iter().any(|key| is_aggregate(key));
    let head: Vec<&str> = shown.iter().map(|(text, _)| text.as_str()).collect();
    let distinct = if grouped { "" } else { "DISTINCT " };
    let mut text = format!("SELECT {distinct}{} WHERE {{ {} }}", head.join(" "), pattern.text());
    if grouped {
        // Rows per year replace rows per day.
        let mut units = columns.iter().zip(&shown).filter(|(column, _)| column.what.is_calendar());
        let times = units.next().map(|(_, (name, _))| name.clone());
        let rows = grouping(times.is_none().then_some(&member), &shown);
        text.push_str(&rows);
        // Times are ordered chronologically, other rows by their number.
        if keys.is_empty() && !rows.is_empty() {
            keys.extend(times.or_else(|| the_number(&shown)));
        }
    }
    if !keys.is_empty() {
        text.push_str(&format!(" ORDER BY {}", keys.join(" ")));
    }
    text + &bounds
}

/// Whether only things that members are joined to are shown.
fn shows_others<'k>(pattern: &Pattern<'_, 'k>, columns: &[Column<'k>]) -> bool {
    let other = |column: &Column<'k>| {
        let last = column.then.last().or(column.path.last());
        column.what == ColumnFunction::Value
            && last.is_some_and(|last| !pattern.schema.end(*last).is_values())
    };
    !columns.is_empty() && columns.iter().all(other)
}

fn grouping(member: Option<&String>, shown: &[(String, bool)]) -> String {
    let mut keys: Vec<&str> =
        shown.iter().filter(|(_, aggregate)| !aggregate).map(|(text, _)| text.as_str()).collect();
    if let Some(member) = member.filter(|member| member.starts_with('?') && !keys.contains(&member.as_str()))
    {
        keys.push(member);
    }
    let keys: Vec<&str> = keys.into_iter().filter(|key| key.starts_with('?')).collect();
    if keys.is_empty() { String::new() } else { format!(" GROUP BY {}", keys.join(" ")) }
}

/// The sort key of the only numeric aggregate, descending.
fn the_number(shown: &[(String, bool)]) -> Option<String> {
    let mut numbers = shown.iter().filter(|(_, aggregate)| *aggregate);
    let (text, _) = numbers.next().filter(|_| numbers.next().is_none())?;
    let name = text.rsplit_once(" AS ")?.1.trim_end_matches(')');
    Some(direction(name, true))
}

fn is_aggregate(key: &str) -> bool {
    ["COUNT(", "AVG(", "SUM(", "MAX(", "MIN("].iter().any(|function| key.contains(function))
}

fn direction(key: &str, down: bool) -> String {
    format!("{}({key})", if down { "DESC" } else { "ASC" })
}

/// The sort key and limit of a rank; with ties kept, a condition in the pattern replaces them.
fn ranked<'k>(
    pattern: &mut Pattern<'_, 'k>,
    member: &str,
    free: &Set<'k>,
    rank: &Rank<'k>,
) -> (Option<String>, String) {
    if !rank.per.is_empty() || (pattern.keeps_ties() && rank.skip == 0 && rank.take == 1) {
        pattern.greatest(member, free, rank);
        return (None, String::new());
    }
    let key = pattern.measure(member, &rank.by);
    let offset = if rank.skip > 0 { format!(" OFFSET {}", rank.skip) } else { String::new() };
    (Some(direction(&key, rank.down)), format!(" LIMIT {}{offset}", rank.take))
}

fn overall<'k>(pattern: &mut Pattern<'_, 'k>, of: &Set<'k>, columns: &[Column<'k>]) -> String {
    let member = pattern.members(of);
    let shown: Vec<String> = columns.iter().map(|column| pattern.column(&member, column).0).collect();
    format!("SELECT {} WHERE {{ {} }}", shown.join(" "), pattern.text())
}

fn share<'k>(schema: &Schema<'k>, part: &Set<'k>, whole: &Set<'k>) -> String {
    let (part, whole) = (counted(schema, part, "part"), counted(schema, whole, "whole"));
    format!("SELECT ((100.0 * ?part / ?whole) AS ?percentage) WHERE {{ {part} {whole} }}")
}

/// A subquery with the number of members.
fn counted<'k>(schema: &Schema<'k>, set: &Set<'k>, name: &str) -> String {
    let mut pattern = Pattern::new(schema, Ties::Cut);
    let member = pattern.members(set);
    format!("{{ SELECT (COUNT(DISTINCT {member}) AS ?{name}) WHERE {{ {} }} }}", pattern.text())
}

/// Whether the number of members of a set compares as stated.
fn numbered<'k>(pattern: &mut Pattern<'_, 'k>, set: &Set<'k>, (sign, number): (&str, &str)) -> String {
    let member = pattern.members(set);
    let count = format!("SELECT (COUNT(DISTINCT {member}) AS ?count) WHERE {{ {} }}", pattern.text());
    format!("ASK {{ {{ {count} }} FILTER(?count {sign} {number}) }}")
}

type Measured<'k> = (Rc<Set<'k>>, Measure<'k>);

fn difference<'k>(
    pattern: &mut Pattern<'_, 'k>,
    from: &Measured<'k>,
    to: &Measured<'k>,
    years: bool,
) -> String {
    let (a, b) = (pattern.members(&from.0), pattern.members(&to.0));
    let between = match years {
        true => pattern.years_apart((&a, &from.1), (&b, &to.1)),
        false => {
            let (first, second) = (pattern.measure(&a, &from.1), pattern.measure(&b, &to.1));
            format!("ABS({first} - {second})")
        }
    };
    format!("SELECT DISTINCT ({between} AS ?difference) WHERE {{ {} }}", pattern.text())
}

fn sum<'k>(pattern: &mut Pattern<'_, 'k>, sets: &[Rc<Set<'k>>], measure: &Measure<'k>) -> String {
    let parts: Vec<String> = sets
        .iter()
        .map(|set| {
            let member = pattern.members(set);
            pattern.measure(&member, measure)
        })
        .collect();
    format!("SELECT (({}) AS ?sum) WHERE {{ {} }}", parts.join(" + "), pattern.text())
}

/// An aggregate over numbers computed per member.
fn of_each<'k>(pattern: &mut Pattern<'_, 'k>, func: Func, set: &Set<'k>, measure: &Measure<'k>) -> String {
    let member = pattern.members(set);
    let value = pattern.measure(&member, measure);
    let each = format!("SELECT {member} ({value} AS ?each) WHERE {{ {} }} GROUP BY {member}", pattern.text());
    format!("SELECT ({}(?each) AS ?{}) WHERE {{ {{ {each} }} }}", func.name(), func.name().to_lowercase())
}

/// The column alias for a count or an aggregate.
pub(super) fn alias(what: ColumnFunction, number: usize) -> String {
    match what {
        ColumnFunction::Value => String::new(),
        ColumnFunction::Count => format!("?count{number}"),
        ColumnFunction::Age => format!("?age{number}"),
        ColumnFunction::Year => format!("?year{number}"),
        ColumnFunction::Era(100) => format!("?century{number}"),
        ColumnFunction::Era(_) => format!("?decade{number}"),
        ColumnFunction::Month => format!("?month{number}"),
        ColumnFunction::Aggregate(func) => format!("?{}{number}", func.name().to_lowercase()),
    }
}

/// The single thing or literal that a set consists of, in SPARQL syntax.
pub(super) fn constant(set: &Set<'_>) -> Option<String> {
    if !set.conditions.is_empty() || set.rank.is_some() {
        return None;
    }
    match &set.base {
        Base::Things(things) => match things.as_slice() {
            [one] => Some(format!("<{one}>")),
            _ => None,
        },
        Base::Values(values) => match values.as_slice() {
            [one] => Some(one.to_string()),
            _ => None,
        },
        Base::Any | Base::Class(_) => None,
    }
}

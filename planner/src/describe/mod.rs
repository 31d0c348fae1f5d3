//! Descriptions of a reading in one short line, by phrases of the packs, for people and models. Knows meanings alone; names and
//! the language are supplied by the caller.

mod localized_text;
mod sets;
#[cfg(test)]
mod tests;

pub use localized_text::LocalizedText;

use crate::meaning::{Answer, Column, ColumnFunction, Measure, Quantifier, Set};
use localized_text::{given, say};
use sets::{aggregate, head, measure, set, way};

/// An answer in words: "the number of singers, for each country".
pub(crate) fn described(answer: &Answer<'_>) -> LocalizedText {
    match answer {
        Answer::List { of, columns, order, limit } => {
            let what = ordered(listed(of, columns), order);
            limit.map_or(what.clone(), |limit| say("limited", [("what", what), ("n", given(limit))]))
        }
        Answer::Count(of) => say("count_all", [("of", set(of))]),
        Answer::Overall { of, columns } => say("overall", [("what", shown(columns, of)), ("of", set(of))]),
        Answer::Exists(of) => say("exists", [("of", set(of))]),
        Answer::Share(part, whole) => say("share", [("part", set(part)), ("whole", set(whole))]),
        Answer::Quantified(quantifier, whole, part) => {
            let key = match quantifier {
                Quantifier::All => "every",
                Quantifier::NotAll => "not_every",
                Quantifier::Most => "most",
                Quantifier::None => "none",
            };
            say(key, [("part", set(part)), ("whole", set(whole))])
        }
        Answer::Difference { from, to, years } => {
            let key = if *years { "years_between" } else { "difference" };
            say(key, [("from", measured(&from.0, &from.1)), ("to", measured(&to.0, &to.1))])
        }
        Answer::Numbered(of, op, number) => {
            say("numbered", [("of", set(of)), ("op", given(op.sign())), ("n", given(number))])
        }
        Answer::Measured(of, by) => measured(of, by),
        Answer::OfEach(func, of, by) => {
            say("of_each", [("what", aggregate(*func, measure(by))), ("of", set(of))])
        }
        Answer::Sum(all, by) => {
            let list = LocalizedText::join(all.iter().map(|of| set(of)), "and");
            say("sum_of", [("by", measure(by)), ("list", list)])
        }
    }
}

/// Describes the rows and columns returned.
pub(crate) fn returned(answer: &Answer<'_>) -> LocalizedText {
    match answer {
        Answer::List { of, columns, .. } => rows(of, columns),
        Answer::Overall { of, columns } => say("one_row", [("list", shown(columns, of))]),
        Answer::Exists(_) | Answer::Numbered(..) | Answer::Quantified(..) => say("yes_no", []),
        Answer::Measured(of, _) => say("rows", [("of", head(of))]),
        Answer::Count(_)
        | Answer::Share(..)
        | Answer::Difference { .. }
        | Answer::Sum(..)
        | Answer::OfEach(..) => say("one_number", []),
    }
}

fn rows(of: &Set<'_>, columns: &[Column<'_>]) -> LocalizedText {
    let row = columns.first().filter(|_| of.is_named()).map_or_else(|| head(of), |first| column(first, of));
    match columns {
        [] => say("rows", [("of", row)]),
        _ => say("rows_columns", [("of", row), ("list", shown(columns, of))]),
    }
}

fn listed(of: &Set<'_>, columns: &[Column<'_>]) -> LocalizedText {
    let others = || columns.iter().filter(|column| !column.is_this());
    let key = match (columns.iter().any(Column::is_aggregate), columns.iter().any(Column::is_this)) {
        _ if others().next().is_none() => return set(of),
        (true, _) => "each",
        (false, true) => "each_with",
        (false, false) => "columns_of",
    };
    say(key, [("what", shown(others(), of)), ("of", set(of))])
}

fn shown<'c, 'k: 'c>(columns: impl IntoIterator<Item = &'c Column<'k>>, of: &Set<'_>) -> LocalizedText {
    LocalizedText::join(columns.into_iter().map(|one| column(one, of)), "next")
}

fn column(column: &Column<'_>, of: &Set<'_>) -> LocalizedText {
    let inner = match (&column.of, column.path.is_empty()) {
        (Some(inner), _) => head(inner),
        (None, true) => head(of),
        (None, false) => way(&column.path),
    };
    let named = if column.then.is_empty() { inner } else { way(&column.then) };
    let what = match column.what {
        ColumnFunction::Value => named,
        ColumnFunction::Count => say("count", [("of", named)]),
        ColumnFunction::Age => say("age", [("of", named)]),
        ColumnFunction::Year => say("year", [("of", named)]),
        ColumnFunction::Era(100) => say("century", [("of", named)]),
        ColumnFunction::Era(_) => say("decade", [("of", named)]),
        ColumnFunction::Month => say("month_of", [("of", named)]),
        ColumnFunction::Aggregate(func) => aggregate(func, named),
    };
    if column.optional { say("optional", [("what", what)]) } else { what }
}

fn ordered(what: LocalizedText, order: &[(Measure<'_>, bool)]) -> LocalizedText {
    let key = |down: bool| if down { "descending" } else { "ascending" };
    let list =
        LocalizedText::join(order.iter().map(|(by, down)| say(key(*down), [("by", measure(by))])), "then");
    if list.is_empty() { what } else { say("ordered", [("what", what), ("list", list)]) }
}

fn measured(of: &Set<'_>, by: &Measure<'_>) -> LocalizedText {
    say("measured", [("by", measure(by)), ("of", set(of))])
}

//! What was read, in words for people and models: short, one line. Knows meanings alone; names come from whoever shows it.

mod sets;
#[cfg(test)]
mod tests;
mod told;

pub use told::Told;

use crate::meaning::{Answer, Column, Measure, Quantifier, Set, What};
use sets::{called, head, measure, set, way};
use std::rc::Rc;
use told::say;

/// An answer in words: "the number of singers, for each country".
pub(crate) fn described(answer: &Answer<'_>) -> Told {
    match answer {
        Answer::List { of, columns, order, limit } => {
            let text = listed(of, columns).then(ordered(order));
            limit.map_or_else(|| text.clone(), |limit| text.clone().say(&format!(", the first {limit}")))
        }
        Answer::Count(of) => say("the number of ").then(set(of)),
        Answer::Overall { of, columns } => shown(columns, of).say(" over all ").then(set(of)),
        Answer::Exists(of) => say("whether there is ").then(set(of)),
        Answer::Share(part, whole) => {
            say("how many percent of ").then(set(whole)).say(" are ").then(set(part))
        }
        Answer::Quantified(quantifier, whole, part) => {
            say("whether ").say(many(*quantifier)).say(" of ").then(set(whole)).say(" are ").then(set(part))
        }
        Answer::Difference { from, to, years } => difference(from, to, *years),
        Answer::Numbered(of, op, number) => {
            say("whether the number of ").then(set(of)).say(&format!(" is {} {number}", op.sign()))
        }
        Answer::Measured(of, by) => say("the ").then(measure(by)).say(" of ").then(set(of)),
        Answer::OfEach(func, of, by) => {
            say("the ").say(called(*func)).say(" ").then(measure(by)).say(" over all ").then(set(of))
        }
        Answer::Sum(all, by) => say("the sum of ")
            .then(measure(by))
            .say(" of ")
            .then(Told::join(all.iter().map(|of| set(of)), " and ")),
    }
}

fn many(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::All => "all",
        Quantifier::NotAll => "not all",
        Quantifier::Most => "more than half",
        Quantifier::None => "none",
    }
}

/// What the rows are, and the columns.
pub(crate) fn returned(answer: &Answer<'_>) -> Told {
    match answer {
        Answer::List { of, columns, .. } => rows(of, columns),
        Answer::Overall { of, columns } => say("one row; columns: ").then(shown(columns, of)),
        Answer::Exists(_) | Answer::Numbered(..) | Answer::Quantified(..) => say("yes or no"),
        Answer::Measured(of, _) => say("one row per ").then(head(of)).say("; one column"),
        Answer::Count(_)
        | Answer::Share(..)
        | Answer::Difference { .. }
        | Answer::Sum(..)
        | Answer::OfEach(..) => say("one number"),
    }
}

fn rows(of: &Set<'_>, columns: &[Column<'_>]) -> Told {
    let row = match columns.first().filter(|_| of.is_named()) {
        Some(first) => column(first, of),
        None => head(of),
    };
    let row = say("one row per ").then(row);
    if columns.is_empty() { row.say("; one column") } else { row.say("; columns: ").then(shown(columns, of)) }
}

fn listed(of: &Set<'_>, columns: &[Column<'_>]) -> Told {
    let others: Vec<&Column<'_>> = columns.iter().filter(|column| !column.is_this()).collect();
    if others.is_empty() {
        return set(of);
    }
    let told = Told::join(others.iter().map(|one| column(one, of)), ", ");
    let each = columns.iter().any(Column::is_aggregate);
    match (each, columns.iter().any(Column::is_this)) {
        (true, _) => told.say(" for each ").then(set(of)),
        (false, true) => set(of).say(", each with ").then(told),
        (false, false) => told.say(" of ").then(set(of)),
    }
}

fn shown(columns: &[Column<'_>], of: &Set<'_>) -> Told {
    Told::join(columns.iter().map(|one| column(one, of)), ", ")
}

fn column(column: &Column<'_>, of: &Set<'_>) -> Told {
    let inner = match (&column.of, column.path.is_empty()) {
        (Some(inner), _) => head(inner),
        (None, true) => head(of),
        (None, false) => way(&column.path),
    };
    let named = if column.then.is_empty() { inner } else { way(&column.then) };
    let text = match column.what {
        What::Value => named,
        What::Count => say("number of ").then(named),
        What::Age => say("age by ").then(named),
        What::Year => say("year of ").then(named),
        What::Aggregate(func) => say(called(func)).say(" ").then(named),
    };
    if column.optional { text.say(" (if there is one)") } else { text }
}

fn ordered(order: &[(Measure<'_>, bool)]) -> Told {
    let keys = order
        .iter()
        .map(|(by, down)| measure(by).say(if *down { ", highest first" } else { ", lowest first" }));
    let keys: Vec<Told> = keys.collect();
    if keys.is_empty() { Told::default() } else { say(", by ").then(Told::join(keys, ", then ")) }
}

type Measured<'k> = (Rc<Set<'k>>, Measure<'k>);

fn difference((one, by): &Measured<'_>, (other, of): &Measured<'_>, years: bool) -> Told {
    let what = if years { "the years between " } else { "the difference between " };
    let told =
        |set: &Set<'_>, by: &Measure<'_>| say("the ").then(measure(by)).say(" of ").then(sets::set(set));
    say(what).then(told(one, by)).say(" and ").then(told(other, of))
}

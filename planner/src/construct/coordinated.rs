//! Coordinated questions: "When was Anna born and how much does she weigh?", "How many people live in Peru, and how big is the
//! country?". Several attributes of one thing, requested one after the other, become columns of one row.

use crate::chart::Construct;
use crate::compose::measures::measures;
use crate::context::Context;
use crate::meaning::{Answer, Base, Column, ColumnFunction, Condition, Measure, Path, Set, turned};
use crate::phrase::{By, Derived, Pair, Phrase, Wanted};
use crate::score::Feature;
use eruca_language::Cue;
use std::rc::Rc;

/// Cues allowed between the halves.
const BETWEEN: [Cue; 11] = [
    Cue::And,
    Cue::AsWell,
    Cue::HowMany,
    Cue::HowMuch,
    Cue::Which,
    Cue::Who,
    Cue::When,
    Cue::Where,
    Cue::WhatIs,
    Cue::Do,
    Cue::Be,
];

pub(super) struct CoordinatedQuestions;

impl Construct for CoordinatedQuestions {
    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        if !connective.lists() || connective.sentence || connective.has(Cue::Or) || connective.has(Cue::Not) {
            return;
        }
        let Some(half) = first_half(&left.phrase) else { return };
        match &right.phrase {
            Phrase::Set(other) if !half.columns.contains(&Column::this()) => {
                derived.extend(of_set(context, &half, other));
            }
            Phrase::Asked(by) => of_measure(context, &half, by, derived),
            Phrase::Columns(columns) if !half.columns.contains(&Column::this()) => {
                of_columns(context, &half, columns, derived);
            }
            _ => {}
        }
    }
}

/// The first half: its attributes, their owner, and the members of the last one.
struct Half<'k> {
    owner: Rc<Set<'k>>,
    columns: Vec<Column<'k>>,
    answer: Option<Rc<Set<'k>>>,
}

fn first_half<'k>(phrase: &Phrase<'k>) -> Option<Half<'k>> {
    match phrase {
        Phrase::Set(set) => of_one(set).or_else(|| of_many(set)),
        Phrase::Answer(answer) => first_answer(answer),
        _ => None,
    }
}

/// "When was Anna born …".
fn of_one<'k>(set: &Rc<Set<'k>>) -> Option<Half<'k>> {
    let (owner, path) = attribute(set)?;
    let columns = vec![column(path, ColumnFunction::Value)];
    is_one(&owner).then(|| Half { owner, columns, answer: Some(set.clone()) })
}

/// "Which rivers flow through Peru …": the members, next to the attributes asked for.
fn of_many<'k>(set: &Rc<Set<'k>>) -> Option<Half<'k>> {
    let many = set.is_anchored() && !set.is_named() && !set.kind.is_values();
    many.then(|| Half { owner: set.clone(), columns: vec![Column::this()], answer: None })
}

/// "How old is Anna …", and the result of joining two halves.
fn first_answer<'k>(answer: &Answer<'k>) -> Option<Half<'k>> {
    let (owner, columns) = match answer {
        Answer::Measured(owner, Measure::Age(path)) => {
            (owner, vec![column(path.clone(), ColumnFunction::Age)])
        }
        Answer::List { of, columns, order, limit: None } if order.is_empty() && !columns.is_empty() => {
            (of, columns.clone())
        }
        _ => return None,
    };
    is_one(owner).then(|| Half { owner: owner.clone(), columns, answer: None })
}

fn column(then: Path<'_>, what: ColumnFunction) -> Column<'_> {
    Column { then, what, ..Column::this() }
}

/// An attribute of something and nothing else: its owner, and the path to it.
fn attribute<'k>(set: &Set<'k>) -> Option<(Rc<Set<'k>>, Path<'k>)> {
    let [Condition::Joined(path, owner)] = set.conditions.as_slice() else { return None };
    (set.is_open() && set.rank.is_none()).then(|| (owner.clone(), turned(path)))
}

/// A single thing that the question names: for several, one row would not tell which is which.
fn is_one(set: &Set<'_>) -> bool {
    matches!(&set.base, Base::Things(things) if things.len() == 1) && set.rank.is_none()
}

/// "… and in which town does Anna live", "… and how big is the country": the same thing, named again or by its class.
fn of_set<'k>(context: &Context<'k>, half: &Half<'k>, other: &Set<'k>) -> Option<Derived<'k>> {
    let (owner, path) = attribute(other)?;
    let same = owner.base == half.owner.base;
    let kind = owner.is_bare_class() && context.schema.compatible(&owner.kind, &half.owner.kind);
    (same || kind).then(|| row(half, vec![column(path, ColumnFunction::Value)])).flatten()
}

/// "… and how tall is he".
fn of_measure<'k>(context: &Context<'k>, half: &Half<'k>, by: &By<'k>, derived: &mut Vec<Derived<'k>>) {
    for (measure, _, features) in
        measures(context, &half.owner, by).into_iter().filter(|(_, turned, _)| !turned)
    {
        let own = match measure {
            Measure::Value(path) => column(path, ColumnFunction::Value),
            Measure::Age(path) => column(path, ColumnFunction::Age),
            _ => continue,
        };
        derived.extend(row(half, vec![own]).map(|mut derived| {
            derived.features.add_all(&features);
            derived
        }));
    }
}

/// "… and what is its length": of the thing, or of the answer to the first half.
fn of_columns<'k>(
    context: &Context<'k>,
    half: &Half<'k>,
    wanted: &[Wanted<'k>],
    derived: &mut Vec<Derived<'k>>,
) {
    let plain = |wanted: &Wanted<'k>| {
        wanted.of.is_none() && wanted.what == ColumnFunction::Value && !wanted.then.is_empty()
    };
    if !wanted.iter().all(plain) {
        return;
    }
    let leads = |set: &Set<'k>| wanted.iter().all(|wanted| context.leads(&wanted.then, set).is_some());
    let on = |first: &Path<'k>| {
        let path = |wanted: &Wanted<'k>| first.iter().chain(&wanted.then).copied().collect();
        wanted.iter().map(|wanted| column(path(wanted), ColumnFunction::Value)).collect()
    };
    if leads(&half.owner) {
        derived.extend(row(half, on(&Vec::new())));
    }
    if let ([first], Some(answer)) = (half.columns.as_slice(), &half.answer)
        && !answer.kind.is_values()
        && leads(answer)
    {
        derived.extend(row(half, on(&first.then)).map(|derived| derived.with(Feature::Cued, 1.0)));
    }
}

/// All columns in one row, none of them twice.
fn row<'k>(half: &Half<'k>, more: Vec<Column<'k>>) -> Option<Derived<'k>> {
    let again = more.iter().any(|column| half.columns.contains(column));
    let columns = half.columns.iter().cloned().chain(more).collect();
    let answer = Answer::List { of: half.owner.clone(), columns, order: Vec::new(), limit: None };
    let derived = Derived::answer(answer).with(Feature::Cued, 1.0);
    (!again).then(|| derived.by_all(BETWEEN))
}

#[cfg(test)]
mod tests;

//! Aggregates: averages, sums, maxima and minima.

use crate::chart::Construct;
use crate::compose::units;
use crate::context::{Context, tables};
use crate::link::SchemaLink;
use crate::meaning::{
    Answer, Base, Column, ColumnFunction, Condition, Func, Measure, Path, Set, Step, turned,
};
use crate::phrase::{Connective, Derived, Item, Pair, Phrase, Wanted, func_of};
use crate::question::Span;
use crate::score::Feature;
use eruca_indexer::SchemaKind;
use eruca_language::Cue;
use eruca_language::text::normalize_word;
use std::rc::Rc;

pub(super) struct Aggregates;

const CUES: [Cue; 4] = [Cue::Average, Cue::Sum, Cue::Maximum, Cue::Minimum];

impl Construct for Aggregates {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        for cue in CUES {
            // "Above-average" is a comparison.
            let compares = |span: &Span| {
                [Cue::Greater, Cue::Less].iter().any(|cue| context.cues(*cue).any(|other| other == *span))
            };
            let alone = context.cues(cue).filter(|span| !compares(span));
            derived.extend(alone.map(|span| (span, Derived::new(Phrase::Cue(cue)))));
        }
        for link in context.links.schema.iter().filter(|link| link.kind == SchemaKind::Property) {
            compound(context, link, derived);
        }
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        // "What do nurses earn on average?", "the guests of all hotels together".
        match (&left.phrase, func_behind(&right.phrase)) {
            (Phrase::Set(set), Some(func)) => of_values(context, func, set, derived),
            // "La longitud media": an adjective may follow its noun.
            (Phrase::Relation(relation), Some(func)) if connective.is_empty() => {
                of_relation(context, func, &relation.path, derived);
            }
            (Phrase::Answer(answer), Some(func)) => {
                derived.extend(of_column(context, func, answer));
                derived.extend(in_total(func, answer));
                derived.extend(of_numbers(func, answer));
                derived.extend(of_count(func, answer));
            }
            _ => {}
        }
        let (Phrase::Cue(cue), other) = (&left.phrase, &right.phrase) else { return };
        let Some(func) = func_of(*cue) else { return };
        match other {
            Phrase::Relation(relation) => of_relation(context, func, &relation.path, derived),
            Phrase::Columns(columns) => listed(func, columns, connective, derived),
            Phrase::Set(set) => of_values(context, func, set, derived),
            Phrase::Answer(answer) => derived.extend(of_numbers(func, answer)),
            _ => {}
        }
    }

    /// "The total per customer", "the highest total": the word names an attribute and also says how its values are aggregated.
    fn raise<'k>(&self, context: &Context<'k>, item: &Item<'k>, derived: &mut Vec<Derived<'k>>) {
        let Phrase::Relation(relation) = &item.phrase else { return };
        let mut sums = context.cues(Cue::Sum);
        let mut grades = context.question.grades.iter();
        let wanted = context.has_cue(Cue::Each) || grades.any(|grade| grade.span.to == item.span.from);
        if wanted && sums.any(|sum| sum.contains(item.span)) {
            of_relation(context, Func::Sum, &relation.path, derived);
        }
    }
}

/// "The average number of guests per hotel": the average of one count per member.
fn of_numbers<'k>(func: Func, answer: &Answer<'k>) -> Option<Derived<'k>> {
    let Answer::List { of, columns, .. } = answer else { return None };
    let [this, Column { path, of: Some(counted), then, what: ColumnFunction::Count, .. }] =
        columns.as_slice()
    else {
        return None;
    };
    let each = Measure::Count(path.clone(), counted.clone());
    let plain = this.is_this() && then.is_empty() && of.rank.is_none();
    plain.then(|| Derived::answer(Answer::OfEach(func, of.clone(), each)).with(Feature::Aggregated, 1.0))
}

/// "How many guests does a hotel have on average?"
fn of_count<'k>(func: Func, answer: &Answer<'k>) -> Option<Derived<'k>> {
    let Answer::Count(counted) = answer else { return None };
    let joined = |condition: &Condition<'k>| match condition {
        Condition::Joined(path, owners) if owners.is_bare_class() => Some((turned(path), owners.clone())),
        _ => None,
    };
    let (path, owners) = counted.conditions.iter().find_map(joined)?;
    let free = counted.conditions.iter().filter(|condition| joined(condition).is_none()).cloned().collect();
    let each = Measure::Count(path, Rc::new(Set { conditions: free, ..(**counted).clone() }));
    (func == Func::Average && counted.rank.is_none())
        .then(|| Derived::answer(Answer::OfEach(func, owners, each)).with(Feature::Aggregated, 1.0))
}

/// "Durchschnittslohn": the function and its argument in one word.
fn compound<'k>(context: &Context<'k>, link: &SchemaLink<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
    let (question, language) = (&context.question, context.question.language);
    let Some(word) = question.word(link.span.from).filter(|_| link.span.len() == 1) else { return };
    let names = context.names_of(link.iri);
    let named = |part: &str| names.iter().flatten().any(|word| *word == normalize_word(part));
    if !language.has_compounds() || named(&word.folded) {
        return;
    }
    let func = |part: &str| language.cues_at(&[part]).into_iter().find_map(|(cue, _)| func_of(cue));
    let known = |part: &str| func(part).is_some() || named(part);
    let split = language.splits(&word.folded, &known).into_iter().next().unwrap_or_default();
    if let Some(func) = split.first().and_then(|first| func(first)) {
        let mut found = Vec::new();
        of_relation(context, func, &vec![Step { property: link.iri, forward: true }], &mut found);
        derived.extend(found.into_iter().map(|derived| (link.span, derived.with(Feature::Link, 1.0))));
    }
}

fn func_behind(phrase: &Phrase<'_>) -> Option<Func> {
    match phrase {
        Phrase::Cue(cue @ (Cue::Average | Cue::Sum)) => func_of(*cue),
        _ => None,
    }
}

fn of_relation<'k>(context: &Context<'k>, func: Func, path: &Path<'k>, derived: &mut Vec<Derived<'k>>) {
    let quantity = units::to_number(context, path);
    let path = quantity.as_ref().unwrap_or(path);
    let Some(last) = path.last() else { return };
    let kind = context.schema.end(*last);
    let sensible = kind.is_number() || (kind.is_time() && matches!(func, Func::Maximum | Func::Minimum));
    if sensible && !context.is_identifier(last.property) {
        derived.push(columns(vec![Wanted {
            of: None,
            then: path.clone(),
            what: ColumnFunction::Aggregate(func),
            optional: false,
        }]));
    }
}

/// "The salary of nurses on average".
fn of_column<'k>(context: &Context<'k>, func: Func, answer: &Answer<'k>) -> Option<Derived<'k>> {
    let Answer::List { of, columns, .. } = answer else { return None };
    let [column] = columns.as_slice() else { return None };
    let number = tables::end(context, of, column).is_some_and(|kind| kind.is_number());
    if column.what != ColumnFunction::Value || !number {
        return None;
    }
    let columns = vec![Column { what: ColumnFunction::Aggregate(func), ..column.clone() }];
    Some(Derived::answer(Answer::Overall { of: of.clone(), columns }).with(Feature::Aggregated, 1.0))
}

/// "How many courses are there in total": the count is already a total.
fn in_total<'k>(func: Func, answer: &Rc<Answer<'k>>) -> Option<Derived<'k>> {
    let counted = matches!(**answer, Answer::Count(_)) && func == Func::Sum;
    counted.then(|| Derived::new(Phrase::Answer(answer.clone())))
}

fn columns(columns: Vec<Wanted<'_>>) -> Derived<'_> {
    Derived::new(Phrase::Columns(columns.into())).with(Feature::Aggregated, 1.0)
}

/// "The minimum and maximum age": the first function applies to the same attribute.
fn listed<'k>(
    func: Func,
    columns_known: &Rc<[Wanted<'k>]>,
    connective: &Connective,
    derived: &mut Vec<Derived<'k>>,
) {
    let Some(first) =
        columns_known.first().filter(|first| matches!(first.what, ColumnFunction::Aggregate(_)))
    else {
        return;
    };
    if connective.lists() {
        let own = Wanted { what: ColumnFunction::Aggregate(func), ..first.clone() };
        let all = std::iter::once(own).chain(columns_known.iter().cloned()).collect();
        derived.push(columns(all).by(Cue::And));
    }
}

/// "The average age of singers": over the values of all of them, including duplicates.
fn of_values<'k>(context: &Context<'k>, func: Func, set: &Rc<Set<'k>>, derived: &mut Vec<Derived<'k>>) {
    let (Base::Any, [Condition::Joined(path, owners)], None) =
        (&set.base, set.conditions.as_slice(), &set.rank)
    else {
        return;
    };
    let then = turned(path);
    let quantity = units::to_number(context, &then);
    if (set.kind.is_measurable() && !context.holds_keys(set)) || quantity.is_some() {
        let then = quantity.unwrap_or(then);
        let column = Column {
            path: Vec::new(),
            of: None,
            then,
            what: ColumnFunction::Aggregate(func),
            optional: false,
        };
        let answer = Answer::Overall { of: owners.clone(), columns: vec![column] };
        derived.push(Derived::answer(answer).with(Feature::Aggregated, 1.0));
    }
}

#[cfg(test)]
mod tests;

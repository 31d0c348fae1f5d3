//! Columns: requested attributes of a set, and what its members are joined to.

use crate::chart::Construct;
use crate::compose::columns::{asked, attached, attached_all, is_bare_count, owner, ranked_by};
use crate::context::Context;
use crate::meaning::{Answer, Column, ColumnFunction, Condition, Func, Measure, Path, Rank, Set};
use crate::phrase::{Connective, Derived, Item, Pair, Phrase, Wanted, func_of};
use crate::question::Span;
use crate::score::{Feature, Features};
use eruca_language::{Cue, Role};
use std::rc::Rc;

/// Maximum number of columns in one answer.
const MAX_COLUMNS: usize = 8;
pub(super) struct Columns;

impl Construct for Columns {
    fn raise<'k>(&self, _context: &Context<'k>, item: &Item<'k>, derived: &mut Vec<Derived<'k>>) {
        let wanted = match &item.phrase {
            Phrase::Relation(relation) => {
                Wanted { of: None, then: relation.path.clone(), what: ColumnFunction::Value, optional: false }
            }
            // "… and the count", "… and how many does it have".
            Phrase::Cue(Cue::Count | Cue::HowMany) => {
                Wanted { of: None, then: Vec::new(), what: ColumnFunction::Count, optional: false }
            }
            Phrase::Set(set) if set.is_bare_class() => Wanted {
                of: Some(set.clone()),
                then: Vec::new(),
                what: ColumnFunction::Value,
                optional: false,
            },
            _ => return,
        };
        derived.push(Derived::new(Phrase::Columns(Rc::from([wanted]))));
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Columns(one), Phrase::Columns(other))
                if connective.lists() && !connective.has(Cue::Or) =>
            {
                derived.extend(listed(context, one, other));
            }
            (Phrase::Columns(columns), Phrase::Set(set)) => {
                derived.extend(owned(context, set, columns, connective.role == Some(Role::Of)));
                derived.extend(winner(context, set, columns));
                derived.extend(
                    asked(context, set, columns, side(connective, true))
                        .map(|derived| listed_with(set, connective, true, derived)),
                );
            }
            (Phrase::Set(set), Phrase::Columns(columns)) => {
                derived.extend(owned(context, set, columns, connective.is_empty() || connective.possessive));
                derived.extend(
                    asked(context, set, columns, side(connective, false))
                        .map(|derived| listed_with(set, connective, false, derived)),
                );
                derived.extend(beside(context, set, connective, columns));
            }
            (Phrase::Answer(answer), Phrase::Columns(columns)) if connective.sentence => {
                derived.extend(again(context, answer, columns));
                derived.extend(more(context, answer, connective, columns));
            }
            (Phrase::Answer(answer), Phrase::Columns(columns)) => {
                derived.extend(more(context, answer, connective, columns));
            }
            _ => {}
        }
    }
}

fn side(connective: &Connective, columns_first: bool) -> Option<Feature> {
    let preposition = matches!(connective.role, Some(Role::Of | Role::For | Role::From | Role::In));
    Some(match (columns_first, preposition) {
        (true, true) => Feature::ColumnsOfSet,
        (true, false) => Feature::ColumnsThenSet,
        (false, _) => return None,
    })
}

/// "Shop name", "the name of the shop": columns that belong to a class, before they attach to a set.
fn owned<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    wanted: &[Wanted<'k>],
    close: bool,
) -> Option<Derived<'k>> {
    let of_class = |wanted: &Wanted<'k>| {
        wanted.of.is_none() && context.schema.follow_path(&wanted.then, &set.kind).is_some()
    };
    if !close || !set.is_bare_class() || !wanted.iter().all(of_class) {
        return None;
    }
    let all: Vec<Wanted<'k>> =
        wanted.iter().map(|wanted| Wanted { of: Some(set.clone()), ..wanted.clone() }).collect();
    Some(Derived::new(Phrase::Columns(all.into())).with(Feature::OwnedColumns, 1.0))
}

/// "The ids and the names": a set listed next to columns does not own them; and values own no columns.
fn listed_with<'k>(
    set: &Set<'k>,
    connective: &Connective,
    columns_first: bool,
    derived: Derived<'k>,
) -> Derived<'k> {
    let on = |holds: bool| f32::from(u8::from(holds));
    derived
        .with(Feature::ColumnsBesideSet, on(columns_first && connective.lists()))
        .with(Feature::ColumnsOfValues, on(set.kind.is_values()))
}

/// "Films with their directors", "singers and their ages": the members together with what they have, if anything.
fn beside<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    connective: &Connective,
    wanted: &[Wanted<'k>],
) -> Option<Derived<'k>> {
    let said = connective.lists() || connective.role == Some(Role::With);
    // Values have no columns except the count that they are ranked by.
    let counted = ranked_by(set).is_some() && wanted.iter().all(is_bare_count);
    if !said || connective.sentence || (set.kind.is_values() && !counted) {
        return None;
    }
    let (columns, features) = attached_all(context, set, wanted)?;
    let optional =
        |column: Column<'k>| Column { optional: !context.is_tabular() && !column.is_aggregate(), ..column };
    let columns = std::iter::once(Column::this()).chain(columns.into_iter().map(optional)).collect();
    let answer = Answer::List { of: set.clone(), columns, order: Vec::new(), limit: None };
    let derived = Derived { features, ..Derived::answer(answer) }.with(Feature::SetWithColumns, 1.0);
    Some(derived.by_all([Cue::And, Cue::AsWell, Cue::Relative, Cue::Have]))
}

fn listed<'k>(context: &Context<'k>, one: &[Wanted<'k>], other: &[Wanted<'k>]) -> Option<Derived<'k>> {
    if one.len() + other.len() > MAX_COLUMNS {
        return None;
    }
    let same = match (one.last(), other.first()) {
        (Some(a), Some(b)) => context.schema.compatible(&owner(context, a), &owner(context, b)),
        _ => false,
    };
    let repeated = other.iter().any(|wanted| one.contains(wanted));
    let all: Vec<Wanted<'k>> = one.iter().chain(other).cloned().collect();
    let derived = Derived::new(Phrase::Columns(all.into()))
        .by(Cue::And)
        .by(Cue::AsWell)
        .with(Feature::ListedColumns, 1.0);
    (!repeated).then(|| if same { derived } else { derived.with(Feature::ColumnsOfTwoKinds, 1.0) })
}

/// "The maximum weight and the name of the cars": those of the heaviest car.
fn winner<'k>(context: &Context<'k>, set: &Rc<Set<'k>>, wanted: &[Wanted<'k>]) -> Option<Derived<'k>> {
    let best = |what: ColumnFunction| match what {
        ColumnFunction::Aggregate(Func::Maximum) => Some(true),
        ColumnFunction::Aggregate(Func::Minimum) => Some(false),
        _ => None,
    };
    let mut firsts = wanted.iter().enumerate().filter_map(|(at, wanted)| Some((at, best(wanted.what)?)));
    let ((at, down), None) = (firsts.next()?, firsts.next()) else { return None };
    let plain = |wanted: &&Wanted<'k>| wanted.what == ColumnFunction::Value && !is_function(context, wanted);
    let others = wanted.iter().filter(plain).count();
    if others == 0 || others + 1 != wanted.len() || set.rank.is_some() || context.has_cue(Cue::Each) {
        return None;
    }
    let (mut columns, features) = attached_all(context, set, wanted)?;
    let column = columns.get_mut(at)?;
    column.what = ColumnFunction::Value;
    let path: Path<'k> = column.path.iter().chain(&column.then).copied().collect();
    let rank = Rank { by: Measure::Value(path), down, skip: 0, take: 1, per: Vec::new() };
    let of = Rc::new(Set { rank: Some(rank), ..(**set).clone() });
    let answer = Answer::List { of, columns, order: Vec::new(), limit: None };
    // Both the ranking and the list are cued.
    Some(Derived { features, ..Derived::answer(answer) }.with(Feature::Cued, 2.0))
}

/// "The average and the maximum": a column whose name is nothing but a function.
fn is_function(context: &Context<'_>, wanted: &Wanted<'_>) -> bool {
    let Some(last) = wanted.then.last() else { return false };
    let links = context.links.schema.iter().filter(|link| link.iri == last.property);
    let called = |span: Span| {
        let mut cues = context.question.cues.iter().filter(|cue| func_of(cue.cue).is_some());
        cues.any(|cue| cue.span.contains(span))
    };
    links.map(|link| link.span).all(called)
}

/// "… Show their names and ages as well".
fn more<'k>(
    context: &Context<'k>,
    answer: &Rc<Answer<'k>>,
    connective: &Connective,
    wanted: &[Wanted<'k>],
) -> Option<Derived<'k>> {
    let Answer::List { of, columns, order, limit } = &**answer else { return None };
    let (own, features) = attached_all(context, of, wanted)?;
    let mut all = columns.clone();
    all.extend(own.into_iter().filter(|column| !columns.contains(column)));
    let answer = Answer::List { of: of.clone(), columns: all, order: order.clone(), limit: *limit };
    let unsaid = f32::from(u8::from(!connective.lists() && !connective.sentence));
    let derived = Derived { features, ..Derived::answer(answer) }.with(Feature::Unsaid, unsaid);
    Some(derived.with(Feature::MoreColumns, 1.0).by(Cue::And).by(Cue::AsWell))
}

/// "… List the name and the number": a separate sentence gives all columns that are wanted, including ones already mentioned.
fn again<'k>(context: &Context<'k>, answer: &Rc<Answer<'k>>, wanted: &[Wanted<'k>]) -> Option<Derived<'k>> {
    let Answer::List { of, columns, order, limit } = &**answer else { return None };
    let mut features = Features::default();
    let mut all = Vec::new();
    for wanted in wanted {
        let known = columns.iter().find(|column| is_wanted(of, column, wanted)).cloned();
        let column = match known {
            Some(column) => column,
            None => {
                let (column, own) = attached(context, of, wanted).into_iter().next()?;
                features.add_all(&own);
                column
            }
        };
        all.push(column);
    }
    let answer = Answer::List { of: of.clone(), columns: all, order: order.clone(), limit: *limit };
    Some(Derived { features, ..Derived::answer(answer) })
}

/// Whether a wanted column repeats this one: same attribute or class, same aggregate.
fn is_wanted<'k>(of: &Set<'k>, column: &Column<'k>, wanted: &Wanted<'k>) -> bool {
    let ends = |path: &Path<'k>| path.last().map(|step| step.property);
    let values = of.conditions.iter().find_map(|condition| match condition {
        Condition::Joined(path, _) if of.kind.is_values() => path.first().map(|step| step.property),
        _ => None,
    });
    let attribute = if column.is_this() { values } else { ends(&column.then) };
    let alone = wanted.of.is_none() && wanted.then.is_empty();
    column.what == wanted.what
        && (alone
            || (attribute == ends(&wanted.then) && attribute.is_some())
            || (wanted.then.is_empty()
                && column
                    .of
                    .as_ref()
                    .is_some_and(|of| Some(&of.kind) == wanted.of.as_ref().map(|of| &of.kind))))
}

#[cfg(test)]
mod tests;

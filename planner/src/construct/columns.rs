//! Columns: attributes that are asked for of a set, and what members are joined to.

use super::measures::ways_from;
use super::{Construct, Context};
use crate::chart::{Gap, Item, Made, Phrase, Wanted};
use crate::meaning::{Answer, Column, Path, Set, What};
use crate::schema::Kind;
use crate::score::{Feature, Features};
use eruca_indexer::language::{Cue, Role};
use std::rc::Rc;

/// Columns of one answer.
const MAX_COLUMNS: usize = 8;
/// Ways tried for one column.
const MAX_WAYS: usize = 2;

pub(super) struct Columns;

impl Construct for Columns {
    fn raise<'k>(&self, _context: &Context<'k>, item: &Item<'k>, made: &mut Vec<Made<'k>>) {
        let wanted = match &item.phrase {
            Phrase::Relation(relation) => {
                Wanted { of: None, then: relation.path.clone(), what: What::Value, optional: false }
            }
            Phrase::Set(set) if set.is_bare_class() => {
                Wanted { of: Some(set.clone()), then: Vec::new(), what: What::Value, optional: false }
            }
            _ => return,
        };
        made.push(Made::new(Phrase::Columns(Rc::from([wanted]))));
    }

    fn combine<'k>(
        &self,
        context: &Context<'k>,
        left: &Item<'k>,
        gap: &Gap,
        right: &Item<'k>,
        made: &mut Vec<Made<'k>>,
    ) {
        match (&left.phrase, &right.phrase) {
            (Phrase::Columns(one), Phrase::Columns(other)) if gap.lists() && !gap.has(Cue::Or) => {
                made.extend(listed(context, one, other));
            }
            (Phrase::Columns(columns), Phrase::Set(set)) => {
                made.extend(asked(context, set, columns, side(gap, true)));
            }
            (Phrase::Set(set), Phrase::Columns(columns)) => {
                made.extend(asked(context, set, columns, side(gap, false)));
            }
            (Phrase::Answer(answer), Phrase::Columns(columns)) => made.extend(more(context, answer, columns)),
            _ => {}
        }
    }
}

fn side(gap: &Gap, columns_first: bool) -> Feature {
    let preposition = matches!(gap.role, Some(Role::Of | Role::For | Role::From | Role::In));
    match (columns_first, preposition) {
        (true, true) => Feature::ColumnsOfSet,
        (true, false) => Feature::ColumnsThenSet,
        (false, true) => Feature::SetsColumns,
        (false, false) => Feature::SetThenColumns,
    }
}

fn listed<'k>(context: &Context<'k>, one: &[Wanted<'k>], other: &[Wanted<'k>]) -> Option<Made<'k>> {
    if one.len() + other.len() > MAX_COLUMNS {
        return None;
    }
    let same = match (one.last(), other.first()) {
        (Some(a), Some(b)) => context.schema.compatible(&owner(context, a), &owner(context, b)),
        _ => false,
    };
    let repeated = other.iter().any(|wanted| one.contains(wanted));
    let all: Vec<Wanted<'k>> = one.iter().chain(other).cloned().collect();
    let made = Made::new(Phrase::Columns(all.into())).by(Cue::And).by(Cue::AsWell).with(Feature::ListedColumns, 1.0);
    (!repeated).then(|| if same { made } else { made.with(Feature::ColumnsOfTwoKinds, 1.0) })
}

/// What has a column.
pub(super) fn owner<'k>(context: &Context<'k>, wanted: &Wanted<'k>) -> Kind<'k> {
    match (&wanted.of, wanted.then.first()) {
        (Some(set), _) => set.kind.clone(),
        (None, Some(first)) => context.schema.start(*first),
        (None, None) => Kind::Unknown,
    }
}

/// An answer of columns of a set.
pub(super) fn asked<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    wanted: &[Wanted<'k>],
    side: Feature,
) -> Option<Made<'k>> {
    let (columns, mut features) = attached_all(context, set, wanted)?;
    features.add(side, 1.0);
    let overall = columns.iter().all(|column| matches!(column.what, What::Aggregate(_)));
    let answer = match overall {
        true => Answer::Overall { of: set.clone(), columns },
        false => Answer::List { of: set.clone(), columns, order: Vec::new(), limit: None },
    };
    let named = f32::from(u8::from(set.is_bare_class()));
    Some(Made { features: features.and(Feature::ColumnsOfClass, named), ..Made::answer(answer) })
}

pub(super) fn attached_all<'k>(
    context: &Context<'k>,
    set: &Set<'k>,
    wanted: &[Wanted<'k>],
) -> Option<(Vec<Column<'k>>, Features)> {
    let mut features = Features::default();
    let mut columns = Vec::new();
    for wanted in wanted {
        let (column, own) = attached(context, set, wanted).into_iter().next()?;
        features.add_all(&own);
        columns.push(column);
    }
    Some((columns, features))
}

/// The columns that a wanted one may be, for members of a set.
pub(super) fn attached<'k>(
    context: &Context<'k>,
    set: &Set<'k>,
    wanted: &Wanted<'k>,
) -> Vec<(Column<'k>, Features)> {
    let column = |path: Path<'k>| Column {
        of: wanted.of.clone().filter(|_| !path.is_empty()),
        path,
        then: wanted.then.clone(),
        what: wanted.what,
        optional: wanted.optional,
    };
    let itself = (wanted.what == What::Count || set.is_named()) && wanted.then.is_empty();
    let start = owner(context, wanted);
    let fits = match wanted.then.as_slice() {
        [] => context.schema.compatible(&set.kind, &start) && !itself,
        path => context.schema.follow_path(path, &set.kind).is_some(),
    };
    let mut found = Vec::new();
    if fits && set.kind != Kind::Unknown {
        found.push((column(Vec::new()), Features::default()));
    }
    if found.is_empty() {
        let ways = ways_from(context, set, &start).into_iter().take(MAX_WAYS);
        found.extend(ways.map(|(path, cost)| (column(path), Features::default().and(Feature::ColumnBridge, cost))));
    }
    found
}

/// "… Show their names and ages as well".
fn more<'k>(context: &Context<'k>, answer: &Rc<Answer<'k>>, wanted: &[Wanted<'k>]) -> Option<Made<'k>> {
    let Answer::List { of, columns, order, limit } = &**answer else { return None };
    let (own, features) = attached_all(context, of, wanted)?;
    let mut all = columns.clone();
    all.extend(own.into_iter().filter(|column| !columns.contains(column)));
    let answer = Answer::List { of: of.clone(), columns: all, order: order.clone(), limit: *limit };
    let made = Made { features, ..Made::answer(answer) };
    Some(made.with(Feature::MoreColumns, 1.0).by(Cue::And).by(Cue::AsWell))
}

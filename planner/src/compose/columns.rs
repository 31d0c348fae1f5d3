//! Columns: how requested attributes attach to the members of a set.

use crate::compose::measures::ways_from;
use crate::compose::relations;
use crate::context::Context;
use crate::meaning::{Answer, Column, ColumnFunction, Condition, Measure, Path, Set, returns, turned};
use crate::phrase::{Derived, Wanted};
use crate::schema::Kind;
use crate::score::{Feature, Features};
use eruca_language::Cue;
use std::rc::Rc;

/// Paths tried for one column.
const MAX_WAYS: usize = 2;

/// The kind of thing that a column belongs to.
pub(crate) fn owner<'k>(context: &Context<'k>, wanted: &Wanted<'k>) -> Kind<'k> {
    match (&wanted.of, wanted.then.first()) {
        (Some(set), _) => set.kind.clone(),
        (None, Some(first)) => context.schema.start(*first),
        (None, None) => Kind::Unknown,
    }
}

/// An answer consisting of columns of a set.
pub(crate) fn asked<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    wanted: &[Wanted<'k>],
    side: Option<Feature>,
) -> Option<Derived<'k>> {
    let (columns, mut features) = attached_all(context, set, wanted)?;
    if let Some(side) = side {
        features.add(side, 1.0);
    }
    let overall = columns.iter().all(|column| matches!(column.what, ColumnFunction::Aggregate(_)));
    let answer = match overall {
        true => Answer::Overall { of: set.clone(), columns },
        false => Answer::List { of: set.clone(), columns, order: Vec::new(), limit: None },
    };
    let named = f32::from(u8::from(set.is_bare_class()));
    let counts =
        wanted.iter().all(|wanted| wanted.what == ColumnFunction::Count) && !context.has_cue(Cue::Each);
    // "The Tern has how many masts?"
    let counts = counts && !(set.is_one_thing() && set.is_named());
    features.add(Feature::Unsaid, f32::from(u8::from(counts)));
    // "Countries founded after 1950": here the column would be a related thing that was founded then.
    let things = |wanted: &Wanted<'k>| {
        wanted.then.last().is_some_and(|last| !context.schema.end(*last).is_values()) && wanted.of.is_none()
    };
    features.add(Feature::Unsaid, f32::from(u8::from(set.is_unsaid() && wanted.iter().all(things))));
    let mixed = !overall && wanted.iter().any(|wanted| matches!(wanted.what, ColumnFunction::Aggregate(_)));
    features.add(Feature::Unsaid, f32::from(u8::from(mixed && !context.has_cue(Cue::Each))));
    // A column that only names a class counts half.
    let classes =
        wanted.iter().filter(|wanted| wanted.what == ColumnFunction::Value && wanted.then.is_empty()).count();
    features.add(Feature::ColumnsOfClass, named + classes as f32 / 2.0);
    Some(Derived { features, ..Derived::answer(answer) })
}

/// The most likely column for each wanted one, for the members of a set.
pub(crate) fn attached_all<'k>(
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

/// The columns that a wanted one may stand for, for the members of a set.
pub(crate) fn attached<'k>(
    context: &Context<'k>,
    set: &Set<'k>,
    wanted: &Wanted<'k>,
) -> Vec<(Column<'k>, Features)> {
    if let Some(column) = ranked_by(set).filter(|_| is_bare_count(wanted)) {
        return vec![(column, Features::default())];
    }
    if is_itself(set, wanted) {
        return vec![(Column::this(), Features::default())];
    }
    let column = |path: Path<'k>| Column {
        of: wanted.of.clone().filter(|_| !path.is_empty()),
        path,
        then: wanted.then.clone(),
        what: wanted.what,
        optional: wanted.optional,
    };
    let itself = (wanted.what == ColumnFunction::Count || set.is_named()) && wanted.then.is_empty();
    let start = owner(context, wanted);
    // The name of a capital is not the name of its country.
    let other = set.is_named() && wanted.of.is_some() && !context.schema.compatible(&set.kind, &start);
    let fits = match wanted.then.as_slice() {
        [] => context.schema.compatible(&set.kind, &start) && !itself,
        path => !other && context.schema.follow_path(path, &set.kind).is_some(),
    };
    let mut found = Vec::new();
    if fits && set.kind != Kind::Unknown {
        found.push((column(Vec::new()), Features::default()));
    }
    if found.is_empty() {
        let ways = ways_from(context, set, &start).into_iter();
        let ways = ways.filter(|(path, _)| !returns(path, &wanted.then)).take(MAX_WAYS);
        let other =
            f32::from(u8::from(wanted.of.is_none() && context.is_name_of_other(&set.kind, &wanted.then)));
        let first = wanted.then.first();
        let namesake =
            f32::from(u8::from(first.is_some_and(|step| relations::has_namesake(context, set, *step))));
        let bridged = |cost| {
            Features::default()
                .and(Feature::ColumnBridge, cost)
                .and(Feature::NameOfOther, other)
                .and(Feature::NamesakeHas, namesake)
        };
        found.extend(ways.map(|(path, cost)| (column(path), bridged(cost))));
    }
    found
}

/// "… and the count", without a noun to count.
pub(crate) fn is_bare_count(wanted: &Wanted<'_>) -> bool {
    wanted.what == ColumnFunction::Count && wanted.of.is_none() && wanted.then.is_empty()
}

/// The count that the members are ranked by.
pub(crate) fn ranked_by<'k>(of: &Set<'k>) -> Option<Column<'k>> {
    let Measure::Count(path, set) = &of.rank.as_ref()?.by else { return None };
    Some(Column { path: path.clone(), of: Some(set.clone()), what: ColumnFunction::Count, ..Column::this() })
}

/// Whether the members are themselves the values of the wanted attribute: "the commonest language. List the language and …".
fn is_itself<'k>(set: &Set<'k>, wanted: &Wanted<'k>) -> bool {
    let of = |condition: &Condition<'k>| matches!(condition, Condition::Joined(path, _) if turned(path) == wanted.then);
    let value = wanted.what == ColumnFunction::Value && wanted.of.is_none() && !wanted.then.is_empty();
    value && set.kind.is_values() && set.conditions.iter().any(of)
}

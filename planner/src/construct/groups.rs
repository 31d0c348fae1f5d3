//! Groups: one row per group, with counts or aggregates.

use crate::chart::Construct;
use crate::compose::columns::{attached, owner};
use crate::compose::measures::ends_in_time;
use crate::compose::times::{time_properties, year_properties};
use crate::context::Context;
use crate::meaning::{Answer, Column, ColumnFunction, Condition, Func, Set, Step, turned};
use crate::phrase::{Connective, Derived, Pair, Phrase, Wanted};
use crate::question::Span;
use crate::score::{Feature, Features};
use eruca_language::{CalendarUnit, Cue, Role};
use std::rc::Rc;

pub(super) struct Groups;

const EACH_YEAR: &str = "each year";

impl Construct for Groups {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        derived.extend(context.cues(Cue::Each).map(|span| (span, Derived::new(Phrase::Cue(Cue::Each)))));
        let years = context.cues(Cue::Each).map(|span| Span { to: span.to + 1, ..span });
        let years = years.filter(|span| unit_said(context, *span).is_some());
        derived.extend(years.map(|span| (span, Derived::new(Phrase::Own(EACH_YEAR, Rc::from([]))))));
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Cue(Cue::Each), Phrase::Columns(columns)) => key(context, right.span, columns, derived),
            (Phrase::Cue(Cue::Each), Phrase::Set(set)) if has_rows(context, right.span, set) => {
                let wanted = Wanted {
                    of: Some(set.clone()),
                    then: Vec::new(),
                    what: ColumnFunction::Value,
                    optional: false,
                };
                derived.push(Derived::new(Phrase::Key(Rc::new(wanted))));
            }
            // "Lamps per room": their count.
            (Phrase::Set(set), Phrase::Key(key)) if is_tallied(context, left.span, set) => {
                let count = Phrase::Answer(Rc::new(Answer::Count(set.clone())));
                derived.extend(grouped(context, key, &count));
            }
            (Phrase::Key(key), other) | (other, Phrase::Key(key)) => {
                derived.extend(grouped(context, key, other));
            }
            (Phrase::Own(EACH_YEAR, _), other) => each_year(context, left.span, (other, connective), derived),
            (other, Phrase::Own(EACH_YEAR, _)) => {
                each_year(context, right.span, (other, connective), derived);
            }
            // "Number of singers by country".
            (counted, Phrase::Columns(columns)) if is_by(context, connective) && is_aggregate(counted) => {
                derived.extend(rows_by(context, right.span, columns, counted));
            }
            // "Lamps by room": the same.
            (Phrase::Set(set), Phrase::Columns(columns))
                if is_by(context, connective)
                    && is_tallied(context, left.span, set)
                    && usize::from(right.span.to) == context.question.len()
                    && is_sorted_into(context, columns) =>
            {
                let count = Phrase::Answer(Rc::new(Answer::Count(set.clone())));
                derived.extend(rows_by(context, right.span, columns, &count));
            }
            // "List each language and the number of channels."
            (Phrase::Columns(one), Phrase::Columns(other)) if connective.lists() => {
                derived.extend(listed(context, one, other));
            }
            _ => {}
        }
    }
}

/// Whether each member of a set gets a row. Days get none where years are asked for.
fn has_rows(context: &Context<'_>, span: Span, set: &Set<'_>) -> bool {
    let days = set.kind.is_time() && says_year(context, span);
    !set.is_bare_class() && !set.is_named() && !days
}

fn says_year(context: &Context<'_>, span: Span) -> bool {
    unit_said(context, span) == Some(CalendarUnit::Years(1))
}

/// The calendar unit that the last word means.
fn unit_said(context: &Context<'_>, span: Span) -> Option<CalendarUnit> {
    let words = context.question.words_of(span);
    words.last().and_then(|word| context.question.language.calendar_unit(&word.folded))
}

/// "Launched each year": rows per year of that property. "How many ships each year": of any time that ships have.
fn each_year<'k>(
    context: &Context<'k>,
    span: Span,
    (of, connective): (&Phrase<'k>, &Connective),
    derived: &mut Vec<Derived<'k>>,
) {
    let what = match unit_said(context, span) {
        Some(CalendarUnit::Month) => ColumnFunction::Month,
        Some(CalendarUnit::Years(years)) if years > 1 => ColumnFunction::Era(years),
        _ => ColumnFunction::Year,
    };
    let year = |then| Wanted { of: None, then, what, optional: false };
    match of {
        Phrase::Relation(relation) if connective.is_empty() && ends_in_time(context, &relation.path) => {
            derived.push(Derived::new(Phrase::Key(Rc::new(year(relation.path.clone())))));
        }
        Phrase::Answer(_) | Phrase::Set(_) => {
            let Some(set) = counted(of) else { return };
            let of = &Phrase::Answer(Rc::new(Answer::Count(set.clone())));
            let mut times = times_of(context, &set);
            // A plain year has no month.
            times.retain(|step| what != ColumnFunction::Month || context.schema.end(*step).is_time());
            for (rank, step) in times.into_iter().enumerate() {
                let found = grouped(context, &year(vec![step]), of);
                let found = found.map(|derived| derived.with(Feature::Unnamed, 1.0));
                derived.extend(found.map(|derived| derived.with(Feature::UnnamedTimeRank, rank as f32)));
            }
        }
        _ => {}
    }
}

/// The set to count: "how many clocks", or just "clocks".
fn counted<'k>(of: &Phrase<'k>) -> Option<Rc<Set<'k>>> {
    match of {
        Phrase::Answer(answer) => match &**answer {
            Answer::Count(set) => Some(set.clone()),
            _ => None,
        },
        Phrase::Set(set) if !set.is_named() && set.rank.is_none() && !set.kind.is_values() => {
            Some(set.clone())
        }
        _ => None,
    }
}

/// The times of things: date properties first, then plain years.
fn times_of<'k>(context: &Context<'k>, set: &Set<'k>) -> Vec<Step<'k>> {
    let mut found = time_properties(context, set);
    found.extend(
        year_properties(context, set).into_iter().filter(|step| !found.contains(step)).collect::<Vec<_>>(),
    );
    found
}

/// Whether the question starts with a noun phrase, with no cue such as "who", "which" or "list" before it.
fn is_tallied(context: &Context<'_>, span: Span, set: &Set<'_>) -> bool {
    let things = !set.is_named() && set.rank.is_none() && !set.kind.is_values();
    let silent = |at: u16| {
        context.question.is_function_word(at) && !context.question.cues.iter().any(|cue| cue.span.has(at))
    };
    things && (0..span.from).all(silent)
}

/// Whether the connective is a single preposition "by", which marks agents but also groups.
fn is_by(context: &Context<'_>, connective: &Connective) -> bool {
    let language = context.question.language;
    connective.span.len() == 1
        && language.roles(&context.question.folded_of(connective.span)).contains(&Role::By)
}

/// Groups by what follows "by", which asks for them less clearly than "per" does.
fn rows_by<'k>(
    context: &Context<'k>,
    span: Span,
    columns: &[Wanted<'k>],
    of: &Phrase<'k>,
) -> Option<Derived<'k>> {
    let key = by_year(context, span, columns)?;
    Some(grouped(context, &key, of)?.with(Feature::Unsaid, 1.0))
}

/// Whether a column holds no numbers or times, since those would rather mean an order.
fn is_sorted_into<'k>(context: &Context<'k>, columns: &[Wanted<'k>]) -> bool {
    !columns.iter().any(|wanted| context.tells_number_or_time(&wanted.then))
}

fn is_aggregate(phrase: &Phrase<'_>) -> bool {
    match phrase {
        Phrase::Answer(answer) => matches!(&**answer, Answer::Count(_) | Answer::Overall { .. }),
        Phrase::Columns(columns) => columns.iter().all(|wanted| wanted.what != ColumnFunction::Value),
        _ => false,
    }
}

fn key<'k>(context: &Context<'k>, span: Span, columns: &[Wanted<'k>], derived: &mut Vec<Derived<'k>>) {
    derived.extend(by_year(context, span, columns).map(|key| Derived::new(Phrase::Key(Rc::new(key)))));
}

/// The single column to group by. "Each year" for dates: a row per year, not per day.
fn by_year<'k>(context: &Context<'k>, span: Span, columns: &[Wanted<'k>]) -> Option<Wanted<'k>> {
    let [wanted] = columns else { return None };
    let days = wanted.then.last().is_some_and(|last| context.schema.end(*last).is_time());
    let what = if days && says_year(context, span) { ColumnFunction::Year } else { ColumnFunction::Value };
    (wanted.what == ColumnFunction::Value).then(|| Wanted { what, ..wanted.clone() })
}

/// A row per key with a count or an aggregate.
fn grouped<'k>(context: &Context<'k>, key: &Wanted<'k>, of: &Phrase<'k>) -> Option<Derived<'k>> {
    match of {
        Phrase::Columns(columns) => by_key(context, key, columns),
        Phrase::Answer(answer) => match &**answer {
            Answer::Count(set) => {
                let count = Wanted {
                    of: Some(set.clone()),
                    then: Vec::new(),
                    what: ColumnFunction::Count,
                    optional: false,
                };
                by_key(context, key, &[count])
            }
            Answer::Overall { of, columns } => by_key(context, key, &again(of, columns)),
            Answer::List { of, columns, .. } => by_key(context, key, &again(of, columns)),
            _ => None,
        },
        Phrase::Set(set) => {
            let wanted = Wanted {
                of: Some(set.clone()),
                then: Vec::new(),
                what: ColumnFunction::Value,
                optional: false,
            };
            by_key(context, key, &[wanted])
        }
        _ => None,
    }
}

/// Columns of a set, detached from it again.
fn again<'k>(of: &Rc<Set<'k>>, columns: &[Column<'k>]) -> Vec<Wanted<'k>> {
    let wanted = |column: &Column<'k>| Wanted {
        of: Some(column.of.clone().unwrap_or_else(|| of.clone())),
        then: column.then.clone(),
        what: column.what,
        optional: column.optional,
    };
    columns.iter().map(wanted).collect()
}

fn by_key<'k>(context: &Context<'k>, key: &Wanted<'k>, columns: &[Wanted<'k>]) -> Option<Derived<'k>> {
    let rows = rows(context, key, columns)?;
    let (mut all, mut features) = (Vec::new(), Features::default());
    let named = columns.iter().any(|wanted| {
        wanted.what == ColumnFunction::Value
            && is_of(context, wanted, &rows)
            && !is_asked_amount(context, wanted)
    });
    if !named {
        let what = if key.what.is_calendar() { key.what } else { ColumnFunction::Value };
        all.push(Column { what, ..Column::this() });
    }
    for wanted in columns {
        let (column, own) = attached(context, &rows, wanted).into_iter().next()?;
        features.add_all(&own);
        all.push(summed(context, column));
    }
    if let Some(overall) = over_all(context, &rows, &all) {
        return Some(Derived { features, ..Derived::answer(overall) }.with(Feature::Cued, 1.0));
    }
    let aggregates = all.iter().any(Column::is_aggregate);
    let answer = Answer::List { of: Rc::new(rows), columns: all, order: Vec::new(), limit: None };
    let derived = Derived { features, ..Derived::answer(answer) };
    Some(derived.with(Feature::Cued, f32::from(u8::from(aggregates))))
}

/// "How many places does each tent have": a number does not identify a tent.
fn is_asked_amount<'k>(context: &Context<'k>, wanted: &Wanted<'k>) -> bool {
    let asked = context.has_cue(Cue::HowMany) || context.has_cue(Cue::HowMuch);
    asked && wanted.then.last().is_some_and(|last| context.schema.end(*last).is_number())
}

/// "How many tickets were sold per hall", where each concert has a number: several numbers are summed.
fn summed<'k>(context: &Context<'k>, column: Column<'k>) -> Column<'k> {
    let asked = [Cue::HowMany, Cue::HowMuch, Cue::How].into_iter().any(|cue| context.has_cue(cue));
    let amount = column.then.last().is_some_and(|last| {
        context.schema.end(*last).is_number()
            && !context.is_identifier(last.property)
            && !context.names_moment(last.property)
    });
    let several = context.may_lead_to_many(&column.path) && !column.path.is_empty();
    match column.what == ColumnFunction::Value && asked && amount && several {
        true => Column { what: ColumnFunction::Aggregate(Func::Sum), optional: false, ..column },
        false => column,
    }
}

/// "The average number of beds per hut", where each hut has a single number: the average over all huts.
fn over_all<'k>(context: &Context<'k>, rows: &Set<'k>, columns: &[Column<'k>]) -> Option<Answer<'k>> {
    let [this, average] = columns else { return None };
    let [only] = average.then.as_slice() else { return None };
    let card = context.schema.property(only.property)?;
    let one = only.forward && card.usage == card.subjects && average.path.is_empty();
    let plain = this.is_this() && average.what == ColumnFunction::Aggregate(Func::Average) && one;
    plain.then(|| Answer::Overall { of: Rc::new(rows.clone()), columns: vec![average.clone()] })
}

/// Whether a column is an attribute of the rows themselves.
fn is_of<'k>(context: &Context<'k>, wanted: &Wanted<'k>, rows: &Set<'k>) -> bool {
    !rows.kind.is_values() && context.schema.compatible(&owner(context, wanted), &rows.kind)
}

/// The set with one row per member: members of a class, or all values of an attribute of what is counted.
fn rows<'k>(context: &Context<'k>, key: &Wanted<'k>, columns: &[Wanted<'k>]) -> Option<Set<'k>> {
    if let (Some(set), []) = (&key.of, key.then.as_slice()) {
        return Some((**set).clone());
    }
    let mut counted = columns.iter().filter_map(|wanted| wanted.of.clone()).chain(key.of.clone());
    let (first, last) = key.then.first().zip(key.then.last())?;
    let kind = context.schema.end(*last);
    let start = context.schema.start(*first);
    let owners = counted.find(|set| context.schema.follow_path(&key.then, &set.kind).is_some());
    let all = || (!start.classes().is_empty()).then(|| Rc::new(Set::of_kind(start.clone())));
    let owners = owners.or_else(all)?;
    Some(Set::any(kind, Condition::Joined(turned(&key.then), owners)))
}

/// A plain column listed next to a number: the number is per value of it.
fn listed<'k>(context: &Context<'k>, one: &[Wanted<'k>], other: &[Wanted<'k>]) -> Option<Derived<'k>> {
    let (keys, numbers) = match (one, other) {
        ([key], [number]) if key.what == ColumnFunction::Value && number.what != ColumnFunction::Value => {
            (key, number)
        }
        ([number], [key]) if key.what == ColumnFunction::Value && number.what != ColumnFunction::Value => {
            (key, number)
        }
        _ => return None,
    };
    let derived = by_key(context, keys, std::slice::from_ref(numbers))?;
    Some(derived.with(Feature::Unsaid, 1.0).by(Cue::And).by(Cue::AsWell))
}

#[cfg(test)]
mod tests;

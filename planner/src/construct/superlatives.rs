//! Superlatives: the first or last members by a measure, several of them, or a later one ("the second largest").

use crate::chart::Construct;
use crate::compose::measures::{self, measures};
use crate::compose::{ages, bounds};
use crate::context::Context;
use crate::meaning::{Answer, Base, ColumnFunction, Condition, Func, Measure, Rank, Set, Step};
use crate::phrase::{
    By, Connective, Derived, Graded, Item, Pair, PendingRank, Phrase, Relation, Wanted, func_of,
};
use crate::question::{GradeAt, Span};
use crate::schema::Kind;
use crate::score::{Feature, Features};
use eruca_language::{AnswerKind, Cue, Degree, Role};
use std::rc::Rc;

/// Minimum length of an ordinal within a compound word.
const MIN_PLACE: usize = 4;
/// Kinds tried for what belongs to a named thing.
const MAX_KINDS: usize = 2;

pub(super) struct Superlatives;

/// Cues that form a superlative with what follows; true for the greatest.
const CUES: [(Cue, bool); 6] = [
    (Cue::Most, true),
    (Cue::Fewest, false),
    (Cue::Maximum, true),
    (Cue::Minimum, false),
    (Cue::Commonest, true),
    (Cue::Rarest, false),
];

impl Construct for Superlatives {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        for grade in context.question.grades.iter().filter(|grade| is_superlative(context, grade)) {
            let by = By::Grade(bounds::graded(grade));
            derived.push((grade.span, top(by, grade.grade.up)));
        }
        let words = (0_u16..).zip(&context.question.words);
        derived.extend(
            words.filter_map(|(at, word)| {
                Some((Span { from: at, to: at + 1 }, placed(context, &word.folded)?))
            }),
        );
        for (cue, _) in CUES {
            derived.extend(context.cues(cue).map(|span| (span, Derived::new(Phrase::Cue(cue)))));
        }
        for ordinal in context.question.ordinals.iter().filter(|ordinal| !context.is_in_name(ordinal.span)) {
            derived.push((ordinal.span, Derived::new(Phrase::Ordinal(ordinal.place))));
            let first =
                PendingRank { by: By::Time, down: false, skip: ordinal.place.saturating_sub(1), take: 1 };
            derived.push((ordinal.span, Derived::new(Phrase::Rank(Rc::new(first)))));
        }
        for row in context.cues(Cue::FirstInRow) {
            derived.push((row, Derived::new(Phrase::Cue(Cue::FirstInRow))));
        }
        for cue in [Cue::Commonest, Cue::Rarest] {
            derived.extend(context.cues(cue).map(|span| (span, top(By::Uses, cue == Cue::Commonest))));
        }
    }

    /// "Who earns the most?": the owner of the greatest value.
    fn raise<'k>(&self, context: &Context<'k>, item: &Item<'k>, derived: &mut Vec<Derived<'k>>) {
        let Phrase::Rank(top) = &item.phrase else { return };
        let (By::Relation(path) | By::Total(path) | By::Aggregate(_, path)) = &top.by else { return };
        let asks = context.cues(Cue::Who).any(|who| who.from == 0 && who.to <= item.span.from);
        let Some(owner) = path.first().map(|first| context.schema.start(*first)).filter(|_| asks) else {
            return;
        };
        let owner = person_behind(context, &owner).unwrap_or(owner);
        let person = context.is_kind(&owner, AnswerKind::Person);
        if person == Some(false) {
            return;
        }
        let set = Set::of_kind(owner);
        let unsaid = f32::from(u8::from(person.is_none()));
        for (measure, turned, features) in measures(context, &set, &top.by) {
            let ranked = Set { rank: Some(top.rank(measure, turned)), ..set.clone() };
            let mut found = Derived::set(ranked).with(Feature::Cued, 1.0).with(Feature::Unsaid, unsaid);
            found.features.add_all(&features);
            derived.push(found);
        }
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Ordinal(place), Phrase::Rank(top)) => {
                derived.push(changed(top, |top| top.skip = place.saturating_sub(1)));
            }
            (Phrase::Number(number), Phrase::Rank(top)) | (Phrase::Rank(top), Phrase::Number(number)) => {
                derived.extend(count_of(number).map(|count| changed(top, |top| top.take = count)));
            }
            (Phrase::Ordinal(from), Phrase::Ordinal(to)) if from < to && is_range(connective) => {
                derived.push(Derived::new(Phrase::Places(*from, *to)).by_all([
                    Cue::And,
                    Cue::Until,
                    Cue::Between,
                ]));
            }
            (Phrase::Places(from, to), Phrase::Rank(top)) | (Phrase::Rank(top), Phrase::Places(from, to)) => {
                derived
                    .push(changed(top, |top| (top.skip, top.take) = (from.saturating_sub(1), to - from + 1)));
            }
            // "The three players with the highest salary", "the second town with the most inhabitants".
            (Phrase::Number(number), Phrase::Set(set)) => {
                derived.extend(count_of(number).and_then(|count| again(set, |rank| rank.take = count)));
            }
            (Phrase::Ordinal(place), Phrase::Set(set)) => {
                derived.extend(again(set, |rank| rank.skip = place.saturating_sub(1)));
            }
            (Phrase::Cue(Cue::FirstInRow), Phrase::Number(_)) => {
                derived.push(Derived::new(right.phrase.clone()));
            }
            (Phrase::Cue(cue), other) => {
                derived.extend(by_cue(context, *cue, other));
                derived.extend(by_total(*cue, other));
            }
            // "Who earns the most?"
            (Phrase::Relation(relation), Phrase::Cue(cue @ (Cue::Most | Cue::Fewest)))
                if connective.is_empty() && is_number(context, relation) =>
            {
                derived.extend(by_cue(context, *cue, &left.phrase));
                derived.extend(by_total(*cue, &left.phrase));
            }
            // "The highest average price", "el precio medio más alto", "the most in total".
            (Phrase::Rank(top), Phrase::Columns(columns)) => derived.extend(by_aggregate(top, columns)),
            (Phrase::Columns(columns), Phrase::Rank(top)) if connective.is_empty() => {
                derived.extend(by_aggregate(top, columns));
            }
            (Phrase::Rank(top), Phrase::Cue(cue @ (Cue::Sum | Cue::Average))) => {
                derived.extend(func_of(*cue).and_then(|func| in_all(top, func)));
            }
            (Phrase::Relation(relation), Phrase::Rank(top)) => {
                derived.extend(most_via(context, relation, top));
                derived.extend(at_first(context, relation, top));
                derived.extend(behind(context, relation, connective, top));
                derived.extend(lived(context, relation, top));
            }
            (Phrase::Rank(top), Phrase::Relation(relation)) => {
                derived.extend(most_via(context, relation, top));
                let named = |top: &mut PendingRank<'k>| top.by = By::Relation(relation.path.clone());
                // "The largest country in …": a country by size, not by a property called "country in".
                let last = relation.path.last();
                let class = last.is_some_and(|step| context.is_rather_class(right.span, step.property));
                let found = changed(top, named).with(Feature::GradeOfRelation, 1.0);
                let found = found.with(Feature::Unsaid, f32::from(u8::from(class)));
                if !is_old_thing(context, top, relation) {
                    derived.push(found);
                }
            }
            // "The largest room by capacity".
            (Phrase::Set(set), Phrase::Relation(relation)) if connective.role == Some(Role::By) => {
                derived.extend(by_relation(context, set, relation));
                derived.extend(first_by(context, left.span, set, relation));
            }
            // "The highest total of orders": the orders' owners.
            (Phrase::Rank(top), Phrase::Set(set))
                if connective.role == Some(Role::Of) && is_of_all(context, top, set) =>
            {
                derived.push(Derived::new(left.phrase.clone()));
            }
            (Phrase::Rank(top), Phrase::Set(set)) => {
                derived.extend(greatest_of_each(context, top, set, connective));
                ranked(context, set, top, connective, (true, derived));
            }
            (Phrase::Set(set), Phrase::Rank(top)) => {
                ranked(context, set, top, connective, (false, derived));
            }
            _ => {}
        }
    }
}

fn is_superlative(context: &Context<'_>, grade: &GradeAt) -> bool {
    grade.grade.degree == Degree::Superlative
        && !context.is_in_name(grade.span)
        && !context.question.is_first_of_rows(grade.span)
}

/// "Zweithöchste": an ordinal and a superlative in one word.
fn placed<'k>(context: &Context<'k>, word: &str) -> Option<Derived<'k>> {
    let language = context.question.language;
    let cuts = word.char_indices().map(|(at, _)| at).filter(|at| (MIN_PLACE..word.len()).contains(at));
    let mut found = cuts.filter_map(|at| {
        let (place, rest) = word.split_at_checked(at)?;
        let grade = language.grade(rest).filter(|grade| grade.degree == Degree::Superlative)?;
        Some((language.ordinal(place)?, grade.clone()))
    });
    let (place, grade) = found.next_back()?;
    let (by, down) = (By::Grade(Rc::new(Graded(grade.clone()))), grade.up);
    Some(Derived::new(Phrase::Rank(Rc::new(PendingRank {
        by,
        down,
        skip: place.saturating_sub(1),
        take: 1,
    }))))
}

fn top<'k>(by: By<'k>, down: bool) -> Derived<'k> {
    Derived::new(Phrase::Rank(Rc::new(PendingRank { by, down, skip: 0, take: 1 })))
}

fn changed<'k>(of: &PendingRank<'k>, change: impl FnOnce(&mut PendingRank<'k>)) -> Derived<'k> {
    let mut other = of.clone();
    change(&mut other);
    Derived::new(Phrase::Rank(Rc::new(other)))
}

/// A set ranked to a single member, changed to several or to a later one.
fn again<'k>(set: &Rc<Set<'k>>, change: impl FnOnce(&mut Rank<'k>)) -> Option<Derived<'k>> {
    let mut rank = set.rank.clone().filter(|rank| rank.take == 1 && rank.skip == 0 && rank.per.is_empty())?;
    change(&mut rank);
    Some(Derived::set(Set { rank: Some(rank), ..(**set).clone() }).by(Cue::FirstInRow))
}

/// The top members, where a relation says what the adjective measures.
fn by_relation<'k>(context: &Context<'k>, set: &Rc<Set<'k>>, relation: &Relation<'k>) -> Option<Derived<'k>> {
    let rank =
        set.rank.as_ref().filter(|rank| rank.per.is_empty() && matches!(rank.by, Measure::Value(_)))?;
    let by = By::Relation(relation.path.clone());
    let (measure, turned, features) = measures(context, set, &by).into_iter().next()?;
    let rank = Rank { by: measure, down: rank.down != turned, ..rank.clone() };
    let derived =
        Derived::set(Set { rank: Some(rank), ..(**set).clone() }).with(Feature::GradeOfRelation, 1.0);
    Some(Derived { features: with(features, &derived.features), ..derived })
}

/// "Top 3 cities by population": the number stands before the set and is applied later.
fn first_by<'k>(
    context: &Context<'k>,
    at: Span,
    set: &Rc<Set<'k>>,
    relation: &Relation<'k>,
) -> Option<Derived<'k>> {
    let question = &context.question;
    let numbered = |row: &Span| {
        question.numerals.iter().any(|number| number.span.from == row.to && number.span.to <= at.from)
    };
    let row = context.cues(Cue::FirstInRow).find(numbered)?;
    if set.rank.is_some() || set.is_named() || set.kind.is_values() {
        return None;
    }
    let (by, turned, features) =
        measures(context, set, &By::Relation(relation.path.clone())).into_iter().next()?;
    // "The first 3 by year" are the earliest, "the bottom 3" the smallest ones.
    let up = question.ordinals.iter().any(|place| row.contains(place.span))
        || context.cues(Cue::Ascending).any(|cue| cue == row);
    let rank = Rank { by, down: turned == up, skip: 0, take: 1, per: Vec::new() };
    let derived = Derived::set(Set { rank: Some(rank), ..(**set).clone() }).with(Feature::Cued, 1.0);
    Some(Derived { features: with(features, &derived.features), ..derived })
}

fn with(mut one: Features, other: &Features) -> Features {
    one.add_all(other);
    one
}

fn count_of(number: &crate::phrase::Number) -> Option<u32> {
    number.0.text.parse().ok().filter(|count| (1..=1000).contains(count))
}

/// "Launched first", "founded last".
fn at_first<'k>(
    context: &Context<'k>,
    relation: &Relation<'k>,
    top: &PendingRank<'k>,
) -> Option<Derived<'k>> {
    let time = context.tells_time(&relation.path);
    let by = By::Relation(relation.path.clone());
    // "Lived longest" does not mean a late time.
    let orders = match &top.by {
        By::Grade(grade) => measures::is_of_time(context, &grade.0).is_some(),
        By::Time => true,
        _ => false,
    };
    (time && orders).then(|| changed(top, |top| top.by = by).with(Feature::GradeOfRelation, 1.0))
}

/// "Lived longest": by the years between birth and death, if the relation is one of them and the adjective measures durations.
fn lived<'k>(context: &Context<'k>, relation: &Relation<'k>, top: &PendingRank<'k>) -> Option<Derived<'k>> {
    let By::Grade(grade) = &top.by else { return None };
    let lasts = |noun: &String| {
        context.question.language.measure(noun).is_some_and(|formula| formula.joiner == ['-'])
    };
    let owner = context.schema.start(*relation.path.first()?);
    let [class] = owner.classes() else { return None };
    let set = Set::of_class(class);
    let by = ages::lifetime(context, &set)?;
    let own = matches!(&by, Measure::Years(from, to) if [from, to].contains(&&relation.path));
    (own && grade.0.nouns.iter().any(lasts)).then(|| {
        Derived::set(Set { rank: Some(top.rank(by, false)), ..set })
            .with(Feature::Cued, 1.0)
            .by(Cue::Relative)
    })
}

/// "El salario más alto", "whose salary is the highest": the adjective follows what it grades.
fn behind<'k>(
    context: &Context<'k>,
    relation: &Relation<'k>,
    connective: &Connective,
    top: &PendingRank<'k>,
) -> Option<Derived<'k>> {
    let number = context.schema.end(*relation.path.last()?).is_number();
    let near =
        connective.is_empty() || (connective.has(Cue::Be) && connective.role.is_none() && !connective.comma);
    let by = By::Relation(relation.path.clone());
    (number && near && matches!(top.by, By::Grade(_)))
        .then(|| changed(top, |top| top.by = by).with(Feature::GradeOfRelation, 1.0).by(Cue::Be))
}

/// "Guest at the most festivals", "won the most awards": the relation gives the path along which they are counted.
fn most_via<'k>(context: &Context<'k>, relation: &Relation<'k>, top: &PendingRank<'k>) -> Vec<Derived<'k>> {
    let By::CountOf(set) = &top.by else { return Vec::new() };
    let ways = measures::either_way(context, &relation.path, set);
    let by = |path| changed(top, |top| top.by = By::CountVia(path, set.clone())).with(Feature::Relation, 1.0);
    ways.into_iter().map(by).collect()
}

/// "Most students", "the maximum capacity".
fn by_cue<'k>(context: &Context<'k>, cue: Cue, of: &Phrase<'k>) -> Option<Derived<'k>> {
    let (_, down) = CUES.into_iter().find(|(known, _)| *known == cue)?;
    let counts = matches!(cue, Cue::Most | Cue::Fewest);
    match of {
        // "The most first ascents" means many, not late.
        Phrase::Relation(relation) if counts && context.tells_time(&relation.path) => None,
        Phrase::Relation(relation) => Some(top(By::Relation(relation.path.clone()), down)),
        Phrase::Set(set) if counts && !set.is_named() => Some(top(By::CountOf(set.clone()), down)),
        Phrase::Columns(columns) => match &**columns {
            [wanted] if wanted.what == ColumnFunction::Count => {
                Some(top(By::CountOf(wanted.of.clone()?), down))
            }
            [Wanted { what: ColumnFunction::Aggregate(func), then, .. }] if !then.is_empty() => {
                Some(top(By::Aggregate(*func, then.clone()), down))
            }
            _ => None,
        },
        _ => None,
    }
}

/// "The most revenue": the sum, where there are several amounts.
fn by_total<'k>(cue: Cue, of: &Phrase<'k>) -> Option<Derived<'k>> {
    let (_, down) = CUES.into_iter().find(|(known, _)| *known == cue)?;
    let Phrase::Relation(relation) = of else { return None };
    matches!(cue, Cue::Most | Cue::Fewest)
        .then(|| top(By::Total(relation.path.clone()), down).with(Feature::Cued, 1.0))
}

/// The adjective or the word for the maximum gives only the direction.
fn by_aggregate<'k>(top: &PendingRank<'k>, columns: &[Wanted<'k>]) -> Option<Derived<'k>> {
    let [Wanted { what: ColumnFunction::Aggregate(func), then, .. }] = columns else { return None };
    let graded = matches!(top.by, By::Grade(_)) && !then.is_empty();
    graded.then(|| changed(top, |top| top.by = By::Aggregate(*func, then.clone())))
}

fn in_all<'k>(top: &PendingRank<'k>, func: Func) -> Option<Derived<'k>> {
    let (By::Relation(path) | By::Total(path)) = &top.by else { return None };
    Some(changed(top, |top| top.by = By::Aggregate(func, path.clone())).with(Feature::Aggregated, 1.0))
}

/// "The highest average salary of a ward": asks for the number, not the ward.
fn greatest_of_each<'k>(
    context: &Context<'k>,
    top: &PendingRank<'k>,
    set: &Rc<Set<'k>>,
    connective: &Connective,
) -> Option<Derived<'k>> {
    let first = top.skip == 0 && top.take == 1 && matches!(top.by, By::Aggregate(..));
    if !first || connective.role != Some(Role::Of) || !set.is_bare_class() {
        return None;
    }
    let (measure, turned, features) = measures(context, set, &top.by).into_iter().next()?;
    let func = if top.down != turned { Func::Maximum } else { Func::Minimum };
    let answer = Answer::OfEach(func, set.clone(), measure);
    Some(Derived { features, ..Derived::answer(answer) }.with(Feature::Aggregated, 1.0))
}

/// The persons that things belong to, unless they are persons themselves: payments are made by members.
fn person_behind<'k>(context: &Context<'k>, owner: &Kind<'k>) -> Option<Kind<'k>> {
    if context.is_kind(owner, AnswerKind::Person) == Some(true) {
        return None;
    }
    let hops = owner.classes().first().into_iter().flat_map(|class| context.schema.index.graph.hops(class));
    let classes = hops.filter(|hop| hop.forward).filter_map(|hop| context.schema.class(&hop.class));
    let mut persons =
        classes.map(Kind::class).filter(|kind| context.is_kind(kind, AnswerKind::Person) == Some(true));
    persons.next()
}

/// "The oldest member" does not mean the thing with the most members.
fn is_old_thing<'k>(context: &Context<'k>, top: &PendingRank<'k>, relation: &Relation<'k>) -> bool {
    let timed = |grade: &Graded| measures::is_of_time(context, &grade.0).is_some();
    let thing = relation.path.last().is_some_and(|last| !context.schema.end(*last).is_values());
    thing && matches!(&top.by, By::Grade(grade) if timed(grade))
}

/// Whether a measure aggregates what members of a class have.
fn is_of_all<'k>(context: &Context<'k>, top: &PendingRank<'k>, set: &Set<'k>) -> bool {
    let By::Aggregate(_, path) = &top.by else { return false };
    let owner = path.first().map(|first| context.schema.start(*first));
    set.is_bare_class() && owner.is_some_and(|owner| context.schema.compatible(&owner, &set.kind))
}

fn is_number<'k>(context: &Context<'k>, relation: &Relation<'k>) -> bool {
    let number =
        |last: &Step<'k>| context.schema.end(*last).is_number() && !context.is_identifier(last.property);
    relation.path.last().is_some_and(number)
}

fn ranked<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    top: &PendingRank<'k>,
    connective: &Connective,
    (top_first, derived): (bool, &mut Vec<Derived<'k>>),
) {
    let several = matches!(&set.base, Base::Things(things) if things.len() > 1);
    if set.is_named() && !several {
        // "The heaviest coil", "which coil is the heaviest", "which coil has the highest density".
        let said = top_first || connective.has(Cue::Be) || connective.has(Cue::Have);
        return if said {
            of_that_kind(context, set, top, connective, derived);
        };
    }
    if set.rank.is_some() || connective.has(Cue::Not) || connective.has(Cue::Or) || connective.has(Cue::Than)
    {
        return;
    }
    let first = f32::from(u8::from(top_first));
    for (measure, turned, features) in measures(context, set, &top.by) {
        let rank = top.rank(measure, turned);
        let ranked = Set { rank: Some(rank), ..(**set).clone() };
        let mut found = Derived::set(ranked).with(Feature::TopThenSet, first).with(Feature::Cued, 1.0);
        found.features.add_all(&features);
        derived.push(found.by(Cue::Relative).by(Cue::Have).by(Cue::Be));
    }
    if !context.holds_keys(set) {
        itself(set, top, first, derived);
    }
}

/// "6th to 10th", "between the third and the fifth".
fn is_range(connective: &Connective) -> bool {
    connective.role == Some(Role::To) || connective.has(Cue::Until) || connective.has(Cue::And)
}

/// "The heaviest coil", where coils are the things that belong to a named category.
fn of_that_kind<'k>(
    context: &Context<'k>,
    thing: &Rc<Set<'k>>,
    top: &PendingRank<'k>,
    connective: &Connective,
    derived: &mut Vec<Derived<'k>>,
) {
    if thing.kind.is_values()
        || connective.has(Cue::Not)
        || connective.has(Cue::Or)
        || connective.has(Cue::Than)
    {
        return;
    }
    let hops = thing.kind.classes().iter().take(2).flat_map(|class| context.schema.index.graph.hops(class));
    let mut found = Vec::new();
    for hop in hops.filter(|hop| !hop.forward) {
        let Some(property) = context.schema.property(&hop.property) else { continue };
        let Some(class) = context.schema.class(&hop.class) else { continue };
        let path = vec![Step { property: property.iri.as_str(), forward: true }];
        let members = Set::any(Kind::class(class), Condition::Joined(path, thing.clone()));
        let best = measures(context, &members, &top.by).into_iter().next();
        let named = best.filter(|(_, _, features)| features.of(Feature::Unnamed) == 0.0);
        found.extend(named.map(|best| (members, best)));
    }
    let fit = |features: &Features| features.of(Feature::Misfit) + features.of(Feature::Unnamed);
    found.sort_by(|(_, a), (_, b)| fit(&a.2).total_cmp(&fit(&b.2)));
    for (members, (measure, turned, features)) in found.into_iter().take(MAX_KINDS) {
        let set = Set { rank: Some(top.rank(measure, turned)), ..members };
        let mut own = Derived::set(set).with(Feature::Cued, 1.0).with(Feature::Unsaid, 1.0);
        own.features.add_all(&features);
        derived.push(own.by(Cue::Relative).by(Cue::Have).by(Cue::Be));
    }
}

/// "The highest salary": the maximum of the values themselves.
fn itself<'k>(set: &Rc<Set<'k>>, top: &PendingRank<'k>, first: f32, derived: &mut Vec<Derived<'k>>) {
    if matches!(set.kind, Kind::Values(_)) && set.kind.is_measurable() {
        let by = Measure::Value(Vec::new());
        let rank = top.rank(by, false);
        let ranked = Set { rank: Some(rank), ..(**set).clone() };
        derived.push(Derived::set(ranked).with(Feature::TopThenSet, first).with(Feature::Cued, 1.0));
    }
}

#[cfg(test)]
mod tests;

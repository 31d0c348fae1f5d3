//! Comparisons with a thing: "longer than the Rhine", "more visitors than the castle", "born before Anna", "wider than tall".

mod thesaurus;

use crate::chart::Construct;
use crate::compose::bounds;
use crate::compose::measures::measures;
use crate::compose::times::time_properties;
use crate::context::Context;
use crate::meaning::{Base, Condition, Func, Measure, Op, Operand, Path, Rank, Set};
use crate::phrase::{By, Comparative, Connective, Derived, Item, Pair, Phrase, Relation, Than};
use crate::question::Span;
use crate::schema::Kind;
use crate::score::{Feature, Features};
use eruca_language::{Cue, Degree};
use std::rc::Rc;
use thesaurus::compared_relations;

pub(crate) struct ThanComparisons;

/// Cues that compare the noun after them; true for the greater one.
const CUES: [(Cue, bool); 2] = [(Cue::More, true), (Cue::Fewer, false)];
/// Cues that a thing may follow directly: whether the greater is meant, and whether it compares times.
const OVER: [(Cue, bool, bool); 4] = [
    (Cue::Greater, true, false),
    (Cue::Less, false, false),
    (Cue::After, true, true),
    (Cue::Before, false, true),
];

impl Construct for ThanComparisons {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        for grade in context.question.grades.iter().filter(|grade| grade.grade.degree == Degree::Comparative)
        {
            let by = By::Grade(bounds::graded(grade));
            derived.push((grade.span, comparative(by, grade.grade.up)));
        }
        for cue in CUES.map(|(cue, _)| cue).into_iter().chain(OVER.map(|(cue, ..)| cue)) {
            derived.extend(context.cues(cue).map(|span| (span, Derived::new(Phrase::Cue(cue)))));
        }
    }

    /// "Longer than the Rhine", without a noun for what is longer.
    fn raise<'k>(&self, context: &Context<'k>, item: &Item<'k>, derived: &mut Vec<Derived<'k>>) {
        let Phrase::Than(than) = &item.phrase else { return };
        let Some(by) = than.by.as_ref().filter(|_| than.own.is_none()) else { return };
        let related = compared_relations(context, by, than);
        let measured = measures(context, &than.with, by).into_iter();
        // Where a relation is called "narrower", a numeric attribute that is not named does not count.
        let fits = |features: &Features| related.is_empty() || features.of(Feature::Unnamed) == 0.0;
        for (measure, turned, features) in measured.filter(|(_, _, features)| fits(features)) {
            let condition = against(&measure, than.up != turned, &than.with, measure.clone());
            let mut found = Derived::set(Set::any(whoever(context, &measure, &than.with), condition));
            found.features.add_all(&features);
            derived.push(found);
        }
        derived.extend(related);
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Cue(cue), Phrase::Relation(relation))
            | (Phrase::Relation(relation), Phrase::Cue(cue)) => {
                derived.extend(side(*cue).map(|up| comparative(By::Relation(relation.path.clone()), up)));
            }
            (Phrase::Cue(cue), Phrase::Set(set)) => {
                derived.extend(
                    side(*cue)
                        .filter(|_| !set.is_named())
                        .map(|up| comparative(By::CountOf(set.clone()), up)),
                );
                derived.extend(than_thing(None, *cue, connective, set));
            }
            (Phrase::Comparative(one), Phrase::Relation(relation)) => {
                derived.extend(more_of(context, one, relation));
                derived.extend(than_own(context, one, relation, connective));
            }
            (Phrase::Comparative(one), Phrase::Set(set)) if connective.has(Cue::Than) => {
                derived.extend(than(one, set));
            }
            (Phrase::Comparative(one), Phrase::Grade(grade)) if connective.has(Cue::Than) => {
                derived.push(than_other(one, By::Grade(grade.clone())));
            }
            (Phrase::Comparative(one), Phrase::Cue(Cue::Average)) if connective.has(Cue::Than) => {
                derived.extend(than_average(context, one));
            }
            (Phrase::Relation(relation), Phrase::Than(than))
            | (Phrase::Than(than), Phrase::Relation(relation)) => {
                derived.extend(of_relation(context, relation, than));
            }
            (Phrase::Set(set), Phrase::Than(than)) => of_set(context, set, than, connective, derived),
            (Phrase::Set(set), Phrase::Comparative(one)) | (Phrase::Comparative(one), Phrase::Set(set)) => {
                derived.extend(which_of(context, set, one, connective));
            }
            _ => {}
        }
    }
}

/// The kinds that may have a measure, besides that of the thing compared with.
fn whoever<'k>(context: &Context<'k>, measure: &Measure<'k>, thing: &Set<'k>) -> Kind<'k> {
    let start = match measure {
        Measure::Value(path) => path.first().map(|first| context.schema.start(*first)),
        _ => None,
    };
    start.filter(|kind| *kind != Kind::Unknown).unwrap_or_else(|| thing.kind.clone())
}

fn comparative<'k>(by: By<'k>, up: bool) -> Derived<'k> {
    Derived::new(Phrase::Comparative(Rc::new(Comparative { by, up })))
}

fn side(cue: Cue) -> Option<bool> {
    CUES.into_iter().find(|(known, _)| *known == cue).map(|(_, up)| up)
}

/// A thing that can have a measure: not a class, and not an unrestricted set.
fn is_thing(set: &Set<'_>) -> bool {
    !set.is_bare_class() && set.is_anchored()
}

/// "Larger population": the adjective gives only the direction.
fn more_of<'k>(context: &Context<'k>, one: &Comparative<'k>, relation: &Relation<'k>) -> Option<Derived<'k>> {
    let measured = context.schema.end(*relation.path.last()?).is_measurable();
    let graded = matches!(one.by, By::Grade(_)) && measured;
    graded
        .then(|| comparative(By::Relation(relation.path.clone()), one.up).with(Feature::GradeOfRelation, 1.0))
}

/// "Longer than the Rhine"; the adjective may also apply to a relation that follows.
fn than<'k>(one: &Comparative<'k>, thing: &Rc<Set<'k>>) -> Vec<Derived<'k>> {
    if !is_thing(thing) {
        return Vec::new();
    }
    let derived = |by| {
        let than = Than { by, up: one.up, time: false, own: None, with: thing.clone() };
        Derived::new(Phrase::Than(Rc::new(than))).by(Cue::Than)
    };
    let unsaid = matches!(one.by, By::Grade(_)).then(|| derived(None));
    std::iter::once(derived(Some(one.by.clone()))).chain(unsaid).collect()
}

/// "More than Anna", "before the war".
fn than_thing<'k>(
    by: Option<By<'k>>,
    cue: Cue,
    connective: &Connective,
    thing: &Rc<Set<'k>>,
) -> Option<Derived<'k>> {
    let said = OVER.into_iter().find(|(known, ..)| *known == cue).map(|(_, up, time)| (up, time));
    let (up, time) =
        said.or_else(|| side(cue).filter(|_| connective.has(Cue::Than)).map(|up| (up, false)))?;
    let than = Than { by, up, time, own: None, with: thing.clone() };
    is_thing(thing).then(|| Derived::new(Phrase::Than(Rc::new(than))).by(Cue::Than))
}

/// The condition that a measure is greater or less than one of a thing.
fn against<'k>(measure: &Measure<'k>, up: bool, thing: &Rc<Set<'k>>, its: Measure<'k>) -> Condition<'k> {
    let op = if up { Op::Greater } else { Op::Less };
    Condition::Compare(measure.clone(), op, Operand::Thing(thing.clone(), Box::new(its)))
}

/// "Born before Anna", "earn more than Anna", "population larger than Berlin's".
fn of_relation<'k>(context: &Context<'k>, relation: &Relation<'k>, than: &Than<'k>) -> Option<Derived<'k>> {
    let (first, last) = relation.path.first().zip(relation.path.last())?;
    let end = context.schema.end(*last);
    let owner = context.schema.start(*first);
    let unsaid = than.by.is_none()
        && end.is_measurable()
        && (!than.time || end.is_time() || context.names_time(last.property));
    if !unsaid {
        return None;
    }
    let measure = Measure::Value(relation.path.clone());
    let its = its_measure(context, &relation.path, &than.with)?;
    let set = Set::any(owner, against(&measure, than.up, &than.with, its));
    Some(Derived::set(set))
}

/// The same measure of the thing compared with; values are compared directly.
fn its_measure<'k>(context: &Context<'k>, path: &Path<'k>, thing: &Set<'k>) -> Option<Measure<'k>> {
    if thing.kind.is_measurable() {
        return Some(Measure::Value(Vec::new()));
    }
    if context.schema.follow_path(path, &thing.kind).is_some() {
        return Some(Measure::Value(path.clone()));
    }
    let time = context.schema.end(*path.last()?).is_time();
    let first = time_properties(context, thing).into_iter().next().filter(|_| time)?;
    Some(Measure::Value(vec![first]))
}

/// "Concerts before the summer fair": by a time not named in the question. "Wider than tall": by two measures of the members.
fn of_set<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    than: &Than<'k>,
    connective: &Connective,
    derived: &mut Vec<Derived<'k>>,
) {
    if let (Some(by), Some(own)) = (&than.by, &than.own) {
        derived.extend(of_own(context, set, than.up, (by, own)));
    }
    if !than.time || than.by.is_some() || set.kind.is_values() || connective.has(Cue::Not) {
        return;
    }
    for (rank, step) in time_properties(context, set).into_iter().take(2).enumerate() {
        let path = vec![step];
        let Some(its) = its_measure(context, &path, &than.with) else { continue };
        let condition = against(&Measure::Value(path), than.up, &than.with, its);
        let found = Derived::set(set.and(condition));
        let found = found.with(Feature::Unnamed, 1.0).with(Feature::UnnamedTimeRank, rank as f32);
        derived.push(found.by_all([Cue::Relative, Cue::Be, Cue::Do]));
    }
}

/// "Wider than they are tall": another measure of the same thing.
fn than_other<'k>(one: &Comparative<'k>, own: By<'k>) -> Derived<'k> {
    let nothing = Set { base: Base::Any, kind: Kind::Unknown, conditions: Vec::new(), rank: None };
    let than =
        Than { by: Some(one.by.clone()), up: one.up, time: false, own: Some(own), with: Rc::new(nothing) };
    Derived::new(Phrase::Than(Rc::new(than))).by(Cue::Than).by(Cue::Be)
}

fn of_own<'k>(
    context: &Context<'k>,
    set: &Set<'k>,
    up: bool,
    (by, own): (&By<'k>, &By<'k>),
) -> Option<Derived<'k>> {
    let (measure, turned, features) = measures(context, set, by).into_iter().next()?;
    let (other, other_turned, more) = measures(context, set, own).into_iter().next()?;
    let op = if up != turned { Op::Greater } else { Op::Less };
    let comparable = turned == other_turned && measure != other && matches!(measure, Measure::Value(_));
    let condition = Condition::Compare(measure, op, Operand::Own(Box::new(other)));
    let mut found = Derived::set(set.and(condition)).with(Feature::Cued, 1.0);
    found.features.add_all(&features);
    found.features.add_all(&more);
    comparable.then(|| found.by_all([Cue::Relative, Cue::Be, Cue::Have]))
}

/// "More inhabitants than the average".
fn than_average<'k>(context: &Context<'k>, one: &Comparative<'k>) -> Option<Derived<'k>> {
    let By::Relation(path) = &one.by else { return None };
    let (first, last) = path.first().zip(path.last())?;
    let number = context.schema.end(*last).is_number();
    let everything = Set { base: Base::Any, kind: Kind::Unknown, conditions: Vec::new(), rank: None };
    let op = if one.up { Op::Greater } else { Op::Less };
    let against = Operand::Overall(Func::Average, Rc::new(everything));
    let condition = Condition::Compare(Measure::Value(path.clone()), op, against);
    let set = Set::any(context.schema.start(*first), condition);
    number.then(|| Derived::set(set).with(Feature::Cued, 1.0).by(Cue::Than))
}

/// "More goals than assists", or "wider than they are tall" with nouns: two measures of the same thing.
fn than_own<'k>(
    context: &Context<'k>,
    one: &Comparative<'k>,
    relation: &Relation<'k>,
    connective: &Connective,
) -> Option<Derived<'k>> {
    let (first, last) = relation.path.first().zip(relation.path.last())?;
    if !connective.has(Cue::Than) || !context.schema.end(*last).is_measurable() {
        return None;
    }
    let owner =
        Set { base: Base::Any, kind: context.schema.start(*first), conditions: Vec::new(), rank: None };
    let (measure, turned, features) = measures(context, &owner, &one.by).into_iter().next()?;
    let other = Measure::Value(relation.path.clone());
    let op = if one.up != turned { Op::Greater } else { Op::Less };
    let different = measure != other && matches!(measure, Measure::Value(_));
    let condition = Condition::Compare(measure, op, Operand::Own(Box::new(other)));
    let mut found =
        Derived::set(Set::any(owner.kind, condition)).with(Feature::Cued, 1.0).by(Cue::Than).by(Cue::Be);
    found.features.add_all(&features);
    different.then_some(found)
}

/// "Who is older, Anna or Bob?": the top one of several named things.
fn which_of<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    one: &Comparative<'k>,
    connective: &Connective,
) -> Option<Derived<'k>> {
    let several = matches!(&set.base, Base::Things(things) if things.len() > 1) && set.is_named();
    if !several || connective.has(Cue::Than) || connective.has(Cue::Not) {
        return None;
    }
    let (by, turned, features) = measures(context, set, &one.by).into_iter().next()?;
    let rank = Rank { by, down: one.up != turned, skip: 0, take: 1, per: Vec::new() };
    let mut found = Derived::set(Set { rank: Some(rank), ..(**set).clone() }).with(Feature::Cued, 1.0);
    found.features.add_all(&features);
    Some(found)
}

#[cfg(test)]
mod tests;

//! Comparisons: a measure of the members with a number, a time, an average, or the same measure of a named thing.

use super::{Construct, Context};
use super::measures::{measures, ways_from};
use crate::chart::{Bound, By, Gap, Item, Made, Phrase};
use crate::meaning::{Against, Base, Condition, Measure, Op, Set, Step};
use crate::question::Span;
use crate::schema::Kind;
use crate::score::Feature;
use eruca_indexer::language::{Cue, Degree};
use std::rc::Rc;

pub(super) struct Comparisons;

impl Construct for Comparisons {
    fn leaves<'k>(&self, context: &Context<'k>, made: &mut Vec<(Span, Made<'k>)>) {
        for grade in &context.question.grades {
            made.push((grade.span, Made::new(Phrase::Grade(super::bounds::graded(grade)))));
        }
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
            (Phrase::Relation(relation), Phrase::Bound(bound)) | (Phrase::Bound(bound), Phrase::Relation(relation)) => {
                of_path(context, &relation.path, bound, made);
            }
            (Phrase::Set(set), Phrase::Bound(bound)) => of_set(context, set, bound, gap, made),
            (Phrase::Bound(bound), Phrase::Set(set)) => number_of(set, bound, made),
            (Phrase::Set(set), Phrase::Counted(of, op, number)) => counted(context, set, (of, *op, number), gap, made),
            (Phrase::Grade(_), Phrase::Set(thing)) if gap.has(Cue::Than) => {
                than_thing(context, left, thing, made);
            }
            _ => {}
        }
    }
}

/// "Population above 5 million", "born before 1900", "more than 3 children".
pub(super) fn of_path<'k>(context: &Context<'k>, path: &[Step<'k>], bound: &Bound<'k>, made: &mut Vec<Made<'k>>) {
    let Some((first, last)) = path.first().zip(path.last()) else { return };
    let (owner, end) = (context.schema.start(*first), context.schema.end(*last));
    let number = matches!(bound.against, Against::Number(_) | Against::Range(..));
    let measure = match &end {
        Kind::Values(_) => Measure::Value(path.to_vec()),
        _ if number => {
            let anything = Set { base: Base::Any, kind: end.clone(), conditions: Vec::new(), rank: None };
            Measure::Count(path.to_vec(), Rc::new(anything))
        }
        _ => return,
    };
    let counts = matches!(measure, Measure::Count(..));
    let fits = counts || (fits(&end, &bound.against) && !context.is_identifier(last.property));
    let against = overall(&bound.against, &owner);
    let set = Set::any(owner, Condition::Compare(measure, bound.op, against));
    let made_set = Made::set(set).with(Feature::Compared, 1.0);
    let made_set = if counts { made_set.with(Feature::CountOfRelation, 1.0) } else { made_set };
    made.push(if fits { made_set } else { made_set.with(Feature::ComparedMisfit, 1.0) });
}

/// Whether values of a kind can be compared with it.
fn fits(kind: &Kind<'_>, against: &Against<'_>) -> bool {
    match against {
        Against::Period { .. } => kind.is_time() || kind.is_number(),
        _ => kind.is_number(),
    }
}

/// An average is one over all things of the kind.
fn overall<'k>(against: &Against<'k>, owner: &Kind<'k>) -> Against<'k> {
    match (against, owner.classes().first()) {
        (Against::Overall(func, set), Some(class)) if set.kind == Kind::Unknown => {
            Against::Overall(*func, Rc::new(Set::of_class(class)))
        }
        _ => against.clone(),
    }
}

/// "Rivers longer than 500 km", "countries larger than the average".
fn of_set<'k>(context: &Context<'k>, set: &Rc<Set<'k>>, bound: &Bound<'k>, gap: &Gap, made: &mut Vec<Made<'k>>) {
    let Some(grade) = &bound.grade else { return };
    if gap.has(Cue::Not) || gap.has(Cue::Or) {
        return;
    }
    for (measure, turned, features) in measures(context, set, &By::Grade(grade.clone())) {
        let (measure, op) = super::ages::in_years(context, set, measure, turned, bound);
        let against = overall(&bound.against, &set.kind);
        let mut found = Made::set(set.and(Condition::Compare(measure, op, against))).with(Feature::Compared, 1.0);
        found.features.add_all(&features);
        made.push(found.by(Cue::Relative).by(Cue::Be).by(Cue::And).by(Cue::Have));
    }
}

/// "More than 3 pets", before what has them is known.
fn number_of<'k>(set: &Rc<Set<'k>>, bound: &Bound<'k>, made: &mut Vec<Made<'k>>) {
    let countable = !set.is_named() && set.rank.is_none() && !set.kind.is_values();
    if let (Against::Number(number), None, true) = (&bound.against, &bound.grade, countable) {
        made.push(Made::new(Phrase::Counted(set.clone(), bound.op, number.clone())));
    }
}

fn counted<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    (of, op, number): (&Rc<Set<'k>>, Op, &Rc<str>),
    gap: &Gap,
    made: &mut Vec<Made<'k>>,
) {
    if gap.has(Cue::Not) || gap.has(Cue::Or) {
        return;
    }
    for (path, cost) in ways_from(context, set, &of.kind).into_iter().take(3) {
        let measure = Measure::Count(path, of.clone());
        let condition = Condition::Compare(measure, op, Against::Number(number.clone()));
        let found = Made::set(set.and(condition)).with(Feature::CountBridge, cost).with(Feature::Compared, 1.0);
        made.push(found.by(Cue::Relative).by(Cue::Have).by(Cue::Be).by(Cue::And));
    }
}

/// "Longer than the Rhine".
fn than_thing<'k>(context: &Context<'k>, grade: &Item<'k>, thing: &Rc<Set<'k>>, made: &mut Vec<Made<'k>>) {
    let Phrase::Grade(graded) = &grade.phrase else { return };
    if graded.0.degree != Degree::Comparative || thing.is_bare_class() {
        return;
    }
    for (measure, turned, features) in measures(context, thing, &By::Grade(graded.clone())) {
        let op = if graded.0.up != turned { Op::Greater } else { Op::Less };
        let against = Against::Thing(thing.clone(), Box::new(measure.clone()));
        let set = Set::any(thing.kind.clone(), Condition::Compare(measure, op, against));
        let mut found = Made::set(set).with(Feature::ComparedWithThing, 1.0).by(Cue::Than);
        found.features.add_all(&features);
        made.push(found);
    }
}

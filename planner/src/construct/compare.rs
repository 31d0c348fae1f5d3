//! Comparisons: a measure of the members with a number, a time, or an average. Comparisons with a named thing are in `than`.

use crate::chart::Construct;
use crate::compose::bounds::{fits, graded, of_path};
use crate::compose::measures::{either_way, measures, noun_fit, ways_from};
use crate::compose::{ages, units};
use crate::context::Context;
use crate::meaning::{ColumnFunction, Condition, Measure, Op, Operand, Path, Set, Step};
use crate::phrase::{Bound, By, Connective, Derived, Item, Pair, Phrase, Relation, Wanted, func_of};
use crate::question::Span;
use crate::score::{Feature, Features};
use eruca_language::text::normalize_word;
use eruca_language::{AnswerKind, Cue};
use std::rc::Rc;

/// Attributes tried for a number whose attribute is not named.
const MAX_UNNAMED: usize = 4;
/// Minimum fit for a noun after a number to be what is counted.
const COUNTED_FIT: f32 = 0.6;

/// Properties tried for an adjective when nothing says what has them.
const MAX_MEASURED: usize = 3;

pub(crate) struct Comparisons;

impl Construct for Comparisons {
    /// "Who is taller than 2 m?": anything that has the attribute measured by the adjective.
    fn raise<'k>(&self, context: &Context<'k>, item: &Item<'k>, derived: &mut Vec<Derived<'k>>) {
        let Phrase::Bound(bound) = &item.phrase else { return };
        let Some(grade) = bound.grade.as_ref().filter(|_| context.has_cue(Cue::Who)) else { return };
        let nouns: Vec<String> = grade.0.nouns.iter().map(|noun| normalize_word(noun)).collect();
        let cards = context.schema.index.card.properties.iter();
        let measured = cards.map(|card| Step { property: &card.iri, forward: true }).filter(|step| {
            context.schema.end(*step).is_number() && noun_fit(context, step.property, &nouns) > 0.0
        });
        let mut found = Vec::new();
        measured.take(MAX_MEASURED).for_each(|step| of_path(context, &[step], bound, &mut found));
        derived.extend(found.into_iter().map(|derived| derived.with(Feature::RelationAsSet, 1.0)));
    }

    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        for grade in &context.question.grades {
            derived.push((grade.span, Derived::new(Phrase::Grade(graded(grade)))));
        }
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        match (&left.phrase, &right.phrase) {
            // "Airlines with at least 10 flights": the number counts the noun after it.
            (Phrase::Relation(relation), Phrase::Bound(bound))
                if !counts_noun(context, relation, bound, right) =>
            {
                of_path(context, &relation.path, bound, derived);
            }
            (Phrase::Bound(bound), Phrase::Relation(relation)) => {
                of_path(context, &relation.path, bound, derived);
                derived.extend(same_average(context, bound, relation));
            }
            (Phrase::Set(set), Phrase::Bound(bound)) => {
                of_set(context, set, bound, connective, derived);
                derived.extend(of_values(set, bound, connective));
            }
            (Phrase::Bound(bound), Phrase::Set(set)) => {
                number_of(set, bound, derived);
                derived.extend(average_of(set, bound, connective));
            }
            (Phrase::Relation(relation), Phrase::Counted(of, op, number))
            | (Phrase::Counted(of, op, number), Phrase::Relation(relation)) => {
                counted_via(context, relation, (of, *op, number), connective, derived);
            }
            (Phrase::Set(set), Phrase::Counted(of, op, number)) => {
                counted(context, set, (of, *op, number), connective, derived);
            }
            // "An average price above 20", "above 20 on average".
            (Phrase::Columns(columns), Phrase::Bound(bound))
            | (Phrase::Bound(bound), Phrase::Columns(columns)) => {
                derived.extend(of_aggregate(columns, bound));
            }
            (Phrase::Set(set), Phrase::Cue(cue @ (Cue::Sum | Cue::Average))) => {
                derived.extend(in_all(set, *cue));
            }
            (Phrase::Set(set), Phrase::Bounded(by, bound)) => {
                by_measure(context, set, by, bound, connective, derived);
            }
            _ => {}
        }
    }
}

/// Whether a number without a unit counts the noun after it rather than bounding values of the relation before it.
fn counts_noun<'k>(context: &Context<'k>, relation: &Relation<'k>, bound: &Bound<'k>, at: &Item<'k>) -> bool {
    let number = matches!(bound.against, Operand::Number(_)) && bound.grade.is_none();
    let behind = context.question.word(at.span.to).filter(|word| word.broken.is_none());
    let noun = behind.is_some_and(|_| {
        context.links.schema.iter().any(|link| link.span.from == at.span.to && link.fit > COUNTED_FIT)
    });
    let measured = relation.path.last().is_some_and(|last| context.schema.end(*last).is_measurable());
    number && noun && !measured
}

/// A bound on an aggregate, before the owners of the values are known.
fn of_aggregate<'k>(columns: &[Wanted<'k>], bound: &Rc<Bound<'k>>) -> Option<Derived<'k>> {
    let [Wanted { what: ColumnFunction::Aggregate(func), then, .. }] = columns else { return None };
    let number = matches!(bound.against, Operand::Number(_) | Operand::Range(..)) && !then.is_empty();
    let by = Rc::new(By::Aggregate(*func, then.clone()));
    number.then(|| Derived::new(Phrase::Bounded(by, bound.clone())).by(Cue::Be))
}

/// "More than 200 seats in total".
fn in_all<'k>(set: &Set<'k>, cue: Cue) -> Option<Derived<'k>> {
    let [Condition::Compare(Measure::Value(path), op, against @ (Operand::Number(_) | Operand::Range(..)))] =
        set.conditions.as_slice()
    else {
        return None;
    };
    let by = By::Aggregate(func_of(cue)?, path.clone());
    let bound = Bound { op: *op, against: against.clone(), grade: None, unit: None };
    (set.is_unsaid() && !path.is_empty())
        .then(|| Derived::new(Phrase::Bounded(Rc::new(by), Rc::new(bound))).with(Feature::Aggregated, 1.0))
}

/// Members whose measure is bounded.
fn by_measure<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    by: &By<'k>,
    bound: &Bound<'k>,
    connective: &Connective,
    derived: &mut Vec<Derived<'k>>,
) {
    if connective.has(Cue::Not) || connective.has(Cue::Or) || set.kind.is_values() {
        return;
    }
    for (measure, _, features) in measures(context, set, by) {
        let (against, misfit) = of_measure(context, &measure, bound);
        let condition = Condition::Compare(measure, bound.op, against);
        let mut found = Derived::set(set.and(condition)).with(Feature::Cued, 1.0);
        found.features.add_all(&misfit);
        found.features.add_all(&features);
        derived.push(clause(found));
    }
}

/// "Rivers longer than 500 km", "countries larger than the average".
fn of_set<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    bound: &Bound<'k>,
    connective: &Connective,
    derived: &mut Vec<Derived<'k>>,
) {
    if connective.has(Cue::Not) || connective.has(Cue::Or) {
        return;
    }
    let Some(grade) = &bound.grade else {
        return unnamed(context, set, bound, derived);
    };
    for (measure, turned, features) in measures(context, set, &By::Grade(grade.clone())) {
        let (measure, op) = ages::in_years(context, set, measure, turned, bound);
        // For things that may have died, it is not clear which age is meant.
        let mortal = matches!(measure, Measure::Age(_)) && ages::lifetime(context, set).is_some();
        let (against, misfit) = of_measure(context, &measure, bound);
        let condition = Condition::Compare(measure, op, against);
        let mut found = Derived::set(set.and(condition)).with(Feature::Cued, 1.0);
        found.features.add_all(&misfit);
        found.features.add(Feature::Unsaid, f32::from(u8::from(mortal)));
        found.features.add_all(&features);
        derived.push(clause(found));
    }
}

/// A bound on a measure, converted to its unit.
fn of_measure<'k>(
    context: &Context<'k>,
    measure: &Measure<'k>,
    bound: &Bound<'k>,
) -> (Operand<'k>, Features) {
    match measure {
        Measure::Value(path) | Measure::Aggregate(_, path) => units::in_their_unit(context, path, bound),
        _ => (bound.against.clone(), Features::default()),
    }
}

fn clause(derived: Derived<'_>) -> Derived<'_> {
    derived.by_all([Cue::Relative, Cue::Be, Cue::And, Cue::Have])
}

/// "Products over 300": any of their numeric attributes.
fn unnamed<'k>(context: &Context<'k>, set: &Rc<Set<'k>>, bound: &Bound<'k>, derived: &mut Vec<Derived<'k>>) {
    let number = matches!(bound.against, Operand::Number(_) | Operand::Range(..));
    let bare = bound.op == Op::Equal && matches!(bound.against, Operand::Number(_));
    if !number || bare || set.is_named() || set.kind.is_values() {
        return;
    }
    let attributes = context.schema.attributes(&set.kind);
    let numbers = attributes.iter().copied().filter(|(property, kind)| {
        kind.is_number() && !context.names_time(property) && !context.is_identifier(property)
    });
    // "Employees over 60" means their age, whatever other numbers they have.
    let person = f32::from(u8::from(context.is_kind(&set.kind, AnswerKind::Person) == Some(true)));
    for (rank, (property, _)) in numbers.take(MAX_UNNAMED).enumerate() {
        let measure = Measure::Value(vec![Step { property, forward: true }]);
        let found = Derived::set(set.and(Condition::Compare(measure, bound.op, bound.against.clone())));
        let found = found.with(Feature::Unnamed, person);
        derived.push(clause(found.with(Feature::UnnamedTimeRank, rank as f32)));
    }
}

/// "Is the length of the Rhine more than 1000?": the values themselves are compared.
fn of_values<'k>(set: &Rc<Set<'k>>, bound: &Bound<'k>, connective: &Connective) -> Option<Derived<'k>> {
    let own = set.kind.is_measurable() && fits(&set.kind, &bound.against) && !connective.has(Cue::Not);
    let none: Path<'k> = Vec::new();
    let condition = Condition::Compare(Measure::Value(none), bound.op, bound.against.clone());
    own.then(|| Derived::set(set.and(condition)).with(Feature::Cued, 1.0).by(Cue::Be).by(Cue::Relative))
}

/// "More than the average salary".
fn same_average<'k>(
    context: &Context<'k>,
    bound: &Bound<'k>,
    relation: &Relation<'k>,
) -> Option<Derived<'k>> {
    let average = matches!(bound.against, Operand::Overall(..));
    let measured = relation.path.last().is_some_and(|last| context.schema.end(*last).is_measurable());
    (average && measured).then(|| Derived::new(Phrase::Bound(Rc::new(bound.clone()))))
}

/// "More than the average doctor".
fn average_of<'k>(set: &Rc<Set<'k>>, bound: &Bound<'k>, connective: &Connective) -> Option<Derived<'k>> {
    let Operand::Overall(func, over) = &bound.against else { return None };
    let open =
        over.is_open() && over.conditions.is_empty() && set.is_bare_class() && connective.cues.is_empty();
    let against = Operand::Overall(*func, set.clone());
    open.then(|| Derived::new(Phrase::Bound(Rc::new(Bound { against, ..bound.clone() }))))
}

/// "More than 3 pets", before their owner is known.
fn number_of<'k>(set: &Rc<Set<'k>>, bound: &Bound<'k>, derived: &mut Vec<Derived<'k>>) {
    let countable = !set.is_named() && set.rank.is_none() && !set.kind.is_values();
    if let (Operand::Number(number), None, true) = (&bound.against, &bound.grade, countable) {
        derived.push(Derived::new(Phrase::Counted(set.clone(), bound.op, number.clone())));
    }
}

/// "Won more than 3 awards": the relation gives the path along which they are counted.
fn counted_via<'k>(
    context: &Context<'k>,
    relation: &Relation<'k>,
    (of, op, number): (&Rc<Set<'k>>, Op, &Rc<str>),
    connective: &Connective,
    derived: &mut Vec<Derived<'k>>,
) {
    if connective.has(Cue::Not) || connective.has(Cue::Or) {
        return;
    }
    for path in either_way(context, &relation.path, of) {
        let Some(first) = path.first() else { continue };
        let kind = context.schema.end(first.turned());
        let condition =
            Condition::Compare(Measure::Count(path, of.clone()), op, Operand::Number(number.clone()));
        derived.push(clause(
            Derived::set(Set::any(kind, condition)).with(Feature::Cued, 1.0).with(Feature::Relation, 1.0),
        ));
    }
}

fn counted<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    (of, op, number): (&Rc<Set<'k>>, Op, &Rc<str>),
    connective: &Connective,
    derived: &mut Vec<Derived<'k>>,
) {
    if connective.has(Cue::Not) || connective.has(Cue::Or) {
        return;
    }
    for (path, cost) in ways_from(context, set, &of.kind).into_iter().take(3) {
        let measure = Measure::Count(path, of.clone());
        let condition = Condition::Compare(measure, op, Operand::Number(number.clone()));
        let found =
            Derived::set(set.and(condition)).with(Feature::CountBridge, cost).with(Feature::Cued, 1.0);
        derived.push(clause(found));
    }
}

#[cfg(test)]
mod tests;

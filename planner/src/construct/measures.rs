//! What members of a set are measured by: a relation, what an adjective measures, the number of what they are joined to.

use super::Context;
use crate::chart::By;
use crate::meaning::{Base, Condition, Iri, Measure, Path, Set, Step, returns};
use crate::schema::Kind;
use crate::score::{Feature, Features};
use eruca_indexer::text::words;
use eruca_indexer::text::{humanize, normalize_word};
use eruca_indexer::language::Grade;
use eruca_sparql::local_name;
use std::rc::Rc;

/// Measures tried for one phrase.
const MAX_MEASURES: usize = 3;

/// The measures that a phrase may mean for members of a set, with what speaks for and against them; and whether the greatest is
/// the other way round ("oldest" has the earliest birth).
pub(super) fn measures<'k>(context: &Context<'k>, of: &Set<'k>, by: &By<'k>) -> Vec<(Measure<'k>, bool, Features)> {
    let mut found = match by {
        By::Relation(path) => related(context, of, path),
        By::Grade(grade) => graded(context, of, &grade.0),
        By::CountOf(set) => counted(context, of, set),
        By::Uses => uses(of).into_iter().map(|measure| (measure, false, Features::default())).collect(),
        By::Name | By::Column(_) => Vec::new(),
    };
    found.truncate(MAX_MEASURES);
    found
}

fn related<'k>(context: &Context<'k>, of: &Set<'k>, path: &[Step<'k>]) -> Vec<(Measure<'k>, bool, Features)> {
    let Some((first, last)) = path.first().zip(path.last()) else { return Vec::new() };
    let literal = context.schema.end(*last).is_values();
    let measure = |path: Path<'k>, end: &Kind<'k>| match literal {
        true => Measure::Value(path),
        false => Measure::Count(path, Rc::new(anything(end.clone()))),
    };
    let own = |features: Features| if literal { features } else { features.and(Feature::CountOfRelation, 1.0) };
    let mut found = Vec::new();
    if let Some(end) = context.schema.follow_path(path, &of.kind) {
        let unmeasured = f32::from(u8::from(literal && (!end.is_measurable() || context.is_identifier(last.property))));
        let features = own(Features::default()).and(Feature::MeasuredByText, unmeasured);
        found.push((measure(path.to_vec(), &end), false, features));
    }
    if let (false, Some(end)) = (literal, context.schema.follow(last.turned(), &of.kind)) {
        let features = own(Features::default()).and(Feature::CountAgainstRelation, 1.0);
        found.push((measure(vec![last.turned()], &end), false, features));
    }
    if found.is_empty() {
        let start = context.schema.start(*first);
        let ways = ways_from(context, of, &start).into_iter().filter(|(way, _)| !returns(way, path));
        for way in ways.take(2) {
            let whole: Path<'k> = way.0.iter().chain(path).copied().collect();
            let features = own(Features::default()).and(Feature::MeasureBridge, way.1);
            found.push((measure(whole, &context.schema.end(*last)), false, features));
        }
    }
    found
}

fn anything(kind: Kind<'_>) -> Set<'_> {
    Set { base: Base::Any, kind, conditions: Vec::new(), rank: None }
}

/// Ways from a set to things of a kind: for values, back to what has them.
pub(super) fn ways_from<'k>(context: &Context<'k>, of: &Set<'k>, to: &Kind<'k>) -> Vec<(Path<'k>, f32)> {
    let ways = context.schema.ways(&of.kind, to);
    let mut found: Vec<(Path<'k>, f32)> = ways.iter().map(|way| (way.path.clone(), way.cost)).collect();
    for condition in of.conditions.iter().filter(|_| of.is_open()) {
        let Condition::Joined(path, owners) = condition else { continue };
        if context.schema.compatible(&owners.kind, to) {
            found.insert(0, (path.clone(), 0.5));
        } else if of.kind.is_values() {
            let on = context.schema.ways(&owners.kind, to);
            found.extend(on.iter().map(|way| (path.iter().chain(&way.path).copied().collect(), 0.5 + way.cost)));
        }
    }
    found
}

fn counted<'k>(context: &Context<'k>, of: &Set<'k>, set: &Rc<Set<'k>>) -> Vec<(Measure<'k>, bool, Features)> {
    ways_from(context, of, &set.kind)
        .into_iter()
        .map(|(path, cost)| {
            let features = Features::default().and(Feature::CountBridge, cost);
            (Measure::Count(path, set.clone()), false, features)
        })
        .collect()
}

/// How often a value occurs with what has it.
fn uses<'k>(of: &Set<'k>) -> Option<Measure<'k>> {
    of.conditions.iter().find_map(|condition| match condition {
        Condition::Joined(path, owners) => Some(Measure::Count(path.clone(), owners.clone())),
        _ => None,
    })
}

/// The attributes that an adjective measures, of the members or of what they have.
fn graded<'k>(context: &Context<'k>, of: &Set<'k>, grade: &Grade) -> Vec<(Measure<'k>, bool, Features)> {
    let mut found: Vec<(Measure<'k>, bool, f32, Features)> = Vec::new();
    for (nouns, turned) in [(&grade.nouns, false), (&grade.reversed, true)] {
        for (path, fit) in attributes(context, of, nouns) {
            let own = Features::default().and(Feature::GradeMisfit, 1.0 - fit);
            found.push((Measure::Value(path), turned, fit, own));
        }
    }
    found.sort_by(|a, b| b.2.total_cmp(&a.2));
    if found.is_empty() {
        found = only_measure(context, of);
    }
    found.into_iter().map(|(measure, turned, _, features)| (measure, turned, features)).collect()
}

/// Attributes whose names hold one of some nouns, the first nouns first.
fn attributes<'k>(context: &Context<'k>, of: &Set<'k>, nouns: &[String]) -> Vec<(Path<'k>, f32)> {
    let mut found: Vec<(Path<'k>, f32)> = Vec::new();
    for (property, kind) in context.schema.attributes(&of.kind) {
        let fit = noun_fit(context, property, nouns);
        if fit > 0.0 && (kind.is_number() || kind.is_time()) && !context.is_identifier(property) {
            found.push((vec![Step { property, forward: true }], fit));
        }
    }
    if found.is_empty() {
        found = through_things(context, of, nouns);
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found
}

/// A measure may be a thing of its own: a price with an amount.
fn through_things<'k>(context: &Context<'k>, of: &Set<'k>, nouns: &[String]) -> Vec<(Path<'k>, f32)> {
    let mut found = Vec::new();
    for class in of.kind.classes().iter().take(2) {
        for hop in context.schema.index.graph.hops(class).iter().filter(|hop| hop.forward) {
            let fit = noun_fit(context, &hop.property, nouns);
            let Some(property) = context.schema.property(&hop.property).filter(|_| fit > 0.0) else { continue };
            let Some(target) = context.schema.class(&hop.class) else { continue };
            let first = Step { property: property.iri.as_str(), forward: true };
            let numbers = context.schema.attributes(&Kind::class(target));
            if let Some((inner, _)) = numbers.into_iter().find(|(_, kind)| kind.is_number()) {
                found.push((vec![first, Step { property: inner, forward: true }], fit - 0.1));
            }
        }
    }
    found
}

/// How well a property's name holds one of some nouns.
fn noun_fit(context: &Context<'_>, property: &str, nouns: &[String]) -> f32 {
    let labels = context.schema.property(property).into_iter().flat_map(|card| &card.labels);
    let names = std::iter::once(humanize(local_name(property))).chain(labels.take(12).map(|label| label.text.clone()));
    names.map(|name| words_fit(&name, nouns)).fold(0.0, f32::max)
}

fn words_fit(name: &str, nouns: &[String]) -> f32 {
    let name = words(name);
    let extra = name.len().saturating_sub(1) as f32;
    let rank = nouns.iter().position(|noun| name.iter().any(|word| word.text == normalize_word(noun)));
    rank.map_or(0.0, |rank| (1.0 - 0.06 * rank as f32 - 0.05 * extra).max(0.1))
}

/// A class with one number alone is measured by it.
fn only_measure<'k>(context: &Context<'k>, of: &Set<'k>) -> Vec<(Measure<'k>, bool, f32, Features)> {
    let attributes = context.schema.attributes(&of.kind);
    let numbers: Vec<Iri<'k>> =
        attributes.into_iter().filter(|(property, kind)| kind.is_number() && !context.is_identifier(property)).map(|(property, _)| property).collect();
    let [property] = numbers.as_slice() else { return Vec::new() };
    let path = vec![Step { property, forward: true }];
    vec![(Measure::Value(path), false, 0.0, Features::default().and(Feature::OnlyMeasure, 1.0))]
}

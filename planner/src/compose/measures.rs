//! What members of a set are measured by: a relation, an adjective's attribute, or the number of things they are joined to.

use super::{relations, times, units};
use crate::context::Context;
use crate::link::GlossaryHit;
use crate::meaning::{Base, Condition, Func, Iri, Joint, Measure, Path, Set, Step, returns, turned};
use crate::phrase::{By, Graded};
use crate::schema::Kind;
use crate::score::{Feature, Features};
use eruca_indexer::{Edge, Target, ValueKind};
use eruca_knowledge::Meaning;
use eruca_language::text::normalize_word;
use eruca_language::{AnswerKind, Grade, Measure as Formula, fallback};
use eruca_sparql::local_name;
use std::rc::Rc;
use std::sync::Arc;

/// Measures tried for one phrase.
const MAX_MEASURES: usize = 3;
/// Minimum fit for a term of a formula.
const MIN_TERM_FIT: f32 = 0.5;
/// The fit of a property that is recognized by its unit alone.
const UNIT_FIT: f32 = 0.4;

/// The measures that a phrase may mean for members of a set, with their features, and whether the direction is reversed ("oldest"
/// has the earliest birth).
pub(crate) fn measures<'k>(
    context: &Context<'k>,
    of: &Set<'k>,
    by: &By<'k>,
) -> Vec<(Measure<'k>, bool, Features)> {
    let mut found = match by {
        By::Relation(path) => related(context, of, path),
        By::Aggregate(func, path) => aggregated(context, of, *func, path),
        By::Total(path) => totals(context, of, path),
        By::Grade(grade) => graded_once(context, of, grade),
        By::CountOf(set) => counted(context, of, set),
        By::Quantity(quantity) => worked_out(context, of, &quantity.0, 1.0).into_iter().map(plain).collect(),
        By::CountVia(path, set) => {
            let reached = context.schema.follow_path(path, &of.kind).is_some();
            let count = Measure::Count(path.clone(), set.clone());
            reached.then(|| (count, false, Features::default())).into_iter().collect()
        }
        By::Time => times(context, of),
        By::Uses => uses(of).into_iter().map(|measure| (measure, false, Features::default())).collect(),
        By::Name => Vec::new(),
    };
    found.truncate(MAX_MEASURES);
    found
}

/// Cost of the distance between an adjective's nouns and an attribute's name: half of a name's, as they only stand in for one.
fn misfit(fit: f32) -> f32 {
    (1.0 - fit) / 2.0
}

fn plain((measure, fit): (Measure<'_>, f32)) -> (Measure<'_>, bool, Features) {
    (measure, false, Features::default().and(Feature::Misfit, misfit(fit)))
}

/// A quantity computed from several attributes of the members.
pub(crate) fn worked_out<'k>(
    context: &Context<'k>,
    of: &Set<'k>,
    formula: &Formula,
    fit: f32,
) -> Option<(Measure<'k>, f32)> {
    let mut terms: Vec<(Joint, Path<'k>)> = Vec::new();
    let joiners = std::iter::once('*').chain(formula.joiner.iter().copied());
    for (joiner, nouns) in joiners.zip(&formula.factors) {
        let joint = match joiner {
            '*' => Joint::Times,
            '/' => Joint::Over,
            '-' => Joint::Minus,
            _ => return None,
        };
        let known = |path: &Path<'k>| terms.iter().any(|(_, term)| term == path);
        let found = own_attributes(context, of, &normal(nouns));
        let (path, _) = found.into_iter().find(|(path, fit)| *fit > MIN_TERM_FIT && !known(path))?;
        terms.push((joint, path));
    }
    let times = terms.iter().filter(|(_, path)| ends_in_time(context, path)).count();
    let minus = terms
        .iter()
        .all(|(joint, path)| *joint == Joint::Minus || terms.first().is_some_and(|first| first.1 == *path));
    (times == 0 || (minus && times == terms.len())).then_some((Measure::Formula(terms), fit))
}

pub(crate) fn ends_in_time<'k>(context: &Context<'k>, path: &[Step<'k>]) -> bool {
    path.last().is_some_and(|last| context.schema.end(*last).is_time())
}

/// The first computable quantity that is called one of the nouns.
fn formulas<'k>(context: &Context<'k>, of: &Set<'k>, nouns: &[String]) -> Option<(Measure<'k>, f32)> {
    let language = context.question.language;
    let known = nouns.iter().enumerate().filter_map(|(rank, noun)| Some((rank, language.measure(noun)?)));
    let mut found =
        known.filter_map(|(rank, formula)| worked_out(context, of, formula, 0.95 - 0.06 * rank as f32));
    found.next()
}

fn related<'k>(context: &Context<'k>, of: &Set<'k>, path: &[Step<'k>]) -> Vec<(Measure<'k>, bool, Features)> {
    let number = units::to_number(context, path);
    let path = number.as_deref().unwrap_or(path);
    let Some((first, last)) = path.first().zip(path.last()) else { return Vec::new() };
    let literal = context.schema.end(*last).is_values();
    let measure = |path: Path<'k>, end: &Kind<'k>| match literal {
        true => Measure::Value(path),
        false => Measure::Count(path, Rc::new(anything(end.clone()))),
    };
    let mut found = Vec::new();
    if let Some(end) = context.schema.follow_path(path, &of.kind) {
        let unmeasured =
            f32::from(u8::from(literal && (!end.is_measurable() || context.is_identifier(last.property))));
        let features = Features::default().and(Feature::MeasuredByText, unmeasured);
        found.push((measure(path.to_vec(), &end), false, features));
    }
    if let (false, Some(end)) = (literal, context.schema.follow(last.turned(), &of.kind)) {
        found.push((measure(vec![last.turned()], &end), false, Features::default()));
    }
    if found.is_empty() {
        let start = context.schema.start(*first);
        let ways = ways_from(context, of, &start).into_iter().filter(|(way, _)| !returns(way, path));
        let namesake = f32::from(u8::from(relations::has_namesake(context, of, *first)));
        for way in ways.take(2) {
            let whole: Path<'k> = way.0.iter().chain(path).copied().collect();
            let features =
                Features::default().and(Feature::MeasureBridge, way.1).and(Feature::NamesakeHas, namesake);
            found.push((measure(whole, &context.schema.end(*last)), false, features));
        }
    }
    found
}

/// An aggregate over all numbers that members, or the things they are joined to, have.
fn aggregated<'k>(
    context: &Context<'k>,
    of: &Set<'k>,
    func: Func,
    path: &[Step<'k>],
) -> Vec<(Measure<'k>, bool, Features)> {
    let whole = units::to_number(context, path);
    let last = whole.as_deref().unwrap_or(path).last();
    let number = last.is_some_and(|last| context.schema.end(*last).is_number());
    let found = related(context, of, path).into_iter().filter(|_| number);
    // There is no sum of a single value.
    let single = |path: &Path<'k>| {
        let card = path.last().and_then(|last| context.schema.property(last.property));
        path.len() == 1 && func == Func::Sum && card.is_some_and(|card| card.usage == card.subjects)
    };
    let derived = found.filter_map(|(measure, turned, features)| match measure {
        Measure::Value(path) if !single(&path) => Some((Measure::Aggregate(func, path), turned, features)),
        _ => None,
    });
    derived.collect()
}

/// "Spent the most": where members have several values, their sum is meant.
fn totals<'k>(context: &Context<'k>, of: &Set<'k>, path: &[Step<'k>]) -> Vec<(Measure<'k>, bool, Features)> {
    let mut found = aggregated(context, of, Func::Sum, path);
    found.retain(|(measure, ..)| {
        matches!(measure, Measure::Aggregate(_, path) if !of.kind.is_values() && path.iter().any(|step| !step.forward))
    });
    found
}

fn anything(kind: Kind<'_>) -> Set<'_> {
    Set { base: Base::Any, kind, conditions: Vec::new(), rank: None }
}

/// Paths from a set to things of a kind; for values, they go through the owners of the values.
pub(crate) fn ways_from<'k>(context: &Context<'k>, of: &Set<'k>, to: &Kind<'k>) -> Vec<(Path<'k>, f32)> {
    let ways = context.schema.ways(&of.kind, to);
    let mut found: Vec<(Path<'k>, f32)> = ways.iter().map(|way| (way.path.clone(), way.cost)).collect();
    for condition in of.conditions.iter().filter(|_| of.is_open()) {
        let Condition::Joined(path, owners) = condition else { continue };
        if context.schema.compatible(&owners.kind, to) {
            found.insert(0, (path.clone(), 0.5));
        } else if of.kind.is_values() {
            let on = context.schema.ways(&owners.kind, to);
            found.extend(
                on.iter().map(|way| (path.iter().chain(&way.path).copied().collect(), 0.5 + way.cost)),
            );
        }
    }
    found
}

/// The paths along or against a relation that lead to members of a set.
pub(crate) fn either_way<'k>(context: &Context<'k>, path: &[Step<'k>], to: &Set<'k>) -> Vec<Path<'k>> {
    let leads = |path: &Path<'k>| {
        path.last().is_some_and(|last| {
            let end = context.schema.end(*last);
            end != Kind::Unknown && context.schema.compatible(&end, &to.kind)
        })
    };
    [path.to_vec(), turned(path)].into_iter().filter(leads).collect()
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

/// "The first concert": by a time that the question does not name.
fn times<'k>(context: &Context<'k>, of: &Set<'k>) -> Vec<(Measure<'k>, bool, Features)> {
    let steps = times::time_properties(context, of).into_iter().enumerate();
    let unnamed = |rank: usize| {
        Features::default().and(Feature::Unnamed, 1.0).and(Feature::UnnamedTimeRank, rank as f32)
    };
    steps.map(|(rank, step)| (Measure::Value(vec![step]), false, unnamed(rank))).collect()
}

/// How many owners a value has.
fn uses<'k>(of: &Set<'k>) -> Option<Measure<'k>> {
    of.conditions.iter().find_map(|condition| match condition {
        Condition::Joined(path, owners) => Some(Measure::Count(path.clone(), owners.clone())),
        _ => None,
    })
}

/// Cached by kind, so that all sets of a kind share one computation.
fn graded_once<'k>(
    context: &Context<'k>,
    of: &Set<'k>,
    grade: &Rc<Graded>,
) -> Vec<(Measure<'k>, bool, Features)> {
    let key = (of.kind.clone(), grade.clone());
    if let Some(known) = context.graded.borrow().get(&key) {
        return known.clone();
    }
    let found = graded(context, of, &grade.0);
    context.graded.borrow_mut().insert(key, found.clone());
    found
}

/// The attributes that an adjective measures, of the members or of what they are joined to.
fn graded<'k>(context: &Context<'k>, of: &Set<'k>, grade: &Grade) -> Vec<(Measure<'k>, bool, Features)> {
    let of_house = by_glossary(context, of, grade);
    if !of_house.is_empty() {
        return of_house;
    }
    let mut found: Vec<(Measure<'k>, bool, f32, Features)> = Vec::new();
    for (nouns, turned) in [(&grade.nouns, false), (&grade.reversed, true)] {
        let nouns_said = normal(nouns);
        let named =
            attributes(context, of, &nouns_said).into_iter().map(|(path, fit)| (Measure::Value(path), fit));
        for (measure, fit) in named.chain(formulas(context, of, nouns)) {
            let other = f32::from(u8::from(is_other_time(context, of, &measure, &nouns_said)));
            let own = Features::default().and(Feature::Misfit, misfit(fit)).and(Feature::Unnamed, other);
            found.push((measure, turned, fit, own));
        }
    }
    found.sort_by(|a, b| b.2.total_cmp(&a.2));
    if found.is_empty() {
        found = match is_of_time(context, grade) {
            Some(turned) => by_time(context, of, turned),
            None => only_measure(context, of),
        };
    }
    found.into_iter().map(|(measure, turned, _, features)| (measure, turned, features)).collect()
}

/// The properties by which the owner of the graph says that an adjective is measured.
fn by_glossary<'k>(context: &Context<'k>, of: &Set<'k>, grade: &Grade) -> Vec<(Measure<'k>, bool, Features)> {
    let said = context.house_measures(&of.kind, grade);
    let measured = said.into_iter().flat_map(|(step, turned)| {
        let found = related(context, of, &[step]).into_iter();
        found.map(move |(measure, _, features)| (measure, turned, features))
    });
    measured.filter(|(measure, ..)| !matches!(measure, Measure::Count(..))).collect()
}

/// Whether an adjective measures time, by its most likely noun; if so, whether more of it means earlier ("older").
pub(crate) fn is_of_time(context: &Context<'_>, grade: &Grade) -> Option<bool> {
    let noun = normalize_word(grade.nouns.first()?);
    let time = context.question.language.kind_of_noun(&noun) == Some(AnswerKind::Time);
    time.then_some(!grade.reversed.is_empty())
}

/// "The oldest venue": by a time that the question does not name, where no attribute name matches. Persons are as old as their
/// birth date says, not their hiring date.
fn by_time<'k>(context: &Context<'k>, of: &Set<'k>, turned: bool) -> Vec<(Measure<'k>, bool, f32, Features)> {
    let person = turned && context.is_kind(&of.kind, AnswerKind::Person) == Some(true);
    let features = |features: Features| features.and(Feature::Unnamed, f32::from(u8::from(person)));
    times(context, of).into_iter().map(|(measure, _, own)| (measure, turned, 0.0, features(own))).collect()
}

/// Whether a property is named as a date, but not of what makes things old: "due date", "end year".
fn is_other_time<'k>(context: &Context<'k>, of: &Set<'k>, measure: &Measure<'k>, nouns: &[String]) -> bool {
    let Measure::Value(path) = measure else { return false };
    path.last().is_some_and(|last| {
        context.names_time(last.property) && names_other_time(context, &of.kind, last.property, nouns)
    })
}

/// Whether the name of a time property contains none of some nouns except general words for time.
pub(crate) fn names_other_time(
    context: &Context<'_>,
    of: &Kind<'_>,
    property: &str,
    nouns: &[String],
) -> bool {
    let languages = [context.question.language, fallback()];
    let time = |word: &String| languages.iter().any(|one| one.kind_of_noun(word) == Some(AnswerKind::Time));
    let classes: Vec<String> = of.classes().iter().map(|class| normalize_word(local_name(class))).collect();
    let is_function_word = |word: &String| {
        time(word) || classes.contains(word) || languages.iter().any(|one| one.is_function_word(word))
    };
    let own = |name: &Vec<String>| {
        name.iter().any(|word| nouns.contains(word) && !time(word)) || name.iter().all(is_function_word)
    };
    !context.names_of(property).iter().any(own)
}

fn normal(nouns: &[String]) -> Vec<String> {
    nouns.iter().map(|noun| normalize_word(noun)).collect()
}

/// Attributes whose names contain one of the nouns, in the order of the nouns.
fn attributes<'k>(context: &Context<'k>, of: &Set<'k>, nouns: &[String]) -> Vec<(Path<'k>, f32)> {
    let mut found = own_attributes(context, of, nouns);
    if found.is_empty() {
        found = through_things(context, of, nouns);
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found
}

fn own_attributes<'k>(context: &Context<'k>, of: &Set<'k>, nouns: &[String]) -> Vec<(Path<'k>, f32)> {
    let found = fitting(context, &context.schema.attributes(&of.kind), nouns);
    if !found.is_empty() {
        return found;
    }
    // Subclasses may have attributes that the class does not: stadiums may have what venues do not.
    let below =
        of.kind.classes().iter().take(2).flat_map(|class| context.schema.index.card.subclasses(class));
    let below: Vec<Kind<'k>> = below.map(|card| Kind::class(card.iri.as_str())).collect();
    below
        .iter()
        .flat_map(|kind| fitting(context, &context.schema.attributes(kind), nouns))
        .fold(Vec::new(), best_of)
}

fn fitting<'k>(
    context: &Context<'k>,
    attributes: &[(Iri<'k>, ValueKind)],
    nouns: &[String],
) -> Vec<(Path<'k>, f32)> {
    let known = |property: &str, kind: ValueKind| {
        (kind.is_number() || kind.is_time()) && !context.is_identifier(property)
    };
    let measured = attributes.iter().copied().filter(|(property, kind)| known(property, *kind));
    let fits = measured.map(|(property, _)| (property, noun_fit(context, property, nouns)));
    let mut found: Vec<(Path<'k>, f32)> = fits
        .filter(|(_, fit)| *fit > 0.0)
        .map(|(property, fit)| (vec![Step { property, forward: true }], fit))
        .collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found
}

fn best_of<'k>(mut found: Vec<(Path<'k>, f32)>, other: (Path<'k>, f32)) -> Vec<(Path<'k>, f32)> {
    if !found.iter().any(|(path, _)| *path == other.0) {
        found.push(other);
    }
    found
}

/// A measure may be a node of its own: a price with an amount.
fn through_things<'k>(context: &Context<'k>, of: &Set<'k>, nouns: &[String]) -> Vec<(Path<'k>, f32)> {
    let mut found = quantities(context, of, nouns);
    if !found.is_empty() {
        return found;
    }
    for class in of.kind.classes().iter().take(2) {
        for hop in context.schema.index.graph.hops(class).iter().filter(|hop| hop.forward) {
            let fit = noun_fit(context, &hop.property, nouns);
            let Some(property) = context.schema.property(&hop.property).filter(|_| fit > 0.0) else {
                continue;
            };
            let Some(target) = context.schema.class(&hop.class) else { continue };
            let first = Step { property: property.iri.as_str(), forward: true };
            let numbers = context.schema.attributes(&Kind::class(target));
            if let Some((inner, _)) = numbers.iter().copied().find(|(_, kind)| kind.is_number()) {
                found.push((vec![first, Step { property: inner, forward: true }], fit - 0.1));
            }
        }
    }
    found
}

/// Quantities with units, whether or not they have a class.
fn quantities<'k>(context: &Context<'k>, of: &Set<'k>, nouns: &[String]) -> Vec<(Path<'k>, f32)> {
    let mut found = Vec::new();
    let starts = |edge: &Edge| {
        let thing = !matches!(edge.target, Target::Literal(_));
        let class = edge.class.as_deref();
        thing
            && class
                .is_some_and(|class| of.kind.classes().iter().any(|own| context.schema.related(own, class)))
    };
    for card in context.schema.index.card.properties.iter().filter(|card| card.edges.iter().any(starts)) {
        let step = Step { property: card.iri.as_str(), forward: true };
        // "Offers" with a price: the name of the number's own property matters too.
        let value = context.schema.quantity(step).map_or(0.0, |found| noun_fit(context, found.value, nouns));
        let fit = noun_fit(context, &card.iri, nouns).max(value);
        if fit > 0.0 && context.schema.follow(step, &of.kind).is_some_and(|kind| !kind.is_values()) {
            found.extend(units::to_number(context, &[step]).map(|path| (path, fit)));
        }
    }
    found
}

/// How well a property's name matches one of the nouns.
pub(crate) fn noun_fit(context: &Context<'_>, property: &str, nouns: &[String]) -> f32 {
    let names = context.names_of(property);
    let said = names.iter().map(|name| words_fit(name, nouns)).fold(0.0, f32::max);
    match said > 0.0 || context.names_time(property) {
        true => said,
        false => names.iter().map(|name| unit_fit(context, name, nouns)).fold(0.0, f32::max),
    }
}

/// How well the unit in a property's name matches one of the nouns: a "payload in kg" is a weight. A name that itself states what
/// is measured matches nothing else: a "length in m" is not a height.
fn unit_fit(context: &Context<'_>, name: &[String], nouns: &[String]) -> f32 {
    let languages = [context.question.language, fallback()];
    let units = name.iter().filter_map(|word| languages.iter().find_map(|language| language.unit(word)));
    let measures = |unit: &&Arc<[String]>| {
        !name.iter().any(|word| unit.contains(word)) && nouns.iter().any(|noun| unit.contains(noun))
    };
    if units.clone().count() > 0 && units.into_iter().all(|unit| measures(&unit)) { UNIT_FIT } else { 0.0 }
}

fn words_fit(name: &[String], nouns: &[String]) -> f32 {
    let extra = name.len().saturating_sub(1) as f32;
    let rank = nouns.iter().position(|noun| name.contains(noun));
    rank.map_or(0.0, |rank| (1.0 - 0.06 * rank as f32 - 0.05 * extra).max(0.1))
}

/// A class with exactly one numeric attribute is measured by it.
fn only_measure<'k>(context: &Context<'k>, of: &Set<'k>) -> Vec<(Measure<'k>, bool, f32, Features)> {
    let attributes = context.schema.attributes(&of.kind);
    let numbers: Vec<Iri<'k>> = attributes
        .iter()
        .copied()
        .filter(|(property, kind)| kind.is_number() && !context.is_identifier(property))
        .map(|(property, _)| property)
        .collect();
    let [property] = numbers.as_slice() else { return Vec::new() };
    let path = vec![Step { property, forward: true }];
    vec![(Measure::Value(path), false, 0.0, Features::default().and(Feature::Unnamed, 1.0))]
}

impl<'k> Context<'k> {
    /// The properties by which the owner of the graph says that an adjective is measured for members of a kind, each with
    /// whether more of it means less of the adjective.
    pub(crate) fn house_measures(&self, of: &Kind<'k>, grade: &Grade) -> Vec<(Step<'k>, bool)> {
        let said = |hit: &&GlossaryHit| {
            let own = self.question.grades.iter().filter(|found| found.grade == *grade);
            hit.span.is_some_and(|span| own.into_iter().any(|found| found.span.contains(span)))
        };
        let fits =
            |hit: &&GlossaryHit| match hit.entry.of.as_deref().and_then(|class| self.schema.class(class)) {
                Some(class) => *of != Kind::Unknown && self.schema.compatible(of, &Kind::class(class)),
                None => hit.entry.of.is_none(),
            };
        let measure = |hit: &GlossaryHit| {
            let Meaning::Measure { property, descending } = &hit.entry.meaning else { return None };
            let step = self.schema.forward(property)?;
            let by_language = || self.time_turned(property, grade).unwrap_or(false);
            Some((step, descending.map_or_else(by_language, |descending| descending != grade.up)))
        };
        self.links.glossary.iter().filter(said).filter(fits).filter_map(measure).collect()
    }
}

impl Context<'_> {
    /// Whether a property is a time, by its values or its name, and an adjective measures time; if so, whether more of it means
    /// earlier ("older").
    pub(crate) fn time_turned(&self, property: &str, grade: &Grade) -> Option<bool> {
        let turned = is_of_time(self, grade)?;
        let card = self.schema.property(property)?;
        let step = Step { property: card.iri.as_str(), forward: true };
        (self.schema.end(step).is_time() || self.names_time(property)).then_some(turned)
    }
}

#[cfg(test)]
mod tests;

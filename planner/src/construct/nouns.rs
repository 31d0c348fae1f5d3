//! Nouns: classes, things and values that spans name; relations without their ends.

use crate::chart::Construct;
use crate::context::Context;
use crate::link::{Evidence, Mention, SAME_NAME_FIT, SchemaLink, is_joint};
use crate::meaning::{Base, Condition, Set, Step};
use crate::phrase::{Derived, EMPTY_CLASS, Item, Phrase, Relation};
use crate::question::{Span, WordKind};
use crate::schema::Kind;
use crate::score::Feature;
use eruca_indexer::vocabulary::NAMING_PROPERTIES;
use eruca_indexer::{Edge, EntityHit, SchemaKind, Target, ValueHit};
use eruca_language::Cue;
use eruca_language::text::words;
use std::rc::Rc;

/// Maximum number of things and values tried per span.
const MAX_READINGS: usize = 3;

pub(super) struct Nouns;

impl Construct for Nouns {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        derived
            .extend(context.links.schema.iter().filter_map(|link| Some((link.span, schema(context, link)?))));
        for mention in &context.links.mentions {
            let entities = mention.entities.iter().take(MAX_READINGS).enumerate();
            derived.extend(entities.map(|(rank, hit)| (mention.span, entity(context, mention, rank, hit))));
            let values = mention.values.iter().take(2 * MAX_READINGS).enumerate();
            derived.extend(
                values.filter_map(|(rank, hit)| Some((mention.span, value(context, mention, rank, hit)?))),
            );
        }
    }

    /// "All capitals": anything that is the capital of something.
    fn raise<'k>(&self, context: &Context<'k>, item: &Item<'k>, derived: &mut Vec<Derived<'k>>) {
        let relation = match &item.phrase {
            Phrase::Relation(relation) => relation,
            Phrase::Set(set) => return of_concept(context, item, set, derived),
            _ => return,
        };
        let Some(last) = relation.path.last() else { return };
        let (kind, owner) = (context.schema.end(*last), context.schema.start(*last));
        let anyone = Set { base: Base::Any, kind: owner, conditions: Vec::new(), rank: None };
        let condition = Condition::Joined(crate::meaning::turned(&relation.path), Rc::new(anyone));
        derived.push(Derived::set(Set::any(kind, condition)).with(Feature::RelationAsSet, 1.0));
    }
}

/// "Actors": owners of the thing that a common noun names, where things are classified that way and not by classes.
fn of_concept<'k>(context: &Context<'k>, item: &Item<'k>, set: &Rc<Set<'k>>, derived: &mut Vec<Derived<'k>>) {
    let words = context.question.words_of(item.span);
    if !set.is_named() || words.iter().any(|word| matches!(word.kind, WordKind::Name | WordKind::Quoted)) {
        return;
    }
    let into = context.steps_of(set).into_iter().filter(|step| !step.forward).map(Step::turned);
    let mut steps: Vec<Step<'k>> = into.collect();
    let usage = |step: &Step<'k>| context.schema.property(step.property).map_or(0, |card| card.usage);
    steps.sort_by_key(|step| std::cmp::Reverse(usage(step)));
    // As a classification, it may be what is asked for.
    let asked = item.derivation.own.of(Feature::AskedOther);
    for step in steps.into_iter().take(MAX_READINGS) {
        let found = Set::any(context.schema.start(step), Condition::Joined(vec![step], set.clone()));
        derived.push(Derived::set(found).with(Feature::ConceptAsKind, 1.0).with(Feature::AskedOther, -asked));
    }
}

fn schema<'k>(context: &Context<'k>, link: &SchemaLink<'k>) -> Option<Derived<'k>> {
    let restriction = context.schema.pattern(link.iri).filter(|_| link.kind == SchemaKind::Class);
    let derived = match link.kind {
        _ if restriction.is_some() => Derived::set(restriction?.set()),
        // Who has a word for an empty class asks for its things, and there are none.
        SchemaKind::Class if link.evidence != Evidence::Glossary && is_empty(context, link) => {
            let class = Phrase::Own(EMPTY_CLASS, Rc::from([Rc::new(Set::of_class(link.iri))]));
            Derived::new(class).with(Feature::Misfit, 1.0 - link.fit)
        }
        SchemaKind::Class => Derived::set(Set::of_class(link.iri)).with(Feature::Misfit, 1.0 - link.fit),
        SchemaKind::Property if names_only(context, link) || is_far_from_label(context, link) => return None,
        SchemaKind::Property => {
            let step = Step { property: link.iri, forward: true };
            let verb = context.has_verb(link.span);
            let relation = Relation { path: vec![step], verb };
            let key = f32::from(u8::from(context.is_key(link.iri)));
            let derived = Derived::new(Phrase::Relation(relation)).with(Feature::Misfit, 1.0 - link.fit);
            derived.with(Feature::KeyColumn, key)
        }
    };
    Some(evident(derived, link.evidence).with(Feature::Link, 1.0))
}

fn is_empty(context: &Context<'_>, link: &SchemaLink<'_>) -> bool {
    let card = context.schema.index.card.class(link.iri);
    card.is_some_and(|class| class.instances_with_subclasses == 0)
}

/// Whether the words of a property only ask for a name, in a graph that names everything by labels: an "official name" must be
/// asked for in full. And "Name a lake" is a command.
fn names_only(context: &Context<'_>, link: &SchemaLink<'_>) -> bool {
    let inside = |cue: Cue| context.cues(cue).any(|span| span.contains(link.span));
    let labelled = context.schema.index.manifest.vocabulary.classes_are_things;
    let told = link.span.from == 0 && inside(Cue::Command) && !inside(Cue::NameOf);
    (labelled && link.fit < 1.0 && inside(Cue::NameOf)) || told
}

/// Whether a word that is merely similar to "label" or "name" was linked to the naming property: "recorded" does not ask for a
/// label.
fn is_far_from_label(context: &Context<'_>, link: &SchemaLink<'_>) -> bool {
    let own = context.schema.index.manifest.vocabulary.naming.iter().map(String::as_str);
    let mut naming = own.chain(NAMING_PROPERTIES.iter().copied());
    link.evidence > Evidence::Translation && naming.any(|property| property == link.iri)
}

fn evident(derived: Derived<'_>, evidence: Evidence) -> Derived<'_> {
    match evidence {
        Evidence::Glossary
        | Evidence::Exact
        | Evidence::Stem
        | Evidence::Translation
        | Evidence::Part
        | Evidence::Typo => derived,
        Evidence::Synonym => derived.with(Feature::BySynonym, 1.0),
        Evidence::Related => derived.with(Feature::ByRelatedWord, 1.0),
    }
}

fn entity<'k>(context: &Context<'k>, mention: &Mention, rank: usize, hit: &EntityHit) -> Derived<'k> {
    let kind = context.schema.kind_of_types(&hit.record.types);
    let derived = Derived::set(Set::thing(Rc::from(hit.record.iri.as_str()), kind));
    let spelt = hit.record.labels.iter().any(|label| label.text == mention.text);
    let derived = named(context, derived, mention, rank, hit.score, spelt);
    let alias = hit.score >= SAME_NAME_FIT && !is_first_name(&mention.text, hit);
    derived.with(Feature::NameIsAlias, f32::from(u8::from(alias)))
}

/// Whether a text is the primary name of a thing in some language: it is preferred among things that share a name.
fn is_first_name(text: &str, hit: &EntityHit) -> bool {
    let spelt = |text: &str| words(text).into_iter().map(|word| word.text).collect::<Vec<_>>();
    let asked = spelt(text);
    let same = |name: &str| spelt(name) == asked;
    let labels = &hit.record.labels;
    let mut firsts = labels
        .iter()
        .enumerate()
        .filter(|(at, label)| !labels.iter().take(*at).any(|earlier| earlier.language == label.language));
    same(&hit.record.local_name) || firsts.any(|(_, label)| same(&label.text))
}

fn value<'k>(context: &Context<'k>, mention: &Mention, rank: usize, hit: &ValueHit) -> Option<Derived<'k>> {
    let property = match is_joint(&hit.record.property) {
        true => text_list(context)?,
        false => context.schema.property(&hit.record.property)?.iri.as_str(),
    };
    let step = Step { property, forward: true };
    let class = hit.record.class.as_deref().and_then(|class| context.schema.class(class));
    let owner = class.map_or_else(|| context.schema.start(step), Kind::class);
    let kind = context.schema.follow(step, &owner).unwrap_or(Kind::Unknown);
    let literal = Rc::from(crate::render::literal(&hit.record));
    let values = Set { base: Base::Values(vec![literal]), kind, conditions: Vec::new(), rank: None };
    let set = Set::any(owner, Condition::Joined(vec![step], Rc::new(values)));
    let spelt = hit.record.text == mention.text;
    Some(named(context, Derived::set(set), mention, rank, hit.score, spelt).with(Feature::ValueLink, 1.0))
}

/// The property that leads to lists of texts, which have no other owner.
fn text_list<'k>(context: &Context<'k>) -> Option<&'k str> {
    let text = |edge: &Edge| matches!(edge.target, Target::Literal(_));
    let mut lists = context.schema.index.card.properties.iter().filter(|card| card.collected.is_some());
    lists.find(|card| card.reached().iter().any(text)).map(|card| card.iri.as_str())
}

/// Whether a name is capitalized or quoted, or the question has no capitals at all, so that their absence means nothing.
fn is_capital(context: &Context<'_>, span: Span) -> bool {
    let all = &context.question.words;
    let words = all.get(usize::from(span.from)..usize::from(span.to)).unwrap_or_default();
    words.iter().any(|word| word.capital || word.kind == WordKind::Quoted)
        || !all.iter().any(|word| word.raw.contains(char::is_uppercase))
}

/// Whether a span is what "which" asks for, so that it gives the class of the answer: "in which building is …" is not about a
/// particular building.
fn is_asked_kind(context: &Context<'_>, span: Span) -> bool {
    let question = &context.question;
    let goes_on = question.word(span.to).is_some_and(|word| word.kind >= WordKind::Noun);
    context.cues(Cue::Which).any(|which| which.to == span.from)
        && !goes_on
        && question.words_of(span).iter().all(|word| word.kind == WordKind::Noun)
}

/// Features of how well a name fits. `spelt` means that the graph spells it exactly as the question does.
fn named<'k>(
    context: &Context<'k>,
    derived: Derived<'k>,
    mention: &Mention,
    rank: usize,
    score: f32,
    spelt: bool,
) -> Derived<'k> {
    let derived = derived.with(Feature::Misfit, (1.25 - score).max(0.0)).with(Feature::NameRank, rank as f32);
    let derived = if spelt || is_capital(context, mention.span) {
        derived
    } else {
        derived.with(Feature::NameInLowerCase, 1.0)
    };
    derived.with(Feature::AskedOther, f32::from(u8::from(is_asked_kind(context, mention.span))))
}

#[cfg(test)]
mod tests;

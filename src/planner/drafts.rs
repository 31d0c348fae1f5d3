//! Candidate queries for a question, best first: what was linked, joined by one property.

use super::render::{literal, quoted};
use super::steps::has_dates;
use crate::dataset::Dataset;
use crate::form::AnswerForm;
use crate::grounding::{Grounding, Mention, SchemaLink};
use eruca_indexer::lexicon::asks_for_year;
use eruca_indexer::text::words;
use eruca_indexer::{Entity, PropertyCard, PropertyValue, Target};

/// Entities and values tried of one mention.
const MAX_READINGS: usize = 2;
/// Properties looked at of one class, the most used ones, in each direction.
const MAX_JOINING: usize = 2_000;
/// What a class in the question adds to a draft that uses it.
const CLASS_BONUS: f32 = 0.6;
/// A candidate query with the reading that led to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Draft {
    pub(super) query: String,
    pub(super) reading: String,
    pub(super) score: f32,
    /// It follows the whole question.
    pub(super) whole: bool,
    /// It uses all that the question names: an empty result may well be the answer.
    pub(super) trusted: bool,
}

/// All candidates, best first.
pub(super) fn drafts(dataset: &Dataset, question: &str, grounding: &Grounding) -> Vec<Draft> {
    let counts = AnswerForm::read(question).counts;
    let mut found = Vec::new();
    for mention in &grounding.mentions {
        for hit in mention.entities.iter().take(MAX_READINGS) {
            entity_drafts(
                dataset,
                (question, grounding),
                mention,
                (&hit.entity, hit.score),
                counts,
                &mut found,
            );
        }
        for hit in mention.values.iter().take(MAX_READINGS) {
            found.push(value_draft(dataset, grounding, (&hit.value, hit.score), counts));
        }
    }
    found.extend(grounding.classes.iter().map(|link| class_draft(dataset, link, counts)));
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found
}

/// Whatever carries one of the question's words in a name: something to look at when nothing was linked.
pub(super) fn fallback(dataset: &Dataset, question: &str) -> Draft {
    let longest = words(question).into_iter().map(|token| token.text).max_by_key(|word| word.chars().count());
    // A question without a word is looked for as it stands: the empty text would be in every name.
    let word = longest.unwrap_or_else(|| question.trim().to_lowercase());
    let name = dataset.index.card.naming_properties.first();
    let name = name
        .map_or_else(|| "<http://www.w3.org/2000/01/rdf-schema#label>".to_owned(), |iri| format!("<{iri}>"));
    let (query, how) = match dataset.is_indexed() {
        true => {
            let holds = format!("FILTER(CONTAINS(LCASE(STR(?name)), {}))", quoted(&word));
            (format!("SELECT DISTINCT ?x WHERE {{ ?x {name} ?name {holds} }}"), "name holds")
        }
        // A look at all names of a public graph would only cost its server.
        false => {
            let language = dataset.languages.first().map_or("en", String::as_str);
            (format!("SELECT DISTINCT ?x WHERE {{ ?x {name} {}@{language} }}", quoted(&word)), "name is")
        }
    };
    Draft {
        query,
        reading: format!("nothing else fits: resources whose {how} '{word}'"),
        score: 0.0,
        whole: false,
        trusted: false,
    }
}

/// The things of a pattern, or how many they are.
pub(super) fn select(pattern: &str, counts: bool) -> String {
    match counts {
        true => format!("SELECT (COUNT(DISTINCT ?x) AS ?count) WHERE {{ {pattern} }}"),
        false => format!("SELECT DISTINCT ?x WHERE {{ {pattern} }}"),
    }
}

/// The years of the dates of a pattern.
pub(super) fn select_years(pattern: &str) -> String {
    format!("SELECT DISTINCT (YEAR(?x) AS ?year) WHERE {{ {pattern} }}")
}

/// The entity joined by each property of the question, and by each property that leads to a class of it.
fn entity_drafts(
    dataset: &Dataset,
    (question, grounding): (&str, &Grounding),
    mention: &Mention,
    (entity, fit): (&Entity, f32),
    counts: bool,
    found: &mut Vec<Draft>,
) {
    let (iri, label) = (&entity.iri, entity.label(&dataset.languages));
    for link in
        grounding.properties.iter().filter(|link| link.fit > 0.0 && !mention.text.contains(&link.text))
    {
        let Some(property) = dataset.index.card.property(&link.iri) else {
            found.extend(unseen_edges(dataset, grounding, link, (entity, fit), counts));
            continue;
        };
        if leaves(property, entity) {
            let pattern = format!("<{iri}> <{}> ?x", property.iri);
            let reading = format!("the {} of {label}", dataset.schema_name(&property.iri));
            // "How many inhabitants" asks for the number that the graph holds, not for how many numbers it holds.
            let counts = counts && !property.has_literals();
            let years = asks_for_year(question) && has_dates(property);
            found.push(Draft {
                query: if years { select_years(&pattern) } else { select(&pattern, counts) },
                reading,
                score: fit + link.fit + 0.1,
                whole: false,
                trusted: false,
            });
        }
        if enters(property, entity) {
            let pattern = format!("?x <{}> <{iri}>", property.iri);
            let reading = format!("what has {} {label}", dataset.schema_name(&property.iri));
            found.push(Draft {
                query: select(&pattern, counts),
                reading,
                score: fit + link.fit,
                whole: false,
                trusted: false,
            });
        }
    }
    for link in grounding.classes.iter().filter(|link| link.fit > 0.0) {
        let (class, score) = (dataset.schema_name(&link.iri), fit + CLASS_BONUS * link.fit);
        if !dataset.is_indexed() && !mention.text.contains(&link.text) {
            found.extend(unseen_joints(dataset, link, entity, score, counts));
        }
        for property in joining(dataset, link) {
            // Among the properties that join the two, the one that is used most is the plainest reading.
            let score = score + 0.02 * (property.usage as f32 + 1.0).log10();
            let name = dataset.schema_name(&property.iri);
            if enters(property, entity) && starts_at(property, &link.iri) {
                let kind = dataset.vocabulary().type_path(false);
                let pattern = format!("?x <{}> <{iri}> ; {kind} <{}>", property.iri, link.iri);
                let reading = format!("{class} with {name} {label}");
                found.push(Draft {
                    query: select(&pattern, counts),
                    reading,
                    score,
                    whole: false,
                    trusted: false,
                });
            }
            if leaves(property, entity) && ends_at(property, &link.iri) {
                let pattern = format!("<{iri}> <{}> ?x", property.iri);
                let reading = format!("{class} that is {name} of {label}");
                found.push(Draft {
                    query: select(&pattern, counts),
                    reading,
                    score,
                    whole: false,
                    trusted: false,
                });
            }
        }
    }
}

/// A class and an entity of which it is not known what joins them: anything that leads from the one to the other, which
/// is little out of the entity and may be much into it.
fn unseen_joints(
    dataset: &Dataset,
    link: &SchemaLink,
    entity: &Entity,
    score: f32,
    counts: bool,
) -> [Draft; 2] {
    let (iri, label) = (&entity.iri, entity.label(&dataset.languages));
    let kind = format!("{} <{}>", dataset.vocabulary().type_path(true), link.iri);
    let class = dataset.schema_name(&link.iri);
    let draft = |pattern: String, reading: String, score: f32| Draft {
        query: select(&pattern, counts),
        reading,
        score,
        whole: false,
        trusted: false,
    };
    let out = format!("{class} to which any property of {label} leads");
    let into = format!("{class} with any property that leads to {label}");
    [
        draft(format!("<{iri}> ?p ?x . ?x {kind}"), out, score + 0.05),
        draft(format!("?x ?p <{iri}> ; {kind}"), into, score),
    ]
}

/// A property of which it is not known what it connects: out of the entity first, then into it, of the class that is asked
/// for if there is one.
fn unseen_edges(
    dataset: &Dataset,
    grounding: &Grounding,
    link: &SchemaLink,
    (entity, fit): (&Entity, f32),
    counts: bool,
) -> Vec<Draft> {
    let (iri, label) = (&entity.iri, entity.label(&dataset.languages));
    let (property, name) = (&link.iri, dataset.schema_name(&link.iri));
    let score = fit + link.fit;
    let draft = |pattern: String, reading: String, score: f32| Draft {
        query: select(&pattern, counts),
        reading,
        score,
        whole: false,
        trusted: false,
    };
    let out = draft(format!("<{iri}> <{property}> ?x"), format!("the {name} of {label}"), score + 0.1);
    let into = draft(format!("?x <{property}> <{iri}>"), format!("what has {name} {label}"), score);
    let class = grounding.classes.iter().find(|class| class.fit > 0.0 && class.text != link.text);
    let of_class = class.map(|class| {
        let path = dataset.vocabulary().type_path(true);
        let reading = format!("{} with {name} {label}", dataset.schema_name(&class.iri));
        let pattern = format!("?x <{property}> <{iri}> ; {path} <{}>", class.iri);
        draft(pattern, reading, score + CLASS_BONUS * class.fit)
    });
    of_class.into_iter().chain([out, into]).collect()
}

/// Properties that start or end at a class, in the order of the card.
fn joining<'a>(dataset: &'a Dataset, link: &SchemaLink) -> Vec<&'a PropertyCard> {
    let card = &dataset.index.card;
    let mut found: Vec<&PropertyCard> = card.properties_from(&link.iri).take(MAX_JOINING).collect();
    found.extend(card.properties_to(&link.iri).take(MAX_JOINING));
    found.retain(|property| !dataset.vocabulary().is_schema(&property.iri));
    // The order of the card: by use, then by IRI.
    found.sort_by(|a, b| b.usage.cmp(&a.usage).then_with(|| a.iri.cmp(&b.iri)));
    found.dedup_by(|a, b| a.iri == b.iri);
    found
}

fn value_draft(
    dataset: &Dataset,
    grounding: &Grounding,
    (value, fit): (&PropertyValue, f32),
    counts: bool,
) -> Draft {
    let literal = literal(value);
    let class =
        grounding.classes.iter().find(|link| link.fit > 0.0 && value.class.as_deref() == Some(&link.iri));
    let kind = dataset.vocabulary().type_path(false);
    let typed = class.map_or_else(String::new, |link| format!(" ; {kind} <{}>", link.iri));
    let pattern = format!("?x <{}> {literal}{typed}", value.property);
    let bonus = class.map_or(0.0, |link| CLASS_BONUS * link.fit);
    let reading = format!("what has {} {literal}", dataset.schema_name(&value.property));
    // A name is better read as the thing it names.
    Draft { query: select(&pattern, counts), reading, score: fit * 0.8 + bonus, whole: false, trusted: false }
}

fn class_draft(dataset: &Dataset, link: &SchemaLink, counts: bool) -> Draft {
    let has_subclasses = dataset.index.card.subclasses(&link.iri).next().is_some();
    let path = dataset.vocabulary().type_path(has_subclasses || !dataset.is_indexed());
    let pattern = format!("?x {path} <{}>", link.iri);
    Draft {
        query: select(&pattern, counts),
        reading: format!("all of class {}", dataset.schema_name(&link.iri)),
        score: 0.5 * link.fit,
        whole: false,
        trusted: false,
    }
}

/// Whether subjects like this entity were seen with the property, or may have been where not all is kept.
pub(super) fn leaves(property: &PropertyCard, entity: &Entity) -> bool {
    let seen = property.edges.iter().any(|edge| match &edge.class {
        Some(class) => entity.types.contains(class),
        None => entity.types.is_empty(),
    });
    seen || property.more_edges
}

/// Whether objects like this entity were seen with the property, or may have been where not all is kept.
pub(super) fn enters(property: &PropertyCard, entity: &Entity) -> bool {
    let seen = property.edges.iter().any(|edge| match &edge.target {
        Target::Class(class) => entity.types.contains(class),
        Target::Resource => entity.types.is_empty(),
        Target::Literal(_) => false,
    });
    seen || (property.more_edges && property.has_resources())
}

fn ends_at(property: &PropertyCard, class: &str) -> bool {
    property.edges.iter().any(|edge| matches!(&edge.target, Target::Class(target) if target == class))
}

fn starts_at(property: &PropertyCard, class: &str) -> bool {
    property.edges.iter().any(|edge| edge.class.as_deref() == Some(class))
}

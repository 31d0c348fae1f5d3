//! Single facts: "the PROPERTY of THING", where the two use every word of the question that says something.
//!
//! Such a question has one plain reading, whatever else its words may name.

use super::drafts::{Draft, enters, leaves, select, select_years};
use super::names::{NameHit, says_nothing};
use super::question::Asked;
use super::steps::has_dates;
use crate::dataset::Dataset;
use crate::form::{AnswerForm, FormKind};
use crate::grounding::{Grounding, Mention};
use eruca_indexer::lexicon::{Cue, cue};
use eruca_indexer::text::words;
use eruca_indexer::{Entity, PropertyCard, SchemaKind};

/// A property that a span names this well is meant.
const MIN_FIT: f32 = 0.9;
/// Entities of one name that are tried, and readings in all.
const MAX_ENTITIES: usize = 2;
const MAX_FACTS: usize = 4;
/// "The name of the capital" asks for the capital.
const NAME_WORDS: &[&str] = &["name", "nombre", "namen"];

/// The readings of a question for one fact, best first.
pub(super) fn facts(
    dataset: &Dataset,
    (asked, hits, form): (&Asked, &[NameHit], &AnswerForm),
    grounding: &Grounding,
) -> Vec<Draft> {
    if form.kind != FormKind::Things || form.counts {
        return Vec::new();
    }
    let mut found = Vec::new();
    for mention in grounding.mentions.iter().filter(|mention| mention.is_same_name()) {
        let span = span_of(asked, mention);
        let properties = hits.iter().filter(|hit| hit.kind == SchemaKind::Property && hit.fit >= MIN_FIT);
        for hit in properties.filter(|hit| apart(hit.words, span)) {
            let Some(card) = dataset.index.card.property(&hit.iri) else { continue };
            if uses_every_word(asked, hits, span, hit, card) {
                let entities = mention.entities.iter().take(MAX_ENTITIES);
                found.extend(entities.filter_map(|entity| {
                    let score = entity.score + hit.fit;
                    fact(dataset, asked, card, &entity.entity).map(|draft| Draft { score, ..draft })
                }));
            }
        }
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found.truncate(MAX_FACTS);
    found
}

fn fact(dataset: &Dataset, asked: &Asked, card: &PropertyCard, entity: &Entity) -> Option<Draft> {
    let (iri, property) = (&entity.iri, &card.iri);
    let (name, label) = (dataset.schema_name(property), entity.label(&dataset.languages));
    let outward = format!("<{iri}> <{property}> ?x");
    let (query, reading) = if leaves(card, entity) {
        match asked.wants_year && has_dates(card) {
            true => (select_years(&outward), format!("the year of the {name} of {label}")),
            false => (select(&outward, false), format!("the {name} of {label}")),
        }
    } else if enters(card, entity) {
        (select(&format!("?x <{property}> <{iri}>"), false), format!("what has {name} {label}"))
    } else {
        return None;
    };
    Some(Draft { query, reading, score: 0.0, whole: true, trusted: true })
}

/// Where a mention stands among the words of the question.
fn span_of(asked: &Asked, mention: &Mention) -> (usize, usize) {
    let named = words(&mention.text);
    let first = named.first().map(|word| word.text.as_str()).unwrap_or_default();
    let start = asked.words.iter().position(|word| word.norm == first).unwrap_or(mention.words.0);
    (start, start + named.len())
}

fn apart(a: (usize, usize), b: (usize, usize)) -> bool {
    a.1 <= b.0 || b.1 <= a.0
}

fn uses_every_word(
    asked: &Asked,
    hits: &[NameHit],
    thing: (usize, usize),
    property: &NameHit,
    card: &PropertyCard,
) -> bool {
    let kind = hits.iter().find(|hit| {
        let leads_there = card.more_edges || card.ranges().iter().any(|(class, _)| *class == hit.iri);
        hit.kind == SchemaKind::Class && hit.fit >= MIN_FIT && leads_there && is_head(asked, hit.words)
    });
    let spans = [Some(thing), Some(property.words), kind.map(|hit| hit.words)];
    let in_span = |at: usize| spans.iter().flatten().any(|span| (span.0..span.1).contains(&at));
    asked.words.iter().enumerate().all(|(at, word)| {
        let names = NAME_WORDS.contains(&word.norm.as_str());
        let year = asked.wants_year && ["year", "jahr", "ano"].contains(&word.norm.as_str());
        in_span(at) || says_nothing(&word.norm) || names || year || is_asking(&word.folded)
    })
}

/// Whether a class stands right behind the question word: "which city".
fn is_head(asked: &Asked, span: (usize, usize)) -> bool {
    let before = asked.words.get(..span.0).unwrap_or_default();
    before.iter().all(|word| says_nothing(&word.norm) || is_asking(&word.folded))
}

fn is_asking(word: &str) -> bool {
    let asking = [Cue::Asking, Cue::Which, Cue::Who, Cue::When, Cue::Where];
    cue(&[word]).is_some_and(|(cue, _)| asking.contains(&cue))
}

//! What the words of the house mean in the graph: as classes, properties, things and values beside those that have the words in
//! their names, and instead of these, because the owner says so.

use super::things::{self, Candidates, SAME_NAME_FIT};
use super::{Evidence, LinkError, Mention, Named, NamedTerm, SchemaLink, is_written_as_name, names};
use crate::glossary::GlossaryHit;
use crate::question::{GradeAt, ParsedQuestion, Span};
use crate::schema::Schema;
use eruca_indexer::{DatasetIndex, EntityHit, PropertyValue, SchemaKind, Target, ValueHit};
use eruca_knowledge::Meaning;
use eruca_language::{Degree, Grade};
use std::sync::Arc;

/// Minimum fit of the name of the class to which an entry is restricted.
const CLASS_FIT: f32 = 0.8;

/// Drops entries that are restricted to a class of which the question names neither a thing nor the class, and those whose words are
/// only a part of those of another.
pub(super) fn keep_applying(index: &DatasetIndex, question: &ParsedQuestion, named: &mut Named) {
    let classes = match named.glossary.iter().all(|hit| hit.entry.of.is_none()) {
        true => Vec::new(),
        false => named_classes(index, question, named),
    };
    let is_said = |of: &String| {
        classes.iter().any(|class| class == of || index.graph.is_a(class, of) || index.graph.is_a(of, class))
    };
    let applies = |hit: &GlossaryHit| hit.entry.of.as_ref().is_none_or(is_said);
    // What these are restricted to is known when their set is.
    let waits = |hit: &GlossaryHit| match &hit.entry.meaning {
        Meaning::Measure { .. } => true,
        // Several words have a noun of their own.
        Meaning::Pattern(_) => hit.span.is_some_and(|span| span.len() > 1),
        _ => false,
    };
    let spans: Vec<Span> =
        named.glossary.iter().filter(|hit| applies(hit)).filter_map(|hit| hit.span).collect();
    let is_part = |span: Span| spans.iter().any(|longer| longer.contains(span) && *longer != span);
    named.glossary.retain(|hit| (waits(hit) || applies(hit)) && !hit.span.is_some_and(is_part));
}

/// The classes that a question names, and those of the things in it.
fn named_classes(index: &DatasetIndex, question: &ParsedQuestion, named: &Named) -> Vec<String> {
    let terms = names::schema_links(index, question);
    let of_terms = terms.iter().filter(|term| term.kind == SchemaKind::Class && term.fit >= CLASS_FIT);
    let of_words = named.glossary.iter().filter_map(|hit| match &hit.entry.meaning {
        Meaning::Class(iri) => Some(iri),
        _ => None,
    });
    let things = named.mentions.iter().filter(|mention| mention.is_same_name());
    let of_things = things.flat_map(|mention| &mention.entities).flat_map(|hit| &hit.record.types);
    of_terms.map(|term| &term.iri).chain(of_words).chain(of_things).cloned().collect()
}

/// Adds the things and values of the glossary, in place of others that have the words in their names.
pub(super) fn add_names(
    index: &DatasetIndex,
    question: &ParsedQuestion,
    named: &mut Named,
) -> Result<(), LinkError> {
    let mut found: Vec<Mention> = Vec::new();
    for hit in &named.glossary {
        let Some(span) = hit.span.filter(|span| !is_within_a_name(named, *span)) else { continue };
        let (things, values) = candidates(index, &hit.entry.meaning)?;
        match found.iter_mut().find(|known| known.span.overlaps(span)) {
            Some(known) if known.span == span => {
                known.entities.extend(things);
                known.values.extend(values);
            }
            Some(_) => {}
            None => found.extend(things::mention(question.text_of(span), span, (things, values))),
        }
    }
    let terms: Vec<Span> =
        named.glossary.iter().filter(|hit| is_term(hit)).filter_map(|hit| hit.span).collect();
    named.mentions.retain(|mention| {
        let span = mention.span;
        let taken = found.iter().any(|known| known.span.overlaps(span));
        // What is only alike does not go before the owner's words, however they are written.
        let is_name = mention.is_same_name() && is_written_as_name(question, span);
        !taken && (!terms.contains(&span) || is_name)
    });
    named.mentions.extend(found.into_iter().map(|mention| Mention { title: true, ..mention }));
    named.mentions.sort_by_key(|mention| (mention.span.from, std::cmp::Reverse(mention.span.to)));
    Ok(())
}

/// Adds the classes and properties of the glossary, in place of others of their kind that have the words in their names.
pub(super) fn add_terms(named: &mut Named) {
    let term = |hit: &GlossaryHit| {
        let (kind, iri) = match &hit.entry.meaning {
            Meaning::Class(iri) => (SchemaKind::Class, iri),
            Meaning::Property(iri) => (SchemaKind::Property, iri),
            _ => return None,
        };
        let (iri, span) = (iri.clone(), hit.span?);
        Some(NamedTerm { kind, iri, span, fit: 1.0, evidence: Evidence::Glossary, used: true })
    };
    let found: Vec<NamedTerm> = named.glossary.iter().filter_map(term).collect();
    let takes = |hit: &&GlossaryHit| is_name(hit) || matches!(hit.entry.meaning, Meaning::Pattern(_));
    let taken: Vec<Span> = named.glossary.iter().filter(takes).filter_map(|hit| hit.span).collect();
    named.terms.retain(|term| {
        let outdone = found.iter().any(|own| own.span == term.span && own.kind == term.kind);
        !outdone && !taken.contains(&term.span)
    });
    named.terms.extend(found);
}

/// The patterns of the glossary in the places of classes and properties.
pub(super) fn patterns<'a, 'k>(
    schema: &'a Schema<'k>,
    named: &'k Named,
) -> impl Iterator<Item = SchemaLink<'k>> + use<'a, 'k> {
    named.glossary.iter().filter_map(|hit| {
        let Meaning::Pattern(pattern) = &hit.entry.meaning else { return None };
        let (kind, iri) = (schema.pattern(pattern.name())?.kind(), pattern.name());
        Some(SchemaLink { kind, iri, span: hit.span?, fit: 1.0, evidence: Evidence::Glossary })
    })
}

/// Adds words of the glossary that compare and that the language does not know: they are superlatives, unless they are forms that
/// it makes by rule.
pub(super) fn add_grades(glossary: &[GlossaryHit], question: &mut ParsedQuestion) {
    for hit in glossary {
        let (Meaning::Measure { descending, .. }, Some(span)) = (&hit.entry.meaning, hit.span) else {
            continue;
        };
        if question.grades.iter().any(|known| known.span.overlaps(span)) {
            continue;
        }
        let none: Arc<[String]> = Arc::from([]);
        let (nouns, reversed, opposite) = (none.clone(), none, Arc::from(""));
        let up = descending.unwrap_or(true);
        let degree = hit.degree.unwrap_or(Degree::Superlative);
        let grade = Grade { degree, up, nouns, reversed, opposite };
        question.grades.push(GradeAt { span, grade });
    }
    question.grades.sort_by_key(|found| found.span);
}

fn is_term(hit: &GlossaryHit) -> bool {
    matches!(hit.entry.meaning, Meaning::Class(_) | Meaning::Property(_) | Meaning::Pattern(_))
}

fn is_name(hit: &GlossaryHit) -> bool {
    matches!(hit.entry.meaning, Meaning::Thing(_) | Meaning::Value { .. })
}

/// Whether words are only a part of a longer name that the graph has.
fn is_within_a_name(named: &Named, span: Span) -> bool {
    let longer = |mention: &&Mention| mention.span.contains(span) && mention.span != span;
    named.mentions.iter().filter(longer).any(Mention::is_same_name)
}

fn candidates(index: &DatasetIndex, meaning: &Meaning) -> Result<Candidates, LinkError> {
    Ok(match meaning {
        Meaning::Thing(iri) => {
            let thing = index.entities.get(iri)?;
            (thing.map(|record| EntityHit { record, score: SAME_NAME_FIT }).into_iter().collect(), Vec::new())
        }
        Meaning::Value { property, text } => {
            let record = value(index, property, text)?;
            (Vec::new(), vec![ValueHit { record, score: SAME_NAME_FIT }])
        }
        _ => Candidates::default(),
    })
}

/// The value as the graph has it; values that are not searched, like numbers, have the datatype that the property mostly has.
fn value(index: &DatasetIndex, property: &str, text: &str) -> Result<PropertyValue, LinkError> {
    let known = index.values.search(text, Some(property), things::MAX_CANDIDATES)?;
    let same = |hit: &ValueHit| hit.record.property == property && hit.record.text == text;
    if let Some(hit) = known.into_iter().find(same) {
        return Ok(hit.record);
    }
    let card = index.card.property(property);
    let edges = || card.into_iter().flat_map(|card| &card.edges);
    let literal = edges().find_map(|edge| match &edge.target {
        Target::Literal(datatype) => Some((datatype.clone(), edge.class.clone())),
        Target::Class(_) | Target::Resource => None,
    });
    let (datatype, class) = literal.unwrap_or_default();
    let (property, text, language) = (property.to_owned(), text.to_owned(), String::new());
    Ok(PropertyValue { property, text, language, datatype, count: 1, class })
}

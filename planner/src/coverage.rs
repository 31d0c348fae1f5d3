//! How much of a question a graph has names for: the measure by which a graph is chosen among several.

use crate::link::{Evidence, Mention, Named, NamedTerm};
use crate::question::{ParsedQuestion, Span, WordKind};
use eruca_indexer::{DatasetIndex, SchemaKind};
use eruca_knowledge::Meaning;

/// Share of the fit of a name that is only alike.
const ALIKE: f32 = 0.6;
/// Share of a name that stands for a common noun: most graphs have something that is called like one.
const COMMON: f32 = 0.5;

/// Part of a term's weight that depends on how large a part of the graph it is about.
const FOCUS: f32 = 0.3;
/// What a term loses in a schema of ten thousand terms: of many terms some are called like any word.
const SPREAD: f32 = 0.3;
const LARGE_SCHEMA: f32 = 1e4;
/// Shares below this are alike.
const LEAST_SHARE: f32 = 1e-5;

/// How much of the question's words have names, from 0 to 1, by how well each is named. Names count most: a graph that does
/// not know the thing that is asked about cannot have the answer.
pub fn coverage(question: &ParsedQuestion, words: &[f32]) -> f32 {
    let weights = question.words.iter().map(|word| weight(word.kind));
    let (covered, all) = weights
        .zip(words)
        .fold((0.0, 0.0), |(covered, all), (weight, best)| (covered + weight * best, all + weight));
    if all > 0.0 { covered / all } else { 0.0 }
}

/// How well the graph has a name for each word of the question, from 0 to 1.
pub fn word_coverage(index: &DatasetIndex, question: &ParsedQuestion, named: &Named) -> Vec<f32> {
    let mut best = vec![0.0_f32; question.words.len()];
    let mut raise = |span: Span, quality: &dyn Fn(usize) -> f32| {
        let span = usize::from(span.from)..usize::from(span.to);
        for (at, best) in best.iter_mut().enumerate().filter(|(at, _)| span.contains(at)) {
            *best = best.max(quality(at));
        }
    };
    for mention in &named.mentions {
        let is_name = |at: usize| question.words.get(at).is_some_and(|word| word.kind >= WordKind::Name);
        raise(mention.span, &|at| {
            if mention.title || is_name(at) { of_name(mention) } else { COMMON * of_name(mention) }
        });
    }
    let surprise = surprise(index);
    for term in named.terms.iter().filter(|term| term.used) {
        let quality = of_term(term) * surprise * (1.0 - FOCUS + FOCUS * focus(index, term));
        raise(term.span, &|_| quality);
    }
    let patterns = named.glossary.iter().filter(|hit| matches!(hit.entry.meaning, Meaning::Pattern(_)));
    for span in patterns.filter_map(|hit| hit.span) {
        raise(span, &|_| surprise);
    }
    best
}

/// How much it says that a schema has a term for a word.
fn surprise(index: &DatasetIndex) -> f32 {
    let terms = (index.card.classes.len() + index.card.properties.len()).max(1) as f32;
    1.0 - SPREAD * (terms.log(LARGE_SCHEMA)).min(1.0)
}

/// How large a part of the graph a class or property is about, from 0 to 1 on a logarithmic scale: of two graphs that know
/// albums the one that is about them is meant rather than the one that also has some.
fn focus(index: &DatasetIndex, term: &NamedTerm) -> f32 {
    let card = &index.card;
    let part = match term.kind {
        SchemaKind::Class => card.class(&term.iri).map_or(0, |class| class.instances_with_subclasses),
        SchemaKind::Property => card.property(&term.iri).map_or(0, |property| property.usage),
    };
    let share = (part as f32 / card.triples.max(1) as f32).clamp(LEAST_SHARE, 1.0);
    1.0 - share.log10() / LEAST_SHARE.log10()
}

fn weight(kind: WordKind) -> f32 {
    match kind {
        WordKind::Name | WordKind::Quoted => 3.0,
        WordKind::Noun => 1.0,
        WordKind::Verb => 0.5,
        WordKind::Function | WordKind::Number => 0.0,
    }
}

fn of_name(mention: &Mention) -> f32 {
    if mention.is_same_name() { 1.0 } else { ALIKE * mention.fit() }
}

fn of_term(term: &NamedTerm) -> f32 {
    let strength = match term.evidence {
        Evidence::Glossary | Evidence::Exact | Evidence::Stem => 1.0,
        Evidence::Translation => 0.9,
        Evidence::Synonym => 0.8,
        Evidence::Related => 0.6,
        Evidence::Part => 0.5,
        Evidence::Typo => 0.4,
    };
    strength * term.fit
}

//! The linker: candidates in the graph (things, values, classes, properties) for spans of the question, each with a fit and its
//! evidence. One look-up serves all later stages: prompts, the planner, the ledger. Reads the index.
//!
//! A text is looked up once per question, however often it occurs. Tests: `tests/long.rs`, `tests/fair.rs` of the program.

mod asked;
mod facts;
mod house;
mod inflected;
mod names;
mod rule;
mod things;
mod unknown;
mod written;

pub use facts::{Facts, Known, fetch_facts};
pub(crate) use rule::is_written_as_name;
pub use rule::may_be_name;
pub use things::{LinkError, MAX_CANDIDATES, Mention, mentions};
pub(crate) use things::{SAME_NAME_FIT, is_together};
pub use unknown::unknown_names;
pub(crate) use unknown::{missing, not_found};
pub(crate) use written::is_signed_otherwise;

pub(crate) use crate::glossary::GlossaryHit;

use crate::glossary::Glossary;
use crate::meaning::{Iri, Step};
use crate::pace::AllowedTime;
use crate::question::{ParsedQuestion, Span};
use crate::schema::Schema;
use eruca_indexer::vocabulary::{RDF, RDF_FIRST, RDF_REST};
use eruca_indexer::{DatasetIndex, Edge, SchemaKind, Target};
use eruca_knowledge::Pattern;

/// How a word of the question matched a word of a name, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// The owner of the graph says so.
    Glossary,
    /// The same word.
    Exact,
    /// The same stem.
    Stem,
    /// A translation of it.
    Translation,
    /// A synonym.
    Synonym,
    /// A noun that the word implies: "born" and "birth".
    Related,
    /// A part of a compound, an abbreviation.
    Part,
    /// Similar spelling.
    Typo,
}

/// A class or property that a span may name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SchemaLink<'k> {
    pub kind: SchemaKind,
    pub iri: Iri<'k>,
    pub span: Span,
    /// 1 for an exact name.
    pub fit: f32,
    /// The weakest evidence among its words.
    pub evidence: Evidence,
}

/// A class or property that a span names; if found on a server, it may be missing from the card.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedTerm {
    /// What it is.
    pub kind: SchemaKind,
    /// Its IRI.
    pub iri: String,
    /// The span.
    pub span: Span,
    /// 1 for an exact name.
    pub fit: f32,
    /// The weakest evidence among its words.
    pub evidence: Evidence,
    /// Whether queries can use it: not if it is declared but never used.
    pub used: bool,
}

/// The candidates for the question's words.
#[derive(Debug, Clone, Default)]
pub struct Named {
    /// Things and values.
    pub mentions: Vec<Mention>,
    /// Classes and properties.
    pub terms: Vec<NamedTerm>,
    /// What the glossary says of the words.
    pub glossary: Vec<GlossaryHit>,
}

/// Looks up candidates for the words of a question.
///
/// # Errors
/// When an index cannot be read.
pub fn link(
    index: &DatasetIndex,
    question: &ParsedQuestion,
    time: Option<AllowedTime<'_>>,
) -> Result<Named, LinkError> {
    link_by(index, &Glossary::default(), question, time)
}

/// The same with the words that the owner of the graph has for it.
///
/// # Errors
/// When an index cannot be read.
pub fn link_by(
    index: &DatasetIndex,
    glossary: &Glossary,
    question: &ParsedQuestion,
    time: Option<AllowedTime<'_>>,
) -> Result<Named, LinkError> {
    let mut named = Named::from(things::mentions_within(index, question, time)?);
    named.glossary = glossary.hits(question);
    house::keep_applying(index, question, &mut named);
    house::add_names(index, question, &mut named)?;
    named.terms = names::schema_links(index, &named.read(question));
    house::add_terms(&mut named);
    Ok(named)
}

impl Named {
    /// Names written exactly like this whose words mean something else.
    pub(crate) fn titles(&self) -> impl Iterator<Item = &Mention> {
        self.mentions.iter().filter(|mention| mention.title)
    }

    /// The question with its titles marked as names.
    pub(crate) fn read(&self, question: &ParsedQuestion) -> ParsedQuestion {
        let mut read = question.clone();
        for title in self.titles() {
            let words = question.text_of(title.span);
            let (before, behind) = title.text.split_once(words).unwrap_or_default();
            read.take_for_name(title.span, (!before.is_empty(), !behind.is_empty()));
        }
        house::add_grades(&self.glossary, &mut read);
        read
    }

    /// Spans that name things or values rather than classes and properties: "rivers" is the class of rivers, not a river whose
    /// name contains the word.
    pub fn names(&self) -> impl Iterator<Item = &Mention> {
        self.mentions.iter().filter(|mention| {
            let called = |term: &NamedTerm| term.span == mention.span && term.fit.min(1.0) > mention.fit();
            mention.is_same_name() || !self.terms.iter().any(called)
        })
    }

    /// Spans that are exact names, first those written as names, then the longest. Everyday words are excluded: they more likely
    /// name a class.
    pub fn sure_names(&self, question: &ParsedQuestion) -> Vec<&Mention> {
        let called = |span: Span| self.terms.iter().any(|term| term.span == span && term.fit >= 1.0);
        let written = |mention: &Mention| mention.title || is_written_as_name(question, mention.span);
        let everyday = |span: Span| called(span) || rule::is_everyday_word(question, span);
        let mut sure: Vec<&Mention> = self.names().filter(|mention| mention.is_same_name()).collect();
        sure.retain(|mention| written(mention) || !everyday(mention.span));
        sure.sort_by_key(|mention| std::cmp::Reverse((written(mention), mention.span.len())));
        sure
    }
}

impl From<Vec<Mention>> for Named {
    fn from(mentions: Vec<Mention>) -> Self {
        Self { mentions, ..Self::default() }
    }
}

/// All candidates for the words of a question.
#[derive(Debug, Default)]
pub(crate) struct Links<'k> {
    pub schema: Vec<SchemaLink<'k>>,
    pub mentions: Vec<Mention>,
    /// What the glossary says of the words.
    pub glossary: Vec<GlossaryHit>,
    /// Facts about the candidate things.
    pub facts: Known,
}

impl<'k> Links<'k> {
    /// The links found earlier, adding schema links if only names were looked up. Parts of titles are ignored.
    pub fn find(schema: &Schema<'k>, question: &ParsedQuestion, named: &'k Named) -> Self {
        let late = named.terms.is_empty().then(|| names::schema_links(schema.index, question));
        let late = late.iter().flatten().filter_map(|term| Some((spelt(schema, term)?, term)));
        let known = named.terms.iter().map(|term| (spelt(schema, term).unwrap_or(&term.iri), term));
        let titles: Vec<Span> = named.titles().map(|title| title.span).collect();
        let in_title = |span: Span| titles.iter().any(|title| title.len() > 1 && title.contains(span));
        let terms = late.chain(known).filter(|(_, term)| term.used && !in_title(term.span));
        let mut found: Vec<SchemaLink<'k>> = terms.map(|(iri, term)| called(iri, term)).collect();
        found.extend(house::patterns(schema, named).filter(|link| !in_title(link.span)));
        let facts = named.mentions.iter().flat_map(|mention| {
            mention.facts.iter().map(|(thing, facts)| {
                let hit = mention.entities.iter().find(|hit| hit.record.iri == *thing);
                let types = hit.map_or(&[][..], |hit| &hit.record.types);
                (thing.clone(), with_collections(schema, facts.clone(), types))
            })
        });
        let facts = facts.collect();
        let (mentions, glossary) = (named.mentions.clone(), named.glossary.clone());
        Self { schema: found, mentions, glossary, facts }
    }

    /// Whether the step exists for a thing, where its facts were fetched.
    pub fn has(&self, thing: &str, step: Step<'_>) -> Option<bool> {
        // What leads to a value by several steps is none of a thing's properties.
        if Pattern::is_name(step.property) {
            return None;
        }
        let facts = self.facts.get(thing)?;
        let properties = if step.forward { &facts.out } else { facts.into.as_ref()? };
        Some(properties.iter().any(|property| property == step.property))
    }
}

/// A member of a list may belong to any property that leads to lists.
fn with_collections(schema: &Schema<'_>, mut facts: Facts, types: &[String]) -> Facts {
    if let Some(into) = facts.into.as_mut().filter(|into| into.iter().any(|property| is_joint(property))) {
        let cards = schema.index.card.properties.iter();
        let member = |edge: &Edge| match &edge.target {
            Target::Class(class) => types.iter().any(|known| schema.related(known, class)),
            Target::Resource => types.is_empty(),
            Target::Literal(_) => false,
        };
        let lists = cards.filter(|card| card.collected.is_some() && card.reached().iter().any(member));
        into.extend(lists.map(|card| card.iri.clone()));
    }
    facts
}

/// Whether a property only links the members of lists and containers.
pub(crate) fn is_joint(property: &str) -> bool {
    [RDF_FIRST, RDF_REST].contains(&property)
        || property.strip_prefix(RDF).is_some_and(|local| local.starts_with('_'))
}

/// The class or property in the card's spelling.
fn spelt<'k>(schema: &Schema<'k>, term: &NamedTerm) -> Option<Iri<'k>> {
    match term.kind {
        SchemaKind::Class => schema.class(&term.iri),
        SchemaKind::Property => schema.property(&term.iri).map(|card| card.iri.as_str()),
    }
}

fn called<'k>(iri: Iri<'k>, term: &NamedTerm) -> SchemaLink<'k> {
    let NamedTerm { kind, span, fit, evidence, .. } = *term;
    SchemaLink { kind, iri, span, fit: fit.min(1.0), evidence }
}

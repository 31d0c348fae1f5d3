//! Articles: the short answer as a lead, then sections about its first things, made of what the graph says of them, and what
//! texts beside the graph say. No model writes any of it.
//!
//! ```text
//! sentences with their triples ─► lead ─┐
//! what the graph says of things ─► sections (drafts of lines ─► chosen within bounds) ─┼─► Article
//! passages ─► texts ────────────────────┘              every line ─► sources
//! ```
//! Every line has a source, or says nothing of the graph (remarks of the lead). Everything is bounded, and what is left out
//! is counted.

mod lead;
mod sections;
mod sources;
mod thing;

use super::card::cards;
use super::columns::kind_of;
use super::phrase::Phrase;
use super::values::LONG;
use super::{AnswerContext, SupportedSentence, Verbalizer};
use eruca_api::{Article, ArticleLine, ArticleSection, Citation, ColumnKind, SectionKind, Words, WordsKind};
use eruca_sparql::{Answer, Results, Term, one_line};
use sources::{MAX_SOURCES, Sources};
use std::sync::Arc;

/// Things that an article is about.
pub(super) const MAX_THINGS: usize = 3;
/// Lines of a section.
const MAX_LINES: usize = 8;
/// Maximum length of a title, in characters.
const MAX_TITLE: usize = 200;

/// What a query has found of some things: rows of property and value, or of thing, property and value.
#[derive(Debug, Clone)]
pub struct AboutThings {
    /// The IRIs of the things.
    pub about: Vec<String>,
    /// The rows.
    pub answer: Arc<Answer>,
    /// Whether there may be more.
    pub cut: bool,
}

/// What an article is made of, besides the answer.
#[derive(Debug, Default)]
pub struct ArticleMaterial<'a> {
    /// The sentences of the short answer.
    pub sentences: &'a [SupportedSentence],
    /// What the graph says of the things.
    pub found: &'a [AboutThings],
    /// All things of the answer.
    pub things: &'a [String],
    /// What texts say.
    pub citations: &'a [Citation],
}

/// The things that an article may be about, in the order of the answer: those that the question only names, or those of the
/// first column with things. None of an answer that is computed, empty or not there.
#[must_use]
pub fn article_things(context: &AnswerContext<'_>, words: &Words) -> Vec<String> {
    if !matches!(words.kind, WordsKind::Answer | WordsKind::Doubt)
        || context.computed.is_some()
        || context.absence.is_some()
        || context.orientation.is_some()
    {
        return Vec::new();
    }
    if let Some(insight) = context.insight.filter(|insight| !insight.about.is_empty()) {
        return insight.about.clone();
    }
    let Results::Solutions(found) = &context.answer.results else { return Vec::new() };
    let thing = |term: &Option<Term>| match term {
        Some(Term::NamedNode(node)) if kind_of(&node.clone().into()) == ColumnKind::Thing => {
            Some(node.as_str().to_owned())
        }
        _ => None,
    };
    let of_column = |at: usize| found.rows.iter().filter_map(move |row| thing(row.get(at)?));
    let Some(column) = (0..found.variables.len()).find(|at| of_column(*at).next().is_some()) else {
        return Vec::new();
    };
    let mut seen = std::collections::HashSet::new();
    of_column(column).filter(|iri| seen.insert(iri.clone())).collect()
}

/// The article of an answer.
#[must_use]
pub fn article(context: &AnswerContext<'_>, material: &ArticleMaterial<'_>) -> Article {
    let teller = Verbalizer::new(*context);
    let mut sources = Sources::new(teller);
    let lead = teller.lead(material.sentences, &mut sources);
    let statements = teller.statements(material, &mut sources);
    let things = teller.told_things(material, &mut sources);
    let texts = teller.texts(material.citations, &mut sources);
    Article {
        title: teller.title(material.things),
        lang: teller.language.tag().to_owned(),
        lead,
        more_things: material.things.len().saturating_sub(things.len()),
        things,
        sections: statements.into_iter().chain(texts).collect(),
        sources: sources.list(),
    }
}

impl Verbalizer<'_> {
    /// The name of the only thing, or what was understood.
    fn title(&self, things: &[String]) -> String {
        let reading =
            self.context.insight.map(|insight| insight.reading.trim()).filter(|text| !text.is_empty());
        match (things, reading) {
            ([only], _) => self.thing(only).text(),
            (_, Some(reading)) => Phrase::from(one_line(reading, MAX_TITLE)).capitalized().text(),
            (_, None) => one_line(self.context.question.text.trim(), MAX_TITLE),
        }
    }

    /// What is told of the first things; sources are shared fairly among them, and kept for the texts.
    fn told_things(
        &self,
        material: &ArticleMaterial<'_>,
        sources: &mut Sources<'_>,
    ) -> Vec<eruca_api::ArticleThing> {
        let wanted = |iri: &str| material.things.iter().take(MAX_THINGS).any(|thing| thing == iri);
        let found = material.found.iter().flat_map(|found| match &found.answer.results {
            Results::Solutions(rows) => {
                cards(rows, &found.about).into_iter().map(|card| (card, found.cut)).collect()
            }
            Results::Boolean(_) | Results::Graph(_) => Vec::new(),
        });
        let found: Vec<_> = found.filter(|(card, _)| wanted(card.iri)).take(MAX_THINGS).collect();
        let kept = material.citations.len().min(MAX_LINES);
        let mut left = found.len();
        let mut told = Vec::new();
        for (card, cut) in found {
            let room = MAX_SOURCES.saturating_sub(sources.len() + kept) / left.max(1);
            told.extend(self.told_thing(&card, cut, room, sources));
            left -= 1;
        }
        told
    }

    /// What texts beside the graph say.
    fn texts(&self, citations: &[Citation], sources: &mut Sources<'_>) -> Option<ArticleSection> {
        let mut lines = Vec::new();
        for citation in citations.iter().take(MAX_LINES) {
            let Some(source) = sources.passage(citation) else { break };
            let quote = one_line(citation.quote.trim(), LONG);
            let quote = self.phrase("quoted", &[("x", quote.into())]);
            let place = one_line(citation.place().trim(), MAX_TITLE);
            let line = self.phrase("detailed", &[("value", quote), ("details", place.into())]);
            let (_, mut parts) = line.into_parts();
            parts.iter_mut().for_each(|part| part.cites = Some(citation.name.clone()));
            lines.push(ArticleLine { parts, sources: vec![source], more_sources: 0 });
        }
        self.section(SectionKind::Texts, lines, citations.len())
    }

    /// A section of `all` lines, of which some may be left out; `None` without lines.
    fn section(&self, kind: SectionKind, lines: Vec<ArticleLine>, all: usize) -> Option<ArticleSection> {
        let more = all.saturating_sub(lines.len());
        let heading = self.text(heading_key(kind), &[]);
        (!lines.is_empty()).then_some(ArticleSection { kind, heading, lines, more })
    }
}

fn heading_key(kind: SectionKind) -> &'static str {
    match kind {
        SectionKind::Identity => "section_identity",
        SectionKind::People => "section_people",
        SectionKind::Places => "section_places",
        SectionKind::Times => "section_times",
        SectionKind::Measures => "section_measures",
        SectionKind::Links => "section_links",
        SectionKind::Identifiers => "section_identifiers",
        SectionKind::Media => "section_media",
        SectionKind::Statements => "section_statements",
        SectionKind::Texts => "section_texts",
    }
}

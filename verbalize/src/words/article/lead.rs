//! The lead of an article: the sentences of the short answer with what supports them; and, of an answer without things, the
//! statements that do.

use super::super::phrase::Phrase;
use super::super::{SupportedSentence, Verbalizer};
use super::sources::{Sources, Statement};
use super::{ArticleMaterial, MAX_LINES};
use crate::words::columns::of_property;
use crate::words::values::LONG;
use eruca_api::{ArticleLine, ArticleSection, ClaimSupport, SectionKind, ShownTerm};
use eruca_sparql::{Results, Term, triple_terms};

/// Statements that a sentence of the lead refers to.
const MAX_OF_SENTENCE: usize = 5;

impl Verbalizer<'_> {
    pub(super) fn lead(
        &self,
        sentences: &[SupportedSentence],
        sources: &mut Sources<'_>,
    ) -> Vec<ArticleLine> {
        let line = |(at, sentence): (usize, &SupportedSentence)| {
            let triples = triples(sentence);
            let mut numbers: Vec<usize> =
                triples.iter().take(MAX_OF_SENTENCE).filter_map(|triple| sources.statement(triple)).collect();
            if numbers.is_empty() && self.tells_rows(at, sentence) {
                numbers.extend(sources.query());
            }
            let left = (triples.len() + sentence.claim.more).saturating_sub(numbers.len());
            let more_sources = if triples.is_empty() { 0 } else { left };
            numbers.sort_unstable();
            numbers.dedup();
            ArticleLine { parts: sentence.parts.clone(), sources: numbers, more_sources }
        };
        sentences.iter().enumerate().map(line).collect()
    }

    /// Whether a sentence without statements tells the result of the query, and is no remark on it.
    fn tells_rows(&self, at: usize, sentence: &SupportedSentence) -> bool {
        let context = &self.context;
        let is_card = context.insight.is_some_and(|insight| !insight.about.is_empty());
        let has_result =
            context.absence.is_none() && context.orientation.is_none() && context.empty.is_none();
        match sentence.claim.support {
            ClaimSupport::Remark => has_result && (at == 0 || is_card) && !context.answer.is_empty(),
            ClaimSupport::None => sentence.claim.unverified.is_empty(),
            _ => true,
        }
    }

    /// The statements that support an answer without things.
    pub(super) fn statements(
        &self,
        material: &ArticleMaterial<'_>,
        sources: &mut Sources<'_>,
    ) -> Option<ArticleSection> {
        if !material.things.is_empty() {
            return None;
        }
        let mut all: Vec<Statement> = Vec::new();
        let graph = match &self.context.answer.results {
            Results::Graph(triples) => triples.as_slice(),
            Results::Boolean(_) | Results::Solutions(_) => &[],
        };
        for triple in material.sentences.iter().flat_map(triples).chain(graph.iter().map(triple_terms)) {
            if !all.contains(&triple) {
                all.push(triple);
            }
        }
        let unlisted: usize = material.sentences.iter().map(|sentence| sentence.claim.more).sum();
        let told = all.iter().take(MAX_LINES).map_while(|triple| self.statement(triple, sources));
        let lines = told.collect();
        self.section(SectionKind::Statements, lines, all.len() + unlisted)
    }

    /// "Germany – capital: Berlin".
    fn statement(&self, statement: &Statement, sources: &mut Sources<'_>) -> Option<ArticleLine> {
        let [subject, Term::NamedNode(property), value] = statement else { return None };
        let source = sources.statement(statement)?;
        let column = of_property(self.context.dataset, property.as_str(), &[value]);
        let value = self.cell(Some(&column), Some(value), LONG);
        let subject = self.cell(None, Some(subject), LONG);
        let said = self.phrase("titled", &[("title", Phrase::from(column.title.as_str())), ("value", value)]);
        let (_, parts) = self.phrase("cell", &[("a", subject), ("b", said)]).into_parts();
        Some(ArticleLine { parts, sources: vec![source], more_sources: 0 })
    }
}

/// The statements that support a sentence.
fn triples(sentence: &SupportedSentence) -> Vec<Statement> {
    let statement = |terms: &Vec<ShownTerm>| {
        let terms: Vec<Term> = terms.iter().map(ShownTerm::to_term).collect();
        Statement::try_from(terms).ok()
    };
    sentence.claim.triples.iter().filter_map(statement).collect()
}

//! Linking spans of the question to the indexes.

use crate::dataset::Dataset;
use eruca_indexer::lexicon::is_function_word;
use eruca_indexer::text::{Token, words};
use eruca_indexer::{EntityHit, LexicalError, SchemaHit, SchemaIndexError, SchemaKind, ValueHit};

/// Words of the longest span that is looked up.
const MAX_SPAN_WORDS: usize = 6;
/// Words of a question that are looked at; the rest of an overlong question is left to the model.
const MAX_WORDS: usize = 60;
/// Candidates kept for one span.
const MAX_CANDIDATES: usize = 4;
/// A single word must fit this well to be taken for a name.
const MIN_WORD_FIT: f32 = 0.7;
/// A name whose words are all in the span, but which has further words, is taken from this fit on.
const MIN_SPAN_FIT: f32 = 0.8;
/// A class or property whose name meets a span this well is named.
const MIN_SCHEMA_FIT: f32 = 0.7;
/// The fit of the very same name.
const SAME_NAME_FIT: f32 = 1.2;
/// Classes and properties named at most.
const MAX_CLASSES: usize = 8;
const MAX_PROPERTIES: usize = 12;

/// A span of the question that may name entities or values.
#[derive(Debug, Clone)]
pub struct Mention {
    /// The words as they stand in the question.
    pub text: String,
    /// Numbers of the first word and of the word behind the last.
    pub words: (usize, usize),
    /// Entities it may name, best first.
    pub entities: Vec<EntityHit>,
    /// Literal values it may be, best first.
    pub values: Vec<ValueHit>,
}

impl Mention {
    /// The best fit among its candidates.
    pub fn fit(&self) -> f32 {
        let entity = self.entities.first().map_or(0.0, |hit| hit.score);
        self.values.first().map_or(0.0, |hit| hit.score).max(entity)
    }
}

/// A class or property that a span may mean.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaLink {
    /// The IRI.
    pub iri: String,
    /// The words of the question, empty when only the whole question led to it.
    pub text: String,
    /// How well the words meet its name: 1 and more when all do.
    pub fit: f32,
}

/// What the words of a question may mean.
#[derive(Debug, Clone, Default)]
pub struct Grounding {
    /// Spans that may name entities or values, in the order of the question.
    pub mentions: Vec<Mention>,
    /// Classes, best first.
    pub classes: Vec<SchemaLink>,
    /// Properties, best first.
    pub properties: Vec<SchemaLink>,
}

/// Why nothing could be looked up.
#[derive(Debug, thiserror::Error)]
#[error("the index cannot be searched: {0}")]
pub struct GroundingError(String);

impl From<LexicalError> for GroundingError {
    fn from(error: LexicalError) -> Self {
        Self(error.to_string())
    }
}

impl From<SchemaIndexError> for GroundingError {
    fn from(error: SchemaIndexError) -> Self {
        Self(error.to_string())
    }
}

/// Links a question.
///
/// # Errors
/// When an index cannot be read.
pub async fn ground(dataset: &Dataset, question: &str) -> Result<Grounding, GroundingError> {
    let words: Vec<Token> = words(question).into_iter().take(MAX_WORDS).collect();
    let mut mentions = mentions(dataset, question, &words)?;
    let classes = schema_links(dataset, question, &words, SchemaKind::Class, MAX_CLASSES).await?;
    let properties = schema_links(dataset, question, &words, SchemaKind::Property, MAX_PROPERTIES).await?;
    mentions.retain(|mention| !is_schema_word(mention, classes.iter().chain(&properties)));
    Ok(Grounding { mentions, classes, properties })
}

/// "rivers" is the class of rivers rather than a river whose name holds the word.
fn is_schema_word<'a>(mention: &Mention, mut links: impl Iterator<Item = &'a SchemaLink>) -> bool {
    mention.fit() < SAME_NAME_FIT && links.any(|link| link.text == mention.text && link.fit > mention.fit())
}

/// Longest spans first: a span in which a name is found keeps its words from shorter spans.
fn mentions(dataset: &Dataset, question: &str, words: &[Token]) -> Result<Vec<Mention>, LexicalError> {
    let mut taken = vec![false; words.len()];
    let mut found = Vec::new();
    for length in (1..=MAX_SPAN_WORDS.min(words.len())).rev() {
        for start in 0..=words.len() - length {
            let end = start + length;
            if taken[start..end].contains(&true) || !may_be_name(&words[start..end]) {
                continue;
            }
            let text = span_text(question, words, start, end);
            if let Some(mention) = link(dataset, text, (start, end))? {
                taken[start..end].fill(true);
                found.push(mention);
            }
        }
    }
    found.sort_by_key(|mention| mention.words);
    Ok(found)
}

/// A name neither begins nor ends with a function word.
fn may_be_name(span: &[Token]) -> bool {
    let content = |token: Option<&Token>| token.is_some_and(|token| !is_function_word(&token.text));
    content(span.first()) && content(span.last())
}

fn span_text<'a>(question: &'a str, words: &[Token], start: usize, end: usize) -> &'a str {
    match (words.get(start), words.get(end - 1)) {
        (Some(first), Some(last)) => question.get(first.span.0..last.span.1).unwrap_or_default(),
        _ => "",
    }
}

fn link(dataset: &Dataset, text: &str, words: (usize, usize)) -> Result<Option<Mention>, LexicalError> {
    let single = words.1 - words.0 == 1;
    let index = &dataset.index;
    let (mut entities, mut values) = if single {
        (index.entities.search(text, None, MAX_CANDIDATES)?, index.values.search(text, None, MAX_CANDIDATES)?)
    } else {
        (
            index.entities.search_strict(text, MAX_CANDIDATES)?,
            index.values.search_strict(text, MAX_CANDIDATES)?,
        )
    };
    let least = if single { MIN_WORD_FIT } else { MIN_SPAN_FIT };
    entities.retain(|hit| hit.score >= least);
    values.retain(|hit| hit.score >= least);
    let mention = Mention { text: text.to_owned(), words, entities, values };
    Ok((mention.fit() > 0.0).then_some(mention))
}

/// Classes or properties that single words, pairs, or the whole question lead to.
async fn schema_links(
    dataset: &Dataset,
    question: &str,
    words: &[Token],
    kind: SchemaKind,
    limit: usize,
) -> Result<Vec<SchemaLink>, SchemaIndexError> {
    let mut links: Vec<SchemaLink> = Vec::new();
    for length in [3, 2, 1] {
        for start in 0..(words.len() + 1).saturating_sub(length) {
            let end = start + length;
            if may_be_name(&words[start..end]) {
                let text = span_text(question, words, start, end);
                let hits = dataset.index.schema.search(kind, text, limit).await?;
                hits.iter().for_each(|hit| note(&mut links, hit, text));
            }
        }
    }
    // The order among equals is that of the whole question, where the dense leg has most to go by.
    let whole = dataset.index.schema.search(kind, question, limit).await?;
    let rank = |iri: &str| whole.iter().position(|hit| hit.iri == iri).unwrap_or(limit);
    links.sort_by(|a, b| b.fit.total_cmp(&a.fit).then_with(|| rank(&a.iri).cmp(&rank(&b.iri))));
    for hit in whole.iter().take(limit / 3) {
        if !links.iter().any(|link| link.iri == hit.iri) {
            links.push(SchemaLink { iri: hit.iri.clone(), text: String::new(), fit: hit.fit });
        }
    }
    links.truncate(limit);
    Ok(links)
}

fn note(links: &mut Vec<SchemaLink>, hit: &SchemaHit, text: &str) {
    let fit = hit.fit;
    if fit < MIN_SCHEMA_FIT {
        return;
    }
    match links.iter_mut().find(|link| link.iri == hit.iri) {
        Some(known) if known.fit < fit => {
            known.fit = fit;
            text.clone_into(&mut known.text);
        }
        Some(_) => {}
        None => links.push(SchemaLink { iri: hit.iri.clone(), text: text.to_owned(), fit }),
    }
}

//! Linking spans of the question to the indexes.

use super::live::look_up;
use crate::dataset::Dataset;
use eruca_indexer::lexicon::{country_names, is_function_word};
use eruca_indexer::text::{Token, words};
use eruca_indexer::vocabulary::Vocabulary;
use eruca_indexer::{
    DatasetIndex, EntityHit, LexicalError, SchemaHit, SchemaIndexError, SchemaKind, ValueHit,
};

/// Words of the longest span that is looked up.
const MAX_SPAN_WORDS: usize = 6;
/// Words of a question that are looked at; the rest of an overlong question is left to the model.
const MAX_WORDS: usize = 60;
/// Candidates kept for one span.
pub(super) const MAX_CANDIDATES: usize = 4;
/// A single word must fit this well to be taken for a name.
pub(super) const MIN_WORD_FIT: f32 = 0.7;
/// A name whose words are all in the span, but which has further words, is taken from this fit on.
pub(super) const MIN_SPAN_FIT: f32 = 0.8;
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

    /// Whether its words are the very name of something.
    pub fn is_same_name(&self) -> bool {
        self.fit() >= SAME_NAME_FIT
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
    /// What could not be looked up, in sentences.
    pub notes: Vec<String>,
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

/// Links a question.
///
/// # Errors
/// When an index cannot be read.
pub async fn ground(dataset: &Dataset, question: &str) -> Result<Grounding, GroundingError> {
    let question = Asked::read(question);
    let mentions = mentions(&dataset.index, &question)?;
    let classes = if_there(schema_links(dataset, &question, SchemaKind::Class, MAX_CLASSES).await);
    let properties = if_there(schema_links(dataset, &question, SchemaKind::Property, MAX_PROPERTIES).await);
    let mut grounding = Grounding { mentions, classes, properties, notes: Vec::new() };
    look_up(dataset, &question, &mut grounding).await;
    let Grounding { mut mentions, mut classes, mut properties, notes } = grounding;
    mentions.retain(|mention| !is_schema_word(mention, classes.iter().chain(&properties)));
    classes.retain(|link| !is_in_a_name(link, &mentions));
    properties.retain(|link| !is_in_a_name(link, &mentions));
    Ok(Grounding { mentions, classes, properties, notes })
}

/// The schema index may be on a server that is down just now: names alone still answer many questions.
fn if_there(links: Result<Vec<SchemaLink>, SchemaIndexError>) -> Vec<SchemaLink> {
    links.unwrap_or_else(|error| {
        tracing::warn!(%error, "classes and properties are not looked up");
        Vec::new()
    })
}

/// A question with its words.
pub(super) struct Asked<'a> {
    pub(super) text: &'a str,
    pub(super) words: Vec<Token>,
}

impl<'a> Asked<'a> {
    pub(super) fn read(text: &'a str) -> Self {
        Self { text, words: words(text).into_iter().take(MAX_WORDS).collect() }
    }

    /// The text from one word to another, both included.
    pub(super) fn span(&self, start: usize, end: usize) -> &'a str {
        match (self.words.get(start), self.words.get(end - 1)) {
            (Some(first), Some(last)) => self.text.get(first.span.0..last.span.1).unwrap_or_default(),
            _ => "",
        }
    }

    /// A name neither begins nor ends with a function word, has no word twice, and more than one word that
    /// says something if it has several.
    fn may_be_name(&self, start: usize, end: usize) -> bool {
        let mut content: Vec<&str> =
            (start..end).filter_map(|at| self.word(at)).filter(|word| !is_function_word(word)).collect();
        let count = content.len();
        content.sort_unstable();
        content.dedup();
        let is_small_number = |at: usize| {
            let text = self.span(at, at + 1);
            text.len() < 4 && text.chars().all(|c| c.is_ascii_digit())
        };
        // "50" in "under 50 mm" names nothing; "1984" may.
        let says_enough = if end - start == 1 { !is_small_number(start) } else { count > 1 };
        says_enough
            && content.len() == count
            && !self.is_function_word(start)
            && !self.is_function_word(end - 1)
    }

    fn word(&self, at: usize) -> Option<&str> {
        self.words.get(at).map(|token| token.text.as_str())
    }

    /// "us" is a function word, "US" is not.
    pub(super) fn is_function_word(&self, at: usize) -> bool {
        let written = self.span(at, at + 1);
        let capitals = written.chars().count() > 1 && written.chars().all(char::is_uppercase);
        let shouted = self.text.chars().all(|c| !c.is_lowercase());
        self.word(at).is_some_and(is_function_word) && (!capitals || shouted)
    }
}

/// "Long" in "Harriet Long" asks for no length.
fn is_in_a_name(link: &SchemaLink, mentions: &[Mention]) -> bool {
    let named = |mention: &&Mention| mention.is_same_name() && mention.words.1 - mention.words.0 > 1;
    !link.text.is_empty() && mentions.iter().filter(named).any(|mention| mention.text.contains(&link.text))
}

/// "rivers" is the class of rivers rather than a river whose name holds the word.
fn is_schema_word<'a>(mention: &Mention, mut links: impl Iterator<Item = &'a SchemaLink>) -> bool {
    !mention.is_same_name() && links.any(|link| link.text == mention.text && link.fit > mention.fit())
}

/// Longest spans first: a span in which a name is found keeps its words from shorter spans, but for those
/// that are a name of their own ("Lake House" may be one thing, or a lake and a house).
fn mentions(index: &DatasetIndex, question: &Asked<'_>) -> Result<Vec<Mention>, LexicalError> {
    let count = question.words.len();
    let mut taken = vec![false; count];
    let mut found = Vec::new();
    for length in (1..=MAX_SPAN_WORDS.min(count)).rev() {
        for start in 0..=count - length {
            let end = start + length;
            let covered = taken[start..end].contains(&true);
            if (covered && length > 1) || !question.may_be_name(start, end) {
                continue;
            }
            let mention = if covered {
                link_own_name(index, question, start)?
            } else {
                link(index, question, start, end)?
            };
            if let Some(mention) = mention {
                taken[start..end].fill(true);
                found.push(mention);
            }
        }
    }
    found.sort_by_key(|mention| (mention.words.0, std::cmp::Reverse(mention.words.1)));
    Ok(found)
}

fn link(
    index: &DatasetIndex,
    question: &Asked<'_>,
    start: usize,
    end: usize,
) -> Result<Option<Mention>, LexicalError> {
    let text = question.span(start, end);
    let single = end - start == 1;
    let (mut entities, mut values) = if single {
        (index.entities.search(text, None, MAX_CANDIDATES)?, index.values.search(text, None, MAX_CANDIDATES)?)
    } else {
        strict(index, text)?
    };
    let least = if single { MIN_WORD_FIT } else { MIN_SPAN_FIT };
    entities.retain(|hit| hit.score >= least);
    values.retain(|hit| hit.score >= least);
    for country in country_names(text) {
        let (places, names) = strict(index, country)?;
        prefer(&mut entities, places, |a, b| a.entity.iri == b.entity.iri, |hit| hit.score);
        prefer(&mut values, names, |a, b| a.value == b.value, |hit| hit.score);
    }
    Ok(mention(text, (start, end), entities, values))
}

/// Puts those that are the very name before what was found so far.
fn prefer<T>(found: &mut Vec<T>, better: Vec<T>, same: impl Fn(&T, &T) -> bool, score: impl Fn(&T) -> f32) {
    for hit in better.into_iter().filter(|hit| score(hit) >= SAME_NAME_FIT) {
        found.retain(|known| !same(known, &hit));
        found.insert(0, hit);
    }
}

/// A word inside a longer span, if it is by itself the very name of something.
fn link_own_name(
    index: &DatasetIndex,
    question: &Asked<'_>,
    at: usize,
) -> Result<Option<Mention>, LexicalError> {
    let text = question.span(at, at + 1);
    let (mut entities, mut values) = strict(index, text)?;
    entities.retain(|hit| hit.score >= SAME_NAME_FIT);
    values.retain(|hit| hit.score >= SAME_NAME_FIT);
    Ok(mention(text, (at, at + 1), entities, values))
}

fn strict(index: &DatasetIndex, text: &str) -> Result<(Vec<EntityHit>, Vec<ValueHit>), LexicalError> {
    Ok((
        index.entities.search_strict(text, MAX_CANDIDATES)?,
        index.values.search_strict(text, MAX_CANDIDATES)?,
    ))
}

/// Values that only repeat an entity's name are left out: the entity says more.
fn mention(
    text: &str,
    words: (usize, usize),
    entities: Vec<EntityHit>,
    mut values: Vec<ValueHit>,
) -> Option<Mention> {
    let names = |hit: &EntityHit, text: &str| hit.entity.labels.iter().any(|label| label.text == text);
    values.retain(|value| !entities.iter().any(|hit| names(hit, &value.value.text)));
    let mention = Mention { text: text.to_owned(), words, entities, values };
    (mention.fit() > 0.0).then_some(mention)
}

/// Classes or properties that single words, pairs, or the whole question lead to.
async fn schema_links(
    dataset: &Dataset,
    question: &Asked<'_>,
    kind: SchemaKind,
    limit: usize,
) -> Result<Vec<SchemaLink>, SchemaIndexError> {
    let mut links: Vec<SchemaLink> = Vec::new();
    for length in [3, 2, 1] {
        for start in 0..(question.words.len() + 1).saturating_sub(length) {
            let end = start + length;
            if question.may_be_name(start, end) {
                let text = question.span(start, end);
                let hits = dataset.index.schema.search_words(kind, text, limit).await?;
                hits.iter().for_each(|hit| note(dataset.vocabulary(), &mut links, hit, text));
            }
        }
    }
    // The order among equals is that of the whole question, where the dense leg has most to go by.
    let whole = dataset.index.schema.search(kind, question.text, limit).await?;
    let rank = |iri: &str| whole.iter().position(|hit| hit.iri == iri).unwrap_or(limit);
    links.sort_by(|a, b| b.fit.total_cmp(&a.fit).then_with(|| rank(&a.iri).cmp(&rank(&b.iri))));
    for hit in whole.iter().filter(|hit| !dataset.vocabulary().is_schema(&hit.iri)).take(limit / 3) {
        if !links.iter().any(|link| link.iri == hit.iri) {
            links.push(SchemaLink { iri: hit.iri.clone(), text: String::new(), fit: hit.fit });
        }
    }
    links.truncate(limit);
    Ok(links)
}

fn note(vocabulary: &Vocabulary, links: &mut Vec<SchemaLink>, hit: &SchemaHit, text: &str) {
    let fit = hit.fit;
    // Every graph has types and labels; a question that says "name" or "type" means more than those.
    if fit < MIN_SCHEMA_FIT || vocabulary.is_schema(&hit.iri) {
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

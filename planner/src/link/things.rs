//! Spans that may name things or values of the graph: the longest first, each with its candidates. Reads the index.

use super::Facts;
use crate::question::{Question, Span};
use eruca_indexer::{DatasetIndex, EntityHit, LexicalError, ValueHit};

/// Words of the longest span that is looked up.
const MAX_SPAN_WORDS: usize = 7;
/// Candidates kept for one span.
const MAX_CANDIDATES: usize = 4;
/// A single word must fit this well to be taken for a name.
const MIN_WORD_FIT: f32 = 0.7;
/// A name whose words are all in the span, but which has further words, is taken from this fit on.
const MIN_SPAN_FIT: f32 = 0.8;
/// The fit of the very same name.
pub(crate) const SAME_NAME_FIT: f32 = 1.2;

/// Why nothing could be looked up.
#[derive(Debug)]
pub struct LinkError(pub LexicalError);

impl std::fmt::Display for LinkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the index cannot be searched: {}", self.0)
    }
}

impl std::error::Error for LinkError {}

impl From<LexicalError> for LinkError {
    fn from(error: LexicalError) -> Self {
        Self(error)
    }
}

/// A span of the question that may name things or values.
#[derive(Debug, Clone)]
pub struct Mention {
    /// The words as they stand in the question.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Things it may name, best first.
    pub entities: Vec<EntityHit>,
    /// Literal values it may be, best first.
    pub values: Vec<ValueHit>,
    /// What is known of the things, by IRI, once it was asked for.
    pub facts: Vec<(String, Facts)>,
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

/// Things and values for one text.
pub type Candidates = (Vec<EntityHit>, Vec<ValueHit>);

/// Everything that spans of the question may name. A span in which a name is found keeps its words from shorter spans, but for
/// those that are a name of their own ("Lake House" may be one thing, or a lake and a house).
///
/// # Errors
/// When an index cannot be read.
pub fn mentions(index: &DatasetIndex, question: &Question) -> Result<Vec<Mention>, LinkError> {
    let mut found = quoted(index, question)?;
    let mut taken: Vec<bool> = vec![false; question.len()];
    for mention in &found {
        take(&mut taken, mention.span);
    }
    for length in (1..=MAX_SPAN_WORDS.min(question.len())).rev() {
        for from in 0..=question.len() - length {
            let span = Span::new(from, from + length);
            if let Some(mention) = at(index, question, span, &taken)? {
                take(&mut taken, span);
                found.push(mention);
            }
        }
    }
    found.sort_by_key(|mention| (mention.span.from, std::cmp::Reverse(mention.span.to)));
    Ok(found)
}

fn take(taken: &mut [bool], span: Span) {
    if let Some(words) = taken.get_mut(usize::from(span.from)..usize::from(span.to)) {
        words.fill(true);
    }
}

fn quoted(index: &DatasetIndex, question: &Question) -> Result<Vec<Mention>, LinkError> {
    let mut found = Vec::new();
    for quote in &question.quotes {
        let (mut entities, mut values) = strict(index, &quote.text)?;
        // What is quoted is meant as it stands.
        entities.retain(|hit| hit.score >= SAME_NAME_FIT);
        values.retain(|hit| hit.score >= SAME_NAME_FIT);
        found.extend(mention(&quote.text, quote.span, (entities, values)));
    }
    Ok(found)
}

fn at(
    index: &DatasetIndex,
    question: &Question,
    span: Span,
    taken: &[bool],
) -> Result<Option<Mention>, LinkError> {
    let covered =
        taken.get(usize::from(span.from)..usize::from(span.to)).is_none_or(|words| words.contains(&true));
    if !may_be_name(question, span) {
        return Ok(None);
    }
    let text = question.text_of(span);
    let (mut entities, mut values) = match span.len() {
        1 if !covered && may_be_misspelt(question, span) => (
            index.entities.search(text, None, MAX_CANDIDATES)?,
            index.values.search(text, None, MAX_CANDIDATES)?,
        ),
        _ => strict(index, text)?,
    };
    let least = match (covered, span.len()) {
        (true, _) => SAME_NAME_FIT,
        (false, 1) => MIN_WORD_FIT,
        (false, _) => MIN_SPAN_FIT,
    };
    for country in question.language.country(&question.folded_of(span)) {
        let (places, names) = strict(index, country)?;
        prefer(&mut entities, places, |a, b| a.entity.iri == b.entity.iri, |hit| hit.score);
        prefer(&mut values, names, |a, b| a.value == b.value, |hit| hit.score);
    }
    entities.retain(|hit| hit.score >= least);
    values.retain(|hit| hit.score >= least);
    Ok(mention(text, span, (entities, values)))
}

/// Puts those that are the very name before what was found so far.
fn prefer<T>(found: &mut Vec<T>, better: Vec<T>, same: impl Fn(&T, &T) -> bool, score: impl Fn(&T) -> f32) {
    for hit in better.into_iter().filter(|hit| score(hit) >= SAME_NAME_FIT) {
        found.retain(|known| !same(known, &hit));
        found.insert(0, hit);
    }
}

/// A name neither begins nor ends with a word that says nothing, and has no small number alone.
fn may_be_name(question: &Question, span: Span) -> bool {
    let last = span.to.saturating_sub(1);
    let ends = question.says_nothing(span.from) || question.says_nothing(last);
    let small = span.len() == 1
        && question.text_of(span).len() < 4
        && question.text_of(span).chars().all(|c| c.is_ascii_digit());
    !ends && !small
}

/// Words that the language knows by another part that they play are no misspelt names.
fn may_be_misspelt(question: &Question, span: Span) -> bool {
    let Some(word) = question.words.get(usize::from(span.from)) else { return false };
    let cued = question.cues.iter().any(|cue| cue.span.contains(span));
    let graded = question.grades.iter().any(|grade| grade.span.contains(span));
    let numbered = question.numerals.iter().any(|numeral| numeral.span.contains(span));
    let known = !question.language.related(&word.norm).is_empty();
    !cued && !graded && !numbered && (word.capital || !known)
}

fn strict(index: &DatasetIndex, text: &str) -> Result<Candidates, LinkError> {
    Ok((
        index.entities.search_strict(text, MAX_CANDIDATES)?,
        index.values.search_strict(text, MAX_CANDIDATES)?,
    ))
}

fn mention(text: &str, span: Span, (entities, values): Candidates) -> Option<Mention> {
    let mention = Mention { text: text.to_owned(), span, entities, values, facts: Vec::new() };
    (mention.fit() > 0.0).then_some(mention)
}

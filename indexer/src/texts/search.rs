//! Searches passages by words, with BM25; those about given things go first or alone.

use super::{FIELDS, Passage, TOKENIZER, register_tokenizer};
use crate::health::IntegrityAlarm;
use crate::lexical::{LexicalError, ReadFolder, panicked_in};
use eruca_language::is_function_word;
use eruca_language::text::{searched_part, words};
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, BoostQuery, ConstScoreQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, OwnedValue};
use tantivy::{Index, IndexReader, ReloadPolicy, Searcher, TantivyDocument, Term};

/// Weight of a word in a title or heading, compared with one in the text.
const TITLE_WEIGHT: f32 = 0.6;
/// Score added for a passage about a thing of the question.
const ABOUT_SCORE: f32 = 4.0;
/// Things that a search looks at.
const MAX_THINGS: usize = 10;

/// The index of passages, open for searching.
pub struct TextIndex {
    searcher: Searcher,
    folder: PathBuf,
    alarm: IntegrityAlarm,
}

/// A search for passages.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextQuery<'a> {
    /// The words.
    pub text: &'a str,
    /// IRIs of things that passages should be about.
    pub about: &'a [String],
    /// A name of what passages must be about, besides `about`.
    pub name: Option<&'a str>,
    /// Leaves out passages about nothing of `about` and without `name`.
    pub only_about: bool,
    /// Maximum number of passages.
    pub limit: usize,
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct TextHit {
    /// The passage.
    pub passage: Passage,
    /// BM25, with a bonus for passages about the given things.
    pub score: f32,
    /// Share of the words searched for that it has, from 0 to 1.
    pub coverage: f32,
}

impl TextIndex {
    /// Opens the index in `folder`; searches that fail raise the alarm.
    ///
    /// # Errors
    /// When there is none or it is damaged.
    pub(crate) fn open(folder: &Path, alarm: &IntegrityAlarm) -> Result<Self, LexicalError> {
        alarm.guard(panicked_in(folder), || {
            let index = Index::open(ReadFolder::open(folder)?)?;
            register_tokenizer(&index);
            debug_assert!(index.tokenizers().get(TOKENIZER).is_some());
            let reader: IndexReader =
                index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
            Ok(Self { searcher: reader.searcher(), folder: folder.to_owned(), alarm: alarm.clone() })
        })
    }

    /// The passages that fit best, best first.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search(&self, query: &TextQuery<'_>) -> Result<Vec<TextHit>, LexicalError> {
        let asked = asked_words(query.text);
        let Some(plan) = plan(query, &asked) else { return Ok(Vec::new()) };
        self.alarm.guard(panicked_in(&self.folder), || {
            let found =
                self.searcher.search(&plan, &TopDocs::with_limit(query.limit.max(1)).order_by_score())?;
            found.into_iter().map(|(score, at)| Ok(hit(self.passage(at)?, score, &asked))).collect()
        })
    }

    fn passage(&self, at: tantivy::DocAddress) -> Result<Passage, LexicalError> {
        let document: TantivyDocument = self.searcher.doc(at)?;
        let stored = document.get_first(FIELDS.passage).map(OwnedValue::from);
        match stored {
            Some(OwnedValue::Bytes(bytes)) => Ok(serde_json::from_slice(&bytes)?),
            _ => Err(LexicalError::Damaged { folder: self.folder.clone() }),
        }
    }
}

/// The words of a search without those that every text has; all if nothing else is left.
pub(super) fn asked_words(text: &str) -> Vec<String> {
    let mut seen = FxHashSet::default();
    let all: Vec<String> = words(searched_part(text)).into_iter().map(|token| token.text).collect();
    let all: Vec<String> = all.into_iter().filter(|word| seen.insert(word.clone())).collect();
    let content: Vec<String> = all.iter().filter(|word| !is_function_word(word)).cloned().collect();
    if content.is_empty() { all } else { content }
}

fn plan(query: &TextQuery<'_>, asked: &[String]) -> Option<BooleanQuery> {
    let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
    for word in asked {
        clauses.push((Occur::Should, term(FIELDS.text, word)));
        clauses.push((Occur::Should, Box::new(BoostQuery::new(term(FIELDS.title, word), TITLE_WEIGHT))));
    }
    let mut about: Vec<(Occur, Box<dyn Query>)> = Vec::new();
    for thing in query.about.iter().take(MAX_THINGS) {
        let exact = TermQuery::new(Term::from_field_text(FIELDS.thing, thing), IndexRecordOption::Basic);
        about.push((Occur::Should, Box::new(ConstScoreQuery::new(Box::new(exact), ABOUT_SCORE))));
    }
    for field in [FIELDS.text, FIELDS.title] {
        about.extend(query.name.and_then(|name| phrase(field, name)).map(|query| (Occur::Should, query)));
    }
    if !about.is_empty() {
        let occur = if query.only_about { Occur::Must } else { Occur::Should };
        clauses.push((occur, Box::new(BooleanQuery::new(about))));
    } else if query.only_about {
        return None;
    }
    (!clauses.is_empty()).then(|| BooleanQuery::new(clauses))
}

fn term(field: Field, word: &str) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::WithFreqs))
}

/// The words of a name next to each other.
fn phrase(field: Field, name: &str) -> Option<Box<dyn Query>> {
    let words: Vec<String> = words(searched_part(name)).into_iter().map(|token| token.text).collect();
    match words.as_slice() {
        [] => None,
        [word] => Some(term(field, word)),
        _ => {
            let terms = words.iter().map(|word| Term::from_field_text(field, word)).collect();
            Some(Box::new(PhraseQuery::new(terms)))
        }
    }
}

fn hit(passage: Passage, score: f32, asked: &[String]) -> TextHit {
    let title = match &passage.source {
        super::PassageSource::Document { title, .. } => title.as_str(),
        super::PassageSource::Literal { .. } => "",
    };
    let has: FxHashSet<String> = [passage.text.as_str(), &passage.heading, title]
        .into_iter()
        .flat_map(words)
        .map(|token| token.text)
        .collect();
    let found = asked.iter().filter(|word| has.contains(*word)).count();
    let coverage = if asked.is_empty() { 1.0 } else { found as f32 / asked.len() as f32 };
    TextHit { passage, score, coverage }
}

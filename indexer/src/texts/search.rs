//! Searches passages by words, with BM25; those about given things go first or alone.

use super::stems::{language_of, stems};
use super::{FIELDS, Passage, PassageSource, register_tokenizer};
use crate::health::IntegrityAlarm;
use crate::lexical::{LexicalError, ReadFolder, panicked_in};
use eruca_language::text::{searched_part, words};
use eruca_language::{Language, detect, fallback, is_function_word};
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, BoostQuery, ConstScoreQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, OwnedValue};
use tantivy::{Index, IndexReader, ReloadPolicy, Searcher, TantivyDocument, Term};

/// Weight of a word in a title or heading, compared with one in the text.
const TITLE_WEIGHT: f32 = 0.6;
/// The same of its stem.
const STEM_WEIGHT: f32 = 0.5;
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

/// A word of a search, with its stem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AskedWord {
    word: String,
    stem: String,
}

impl AskedWord {
    /// Whether it is among these words, or its stem among these stems.
    pub(super) fn is_in(&self, words: &FxHashSet<String>, stems: &FxHashSet<String>) -> bool {
        words.contains(&self.word) || stems.contains(&self.stem)
    }
}

/// The words of a search without those that every text has; all if nothing else is left.
pub(super) fn asked_words(text: &str) -> Vec<AskedWord> {
    let text = searched_part(text);
    let language = detect(text).unwrap_or_else(fallback);
    let mut seen = FxHashSet::default();
    let all: Vec<AskedWord> = words(text)
        .into_iter()
        .filter(|token| seen.insert(token.text.clone()))
        .map(|token| AskedWord {
            stem: stems(text.get(token.span.0..token.span.1).unwrap_or_default(), language),
            word: token.text,
        })
        .collect();
    let content: Vec<AskedWord> =
        all.iter().filter(|asked| !is_function_word(&asked.word)).cloned().collect();
    if content.is_empty() { all } else { content }
}

/// The words and the stems of texts in one language.
pub(super) fn words_and_stems(texts: &[&str], language: &Language) -> (FxHashSet<String>, FxHashSet<String>) {
    let of_words = texts.iter().flat_map(|text| words(text)).map(|token| token.text).collect();
    let joined: Vec<String> = texts.iter().map(|text| stems(text, language)).collect();
    let of_stems = joined.iter().flat_map(|stems| stems.split(' ')).map(str::to_owned).collect();
    (of_words, of_stems)
}

fn plan(query: &TextQuery<'_>, asked: &[AskedWord]) -> Option<BooleanQuery> {
    let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
    for AskedWord { word, stem } in asked {
        clauses.push((Occur::Should, term(FIELDS.text, word)));
        for (field, word, weight) in [(FIELDS.title, word, TITLE_WEIGHT), (FIELDS.stems, stem, STEM_WEIGHT)] {
            clauses.push((Occur::Should, Box::new(BoostQuery::new(term(field, word), weight))));
        }
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

fn hit(passage: Passage, score: f32, asked: &[AskedWord]) -> TextHit {
    let title = match &passage.source {
        PassageSource::Document { title, .. } => title.as_str(),
        PassageSource::Literal { .. } => "",
    };
    let (words, stems) = words_and_stems(&[&passage.text, &passage.heading, title], language_of(&passage));
    let found = asked.iter().filter(|asked| asked.is_in(&words, &stems)).count();
    let coverage = if asked.is_empty() { 1.0 } else { found as f32 / asked.len() as f32 };
    TextHit { passage, score, coverage }
}

//! Searches passages by words, with BM25, and by meaning where they have vectors; both rankings are fused. Those about given
//! things go first or alone.

use super::stems::{language_of, stems};
use super::vectors::{Chosen, TextVectors, TextVectorsError, VectorQuery};
use super::{FIELDS, Passage, PassageSource, register_tokenizer};
use crate::embedding::{Embedder, Purpose};
use crate::health::IntegrityAlarm;
use crate::lexical::{LexicalError, ReadFolder, panicked_in};
use crate::schema_index::fuse;
use eruca_language::text::{searched_part, words};
use eruca_language::{Language, detect, fallback, is_function_word};
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tantivy::collector::{DocSetCollector, TopDocs};
use tantivy::query::{BooleanQuery, BoostQuery, ConstScoreQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, OwnedValue};
use tantivy::{DocAddress, Index, IndexReader, ReloadPolicy, Searcher, TantivyDocument, Term};

/// Weight of a word in a title or heading, compared with one in the text.
const TITLE_WEIGHT: f32 = 0.6;
/// The same of its stem.
const STEM_WEIGHT: f32 = 0.5;
/// Score added for a passage about a thing of the question.
const ABOUT_SCORE: f32 = 4.0;
/// Things that a search looks at.
const MAX_THINGS: usize = 10;

/// Passages taken from the search by words and from that by meaning, where both are fused.
const LEG_LIMIT: usize = 50;
/// Time for the search by meaning.
const MEANING_TIME: Duration = Duration::from_secs(5);

/// The index of passages, open for searching.
pub struct TextIndex {
    searcher: Searcher,
    /// The number of the first passage of each segment, and that of all passages.
    numbers: Vec<u32>,
    folder: PathBuf,
    alarm: IntegrityAlarm,
    pub(super) meaning: Option<Meaning>,
}

/// What finds passages by their meaning.
pub(super) struct Meaning {
    vectors: Box<dyn TextVectors>,
    pub(super) embedder: Arc<dyn Embedder>,
    pub(super) time: Duration,
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
    /// BM25, with a bonus for passages about the given things; where passages are also searched by meaning, the fused score
    /// (reciprocal ranks). Only the order is meaningful.
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
            let searcher = reader.searcher();
            let (numbers, folder) = (numbers(&searcher), folder.to_owned());
            Ok(Self { searcher, numbers, folder, alarm: alarm.clone(), meaning: None })
        })
    }

    /// Searches by meaning as well, with the vectors of its passages and the model that made them.
    #[must_use]
    pub(crate) fn with_vectors(self, vectors: Box<dyn TextVectors>, embedder: Arc<dyn Embedder>) -> Self {
        Self { meaning: Some(Meaning { vectors, embedder, time: MEANING_TIME }), ..self }
    }

    /// The legs in use: `bm25` or `bm25+dense (MODEL)`.
    pub fn describe(&self) -> String {
        let model = self.meaning.as_ref().map(|meaning| meaning.embedder.model());
        model.map_or_else(|| "bm25".to_owned(), |model| format!("bm25+dense ({model})"))
    }

    /// Whether passages are found by meaning, too.
    pub fn has_vectors(&self) -> bool {
        self.meaning.is_some()
    }

    /// Whether all legs can be searched.
    ///
    /// # Errors
    /// When the vectors are on a server that fails.
    pub async fn check(&self) -> Result<(), TextVectorsError> {
        match &self.meaning {
            Some(meaning) => meaning.vectors.check().await,
            None => Ok(()),
        }
    }

    /// The passages that fit best, best first. If they cannot be searched by meaning, that is logged, and words are enough.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub async fn search(&self, query: &TextQuery<'_>) -> Result<Vec<TextHit>, LexicalError> {
        let asked = asked_words(query.text);
        let Some(plan) = plan(query, &asked) else { return Ok(Vec::new()) };
        let limit = query.limit.max(1);
        let Some(meaning) = &self.meaning else { return self.hits(self.by_words(&plan, limit)?, &asked) };
        let words = async { self.by_words(&plan, LEG_LIMIT.max(limit)) };
        let (near, words) = tokio::join!(self.by_meaning(meaning, query), words);
        let mut found = words?;
        match near {
            Ok(near) => found = fuse(&[found.into_iter().map(|(number, _)| number).collect(), near]),
            Err(error) => tracing::warn!(%error, "texts are not searched by meaning; words alone are used"),
        }
        found.truncate(limit);
        self.hits(found, &asked)
    }

    /// The numbers of passages with most of the words, and their scores.
    fn by_words(&self, plan: &BooleanQuery, limit: usize) -> Result<Vec<(u32, f32)>, LexicalError> {
        self.alarm.guard(panicked_in(&self.folder), || {
            let found = self.searcher.search(plan, &TopDocs::with_limit(limit).order_by_score())?;
            Ok(found.into_iter().filter_map(|(score, at)| Some((self.number(at)?, score))).collect())
        })
    }

    /// The numbers of passages that mean what is sought.
    async fn by_meaning(
        &self,
        meaning: &Meaning,
        query: &TextQuery<'_>,
    ) -> Result<Vec<u32>, TextVectorsError> {
        let near = async {
            let text = vec![searched_part(query.text).to_owned()];
            let vector = meaning.embedder.embed(text, Purpose::Query).await?.into_iter().next();
            let (chosen, only_chosen) = (self.chosen(query)?, query.only_about);
            let limit = LEG_LIMIT.max(query.limit);
            let query = VectorQuery { vector: vector.unwrap_or_default(), chosen, only_chosen, limit };
            meaning.vectors.nearest(query).await
        };
        let near = tokio::time::timeout(meaning.time, near).await;
        let near = near.map_err(|_| TextVectorsError::Late(meaning.time))??;
        let numbers = near.into_iter().map(|(number, _)| number);
        Ok(numbers.filter(|number| *number < self.passages()).collect())
    }

    /// The passages about what a query names.
    fn chosen(&self, query: &TextQuery<'_>) -> Result<Chosen, LexicalError> {
        let about = about(query);
        if about.is_empty() {
            return Ok(Chosen::default());
        }
        let plan = BooleanQuery::new(about);
        let mut numbers: Vec<u32> = self.alarm.guard(panicked_in(&self.folder), || {
            let found = self.searcher.search(&plan, &DocSetCollector)?;
            Ok::<_, LexicalError>(found.into_iter().filter_map(|at| self.number(at)).collect())
        })?;
        numbers.sort_unstable();
        Ok(Chosen { things: query.about.iter().take(MAX_THINGS).cloned().collect(), numbers })
    }

    fn hits(&self, found: Vec<(u32, f32)>, asked: &[AskedWord]) -> Result<Vec<TextHit>, LexicalError> {
        let hit = |(number, score)| Ok(hit(self.numbered(number)?, score, asked));
        found.into_iter().map(hit).collect()
    }

    /// Number of passages.
    pub(crate) fn passages(&self) -> u32 {
        self.numbers.last().copied().unwrap_or_default()
    }

    fn number(&self, at: DocAddress) -> Option<u32> {
        Some(self.numbers.get(at.segment_ord as usize)? + at.doc_id)
    }

    /// The passage with a number.
    pub(super) fn numbered(&self, number: u32) -> Result<Passage, LexicalError> {
        let segment = self.numbers.partition_point(|first| *first <= number).saturating_sub(1);
        let first = self.numbers.get(segment).copied().unwrap_or_default();
        let at = DocAddress::new(u32::try_from(segment).unwrap_or(u32::MAX), number - first);
        match number < self.passages() {
            true => self.alarm.guard(panicked_in(&self.folder), || self.passage(at)),
            false => Err(LexicalError::Damaged { folder: self.folder.clone() }),
        }
    }

    fn passage(&self, at: DocAddress) -> Result<Passage, LexicalError> {
        let document: TantivyDocument = self.searcher.doc(at)?;
        let stored = document.get_first(FIELDS.passage).map(OwnedValue::from);
        match stored {
            Some(OwnedValue::Bytes(bytes)) => Ok(serde_json::from_slice(&bytes)?),
            _ => Err(LexicalError::Damaged { folder: self.folder.clone() }),
        }
    }
}

/// The number of the first passage of each segment, and that of all.
fn numbers(searcher: &Searcher) -> Vec<u32> {
    let mut next = 0_u32;
    let firsts = searcher.segment_readers().iter().map(|segment| {
        let first = next;
        next = next.saturating_add(segment.max_doc());
        first
    });
    let mut numbers: Vec<u32> = firsts.collect();
    numbers.push(next);
    numbers
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
    let about = about(query);
    if !about.is_empty() {
        let occur = if query.only_about { Occur::Must } else { Occur::Should };
        clauses.push((occur, Box::new(BooleanQuery::new(about))));
    } else if query.only_about {
        return None;
    }
    (!clauses.is_empty()).then(|| BooleanQuery::new(clauses))
}

/// What passages about the things or with the name of a query have.
fn about(query: &TextQuery<'_>) -> Vec<(Occur, Box<dyn Query>)> {
    let mut about: Vec<(Occur, Box<dyn Query>)> = Vec::new();
    for thing in query.about.iter().take(MAX_THINGS) {
        let exact = TermQuery::new(Term::from_field_text(FIELDS.thing, thing), IndexRecordOption::Basic);
        about.push((Occur::Should, Box::new(ConstScoreQuery::new(Box::new(exact), ABOUT_SCORE))));
    }
    for field in [FIELDS.text, FIELDS.title] {
        about.extend(query.name.and_then(|name| phrase(field, name)).map(|query| (Occur::Should, query)));
    }
    about
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

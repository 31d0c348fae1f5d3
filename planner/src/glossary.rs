//! The words that the owner of a graph has for what is in it, found in a question. Uses the words alone; what they mean in the
//! graph is for `link::house`.

use crate::question::{ParsedQuestion, Span, Word};
use eruca_knowledge::{GlossaryEntry, Knowledge, MAX_PHRASE_WORDS, Meaning};
use eruca_language::text::{fold, is_unspaced, words};
use eruca_language::{Degree, Language};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of words of a span in scripts without spaces, where unknown words are split into single characters.
const MAX_SPAN_CHARACTERS: usize = 14;

/// Positions of entries by their words.
type Keys = FxHashMap<String, Vec<usize>>;

/// An entry of the glossary that a question has words of.
#[derive(Debug, Clone)]
pub struct GlossaryHit {
    /// The words; none if the entry needs none.
    pub span: Option<Span>,
    /// The words as they are in the question.
    pub text: String,
    /// The entry.
    pub entry: Arc<GlossaryEntry>,
    /// Its degree, if the words are a form of the entry's word that the language makes by rule.
    pub degree: Option<Degree>,
}

/// The keys of a language.
#[derive(Debug, Default)]
struct Inflected {
    stems: Keys,
    /// Comparatives and superlatives of words that measure.
    degrees: FxHashMap<String, (Vec<usize>, Degree)>,
}

/// The entries of a glossary, by their words.
#[derive(Debug, Default)]
pub struct Glossary {
    entries: Vec<Arc<GlossaryEntry>>,
    /// By the words as written, and in the singular.
    written: Keys,
    /// By the forms of a language: computed once per language, not per question.
    inflected: Mutex<FxHashMap<&'static str, Arc<Inflected>>>,
}

impl Glossary {
    /// The entries that say something of a question's words.
    pub fn of(knowledge: &Knowledge) -> Self {
        Self::new(knowledge.glossary.iter().cloned())
    }

    /// A glossary of these entries.
    pub fn new(entries: impl IntoIterator<Item = GlossaryEntry>) -> Self {
        let entries: Vec<Arc<GlossaryEntry>> = entries.into_iter().map(Arc::new).collect();
        let mut written = Keys::default();
        for (at, entry) in entries.iter().enumerate() {
            for phrase in &entry.words {
                add(&mut written, key(spelt(phrase).map(fold)), at);
                add(&mut written, key(words(phrase).into_iter().map(|word| word.text)), at);
            }
        }
        Self { entries, written, inflected: Mutex::default() }
    }

    /// Whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries that have exactly this text among their words or, if it is being written, words that begin with it.
    pub fn called(&self, text: &str, unfinished: bool) -> Vec<&GlossaryEntry> {
        let asked = [key(spelt(text).map(fold)), key(words(text).into_iter().map(|word| word.text))];
        let mut found: Vec<usize> = match unfinished && asked.iter().all(|key| !key.is_empty()) {
            false => asked.iter().filter_map(|key| self.written.get(key)).flatten().copied().collect(),
            true => {
                let begins = |key: &&String| asked.iter().any(|start| key.starts_with(start.as_str()));
                self.written
                    .keys()
                    .filter(begins)
                    .filter_map(|key| self.written.get(key))
                    .flatten()
                    .copied()
                    .collect()
            }
        };
        found.sort_unstable();
        found.dedup();
        found.into_iter().filter_map(|at| self.entries.get(at)).map(AsRef::as_ref).collect()
    }

    /// Whether a question has words of an entry, or an entry needs none.
    pub fn concerns(&self, question: &ParsedQuestion) -> bool {
        !self.hits(question).is_empty()
    }

    /// The entries for words of a question, longest phrases first; entries without words come last.
    pub(crate) fn hits(&self, question: &ParsedQuestion) -> Vec<GlossaryHit> {
        let mut found: Vec<GlossaryHit> = Vec::new();
        if self.entries.is_empty() {
            return found;
        }
        let inflected = self.inflected_in(question.language);
        let longest = if question.language.is_unspaced() { MAX_SPAN_CHARACTERS } else { MAX_PHRASE_WORDS };
        for length in (1..=longest.min(question.len())).rev() {
            for span in (0..=question.len() - length).map(|from| Span::new(from, from + length)) {
                let (entries, degree) = self.said(question, span, &inflected);
                let text = || question.text_of(span).to_owned();
                let hit = |entry| GlossaryHit { span: Some(span), text: text(), entry, degree };
                found.extend(entries.into_iter().map(hit));
            }
        }
        let wordless = self.entries.iter().filter(|entry| entry.words.is_empty()).cloned();
        found.extend(wordless.map(|entry| GlossaryHit {
            span: None,
            text: String::new(),
            entry,
            degree: None,
        }));
        found
    }

    /// The entries for a span: as written, else in a degree, else in the singular, else by its stems.
    fn said(
        &self,
        question: &ParsedQuestion,
        span: Span,
        inflected: &Inflected,
    ) -> (Vec<Arc<GlossaryEntry>>, Option<Degree>) {
        if question.is_broken(span) {
            return (Vec::new(), None);
        }
        let by =
            |part: fn(&Word) -> &String| key(question.words_of(span).iter().map(|word| part(word).clone()));
        let as_written = by(|word| &word.folded);
        let made = inflected.degrees.get(&as_written);
        let tries = [
            (self.written.get(&as_written), None),
            (made.map(|(at, _)| at), made.map(|(_, degree)| *degree)),
            (self.written.get(&by(|word| &word.norm)), None),
            (inflected.stems.get(&by(|word| &word.stem)), None),
        ];
        let entries = |(at, degree): (Option<&Vec<usize>>, Option<Degree>)| {
            let all = at.into_iter().flatten().filter_map(|at| self.entries.get(*at));
            let own = all.filter(|entry| is_of(entry, question.language));
            (own.cloned().collect::<Vec<_>>(), degree)
        };
        tries.into_iter().map(entries).find(|(found, _)| !found.is_empty()).unwrap_or_default()
    }

    fn inflected_in(&self, language: &'static Language) -> Arc<Inflected> {
        let made = || {
            let mut found = Inflected::default();
            let own = self.entries.iter().enumerate().filter(|(_, entry)| is_of(entry, language));
            for (at, entry) in own {
                for phrase in &entry.words {
                    add(&mut found.stems, key(spelt(phrase).map(|word| language.stem(&fold(word)))), at);
                    if matches!(entry.meaning, Meaning::Measure { .. }) {
                        add_degrees(&mut found, language, phrase, at);
                    }
                }
            }
            Arc::new(found)
        };
        let mut known = self.inflected.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(language.tag()).or_insert_with(made).clone()
    }
}

/// Adds the degrees of a single word.
fn add_degrees(found: &mut Inflected, language: &Language, phrase: &str, at: usize) {
    for (form, degree) in language.compared(phrase.trim()) {
        let (known, _) = found.degrees.entry(form).or_insert_with(|| (Vec::new(), degree));
        if known.last() != Some(&at) {
            known.push(at);
        }
    }
}

/// Whether the words of an entry are of a language.
fn is_of(entry: &GlossaryEntry, language: &Language) -> bool {
    let primary =
        |tag: &str| tag.split('-').next().is_some_and(|tag| tag.eq_ignore_ascii_case(language.tag()));
    entry.lang.as_deref().is_none_or(primary)
}

/// The words of a phrase as they are spelt.
fn spelt(phrase: &str) -> impl Iterator<Item = &str> {
    words(phrase).into_iter().filter_map(|word| phrase.get(word.span.0..word.span.1))
}

/// Words as one text; without spaces where the script has none, since words are divided by what stands around them.
fn key(words: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = words.collect();
    let unspaced = all.iter().any(|word| word.contains(is_unspaced));
    all.join(if unspaced { "" } else { " " })
}

fn add(keys: &mut Keys, key: String, at: usize) {
    let known = keys.entry(key).or_default();
    if known.last() != Some(&at) {
        known.push(at);
    }
}

//! Word relations: verbs and adjectives to nouns, nouns to synonyms, words of a language to English translations.

use super::files::Files;
use super::forms::Forms;
use super::kind::AnswerKind;
use super::phrases::normal;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A noun related to a verb or an adjective.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The noun, normalized.
    pub noun: String,
    /// The kind of answer it applies to, if restricted: "born" is related to a birth date if a time is asked for.
    pub kind: Option<AnswerKind>,
}

impl Related {
    /// `noun` or `noun/kind`.
    fn parse(text: &str) -> Option<Self> {
        let (noun, kind) = match text.split_once('/') {
            Some((noun, kind)) => (noun, Some(AnswerKind::parse(kind)?)),
            None => (text, None),
        };
        Some(Self { noun: normal(noun), kind })
    }
}

/// Minimum length of a stem for look-ups.
const MIN_STEM: usize = 4;

/// A look-up table by the word itself, else by its base form, else by its stem. Among words with the same stem, the one with the
/// longest common prefix wins ("nurse" and "disease" may share a stem, but differ in meaning). Words and meanings are held once:
/// the tables of all languages are most of the memory of a service at rest.
#[derive(Debug)]
pub(super) struct Table<T> {
    by_word: FxHashMap<Arc<str>, Arc<[T]>>,
    by_base: FxHashMap<Arc<str>, Arc<[T]>>,
    by_stem: FxHashMap<Box<str>, Box<[Arc<str>]>>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { by_word: FxHashMap::default(), by_base: FxHashMap::default(), by_stem: FxHashMap::default() }
    }
}

impl<T: PartialEq + Clone> Table<T> {
    fn of(found: FxHashMap<String, Vec<T>>, forms: &Forms) -> Self {
        // In word order, so that the result does not depend on hashing.
        let mut found: Vec<(String, Vec<T>)> = found.into_iter().collect();
        found.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let mut table = Self::default();
        let mut by_stem: FxHashMap<String, Vec<Arc<str>>> = FxHashMap::default();
        for (word, meanings) in found {
            let (word, meanings): (Arc<str>, Arc<[T]>) = (word.into(), meanings.into());
            table.add_base(forms.base(&word), &word, &meanings);
            let stem = forms.stem(&word);
            if stem.chars().count() >= MIN_STEM {
                by_stem.entry(stem).or_default().push(Arc::clone(&word));
            }
            table.by_word.insert(word, meanings);
        }
        table.by_stem = by_stem.into_iter().map(|(stem, words)| (stem.into(), words.into())).collect();
        table.by_word.shrink_to_fit();
        table.by_base.shrink_to_fit();
        table
    }

    /// Adds the meanings of a word to those of its base form.
    fn add_base(&mut self, base: String, word: &Arc<str>, meanings: &Arc<[T]>) {
        match self.by_base.get_mut(base.as_str()) {
            Some(known) => {
                let mut all = known.to_vec();
                add_all(&mut all, meanings.iter().cloned());
                *known = all.into();
            }
            None => {
                let base = if base == **word { Arc::clone(word) } else { base.into() };
                self.by_base.insert(base, Arc::clone(meanings));
            }
        }
    }

    pub(super) fn get(&self, word: &str, forms: &Forms) -> &[T] {
        let found = self.by_word.get(word).or_else(|| self.by_base.get(forms.base(word).as_str()));
        found.map_or_else(|| self.nearest(word, forms), |meanings| &**meanings)
    }

    /// The meanings of the word with the same stem and the longest common prefix.
    fn nearest(&self, word: &str, forms: &Forms) -> &[T] {
        let family = self.by_stem.get(forms.stem(word).as_str()).map_or(&[][..], |family| &**family);
        let shared = |known: &str| known.chars().zip(word.chars()).take_while(|(a, b)| a == b).count();
        let apart = |known: &str| known.chars().count().abs_diff(word.chars().count());
        let best = family.iter().min_by_key(|known| (std::cmp::Reverse(shared(known)), apart(known)));
        best.and_then(|known| self.by_word.get(known)).map_or(&[], |meanings| &**meanings)
    }

    /// Whether the word itself is listed.
    pub(super) fn lists(&self, word: &str) -> bool {
        self.by_word.contains_key(word)
    }

    /// Whether the word or its base form is listed.
    pub(super) fn has(&self, word: &str, forms: &Forms) -> bool {
        self.lists(word) || self.by_base.contains_key(forms.base(word).as_str())
    }

    /// All listed words.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.by_word.keys().map(|word| &**word)
    }
}

pub(super) type RelatedWords = Table<Related>;
pub(super) type WordTable = Table<String>;

/// Lines of `words : nouns`.
pub(super) fn related(files: &mut Files, forms: &Forms) -> RelatedWords {
    let mut found = FxHashMap::default();
    files.each_pair("related.txt", |words, nouns| {
        let nouns: Vec<Related> = nouns.split_whitespace().map(Related::parse).collect::<Option<_>>()?;
        for word in words.split_whitespace().map(normal) {
            let new = nouns.iter().filter(|related| related.noun != word);
            add_all(found.entry(word.clone()).or_insert_with(Vec::new), new.cloned());
        }
        Some(())
    });
    Table::of(found, forms)
}

/// Lines of synonymous nouns.
pub(super) fn synonyms(files: &mut Files, forms: &Forms) -> WordTable {
    let mut found = FxHashMap::default();
    files.each_line("synonyms.txt", |line| {
        let group: Vec<String> = line.split_whitespace().map(normal).collect();
        for word in &group {
            let others = group.iter().filter(|other| *other != word);
            add_all(found.entry(word.clone()).or_default(), others.cloned());
        }
        (group.len() > 1).then_some(())
    });
    Table::of(found, forms)
}

/// Lines of `words : English words`.
pub(super) fn translations(files: &mut Files, forms: &Forms) -> WordTable {
    let mut found = FxHashMap::default();
    files.each_pair("translations.txt", |words, english| {
        for word in words.split_whitespace() {
            add_all(found.entry(normal(word)).or_default(), english.split_whitespace().map(normal));
        }
        Some(())
    });
    Table::of(found, forms)
}

fn add_all<T: PartialEq>(known: &mut Vec<T>, new: impl Iterator<Item = T>) {
    for item in new {
        if !known.contains(&item) {
            known.push(item);
        }
    }
}

//! Word relations: verbs and adjectives to nouns, nouns to synonyms, words of a language to English translations.

use super::files::Files;
use super::forms::Forms;
use super::kind::AnswerKind;
use super::phrases::normal;
use rustc_hash::FxHashMap;

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
/// longest common prefix wins ("nurse" and "disease" may share a stem, but differ in meaning).
#[derive(Debug)]
pub(super) struct Table<T> {
    by_word: FxHashMap<String, Vec<T>>,
    by_base: FxHashMap<String, Vec<T>>,
    by_stem: FxHashMap<String, Vec<(String, Vec<T>)>>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { by_word: FxHashMap::default(), by_base: FxHashMap::default(), by_stem: FxHashMap::default() }
    }
}

impl<T: PartialEq + Clone> Table<T> {
    fn of(by_word: FxHashMap<String, Vec<T>>, forms: &Forms) -> Self {
        let mut table = Self::default();
        // In word order, so that the result does not depend on hashing.
        let mut words: Vec<(&String, &Vec<T>)> = by_word.iter().collect();
        words.sort_unstable_by_key(|(word, _)| *word);
        for (word, meanings) in words {
            add_all(table.by_base.entry(forms.base(word)).or_default(), meanings.iter().cloned());
            let stem = forms.stem(word);
            if stem.chars().count() >= MIN_STEM {
                table.by_stem.entry(stem).or_default().push((word.clone(), meanings.clone()));
            }
        }
        table.by_word = by_word;
        table
    }

    pub(super) fn get(&self, word: &str, forms: &Forms) -> &[T] {
        let found = self.by_word.get(word).or_else(|| self.by_base.get(&forms.base(word)));
        found.map_or_else(|| self.nearest(word, forms), Vec::as_slice)
    }

    /// The meanings of the word with the same stem and the longest common prefix.
    fn nearest(&self, word: &str, forms: &Forms) -> &[T] {
        let family = self.by_stem.get(&forms.stem(word)).map_or(&[][..], Vec::as_slice);
        let shared = |known: &str| known.chars().zip(word.chars()).take_while(|(a, b)| a == b).count();
        let apart = |known: &str| known.chars().count().abs_diff(word.chars().count());
        let best = family.iter().min_by_key(|(known, _)| (std::cmp::Reverse(shared(known)), apart(known)));
        best.map_or(&[], |(_, meanings)| meanings.as_slice())
    }

    /// Whether the word itself is listed.
    pub(super) fn lists(&self, word: &str) -> bool {
        self.by_word.contains_key(word)
    }

    /// Whether the word or its base form is listed.
    pub(super) fn has(&self, word: &str, forms: &Forms) -> bool {
        self.lists(word) || self.by_base.contains_key(&forms.base(word))
    }

    /// All listed words.
    pub(super) fn words(&self) -> impl Iterator<Item = &String> {
        self.by_word.keys()
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

//! Matches a word of the question with words of names: verbatim, by stem, by translation, by meaning, or in part.

use super::Evidence;
use crate::question::Word;
use eruca_indexer::{SchemaNames, WordIndex, edit_distance};
use eruca_language::Language;
use eruca_language::text::{is_unspaced, normalize_word};

/// A part of a compound, with the matching words of names.
pub(super) struct Part {
    pub text: String,
    pub met: Vec<usize>,
}

/// The matches of the part that gives a compound its meaning: the last one, unless it is a filler.
pub(super) fn telling(language: &Language, parts: &[Part]) -> Vec<usize> {
    let Some((last, before)) = parts.split_last() else { return Vec::new() };
    match language.is_filler(&last.text) {
        true => before.last().map_or(Vec::new(), |part| part.met.clone()),
        false => last.met.clone(),
    }
}

/// A word of the question with the tables for looking it up.
pub(super) struct Asked<'a> {
    pub word: &'a Word,
    /// The next word of the same clause.
    pub next: Option<&'a Word>,
    pub language: &'static Language,
    pub index: &'a WordIndex,
    pub names: &'a SchemaNames,
}

impl Asked<'_> {
    /// The indices of matching words of names, best evidence first.
    pub fn met(&self) -> Vec<(usize, Evidence)> {
        let word = self.word;
        if let Some(phrase) = self.phrase() {
            return phrase;
        }
        let texts = [word.norm.as_str(), word.folded.as_str()];
        let mut found: Vec<(usize, Evidence)> = self.written(texts, Evidence::Exact).collect();
        if self.language.is_function_word(&word.norm) || word.norm.len() < 3 {
            return found;
        }
        if word.stem.len() >= 2 {
            found.extend(self.index.stem(&word.stem).iter().map(|number| (*number, Evidence::Stem)));
        }
        found.extend(self.written(self.first_known(Language::translations), Evidence::Translation));
        found.extend(self.written(self.first_known(Language::synonyms), Evidence::Synonym));
        let related = texts.iter().flat_map(|text| self.language.related(text)).map(|related| &related.noun);
        found.extend(self.written(related, Evidence::Related));
        // "F name" is the first name; a letter alone matches no name.
        found.extend(self.written(word.norm.get(..1), Evidence::Part));
        if !self.is_known() {
            found.extend(self.alike());
        }
        found
    }

    /// The matches of the phrase formed with the next word, if it has a meaning of its own: "made of" does not mean a maker.
    fn phrase(&self) -> Option<Vec<(usize, Evidence)>> {
        let next = self.next.filter(|next| self.language.is_function_word(&next.folded))?;
        let phrase = format!("{} {}", self.word.norm, next.folded);
        let related = self.language.related(&phrase).iter().map(|related| &related.noun);
        let found: Vec<_> = self.written(related, Evidence::Related).collect();
        (!found.is_empty()).then_some(found)
    }

    /// The first entry in a table of the language for the word: by its spelling before its stem, which other words share.
    fn first_known(&self, table: fn(&'static Language, &str) -> &'static [String]) -> &'static [String] {
        let word = self.word;
        let spellings = [word.norm.as_str(), word.folded.as_str(), word.stem.as_str()];
        spellings
            .into_iter()
            .map(|text| table(self.language, text))
            .find(|found| !found.is_empty())
            .unwrap_or_default()
    }

    /// The parts of a compound that is not in the language's dictionary.
    pub fn parts(&self) -> Vec<Part> {
        let language = self.language;
        if !language.has_compounds() || language.is_noun(&self.word.norm) {
            return Vec::new();
        }
        let noun = |part: &str| language.is_noun(&normalize_word(part)) || self.index.text(part).is_some();
        let is_word = |part: &str| !language.is_function_word(part) && noun(part);
        let split = language.splits(&self.word.folded, &is_word).into_iter().next().unwrap_or_default();
        split.into_iter().map(|text| Part { met: self.meanings(&text), text }).collect()
    }

    /// The words of names that match a part of a compound.
    fn meanings(&self, part: &str) -> Vec<usize> {
        let norm = normalize_word(part);
        let mut found: Vec<usize> = self.index.text(&norm).into_iter().collect();
        found.extend(self.index.stem(&self.language.stem(part)));
        found.extend(self.language.translations(&norm).iter().filter_map(|word| self.index.text(word)));
        found.dedup();
        found
    }

    fn written<T: AsRef<str>>(
        &self,
        texts: impl IntoIterator<Item = T>,
        evidence: Evidence,
    ) -> impl Iterator<Item = (usize, Evidence)> {
        texts.into_iter().filter_map(move |text| Some((self.index.text(text.as_ref())?, evidence)))
    }

    /// Whether the language knows the word: then similar spelling means nothing.
    fn is_known(&self) -> bool {
        let word = self.word;
        !self.language.related(&word.norm).is_empty()
            || !self.language.related(&word.folded).is_empty()
            || self.language.grade(&word.folded).is_some()
            || !self.language.cues_at(&[word.folded.as_str()]).is_empty()
    }

    fn alike(&self) -> impl Iterator<Item = (usize, Evidence)> {
        let word = self.word.norm.as_str();
        let spelt_right = self.language.knows(word);
        let long = self.names.words.iter().enumerate().filter(|(_, name)| name.len() >= 3);
        long.filter_map(move |(number, name)| {
            let evidence = match is_part(word, name) {
                true => Evidence::Part,
                false if !spelt_right && is_typo(word, name) => Evidence::Typo,
                false => return None,
            };
            Some((number, evidence))
        })
    }
}

fn is_part(word: &str, name: &str) -> bool {
    if word.contains(is_unspaced) {
        let holds = |long: &str, short: &str| long.starts_with(short) || long.ends_with(short);
        // A single character is part of too many words.
        let long = |text: &str| text.chars().nth(1).is_some();
        return long(word) && long(name) && (holds(word, name) || holds(name, word));
    }
    let abbreviates = |long: &str, short: &str| long.len() > short.len() && long.starts_with(short);
    let heads = |long: &str, short: &str| {
        short.len() >= 4 && long.ends_with(short) && long.chars().count() > short.chars().count() + 2
    };
    (name.len() <= 5 && abbreviates(word, name))
        || (word.len() >= 4 && abbreviates(name, word))
        || heads(word, name)
        || heads(name, word)
}

fn is_typo(a: &str, b: &str) -> bool {
    if a.as_bytes().first() != b.as_bytes().first() || a.len().abs_diff(b.len()) > 8 {
        return false;
    }
    let (a_chars, b_chars) = (a.chars().count(), b.chars().count());
    let (long, short) = (a_chars.max(b_chars), a_chars.min(b_chars));
    let allowed = if short >= 9 { 2 } else { usize::from(short >= 6) };
    allowed > 0 && long - short <= allowed && edit_distance(a, b) <= allowed
}
